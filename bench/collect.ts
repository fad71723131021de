/**
 * Collection on one box with writer and engine running, in one process and with two workers: acknowledged events a second at full speed,
 * CPU time of each part per hit, latency at half of that speed, and whether every acknowledged event is stored once. The same hits also
 * go to a bare Fastify route that parses the body and answers 202, in turns, for a ratio. The load generator takes its share of the cores
 * in both.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../server/config.ts';
import { createPostgresLog } from '../server/event-log/postgres-log.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores } from '../server/main.ts';
import { sql } from '../server/store/sql.ts';
import { startWriter } from '../server/write/writer.ts';
import { client } from '../test/support/client.ts';
import { processesBelow } from '../test/support/package.ts';
import { cpuSeconds } from './cpu.ts';
import { cpuTimes, stealSince } from './machine.ts';
import { behindProxy, makeHits } from './mixed-hits.ts';
import { type Sent, sendAtFullSpeed, sendAtRate } from './send-hits.ts';
import { startServing } from './serving.ts';
import { median, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 30);
const rounds = Number(process.argv[3] ?? 5);
const roundSeconds = 5;
const websiteCount = 50;

const bare = await startBare();
try {
	for (const workers of [0, 2]) await measure(workers);
} finally {
	bare.stop();
}

async function measure(workers: number): Promise<void> {
	console.log(`\n${workers === 0 ? 'One process' : `${workers} workers`}`);
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
	try {
		const acknowledged = await measureService(folder, workers);
		const { stored, distinct } = await countStored(folder);
		const lost = acknowledged - distinct;
		const doubled = stored - distinct;
		console.log(`\nacknowledged ${acknowledged}, stored ${stored}: lost ${lost}, doubled ${doubled}`);
		if (lost !== 0 || doubled !== 0) process.exitCode = 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Returns the number of acknowledged hits. */
async function measureService(folder: string, workers: number): Promise<number> {
	const service = await startServing(folder, {
		TIDEMARK_WORKERS: String(workers),
		...behindProxy,
	});
	try {
		const api = client(service.base, service.key);
		const hits = makeHits(await createWebsites(api));
		const ours = { base: service.base, hits };
		const theirs = { base: bare.base, hits };
		let acknowledged = 0;
		const count = async (sending: Promise<Sent>) => {
			const sent = await sending;
			acknowledged += sent.acknowledged;
			return sent;
		};

		await count(sendAtFullSpeed({ ...ours, seconds: 5 }));
		const full = await withCpu(service.pid, () => count(sendAtFullSpeed({ ...ours, seconds })));
		printTable(
			[`full speed for ${seconds} s`, 'figure'],
			[
				['acknowledged events a second', Math.round(full.sent.perSecond)],
				['p50 ms, p99 ms', `${full.sent.p50}, ${full.sent.p99}`],
				...[...full.cpu].map(([part, micros]) => [`CPU per hit, µs: ${part}`, micros]),
			],
		);
		printTable(
			['process after the load', 'resident MB'],
			processesBelow(service.pid)
				.filter(({ name }) => !/postgres/.test(name))
				.map(({ name, rssMb }) => [name.split(' ').slice(1).join(' '), rssMb]),
		);

		const rows: { ours: Sent; theirs: Sent; ratio: number; bareMicros: number }[] = [];
		for (let round = 1; round <= rounds; round++) {
			const plain = await withCpu(bare.pid, () => sendAtFullSpeed({ ...theirs, seconds: roundSeconds }));
			const sent = await count(sendAtFullSpeed({ ...ours, seconds: roundSeconds }));
			rows.push({
				ours: sent,
				theirs: plain.sent,
				ratio: sent.perSecond / plain.sent.perSecond,
				bareMicros: plain.cpu.get('service') ?? Number.NaN,
			});
		}
		printTable(
			['round', 'Tidemark, events/s', 'p99 ms', 'bare Fastify, hits/s', 'p99 ms', 'CPU per hit, µs', 'ratio'],
			rows.map((row, index) => [
				index + 1,
				Math.round(row.ours.perSecond),
				row.ours.p99,
				Math.round(row.theirs.perSecond),
				row.theirs.p99,
				row.bareMicros,
				row.ratio.toFixed(2),
			]),
		);
		console.log(`\nmedian ratio ${median(rows.map(({ ratio }) => ratio)).toFixed(2)}`);

		await settle(api);
		const before = cpuTimes();
		const perSecond = Math.round(full.sent.perSecond / 2);
		const half = await count(sendAtRate({ ...ours, seconds, perSecond }));
		const steal = `${(100 * stealSince(before)).toFixed(1)} %`;
		printTable(
			['half load', 'acknowledged a second', 'p50 ms', 'p99 ms', 'steal'],
			[[`${perSecond} hits/s for ${seconds} s`, Math.round(half.perSecond), half.p50, half.p99, steal]],
		);
		return acknowledged;
	} finally {
		await service.stop();
	}
}

