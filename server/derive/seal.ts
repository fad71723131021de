/**
 * A seal derives the runs and totals of days from their events. It adds rows of a new generation, checks them, and only
 * then says in `days` that this generation counts. Every question reads the generations that `days` names, so it sees a
 * day as it was or as it is now. What stops anywhere before the last step leaves rows that nobody reads, and they were
 * listed as dead before the first of them was written.
 *
 * What a seal contains. Batches are numbered; a batch whose row is gone from `batches` has its events in ClickHouse. A seal
 * first reads B, the last number below every open batch: what it then reads of `events` has all events of batches up to B,
 * and perhaps some of later ones. The day is marked as sealed up to B. A batch after B has raised, or will raise, the
 * `last_batch` of its days above B, so they stay dirty and are sealed again.
 * B must not be read while a batch is being numbered: its number is taken before its row can be seen, and B would include
 * it. Therefore the table is locked for that moment.
 *
 * When a website is deleted or emptied, its rows in `days` go. A seal that began before must not count for the rows that the
 * writer makes afterwards: the end of a seal looks for tombstones that were not there at its beginning.
 *
 * A provisional seal is the same for totals alone, of a day that is not over and too large to be counted at each question.
 *
 * Memory. A statement reads about `atOnce.events` events: few websites or days are put together until they have so many,
 * and a larger day is cut by ranges of visitors, which are disjoint in runs; its totals are then counted some dimensions
 * at a time. When ClickHouse says that it was too much, the next try is with half as many, and then slowly with more again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { refusalOf } from '../store/clickhouse.ts';
import { locks } from '../store/locks.ts';
import { param, sql, value } from '../store/sql.ts';
import { checkCounts, countEvents } from './check-counts.ts';
import { flip } from './flip.ts';
import { insertOthers, insertRuns, insertTotals } from './insert-derived.ts';
import { planGroups } from './seal-groups.ts';
import {
	type Day,
	type Group,
	listed,
	piecesOf,
	type Seal,
	type SealKind,
	type SealServices,
	type Step,
	websitesOf,
} from './sealing.ts';

/** A start that fits the memory of an engine of 700 MB. */
export const eventsAtOnce = 300_000;
const fewestAtOnce = 10_000;
/** With every seal that succeeds, after one that took too much. */
const growth = 1.05;

export type Sealed = {
	/** Those that count now; not those whose website is gone, or that are no longer kept. */
	days: Day[];
	failures: { days: readonly Day[]; error: unknown }[];
};

export type SealOptions = {
	cap?: number;
	/** What is done; all of it unless a test wants to see what is left after less. */
	steps?: readonly Step[];
};

/** Seals these days, one group after another. What fails is told and does not hold up the others. */
export async function sealDays(
	services: SealServices,
	days: readonly Day[],
	kind: SealKind,
	{ cap = 10_000, steps = sealSteps }: SealOptions = {},
): Promise<Sealed> {
	const sealed: Sealed = { days: [], failures: [] };
	await inTurn(services, async () => {
		for (const group of await planGroups(services, days)) {
			if (services.signal.aborted) return;
			try {
				sealed.days.push(...(await sealGroup(services, group, { kind, cap, steps })));
			} catch (error) {
				if (services.signal.aborted) return;
				sealed.failures.push({ days: group.days, error });
			}
		}
	});
	return sealed;
}

/** One seal at a time: two would share the memory of the engine, and both connections that the writer needs one of. */
async function inTurn({ postgres, signal }: SealServices, work: () => Promise<void>): Promise<void> {
	const holder = await postgres.hold(() => undefined);
	try {
		for (;;) {
			if (signal.aborted) return;
			const [lock] = await holder.rows<{ taken: boolean }>(
				sql`SELECT pg_try_advisory_lock(${value(locks.seal)}::bigint) AS taken`,
			);
			if (lock?.taken) break;
			await sleep(100, undefined, { signal }).catch(() => undefined);
		}
		await work();
	} finally {
		await holder.end();
	}
}

/** After `begin`, in this order. */
export const sealSteps: readonly Step[] = [insertRuns, insertTotals, insertOthers, checkCounts, flip];

