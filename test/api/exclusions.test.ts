import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Call } from '../support/client.ts';
import { assertProblem, assertWebsite, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const { id, domain } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain() } }),
	201,
);
const put = (call: Call) => owner.api('PUT', `/websites/${id}`, call);

/** The two fields take the same shapes, so each case is tried with names and with addresses. */
const fields = [
	{ field: 'exclude_params', rule: 'C-EXI-1', a: 'utm_source', b: 'ref', c: 'Ref' },
	{ field: 'exclude_ips', rule: 'C-EXI-1', a: '203.0.113.7', b: '10.0.0.0/8', c: '2001:db8::1' },
] as const;
type Names = { field: string; a: string; b: string; c: string };

const shapes: {
	rule: string;
	name: string;
	call: (names: Names) => Call;
	stored: (names: Names) => string | null;
}[] = [
	...(
		[
			['LF', '\n'],
			['CRLF', '\r\n'],
			['CR', '\r'],
			['a comma', ','],
			['a comma and a blank', ', '],
			['a mixture', ',\r\n\r,\n'],
		] as const
	).flatMap(([name, separator]) => [
		{
			rule: 'C-EXP-1',
			name: `lines ended by ${name}, in a form`,
			call: ({ field, a, b }: Names) => ({ form: { [field]: `${a}${separator}${b}` } }),
			stored: ({ a, b }: Names) => `${a}\n${b}`,
		},
		{
			rule: 'C-EXP-1',
			name: `lines ended by ${name}, in JSON`,
			call: ({ field, a, b }: Names) => ({ json: { [field]: `${a}${separator}${b}` } }),
			stored: ({ a, b }: Names) => `${a}\n${b}`,
		},
	]),
	{
		rule: 'C-EXP-2',
		name: 'a JSON list',
		call: ({ field, a, b }) => ({ json: { [field]: [a, b] } }),
		stored: ({ a, b }) => `${a}\n${b}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'a JSON list of lines',
		call: ({ field, a, b, c }) => ({ json: { [field]: [`${a}\n${b}`, c] } }),
		stored: ({ a, b, c }) => `${a}\n${b}\n${c}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'x[]',
		call: ({ field, a, b }) => ({
			form: [
				[`${field}[]`, a],
				[`${field}[]`, b],
			],
		}),
		stored: ({ a, b }) => `${a}\n${b}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'x[0] and x[1]',
		call: ({ field, a, b }) => ({
			form: [
				[`${field}[0]`, a],
				[`${field}[1]`, b],
			],
		}),
		stored: ({ a, b }) => `${a}\n${b}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'brackets written out',
		call: ({ field, a, b }) => ({ form: `${field}[]=${a}&${field}[]=${encodeURIComponent(b)}` }),
		stored: ({ a, b }) => `${a}\n${b}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'a repeated key',
		call: ({ field, a, b }) => ({
			form: [
				[field, a],
				[field, b],
			],
		}),
		stored: ({ a, b }) => `${a}\n${b}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'a plain key, x[] and x[3] together',
		call: ({ field, a, b, c }) => ({
			form: [
				[field, a],
				[`${field}[]`, b],
				[`${field}[3]`, c],
			],
		}),
		stored: ({ a, b, c }) => `${a}\n${b}\n${c}`,
	},
	{
		rule: 'C-EXP-2',
		name: 'lines within x[]',
		call: ({ field, a, b, c }) => ({
			form: [
				[`${field}[]`, `${a}\r\n${b}`],
				[`${field}[]`, c],
			],
		}),
		stored: ({ a, b, c }) => `${a}\n${b}\n${c}`,
	},
	{
		rule: 'C-EXP-3',
		name: 'blanks around and between',
		call: ({ field, a, b }) => ({ form: { [field]: `\n  ${a}\t\n\n , ,\n ${b} \n` } }),
		stored: ({ a, b }) => `${a}\n${b}`,
	},
	{
		rule: 'C-EXP-3',
		name: 'repetitions, in the order of the first',
		call: ({ field, a, b }) => ({ form: { [field]: `${b}\n${a}\n${b}\n ${a} ` } }),
		stored: ({ a, b }) => `${b}\n${a}`,
	},
	{
		rule: 'C-EXP-3',
		name: 'blank members of a list',
		call: ({ field, a }) => ({ json: { [field]: ['', ' ', a, ''] } }),
		stored: ({ a }) => a,
	},
	{
		rule: 'C-EXP-8',
		name: 'an empty list',
		call: ({ field }) => ({ json: { [field]: [] } }),
		stored: () => null,
	},
	{
		rule: 'C-EXP-8',
		name: 'an empty x[]',
		call: ({ field }) => ({ form: `${field}[]=` }),
		stored: () => null,
	},
	{
		rule: 'C-EXP-8',
		name: 'an empty value',
		call: ({ field }) => ({ form: `${field}=` }),
		stored: () => null,
	},
	{ rule: 'C-EXP-8', name: 'null', call: ({ field }) => ({ json: { [field]: null } }), stored: () => null },
	{
		rule: 'C-EXP-8',
		name: 'blank lines and commas alone',
		call: ({ field }) => ({ form: { [field]: ' \r\n , \n' } }),
		stored: () => null,
	},
];
for (const names of fields)
	for (const { rule, name, call, stored } of shapes)
		test(`[${rule}][${names.rule}] ${names.field}: ${name}`, async () => {
			await put({ form: { exclude_params: 'before', exclude_ips: '192.0.2.1' } });
			const rest =
				names.field === 'exclude_params' ? { exclude_ips: '192.0.2.1' } : { exclude_params: 'before' };
			const after = websiteOf(await put(call(names)));
			assertWebsite(after, { domain, ...rest, [names.field]: stored(names) });
			// What was given back can be sent again and means the same.
			assert.deepEqual(websiteOf(await put({ json: { [names.field]: after[names.field] } })), after);
		});

