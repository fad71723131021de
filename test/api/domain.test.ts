import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
	assertProblem,
	assertStatus,
	assertWebsite,
	freshDomain,
	listOf,
	websiteOf,
} from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });

const label63 = 'a'.repeat(63);
// 3 × 64 + 61 = 253
const name253 = `${label63}.${label63}.${label63}.${'b'.repeat(53)}.example`;

const accepted: { rule: string; sent: string; stored: string }[] = [
	{ rule: 'C-DOM-1', sent: 'example.com', stored: 'example.com' },
	{ rule: 'C-DOM-1', sent: 'EXAMPLE.Com', stored: 'example.com' },
	{ rule: 'C-DOM-1', sent: '  example.com  ', stored: 'example.com' },
	{ rule: 'C-DOM-1', sent: '\t example.com\r\n', stored: 'example.com' },
	{ rule: 'C-DOM-2', sent: 'http://example.com', stored: 'example.com' },
	{ rule: 'C-DOM-2', sent: 'https://example.com', stored: 'example.com' },
	{ rule: 'C-DOM-2', sent: 'HTTPS://Example.com', stored: 'example.com' },
	{ rule: 'C-DOM-3', sent: 'www.example.com', stored: 'example.com' },
	{ rule: 'C-DOM-3', sent: 'WWW.example.com', stored: 'example.com' },
	{ rule: 'C-DOM-3', sent: 'https://www.example.com', stored: 'example.com' },
	{ rule: 'C-DOM-3', sent: 'www.www.example.com', stored: 'www.example.com' },
	{ rule: 'C-DOM-3', sent: 'www.com', stored: 'www.com' },
	{ rule: 'C-DOM-3', sent: 'https://www.com/', stored: 'www.com' },
	{ rule: 'C-DOM-3', sent: 'www2.example.com', stored: 'www2.example.com' },
	{ rule: 'C-DOM-3', sent: 'my.www.example.com', stored: 'my.www.example.com' },
	{ rule: 'C-DOM-4', sent: 'example.com/', stored: 'example.com' },
	{ rule: 'C-DOM-4', sent: 'example.com.', stored: 'example.com' },
	{ rule: 'C-DOM-4', sent: 'example.com./', stored: 'example.com' },
	{ rule: 'C-DOM-4', sent: ' HTTPS://www.Example.com./ ', stored: 'example.com' },
	{ rule: 'C-DOM-5', sent: 'müller.de', stored: 'xn--mller-kva.de' },
	{ rule: 'C-DOM-5', sent: 'MÜLLER.DE', stored: 'xn--mller-kva.de' },
	{ rule: 'C-DOM-5', sent: 'mu\u0308ller.de', stored: 'xn--mller-kva.de' },
	{ rule: 'C-DOM-5', sent: 'https://www.müller.de/', stored: 'xn--mller-kva.de' },
	{ rule: 'C-DOM-5', sent: 'xn--mller-kva.de', stored: 'xn--mller-kva.de' },
	{ rule: 'C-DOM-5', sent: 'XN--MLLER-KVA.de', stored: 'xn--mller-kva.de' },
	{ rule: 'C-DOM-5', sent: 'faß.de', stored: 'xn--fa-hia.de' },
	{ rule: 'C-DOM-5', sent: 'пример.рф', stored: 'xn--e1afmkfd.xn--p1ai' },
	{ rule: 'C-DOM-5', sent: '例え.テスト', stored: 'xn--r8jz45g.xn--zckzah' },
	{ rule: 'C-DOM-5', sent: 'example。com', stored: 'example.com' },
	{ rule: 'C-DOM-5', sent: '💩.example', stored: 'xn--ls8h.example' },
	{ rule: 'C-DOM-6', sent: 'x.y', stored: 'x.y' },
	{ rule: 'C-DOM-6', sent: 'a.b.c.d.e.f.example', stored: 'a.b.c.d.e.f.example' },
	{ rule: 'C-DOM-6', sent: 'a-b--c.example', stored: 'a-b--c.example' },
	{ rule: 'C-DOM-6', sent: '_dmarc.my_shop.example', stored: '_dmarc.my_shop.example' },
	{ rule: 'C-DOM-6', sent: '4711.example', stored: '4711.example' },
	{ rule: 'C-DOM-7', sent: `${label63}.example`, stored: `${label63}.example` },
	{ rule: 'C-DOM-7', sent: name253, stored: name253 },
	{ rule: 'C-DOM-8', sent: '203.0.113.7', stored: '203.0.113.7' },
	{ rule: 'C-DOM-8', sent: 'http://203.0.113.7/', stored: '203.0.113.7' },
	{ rule: 'C-DOM-8', sent: '0.0.0.0', stored: '0.0.0.0' },
	{ rule: 'C-DOM-8', sent: '255.255.255.255', stored: '255.255.255.255' },
	{ rule: 'C-DOM-8', sent: '1.2.3.4.example', stored: '1.2.3.4.example' },
];

