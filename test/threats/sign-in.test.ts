import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { makeKey } from '../../server/accounts/keys.ts';
import { send } from '../support/client.ts';
import { assertProblem, freshDomain, listOf } from '../support/contract.ts';
import { workedMs } from '../support/cpu-time.ts';
import { givePassword, goodPassword, sessionOf, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.parse('2026-11-15T09:00:00.000Z');
const day = 86_400_000;
/** The test stands in front as a proxy: it says which address a request comes from. */
const w = await world(
	{ after },
	{ now: () => new Date(moment), settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' } },
);
const newAccount = async () => {
	const account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	return account;
};
const attempt = (email: string, password: string, address = '192.0.2.1') =>
	visitor(() => w.base, { address })('POST', '/session', { json: { email, password } });
const knows = async (token: string) =>
	(await visitor(() => w.base)('GET', '/session', { headers: { cookie: `__Host-tidemark=${token}` } }))
		.status;

test('[T01] of a thousand wrong passwords for an account, from fifty addresses, a few are looked at', async () => {
	const { email } = await newAccount();
	const guess = (n: number) => attempt(email, `guess number ${n}`, `198.51.100.${n % 50}`);
	const atOnce = await Promise.all(Array.from({ length: 500 }, (_, n) => guess(n)));
	const statuses = atOnce.map(({ status }) => status);
	assert.equal(statuses.filter((status) => status === 401).length, 5, 'the free ones');
	assert.equal(statuses.filter((status) => status === 429).length, 495);
	let lookedAt = 0;
	for (let n = 500; n < 1000; n++) {
		moment += 1_000;
		if ((await guess(n)).status === 401) lookedAt++;
	}
	assert.ok(lookedAt >= 5 && lookedAt <= 9, `${lookedAt}: each waits twice as long as the one before`);
	const refused = await attempt(email, goodPassword);
	assertProblem(refused, 'too_many_requests');
	moment += Number(refused.headers['retry-after']) * 1000;
	assert.equal((await attempt(email, goodPassword)).status, 200, 'the right one works after the delay');
	assert.equal((await attempt(email, goodPassword)).status, 200, 'and the count begins anew');
	const names = JSON.stringify(await w.sql('SELECT name FROM attempts'));
	assert.ok(!names.includes(email) && !names.includes('198.51'), 'names are hashes');
});

test('[T01] whoever was signed in before is not shut out by somebody who tries passwords', async () => {
	const account = await newAccount();
	const stranger = await newAccount();
	const known = await signedIn(w, account, { address: '192.0.2.77' });
	const elsewhere = await signedIn(w, stranger, { address: '192.0.2.78' });
	for (const browser of [known, elsewhere]) await browser('DELETE', '/session');
	const device = known.cookies.get('__Host-tidemark-device')?.value ?? '';
	assert.match(device, /^[\w-]{22}\.[\w-]{43}$/);
	await Promise.all(
		Array.from({ length: 30 }, (_, n) => attempt(account.email, `guess ${n}`, `198.51.100.${n}`)),
	);
	const json = { email: account.email, password: goodPassword };
	assertProblem(await attempt(account.email, goodPassword, '192.0.2.79'), 'too_many_requests');
	assertProblem(await elsewhere('POST', '/session', { json }), 'too_many_requests');
	const edited = { headers: { cookie: `__Host-tidemark-device=${'A'.repeat(22)}${device.slice(22)}` }, json };
	assertProblem(await visitor(() => w.base)('POST', '/session', edited), 'too_many_requests');
	assert.equal((await known('POST', '/session', { json })).status, 200);
	await known('DELETE', '/session');
	const wrong = { json: { ...json, password: 'not the password' } };
	const statuses = [];
	for (let n = 0; n < 8; n++) statuses.push((await known('POST', '/session', wrong)).status);
	assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429], 'and is counted for itself');
});