async function createWebsites(api: ReturnType<typeof client>): Promise<{ id: number; domain: string }[]> {
	const websites: { id: number; domain: string }[] = [];
	for (let n = 1; n <= websiteCount; n++) {
		const domain = `www${n}.example.com`;
		const { json } = await api('POST', '/websites', { form: { domain } });
		// The answer of create, whose shape the contract fixes.
		websites.push({ id: (json as { data: { id: number } }).data.id, domain });
	}
	return websites;
}

/** Microseconds of CPU time per hit, by part. */
async function withCpu(
	pid: number,
	send: () => Promise<Sent>,
): Promise<{ sent: Sent; cpu: Map<string, number> }> {
	const before = cpuSeconds(pid);
	const own = process.cpuUsage();
	const sent = await send();
	const { user, system } = process.cpuUsage(own);
	const used = [...cpuSeconds(pid)].map(([part, now]) => [part, now - (before.get(part) ?? 0)] as const);
	const all = [...used, ['load generator', (user + system) / 1e6] as const];
	return {
		sent,
		cpu: new Map(all.map(([part, busy]) => [part, Math.round((busy * 1e6) / sent.acknowledged)])),
	};
}

/** Waits until the count has not changed for three seconds: the writer has nothing left to do. */
async function settle(api: ReturnType<typeof client>): Promise<void> {
	for (let last = -1; ; ) {
		const { json } = await api('GET', '/account');
		// The account, whose shape the contract fixes.
		const count = (json as { data: { usage: { pageviews_this_month: number } } }).data.usage
			.pageviews_this_month;
		if (count === last) return;
		last = count;
		await sleep(3_000);
	}
}

/** Reads the folder of a service that has stopped, after writing what is left in its log. */
async function countStored(folder: string): Promise<{ stored: number; distinct: number }> {
	const log = createLog('error');
	const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: true });
	try {
		const { postgres, clickhouse } = stores;
		if (!clickhouse) throw new Error('The embedded engine did not start.');
		const eventLog = createPostgresLog(postgres, { log, maxWaiting: 1_000, maxLogBytes: 1e12 });
		const writer = startWriter({ postgres, clickhouse, eventLog, now: systemClock, log });
		await writer.drain();
		await writer.stop();
		await eventLog.close();
		const [counted] = await clickhouse.rows<{ stored: string; distinct: string }>(
			sql`SELECT count() AS stored, uniqExact(website_id, event_id) AS distinct FROM events`,
		);
		return { stored: Number(counted?.stored), distinct: Number(counted?.distinct) };
	} finally {
		await stores.close();
	}
}

async function startBare(): Promise<{ base: string; pid: number; stop(): void }> {
	const child: ChildProcess = fork(join(import.meta.dirname, 'bare-collector.ts'));
	const base = await new Promise<string>((resolve) =>
		child.once('message', (message) => resolve(String(message))),
	);
	return { base, pid: child.pid ?? 0, stop: () => child.kill() };
}
