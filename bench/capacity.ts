/**
 * What an event and a question cost each part, measured on this machine, and what loads of four sizes need by that. What is
 * assumed beside it is printed too. The costs are those of cores, not of time: what else runs here makes them a little larger.
 *
 * npm run bench -- capacity [seconds of load, 20 unless said otherwise]
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { type Config, readConfig } from '../server/config.ts';
import { fillDemo } from '../server/demo/fill-demo.ts';
import { maxEventsPerStatement, sealDays } from '../server/derive/seal.ts';
import { createPostgresLog } from '../server/event-log/postgres-log.ts';
import { systemClock } from '../server/lib/clock.ts';
import { addDays } from '../server/lib/local-dates.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores, type Stores, startService } from '../server/main.ts';
import type { ClickHouse } from '../server/store/clickhouse.ts';
import type { Postgres } from '../server/store/postgres.ts';
import { identifier, param, sql, value } from '../server/store/sql.ts';
import { startWriter } from '../server/write/writer.ts';
import { client } from '../test/support/client.ts';
import { processesBelow } from '../test/support/package.ts';
import { assumed, type Costs, limits, needs, sizes } from './capacity-model.ts';
import { cpuMs } from './cpu.ts';
import { fillEvents } from './fill-events.ts';
import { makeLoggedEvents } from './logged-events.ts';
import { startServing } from './serving.ts';
import { dimensions, metrics } from './statistics-page.ts';
import { printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 20);
const largeEvents = 900_000;
const repetitions = 15;
const log = createLog('error');
const today = new Date().toISOString().slice(0, 10);

const served = await withFolder(measureServing);
const stored = await withFolder(measureStoring);
const costs: Costs = { ...served, ...stored, collectorUs: Math.max(1, served.serviceUs - stored.writerUs) };
printCosts(costs);

/** The whole service under load: what each process computes for an event, and how large it is. */
async function measureServing(folder: string) {
	const service = await startServing(folder);
	try {
		const api = client(service.base, service.key);
		const created = await api('POST', '/websites', { form: { domain: 'example.com' } });
		// The answer of create, whose shape the contract fixes.
		const websiteId = (created.json as { data: { id: number } }).data.id;
		await load(service.base, websiteId, 3);
		await sleep(3_000);
		const parts = () => byPart(service.pid);
		const before = parts();
		const { acknowledged, bodyBytes } = await load(service.base, websiteId, seconds);
		// The writer moves what is left within a second or two.
		await sleep(4_000);
		const after = parts();
		const us = (part: keyof typeof after) =>
			((after[part].cpuMs - before[part].cpuMs) * 1_000) / acknowledged;
		return {
			acknowledgedPerSecond: acknowledged / seconds,
			serviceUs: us('service'),
			postgresUs: us('postgres'),
			insertUs: us('engine'),
			hitBytes: bodyBytes,
			serviceMb: after.service.rssMb,
			engineMb: after.engine.rssMb,
			postgresMb: after.postgres.rssMb,
		};
	} finally {
		await service.stop();
	}
}

/** The writer, seals and questions in this process, beside an engine of its own. */
async function measureStoring(folder: string) {
	const config = readConfig({
		...{
			TIDEMARK_DATA: folder,
			TIDEMARK_PORT: '0',
			TIDEMARK_LOG_LEVEL: 'error',
			TIDEMARK_RATE_LIMIT: '100000000',
		},
	});
	const stores = await openStores(config, { log, statistics: true });
	const stored = await measureStores(stores).finally(() => stores.close());
	return { ...stored, ...(await measureQuestions(config, stored)) };
}

async function measureStores({ postgres, clickhouse, pids }: Stores) {
	if (!clickhouse) throw new Error('There is no ClickHouse.');
	const enginePid = pids().engine ?? 0;
	let key = '';
	const demo = await fillDemo(
		{ postgres, clickhouse, now: systemClock },
		{ email: undefined, domain: 'example.com', days: 90 },
		{
			report: () => undefined,
			tell: ({ secret }) => {
				key = secret;
			},
			gone: new AbortController().signal,
		},
	);
	await sealAll(postgres, clickhouse, demo.websiteId);
	const diskBytes = (await bytesOf(clickhouse, ['events', 'visits', 'totals'])) / demo.events;
	const large = await addWebsite(postgres, demo.websiteId);
	const written = await measureWriter(postgres, clickhouse, { websiteId: demo.websiteId, enginePid });
	const from = addDays(today, -30);
	await fillEvents(clickhouse, { websiteId: large, from, days: 30, events: largeEvents, paths: 2_000 });
	await postgres.run(sql`
		INSERT INTO days (website_id, date, last_batch, size)
		SELECT ${value(large)}, ${value(from)}::date + n, nextval('batches_number_seq'), ${value(largeEvents / 30)}
		FROM generate_series(0, 29) n`);
	const before = cpuMs(enginePid);
	const sealed = await sealAll(postgres, clickhouse, large);
	const sealUs = ((cpuMs(enginePid) - before) * 1_000) / sealed;
	return { ...written, sealUs, diskBytes, key, small: demo.websiteId, large };
}

