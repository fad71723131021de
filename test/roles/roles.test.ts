/** One installation in several processes, each with a role of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { readConfig } from '../../server/config.ts';
import { type Client, send } from '../support/client.ts';
import { assertProblem, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { accountOn, type Installation, startInstallation } from '../support/installation.ts';
import { userAgentOf } from '../support/ledger.ts';
import {
	descendantsOf,
	type ServiceProcess,
	spawnService,
	temporaryFolder,
	tidemark,
	until,
} from '../support/service.ts';

const cleaning: (() => Promise<void>)[] = [];
const scope = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
let installed: Installation;
let processes: Record<'collect' | 'write' | 'api' | 'jobs', ServiceProcess>;
let api: Client;
let website: Website;

before(async () => {
	installed = await startInstallation(scope);
	// One that takes hits needs no ClickHouse, and is told of none.
	const [collect, write, pages, jobs] = await Promise.all([
		installed.start('collect', { CLICKHOUSE_URL: '' }),
		...['write', 'api', 'jobs'].map((role) => installed.start(role)),
	]);
	assert.ok(collect && write && pages && jobs);
	processes = { collect, write, api: pages, jobs };
	({ api } = await accountOn(pages));
	const form = { domain: freshDomain(), timezone: 'UTC' };
	website = websiteOf(await api('POST', '/websites', { form }), 201);
});
after(async () => {
	for (const work of cleaning) await work();
});

const hit = (base: string) =>
	send(base, 'POST', '/tm', {
		body: JSON.stringify({ w: website.id, u: `https://${website.domain}/` }),
		headers: { 'content-type': 'text/plain', 'user-agent': userAgentOf(1) },
	});

test('[C-ROLE-1] each role answers its own addresses, and for the others there is nothing', async () => {
	const answers = async (base: string) => {
		const asked = await Promise.all([
			hit(base),
			send(base, 'OPTIONS', '/tm'),
			send(base, 'GET', '/api/v1/websites'),
			send(base, 'GET', '/app/api/session'),
			send(base, 'GET', '/websites/1/badge.svg'),
			send(base, 'GET', '/docs/api'),
			send(base, 'GET', '/health/live'),
		]);
		return asked.map(({ status }) => status);
	};
	const { collect, write, api: pages, jobs } = processes;
	assert.deepEqual(await answers(collect.base), [202, 204, 404, 404, 404, 404, 200]);
	for (const { base } of [write, jobs])
		assert.deepEqual(await answers(base), [404, 404, 404, 404, 404, 404, 200]);
	const [taken, , websites, session, , page] = await answers(pages.base);
	assert.deepEqual([taken, websites, page], [404, 401, 200]);
	assert.notEqual(session, 404);
});

test('[C-ROLE-2] readiness says how each role of the process is', async () => {
	const ready = async ({ base }: ServiceProcess) => (await send(base, 'GET', '/health/ready')).json;
	assert.deepEqual(await ready(processes.collect), {
		...{ status: 'ready', roles: { collect: 'ready' }, postgres: 'up' },
	});
	for (const role of ['write', 'api', 'jobs'] as const)
		assert.deepEqual(await ready(processes[role]), {
			...{ status: 'ready', roles: { [role]: 'ready' }, postgres: 'up', clickhouse: 'up' },
		});
});

test('[C-ROLE-3] a hit at one process and an event at another are moved by a third and answered by a fourth', async () => {
	assert.equal((await hit(processes.collect.base)).status, 202);
	const sent = await api('POST', `/websites/${website.id}/events`, {
		json: { name: 'paid', url: `https://${website.domain}/paid` },
	});
	assert.ok([200, 201, 202].includes(sent.status), sent.text);
	await until(
		async () => {
			const { json } = await api(
				'GET',
				`/websites/${website.id}/stats?period=today&metrics=events,pageviews`,
			);
			const { totals } = (json as { data: { totals: { events: number; pageviews: number } } }).data;
			return totals.pageviews >= 1 && totals.events >= 1;
		},
		20_000,
		'both are counted',
	);
});

test('[C-ROLE-4] no process starts an engine of its own, and each has its own folder and control socket', async () => {
	for (const { pid } of Object.values(processes)) assert.deepEqual(descendantsOf(pid), []);
	const { collect, api: pages } = processes;
	const asked = (args: string[], { folder }: ServiceProcess) =>
		tidemark([...args, '--data', folder], { settings: installed.settings });
	const tail = await asked(['tail'], pages);
	assert.equal(tail.code, 1);
	assert.match(
		tail.stderr,
		/does not collect hits. Run the command on the data folder of a process with the role collect/,
	);
	const check = await asked(['check'], collect);
	assert.equal(check.code, 1);
	assert.match(
		check.stderr,
		/has no ClickHouse. Run the command on the data folder of a process with the role write/,
	);
	assert.match((await asked(['check'], pages)).stdout, /^No days compared/);
	assert.equal((await asked(['account', 'list'], collect)).code, 0);
	const doctor = JSON.parse((await asked(['doctor', '--json'], collect)).stdout);
	const found = (doctor.findings as { check: string; state: string; what: string }[]).filter(
		({ check }) => check !== 'settings',
	);
	assert.deepEqual(
		found.filter(({ state }) => state === 'problem'),
		[],
		'[C-DOC-4] that there is no ClickHouse is no problem of a collector',
	);
	assert.match(found.find(({ check }) => check === 'derived')?.what ?? '', /^Not checked/);
	assert.ok(pages.setupUrl() !== undefined && collect.setupUrl() === undefined);
});

test('[T61] each process listens on its own port of this machine and on no other', () => {
	const listeners = execFileSync('ss', ['-ltnpH'], { encoding: 'utf8' }).split('\n');
	for (const { pid, base } of Object.values(processes)) {
		const own = listeners.filter((line) => line.includes(`pid=${pid},`)).map((line) => line.split(/\s+/)[3]);
		assert.deepEqual(own, [new URL(base).host]);
	}
});

test('[C-ROLE-5] a process with another secret is refused and told what to do; the secret itself is in no table', async (t) => {
	const other = randomBytes(33).toString('hex');
	const refused = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings: { ...installed.settings, TIDEMARK_SECRET: other },
		args: ['--port', '0', '--role', 'collect'],
	});
	assert.equal(await refused.exited, 1);
	assert.match(refused.output(), /Set TIDEMARK_SECRET to the same value everywhere/);
	assert.ok(!refused.output().includes(other));
	const own = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings: { ...installed.settings, TIDEMARK_SECRET: '' },
		args: ['--port', '0', '--role', 'api'],
	});
	assert.equal(await own.exited, 1, 'also one that has made its own');
	const connection = new pg.Client({ connectionString: installed.postgresUrl });
	await connection.connect();
	const { rows } = await connection.query('SELECT * FROM secret_fingerprint');
	await connection.end();
	assert.equal(rows.length, 1);
	assert.equal(rows[0].fingerprint.length, 32);
	assert.ok(!rows[0].fingerprint.equals(Buffer.from(installed.settings.TIDEMARK_SECRET ?? '', 'hex')));
});

test('[C-ROLE-6] without a writer hits are still taken, and counted when there is one again', async () => {
	await processes.write.kill();
	for (let n = 0; n < 5; n++) assert.equal((await hit(processes.collect.base)).status, 202);
	const { json } = await send(processes.collect.base, 'GET', '/health/ready');
	assert.deepEqual((json as { roles: unknown }).roles, { collect: 'ready' });
	processes.write = await installed.start('write,jobs');
	await until(
		async () => {
			const { json: answer } = await api(
				'GET',
				`/websites/${website.id}/stats?period=today&metrics=pageviews`,
			);
			return (answer as { data: { totals: { pageviews: number } } }).data.totals.pageviews >= 7;
		},
		20_000,
		'all are counted',
	);
});

test('[C-ROLE-7] what a role needs and does not have is named before anything is opened', async (t) => {
	const folder = join(temporaryFolder(t), 'data');
	const refused = await tidemark(['serve', '--data', folder, '--role', 'write']);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /DATABASE_URL must be set: TIDEMARK_ROLES=write/);
	assert.match(refused.stderr, /CLICKHOUSE_URL must be set: TIDEMARK_ROLES=write/);
	assert.ok(!existsSync(folder));
	const database = { DATABASE_URL: 'postgres://127.0.0.1:1/x' };
	const read = (roles: string, more = {}) => readConfig({ TIDEMARK_ROLES: roles, ...more }).roles;
	assert.throws(() => read('collect'), /DATABASE_URL must be set: TIDEMARK_ROLES=collect/);
	assert.throws(() => read('api jobs', database), /CLICKHOUSE_URL must be set: TIDEMARK_ROLES=api,jobs/);
	for (const wrong of ['cook', ',', 'collect,cook', 'Collect'])
		assert.throws(() => read(wrong, database), /must be one or more of collect, write, api, jobs/);
	assert.deepEqual(read('collect', database), ['collect']);
	assert.deepEqual(read('jobs,api,write,collect'), ['collect', 'write', 'api', 'jobs'], 'all need no server');
});

test('[T08] a key that is revoked at one process is dead at another', async (t) => {
	const second = await installed.start('api');
	const command = async (...args: string[]) => {
		const { settings } = installed;
		const { code, stdout, stderr } = await tidemark([...args, '--data', processes.api.folder], { settings });
		assert.equal(code, 0, stderr);
		return stdout;
	};
	const { key_id, key } = JSON.parse(
		await command('key', 'create', '--account', 'a@example.test', '--name', 'K', '--json'),
	);
	const ask = ({ base }: ServiceProcess) => send(base, 'GET', '/api/v1/websites', { key });
	// Warm: whatever may be remembered of a key is remembered now.
	for (const service of [processes.api, second, second, processes.api])
		assert.equal((await ask(service)).status, 200);
	await command('key', 'revoke', String(key_id));
	const ms = await until(
		async () => (await ask(second)).status === 401,
		5_000,
		'it is dead at the other one',
	);
	t.diagnostic(`401 at the second process ${ms} ms after the command ended`);
	assertProblem(await ask(processes.api), 'unauthenticated');
	assert.equal(await second.stop(), 0);
});
