import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import { toUnicode } from './domain.ts';

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
