import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, test } from 'node:test';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { headerOf, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const nobody = client(w.base);
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const own = `/websites/${website.id}`;
const authorization: [string, string] = ['Authorization', `Bearer ${owner.key}`];

const paths: { path: string; allow: string[] }[] = [
	{ path: '/websites', allow: ['GET', 'HEAD', 'OPTIONS', 'POST'] },
	{ path: own, allow: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'] },
	{ path: `${own}/domain`, allow: ['OPTIONS', 'PATCH', 'PUT'] },
	{ path: '/account', allow: ['GET', 'HEAD', 'OPTIONS'] },
	{ path: '/openapi.json', allow: ['GET', 'HEAD', 'OPTIONS'] },
];
const methodsOf = (header: string | undefined) => (header ?? '').split(/, */).sort();

for (const version of ['v2', 'v0', 'v10', 'V1', 'v1.0', 'latest', ''])
	test(`[C-HTTP-1] /api/${version}/websites is 404 with a key`, async () => {
		const answer = await send(w.base, 'GET', `/api/${version}/websites`, { key: owner.key });
		assert.equal(answer.status, 404);
		assert.equal(answer.headers.location, undefined);
		assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
	});
test('[C-HTTP-1] without the prefix there is no API', async () => {
	for (const path of ['/v1/websites', '/api/websites', '/api', '/api/', '/stats'])
		assert.equal((await send(w.base, 'GET', path, { key: owner.key })).status, 404, path);
	// These are pages for people, the same for whoever asks, and nothing can be done there.
	for (const path of ['/websites', `/websites/${own.split('/').at(-1)}`]) {
		const page = await send(w.base, 'GET', path, { key: owner.key });
		assert.match(page.headers['content-type'] ?? '', /^text\/html/);
		assert.equal(page.text, (await send(w.base, 'GET', path)).text);
		for (const method of ['POST', 'PUT', 'DELETE'])
			assert.equal((await send(w.base, method, path, { key: owner.key })).status, 404, `${method} ${path}`);
	}
});

for (const path of ['/websites', '/websites?per_page=25&search=x', own, '/account', '/openapi.json'])
	test(`[C-HTTP-2] HEAD ${path.replace(/\d+$/, '{id}')} is GET without the body`, async () => {
		const get = await owner.api('GET', path);
		const head = await wireRequest(w.base, {
			method: 'HEAD',
			path: `/api/v1${path}`,
			headers: [authorization],
		});
		assert.equal(head.status, 200);
		assert.equal(head.body, '');
		for (const name of [
			'content-type',
			'etag',
			'cache-control',
			'x-ratelimit-limit',
			'access-control-allow-origin',
		])
			assert.equal(headerOf(head, name), get.headers[name], name);
		assert.equal(headerOf(head, 'content-length'), String(Buffer.byteLength(get.text)));
	});
test('[C-HTTP-2] HEAD has the statuses of GET', async () => {
	for (const [path, status] of [
		['/websites/999999999', 404],
		['/nothing', 404],
		['/websites?per_page=7', 422],
	] as const) {
		const head = await wireRequest(w.base, {
			method: 'HEAD',
			path: `/api/v1${path}`,
			headers: [authorization],
		});
		assert.equal(head.status, status);
		assert.equal(head.body, '');
	}
	assert.equal((await nobody('HEAD', '/websites')).status, 401);
});

for (const { path, allow } of paths)
	test(`[C-HTTP-3] OPTIONS ${path.replace(/\d+/, '{id}')} is 204 with Allow, with and without a key`, async () => {
		for (const api of [nobody, owner.api]) {
			const answer = await api('OPTIONS', path);
			assertStatus(answer, 204);
			assert.equal(answer.text, '');
			assert.deepEqual(methodsOf(answer.headers.allow), allow);
		}
	});
test('[C-HTTP-3] OPTIONS tells nobody which websites exist', async () => {
	const there = await nobody('OPTIONS', own);
	const nowhere = await nobody('OPTIONS', '/websites/999999999');
	assert.equal(nowhere.status, there.status);
	assert.equal(nowhere.headers.allow, there.headers.allow);
});

for (const { path, allow } of paths)
	for (const method of allow.filter((name) => name !== 'OPTIONS' && name !== 'HEAD'))
		test(`[C-HTTP-4] a preflight for ${method} ${path.replace(/\d+/, '{id}')} passes`, async () => {
			const answer = await nobody('OPTIONS', path, {
				headers: {
					origin: 'https://app.example',
					'access-control-request-method': method,
					'access-control-request-headers':
						'authorization,content-type,if-match,if-none-match,idempotency-key',
				},
			});
			assertStatus(answer, 204);
			assert.equal(answer.headers['access-control-allow-origin'], '*');
			assert.equal(answer.headers['access-control-allow-credentials'], undefined);
			assert.ok(methodsOf(answer.headers['access-control-allow-methods']).includes(method));
			const allowed = (answer.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/, */);
			for (const name of ['authorization', 'content-type', 'if-match', 'if-none-match', 'idempotency-key'])
				assert.ok(allowed.includes(name), name);
		});
test('[C-HTTP-4] good answers and errors alike are open to every origin, without credentials', async () => {
	const headers = { origin: 'https://app.example' };
	for (const answer of [
		await owner.api('GET', '/websites', { headers }),
		await owner.api('GET', '/websites/0', { headers }),
		await owner.api('DELETE', '/websites', { headers }),
		await owner.api('POST', '/websites', { headers, form: '' }),
		await owner.api('POST', '/websites', {
			headers: { ...headers, 'content-type': 'text/plain' },
			body: 'x',
		}),
		await nobody('GET', '/websites', { headers }),
		await nobody('GET', '/openapi.json', { headers }),
	]) {
		assert.equal(answer.headers['access-control-allow-origin'], '*', String(answer.status));
		assert.equal(answer.headers['access-control-allow-credentials'], undefined);
		const exposed = (answer.headers['access-control-expose-headers'] ?? '').toLowerCase();
		for (const name of ['etag', 'location', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining'])
			assert.ok(exposed.includes(name), name);
	}
});

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PURGE', 'PROPFIND', 'SEARCH'];
for (const { path, allow } of paths)
	for (const method of everyMethod.filter((name) => !allow.includes(name)))
		test(`[C-HTTP-5] ${method} ${path.replace(/\d+/, '{id}')} is 405 with Allow`, async () => {
			const answer = await wireRequest(w.base, { method, path: `/api/v1${path}`, headers: [authorization] });
			assertProblem(
				{ ...answer, text: answer.body, headers: Object.fromEntries(answer.headers) },
				'method_not_allowed',
			);
			assert.deepEqual(methodsOf(headerOf(answer, 'allow')), allow);
		});
test('[C-HTTP-5] 405 comes before the faults of the body', async () => {
	const answer = await owner.api('POST', own, { body: '{', headers: { 'content-type': 'text/plain' } });
	assertProblem(answer, 'method_not_allowed');
});

const ourMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
/** What each address answers to, outside the list of routes; undefined: there is no such address. */
const addresses: { path: string; allow: string[] | undefined }[] = [
	{ path: '/', allow: ['GET', 'HEAD'] },
	{ path: `${own}?period=7d`, allow: ['GET', 'HEAD'] },
	{ path: '/assets/none.js', allow: ['GET', 'HEAD'] },
	{ path: '/health/live', allow: ['GET', 'HEAD'] },
	{ path: '/docs/api/', allow: ['GET', 'HEAD'] },
	{ path: '/docs/api/static/index.html', allow: ['GET', 'HEAD'] },
	{ path: '/mcp', allow: ['DELETE', 'GET', 'HEAD', 'POST'] },
	{ path: '/tm', allow: ['OPTIONS', 'POST'] },
	{ path: '/tm.gif', allow: ['GET', 'HEAD'] },
	{ path: '/nothing', allow: undefined },
	{ path: '/api', allow: undefined },
];
// CONNECT never becomes a request: Node closes the connection.
const foreign = METHODS.filter((name) => !ourMethods.includes(name) && name !== 'CONNECT');
const bodies: { name: string; headers: [string, string][]; body?: string }[] = [
	{ name: 'nothing else', headers: [] },
	{ name: 'a body without a type', headers: [], body: 'x' },
	{ name: 'a body of JSON', headers: [['Content-Type', 'application/json']], body: '{}' },
	{ name: 'a type that is none', headers: [['Content-Type', 'nonsense']], body: 'x' },
];
for (const { name, headers, body } of bodies)
	test(`[T103] every method that is not ours, with ${name}: 405 with Allow, 401 without a key, never a 500`, async () => {
		const request = (method: string, path: string, more: [string, string][] = []) =>
			wireRequest(w.base, {
				method,
				path,
				headers: [...headers, ...more],
				...(body === undefined ? {} : { body }),
			});
		const logged = w.log().length;
		for (const method of foreign) {
			for (const { path, allow } of addresses) {
				const answer = await request(method, path);
				assert.equal(answer.status, allow ? 405 : 404, `${method} ${path}: ${answer.text}`);
				if (allow) assert.deepEqual(methodsOf(headerOf(answer, 'allow')), allow, `${method} ${path}`);
				assert.equal(JSON.parse(answer.body).status, answer.status);
			}
			for (const { path, allow } of paths) {
				const answer = await request(method, `/api/v1${path}`, [authorization]);
				assert.equal(answer.status, 405, `${method} ${path}: ${answer.text}`);
				assert.deepEqual(methodsOf(headerOf(answer, 'allow')), allow);
				assert.equal(
					(await request(method, `/api/v1${path}`)).status,
					401,
					`${method} ${path} without a key`,
				);
			}
			assert.equal((await request(method, '/api/v1/nothing', [authorization])).status, 404);
			assert.equal((await request(method, '/api/v1/nothing')).status, 401);
			// The same list of routes for browsers: who is not signed in is refused first.
			assert.ok([401, 403].includes((await request(method, '/app/api/websites')).status));
			assert.ok([401, 403].includes((await request(method, '/app/api/session')).status));
		}
		assert.doesNotMatch(w.log().slice(logged), /"level":"?(error|50|fatal|60)"?|request failed/);
	});
test('[T103] a method that HTTP does not know is 400', async () => {
	for (const method of ['QUERYX', 'get', 'Query', 'BREW', 'PROP-FIND'])
		assert.equal((await wireRequest(w.base, { method, path: '/' })).status, 400, method);
});

for (const path of ['/websites', own, '/account', '/openapi.json'])
	test(`[C-HTTP-6] ${path.replace(/\d+/, '{id}')}/ answers as without the slash`, async () => {
		const plain = await owner.api('GET', path);
		const slashed = await owner.api('GET', `${path}/`);
		assert.equal(slashed.status, 200);
		assert.equal(slashed.text, plain.text);
	});
test('[C-HTTP-6] writes take the slash as well', async () => {
	const domain = freshDomain();
	const { id } = websiteOf(await owner.api('POST', '/websites/', { form: { domain } }), 201);
	assert.equal(websiteOf(await owner.api('PUT', `/websites/${id}/`, { form: { email: '1' } })).email, 1);
	assert.equal(
		(await owner.api('PUT', `/websites/${id}/domain/`, { form: { domain: freshDomain() } })).status,
		200,
	);
	assert.equal((await owner.api('DELETE', `/websites/${id}/`)).status, 200);
});
test('[C-HTTP-6] the query may follow the slash', async () => {
	assert.equal(listOf(await owner.api('GET', '/websites/?per_page=25')).meta.per_page, 25);
});

const unknown = [
	'/nothing',
	'/website',
	'/Websites',
	'/websites/1/2',
	'/websites//',
	'/account/1',
	'/websites/1/Domain',
	'/../api/v1x',
	'/openapi.yaml',
];
for (const path of unknown)
	test(`[C-HTTP-7] ${path} is 404 in JSON`, async () => {
		const answer = await wireRequest(w.base, { path: `/api/v1${path}`, headers: [authorization] });
		assertProblem({ ...answer, text: answer.body, headers: Object.fromEntries(answer.headers) }, 'not_found');
	});
test('[C-HTTP-7] for every method', async () => {
	for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
		assertProblem(await owner.api(method, '/nothing'), 'not_found');
});
test('[C-HTTP-7] a very long path is 404', async () => {
	assertProblem(await owner.api('GET', `/${'a'.repeat(4_000)}`), 'not_found');
	assertProblem(await owner.api('GET', `/websites/${'1'.repeat(4_000)}`), 'not_found');
});

const accepts = [
	'application/json',
	'*/*',
	'text/html',
	'application/xml',
	'application/json;q=0',
	'image/*',
	'nonsense',
	'application/problem+json',
	'',
];
for (const accept of accepts)
	test(`[C-HTTP-8] Accept: ${accept} gets JSON`, async () => {
		for (const path of ['/websites', own, '/account']) {
			const answer = await owner.api('GET', path, { headers: { accept } });
			assertStatus(answer, 200);
			assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
		}
		const made = await owner.api('POST', '/websites', {
			form: { domain: freshDomain() },
			headers: { accept },
		});
		websiteOf(made, 201);
	});
test('[C-HTTP-8] the requests of the specification, without Accept on writes', async () => {
	const type: [string, string] = ['Content-Type', 'application/x-www-form-urlencoded'];
	const request = (method: string, path: string, body?: string) =>
		wireRequest(w.base, {
			method,
			path: `/api/v1${path}`,
			headers: body === undefined ? [authorization] : [authorization, type],
			...(body === undefined ? {} : { body }),
		});
	const made = await request('POST', '/websites', `domain=${freshDomain()}`);
	assert.equal(made.status, 201, made.text);
	const { id } = JSON.parse(made.body).data;
	assert.equal((await request('PUT', `/websites/${id}`, 'favorite=1')).status, 200);
	assert.equal((await request('DELETE', `/websites/${id}`)).status, 200);
});

test('[C-HTTP-9] openapi.json is OpenAPI 3.1 and lists every operation', async () => {
	const answer = await nobody('GET', '/openapi.json');
	assertStatus(answer, 200);
	// The document is ours and its shape is checked here member by member.
	const document = answer.json as { openapi: string; paths: Record<string, Record<string, unknown>> };
	assert.match(document.openapi, /^3\.1\./);
	const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.keys(methods)
			.filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
			.map((method) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`),
	);
	const expected = [
		'GET /websites',
		'POST /websites',
		'GET /websites/{id}',
		'PUT /websites/{id}',
		'PATCH /websites/{id}',
		'DELETE /websites/{id}',
		'PUT /websites/{id}/domain',
		'GET /account',
	];
	for (const operation of expected) assert.ok(listed.includes(operation), operation);
	assert.equal((await owner.api('GET', '/openapi.json')).text, answer.text);
});

const ways: [string, string][][] = [
	[['Host', 'evil.example']],
	[['X-Forwarded-Host', 'evil.example']],
	[
		['X-Forwarded-For', '203.0.113.9'],
		['X-Real-IP', '203.0.113.9'],
	],
	[
		['X-HTTP-Method-Override', 'DELETE'],
		['X-Method-Override', 'DELETE'],
	],
	[
		['X-Original-URL', '/api/v1/account'],
		['X-Rewrite-URL', '/api/v1/account'],
	],
];
for (const headers of ways)
	test(`[C-HTTP-11] ${headers.map(([name]) => name).join(', ')} changes no answer`, async () => {
		const honest = await owner.api('GET', own);
		const answer = await wireRequest(w.base, { path: `/api/v1${own}`, headers: [authorization, ...headers] });
		assert.equal(answer.status, 200);
		assert.equal(answer.body, honest.text);
		const form = `domain=${freshDomain()}`;
		const made = await wireRequest(w.base, {
			method: 'POST',
			path: '/api/v1/websites',
			headers: [authorization, ...headers, ['Content-Type', 'application/x-www-form-urlencoded']],
			body: form,
		});
		assert.equal(made.status, 201, made.text);
		assert.equal(
			headerOf(made, 'location'),
			`${w.publicUrl}/api/v1/websites/${JSON.parse(made.body).data.id}`,
		);
	});
