import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { send } from '../support/client.ts';
import { assertProblem } from '../support/contract.ts';
import { startServiceProcess, tidemark } from '../support/service.ts';
import { goodPassword, visitor } from '../support/visitor.ts';
import { type World, world } from '../support/world.ts';

const tokenOf = (url: string) => new URL(url).hash.replace('#token=', '');
const ann = { name: 'Ann', email: 'ann@example.test', password: goodPassword };
const look = (base: string, token: string) =>
	visitor(() => base)('POST', '/session/set-up/link', { json: { token } });
const use = (base: string, token: string, about: Record<string, string> = ann) =>
	visitor(() => base)('POST', '/session/set-up', { json: { ...about, token } });

test('the link makes the first account, once', async (t) => {
	const service = await startServiceProcess(t);
	const link = service.setupUrl() ?? '';
	assert.ok(link.startsWith(`${service.base}/set-up#token=`), service.stdout());
	const token = tokenOf(link);
	assert.ok(token.length >= 43);
	assert.equal(service.output().split(token).length, 2, 'the token is printed once, and not in the log');

	const missing = await send(service.base, 'GET', '/nowhere');
	for (const wrong of ['x', token.slice(0, -1), `${token}x`, token.toLowerCase(), 'undefined', '%00'])
		for (const answer of [await look(service.base, wrong), await use(service.base, wrong)])
			assert.deepEqual([answer.status, answer.text], [404, missing.text], wrong);
	for (const wrong of ['', 'x'.repeat(101)])
		for (const answer of [await look(service.base, wrong), await use(service.base, wrong)])
			assertProblem(answer, 'validation_failed', ['token']);

	const good = await look(service.base, token);
	assert.equal(good.text, `{"data":{"public_address":{"url":"${service.base}","is_set":false}}}`);
	const both = await Promise.all(
		['a', 'b'].map((name) => use(service.base, token, { ...ann, name, email: `${name}@example.test` })),
	);
	assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404], 'of two at once one succeeds');
	assert.equal((await look(service.base, token)).status, 404);
	assert.equal((await use(service.base, token)).status, 404);
	assert.equal(await service.stop(), 0);

	const again = await startServiceProcess(t, { folder: service.folder });
	assert.equal(again.setupUrl(), undefined);
	assert.doesNotMatch(again.stdout(), /first account/);
	assert.equal((await look(again.base, token)).status, 404);
	assert.equal(await again.stop(), 0);
});

test('each start makes a new link and the old one is dead; an account made otherwise ends them all', async (t) => {
	const first = await startServiceProcess(t);
	const old = tokenOf(first.setupUrl() ?? '');
	assert.equal(await first.stop(), 0);
	const second = await startServiceProcess(t, { folder: first.folder });
	const token = tokenOf(second.setupUrl() ?? '');
	assert.notEqual(token, old);
	assert.equal((await look(second.base, old)).status, 404);
	assert.equal((await look(second.base, token)).status, 200);
	const made = await tidemark([
		...['account', 'create', '--email', 'a@example.test', '--name', 'A', '--data', first.folder],
	]);
	assert.equal(made.code, 0, made.stderr);
	assert.equal((await look(second.base, token)).status, 404);
	assert.equal((await use(second.base, token)).status, 404);
	assert.equal(await second.stop(), 0);
});

/** Every row of every table, as text, but for the count of attempts to sign in. */
async function everything(w: World): Promise<string> {
	const tables = await w.sql<{ name: string }>(
		`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'attempts' ORDER BY 1`,
	);
	assert.ok(tables.length >= 7);
	const rows = await Promise.all(
		tables.map(async ({ name }) => [
			name,
			await w.sql(`SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY 1`),
		]),
	);
	return JSON.stringify(rows);
}

test('[T20] on a fresh instance nobody changes anything without the link, by any method on any route', async (t) => {
	const w = await world(t);
	const document = JSON.parse(
		readFileSync(join(import.meta.dirname, '..', '..', 'api', 'openapi.json'), 'utf8'),
	);
	const paths = [
		...Object.keys(document.paths).flatMap((path) => {
			const filled = path.replaceAll(/\{[a-z_]+\}/g, '1');
			return [filled, filled.startsWith('/api/v1') ? filled : `/api/v1${filled}`];
		}),
		...[
			'/',
			'/setup',
			'/setup/',
			'/set-up',
			'/set-up?token=',
			'/install',
			'/admin',
			'/register',
			'/signup',
			'/login',
		],
		...['/api/v1', '/api/v1/accounts', '/api/v1/keys', '/api/v1/setup', '/api/v1/users', '/app/api/account'],
		...['/app/api/websites', '/app/api/session', '/app/api/session/set-up', '/app/api/session/link'],
		...['/app/api/session/set-up/link', '/app/api/session/account'],
		...['/app/api/session/password', '/app/api/session/two-factor', '/app/api/session/browsers/1'],
		...[
			'/operations/account.create',
			'/api/v1/operations/account.create',
			'/control',
			'/metrics',
			'/docs/api',
		],
		...[
			'/health/live',
			'/health/ready',
			'/docs/api/json',
			'/..%2fcontrol.sock',
			'/api/v1/../operations/account.create',
		],
	];
	const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
	const fields = {
		name: 'Eve',
		email: 'eve@example.test',
		domain: 'eve.example',
		password: 'x',
		token: 'undefined',
		role: 'owner',
	};
	const before = await everything(w);
	let asked = 0;
	// Pages of a checkout without a build are 503.
	const isBuilt = existsSync(join(import.meta.dirname, '..', '..', 'dist', 'pages', 'index.html'));
	for (const path of new Set(paths)) {
		for (const method of methods) {
			const bodies = method === 'GET' || method === 'HEAD' ? [{}] : [{ form: fields }, { json: fields }, {}];
			for (const body of bodies) {
				const headers = { 'sec-fetch-site': 'same-origin' };
				const answer = await send(w.base, method, path, { ...body, headers });
				asked++;
				assert.ok(
					answer.status < 500 || (!isBuilt && answer.status === 503),
					`${method} ${path}: ${answer.text}`,
				);
				assert.doesNotMatch(answer.text, /tm_[0-9A-Za-z]{49}/, `${method} ${path} gave a key away`);
			}
		}
	}
	t.diagnostic(`${asked} requests`);
	assert.ok(asked > 300);
	assert.equal(await everything(w), before);
	assert.match(before, /setup_links/);

	// The control: the comparison sees it when somebody does get in.
	await w.account();
	assert.notEqual(await everything(w), before);
});