for (const { rule, sent, stored } of accepted)
	test(`[${rule}] ${JSON.stringify(sent.slice(0, 60))} is stored as ${stored.slice(0, 60)}`, async () => {
		for (const call of [{ form: { domain: sent } }, { json: { domain: sent } }]) {
			const website = websiteOf(await owner.api('POST', '/websites', call), 201);
			assertWebsite(website, { domain: stored });
			assertStatus(await owner.api('DELETE', `/websites/${website.id}`), 200);
		}
	});

const refused: { rule: string; sent: string }[] = [
	...[
		'example.com//',
		'example.com..',
		'müller.de..',
		'example.com../',
		'example.com/.',
		'https://example.com//',
	].map((sent) => ({
		rule: 'C-DOM-4',
		sent,
	})),
	...['xn--.example', 'xn--zzzzzzz99.example', 'xn--999999999.example', 'xn--a-ecp.example'].map((sent) => ({
		rule: 'C-DOM-5',
		sent,
	})),
	...['-a.example', 'a-.example', 'a.-example', 'a.example-', 'a..example', '.example.com', '.', '..'].map(
		(sent) => ({
			rule: 'C-DOM-6',
			sent,
		}),
	),
	...[
		'a,b.example',
		'a;b.example',
		"a'b.example",
		'a"b.example',
		'<b>.example',
		'a|b.example',
		'a$b.example',
	].map((sent) => ({ rule: 'C-DOM-6', sent })),
	{ rule: 'C-DOM-7', sent: `${'a'.repeat(64)}.example` },
	{ rule: 'C-DOM-7', sent: `b${name253}` },
	{ rule: 'C-DOM-7', sent: `${'a.'.repeat(50_000)}example` },
	...['example.123', '256.1.1.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '127.1', '0x7f.1', '1.2.3.04', '999'].map(
		(sent) => ({
			rule: 'C-DOM-8',
			sent,
		}),
	),
	...['example.com:8080', 'example.com:', 'http://example.com:80/', '203.0.113.7:80'].map((sent) => ({
		rule: 'C-DOM-9',
		sent,
	})),
	...['example.com/path', 'example.com/?x=1', 'example.com?x=1', 'example.com#top', 'example.com\\path'].map(
		(sent) => ({
			rule: 'C-DOM-9',
			sent,
		}),
	),
	...['user@example.com', 'user:word@example.com', 'https://user@example.com', '*.example.com', '*'].map(
		(sent) => ({
			rule: 'C-DOM-9',
			sent,
		}),
	),
	...['exa mple.com', 'exam\tple.com', 'https:// example.com', 'example.com www.example.org'].map((sent) => ({
		rule: 'C-DOM-9',
		sent,
	})),
	...['localhost', 'com', 'www.', 'http://', 'https://www.', '/'].map((sent) => ({ rule: 'C-DOM-9', sent })),
	...['::1', '[::1]', '2001:db8::1', 'http://[2001:db8::1]/'].map((sent) => ({ rule: 'C-DOM-9', sent })),
	...[
		'ftp://example.com',
		'javascript:alert(1)',
		'javascript://example.com',
		'data:text/html,x',
		'//example.com',
	].map((sent) => ({ rule: 'C-DOM-9', sent })),
	...['http://https://example.com', 'http:example.com', 'exa%6Dple.com', 'example.com%00'].map((sent) => ({
		rule: 'C-DOM-9',
		sent,
	})),
	...['example.com\nexample.org', 'exam\rple.com', 'exam\0ple.com', 'example.com\0', 'exam\u2028ple.com'].map(
		(sent) => ({
			rule: 'C-DOM-11',
			sent,
		}),
	),
];

