import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesPattern } from '../../../test/support/stats-oracle.ts';
import { patternToLike } from '../../derive/text-tests.ts';

const patterns: { pattern: string; like: string; met: string[]; missed: string[] }[] = [
	{ pattern: '/thanks', like: '/thanks', met: ['/thanks'], missed: ['/thanks/', '/Thanks', '/a/thanks', ''] },
	{ pattern: '*', like: '%', met: ['', '/', '/a\nb', '*', '👋'], missed: [] },
	{ pattern: '/blog/*', like: '/blog/%', met: ['/blog/', '/blog/a/b'], missed: ['/blog', '/a/blog/b'] },
	{ pattern: '*/thanks', like: '%/thanks', met: ['/thanks', '/a/thanks'], missed: ['/thanks/', 'thanks'] },
	{
		pattern: '/order/*/done',
		like: '/order/%/done',
		met: ['/order/1/done', '/order//done', '/order/1/2/done'],
		missed: ['/order/done', '/order/1/done/'],
	},
	{ pattern: '/a*a', like: '/a%a', met: ['/aa', '/aba'], missed: ['/a'] },
	{ pattern: '/ab*ba', like: '/ab%ba', met: ['/abba', '/ab-ba'], missed: ['/aba'] },
	{ pattern: '*ab*ab*', like: '%ab%ab%', met: ['abab', 'xabyabz'], missed: ['ab', 'aba', 'xaby'] },
	{ pattern: '/**', like: '/%%', met: ['/', '/a'], missed: ['', 'a/'] },
	{ pattern: '/*a*b*c*', like: '/%a%b%c%', met: ['/abc', '/xaxbxcx', '/cabc'], missed: ['/acb', '/cba'] },
	{ pattern: '/50%', like: '/50\\%', met: ['/50%'], missed: ['/50', '/500', '/50%25'] },
	{ pattern: '/a_b', like: '/a\\_b', met: ['/a_b'], missed: ['/a-b', '/axb'] },
	{ pattern: '/a\\b', like: '/a\\\\b', met: ['/a\\b'], missed: ['/ab', '/a\\\\b'] },
	{ pattern: '/\\*', like: '/\\\\%', met: ['/\\', '/\\a'], missed: ['/*', '/a'] },
	{ pattern: '/\\%_\\', like: '/\\\\\\%\\_\\\\', met: ['/\\%_\\'], missed: ['/%_', '/\\%x\\'] },
	{
		pattern: '/it\'s "so" `x`*',
		like: '/it\'s "so" `x`%',
		met: ['/it\'s "so" `x`', '/it\'s "so" `x`; DROP TABLE goals'],
		missed: ['/its so x'],
	},
	{ pattern: '/café/*', like: '/café/%', met: ['/café/ü'], missed: ['/cafe/ü', '/cafe\u0301/x'] },
	{
		pattern: '/東京*👩‍👩‍👧',
		like: '/東京%👩‍👩‍👧',
		met: ['/東京👩‍👩‍👧', '/東京 👋 👩‍👩‍👧'],
		missed: ['/東京👩'],
	},
	{ pattern: '/a\nb*', like: '/a\nb%', met: ['/a\nb', '/a\nb\n\nc'], missed: ['/a', '/ab', '/a\r\nb'] },
	{ pattern: '/a*c', like: '/a%c', met: ['/a\nb\r\n\tc'], missed: ['/a\nc\n'] },
	{
		pattern: '/a.c+[x](y)^$|?',
		like: '/a.c+[x](y)^$|?',
		met: ['/a.c+[x](y)^$|?'],
		missed: ['/abc', '/a.cc'],
	},
	{ pattern: '{p0:String} -- /*', like: '{p0:String} -- /%', met: ['{p0:String} -- /* */'], missed: ['/'] },
];

for (const { pattern, like, met, missed } of patterns)
	test(`the pattern ${JSON.stringify(pattern)}`, () => {
		assert.equal(patternToLike(pattern), like);
		for (const text of met) assert.equal(matchesPattern(pattern, text), true, JSON.stringify(text));
		for (const text of missed) assert.equal(matchesPattern(pattern, text), false, JSON.stringify(text));
	});
