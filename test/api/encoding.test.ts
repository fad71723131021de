import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Call } from '../support/client.ts';
import { assertProblem, assertStatus, assertWebsite, freshDomain, websiteOf } from '../support/contract.ts';
import { headerOf, type WireRequest, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const { id, domain } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain() } }),
	201,
);
const get = async () => websiteOf(await owner.api('GET', `/websites/${id}`));
const put = (call: Call) => owner.api('PUT', `/websites/${id}`, call);
const typed = (type: string, body: string | Uint8Array): Call => ({
	body,
	headers: { 'content-type': type },
});
const wire = (request: WireRequest) =>
	wireRequest(w.base, {
		method: 'PUT',
		path: `/api/v1/websites/${id}`,
		...request,
		headers: [['Authorization', `Bearer ${owner.key}`], ...(request.headers ?? [])],
	});

const forms = [
	'application/x-www-form-urlencoded',
	'application/x-www-form-urlencoded; charset=utf-8',
	'application/x-www-form-urlencoded;charset=UTF-8',
	'application/x-www-form-urlencoded; charset="utf-8"',
	'application/x-www-form-urlencoded ; Charset=Utf-8',
	'Application/X-WWW-Form-URLencoded',
	'application/x-www-form-urlencoded;',
];
const jsons = [
	'application/json',
	'application/json; charset=utf-8',
	'application/json;charset=UTF-8',
	'application/json; charset="utf-8"',
	'APPLICATION/JSON',
];
for (const [types, body] of [
	[forms, 'exclude_params=%C3%BC'],
	[jsons, '{"exclude_params":"ü"}'],
] as const)
	for (const type of types)
		test(`[C-BODY-1] ${type} is read`, async () => {
			await put({ form: { exclude_params: '' } });
			assert.equal(websiteOf(await put(typed(type, body))).exclude_params, 'ü');
			const fresh = freshDomain();
			const sent = type.toLowerCase().includes('json') ? `{"domain":"${fresh}"}` : `domain=${fresh}`;
			assertWebsite(websiteOf(await owner.api('POST', '/websites', typed(type, sent)), 201), {
				domain: fresh,
			});
		});

test('[C-BODY-1] a form of raw UTF-8, not escaped, is read', async () => {
	assert.equal(
		websiteOf(await put(typed('application/x-www-form-urlencoded', 'exclude_params=über'))).exclude_params,
		'über',
	);
});

for (const charset of ['iso-8859-1', 'latin1', 'utf-16', 'windows-1252', 'shift_jis', 'utf-7', 'nonsense'])
	test(`[C-BODY-2] charset=${charset} is 415`, async () => {
		for (const type of ['application/x-www-form-urlencoded', 'application/json']) {
			const body = type.includes('json') ? '{"email":1}' : 'email=1';
			const answer = await put(typed(`${type}; charset=${charset}`, body));
			assertProblem(answer, 'unsupported_media_type');
		}
	});

const boundary = '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n1\r\n--x--\r\n';
const otherTypes: { type: string; body: string }[] = [
	{ type: 'multipart/form-data; boundary=x', body: boundary },
	{ type: 'text/plain', body: 'email=1' },
	{ type: 'text/plain;charset=UTF-8', body: '{"email":1}' },
	{ type: 'text/html', body: 'email=1' },
	{ type: 'application/xml', body: '<email>1</email>' },
	{ type: 'application/octet-stream', body: 'email=1' },
	{ type: 'application/jsonp', body: '{"email":1}' },
	{ type: 'application/json-patch+json', body: '[]' },
	{ type: 'nonsense', body: 'email=1' },
	{ type: '*/*', body: 'email=1' },
];
for (const { type, body } of otherTypes)
	test(`[C-BODY-3] ${type} is 415 with Accept-Post`, async () => {
		const before = await get();
		for (const [method, path] of [
			['PUT', `/websites/${id}`],
			['PATCH', `/websites/${id}`],
			['POST', '/websites'],
			['PUT', `/websites/${id}/domain`],
		] as const) {
			const answer = await owner.api(method, path, typed(type, body));
			assertProblem(answer, 'unsupported_media_type');
			assert.equal(answer.headers['accept-post'], 'application/x-www-form-urlencoded, application/json');
		}
		assert.deepEqual(await get(), before);
	});

