/** How fast a change reaches the other processes of an installation, also when the line on which they hear of it is dead. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Client, send } from '../support/client.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { freePort } from '../support/free-port.ts';
import { accountOn, type Installation, startInstallation } from '../support/installation.ts';
import { userAgentOf } from '../support/ledger.ts';
import { type ServiceProcess, until } from '../support/service.ts';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { visitor } from '../support/visitor.ts';

const cleaning: (() => Promise<void>)[] = [];
const scope = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
let installed: Installation;
let proxy: TcpProxy;
let collectors: ServiceProcess[];
let [here, there]: (ServiceProcess | undefined)[] = [];
let api: Client;
let website: Website;

before(async () => {
	installed = await startInstallation(scope);
	const through = new URL(installed.postgresUrl);
	proxy = createTcpProxy(scope, Number(through.port), await freePort());
	await proxy.open();
	through.port = String(proxy.port);
	const behind = { DATABASE_URL: through.href };
	const [first, second, ...collecting] = await Promise.all([
		installed.start('api,jobs'),
		installed.start('api', behind),
		installed.start('collect', behind),
		installed.start('collect', behind),
	]);
	[here, there, collectors] = [first, second, collecting];
	({ api } = await accountOn(first));
});
after(async () => {
	for (const work of cleaning) await work();
});

const makeWebsite = async (fields: Record<string, string> = {}) =>
	websiteOf(
		await api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC', ...fields } }),
		201,
	);

type Seen = { status: number; dropped: string | undefined };

async function hit({ base }: ServiceProcess, url = `https://${website.domain}/`): Promise<Seen> {
	const { status, headers } = await send(base, 'POST', '/tm', {
		body: JSON.stringify({ w: website.id, u: url }),
		headers: { 'content-type': 'text/plain', 'user-agent': userAgentOf(1) },
	});
	return { status, dropped: headers['x-tidemark-dropped'] };
}

/** Does something at one process and says how long the slowest collector took to follow, with what it knew warm. */
async function reach(
	change: () => Promise<unknown>,
	isSo: (service: ServiceProcess) => Promise<boolean>,
	rightBefore: () => Promise<void> = async () => undefined,
) {
	for (const service of collectors) assert.equal(await isSo(service), false, 'not before');
	await rightBefore();
	await change();
	const began = performance.now();
	await Promise.all(
		collectors.map((service) => until(() => isSo(service), 10_000, 'it is so at a collector')),
	);
	return Math.round(performance.now() - began);
}

/** What was answered is counted once a change is done, so its own time is not in it. */
const withinMs = 1_000;

async function changeEverything(rightBefore?: () => Promise<void>): Promise<Record<string, number>> {
	const settings = (form: Record<string, string>) => api('PUT', `/websites/${website.id}/settings`, { form });
	const update = (form: Record<string, string>) => api('PUT', `/websites/${website.id}`, { form });
	const times: Record<string, number> = {};
	const foreign = 'https://other.example/';
	const steps: [string, () => Promise<unknown>, (service: ServiceProcess) => Promise<boolean>][] = [
		[
			'hostnames',
			() => settings({ hostnames: `other.example\n${website.domain}` }),
			async (service) => (await hit(service, foreign)).dropped === undefined,
		],
		[
			'exclude_ips',
			() => update({ exclude_ips: '127.0.0.1' }),
			async (service) => (await hit(service)).dropped !== undefined,
		],
		[
			'no exclude_ips',
			() => update({ exclude_ips: '' }),
			async (service) => (await hit(service)).dropped === undefined,
		],
		[
			'delete',
			() => api('DELETE', `/websites/${website.id}`),
			async (service) => (await hit(service)).status === 404,
		],
	];
	for (const [name, change, isSo] of steps) times[name] = await reach(change, isSo, rightBefore);
	return times;
}

test('[C-ROLE-9] hostnames, exclusions and deletion hold at both collectors within a second', async (t) => {
	website = await makeWebsite();
	const times = await changeEverything();
	t.diagnostic(JSON.stringify(times));
	for (const [name, ms] of Object.entries(times)) assert.ok(ms < withinMs, `${name}: ${ms} ms`);
});

const line = /LISTEN "tidemark_websites"/;

/** Cuts the lines on which both collectors, and the second process that answers, hear of changes: none of them is told. */
async function cut() {
	await until(() => proxy.count(line) === 3, 20_000, 'all three hear again');
	proxy.freeze(line);
}

test('[C-ROLE-9] the same while the line on which they hear of it is cut without a word', async (t) => {
	website = await makeWebsite();
	const times = await changeEverything(cut);
	t.diagnostic(JSON.stringify(times));
	for (const [name, ms] of Object.entries(times)) assert.ok(ms < withinMs, `${name}: ${ms} ms`);
});

test('[C-ROLE-9] a line that is cut while it is being opened is opened again', async () => {
	await cut();
	await proxy.freezeNext(line);
	await until(() => proxy.count(line) === 3, 20_000, 'all three hear again');
});

test('[C-ROLE-9] a reset reaches both collectors within a second, also while they are deaf', async (t) => {
	website = await makeWebsite();
	// An event of half a minute ago, which a reset erases.
	const isErased = async ({ base }: ServiceProcess) => {
		const { headers } = await send(base, 'POST', '/tm', {
			body: JSON.stringify({ w: website.id, u: `https://${website.domain}/`, a: 30_000 }),
			headers: { 'content-type': 'text/plain', 'user-agent': userAgentOf(2) },
		});
		return headers['x-tidemark-dropped'] === 'erased';
	};
	const ms = await reach(() => api('POST', `/websites/${website.id}/reset`), isErased, cut);
	t.diagnostic(`${ms} ms`);
	assert.ok(ms < withinMs, `${ms} ms`);
});

test('[F41] public, private and another password hold at two API processes within a second, caches warm', async (t) => {
	assert.ok(here && there);
	website = await makeWebsite({ privacy: '0' });
	const stranger = visitor(() => there?.base ?? '');
	const look = async () =>
		(await stranger('GET', `/websites/${website.id}/stats?period=today&metrics=visitors`)).status;
	const badge = async () => (await stranger('GET', `/websites/${website.id}/badge.svg`)).status;
	for (let n = 0; n < 3; n++) assert.deepEqual([await look(), await badge()], [200, 200]);
	const set = (form: Record<string, string>) => api('PUT', `/websites/${website.id}`, { form });
	const times: number[] = [];
	const reaches = async (form: Record<string, string>, isSo: () => Promise<boolean>) => {
		assert.equal((await set(form)).status, 200);
		times.push(await until(isSo, 5_000, `it holds: ${Object.keys(form)}`));
	};
	await reaches({ privacy: '1' }, async () => (await look()) !== 200 && (await badge()) !== 200);
	await reaches({ privacy: '2', password: 'the first of two' }, async () => (await look()) === 401);
	const unlock = (password: string) =>
		stranger('POST', `/websites/${website.id}/unlock`, { json: { password } });
	assert.equal((await unlock('the first of two')).status, 200);
	for (let n = 0; n < 3; n++) assert.equal(await look(), 200);
	await reaches({ privacy: '2', password: 'the second of two' }, async () => (await look()) !== 200);
	assert.equal((await unlock('the first of two')).status, 422);
	assert.equal((await unlock('the second of two')).status, 200);
	t.diagnostic(`${times.join(', ')} ms`);
	for (const ms of times) assert.ok(ms < withinMs, `${ms} ms`);
});
