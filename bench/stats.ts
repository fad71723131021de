/**
 * The statistics page at ten million events of one website in 30 days, today among them, beside 100 small websites, all
 * columns: one question with the summary and its comparison, the series and nine breakdowns, over HTTP. Beside each figure
 * the same statements run bare on the engine in the same round. Then how it grows in events and in days, what a seal takes,
 * and the list of 400 websites.
 *
 * npm run bench -- stats [millions of events, 10 unless said otherwise] [--grow]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../server/config.ts';
import { callControl, controlPath } from '../server/control/call.ts';
import { maxEventsPerStatement, sealDays } from '../server/derive/seal.ts';
import type { SealKind, SealServices } from '../server/derive/seal-types.ts';
import { addDays } from '../server/lib/local-dates.ts';
import { createLog } from '../server/lib/log.ts';
import { startService } from '../server/main.ts';
import { build } from '../server/stats/answer/build.ts';
import { plan, readDays } from '../server/stats/answer/plan.ts';
import type { Question } from '../server/stats/question/question.ts';
import { openPostgres } from '../server/store/postgres.ts';
import { sql } from '../server/store/sql.ts';
import { residentMb } from '../test/engine/engine.ts';
import { fillEvents } from './fill-events.ts';
import { dimensions, metrics } from './statistics-page.ts';
import { median, percentile, printTable } from './table.ts';

const millions = Number(process.argv[2] ?? 10);
const isGrowing = process.argv.includes('--grow');
const today = new Date().toISOString().slice(0, 10);
const rounds = 20;

const filters: [string, unknown, number][] = [
	['no filter', null, 150],
	['country is DE', ['is', 'country', ['DE']], 1_200],
	['source is source7', ['is', 'source', ['source7']], 1_200],
	['page is /page/0, which a third of the visits read', ['is', 'page', ['/page/0']], 700],
	['page is /page/40', ['is', 'page', ['/page/40']], 700],
];

for (const [name, planned] of plannedRuns()) {
	console.log(`\n== ${name}`);
	await run(planned);
}

type Run = { events: number; days: number; paths: number; isFull: boolean };

function plannedRuns(): [string, Run][] {
	const runOf = (events: number, days: number, paths = 2_000, isFull = false): Run => ({
		events: events * 1_000_000,
		days,
		paths,
		isFull,
	});
	const main: [string, Run] = [`${millions} million events, 30 days`, runOf(millions, 30, 2_000, true)];
	if (!isGrowing) return [main];
	return [
		main,
		['1 million events, 30 days', runOf(1, 30)],
		['3 million events, 30 days', runOf(3, 30)],
		['3 million events, 90 days', runOf(3, 90)],
		['3 million events, 365 days', runOf(3, 365)],
		['3 million events, 3 days, 1 million paths a day', runOf(3, 3, 10_000_000)],
	];
}

async function run({ events, days, paths, isFull }: Run) {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
	const config = readConfig({
		TIDEMARK_DATA: folder,
		TIDEMARK_PORT: '0',
		TIDEMARK_LOG_LEVEL: 'error',
		TIDEMARK_RATE_LIMIT: '100000000',
	});
	const log = createLog('error');
	const service = await startService(config, { log });
	const connection = service.postgresConnection;
	const { clickhouse } = service;
	if (!connection || !clickhouse) throw new Error('The bench runs on the embedded engines.');
	const postgres = openPostgres(connection, { log });
	const pool = new pg.Pool({ ...connection, max: 4 });
	pool.on('error', () => undefined);
	try {
		const made = await callControl(
			controlPath(config),
			'account.create',
			{ name: 'Agency', email: 'agency@example.test' },
			() => undefined,
		);
		if (!made) throw new Error('The service is not running.');
		const { account, secret } = made.result;
		const first = addDays(today, 1 - days);
		await makeWebsites(pool, account.id, isFull ? 401 : 101);
		await fillEvents(clickhouse, { websiteId: 1, from: first, days, events, paths });
		await markDays(pool, [1], { first, days, size: events / days });
		const small = isFull ? 400 : 100;
		const listed = isFull ? 90 : 30;
		const firstOfSmall = addDays(today, 1 - listed);
		for (let id = 2; id <= small + 1; id++)
			await fillEvents(clickhouse, {
				websiteId: id,
				from: firstOfSmall,
				days: listed,
				events: 1_400,
				paths: 50,
			});
		await markDays(
			pool,
			Array.from({ length: small }, (_, n) => n + 2),
			{ first: firstOfSmall, days: listed, size: 15 },
		);
		await sealAll(
			{
				postgres,
				clickhouse,
				now: () => new Date(),
				log,
				goalsOf: async () => [],
				signal: new AbortController().signal,
				atOnce: { events: maxEventsPerStatement },
			},
			pool,
		);
		await timePages(secret, first);
		if (isFull) await timeLists(secret);
		const engine = service.pids().engine;
		console.log(
			`\nresident: engine ${engine ? Math.round(residentMb(engine)) : '?'} MB, this process ${Math.round(residentMb(process.pid))} MB`,
		);
	} finally {
		await pool.end();
		await postgres.close();
		await service.stop();
		rmSync(folder, { recursive: true, force: true });
	}

	async function ask(secret: string, filter: unknown, from: string): Promise<number> {
		const began = performance.now();
		const response = await fetch(`${service.address}/api/v1/websites/1/stats/query`, {
			method: 'POST',
			headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
			body: JSON.stringify({
				period: 'custom',
				from,
				to: today,
				interval: 'day',
				compare: 'custom',
				compare_from: from,
				compare_to: today,
				metrics,
				...(filter !== null && { filters: filter }),
				breakdowns: dimensions.map((dimension) => ({ dimension, limit: 10 })),
			}),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${JSON.stringify(filter)}: ${text}`);
		return performance.now() - began;
	}

	/** The statements of the same question, with what opens today already done. */
	async function askBare(filter: unknown, from: string): Promise<number> {
		const question = toBareQuestion(filter, from, days);
		const known = await readDays(postgres, 1, [question.span]);
		const planned = plan(question, known);
		const open = await openGenerations();
		const { totals: whole, breakdowns } = build(question, planned, open);
		const statements = [...whole, ...breakdowns.map((breakdown) => breakdown.sql)];
		const began = performance.now();
		const queue = [...statements];
		await Promise.all(
			[0, 1].map(async () => {
				for (let next = queue.shift(); next; next = queue.shift()) await clickhouse?.ask(next);
			}),
		);
		return performance.now() - began;
	}

	/** The newest runs of today that the service found. */
	async function openGenerations() {
		const rows = await clickhouse?.rows<{ date: string; generation: string }>(
			sql`SELECT date, max(generation) AS generation FROM open_visits WHERE website_id = 1 GROUP BY date`,
		);
		return new Map(
			(rows ?? []).map(({ date, generation }) => [date, { generation: BigInt(generation), at: new Date() }]),
		);
	}

	async function timePages(secret: string, from: string) {
		const rows: (string | number)[][] = [];
		for (const [name, filter, wanted] of filters) {
			await ask(secret, filter, from);
			const ours: number[] = [];
			const bare: number[] = [];
			for (let round = 0; round < rounds; round++) {
				ours.push(await ask(secret, filter, from));
				bare.push(await askBare(filter, from));
			}
			console.log(`${name}: ${Math.round(median(ours))} ms`);
			rows.push([
				name,
				Math.round(median(ours)),
				Math.round(percentile(ours, 0.95)),
				wanted,
				Math.round(median(bare)),
				Number((median(ours) / median(bare)).toFixed(2)),
			]);
		}
		printTable(
			['statistics page', 'median ms', 'p95 ms', 'wanted p95', 'bare engine, median ms', 'ratio'],
			rows,
		);
	}

	async function timeLists(secret: string) {
		const times: number[] = [];
		for (let round = 0; round < rounds; round++) {
			const began = performance.now();
			const from = addDays(today, -89);
			const response = await fetch(
				`${service.address}/api/v1/stats?period=custom&from=${from}&to=${today}&per_page=100&sort_by=visitors`,
				{ headers: { authorization: `Bearer ${secret}` } },
			);
			const text = await response.text();
			if (!response.ok) throw new Error(text);
			times.push(performance.now() - began);
		}
		printTable(
			['list of 400 websites, 90 days', 'ms'],
			[
				['median', Math.round(median(times))],
				['p95', Math.round(percentile(times, 0.95))],
			],
		);
	}
}

