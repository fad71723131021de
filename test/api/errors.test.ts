import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ErrorCode } from '../../api/errors.ts';
import { type Call, client } from '../support/client.ts';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const full = await w.account({ timezone: 'UTC', limits: { websites: 0 } });
const reader = client(w.base, (await w.key(owner, { access: 'read' })).key);
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
await owner.api('POST', '/websites', {
	form: { domain: freshDomain() },
	headers: { 'idempotency-key': 'errors' },
});

type Case = {
	code: ErrorCode;
	api: typeof owner.api;
	method: string;
	path: string;
	call?: Call;
	fields?: string[];
};
const cases: Case[] = [
	{
		code: 'bad_request',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: { body: '{', headers: { 'content-type': 'application/json' } },
	},
	{ code: 'unauthenticated', api: client(w.base), method: 'GET', path: '/websites' },
	{ code: 'forbidden', api: reader, method: 'DELETE', path: `/websites/${website.id}` },
	{ code: 'not_found', api: owner.api, method: 'GET', path: '/websites/999999999' },
	{ code: 'method_not_allowed', api: owner.api, method: 'DELETE', path: '/account' },
	{
		code: 'precondition_failed',
		api: owner.api,
		method: 'PUT',
		path: `/websites/${website.id}`,
		call: { headers: { 'if-match': '"x"' } },
	},
	{
		code: 'body_too_large',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: { form: `domain=${'x'.repeat(1_100_000)}` },
	},
	{
		code: 'unsupported_media_type',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: { body: 'x', headers: { 'content-type': 'text/plain' } },
	},
	{
		code: 'validation_failed',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: { form: { domain: 'x', email: 'x' } },
		fields: ['domain', 'email'],
	},
	{
		code: 'validation_failed',
		api: owner.api,
		method: 'GET',
		path: '/websites?per_page=7',
		fields: ['per_page'],
	},
	{
		code: 'domain_taken',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: { form: { domain: website.domain } },
		fields: ['domain'],
	},
	{
		code: 'limit_reached',
		api: full.api,
		method: 'POST',
		path: '/websites',
		call: { form: { domain: freshDomain() } },
		fields: ['domain'],
	},
	{
		code: 'idempotency_mismatch',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: { form: { domain: 'x.example' }, headers: { 'idempotency-key': 'errors' } },
	},
];

for (const { code, api, method, path, call = {}, fields } of cases) {
	test(`[C-ERR-1] ${code}: ${method} ${path.split('?')[0]?.replace(/\d+/, '{id}')} has the one body`, async () => {
		assertProblem(await api(method, path, call), code, fields);
	});
	test(`[C-ERR-7] ${code} has its status and title`, async () => {
		const problem = assertProblem(await api(method, path, call), code);
		assert.deepEqual(Object.keys(problem).slice(0, 6), [
			'type',
			'title',
			'status',
			'code',
			'detail',
			'message',
		]);
	});
	for (const [accept, type] of [
		['application/problem+json', 'application/problem+json'],
		['application/problem+json, application/json', 'application/problem+json'],
		['application/json;q=0.9, application/problem+json;q=1', 'application/problem+json'],
		['Application/Problem+JSON', 'application/problem+json'],
		['application/json', 'application/json'],
		['*/*', 'application/json'],
		['text/html', 'application/json'],
		['application/xml', 'application/json'],
		['nonsense', 'application/json'],
	] as const)
		test(`[C-ERR-3] ${code} with Accept: ${accept} is ${type}`, async () => {
			const answer = await api(method, path, { ...call, headers: { ...call.headers, accept } });
			assertProblem(answer, code);
			assert.equal(answer.headers['content-type']?.split(';')[0], type);
		});
	test(`[C-ERR-4] ${code} redirects nowhere and shows nothing of the inside`, async () => {
		const answer = await api(method, path, call);
		assert.equal(answer.headers.location, undefined);
		assert.doesNotMatch(
			answer.text,
			/\bat .+:\d+|node_modules|\.ts\b|\.js\b|SELECT|INSERT|postgres|fastify|zod|127\.0\.0\.1/i,
		);
		assert.equal(answer.headers['x-powered-by'], undefined);
		assert.equal(answer.headers.server, undefined);
	});
}

