/**
 * One installation on many processes, and what can befall it: three NATS servers, two collectors, one process that writes, answers and
 * does the jobs, a PostgreSQL server and a ClickHouse server. Between each collector and NATS, and between the writer and
 * ClickHouse, lies a net that can be broken.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openJetStreamLog } from '../../server/event-log/jetstream-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';
import { startClickHouseServer } from './clickhouse-server.ts';
import { websiteOf } from './contract.ts';
import { accountOn } from './installation.ts';
import { createLedger, eventIdOf, type Ledger, type LedgerWebsite, sendHit, type Verdict } from './ledger.ts';
import { type NatsServer, startNats } from './nats.ts';
import { createNet, type Net } from './net.ts';
import { oneSecret } from './one-secret.ts';
import { startPostgresServer } from './postgres-server.ts';
import type { Random } from './random.ts';
import { engineOf, type ServiceProcess, startServiceProcess, until } from './service.ts';
import { patience } from './timeout-factor.ts';

type Scope = { after(work: () => Promise<void>): void };

/** A process that can be killed and comes back under the same name. */
type Member = { name: string; pid(): number; killAndRestart(): Promise<void> };

export type Cluster = {
	ledger: Ledger;
	websites: LedgerWebsite[];
	nats: NatsServer[];
	collectors: (Member & { base(): string | undefined; nets: readonly Net[] })[];
	writer: Member;
	/** Between the writer and ClickHouse. */
	engineNet: Net;
	enginePid(): Promise<number>;
	/** A collector that is there. */
	base(): string | undefined;
	/** What waits in the event log. */
	lag(): Promise<{ rows: number; oldestMs: number }>;
	/** When everything that is in the log has been written. */
	judge(withinMs: number): Promise<Verdict & { gaps: number; aside: number }>;
};

const partitions = 4;
const zones = ['Pacific/Kiritimati', 'Pacific/Honolulu', 'UTC', 'Europe/Berlin'];
const silent = createLog('silent', () => undefined);

export async function startCluster(
	t: Scope,
	{ random, longestMs }: { random: Random; longestMs: number },
): Promise<Cluster> {
	const postgresServer = await startPostgresServer();
	t.after(() => postgresServer.stop());
	const clickhouseServer = await startClickHouseServer(t);
	const { servers: nats, url: natsUrl } = await startNats(t, { servers: 3 });
	const clickhouseUrl = new URL(clickhouseServer.url);
	const engineNet = await createNet(t, Number(clickhouseUrl.port));
	const settings = {
		...{ DATABASE_URL: postgresServer.url, TIDEMARK_SECRET: oneSecret, NATS_PARTITIONS: String(partitions) },
		...{ TIDEMARK_RATE_LIMIT: '100000000', TIDEMARK_WEBSITE_HIT_LIMIT: '100000000' },
	};

	async function startMember(name: string, roles: string, more: Record<string, string>) {
		const start = () =>
			startServiceProcess(t, {
				...{ settings: { ...settings, ...more }, args: ['--port', '0', '--role', roles], longestMs },
			});
		let service: ServiceProcess = await start();
		return {
			name,
			service: () => service,
			pid: () => service.pid,
			base: () => (service.hasExited() ? undefined : service.base),
			async killAndRestart() {
				await service.kill();
				service = await start();
			},
		};
	}

	const writer = await startMember('writer', 'write,api,jobs', {
		...{ NATS_URL: natsUrl, CLICKHOUSE_URL: throughPort(clickhouseServer.url, engineNet.port) },
	});
	const { api } = await accountOn(writer.service());
	const websites: LedgerWebsite[] = [];
	for (const [index, timezone] of zones.entries()) {
		const form = { domain: `w${index}.example`, timezone };
		websites.push(websiteOf(await api('POST', '/websites', { form }), 201));
	}
	const collectors = await Promise.all(
		[1, 2].map(async (number) => {
			const nets = await Promise.all(nats.map(({ port }) => createNet(t, port)));
			const urls = natsUrl.split(',').map((url, index) => throughPort(url, nets[index]?.port ?? 0));
			const member = await startMember(`collector ${number}`, 'collect', { NATS_URL: urls.join(',') });
			return { ...member, nets };
		}),
	);

	const postgres = openPostgres({ connectionString: postgresServer.url }, { log: silent, connections: 3 });
	t.after(() => postgres.close());
	const clickhouse = createClickHouse(clickhouseServer.url, { log: silent });
	t.after(() => clickhouse.close());
	const eventLog = await openJetStreamLog(postgres, {
		...{ log: silent, partitions, maxWaiting: 1, maxLogBytes: 10_000_000_000 },
		nats: { url: natsUrl, ca: undefined, monitorUrl: undefined },
	});
	t.after(() => eventLog.close());
	const ledger = createLedger();
	const count = async (table: 'log_gaps' | 'dead_letters') => {
		const [row] = await postgres.rows<{ count: number }>(
			table === 'log_gaps'
				? sql`SELECT count(*) AS count FROM log_gaps`
				: sql`SELECT count(*) AS count FROM dead_letters`,
		);
		return row?.count ?? 0;
	};

	return {
		...{ ledger, websites, nats, collectors, writer, engineNet },
		async enginePid() {
			await until(() => engineOf(process.pid) !== undefined, 30_000, 'there is an engine');
			return engineOf(process.pid) ?? 0;
		},
		base() {
			const bases = collectors.map(({ base }) => base()).filter((base) => base !== undefined);
			return bases.length === 0 ? undefined : random.pick(bases);
		},
		lag: () => eventLog.lag(),
		async judge(withinMs) {
			const late = sleep(withinMs * patience, undefined, { ref: false }).then(() => {
				throw new Error(`After ${withinMs * patience} ms the log is not written.`);
			});
			await Promise.race([eventLog.drained(), late]);
			const verdict = await ledger.judge(clickhouse);
			return { ...verdict, gaps: await count('log_gaps'), aside: await count('dead_letters') };
		},
	};
}

