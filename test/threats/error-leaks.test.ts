import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { errorCodes } from '../../api/errors.ts';
import { type Answer, send } from '../support/client.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { exchange } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const { id, domain } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain() } }),
	201,
);

/** The only members an error may have. */
const allowed = z.strictObject({
	type: z.literal('about:blank'),
	title: z.string(),
	status: z.number(),
	// The names of a closed table.
	code: z.enum(Object.keys(errorCodes) as [string, ...string[]]),
	detail: z.string().max(500),
	message: z.string().max(500),
	errors: z.record(z.string(), z.array(z.string().max(500))).optional(),
	website_id: z.number().optional(),
});
const inside =
	/\n\s+at |node_modules|node:|file:|\/(home|root|usr|var|tmp|work|srv|app)\/|\.[jt]s:\d|\b(select|insert into|update .+ set|delete from|relation|column|syntax error)\b|pg_|postgres|clickhouse|fastify|\bzod\b|ECONN|ENOENT|localhost|127\.0\.0\.1|::1\b|:\d{4,5}\b/i;

function assertTight(answer: Pick<Answer, 'text' | 'status'>, name: string): void {
	const body = allowed.parse(JSON.parse(answer.text));
	assert.equal(body.status, answer.status, name);
	assert.doesNotMatch(answer.text, inside, name);
}

const json = { 'content-type': 'application/json' };
const provoked: [string, string, Parameters<typeof owner.api>[2]][] = [
	['GET', '/nothing', {}],
	['GET', '/websites/0', {}],
	['GET', '/websites/%2e%2e%2fetc%2fpasswd', {}],
	['GET', '/websites?per_page=7&page=x&sort=x&sort_by=x&favorite=x', {}],
	['GET', `/websites?per_page=${'x'.repeat(2_000)}`, {}],
	['DELETE', '/websites', {}],
	['POST', '/websites', { body: '{', headers: json }],
	['POST', '/websites', { body: '[]', headers: json }],
	['POST', '/websites', { body: 'x', headers: { 'content-type': 'text/plain' } }],
	['POST', '/websites', { form: { domain } }],
	['POST', '/websites', { form: { domain: 'a'.repeat(5_000) } }],
	['POST', '/websites', { form: { domain: "x' OR 1=1 --" } }],
	['POST', '/websites', { form: { domain: freshDomain() }, headers: { 'idempotency-key': 'a b' } }],
	['PUT', `/websites/${id}`, { form: { exclude_ips: 'x'.repeat(5_000) } }],
	['PUT', `/websites/${id}`, { form: { timezone: '/etc/localtime' } }],
	['PUT', `/websites/${id}`, { form: 'x', headers: { 'content-encoding': 'gzip' } }],
	['PUT', `/websites/${id}`, { form: 'email=1', headers: { 'if-match': '"x"' } }],
	['PUT', `/websites/${id}`, { json: { privacy: -1, password: { a: [] } } }],
	['PUT', `/websites/${id}/domain`, { form: { domain: '' } }],
];
for (const [method, path, call] of provoked)
	test(`[T44] ${method} ${path.slice(0, 40)} ${JSON.stringify(call).slice(0, 60)} shows nothing of the inside`, async () => {
		const answer = await owner.api(method, path, call);
		assert.ok(answer.status >= 400 && answer.status < 500, String(answer.status));
		assertTight(answer, path);
		assertTight(await send(w.base, method, `/api/v1${path}`, call ?? {}), `${path} without a key`);
	});

test('[T44] what is no HTTP gets the same kind of body', async () => {
	for (const bytes of [
		'nonsense\r\n\r\n',
		'GET / HTTP/9.9\r\n\r\n',
		'GET /api/v1/x\0y HTTP/1.1\r\nHost: x\r\n\r\n',
		`GET / HTTP/1.1\r\nX: ${'a'.repeat(50_000)}\r\n\r\n`,
	]) {
		const answer = await exchange(w.base, bytes, 3_000);
		assert.ok(answer.status >= 400 && answer.status < 500, answer.statusLine);
		assertTight({ status: answer.status, text: answer.body }, bytes.slice(0, 20));
	}
});

test('[T44] a database that fails is a 500 without a word of why, and the log has it', async () => {
	await w.sql('ALTER TABLE websites RENAME TO websites_away');
	try {
		for (const [method, path, call] of [
			['GET', '/websites', {}],
			['GET', '/websites?search=a', {}],
			['GET', `/websites/${id}`, {}],
			['POST', '/websites', { form: { domain: freshDomain() } }],
			['POST', '/websites', { form: { domain: freshDomain() }, headers: { 'idempotency-key': 'broken' } }],
			['PUT', `/websites/${id}`, { form: { email: '1' } }],
			['PUT', `/websites/${id}/domain`, { form: { domain: freshDomain() } }],
			['DELETE', `/websites/${id}`, {}],
		] as const) {
			const answer = await owner.api(method, path, call);
			assert.equal(answer.status, 500, `${method} ${path}`);
			assertTight(answer, `${method} ${path}`);
			assert.equal(allowed.parse(answer.json).code, 'internal_error');
		}
	} finally {
		await w.sql('ALTER TABLE websites_away RENAME TO websites');
	}
	assert.match(w.log(), /relation \\"websites\\" does not exist/);
	assertStatus(await owner.api('GET', `/websites/${id}`), 200);
});

test('[T44] after its connections were cut the service answers again, and tells nothing meanwhile', async () => {
	for (let round = 0; round < 5; round++) {
		await w.sql(
			'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
		);
		const answers = await Promise.all(Array.from({ length: 10 }, () => owner.api('GET', `/websites/${id}`)));
		for (const answer of answers)
			if (answer.status !== 200) {
				assert.ok([500, 503].includes(answer.status));
				assertTight(answer, 'cut');
			}
	}
	let status = 0;
	for (let n = 0; n < 50 && status !== 200; n++) {
		status = (await owner.api('GET', `/websites/${id}`)).status;
		if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
	}
	assert.equal(status, 200);
});

test('[T44] the check itself would notice', () => {
	for (const text of [
		'Error: x\n    at f (/srv/a.ts:1:2)',
		'relation "websites" does not exist',
		'connect ECONNREFUSED 127.0.0.1:5432',
	])
		assert.match(text, inside);
});