/** The days of a website before today; how many events they have. */
async function sealAll(postgres: Postgres, clickhouse: ClickHouse, websiteId: number): Promise<number> {
	const days = await postgres.rows<{ websiteId: number; date: string; size: number }>(sql`
		SELECT website_id AS "websiteId", date::text AS date, size FROM days
		WHERE website_id = ${value(websiteId)} AND date < ${value(today)}::date ORDER BY date`);
	const { failures } = await sealDays(
		{
			...{ postgres, clickhouse, now: systemClock, log, goalsOf: async () => [] },
			...{ signal: new AbortController().signal, atOnce: { events: maxEventsPerStatement } },
		},
		days,
		'whole',
	);
	if (failures[0]) throw failures[0].error;
	return days.reduce((sum, { size }) => sum + size, 0);
}

/** On disk, merged. */
async function bytesOf(clickhouse: ClickHouse, tables: readonly string[]): Promise<number> {
	for (const table of tables) await clickhouse.command(sql`OPTIMIZE TABLE ${identifier(table)} FINAL`);
	const [parts] = await clickhouse.rows<{ bytes: string }>(
		sql`SELECT sum(bytes_on_disk) AS bytes FROM system.parts
			WHERE database = currentDatabase() AND active AND table IN ${param('Array(String)', tables)}`,
		{ as: 'migrate' },
	);
	return Number(parts?.bytes);
}

/** Another one of the same account. */
async function addWebsite(postgres: Postgres, like: number): Promise<number> {
	const [website] = await postgres.rows<{ id: number }>(sql`
		INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
		SELECT account_id, 'large.example.com', 1, false, true, 'UTC', now(), now() FROM websites WHERE id = ${value(like)}
		RETURNING id`);
	const id = website?.id ?? 0;
	await postgres.run(
		sql`INSERT INTO website_zones (website_id, from_date, zone) VALUES (${value(id)}, '0001-01-01', 'UTC')`,
	);
	return id;
}

async function measureWriter(
	postgres: Postgres,
	clickhouse: ClickHouse,
	{ websiteId, enginePid }: { websiteId: number; enginePid: number },
) {
	const count = 200_000;
	const eventLog = createPostgresLog(postgres, { log, maxWaiting: 1_000_000, maxLogBytes: 1e12 });
	const events = makeLoggedEvents(count, { websiteId, first: 0, date: addDays(today, -1) });
	const wal = async () =>
		(
			await postgres.rows<{ at: number }>(
				sql`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS at`,
			)
		)[0]?.at ?? 0;
	const walBefore = await wal();
	for (let start = 0; start < count; start += 500) await eventLog.append(events.slice(start, start + 500));
	const walBytes = ((await wal()) - walBefore) / count;
	const keptBefore = await bytesOf(clickhouse, ['events']);
	const writtenBefore = diskWritten(enginePid);
	const began = process.cpuUsage();
	const writer = startWriter({ postgres, clickhouse, eventLog, now: systemClock, log });
	await writer.drain();
	await writer.stop();
	const used = process.cpuUsage(began);
	const keptAfter = await bytesOf(clickhouse, ['events']);
	await eventLog.close();
	return {
		writerUs: (used.user + used.system) / count,
		walBytes,
		lineBytes: events.reduce((sum, { line }) => sum + line.length, 0) / count,
		writtenPerKept: (diskWritten(enginePid) - writtenBefore) / Math.max(1, keptAfter - keptBefore),
	};
}

/** A statistics page: summary, series and nine breakdowns; of sealed days, and with a filter. */
async function measureQuestions(
	config: Config,
	{ key, small, large }: { key: string; small: number; large: number },
) {
	const service = await startService(config, { log });
	const ask = async (websiteId: number, filters: unknown) => {
		const response = await fetch(`${service.address}/api/v1/websites/${websiteId}/stats/query`, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: JSON.stringify({
				...{ period: 'custom', from: addDays(today, -30), to: addDays(today, -1), interval: 'day', metrics },
				...(filters !== null && { filters }),
				breakdowns: dimensions.map((dimension) => ({ dimension, limit: 10 })),
			}),
		});
		if (!response.ok) throw new Error(await response.text());
		await response.arrayBuffer();
	};
	const used = () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1_000 + cpuMs(service.pids().engine ?? 0);
	};
	const page = async (websiteId: number, filters: unknown) => {
		await ask(websiteId, filters);
		const before = used();
		for (let n = 0; n < repetitions; n++) await ask(websiteId, filters);
		return (used() - before) / repetitions;
	};
	const filter = ['is', 'country', ['DE']];
	try {
		return {
			smallFromTotalsMs: await page(small, null),
			smallFromRunsMs: await page(small, filter),
			fromTotalsMs: await page(large, null),
			fromRunsMs: await page(large, filter),
		};
	} finally {
		await service.stop();
	}
}

