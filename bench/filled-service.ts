/** A service in this process whose websites are filled without the collector, for benches of statistics. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../server/config.ts';
import { callControl, controlPath } from '../server/control/call.ts';
import { maxEventsPerStatement, sealDays } from '../server/derive/seal.ts';
import type { SealDay, SealKind, SealServices } from '../server/derive/seal-types.ts';
import { addDays } from '../server/lib/local-dates.ts';
import { createLog } from '../server/lib/log.ts';
import { startService } from '../server/main.ts';
import { openPostgres } from '../server/store/postgres.ts';
import { type Filling, fillEvents } from './fill-events.ts';
import { dimensions, metrics } from './statistics-page.ts';

export const today = new Date().toISOString().slice(0, 10);

/** Days that are larger have provisional totals while they are open (server/stats/answer/plan.ts). */
const largeDay = 200_000;

export type PageQuestion = {
	websiteId?: number;
	from: string;
	to?: string;
	filter?: unknown;
	/** Dates of the comparison. */
	compared: { from: string; to: string };
	limit?: number;
};

export async function openFilledService(websites: number) {
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
	const made = await callControl(
		controlPath(config),
		'account.create',
		{ name: 'Agency', email: 'agency@example.test' },
		() => undefined,
	);
	if (!made) throw new Error('The service is not running.');
	const { account, secret } = made.result;
	await makeWebsites(pool, account.id, websites);
	const sealing: SealServices = {
		postgres,
		clickhouse,
		now: () => new Date(),
		log,
		goalsOf: async () => [],
		signal: new AbortController().signal,
		atOnce: { events: maxEventsPerStatement },
	};
	const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };

	const read = async (path: string, body?: unknown): Promise<string> => {
		const response = await fetch(`${service.address}/api/v1${path}`, {
			headers,
			...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${path}: ${text} ${JSON.stringify(body)}`);
		return text;
	};

	/** Marks days as filled, as a batch of the writer does. */
	const mark = (
		websiteIds: readonly number[],
		{ from, days, size }: { from: string; days: number; size: number },
	) =>
		pool.query(
			`INSERT INTO days (website_id, date, last_batch, size)
			SELECT id, $2::date + n, nextval('batches_number_seq'), $4 FROM unnest($1::bigint[]) AS id, generate_series(0, $3::int - 1) n
			ON CONFLICT (website_id, date) DO UPDATE SET last_batch = excluded.last_batch, size = days.size + excluded.size`,
			[websiteIds, from, days, Math.round(size)],
		);

	return {
		clickhouse,
		postgres,
		read,
		enginePid: service.pids().engine ?? 0,
		async fill(filling: Filling) {
			await fillEvents(clickhouse, filling);
			const { websiteId, from, days, events } = filling;
			await mark([websiteId], { from, days, size: events / days });
		},
		/** The statistics page: summary and comparison, series and nine breakdowns. */
		askPage: ({ websiteId = 1, from, to = today, filter, compared, limit = 10 }: PageQuestion) =>
			read(`/websites/${websiteId}/stats/query`, {
				period: 'custom',
				from,
				to,
				interval: 'day',
				compare: 'custom',
				compare_from: compared.from,
				compare_to: compared.to,
				metrics,
				...(filter != null && { filters: filter }),
				breakdowns: dimensions.map((dimension) => ({ dimension, limit })),
			}),
		/** Days that are to be sealed: all but today, of which a large one gets provisional totals. */
		async unsealed(): Promise<(SealDay & { isToday: boolean })[]> {
			const { rows } = await pool.query<{ websiteId: string; date: string }>(
				`SELECT website_id AS "websiteId", date::text AS date FROM days
				WHERE last_batch > sealed_batch AND (date < $1 OR size > $2) ORDER BY date`,
				[today, largeDay],
			);
			// Whether a bigint is a text depends on how the client was set up.
			return rows.map(({ websiteId, date }) => ({
				websiteId: Number(websiteId),
				date,
				isToday: date === today,
			}));
		},
		async seal(days: readonly SealDay[], kind: SealKind): Promise<number> {
			const began = performance.now();
			if (days.length > 0) {
				const { failures } = await sealDays(sealing, days, kind);
				if (failures[0]) throw failures[0].error;
			}
			return performance.now() - began;
		},
		async close() {
			await pool.end();
			await postgres.close();
			await service.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

export type FilledService = Awaited<ReturnType<typeof openFilledService>>;

export async function sealAll(service: FilledService): Promise<void> {
	const days = await service.unsealed();
	await service.seal(
		days.filter(({ isToday }) => !isToday),
		'whole',
	);
	await service.seal(
		days.filter(({ isToday }) => isToday),
		'provisional',
	);
}

/** The dates of as many days before the first one. */
export const spanBefore = (from: string, days: number) => ({
	from: addDays(from, -days),
	to: addDays(from, -1),
});

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
