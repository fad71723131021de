import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, withHostname } from './lines.ts';

test('a list is read by lines and commas', () => {
	assert.deepEqual(linesOf(' a.example \r\n\nb.example, c.example'), ['a.example', 'b.example', 'c.example']);
	assert.deepEqual(linesOf(null), []);
});

for (const [list, hostname, expected] of [
	[null, 'shop.test', ['example.com', '*.example.com', 'shop.test']],
	['', 'shop.test', ['example.com', '*.example.com', 'shop.test']],
	['!old.example.com', 'shop.test', ['!old.example.com', 'example.com', '*.example.com', 'shop.test']],
	['example.com', 'shop.test', ['example.com', 'shop.test']],
	['example.com\n!old.example.com', 'old.example.com', ['example.com', 'old.example.com']],
	['example.com\nshop.test', 'shop.test', ['example.com', 'shop.test']],
	[null, 'localhost', ['localhost']],
	['localhost', 'shop.test', ['localhost', 'example.com', '*.example.com', 'shop.test']],
	['example.com', '127.0.0.1', ['example.com', 'localhost']],
	['example.com', 'app.localhost', ['example.com', 'localhost']],
] as const)
	test(`${hostname} added to ${JSON.stringify(list)}`, () => {
		assert.deepEqual(withHostname(list, 'example.com', hostname).split('\n'), expected);
	});
