import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDomain, readSearch } from './domain.ts';

const label63 = 'a'.repeat(63);
const name253 = `${`${label63}.`.repeat(3)}${'b'.repeat(61)}`;

test('a domain is read as people write it', () => {
	const cases: [string, string, string?][] = [
		['example.com', 'example.com'],
		['EXAMPLE.Com', 'example.com'],
		['  example.com\t', 'example.com'],
		['http://example.com', 'example.com'],
		['https://example.com/', 'example.com'],
		['HTTPS://Example.COM/', 'example.com'],
		['example.com.', 'example.com'],
		['https://www.example.com./', 'example.com'],
		['www.example.com', 'example.com'],
		['www.www.example.com', 'www.example.com'],
		['www.com', 'www.com'],
		['www.co.uk', 'co.uk'],
		['wwww.example.com', 'wwww.example.com'],
		['sub.domain.example.co.uk', 'sub.domain.example.co.uk'],
		['a.b', 'a.b'],
		['a-b.example', 'a-b.example'],
		['a--b.example', 'a--b.example'],
		['_dmarc.example.com', '_dmarc.example.com'],
		['under_score.example.com', 'under_score.example.com'],
		['1.example', '1.example'],
		['123.456.example', '123.456.example'],
		['192.0.2.7', '192.0.2.7'],
		['http://192.0.2.7/', '192.0.2.7'],
		['müller.de', 'xn--mller-kva.de', 'müller.de'],
		['MÜLLER.de', 'xn--mller-kva.de', 'müller.de'],
		['xn--mller-kva.de', 'xn--mller-kva.de', 'müller.de'],
		['XN--MLLER-KVA.DE', 'xn--mller-kva.de', 'müller.de'],
		['www.müller.de', 'xn--mller-kva.de', 'müller.de'],
		['пример.рф', 'xn--e1afmkfd.xn--p1ai', 'пример.рф'],
		['例え.テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
		['faß.de', 'xn--fa-hia.de', 'faß.de'],
		['example。com', 'example.com'],
		['ｅｘａｍｐｌｅ.com', 'example.com'],
		[`${label63}.com`, `${label63}.com`],
		[name253, name253],
	];
	for (const [text, domain, unicode] of cases)
		assert.deepEqual(readDomain(text), { domain, unicode: unicode ?? null }, text);
});

test('what is no domain is refused with the reason', () => {
	const cases: [string, RegExp][] = [
		['', /at least two parts/],
		['localhost', /at least two parts/],
		['com.', /at least two parts/],
		['example.com:8080', /a port/],
		['https://example.com:443/', /a port/],
		['example.com/path', /a path/],
		['example.com//', /a path/],
		['example.com\\path', /a path/],
		['example.com?x=1', /a query/],
		['user@example.com', /a user name/],
		['https://user:secret@example.com', /a user name/],
		['*.example.com', /a wildcard/],
		['exa mple.com', /spaces/],
		['exam\nple.com', /spaces/],
		['a.example, b.example', /spaces/],
		['::1', /IPv6/],
		['[2001:db8::1]', /IPv6/],
		['javascript:alert(1)', /at least two parts/],
		['javascript:alert.example', /is not a domain/],
		['ftp://example.com', /a path/],
		['example..com', /is not a domain/],
		['.example.com', /is not a domain/],
		['example.com..', /is not a domain/],
		['-a.example', /is not a domain/],
		['a-.example', /is not a domain/],
		['exam!ple.com', /is not a domain/],
		['example.com#top', /is not a domain/],
		["o'hara.example", /is not a domain/],
		['<script>.example', /is not a domain/],
		['exam\0ple.com', /is not a domain/],
		['xn--.de', /is not a domain/],
		['xn--a-ecp.ru', /is not a domain/],
		['example.123', /neither a domain nor an IPv4/],
		['256.256.256.256', /neither a domain nor an IPv4/],
		['1.2.3', /neither a domain nor an IPv4/],
		['1.2.3.4.5', /neither a domain nor an IPv4/],
		[`${label63}a.com`, /is not a domain/],
		[`${name253}b`, /253 characters/],
	];
	for (const [text, reason] of cases) {
		const reading = readDomain(text);
		assert.ok('fault' in reading, `${JSON.stringify(text)} was taken: ${JSON.stringify(reading)}`);
		assert.match(reading.fault, reason, text);
	}
});

test('reading a domain that was read changes nothing', () => {
	for (const text of ['www.www.example.com', 'müller.de', 'HTTP://WWW.Example.org./', '192.0.2.7']) {
		const once = readDomain(text);
		assert.ok('domain' in once);
		// A www. that is left belongs to the name, and reading takes one away each time.
		if (!once.domain.startsWith('www.')) assert.deepEqual(readDomain(once.domain), once);
	}
});

test('a search text is read like a domain and stays a piece of text', () => {
	assert.deepEqual(readSearch('https://www.Exam'), { ascii: 'exam', unicode: 'exam' });
	assert.deepEqual(readSearch('www.'), { ascii: 'www.', unicode: 'www.' });
	assert.deepEqual(readSearch('%_\\'), { ascii: '%_\\', unicode: '%_\\' });
	assert.deepEqual(readSearch('Müll'), { ascii: 'xn--mll-hoa', unicode: 'müll' });
	assert.deepEqual(readSearch('0'), { ascii: '0', unicode: '0' });
});
