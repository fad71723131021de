/**
 * Days that are not sealed: today, and one to which something came late. Their runs are found when somebody asks, by the
 * SELECT that seals, and put into a table of their own, so that all parts of an answer and all questions until more comes
 * read the same runs: they agree, and the search is done once.
 *
 * Runs are good for as long as nothing has come since: `days.last_batch` says so, once no batch is on its way. While events
 * keep coming they are found anew at a pace that the day can pay for: the larger it is, the longer they serve.
 */
import { randomInt } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type ClickHouse, refusalOf } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { join, param, sql, value, word } from '../store/sql.ts';
import { piecesOf } from './sealing.ts';
import { type Offsets, runsOf, type VisitColumn } from './visits.ts';

/** A generation of runs of one day, and the instant that they are as of. */
export type OpenDay = { generation: bigint; at: Date };

export type OpenDays = {
	/** The runs of these dates of a website, by date. */
	find(of: {
		websiteId: number;
		dates: readonly string[];
		offsets: Offsets;
		sinceMs: number | null;
	}): Promise<ReadonlyMap<string, OpenDay>>;
	/** Drops what nobody has any more; done by the clock. */
	tidy(): Promise<void>;
	close(): Promise<void>;
};

/** What is in `visits` of a run, beside its place in the table. */
export const sealedColumns = [
	'is_only',
	'start',
	'hour',
	'seconds',
	'views',
	'events',
	'is_bounce',
	'engaged_ms',
	'engaged_views',
	'scroll',
	'scroll_views',
	'offsets',
	'kinds',
	'names',
	'paths',
	'hostnames',
	'titles',
	'properties',
	'engaged',
	'scrolls',
	'revenues',
	'currencies',
	'entry_path',
	'exit_path',
	'referrer',
	'source',
	'channel',
	'utm_source',
	'utm_medium',
	'utm_campaign',
	'utm_term',
	'utm_content',
	'country',
	'region',
	'city',
	'language',
	'browser',
	'browser_version',
	'os',
	'os_version',
	'device',
	'screen',
] as const satisfies readonly VisitColumn[];

type Found = OpenDay & { lastBatch: number; isSettled: boolean; goodUntilMs: number; usedMs: number };

/** Runs serve so many times as long as it took to find them, and at least so long, while more keeps coming. */
const timesAsLong = 4;
const atLeastMs = 500;
const atMostMs = 60_000;
/** Longer than any question may run. */
const dropAfterMs = 90_000;
const unusedMs = 120_000;
/** Whoever made it is gone: a process that was killed. */
const leftBehindMs = 600_000;
/** So much younger that no other process takes for left behind what a question here still reads. */
const servesMs = 300_000;
const tidyEveryMs = 15_000;
/** Events whose runs are found by one statement: less than a seal takes, because it runs beside the writer and questions. */
const eventsAtOnce = 100_000;
const fewestAtOnce = 10_000;
/** One statement. Whoever asked has left by then. */
const maxSeconds = 60;