test('[T01] a network that tries many accounts is slowed down, whatever address of it is used', async () => {
	const statuses: number[] = [];
	for (let n = 0; n < 60; n++) {
		const address = `2001:db8:7:7::${n.toString(16)}`;
		statuses.push((await attempt(`nobody-${n}@example.test`, goodPassword, address)).status);
	}
	assert.equal(statuses.filter((status) => status === 401).length, 20);
	assert.equal((await attempt('somebody@example.test', goodPassword, '2001:db8:7:8::1')).status, 401);
	const { email } = await newAccount();
	const from = '2001:db8:7:9::1';
	for (let n = 0; n < 40; n++) assert.equal((await attempt(email, goodPassword, from)).status, 200);
});

/** Of the fastest ones, which nothing else held up. */
const tenth = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;

test('[T02] whether there is an account shows in no answer and in no time', async (t) => {
	const { email } = await newAccount();
	const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
	const texts = new Set<string>();
	for (let n = 0; n < 110; n++) {
		for (const group of ['known', 'unknown'] as const) {
			// What was counted is forgotten after an hour.
			moment += 3_600_001;
			const begin = performance.now();
			const answer = await attempt(group === 'known' ? email : 'nobody@example.test', 'wrong password');
			if (n >= 10) times[group].push(performance.now() - begin);
			assert.equal(answer.status, 401);
			texts.add(answer.text);
		}
	}
	assert.equal(texts.size, 1);
	const [known, unknown] = [tenth(times.known), tenth(times.unknown)];
	t.diagnostic(`known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`);
	assert.ok(known > 8, 'a password was hashed');
	assert.ok(Math.abs(known - unknown) < Math.max(5, known / 4));
});

test('[T03] long passwords are not hashed, and of many at once the last are refused', async (t) => {
	const { email } = await newAccount();
	assertProblem(await attempt(email, 'x'.repeat(1_000_000)), 'body_too_large');
	assertProblem(await attempt(email, 'ü'.repeat(129)), 'validation_failed', ['password']);
	moment += day;
	const before = workedMs();
	const flood = await Promise.all(
		Array.from({ length: 300 }, (_, n) =>
			attempt(`flood-${n}@example.test`, 'wrong password', `203.0.113.${n % 250}`),
		),
	);
	const eachMs = (workedMs() - before) / 300;
	const statuses = flood.map(({ status }) => status);
	t.diagnostic(`${eachMs.toFixed(1)} ms of this thread for each`);
	assert.ok(statuses.filter((status) => status === 429).length > 50, 'the queue has an end');
	assert.ok(statuses.filter((status) => status === 401).length >= 100);
	// Hashing is on other threads: were it on this one, each password would take its 20 ms here.
	assert.ok(eachMs < 10);
	assert.equal((await attempt(email, goodPassword)).status, 200);
});

test('[T12][C-SIGN-11] nothing is changed for a page of another origin, nor by anything but JSON and files', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const cookie = `__Host-tidemark=${sessionOf(browser)}`;
	const body = JSON.stringify({ domain: freshDomain('foreign') });
	const json = { 'content-type': 'application/json' };
	const upload = '/websites/1/imports?source=plausible&file_name=x';
	const foreign: [string, Record<string, string>][] = [
		['nothing said', { ...json }],
		['another site', { ...json, 'sec-fetch-site': 'cross-site' }],
		['another host of the site', { ...json, 'sec-fetch-site': 'same-site' }],
		['typed by hand', { ...json, 'sec-fetch-site': 'none' }],
		['another origin', { ...json, origin: 'https://evil.example' }],
		['a sandbox', { ...json, origin: 'null' }],
		['our name in front', { ...json, origin: `${w.publicUrl}.evil.example` }],
		['the word of the browser wins', { ...json, 'sec-fetch-site': 'cross-site', origin: w.publicUrl }],
	];
	for (const [name, headers] of foreign)
		for (const [method, path] of [
			['POST', '/websites'],
			['POST', '/session'],
			['DELETE', '/session'],
			['PUT', '/session/password'],
			['POST', upload],
		] as const) {
			const answer = await send(w.base, method, `/app/api${path}`, { body, headers: { ...headers, cookie } });
			assert.equal(assertProblem(answer, 'forbidden').status, 403, `${name}: ${method} ${path}`);
		}
	const types = [
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'text/json',
	];
	const file = 'application/octet-stream';
	for (const [path, refused] of [
		['/websites', [...types, file]],
		['/session', [...types, file]],
		[upload, [...types, 'application/json']],
	] as const)
		for (const type of refused) {
			const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type, cookie };
			assertProblem(
				await send(w.base, 'POST', `/app/api${path}`, { body, headers }),
				'unsupported_media_type',
			);
		}
	const untyped = { 'sec-fetch-site': 'same-origin', cookie };
	assertProblem(
		await send(w.base, 'POST', '/app/api/websites', { body, headers: untyped }),
		'unsupported_media_type',
	);
	assert.equal(listOf(await account.api('GET', '/websites')).meta.total, 0);
	assert.equal(await knows(sessionOf(browser)), 200);

	// The control: the same request from our own pages, by either word of the browser.
	const own = [{ 'sec-fetch-site': 'same-origin' }, { origin: w.publicUrl }, { origin: w.base }];
	for (const headers of own) {
		const sent = { json: { domain: freshDomain('own') }, headers: { ...headers, cookie } };
		assert.equal((await send(w.base, 'POST', '/app/api/websites', sent)).status, 201);
	}
});

