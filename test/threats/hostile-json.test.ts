import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { assertStatus, assertWebsite, freshDomain, websiteOf } from '../support/contract.ts';
import { workedMs } from '../support/cpu-time.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const { id, domain } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain() } }),
	201,
);
const put = (body: string) =>
	owner.api('PUT', `/websites/${id}`, { body, headers: { 'content-type': 'application/json' } });
const full = (open: string, close: string) => {
	const depth = Math.floor(1_000_000 / (open.length + close.length));
	return open.repeat(depth) + close.repeat(depth);
};

const hostile: { name: string; body: string; status: number[] }[] = [
	{ name: 'lists, half a million deep', body: full('[', ']'), status: [400] },
	{
		name: 'objects, 150,000 deep',
		body: `{"x":${full('{"a":', '}').replace(/^/, '').replace('}', '1}')}}`,
		status: [200, 400],
	},
	{
		name: 'lists, half a million deep, in a list field',
		body: `{"exclude_params":${full('[', ']')}}`,
		status: [422],
	},
	{ name: 'deep lists that never close', body: '['.repeat(1_000_000), status: [400] },
	{ name: 'a number with a million digits', body: `{"privacy":${'1'.repeat(1_000_000)}}`, status: [422] },
	{ name: 'a number with a huge exponent', body: '{"privacy":1e999999999}', status: [422] },
	{ name: 'minus zero', body: '{"privacy":-0}', status: [200, 422] },
	{ name: 'NaN', body: '{"privacy":NaN}', status: [400] },
	{ name: 'Infinity', body: '{"privacy":Infinity}', status: [400] },
	{ name: 'lone surrogates in a name', body: '{"\\ud800":1}', status: [200] },
	{ name: 'lone surrogates in a value', body: '{"password":"\\ud800"}', status: [422] },
	{ name: 'a byte order mark', body: '\ufeff{"email":0}', status: [200, 400] },
	{ name: 'a doubled member: the last counts', body: '{"email":"x","email":0}', status: [200] },
	{ name: 'a doubled member: the last is bad', body: '{"email":0,"email":"x"}', status: [422] },
	{
		name: 'a member doubled 100,000 times',
		body: `{${'"email":1,'.repeat(90_000)}"email":0}`,
		status: [200],
	},
	{ name: 'a text of escapes', body: `{"timezone":"${'\\u0041'.repeat(150_000)}"}`, status: [422] },
	{
		name: 'a list of 200,000 texts',
		body: `{"exclude_params":[${'"a",'.repeat(200_000)}"a"]}`,
		status: [200, 422],
	},
	{
		name: 'a list of 200,000 different texts',
		body: `{"exclude_params":[${Array.from({ length: 100_000 }, (_, n) => `"${n}"`).join(',')}]}`,
		status: [422],
	},
	{ name: 'a million commas', body: `{"exclude_ips":"${','.repeat(1_000_000)}"}`, status: [200, 422] },
	{ name: 'a million line ends', body: `{"exclude_ips":"${'\\n'.repeat(500_000)}"}`, status: [200, 422] },
];
for (const { name, body, status } of hostile)
	test(`[T71] ${name} is ${status.join(' or ')}`, async () => {
		const answer = await put(body);
		assert.ok(status.includes(answer.status), `${answer.status} ${answer.text.slice(0, 200)}`);
		await owner.api('PUT', `/websites/${id}`, {
			json: { exclude_params: null, exclude_ips: null, privacy: 0, email: 0 },
		});
		assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), { domain });
	});

const forms: { name: string; form: string }[] = [
	{ name: 'one list field 65,000 times', form: 'exclude_params=&'.repeat(65_000) },
	{ name: 'one unknown list 200,000 times', form: 'a[]=&'.repeat(200_000) },
	{ name: 'one switch 100,000 times', form: 'email=0&'.repeat(100_000) },
	{
		name: '100,000 fields of one letter and a number',
		form: Array.from({ length: 100_000 }, (_, n) => `a${n}`).join('&'),
	},
	{ name: 'a million line ends', form: `exclude_params=${'\n'.repeat(1_000_000)}` },
];
for (const { name, form } of forms)
	test(`[T71] a form with ${name} is answered quickly`, async () => {
		const before = workedMs();
		const answer = await owner.api('PUT', `/websites/${id}`, { form });
		assert.equal(answer.status, 200, answer.text);
		const ms = workedMs() - before;
		assert.ok(ms < 2_000, `${ms} ms`);
	});

const runs = Number(process.env.FUZZ_RUNS ?? 500);
test(`[T71] ${runs} random bodies: never a 5xx, and the service stays quick`, {
	timeout: 300_000,
}, async (t) => {
	const field = fc.constantFrom(
		'domain',
		'privacy',
		'password',
		'email',
		'exclude_bots',
		'exclude_params',
		'exclude_ips',
		'favorite',
		'timezone',
		'__proto__',
		'id',
	);
	const json = fc
		.dictionary(field, fc.jsonValue({ maxDepth: 6 }), { maxKeys: 8 })
		.map((value) => JSON.stringify(value));
	const cut = fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
	const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('latin1'));
	let longestMs = 0;
	const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
	t.diagnostic(`FUZZ_SEED=${seed}`);
	await fc.assert(
		fc.asyncProperty(fc.oneof(json, cut, bytes), fc.constantFrom('PUT', 'POST'), async (body, method) => {
			const path = method === 'PUT' ? `/websites/${id}` : '/websites';
			for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
				const before = workedMs();
				const answer = await owner.api(method, path, { body, headers: { 'content-type': type } });
				longestMs = Math.max(longestMs, workedMs() - before);
				assert.ok(answer.status < 500, `${answer.status}: ${body}`);
			}
		}),
		{ numRuns: runs, seed },
	);
	t.diagnostic(`the longest took ${longestMs.toFixed(1)} ms of this thread, which the service is on`);
	assert.ok(longestMs < 250);
	assertStatus(await owner.api('GET', '/websites'), 200);
});