for (const names of fields)
	test(`[C-EXP-2] ${names.field} takes the same shapes on create`, async () => {
		const { field, a, b } = names;
		const forms: [string, string][][] = [
			[
				[field, a],
				[field, b],
			],
			[
				[`${field}[]`, a],
				[`${field}[]`, b],
			],
			[[field, `${a}\r\n${b}`]],
		];
		for (const form of forms) {
			const fresh = freshDomain();
			const made = await owner.api('POST', '/websites', { form: [['domain', fresh], ...form] });
			assertWebsite(websiteOf(made, 201), { domain: fresh, [field]: `${a}\n${b}` });
		}
		const fresh = freshDomain();
		const made = await owner.api('POST', '/websites', { json: { domain: fresh, [field]: [a, b] } });
		assertWebsite(websiteOf(made, 201), { domain: fresh, [field]: `${a}\n${b}` });
	});

const params = async (value: unknown) =>
	websiteOf(await put({ json: { exclude_params: value } })).exclude_params;

test('[C-EXP-4] letter case counts', async () => {
	assert.equal(await params('ref\nRef\nREF'), 'ref\nRef\nREF');
});
test('[C-EXP-4] names are taken as they are', async () => {
	const names = [
		'a[b]',
		'über',
		'名前',
		'🌊',
		'x=y',
		'a b',
		'%20',
		'__proto__',
		'constructor',
		'*',
		'"q"',
		"'",
	].join('\n');
	assert.equal(await params(names), names);
});
test('[C-EXP-5] a lone & is a name, as %26 in a form and as it is in JSON', async () => {
	assert.equal(websiteOf(await put({ form: 'exclude_params=%26' })).exclude_params, '&');
	assert.equal(await params('&'), '&');
	assert.equal(await params(['utm_source', '&']), 'utm_source\n&');
});

