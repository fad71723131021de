import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { client } from '../support/client.ts';
import { headerOf, wireRequest } from '../support/wire.ts';
import { type World, world } from '../support/world.ts';

/** Whose address a request has shows in whose count of failed attempts it falls. */
const limit = 100_000;
let trusting: World;
let plain: World;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	const scope = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
	const settings = { TIDEMARK_AUTH_FAILURE_LIMIT: String(limit) };
	plain = await world(scope, { settings });
	trusting = await world(scope, {
		settings: { ...settings, TIDEMARK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' },
	});
});
after(async () => {
	for (const work of cleaning) await work();
});

type Headers = [name: string, value: string][];

/** How many attempts are left to whoever the service takes the caller for, after this failed one. */
async function leftAfter(base: string, headers: Headers): Promise<number> {
	const answer = await wireRequest(base, { path: '/api/v1/account', headers });
	assert.equal(answer.status, 401, answer.text);
	return Number(headerOf(answer, 'x-ratelimit-remaining'));
}

const xff = (...values: string[]): Headers => values.map((value) => ['X-Forwarded-For', value]);

/** `C` stands for a new address in every case; what follows is who is believed to call behind a trusted proxy. */
const cases: [headers: Headers, caller: 'C' | 'peer' | string][] = [
	[[], 'peer'],
	[xff('C'), 'C'],
	[xff(' C '), 'C'],
	[[['x-FORWARDED-for', 'C']], 'C'],
	[xff('8.8.8.8, C'), 'C'],
	[xff('8.8.8.8', 'C'), 'C'],
	[xff('8.8.8.8, 9.9.9.9, 127.0.0.1, C'), 'C'],
	[xff('C, 10.0.0.5'), 'C'],
	[xff('8.8.8.8, C, 10.0.0.5, 10.9.9.9'), 'C'],
	[xff('C', '10.0.0.5'), 'C'],
	[xff('C, 127.0.0.1'), 'C'],
	[xff(`${Array(50).fill('8.8.8.8').join(', ')}, C`), 'C'],
	[xff('unknown, C'), 'C'],
	[xff('::ffff:C'), 'C'],
	[xff('2001:db8:77:1::5'), '2001:db8:77:1::9'],
	[xff('8.8.8.8, 2001:db8:77:2::5, 10.0.0.5'), '2001:db8:77:2::5'],
	[xff('10.3.3.3'), '10.3.3.3'],
	[xff('10.3.3.4, 10.3.3.5'), '10.3.3.4'],
	[xff(''), 'peer'],
	[xff('unknown'), 'peer'],
	[xff('C, unknown'), 'peer'],
	[xff('C:8080'), 'peer'],
	[xff('[2001:db8:77:3::5]'), 'peer'],
	[xff('example.com'), 'peer'],
	[xff('C;drop'), 'peer'],
	[xff('999.1.1.1'), 'peer'],
	[xff('0x7f000001'), 'peer'],
	[xff('C/8'), 'peer'],
	[[['Forwarded', 'for=C']], 'peer'],
	[[['X-Real-IP', 'C']], 'peer'],
	[[['CF-Connecting-IP', 'C']], 'peer'],
	[[['True-Client-IP', 'C']], 'peer'],
	[[['X-Client-IP', 'C']], 'peer'],
	[[['X-Cluster-Client-IP', 'C']], 'peer'],
	[[['X-Forwarded', 'C']], 'peer'],
	[[['X-Forwarded-Host', 'C']], 'peer'],
	[[['Via', '1.1 C']], 'peer'],
	[[['X-Real-IP', '8.8.8.8'], ...xff('C')], 'C'],
	[[['Forwarded', 'for=8.8.8.8'], ...xff('C, 10.0.0.5')], 'C'],
	[[['X_Forwarded_For', 'C']], 'peer'],
];