/** As text: the addresses of several servers are no URL. */
const throughPort = (url: string, port: number): string =>
	url.replace(/@127\.0\.0\.1:\d+/, `@127.0.0.1:${port}`);

/** What is the matter, until it is healed. `bound` is how long after that every hit must be answered 202 again. */
export type Strike = {
	/** Two at once are never at the same. */
	on: 'NATS' | 'NATS net' | 'collector' | 'writer' | 'engine' | 'engine net';
	boundMs: number;
	run(cluster: Cluster, random: Random): Promise<void>;
};

const reconnectedMs = 5_000;
/** Servers of NATS choose a leader four to nine seconds after they heard from the last one. */
const electedMs = 12_000;

const onNets = async (random: Random, nets: readonly Net[], work: (net: Net) => void) => {
	for (const net of nets) work(net);
	await sleep(500 + random.whole(4_000));
	for (const net of nets) net.heal();
};
const netsOf = (cluster: Cluster, random: Random) => random.pick(cluster.collectors).nets;

export const strikes: Record<string, Strike> = {
	'leader killed': {
		...{ on: 'NATS', boundMs: electedMs },
		async run({ nats }, random) {
			const victim = await leaderOf(nats, 1 + random.whole(partitions));
			await victim.kill();
			await sleep(random.whole(3_000));
			await victim.start();
		},
	},
	'NATS server killed': {
		...{ on: 'NATS', boundMs: electedMs },
		async run({ nats }, random) {
			const victim = random.pick(nats);
			await victim.kill();
			await sleep(random.whole(3_000));
			await victim.start();
		},
	},
	'all NATS servers killed': {
		...{ on: 'NATS', boundMs: electedMs },
		async run({ nats }) {
			await Promise.all(nats.map((server) => server.kill()));
			await Promise.all(nats.map((server) => server.start()));
		},
	},
	'leader frozen': {
		...{ on: 'NATS', boundMs: electedMs },
		async run({ nats }, random) {
			const victim = await leaderOf(nats, 1 + random.whole(partitions));
			victim.freeze();
			await sleep(random.whole(8_000));
			victim.thaw();
		},
	},
	'net of a collector cut': {
		...{ on: 'NATS net', boundMs: reconnectedMs },
		run: async (cluster, random) => onNets(random, netsOf(cluster, random), (net) => net.cut()),
	},
	'net of a collector loses what goes to NATS': {
		...{ on: 'NATS net', boundMs: reconnectedMs },
		run: async (cluster, random) => onNets(random, netsOf(cluster, random), (net) => net.lose('there')),
	},
	'net of a collector loses what comes from NATS': {
		...{ on: 'NATS net', boundMs: reconnectedMs },
		run: async (cluster, random) => onNets(random, netsOf(cluster, random), (net) => net.lose('back')),
	},
	'net of a collector slow': {
		...{ on: 'NATS net', boundMs: reconnectedMs },
		run: async (cluster, random) =>
			onNets(random, netsOf(cluster, random), (net) => net.slow(50 + random.whole(1_000))),
	},
	'collector killed': {
		...{ on: 'collector', boundMs: reconnectedMs },
		run: async ({ collectors }) => collectors[1]?.killAndRestart(),
	},
	'writer killed': {
		...{ on: 'writer', boundMs: reconnectedMs },
		run: async ({ writer }) => writer.killAndRestart(),
	},
	'engine killed': {
		...{ on: 'engine', boundMs: reconnectedMs },
		run: async ({ enginePid }) => void process.kill(await enginePid(), 'SIGKILL'),
	},
	'engine frozen': {
		...{ on: 'engine', boundMs: reconnectedMs },
		async run({ enginePid }, random) {
			const pid = await enginePid();
			process.kill(pid, 'SIGSTOP');
			await sleep(random.whole(4_000));
			process.kill(pid, 'SIGCONT');
		},
	},
	'net of the writer cut': {
		...{ on: 'engine net', boundMs: reconnectedMs },
		run: async ({ engineNet }, random) => onNets(random, [engineNet], (net) => net.cut()),
	},
	'net of the writer slow': {
		...{ on: 'engine net', boundMs: reconnectedMs },
		run: async ({ engineNet }, random) =>
			onNets(random, [engineNet], (net) => net.slow(50 + random.whole(1_000))),
	},
	// The writer waits a minute for the answer to an insert: not in a short run.
	'net of the writer loses what comes from ClickHouse': {
		...{ on: 'engine net', boundMs: reconnectedMs },
		run: async ({ engineNet }, random) => onNets(random, [engineNet], (net) => net.lose('back')),
	},
};

