import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePageUrl } from './page-url.ts';

test('only http and https URLs are pages', () => {
	for (const text of ['', 'nothing', '/a', 'ftp://example.com/', 'javascript:alert(1)', 'file:///etc/passwd'])
		assert.equal(parsePageUrl(text), undefined, text);
});

test('[T52] only a URL that is stored as it is sent is cached', () => {
	/** A cached result is the same object. */
	const isCached = (text: string) => {
		const url = parsePageUrl(text);
		assert.ok(url);
		assert.deepEqual(parsePageUrl(text), url);
		return parsePageUrl(text) === url;
	};
	for (const text of ['https://example.com', 'https://example.com/a/b.html', 'http://example.com/caf%C3%A9'])
		assert.equal(isCached(text), true, text);
	for (const text of [
		'https://example.com/a?q=1',
		'https://example.com/a#/route',
		'https://name:secret@example.com/',
		'https://example.com/user/jane@example.com',
		'https://example.com/user/jane%40example.com',
		'https://example.com/reset/4f9a8b7c6d5e4f3a2b1c',
		`https://example.com/${'long-'.repeat(60)}`,
	])
		assert.equal(isCached(text), false, text);
});