async function makeWebsites(pool: pg.Pool, accountId: number, count: number) {
	await pool.query(
		`INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, favorite, timezone, created_at, updated_at)
		SELECT $1, 'site' || n || '.example.com', 1, false, true, false, 'UTC', now(), now() FROM generate_series(1, $2::int) n`,
		[accountId, count],
	);
	await pool.query(
		`INSERT INTO website_zones (website_id, from_date, zone) SELECT id, '0001-01-01', timezone FROM websites`,
	);
	await pool.query('UPDATE accounts SET website_count = $2 WHERE id = $1', [accountId, count]);
}

async function markDays(
	pool: pg.Pool,
	websiteIds: readonly number[],
	{ first, days, size }: { first: string; days: number; size: number },
) {
	await pool.query(
		`INSERT INTO days (website_id, date, last_batch, size)
		SELECT id, $2::date + n, nextval('batches_number_seq'), $4 FROM unnest($1::bigint[]) AS id, generate_series(0, $3::int - 1) n`,
		[websiteIds, first, days, Math.round(size)],
	);
}

/** Seals all days but today, of which a large one gets provisional totals; the times are for one day each. */
async function sealAll(services: SealServices, pool: pg.Pool) {
	const { rows } = await pool.query<{ websiteId: string; date: string; size: string }>(
		`SELECT website_id AS "websiteId", date::text AS date, size FROM days WHERE date < $1 OR size > 200000 ORDER BY date`,
		[today],
	);
	const daysOf = (isWanted: (row: { websiteId: string; date: string }) => boolean) =>
		rows.filter(isWanted).map(({ websiteId, date }) => ({ websiteId: Number(websiteId), date }));
	const times: [string, number][] = [];
	const seal = async (name: string, days: { websiteId: number; date: string }[], kind: SealKind) => {
		if (days.length === 0) return;
		const began = performance.now();
		const { failures } = await sealDays(services, days, kind);
		if (failures[0]) throw failures[0].error;
		times.push([name, Math.round(performance.now() - began)]);
	};
	// Whether a bigint is a text depends on how the client was set up.
	const isLarge = ({ websiteId }: { websiteId: string }) => Number(websiteId) === 1;
	const isToday = ({ date }: { date: string }) => date === today;
	const lastDay = addDays(today, -1);
	await seal(
		'one day of the large website',
		daysOf((row) => isLarge(row) && row.date === lastDay),
		'whole',
	);
	await seal(
		'one day of the small websites',
		daysOf((row) => !isLarge(row) && row.date === lastDay),
		'whole',
	);
	await seal(
		'the large one, today, provisional',
		daysOf((row) => isLarge(row) && isToday(row)),
		'provisional',
	);
	await seal(
		'all others',
		daysOf((row) => row.date !== lastDay && !isToday(row)),
		'whole',
	);
	printTable(['seal of', 'ms'], times);
}

function toBareQuestion(filter: unknown, from: string, days: number): Question {
	const test = Array.isArray(filter)
		? {
				kind: 'test' as const,
				dimension: { name: filter[1] },
				test: 'is' as const,
				values: filter[2],
			}
		: null;
	const span = { from, to: today, startMs: null, endMs: null };
	const dates = Array.from({ length: days }, (_, n) => addDays(from, n));
	return {
		website: {
			id: 1,
			zones: [{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone: 'UTC' }],
			rawFrom: null,
			resetAt: null,
			goals: [],
		},
		span,
		compared: span,
		buckets: dates.map((date) => ({
			time: date,
			from: date,
			to: date,
			startMs: null,
			endMs: null,
			isUnfinished: false,
		})),
		comparedBuckets: null,
		metrics,
		filter: test,
		goal: null,
		breakdowns: dimensions.map((name) => ({
			dimension: { name },
			sort: { by: 'visitors', descending: true },
			search: null,
			offset: 0,
			limit: 10,
		})),
	};
}