test('[T31] 40 combinations of headers through a trusted proxy: the last address that no proxy of ours added', async () => {
	assert.equal(cases.length, 40);
	for (const [number, [headers, caller]] of cases.entries()) {
		const own = `203.0.113.${number + 1}`;
		const filled = headers.map(([name, value]): [string, string] => [name, value.replaceAll('C', own)]);
		const title = `${JSON.stringify(filled)} is ${caller}`;
		const peerBefore = await leftAfter(trusting.base, []);
		const left = await leftAfter(trusting.base, filled);
		if (caller === 'peer') assert.equal(left, peerBefore - 1, title);
		else {
			assert.equal(left, limit - 1, title);
			const again = await leftAfter(trusting.base, xff(caller.replace('C', own)));
			assert.equal(again, limit - 2, `${title}: the same caller again`);
		}
	}
});

test('[T31] the same 40 from a peer that is not trusted: none is believed', async () => {
	let left = await leftAfter(plain.base, []);
	for (const [number, [headers]] of cases.entries()) {
		const filled = headers.map(([name, value]): [string, string] => [
			name,
			value.replaceAll('C', `203.0.113.${number + 1}`),
		]);
		const now = await leftAfter(plain.base, filled);
		assert.equal(now, left - 1, JSON.stringify(filled));
		left = now;
	}
});

test('[T31] whoever sends a new address each time is still blocked; behind a trusted proxy only the one who failed', async (t) => {
	const settings = { TIDEMARK_AUTH_FAILURE_LIMIT: '5' };
	const strict = await world(t, { settings });
	const account = await strict.account();
	for (let attempt = 1; attempt <= 8; attempt++) {
		const answer = await client(strict.base)('GET', '/account', {
			headers: { 'x-forwarded-for': `198.51.100.${attempt}` },
		});
		assert.equal(answer.status, attempt <= 5 ? 401 : 429, `attempt ${attempt}`);
		if (attempt > 5) assert.match(answer.headers['retry-after'] ?? '', /^([1-9]|[1-5]\d|60)$/);
	}
	assert.equal((await account.api('GET', '/account')).status, 200, 'a valid key is not locked out');

	const behind = await world(t, { settings: { ...settings, TIDEMARK_TRUSTED_PROXIES: '127.0.0.0/8' } });
	const from = async (address: string) =>
		(await client(behind.base)('GET', '/account', { headers: { 'x-forwarded-for': address } })).status;
	for (let attempt = 1; attempt <= 5; attempt++) assert.equal(await from('198.51.100.7'), 401);
	assert.equal(await from('198.51.100.7'), 429);
	assert.equal(await from(`8.8.8.8, 198.51.100.7`), 429, 'a word in front changes nothing');
	assert.equal(await from('198.51.100.8'), 401);
	for (let attempt = 1; attempt <= 5; attempt++) assert.equal(await from(`2001:db8:5:5::${attempt}`), 401);
	assert.equal(await from('2001:db8:5:5:ffff::1'), 429, 'another address of the same network');
});

test('a forwarding header from a peer that is not trusted is warned of once, with the setting to add', async (t) => {
	const fresh = await world(t);
	const warnings = () => fresh.log().match(/[^\n]*TIDEMARK_TRUSTED_PROXIES[^\n]*/g) ?? [];
	await wireRequest(fresh.base, { path: '/health/live' });
	assert.equal(warnings().length, 0);
	for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Forwarded-For'])
		await wireRequest(fresh.base, { path: '/health/live', headers: [[name, '198.51.100.9']] });
	assert.equal(warnings().length, 1);
	assert.match(warnings()[0] ?? '', /"level":"warn".*set TIDEMARK_TRUSTED_PROXIES=127\.0\.0\.1\./);
	assert.doesNotMatch(fresh.log(), /198\.51\.100\.9/, "a visitor's address is in no log");
	assert.equal(trusting.log().match(/TIDEMARK_TRUSTED_PROXIES/g), null, 'nobody is warned who has set it');
});
