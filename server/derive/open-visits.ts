/**
 * The table `open_visits`: visits of days that are not sealed, in generations that serve for some minutes. A generation is a
 * partition, so that dropping it costs nothing.
 */
import { randomInt } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { refusalOf } from '../store/clickhouse-errors.ts';
import { identifier, join, param, sql } from '../store/sql.ts';
import type { HiddenEvents } from './hidden-events.ts';
import { piecesOf } from './seal-types.ts';
import { type Offsets, type VisitColumn, visitRowsOf } from './visits.ts';

/** The columns of `visits` and `open_visits`, besides the key of a row. */
export const storedColumns = [
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
	'routes',
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

export type OpenVisits = {
	/** Derives the visits of a day and stores them as a new generation, which is complete when this resolves. */
	insert(day: DayToDerive): Promise<bigint>;
	/** Drops the generation once no query can still be reading it. */
	retire(generation: bigint): void;
	/** Drops retired generations, and those that other processes left behind; never one that is in use. */
	dropUnused(isInUse: (generation: bigint) => boolean): Promise<void>;
	/** Aborts `dropUnused`: what it did not drop is dropped later, by any process. */
	stop(): void;
};

export type DayToDerive = {
	websiteId: number;
	date: string;
	offsets: Offsets;
	sinceMs: number | null;
	hidden: HiddenEvents | null;
	/** About how many events it has. */
	size: number;
};

/** Longer than any query may run. */
const dropAfterMs = 90_000;
/** The process that made a generation this old was killed, or it would have dropped it. */
const abandonedAfterMs = 600_000;
/** Fewer than a seal reads at once, because this runs beside the writer and questions. */
const maxEventsPerStatement = 100_000;
const minEventsPerStatement = 10_000;
const maxSecondsPerStatement = 60;

export function createOpenVisits({
	clickhouse,
	now: clock,
	log,
	eventsAtOnce = maxEventsPerStatement,
}: {
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	eventsAtOnce?: number;
}): OpenVisits {
	/** Halved when a statement took too much memory. */
	let maxEvents = eventsAtOnce;
	/** By generation, since when nothing refers to it any more. */
	const retired = new Map<bigint, number>();
	/** Starts at random: another process may derive a day in the same millisecond. */
	let count = BigInt(randomInt(2 ** 22));
	const stopping = new AbortController();

	/** Begins with the time, which tells its age to every process. */
	const newGeneration = (): bigint => (BigInt(clock().getTime()) << 22n) | (count++ % 2n ** 22n);

	const columns = join(storedColumns.map(identifier), ', ');

	/** In pieces that fit the memory of the engine. */
	async function insertPieces(
		{ websiteId, date, offsets, sinceMs, hidden, size }: DayToDerive,
		generation: bigint,
	) {
		for (const visitors of piecesOf(size, maxEvents)) {
			const visits = visitRowsOf({
				websiteIds: [websiteId],
				from: date,
				to: date,
				columns: storedColumns,
				visitors,
				sinceMs,
				hidden,
				offsets,
			});
			await clickhouse.command(
				sql`
			INSERT INTO open_visits (website_id, date, generation, visitor_id, ${columns})
			SELECT website_id, date, ${param('UInt64', generation)}, visitor_id, ${columns}
			FROM (${visits})`,
				{ as: 'ingest', name: 'open day', settings: { max_execution_time: maxSecondsPerStatement } },
			);
		}
	}

	const retire = (generation: bigint) => void retired.set(generation, performance.now());

	const drop = (generation: bigint) =>
		clickhouse.command(sql`ALTER TABLE open_visits DROP PARTITION ${param('UInt64', generation)}`, {
			name: 'drop open day',
			signal: stopping.signal,
		});

	return {
		retire,
		async insert(day) {
			for (;;) {
				const generation = newGeneration();
				try {
					await insertPieces(day, generation);
					return generation;
				} catch (error) {
					retire(generation);
					if (refusalOf(error) !== 'memory' || maxEvents < 2 * minEventsPerStatement) throw error;
					maxEvents = Math.floor(maxEvents / 2);
					log.warn({ eventsAtOnce: maxEvents }, 'open day exceeded memory; retrying in smaller pieces');
				}
			}
		},
		async dropUnused(isInUse) {
			const now = performance.now();
			for (const [generation, since] of retired) {
				if (now - since < dropAfterMs) continue;
				await drop(generation);
				retired.delete(generation);
			}
			const old = await clickhouse.rows<{ partition: string }>(
				sql`
			SELECT DISTINCT partition FROM system.parts
			WHERE table = 'open_visits' AND active
				AND bitShiftRight(toUInt64OrZero(partition), 22) < ${param('UInt64', clock().getTime() - abandonedAfterMs)}`,
				{ signal: stopping.signal },
			);
			for (const { partition } of old) if (!isInUse(BigInt(partition))) await drop(BigInt(partition));
		},
		stop: () => stopping.abort(),
	};
}
