import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import { hostnameIn, isLocalHostname, toUnicode } from './domain.ts';

test('domains are read as the platform reads them', () => {
	for (const domain of [
		'example.com',
		'müller.example',
		'straße.example',
		'例え.テスト',
		'пример.испытание',
		'مثال.إختبار',
		'ελληνικά.example',
		'i❤.ws',
		'ü.ü.example',
		'日本語。ｊｐ',
		'bücher-und-mehr.example',
	]) {
		const ascii = domainToASCII(domain);
		assert.notEqual(ascii, '', domain);
		assert.equal(toUnicode(ascii), domainToUnicode(ascii), domain);
	}
});

test('what is no punycode stays as it is', () => {
	for (const domain of ['xn--.example', 'xn--a.example', 'xn--99999999.example', 'xn--!!.example'])
		assert.match(toUnicode(domain), /\.example$/);
	assert.equal(toUnicode('xn--99zz99zz99zz.example'), 'xn--99zz99zz99zz.example');
});

test('the hostname is taken from any URL, and other texts stay for the service to judge', () => {
	for (const [text, hostname] of [
		['https://www.example.com/path?x', 'www.example.com'],
		['http://example.com:8080/#top', 'example.com'],
		[' //Example.com/a/b ', 'example.com'],
		['example.com/', 'example.com'],
		['example.com?utm_source=x', 'example.com'],
		['user:secret@example.com', 'example.com'],
		['https://müller.example/über', 'müller.example'],
		['http://localhost:3000', 'localhost'],
		['http://[::1]:3000/', '[::1]'],
		['example.com', 'example.com'],
		['https://', 'https://'],
		['a b/c', 'a b/c'],
		['', ''],
	] as const)
		assert.equal(hostnameIn(text), hostname, text);
	for (const name of ['localhost', 'shop.localhost', '127.0.0.1', '[::1]'])
		assert.ok(isLocalHostname(name), name);
	for (const name of ['example.com', 'localhost.example.com', '12.0.0.1'])
		assert.ok(!isLocalHostname(name), name);
});
