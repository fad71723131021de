/**
 * Days that are not sealed: today, and days with late events. Their visits are derived when a question needs them, by the same
 * SELECT as a seal, and stored in `open_visits`. All parts of an answer and all questions until the next event read the same
 * generation, so their numbers agree and the work is done once.
 *
 * A generation is current as long as `days.last_batch` does not change and no batch is being written. While events keep
 * arriving it is used for a multiple of the time it took to derive: the larger the day, the less often.
 */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type HiddenEvents, revisionOf } from './hidden-events.ts';
import { createOpenVisits, type DayToDerive } from './open-visits.ts';
import type { Offsets } from './visits.ts';

/** A generation of visits of one day, and the instant that they are as of. */
export type OpenDay = { generation: bigint; at: Date };

export type OpenDays = {
	/** The visits of these dates of a website, by date. */
	find(query: {
		websiteId: number;
		dates: readonly string[];
		offsets: Offsets;
		sinceMs: number | null;
		hidden: HiddenEvents | null;
	}): Promise<ReadonlyMap<string, OpenDay>>;
	/** Drops generations that are no longer used; also runs periodically. */
	tidy(): Promise<void>;
	close(): Promise<void>;
};

type CachedDay = OpenDay & { lastBatch: number; isSettled: boolean; freshUntilMs: number; usedMs: number };

/** While events keep arriving, visits are used for this many times as long as it took to derive them, within bounds. */
const freshnessFactor = 4;
const minFreshMs = 500;
const maxFreshMs = 60_000;
const unusedMs = 120_000;
/** Well below the age at which other processes take a generation for abandoned (open-visits.ts). */
const maxAgeMs = 300_000;
const tidyEveryMs = 15_000;

export function createOpenDays(services: {
	postgres: Queries;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	eventsAtOnce?: number;
}): OpenDays {
	const { postgres, now: clock, log } = services;
	const visits = createOpenVisits(services);
	const cached = new Map<string, CachedDay>();
	const running = new Map<string, Promise<CachedDay>>();

	const isFresh = (day: CachedDay, state: DayState) =>
		clock().getTime() - day.at.getTime() < maxAgeMs &&
		((day.isSettled && day.lastBatch === state.lastBatch) || performance.now() < day.freshUntilMs);

	function findDay(day: Omit<DayToDerive, 'size'>, state: DayState): Promise<CachedDay> | CachedDay {
		const key = `${day.websiteId} ${day.date} ${day.sinceMs ?? ''} ${revisionOf(day.hidden)}`;
		const known = cached.get(key);
		if (known && isFresh(known, state)) {
			known.usedMs = performance.now();
			return known;
		}
		let derivation = running.get(key);
		if (!derivation) {
			derivation = derive(key, day, state).finally(() => running.delete(key));
			running.set(key, derivation);
		}
		return derivation;
	}

	async function derive(
		key: string,
		day: Omit<DayToDerive, 'size'>,
		{ lastBatch, isSettled, size }: DayState,
	): Promise<CachedDay> {
		const began = performance.now();
		const at = clock();
		const generation = await visits.insert({ ...day, size });
		const now = performance.now();
		const freshMs = Math.min(maxFreshMs, Math.max(minFreshMs, freshnessFactor * (now - began)));
		const before = cached.get(key);
		if (before) visits.retire(before.generation);
		const derived = { generation, at, lastBatch, isSettled, freshUntilMs: now + freshMs, usedMs: now };
		cached.set(key, derived);
		return derived;
	}

	async function tidy() {
		const now = performance.now();
		for (const [key, { usedMs, generation }] of cached) {
			if (now - usedMs < unusedMs) continue;
			cached.delete(key);
			visits.retire(generation);
		}
		await visits.dropUnused((generation) => cached.values().some((day) => day.generation === generation));
	}

	let tidying: Promise<void> = Promise.resolve();
	const timer = setInterval(() => {
		tidying = tidying.then(tidy).catch((error: unknown) => {
			log.warn({ error }, 'could not drop visits of open days; retrying later');
		});
	}, tidyEveryMs);

	return {
		async find({ dates, ...query }) {
			const states = await readStates(postgres, query.websiteId, dates);
			const entries = await Promise.all(
				dates.map(async (date): Promise<[string, OpenDay]> => {
					const state = states.get(date) ?? { lastBatch: 0, isSettled: true, size: 0 };
					return [date, await findDay({ ...query, date }, state)];
				}),
			);
			return new Map(entries);
		},
		tidy,
		async close() {
			clearInterval(timer);
			visits.stop();
			await tidying;
		},
	};
}

type DayState = { lastBatch: number; isSettled: boolean; size: number };

/** Read before the events are: what arrives in between is derived the next time. */
async function readStates(
	postgres: Queries,
	websiteId: number,
	dates: readonly string[],
): Promise<Map<string, DayState>> {
	const rows = await postgres.rows<DayState & { date: string }>(sql`
		SELECT date::text AS date, last_batch AS "lastBatch", size,
			NOT EXISTS (SELECT 1 FROM batches WHERE number <= days.last_batch) AS "isSettled"
		FROM days WHERE website_id = ${value(websiteId)} AND date = ANY(${value(dates)}::date[])`);
	return new Map(rows.map(({ date, ...state }) => [date, state]));
}