/** 64 connections, as fast as they are answered. */
async function load(base: string, websiteId: number, duration: number) {
	let next = 0;
	let bytes = 0;
	const result = await autocannon({
		...{ url: `${base}/tm`, connections: 64, duration },
		requests: [
			{
				method: 'POST',
				setupRequest: (request) => {
					const n = next++;
					const body = JSON.stringify({
						...{ w: websiteId, i: randomBytes(8).toString('hex'), n: 'pageview', t: 'A page', x: 1440 },
						...{
							u: `https://example.com/page/${n % 500}?utm_source=news&x=${n % 7}`,
							r: 'https://www.google.com/',
						},
					});
					bytes += body.length;
					const agent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (n % 40)}.0.${n % 200}.0 Safari/537.36`;
					return { ...request, headers: { 'content-type': 'text/plain', 'user-agent': agent }, body };
				},
			},
		],
	});
	if (result.errors > 0 || result.non2xx > 0)
		console.log(`${result.errors} errors, ${result.non2xx} answers were not 2xx`);
	return { acknowledged: result['2xx'], bodyBytes: bytes / next };
}

/** Processes of a service by what they are. */
function byPart(pid: number) {
	const parts = {
		service: { cpuMs: 0, rssMb: 0 },
		engine: { cpuMs: 0, rssMb: 0 },
		postgres: { cpuMs: 0, rssMb: 0 },
	};
	for (const { pid: childPid, name, rssMb } of processesBelow(pid)) {
		const part = /postgres/.test(name)
			? parts.postgres
			: / engine\b/.test(name)
				? parts.engine
				: parts.service;
		part.cpuMs += cpuMs(childPid);
		part.rssMb += rssMb;
	}
	return parts;
}

/** What a process had the disk write. */
function diskWritten(pid: number): number {
	return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

function printCosts(costs: Costs) {
	const us = (number: number) => `${number.toFixed(1)} µs`;
	const ms = (number: number) => `${number.toFixed(0)} ms`;
	const bytes = (number: number) => `${number.toFixed(0)} bytes`;
	console.log(
		`${new Date().toISOString().slice(0, 16)}Z, ${cpus()[0]?.model}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(0)}`,
	);
	printTable(
		['cost', 'of a core, or in bytes'],
		[
			['an event: the collector', us(costs.collectorUs)],
			['an event: PostgreSQL, log and bookkeeping', us(costs.postgresUs)],
			['an event: the writer', us(costs.writerUs)],
			['an event: ClickHouse, insert and merges', us(costs.insertUs)],
			['an event: ClickHouse, one seal', us(costs.sealUs)],
			[
				'a statistics page from totals: small website, large one',
				`${ms(stored.smallFromTotalsMs)}, ${ms(costs.fromTotalsMs)}`,
			],
			[
				'a statistics page from runs: small website, large one',
				`${ms(stored.smallFromRunsMs)}, ${ms(costs.fromRunsMs)}`,
			],
			[
				'an event: body of the hit, line in the log, written to its WAL',
				[costs.hitBytes, costs.lineBytes, costs.walBytes].map(bytes).join(', '),
			],
			['an event on disk: events, visits and totals, merged', bytes(costs.diskBytes)],
			['ClickHouse writes for each byte that stays', costs.writtenPerKept.toFixed(1)],
			[
				'memory under load: service, engine, PostgreSQL',
				`${costs.serviceMb}, ${costs.engineMb}, ${costs.postgresMb} MB`,
			],
			['acknowledged a second, load generator beside it', served.acknowledgedPerSecond.toFixed(0)],
		],
	);
	printTable(
		['what can be only one, at a mean of', 'events a second'],
		limits(costs, availableParallelism()),
	);
	console.log(`\nassumed: ${JSON.stringify(assumed)}`);
	printTable(
		['events a second, as a mean', ...sizes.map(({ name }) => name)],
		needs(costs).map(({ what, perSize }) => [what, ...perSize]),
	);
}

async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
	try {
		return await work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
