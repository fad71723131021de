import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher, toExpression } from './rules.ts';

const find = createMatcher([
	{ pattern: '/product/new', target: '/product/new' },
	{ pattern: '/product/*', target: '/product/:id' },
	{ pattern: '/*/product/*', target: '/$1/product/:id' },
	{ pattern: '/item-*.html', target: '/item/:number' },
	{ pattern: '/guide/**', target: 'Guide $1' },
	{ pattern: '/a.b/(x)+', target: '/a$b' },
]);

const cases: readonly [path: string, group: string | undefined][] = [
	['/product/17', '/product/:id'],
	['/product/new', '/product/new'],
	['/product/', undefined],
	['/product', undefined],
	['/product/17/', undefined],
	['/product/17/reviews', undefined],
	['/en/product/17', '/en/product/:id'],
	['/en/de/product/17', undefined],
	['/item-17.html', '/item/:number'],
	['/item-.html', undefined],
	['/item-17xhtml', undefined],
	['/guide/', 'Guide '],
	['/guide/a/b\nc', 'Guide a/b\nc'],
	['/guide', undefined],
	['/a.b/(x)+', '/a$b'],
	['/axb/x', undefined],
	['/Product/17', undefined],
	['', undefined],
];
for (const [path, group] of cases)
	test(`the group of ${JSON.stringify(path)} is ${group}`, () => assert.equal(find(path)?.group, group));

test('[T113] everything but wildcards matches itself, and only named wildcards are groups', () => {
	const signs = '\\.+?()|[]{}^$&-#/\'"`%_ü東👋';
	const { expression } = toExpression({ pattern: `/${signs}`, target: '/' });
	assert.match(`/${signs}`, new RegExp(expression));
	assert.deepEqual(toExpression({ pattern: '/(a|b)+/*/*', target: '/$2' }), {
		expression: '^/\\(a\\|b\\)\\+/[^/]+/([^/]+)$',
		groups: ['2'],
	});
});