test('[C-BODY-4] a body without a content type is a form', async () => {
	const fresh = freshDomain();
	const made = await wire({ method: 'POST', path: '/api/v1/websites', body: `domain=${fresh}&email=1` });
	assert.equal(made.status, 201, made.text);
	const answer = await wire({ body: 'exclude_params=no+type' });
	assert.equal(answer.status, 200, answer.text);
	assert.equal((await get()).exclude_params, 'no type');
});

for (const type of ['application/json', 'application/x-www-form-urlencoded'])
	test(`[C-BODY-5] an empty body as ${type} has no fields`, async () => {
		const before = await get();
		assert.deepEqual(websiteOf(await put(typed(type, ''))), before);
		assertProblem(await owner.api('POST', '/websites', typed(type, '')), 'validation_failed', ['domain']);
	});

const noObjects = [
	'{',
	'{"email":1',
	"{'email':1}",
	'{"email":1,}',
	'email=1',
	'[]',
	'[1]',
	'null',
	'1',
	'"x"',
	'true',
	'{}{}',
	'{"a":01}',
	'NaN',
	'{"a":undefined}',
	'\0',
];
for (const body of noObjects)
	test(`[C-BODY-6] ${JSON.stringify(body)} as JSON is 400`, async () => {
		const before = await get();
		assertProblem(await put(typed('application/json', body)), 'bad_request');
		assertProblem(await owner.api('POST', '/websites', typed('application/json', body)), 'bad_request');
		assert.deepEqual(await get(), before);
	});

const notUtf8: { name: string; bytes: number[] }[] = [
	{ name: 'a lone FF', bytes: [0xff] },
	{ name: 'latin1 ü', bytes: [0xfc] },
	{ name: 'a cut sequence', bytes: [0xe2, 0x82] },
	{ name: 'an overlong slash', bytes: [0xc0, 0xaf] },
	{ name: 'an encoded surrogate', bytes: [0xed, 0xa0, 0x80] },
];
for (const { name, bytes } of notUtf8)
	test(`[C-BODY-7] ${name} in the body is 400, in a form and in JSON`, async () => {
		const around = (begin: string, end: string) =>
			Buffer.concat([Buffer.from(begin), Buffer.from(bytes), Buffer.from(end)]);
		const before = await get();
		const form = around('exclude_params=a', 'b');
		assertProblem(await put(typed('application/x-www-form-urlencoded', form)), 'bad_request');
		assertProblem(await put(typed('application/json', around('{"exclude_params":"a', 'b"}'))), 'bad_request');
		assert.equal((await wire({ body: form })).status, 400);
		assert.deepEqual(await get(), before);
	});

const decoded: { form: string; stored: string }[] = [
	{ form: 'a+b', stored: 'a b' },
	{ form: 'a%20b', stored: 'a b' },
	{ form: 'a%2Bb', stored: 'a+b' },
	{ form: 'a%26b', stored: 'a&b' },
	{ form: 'a=b', stored: 'a=b' },
	{ form: 'a%3Db', stored: 'a=b' },
	{ form: '%ZZ', stored: '%ZZ' },
	{ form: 'a%', stored: 'a%' },
	{ form: 'a%4', stored: 'a%4' },
	{ form: 'a%FFb', stored: 'a\ufffdb' },
	{ form: 'a%FCb', stored: 'a\ufffdb' },
	{ form: '%C3%BC', stored: 'ü' },
	{ form: '%c3%bc', stored: 'ü' },
	{ form: '%F0%9F%8C%8A', stored: '🌊' },
	{ form: 'a;b', stored: 'a;b' },
	{ form: '%2541', stored: '%41' },
];
for (const { form, stored } of decoded)
	test(`[C-BODY-8] ${form} in a form is ${JSON.stringify(stored)}`, async () => {
		assert.equal(websiteOf(await put({ form: `exclude_params=${form}` })).exclude_params, stored);
	});
test('[C-BODY-8] names are decoded too', async () => {
	assert.equal(websiteOf(await put({ form: '%65xclude_params=a' })).exclude_params, 'a');
	assert.equal(websiteOf(await put({ form: 'exclude_params%5B%5D=b' })).exclude_params, 'b');
});

const textFields = ['password', 'exclude_params', 'exclude_ips', 'timezone'];
for (const field of textFields)
	test(`[C-BODY-9] NUL and lone surrogates in ${field} are 422`, async () => {
		const before = await get();
		assertProblem(await put({ form: `${field}=a%00b` }), 'validation_failed', [field]);
		for (const written of ['\\u0000', '\\ud800', '\\udfff', '\\udc00\\ud800'])
			assertProblem(
				await put(typed('application/json', `{"${field}":"a${written}b"}`)),
				'validation_failed',
				[field],
			);
		assert.deepEqual(await get(), before);
	});