async function sealGroup(
	services: SealServices,
	group: Group,
	{ kind, cap, steps }: { kind: SealKind } & Required<SealOptions>,
): Promise<readonly Day[]> {
	const { atOnce, log, signal } = services;
	for (;;) {
		const began = performance.now();
		const seal = await begin(services, group, { kind, cap });
		if (!seal) return [];
		const about = { kind, generation: seal.generation, days: seal.days.length, pieces: seal.pieces.length };
		try {
			for (const step of steps) {
				signal.throwIfAborted();
				await step(services, seal);
			}
			log.debug({ ...about, ms: Math.round(performance.now() - began) }, 'sealed');
			// It may have been too much only because others asked a lot at the time.
			if (atOnce.events < eventsAtOnce)
				atOnce.events = Math.min(eventsAtOnce, Math.round(atOnce.events * growth));
			return seal.flipped;
		} catch (error) {
			if (refusalOf(error) !== 'memory' || atOnce.events < 2 * fewestAtOnce) throw error;
			atOnce.events = Math.floor(atOnce.events / 2);
			log.warn(
				{ ...about, eventsAtOnce: atOnce.events },
				'a seal took too much memory and is tried in smaller pieces',
			);
		} finally {
			if (kind === 'provisional') await dropRuns(services, seal);
		}
	}
}

/** Reads what the seal will contain, and lists its generation as dead until it is flipped. */
async function begin(
	services: SealServices,
	group: Group,
	{ kind, cap }: { kind: SealKind; cap: number },
): Promise<Seal | undefined> {
	const { postgres, now, goalsOf, atOnce } = services;
	const at = now();
	const begun = await postgres.transaction(async (tx) => {
		await tx.run(sql`LOCK TABLE batches IN SHARE MODE`);
		const [given] = await tx.rows<{ batch: number; generation: number }>(sql`
			SELECT nextval('generations') AS generation, coalesce(
				(SELECT min(number) - 1 FROM batches),
				(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM batches_number_seq)
			) AS batch`);
		if (!given) throw new Error('A seal was given no generation.');
		// Whoever deletes these rows waits until the generation is listed: afterwards nothing of it can be overlooked.
		const days = await tx.rows<Day>(sql`
			SELECT days.website_id AS "websiteId", days.date::text AS date
			FROM days JOIN ${listed(group.days)} AS asked (website_id, date) USING (website_id, date)
			ORDER BY days.website_id, days.date FOR KEY SHARE OF days`);
		await tx.run(sql`
			INSERT INTO dead_generations (website_id, date, generation, died_at)
			SELECT website_id, date, ${value(given.generation)}, ${value(at)} FROM ${listed(days)} AS day (website_id, date)`);
		return { ...given, days };
	});
	const { days, generation, batch } = begun;
	if (days.length === 0) return undefined;
	const before = await countEvents(services, { ...group, days });
	const size = [...before.values()].reduce((sum, { size }) => sum + size, 0);
	return {
		...group,
		...{ days, kind, cap, generation, batch, at, before, flipped: [] },
		runs:
			kind === 'whole'
				? { table: 'visits', generation: BigInt(generation) }
				: { table: 'open_visits', generation: openGeneration(at, generation) },
		pieces: piecesOf(size, atOnce.events),
		dimensionsAtOnce: Math.max(1, Math.floor((75 * atOnce.events) / size)),
		goals: await goalsOf(websitesOf({ days })),
	};
}

/** Those that live for minutes begin with the time, by which they are found when nobody else drops them. */
const openGeneration = (at: Date, generation: number): bigint =>
	(BigInt(at.getTime()) << 22n) | (BigInt(generation) & 0x3fffffn);

const dropWithinMs = 10_000;

/** Nobody reads the runs of a provisional seal. What cannot be dropped now is dropped with all that nobody has any more. */
async function dropRuns({ clickhouse, log }: SealServices, { runs }: Seal): Promise<void> {
	try {
		await clickhouse.command(
			sql`ALTER TABLE open_visits DROP PARTITION ${param('UInt64', runs.generation)}`,
			{ name: 'seal', signal: AbortSignal.timeout(dropWithinMs) },
		);
	} catch (error) {
		log.debug({ error }, 'runs of a provisional seal are dropped later');
	}
}
