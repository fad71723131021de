import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { param, type Sql, sql, value } from '../store/sql.ts';
import type { HiddenEvents } from './hidden-events.ts';
import type { CountedGoal } from './totals.ts';
import type { Offsets, VisitorRange } from './visits.ts';

// Types that the steps of a seal (seal.ts) share.

export type SealServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	goalsOf(websiteIds: readonly number[]): Promise<CountedGoal[]>;
	/** Aborts the seal; what it has written so far is never read. */
	signal: AbortSignal;
	/** About how many events a statement reads. Lowered when the engine runs out of memory, then slowly raised again. */
	atOnce: { events: number };
};

export type SealKind = 'whole' | 'provisional';
export type SealDay = { websiteId: number; date: string };

/** Days that are derived by one statement: of several websites on one date, or several dates of one website. */
export type SealGroup = {
	days: readonly SealDay[];
	offsets: Offsets;
	/** Older events were reset and may still be on disk. */
	sinceMs: number | null;
	/** Of the only website of the group, if any of its events are hidden. */
	hidden: HiddenEvents | null;
	/** The last tombstone when the days were read. */
	tombstone: number;
};

/** Page views and custom events, and how many events there are to read. */
export type ActiveEvents = { views: number; events: number; size: number };

/** Where visits are stored. */
export type VisitTable = { table: 'visits' | 'open_visits'; generation: bigint };

/** A seal under way. */
export type Seal = SealGroup & {
	kind: SealKind;
	/** How many values of a dimension are stored; the rest is stored as one row. */
	cap: number;
	generation: number;
	/** The seal contains all batches up to this one. */
	batch: number;
	/** When the seal began. */
	at: Date;
	visits: VisitTable;
	/** The events of each day before they were read. */
	before: ReadonlyMap<string, ActiveEvents>;
	/** Null means all visitors. */
	pieces: readonly (VisitorRange | null)[];
	dimensionsAtOnce: number;
	goals: readonly CountedGoal[];
	/** Set by the last step: the days whose generation it published. */
	published: readonly SealDay[];
};

export type SealStep = (services: SealServices, seal: Seal) => Promise<void>;

type Days = { days: readonly SealDay[] };

export const websitesOf = ({ days }: Days): number[] => [...new Set(days.map(({ websiteId }) => websiteId))];
export const datesOf = ({ days }: Days): string[] => [...new Set(days.map(({ date }) => date))].toSorted();
export const keyOf = ({ websiteId, date }: SealDay): string => `${websiteId} ${date}`;

/** Days as rows of a PostgreSQL statement. */
export const dayRows = (days: readonly SealDay[]): Sql =>
	sql`unnest(${value(days.map(({ websiteId }) => websiteId))}::bigint[], ${value(days.map(({ date }) => date))}::date[])`;

/** Rows of these days in ClickHouse. The days must be all of one website, or all of one date. */
export const isOfDays = (group: Days): Sql =>
	sql`website_id IN ${param('Array(UInt32)', websitesOf(group))} AND date IN ${param('Array(Date)', datesOf(group))}`;

/** Divides the visitors into ranges with about so many events each. */
export function piecesOf(events: number, maxEvents: number): (VisitorRange | null)[] {
	const count = BigInt(Math.ceil(events / maxEvents));
	if (count <= 1n) return [null];
	const first = (piece: bigint) => (2n ** 64n * piece) / count;
	return Array.from({ length: Number(count) }, (_, piece) => ({
		first: first(BigInt(piece)),
		last: first(BigInt(piece) + 1n) - 1n,
	}));
}