test('[C-ERR-2] errors stand on 422 alone, with a list of sentences for each field', async () => {
	const form = { domain: 'x', privacy: 'x', email: 'x', exclude_bots: 'x', exclude_ips: 'x', timezone: 'x' };
	const problem = assertProblem(
		await owner.api('POST', '/websites', { form }),
		'validation_failed',
		Object.keys(form),
	);
	for (const sentences of Object.values(problem.errors ?? {}))
		for (const sentence of sentences) assert.match(sentence, /^\S.*[.!]$/s);
	assert.ok(
		Object.values(problem.errors ?? {})
			.flat()
			.includes(problem.detail),
		'detail is one of them',
	);
});

test('[C-ERR-5] domain_taken names the website', async () => {
	const answer = await owner.api('POST', '/websites', { form: { domain: website.domain } });
	assert.equal(assertProblem(answer, 'domain_taken', ['domain']).website_id, website.id);
});

const own = `/websites/${website.id}`;
const text = { body: '{', headers: { 'content-type': 'text/plain' } };
const broken = { body: '{', headers: { 'content-type': 'application/json' } };
const order: {
	name: string;
	api: typeof owner.api;
	method: string;
	path: string;
	call: Call;
	code: ErrorCode;
}[] = [
	{
		name: '401 before 404',
		api: client(w.base),
		method: 'GET',
		path: '/nothing',
		call: {},
		code: 'unauthenticated',
	},
	{
		name: '401 before 405',
		api: client(w.base),
		method: 'DELETE',
		path: '/websites',
		call: {},
		code: 'unauthenticated',
	},
	{
		name: '401 before 415',
		api: client(w.base),
		method: 'POST',
		path: '/websites',
		call: text,
		code: 'unauthenticated',
	},
	{
		name: '401 before 422',
		api: client(w.base),
		method: 'GET',
		path: '/websites?page=x',
		call: {},
		code: 'unauthenticated',
	},
	{
		name: '404 of the path before 415',
		api: owner.api,
		method: 'POST',
		path: '/nothing',
		call: text,
		code: 'not_found',
	},
	{
		name: '404 of the id before 403',
		api: reader,
		method: 'PUT',
		path: '/websites/999999999',
		call: text,
		code: 'not_found',
	},
	{
		name: '404 of the id before 415',
		api: owner.api,
		method: 'PUT',
		path: '/websites/999999999',
		call: text,
		code: 'not_found',
	},
	{
		name: '404 of the id before 400',
		api: owner.api,
		method: 'PUT',
		path: '/websites/999999999',
		call: broken,
		code: 'not_found',
	},
	{
		name: '404 of the id before 422',
		api: owner.api,
		method: 'PUT',
		path: '/websites/999999999',
		call: { form: 'privacy=9' },
		code: 'not_found',
	},
	{
		name: '405 before 403',
		api: reader,
		method: 'DELETE',
		path: '/websites',
		call: {},
		code: 'method_not_allowed',
	},
	{
		name: '405 before 415',
		api: owner.api,
		method: 'PUT',
		path: '/websites',
		call: text,
		code: 'method_not_allowed',
	},
	{ name: '403 before 415', api: reader, method: 'PUT', path: own, call: text, code: 'forbidden' },
	{ name: '403 before 400', api: reader, method: 'PUT', path: own, call: broken, code: 'forbidden' },
	{
		name: '403 before 422',
		api: reader,
		method: 'PUT',
		path: own,
		call: { form: 'privacy=9' },
		code: 'forbidden',
	},
	{
		name: '415 before 400',
		api: owner.api,
		method: 'PUT',
		path: own,
		call: text,
		code: 'unsupported_media_type',
	},
	{
		name: '400 before 422',
		api: owner.api,
		method: 'POST',
		path: '/websites',
		call: broken,
		code: 'bad_request',
	},
];
for (const { name, api, method, path, call, code } of order)
	test(`[C-ERR-6] ${name}`, async () => {
		assertProblem(await api(method, path, call), code);
	});