const lines = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`);
test('[C-EXP-6] 1,000 names fit, 1,001 do not', async () => {
	assert.equal(await params(lines(1_000).join('\n')), lines(1_000).join('\n'));
	assert.equal(await params(lines(1_000)), lines(1_000).join('\n'));
	for (const value of [lines(1_001), lines(1_001).join('\r\n'), lines(1_001).join(',')])
		assertProblem(await put({ json: { exclude_params: value } }), 'validation_failed', ['exclude_params']);
	const form = lines(1_001).map((name): [string, string] => ['exclude_params[]', name]);
	assertProblem(await put({ form }), 'validation_failed', ['exclude_params']);
	assert.equal(websiteOf(await owner.api('GET', `/websites/${id}`)).exclude_params, lines(1_000).join('\n'));
});
test('[C-EXP-6] a name of 255 characters fits, one of 256 does not; an emoji is one', async () => {
	for (const letter of ['a', 'ü', '🌊']) {
		assert.equal(await params(letter.repeat(255)), letter.repeat(255));
		assertProblem(await put({ json: { exclude_params: letter.repeat(256) } }), 'validation_failed', [
			'exclude_params',
		]);
	}
});

test('[C-EXP-7] numbers in a list are text', async () => {
	assert.equal(await params([1, 'a', 2.5, 0]), '1\na\n2.5\n0');
});
for (const value of [{ a: 1 }, [['a']], [{ a: 1 }], ['a', ['b']], {}])
	for (const field of ['exclude_params', 'exclude_ips'])
		test(`[C-EXP-7] ${field}: ${JSON.stringify(value)} is 422`, async () => {
			assertProblem(await put({ json: { [field]: value } }), 'validation_failed', [field]);
		});
for (const name of [
	'exclude_params[a]',
	'exclude_params[-1]',
	'exclude_params[0][1]',
	'exclude_params[][]',
	'exclude_params[__proto__]',
])
	test(`[C-EXP-7] ${name}=x is 422`, async () => {
		assertProblem(await put({ form: [[name, 'x']] }), 'validation_failed', ['exclude_params']);
	});

const networks = [
	'203.0.113.7',
	'0.0.0.0',
	'255.255.255.255',
	'0.0.0.0/0',
	'10.0.0.0/8',
	'203.0.113.7/32',
	'::1',
	'::',
	'::/0',
	'2001:db8::1',
	'2001:db8:0:1:2:3:4:5',
	'2001:db8::/32',
	'2001:db8::1/128',
	'fe80::1',
	'::ffff:203.0.113.7',
];
for (const network of networks)
	test(`[C-EXI-2] ${network} is an address or a network`, async () => {
		const after = websiteOf(await put({ form: { exclude_ips: network } }));
		assert.equal(after.exclude_ips, network);
		const fresh = freshDomain();
		const made = await owner.api('POST', '/websites', { json: { domain: fresh, exclude_ips: [network] } });
		assert.equal(websiteOf(made, 201).exclude_ips, network);
	});

const noNetworks = [
	'10.0.*',
	'10.0.0.*',
	'10.0.0.1-10.0.0.9',
	'10.0.0.1-9',
	'10.0.0.0/33',
	'10.0.0.0/-1',
	'10.0.0.0/',
	'10.0.0.0/8/8',
	'10.0.0.0/a',
	'10.0.0.0/08',
	'10.0.0.0/255.0.0.0',
	'2001:db8::/129',
	'2001:db8::g',
	'2001:db8:::1',
	'1:2:3:4:5:6:7:8:9',
	'fe80::1%eth0',
	'fe80::1%25eth0',
	'[::1]',
	'[::1]:80',
	'10.0.0.1:80',
	'256.0.0.1',
	'10.0.0',
	'127.1',
	'010.0.0.1',
	'0x7f.0.0.1',
	'2130706433',
	'localhost',
	'example.com',
	'10.0.0.1 10.0.0.2',
	'&',
	"' OR 1=1",
];
for (const network of noNetworks)
	test(`[C-EXI-3] ${network} is 422 and named by its line`, async () => {
		const before = websiteOf(await owner.api('GET', `/websites/${id}`));
		for (const value of [`203.0.113.1\n203.0.113.2\n${network}`, ['203.0.113.1', '203.0.113.2', network]]) {
			const problem = assertProblem(await put({ json: { exclude_ips: value } }), 'validation_failed', [
				'exclude_ips',
			]);
			assert.match(problem.errors?.exclude_ips?.join(' ') ?? '', /\b3\b/);
		}
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${id}`)), before);
	});
test('[C-EXI-3] a bad line is 422 on create as well', async () => {
	const answer = await owner.api('POST', '/websites', {
		form: { domain: freshDomain(), exclude_ips: '::1\n10.0.*' },
	});
	const problem = assertProblem(answer, 'validation_failed', ['exclude_ips']);
	assert.match(problem.errors?.exclude_ips?.join(' ') ?? '', /\b2\b/);
});

test('[C-EXI-4] 1,000 addresses fit, 1,001 do not', async () => {
	const addresses = Array.from({ length: 1_001 }, (_, n) => `10.${n >> 8}.${n & 255}.1`);
	const most = addresses.slice(0, 1_000).join('\n');
	assert.equal(websiteOf(await put({ json: { exclude_ips: most } })).exclude_ips, most);
	for (const value of [addresses, addresses.join('\n')])
		assertProblem(await put({ json: { exclude_ips: value } }), 'validation_failed', ['exclude_ips']);
});
