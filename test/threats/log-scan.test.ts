import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, send } from '../support/client.ts';
import { websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { exchange, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

/** Everything is done once with canaries in every place where a person or a secret could stand; then the log is read. */
const w = await world({ after }, { settings: { TIDEMARK_LOG_LEVEL: 'debug' } });
const password = 'Canary-Password-9a41';
const email = 'canary.person@private.example';
const visitor = '203.0.113.199';
const listed = '198.51.100.199';
const visitorV6 = '2001:db8:ca:4a::199';
const owner = await w.account({ timezone: 'UTC', name: 'Canary Person', email });
const reader = await w.key(owner, { access: 'read' });
const canaries = () => [
	owner.key,
	reader.key,
	owner.key.slice(3, 40),
	password,
	email,
	'Canary Person',
	visitor,
	visitorV6,
	listed,
	'canary-cookie',
	'canary-query',
	'canary-agent',
];

const personal = {
	'x-forwarded-for': `${visitor}, ${visitorV6}`,
	forwarded: `for=${visitor}`,
	'x-real-ip': visitor,
	cookie: 'session=canary-cookie',
	referer: 'https://private.example/?q=canary-query',
	'user-agent': 'canary-agent/1.0',
};

async function everything(): Promise<void> {
	const form = { domain: 'canary-scan.example', privacy: '2', password, exclude_ips: listed };
	const made = await owner.api('POST', '/websites', {
		form,
		headers: { ...personal, 'idempotency-key': 'canary-query' },
	});
	const { id } = websiteOf(made, 201);
	for (const call of [
		{ form: { password, exclude_ips: listed }, headers: personal },
		{
			json: { password: [password], exclude_ips: `${listed}\nnot ${visitor}`, email: password },
			headers: personal,
		},
		{ body: `{"password":"${password}"`, headers: { ...personal, 'content-type': 'application/json' } },
		{ body: password, headers: { ...personal, 'content-type': `text/${password}` } },
		{ form: { password: password.repeat(20) }, headers: { ...personal, 'if-match': `"${password}"` } },
	])
		for (const path of [`/websites/${id}`, `/websites/${id}/domain`, `/websites/${password}`, '/websites']) {
			await owner.api('PUT', path, call);
			await client(w.base, reader.key)('PATCH', path, call);
			await client(w.base)('POST', path, call);
		}
	for (const path of [
		'/account',
		'/websites',
		`/websites?search=canary-query&per_page=${password}`,
		`/websites/${id}`,
		`/${email}`,
		`/${password}?email=${email}&ip=${visitor}&key=${owner.key}`,
	])
		await owner.api('GET', path, { headers: personal });
	await send(w.base, 'GET', `/nothing/${email}?password=${password}`, { headers: personal });
	await wireRequest(w.base, {
		path: '/api/v1/account',
		headers: [
			['Authorization', `Bearer ${owner.key}`],
			['Authorization', password],
		],
	});
	await exchange(w.base, `GET /${email} HTTP/1.1\r\n${password}\r\n\r\n`, 2_000);
	await w.setLimits(owner, { websites: 5 });
	await w.rotateKey(reader.id);
	// A failing database is logged with its cause: the cause must not quote the row.
	await w.sql('ALTER TABLE websites ADD CONSTRAINT never CHECK (email = false) NOT VALID');
	await owner.api('PUT', `/websites/${id}`, {
		form: { email: '1', exclude_ips: listed, password },
		headers: personal,
	});
	await owner.api('POST', '/websites', {
		form: { ...form, domain: 'canary-two.example', email: '1' },
		headers: personal,
	});
	await w.sql('ALTER TABLE websites DROP CONSTRAINT never');
	await w.sql('ALTER TABLE websites RENAME TO away');
	await owner.api('PUT', `/websites/${id}`, { form: { password }, headers: personal });
	await w.sql('ALTER TABLE away RENAME TO websites');
	await owner.api('DELETE', `/websites/${id}`, { headers: personal });
}
await everything();

const found = (log: string) => canaries().filter((canary) => log.includes(canary));

test('[T53] the log at debug level holds no key, password, email address, name or network address', () => {
	assert.deepEqual(found(w.log()), []);
});
test('[T53] nor a bearer, a cookie or a hash', () => {
	assert.doesNotMatch(w.log(), /bearer\s+\S|"cookie"|\$argon2|tm_[0-9A-Za-z]{8}/i);
});
test('[T53] it does hold the requests, the failures and their causes', () => {
	const log = w.log();
	assert.ok(log.split('\n').length > 50);
	assert.match(log, /"route":"\/api\/v1\/websites\/:id"/);
	assert.match(log, /never|websites_check|violates check constraint/);
});
test('[T53] the search finds what is there', () => {
	for (const canary of canaries())
		assert.deepEqual(found(`{"level":"debug","x":"${canary}"}`).includes(canary), true);
});

test('[T101] a page that is left while it loads is no error in the log', async (t) => {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: 'left.example' } }), 201);
	const before = w.log().length;
	const { hostname, port } = new URL(w.base);
	const paths = ['stats?period=30d', 'stats/page?period=12mo&interval=month', 'export?format=csv', 'live'];
	for (let round = 0; round < 40; round++) {
		const socket = connect({ host: hostname, port: Number(port) });
		await once(socket, 'connect');
		socket.write(
			`GET /api/v1/websites/${id}/${paths[round % paths.length]} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\n\r\n`,
		);
		// Some leave before the question reaches the engine, some while it is answered.
		await sleep(round % 10);
		socket.destroy();
	}
	const left = () => w.log().slice(before).split('\n');
	await until(
		() =>
			left().filter((line) => line.includes('"request completed"') || line.includes('disconnected')).length >
			0,
		10_000,
		'the requests have come to their end',
	);
	assert.equal((await owner.api('GET', `/websites/${id}/stats?period=7d`)).status, 200);
	const seen = left().filter((line) => line.includes('disconnected')).length;
	t.diagnostic(`${seen} of 40 left while they were answered`);
	assert.deepEqual(
		left().filter((line) => /"level":"(warn|error)"/.test(line)),
		[],
	);
});