test('[T13] sessions are 256 random bits that the service chose', async () => {
	const { email } = await newAccount();
	const chosen = 'A'.repeat(43);
	const browser = visitor(() => w.base);
	await browser('POST', '/session', {
		json: { email, password: goodPassword },
		headers: { cookie: `__Host-tidemark=${chosen}` },
	});
	assert.notEqual(sessionOf(browser), chosen);
	assert.deepEqual([await knows(chosen), await knows(sessionOf(browser))], [401, 200]);
	assert.equal(Buffer.from(sessionOf(browser), 'base64url').length, 32);
	const stored = JSON.stringify(await w.sql('SELECT digest FROM sessions'));
	assert.ok(!stored.includes(Buffer.from(sessionOf(browser)).toString('hex')));
	const guessable = globSync('server/{accounts,http,lib}/**/*.ts').filter((file) =>
		readFileSync(file, 'utf8').includes('Math.random'),
	);
	assert.deepEqual(guessable, []);
});

test('[T14] a session ends when it is not used, when it is old, and when its account is shut', async () => {
	const account = await newAccount();
	const idle = sessionOf(await signedIn(w, account));
	moment += 7 * day - 60_000;
	assert.equal(await knows(idle), 200);
	moment += 7 * day + 60_000;
	assert.equal(await knows(idle), 401);
	const busy = sessionOf(await signedIn(w, account));
	for (let passed = 0; passed < 30; passed += 5) {
		assert.equal(await knows(busy), 200, `after ${passed} days`);
		moment += 5 * day;
	}
	assert.equal(await knows(busy), 401);
	const open = sessionOf(await signedIn(w, account));
	await w.operate('account.disable', { email: account.email, disabled: true });
	assert.equal(await knows(open), 401);
	await w.operate('account.disable', { email: account.email, disabled: false });
	assert.equal(await knows(open), 401, 'it does not come back');
});

test('[T17] what opens one thing opens nothing else', async () => {
	const account = await newAccount();
	const session = sessionOf(await signedIn(w, account));
	const { token: reset } = await w.operate('account.reset', { email: account.email });
	const kinds: Record<string, string> = { session, reset, key: account.key, unknown: makeKey() };
	const opens: Record<string, (secret: string) => Promise<number>> = {
		session: knows,
		reset: async (token) =>
			(await visitor(() => w.base)('POST', '/session/link', { json: { token } })).status,
		key: async (key) => (await send(w.base, 'GET', '/api/v1/account', { key })).status,
		setUp: async (token) =>
			(
				await visitor(() => w.base)('POST', '/session/set-up', {
					json: { token, name: 'A', email: 'x@example.test', password: goodPassword },
				})
			).status,
	};
	for (const [door, open] of Object.entries(opens))
		for (const [kind, secret] of Object.entries(kinds))
			assert.equal((await open(secret)) === 200, door === kind, `${kind} at the door of ${door}`);
});

test('[T79] no link is made of what a request says', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const created = await browser('POST', '/websites', {
		json: { domain: freshDomain() },
		headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
	});
	assert.ok(created.headers.location?.startsWith(`${w.publicUrl}/app/api/websites/`));
});