test('[C-BODY-9] a pair of surrogates is one character and fine', async () => {
	assert.equal(
		websiteOf(await put(typed('application/json', '{"exclude_params":"\\ud83c\\udf0a"}'))).exclude_params,
		'🌊',
	);
});
test('[C-BODY-9] in a list as well', async () => {
	for (const body of ['{"exclude_params":["a","b\\u0000"]}', '{"exclude_params":["\\ud800"]}'])
		assertProblem(await put(typed('application/json', body)), 'validation_failed', ['exclude_params']);
});

const packed: { encoding: string; body: Uint8Array }[] = [
	{ encoding: 'gzip', body: gzipSync('email=1') },
	{ encoding: 'GZIP', body: gzipSync('email=1') },
	{ encoding: 'x-gzip', body: gzipSync('email=1') },
	{ encoding: 'deflate', body: deflateSync('email=1') },
	{ encoding: 'br', body: brotliCompressSync('email=1') },
	{ encoding: 'gzip, identity', body: gzipSync('email=1') },
	{ encoding: 'nonsense', body: Buffer.from('email=1') },
];
for (const { encoding, body } of packed)
	test(`[C-BODY-10] Content-Encoding: ${encoding} is 415`, async () => {
		const before = await get();
		const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': encoding };
		const answer = await put({ body, headers });
		assertProblem(answer, 'unsupported_media_type');
		assert.equal(answer.headers['accept-post'], 'application/x-www-form-urlencoded, application/json');
		assert.deepEqual(await get(), before);
	});
test('[C-BODY-10] identity is no compression', async () => {
	const headers = { 'content-encoding': 'identity' };
	assert.equal(websiteOf(await put({ form: { email: '0' }, headers })).email, 0);
});

const mebibyte = 1024 * 1024;
const padded = (size: number) => `email=0&pad=${'x'.repeat(size - 'email=0&pad='.length)}`;
test('[C-BODY-11] exactly 1 MiB is read', async () => {
	assertStatus(await put({ form: padded(mebibyte) }), 200);
	const json = `{"email":0,"pad":"${'x'.repeat(mebibyte - '{"email":0,"pad":""}'.length)}"}`;
	assertStatus(await put(typed('application/json', json)), 200);
});
for (const [name, size] of [
	['one byte more', mebibyte + 1],
	['three times as much', 3 * mebibyte],
] as const)
	test(`[C-BODY-11] ${name} is 413`, async () => {
		const answer = await wire({
			body: padded(size),
			headers: [['Content-Type', 'application/x-www-form-urlencoded']],
		});
		assert.equal(answer.status, 413);
		assertProblem(
			{ ...answer, text: answer.body, headers: Object.fromEntries(answer.headers) },
			'body_too_large',
		);
	});
test('[C-BODY-11] a chunked body is read up to the limit and refused above it', async () => {
	const type: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']];
	const small = await wire({ chunks: ['exclude_', 'params=chu', 'nked'], headers: type });
	assert.equal(small.status, 200, small.text);
	assert.equal((await get()).exclude_params, 'chunked');
	const part = 'x'.repeat(64 * 1024);
	const large = await wire({ chunks: ['pad=', ...Array.from({ length: 17 }, () => part)], headers: type });
	assert.equal(large.status, 413);
	assert.equal(headerOf(large, 'content-type')?.startsWith('application/json'), true);
});

test('[C-BODY-12] a scalar sent twice: the last one counts', async () => {
	assertWebsite(websiteOf(await put({ form: 'email=0&email=1&exclude_params=' })), { domain, email: 1 });
	assertWebsite(websiteOf(await put({ form: 'email=nonsense&email=0' })), { domain });
	assertWebsite(websiteOf(await put(typed('application/json', '{"email":0,"email":1}'))), {
		domain,
		email: 1,
	});
	assertProblem(await put({ form: 'email=0&email=nonsense' }), 'validation_failed', ['email']);
	const fresh = freshDomain();
	const made = await owner.api('POST', '/websites', { form: `domain=first.example&domain=${fresh}` });
	assertWebsite(websiteOf(made, 201), { domain: fresh });
});