/** Of one stream; any server where none leads for the moment. */
async function leaderOf(nats: readonly NatsServer[], partition: number): Promise<NatsServer> {
	for (const { monitorUrl } of nats) {
		const told = await fetch(`${monitorUrl}/jsz?accounts=true&streams=true`).then(
			(answer) => answer.text(),
			() => '',
		);
		const stream = told.split(`"name": "tidemark-${partition}"`)[1] ?? '';
		const leader = /"leader": "test-(\d)"/.exec(stream)?.[1];
		const server = leader === undefined ? undefined : nats[Number(leader)];
		if (server) return server;
	}
	const [first] = nats;
	if (!first) throw new Error('There is no NATS server.');
	return first;
}

/** How long it took until each collector answered 202 for events of every partition. */
export async function untilTaken(cluster: Cluster, random: Random, withinMs: number): Promise<number> {
	const [website] = cluster.websites;
	if (!website) throw new Error('There is no website.');
	const probe = (base: string | undefined, partition: number) => {
		const id = (BigInt(eventIdOf(random)) / BigInt(partitions)) * BigInt(partitions) + BigInt(partition);
		if (base === undefined) return undefined;
		return sendHit(cluster.ledger, base, website, id.toString(), { timeoutMs: 1_000 * patience });
	};
	const lanes = cluster.collectors.flatMap(({ name, base }) =>
		Array.from({ length: partitions }, (_, partition) =>
			until(
				async () => (await probe(base(), partition)) === 202,
				withinMs,
				`hits are answered 202 again by ${name}`,
			),
		),
	);
	return Math.max(...(await Promise.all(lanes)));
}

/** What a process holds. */
export function weigh(pid: number): { rssMb: number; descriptors: number } | undefined {
	try {
		const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
		return { rssMb: Number(rss ?? 0) / 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
	} catch {
		return undefined;
	}
}