export function createOpenDays({
	postgres,
	clickhouse,
	now: clock,
	log,
	eventsAtOnce: most = eventsAtOnce,
}: {
	postgres: Queries;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	eventsAtOnce?: number;
}): OpenDays {
	/** Halved when a statement took too much memory. */
	let atOnce = most;
	const found = new Map<string, Found>();
	const under = new Map<string, Promise<Found>>();
	/** Generations that nobody will be given any more, and since when. */
	const retired = new Map<bigint, number>();
	/** From anywhere on: another process that searches in the same millisecond must not come upon the same. */
	let count = BigInt(randomInt(2 ** 22));

	/** Begins with the time, so that everybody can tell how old it is. */
	const newGeneration = (): bigint => (BigInt(clock().getTime()) << 22n) | (count++ % 2n ** 22n);

	async function find({
		websiteId,
		dates,
		offsets,
		sinceMs,
	}: Parameters<OpenDays['find']>[0]): Promise<ReadonlyMap<string, OpenDay>> {
		const states = await readStates(postgres, websiteId, dates);
		const entries = await Promise.all(
			dates.map(async (date): Promise<[string, Found]> => {
				const key = `${websiteId} ${date} ${sinceMs ?? ''}`;
				const state = states.get(date) ?? { lastBatch: 0, isSettled: true, size: 0 };
				const known = found.get(key);
				if (known && isGood(known, state)) {
					known.usedMs = performance.now();
					return [date, known];
				}
				let search = under.get(key);
				if (!search) {
					search = searchDay(key, { websiteId, date, offsets, sinceMs, state }).finally(() =>
						under.delete(key),
					);
					under.set(key, search);
				}
				return [date, await search];
			}),
		);
		return new Map(entries);
	}

	async function searchDay(key: string, of: Search): Promise<Found> {
		const began = performance.now();
		const at = clock();
		const generation = await insertRuns(of);
		const now = performance.now();
		const goodMs = Math.min(atMostMs, Math.max(atLeastMs, timesAsLong * (now - began)));
		const before = found.get(key);
		if (before) retired.set(before.generation, now);
		const { lastBatch, isSettled } = of.state;
		const result = { generation, at, lastBatch, isSettled, goodUntilMs: now + goodMs, usedMs: now };
		found.set(key, result);
		return result;
	}

	/** A day in pieces that an engine of any size can hold. Nobody reads a generation before all of it is there. */
	async function insertRuns(of: Search): Promise<bigint> {
		for (;;) {
			const generation = newGeneration();
			try {
				for (const visitors of piecesOf(of.state.size, atOnce))
					await clickhouse.command(
						sql`
			INSERT INTO open_visits (website_id, date, generation, visitor_id, ${join(sealedColumns.map(word), ', ')})
			SELECT website_id, date, ${param('UInt64', generation)}, visitor_id, ${join(sealedColumns.map(word), ', ')}
			FROM (${runsOf({ websiteIds: [of.websiteId], from: of.date, to: of.date, columns: sealedColumns, visitors, sinceMs: of.sinceMs, offsets: of.offsets })})`,
						{ as: 'ingest', name: 'open day', settings: { max_execution_time: maxSeconds } },
					);
				return generation;
			} catch (error) {
				retired.set(generation, performance.now());
				if (refusalOf(error) !== 'memory' || atOnce < 2 * fewestAtOnce) throw error;
				atOnce = Math.floor(atOnce / 2);
				log.warn({ eventsAtOnce: atOnce }, 'an open day took too much memory and is tried in smaller pieces');
			}
		}
	}

	const isGood = (known: Found, state: Omit<State, 'size'>) =>
		clock().getTime() - known.at.getTime() < servesMs &&
		((known.isSettled && known.lastBatch === state.lastBatch) || performance.now() < known.goodUntilMs);

	// What is not dropped is old one day, and whoever tidies then drops it: nobody waits for it at a stop.
	const leaving = new AbortController();

	async function tidy() {
		const now = performance.now();
		for (const [key, { usedMs, generation }] of found) {
			if (now - usedMs < unusedMs) continue;
			found.delete(key);
			retired.set(generation, now);
		}
		for (const [generation, since] of retired) {
			if (now - since < dropAfterMs) continue;
			await drop(generation);
			retired.delete(generation);
		}
		const old = await clickhouse.rows<{ partition: string }>(
			sql`
			SELECT DISTINCT partition FROM system.parts
			WHERE table = 'open_visits' AND active
				AND bitShiftRight(toUInt64OrZero(partition), 22) < ${param('UInt64', clock().getTime() - leftBehindMs)}`,
			{ signal: leaving.signal },
		);
		const kept = new Set([...found.values()].map(({ generation }) => generation));
		for (const { partition } of old) if (!kept.has(BigInt(partition))) await drop(BigInt(partition));
	}

	const drop = (generation: bigint) =>
		clickhouse.command(sql`ALTER TABLE open_visits DROP PARTITION ${param('UInt64', generation)}`, {
			name: 'drop open day',
			signal: leaving.signal,
		});

	let tidying: Promise<void> = Promise.resolve();
	const timer = setInterval(() => {
		tidying = tidying.then(tidy).catch((error: unknown) => {
			log.warn({ error }, 'runs of open days could not be dropped and will be tried again');
		});
	}, tidyEveryMs);

	return {
		find,
		tidy,
		async close() {
			clearInterval(timer);
			leaving.abort();
			await tidying;
		},
	};
}

type State = { lastBatch: number; isSettled: boolean; size: number };
type Search = { websiteId: number; date: string; offsets: Offsets; sinceMs: number | null; state: State };

/** What the days hold before their events are read: what comes while they are is found next time. */
async function readStates(
	postgres: Queries,
	websiteId: number,
	dates: readonly string[],
): Promise<Map<string, State>> {
	const rows = await postgres.rows<State & { date: string }>(sql`
		SELECT date::text AS date, last_batch AS "lastBatch", size,
			NOT EXISTS (SELECT 1 FROM batches WHERE number <= days.last_batch) AS "isSettled"
		FROM days WHERE website_id = ${value(websiteId)} AND date = ANY(${value(dates)}::date[])`);
	return new Map(rows.map(({ date, ...state }) => [date, state]));
}
