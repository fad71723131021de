import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { param, type Sql, sql, value } from '../store/sql.ts';
import type { CountedGoal } from './totals.ts';
import type { Offsets, VisitorRange } from './visits.ts';

// What the steps of a seal (seal.ts) hand on.

export type SealServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	goalsOf(websiteIds: readonly number[]): Promise<CountedGoal[]>;
	/** Ends the seal; what it has written until then is dead. */
	signal: AbortSignal;
	/** About how many events a statement reads. Lowered when that was too much for the engine, and raised again slowly. */
	atOnce: { events: number };
};

export type SealKind = 'whole' | 'provisional';
export type Day = { websiteId: number; date: string };

/** Days that are derived by one statement: of several websites on one date, or several dates of one website. */
export type Group = {
	days: readonly Day[];
	offsets: Offsets;
	/** What is older was emptied and may still be on the disk. */
	sinceMs: number | null;
	/** The last tombstone when they were read. */
	tombstone: number;
};

/** What makes runs, and how much there is to read. */
export type ActiveEvents = { views: number; events: number; size: number };

/** Where runs are. */
export type Runs = { table: 'visits' | 'open_visits'; generation: bigint };

/** A seal under way. */
export type Seal = Group & {
	kind: SealKind;
	/** How many values of a dimension are stored one by one. */
	cap: number;
	generation: number;
	/** Everything up to this batch is in it. */
	batch: number;
	/** When that was so. */
	at: Date;
	runs: Runs;
	/** What `events` had before they were read. */
	before: ReadonlyMap<string, ActiveEvents>;
	/** Null is all visitors. */
	pieces: readonly (VisitorRange | null)[];
	dimensionsAtOnce: number;
	goals: readonly CountedGoal[];
	/** Set by the last step: the days that it counts for. */
	flipped: readonly Day[];
};

export type Step = (services: SealServices, seal: Seal) => Promise<void>;

type Days = { days: readonly Day[] };

export const websitesOf = ({ days }: Days): number[] => [...new Set(days.map(({ websiteId }) => websiteId))];
export const datesOf = ({ days }: Days): string[] => [...new Set(days.map(({ date }) => date))].toSorted();
export const keyOf = ({ websiteId, date }: Day): string => `${websiteId} ${date}`;

/** Days as rows of a statement to PostgreSQL. */
export const listed = (days: readonly Day[]): Sql =>
	sql`unnest(${value(days.map(({ websiteId }) => websiteId))}::bigint[], ${value(days.map(({ date }) => date))}::date[])`;

/** Rows of these days in ClickHouse. They are all dates of one website, or all websites of one date. */
export const isOfDays = (of: Days): Sql =>
	sql`website_id IN ${param('Array(UInt32)', websitesOf(of))} AND date IN ${param('Array(Date)', datesOf(of))}`;

/** Ranges of visitors that have about so many events each. */
export function piecesOf(events: number, eventsAtOnce: number): (VisitorRange | null)[] {
	const count = BigInt(Math.ceil(events / eventsAtOnce));
	if (count <= 1n) return [null];
	const first = (piece: bigint) => (2n ** 64n * piece) / count;
	return Array.from({ length: Number(count) }, (_, piece) => ({
		first: first(BigInt(piece)),
		last: first(BigInt(piece) + 1n) - 1n,
	}));
}