for (const { rule, sent } of refused)
	test(`[${rule}] ${JSON.stringify(sent.slice(0, 60))} is 422`, async () => {
		for (const call of [{ form: { domain: sent } }, { json: { domain: sent } }])
			assertProblem(await owner.api('POST', '/websites', call), 'validation_failed', ['domain']);
	});

const absent: { name: string; call: Parameters<typeof owner.api>[2] }[] = [
	{ name: 'no body', call: {} },
	{ name: 'an empty form', call: { form: '' } },
	{ name: 'an empty value', call: { form: { domain: '' } } },
	{ name: 'blanks', call: { form: { domain: '   ' } } },
	{ name: 'a name without a value', call: { form: 'domain' } },
	{ name: 'an empty JSON object', call: { json: {} } },
	{ name: 'JSON null', call: { json: { domain: null } } },
	{ name: 'an empty JSON string', call: { json: { domain: '' } } },
	{ name: 'another letter case', call: { form: { Domain: 'example.com' } } },
];
for (const { name, call } of absent)
	test(`[C-DOM-10] ${name} is 'The domain field is required.'`, async () => {
		const text = 'The domain field is required.';
		const answer = await owner.api('POST', '/websites', call);
		assertProblem(answer, 'validation_failed');
		assert.deepEqual(answer.json, {
			type: 'about:blank',
			title: 'Unprocessable Content',
			status: 422,
			code: 'validation_failed',
			detail: text,
			message: text,
			errors: { domain: [text] },
		});
	});

const noText = [['example.com'], [], { a: 'example.com' }, 42, 1.5, 0, true, false, [['example.com']]];
for (const domain of noText)
	test(`[C-DOM-11] JSON ${JSON.stringify(domain)} is 422`, async () => {
		assertProblem(await owner.api('POST', '/websites', { json: { domain } }), 'validation_failed', [
			'domain',
		]);
	});
test('[C-DOM-11] a lone surrogate is 422', async () => {
	for (const body of ['{"domain":"exam\\ud800ple.com"}', '{"domain":"\\udc00.example"}']) {
		const answer = await owner.api('POST', '/websites', {
			body,
			headers: { 'content-type': 'application/json' },
		});
		assertProblem(answer, 'validation_failed', ['domain']);
	}
});

for (const spelling of [
	'unique.example',
	'UNIQUE.example',
	'www.unique.example',
	'https://unique.example/',
	'unique.example.',
])
	test(`[C-DOM-12] ${spelling} is a duplicate of unique.example`, async () => {
		const found = listOf(await owner.api('GET', '/websites?search=unique.example')).data[0];
		const first =
			found ?? websiteOf(await owner.api('POST', '/websites', { form: { domain: 'unique.example' } }), 201);
		const problem = assertProblem(
			await owner.api('POST', '/websites', { form: { domain: spelling } }),
			'domain_taken',
			['domain'],
		);
		assert.equal(problem.website_id, first.id);
	});

test('[C-DOM-12] both spellings of an international domain are one', async () => {
	const first = websiteOf(await owner.api('POST', '/websites', { form: { domain: 'bücher.example' } }), 201);
	for (const domain of ['xn--bcher-kva.example', 'BÜCHER.example', 'www.bücher.example']) {
		const problem = assertProblem(
			await owner.api('POST', '/websites', { form: { domain } }),
			'domain_taken',
			['domain'],
		);
		assert.equal(problem.website_id, first.id);
	}
});

test('[C-DOM-12] a domain within another one is no duplicate', async () => {
	const domain = freshDomain('outer');
	websiteOf(await owner.api('POST', '/websites', { form: { domain } }), 201);
	websiteOf(await owner.api('POST', '/websites', { form: { domain: `blog.${domain}` } }), 201);
});
