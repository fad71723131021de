import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasKeyForm } from '../../server/accounts/keys.ts';
import { client, send } from '../support/client.ts';
import { startServiceProcess, tidemark } from '../support/service.ts';
import { type World, world } from '../support/world.ts';

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

test('the link makes the first account, once, and shows a key that works', async (t) => {
	const service = await startServiceProcess(t);
	const link = service.setupUrl() ?? '';
	assert.ok(link.startsWith(`${service.base}/setup?token=`), service.stdout());
	const token = tokenOf(link);
	assert.ok(token.length >= 43);
	assert.equal(service.output().split(token).length, 2, 'the token is printed once, and not in the log');

	const missing = await send(service.base, 'GET', '/nowhere');
	const wrongTokens = [
		'',
		'x',
		token.slice(0, -1),
		`${token}x`,
		token.toLowerCase(),
		`${token}&token=x`,
		'%00',
	];
	for (const wrong of wrongTokens) {
		const asked = await send(service.base, 'GET', `/setup?token=${wrong}`);
		assert.deepEqual([asked.status, asked.text], [404, missing.text], wrong);
		const posted = await send(service.base, 'POST', '/setup', {
			form: `token=${wrong}&name=A&email=a%40example.test`,
		});
		assert.equal(posted.status, 404, wrong);
	}

	const form = await send(service.base, 'GET', pathOf(link));
	assert.equal(form.status, 200);
	assert.match(form.headers['content-type'] ?? '', /^text\/html/);
	assert.match(
		form.headers['content-security-policy'] ?? '',
		/default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
	);
	assert.equal(form.headers['cache-control'], 'no-store');
	assert.equal(form.headers['referrer-policy'], 'no-referrer', 'the token must not leave in a Referer');
	assert.doesNotMatch(form.text, /https?:\/\/(?!www\.w3\.org)/, 'nothing is fetched from elsewhere');

	const hostile = '"><script>alert(1)</script>\'';
	const refused = await send(service.base, 'POST', '/setup', {
		form: { token, name: hostile, email: `${hostile}@x` },
	});
	assert.equal(refused.status, 422);
	assert.ok(!refused.text.includes('<script') && !refused.text.includes(hostile));
	assert.ok(refused.text.includes('&#60;script&#62;'), 'what was typed is shown as text');

	const both = await Promise.all(
		['a', 'b'].map((name) =>
			send(service.base, 'POST', '/setup', {
				form: { token, name, email: `${name}@example.test`, timezone: 'Europe/Berlin' },
			}),
		),
	);
	assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404], 'of two at once one succeeds');
	const done = both.find(({ status }) => status === 200);
	const key = /tm_[0-9A-Za-z]{49}/.exec(done?.text ?? '')?.[0] ?? '';
	assert.ok(hasKeyForm(key));
	const account = await client(service.base, key)('GET', '/account');
	assert.equal(account.status, 200);
	assert.match(account.text, /"timezone":"Europe\/Berlin"/);

	for (const method of ['GET', 'HEAD'])
		assert.equal((await send(service.base, method, pathOf(link))).status, 404);
	assert.equal(
		(await send(service.base, 'POST', '/setup', { form: { token, name: 'c', email: 'c@example.test' } }))
			.status,
		404,
	);
	assert.ok(!service.output().includes(key), 'the key is in no log');
	assert.equal(await service.stop(), 0);

	const again = await startServiceProcess(t, { folder: service.folder });
	assert.equal(again.setupUrl(), undefined);
	assert.doesNotMatch(again.stdout(), /no account yet/);
	assert.equal((await send(again.base, 'GET', `/setup?token=${token}`)).status, 404);
	assert.equal(await again.stop(), 0);
});

test('each start makes a new link and the old one is dead; an account made otherwise ends them all', async (t) => {
	const first = await startServiceProcess(t);
	const old = first.setupUrl() ?? '';
	assert.equal(await first.stop(), 0);
	const second = await startServiceProcess(t, { folder: first.folder });
	const link = second.setupUrl() ?? '';
	assert.notEqual(tokenOf(link), tokenOf(old));
	assert.equal((await send(second.base, 'GET', pathOf(old))).status, 404);
	assert.equal((await send(second.base, 'GET', pathOf(link))).status, 200);
	const made = await tidemark([
		'account',
		'create',
		'--email',
		'a@example.test',
		'--name',
		'A',
		'--data',
		first.folder,
	]);
	assert.equal(made.code, 0, made.stderr);
	assert.equal((await send(second.base, 'GET', pathOf(link))).status, 404);
	const late = await send(second.base, 'POST', '/setup', {
		form: { token: tokenOf(link), name: 'B', email: 'b@example.test' },
	});
	assert.equal(late.status, 404);
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
		...['/', '/setup', '/setup/', '/setup?token=', '/install', '/admin', '/register', '/signup', '/login'],
		...['/api/v1', '/api/v1/accounts', '/api/v1/keys', '/api/v1/setup', '/api/v1/users', '/app/api/account'],
		...['/app/api/websites', '/app/api/session', '/app/api/session/set-up', '/app/api/session/link'],
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
	for (const path of new Set(paths)) {
		for (const method of methods) {
			const bodies = method === 'GET' || method === 'HEAD' ? [{}] : [{ form: fields }, { json: fields }, {}];
			for (const body of bodies) {
				const headers = { 'sec-fetch-site': 'same-origin' };
				const answer = await send(w.base, method, path, { ...body, headers });
				asked++;
				assert.ok(answer.status < 500, `${method} ${path}: ${answer.text}`);
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
