/** Stores of their own without a service: seals are run by hand, and batches are written as the writer does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../server/accounts/accounts.ts';
import { readConfig } from '../../server/config.ts';
import { maxEventsPerStatement, type SealOptions, sealDays } from '../../server/derive/seal.ts';
import type { SealDay, SealKind, SealServices } from '../../server/derive/seal-types.ts';
import type { PendingEvents } from '../../server/event-log/event-log.ts';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import type { Event } from '../../server/ingest/event.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { listCountedGoals } from '../../server/stats/question/goals.ts';
import type { StatsWebsite } from '../../server/stats/question/question.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { importWebsites } from '../../server/websites/import-websites.ts';
import { toZones } from '../../server/websites/zones.ts';
import { closeBatch, noLogRange, openBatch } from '../../server/write/batch.ts';
import { strictServerFor } from './clickhouse-server.ts';
import { copyTemplate } from './template.ts';

export type DayRow = {
	date: string;
	last_batch: number;
	sealed_batch: number;
	generation: number;
	size: number;
	sealed_at: Date | null;
	capped: string[];
	goal_revision: number;
	provisional_generation: number;
	provisional_batch: number;
	provisional_capped: string[];
};

/** A row of `totals`; 64-bit numbers are texts. */
export type TotalsRow = Record<string, unknown> & { dimension: string; value: string; is_other: 0 | 1 };

/** What seals and jobs need, on any stores. */
export const sealServices = (
	of: Pick<SealServices, 'postgres' | 'clickhouse' | 'now' | 'log'>,
): SealServices & { eventLog: PendingEvents } => ({
	...of,
	eventLog: pendingInTable(of.postgres),
	signal: new AbortController().signal,
	goalsOf: (websiteIds) => listCountedGoals(of.postgres, websiteIds),
	atOnce: { events: maxEventsPerStatement },
});

/** The days of events, with how many each has. */
export const daysOf = (events: readonly Event[]): (SealDay & { events: number })[] =>
	[...Map.groupBy(events, ({ website_id, date }) => `${website_id} ${date}`).values()].flatMap(
		([first, ...rest]) =>
			first ? [{ websiteId: first.website_id, date: first.date, events: 1 + rest.length }] : [],
	);

export async function openSealing(
	t: { after(work: () => Promise<void>): void },
	settings: Record<string, string> = {},
) {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
	copyTemplate(folder);
	const lines: string[] = [];
	const log = createLog('debug', (line) => lines.push(line));
	const cleaning: (() => Promise<void>)[] = [];
	const strict = settings.CLICKHOUSE_URL
		? undefined
		: await strictServerFor({ after: (work) => void cleaning.push(work) }, folder);
	const config = readConfig({
		...{ TIDEMARK_DATA: folder, TIDEMARK_ENGINE_MEMORY_MB: '700' },
		...strict?.settings,
		...settings,
	});
	const stores = await openStores(config, { log, statistics: true });
	t.after(async () => {
		await stores.close();
		for (const clean of cleaning) await clean();
		rmSync(folder, { recursive: true, force: true });
	});
	const { postgres, clickhouse } = stores;
	if (!clickhouse) throw new Error('The stores have no ClickHouse.');
	const clock = { now: new Date() };
	const now = () => clock.now;
	const services = sealServices({ postgres, clickhouse, now, log });
	const { account } = await postgres.transaction((tx) =>
		createAccount(tx, now, { name: 'A test account', email: 'sealing@example.test' }),
	);
	let websites = 0;
	let inserts = 0;

	const insert = async (events: readonly Event[]) => {
		const lines = events.map((event) => JSON.stringify(event)).join('\n');
		await clickhouse.insert({ table: 'events', lines, token: `sealing ${++inserts}` });
	};
	const number = (events: readonly Event[]): Promise<number> =>
		postgres.transaction((tx) => openBatch(tx, noLogRange, daysOf(events)));
	/** Gives a stored website the time zones and the reset of a random one. */
	const configure = async ({ id, zones, resetAt }: Pick<StatsWebsite, 'id' | 'zones' | 'resetAt'>) => {
		await postgres.run(sql`DELETE FROM website_zones WHERE website_id = ${value(id)}`);
		for (const { from, zone } of zones)
			await postgres.run(
				sql`INSERT INTO website_zones VALUES (${value(id)}, ${value(from)}::date, ${value(zone)})`,
			);
		if (resetAt !== null)
			await postgres.run(sql`
				INSERT INTO tombstones (website_id, until_seq, is_reset, created_at)
				VALUES (${value(id)}, 0, true, ${value(new Date(resetAt))})`);
	};

	return {
		services,
		postgres,
		clickhouse,
		/** Set it to move time. */
		clock,
		config,
		enginePid: () => stores.pids().engine ?? strict?.enginePid() ?? 0,
		log: () => lines.join(''),
		configure,
		async website(zones: readonly { from: string; zone: string }[] = [{ from: '0001-01-01', zone: 'UTC' }]) {
			const [made] = await importWebsites(
				postgres,
				now,
				account.id,
				[{ domain: `w${++websites}.example` }],
				() => undefined,
			);
			if (!made) throw new Error('No website was made.');
			await configure({ id: made.id, zones: toZones(zones), resetAt: null });
			return made.id;
		},
		/** One batch from its number to its end. */
		async write(events: readonly Event[]) {
			if (events.length === 0) return;
			const batch = await number(events);
			await insert(events);
			await closeBatch(postgres, batch);
		},
		/** The parts of it. */
		number,
		insert,
		close: (batch: number) => closeBatch(postgres, batch),
		async seal(
			days: readonly SealDay[],
			kind: SealKind = 'whole',
			options: SealOptions = {},
		): Promise<SealDay[]> {
			const { days: sealed, failures } = await sealDays(services, days, kind, options);
			for (const { error } of failures) throw error;
			return sealed;
		},
		days: (websiteId: number): Promise<DayRow[]> =>
			postgres.rows(sql`
				SELECT *, date::text AS date FROM days WHERE website_id = ${value(websiteId)} ORDER BY days.date`),
		isDirty: async ({ websiteId, date }: SealDay): Promise<boolean | undefined> => {
			const [row] = await postgres.rows<{ dirty: boolean }>(sql`
				SELECT last_batch > sealed_batch AS dirty FROM days
				WHERE website_id = ${value(websiteId)} AND date = ${value(date)}::date`);
			return row?.dirty;
		},
		deadGenerations: (websiteId: number): Promise<{ date: string; generation: number }[]> =>
			postgres.rows(sql`
				SELECT date::text AS date, generation FROM dead_generations
				WHERE website_id = ${value(websiteId)} ORDER BY dead_generations.date, generation`),
		totals: (websiteId: number, date: string, generation: number): Promise<TotalsRow[]> =>
			clickhouse.rows(sql`
				SELECT * FROM totals WHERE website_id = ${param('UInt32', websiteId)} AND date = ${param('Date', date)}
					AND generation = ${param('UInt64', generation)} ORDER BY dimension, is_other, value`),
		/** Generations of which a table has rows. */
		generations: async (table: 'visits' | 'totals', websiteId: number): Promise<number[]> => {
			const rows = await clickhouse.rows<{ generation: string }>(sql`
				SELECT DISTINCT generation FROM ${table === 'visits' ? sql`visits` : sql`totals`}
				WHERE website_id = ${param('UInt32', websiteId)} ORDER BY generation`);
			return rows.map(({ generation }) => Number(generation));
		},
	};
}