for (const field of ['privacy', 'password', 'email', 'exclude_bots', 'favorite', 'timezone'])
	test(`[C-BODY-13] brackets on ${field} are 422`, async () => {
		const before = await get();
		for (const suffix of ['[]', '[0]', '[a]', '[0][0]', '%5B%5D'])
			assertProblem(await put({ form: `${field}${suffix}=1` }), 'validation_failed', [field]);
		for (const value of [['1'], [], { a: '1' }])
			assertProblem(await put({ json: { [field]: value } }), 'validation_failed', [field]);
		assert.deepEqual(await get(), before);
	});
test('[C-BODY-13] brackets on domain are 422 on create and on rename', async () => {
	for (const [method, path] of [
		['POST', '/websites'],
		['PUT', `/websites/${id}/domain`],
	] as const)
		for (const suffix of ['[]', '[0]', '[a]', '[0][0]'])
			assertProblem(
				await owner.api(method, path, { form: `domain${suffix}=${freshDomain()}` }),
				'validation_failed',
				['domain'],
			);
});

const numbers: { json: string; good: boolean }[] = [
	{ json: '1', good: true },
	{ json: '"1"', good: true },
	{ json: '" 1 "', good: true },
	{ json: '"1\\n"', good: true },
	{ json: '1.5', good: false },
	{ json: '"1.0"', good: false },
	{ json: '"+1"', good: false },
	{ json: '"01"', good: false },
	{ json: '"1e0"', good: false },
	{ json: '"0x1"', good: false },
	{ json: '"１"', good: false },
	{ json: '"1_0"', good: false },
	{ json: '-1', good: false },
	{ json: '"1 0"', good: false },
];
for (const { json, good } of numbers)
	test(`[C-BODY-14] privacy ${json} is ${good ? 'the number 1' : '422'}`, async () => {
		await put({ form: { privacy: '0' } });
		const answer = await put(typed('application/json', `{"privacy":${json}}`));
		if (good) assert.equal(websiteOf(answer).privacy, 1);
		else assertProblem(answer, 'validation_failed', ['privacy']);
	});

const strange = [
	'{"__proto__":{"privacy":1,"email":1,"favorite":1}}',
	'{"constructor":{"prototype":{"email":1}}}',
	'{"toString":"x","hasOwnProperty":1,"valueOf":null}',
	'{"":1," ":2,"a.b":3}',
	'{"Privacy":1,"EMAIL":1}',
	'{"email ":1}',
];
for (const body of strange)
	test(`[C-BODY-15] ${body} is ignored`, async () => {
		await put({ form: 'privacy=0&email=0&favorite=0&exclude_params=&exclude_ips=&exclude_bots=1' });
		const before = await get();
		assert.deepEqual(websiteOf(await put(typed('application/json', body))), before);
		assertWebsite(before, { domain });
	});
test('[C-BODY-15] as a form as well', async () => {
	const before = await get();
	for (const form of [
		'__proto__=1',
		'__proto__[email]=1',
		'constructor[prototype][email]=1',
		'toString=1',
		'=1',
		'[]=1',
	])
		assert.deepEqual(websiteOf(await put({ form })), before);
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const heavy: { name: string; body: string }[] = [
	{ name: '100 levels of objects', body: nested(100) },
	{ name: '100,000 levels of objects', body: nested(100_000) },
	{
		name: '400,000 levels of lists',
		body: `{"exclude_params":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
	},
	{ name: 'a number beyond all', body: '{"privacy":1e400}' },
	{ name: 'a number of 100,000 digits', body: `{"privacy":${'9'.repeat(100_000)}}` },
	{ name: '100,000 members', body: `{${Array.from({ length: 100_000 }, (_, n) => `"a${n}":1`).join(',')}}` },
	{ name: 'a text of 900,000 characters', body: `{"timezone":"${'x'.repeat(900_000)}"}` },
];
for (const { name, body } of heavy)
	test(`[C-BODY-16] ${name}: an answer below 500, and the record as before`, async () => {
		const before = await get();
		for (const [method, path] of [
			['PUT', `/websites/${id}`],
			['POST', '/websites'],
		] as const) {
			const { status } = await owner.api(method, path, typed('application/json', body));
			assert.ok(status < 500, `status ${status}`);
		}
		assert.deepEqual(await get(), before);
	});
test('[C-BODY-16] a form of 100,000 fields and one of 100,000 brackets', async () => {
	for (const form of [
		'a=1&'.repeat(100_000),
		`a${'[b]'.repeat(100_000)}=1`,
		'&'.repeat(1_000_000),
		`exclude_params=${','.repeat(1_000_000)}`,
	])
		assert.ok((await put({ form })).status < 500);
});
