/**
 * A seal derives the visits and totals of days from their events. It inserts rows of a new generation, checks them, and only
 * then publishes the generation in `days`. Questions read the generations that `days` names, so they see a day either as it
 * was or as it is now. A seal that stops before the last step leaves rows that are never read, and they were listed in
 * `dead_generations` before the first of them was written.
 *
 * What a seal contains. Batches are numbered; a batch whose row is gone from `batches` has its events in ClickHouse. A seal
 * first reads B, the last number below every open batch: what it then reads of `events` includes all batches up to B and
 * possibly some later ones. The day is marked as sealed up to B. A later batch raises the `last_batch` of its days above B,
 * so they stay dirty and are sealed again. B must not be read while a batch is being numbered: its number is taken before
 * its row is visible, and B would include it. Therefore the table is locked for that moment.
 *
 * When a website is deleted or reset, its rows in `days` go. A seal that began before must not be published for rows that the
 * writer creates afterwards: the last step looks for tombstones that were not there at the beginning.
 *
 * A provisional seal stores totals only, for a day that is not over and too large to be counted for each question.
 *
 * Memory. A statement reads about `atOnce.events` events: small websites or days are grouped up to that number, and a larger day
 * is divided by ranges of visitors, whose visits are disjoint; its totals are then counted a few dimensions at a time. When
 * ClickHouse runs out of memory, the next try reads half as many, and later ones slowly more again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { refusalOf } from '../store/clickhouse-errors.ts';
import { locks } from '../store/locks.ts';
import { param, sql, value } from '../store/sql.ts';
import { checkCounts, countEvents } from './check-counts.ts';
import { findLoss, lossError } from './damage.ts';
import { insertOthers, insertTotals, insertVisits } from './insert-derived.ts';
import { publishGeneration } from './publish-generation.ts';
import { planGroups } from './seal-plan.ts';
import {
	dayRows,
	keyOf,
	piecesOf,
	type Seal,
	type SealDay,
	type SealGroup,
	type SealKind,
	type SealServices,
	type SealStep,
	websitesOf,
} from './seal-types.ts';

/** Fits an engine with 700 MB of memory. */
export const maxEventsPerStatement = 300_000;
const minEventsPerStatement = 10_000;
/** Per successful seal, after one that ran out of memory. */
const growth = 1.05;

export type Sealed = {
	/** The days that were published; not those that were deleted meanwhile or are no longer retained. */
	days: SealDay[];
	failures: { days: readonly SealDay[]; error: unknown }[];
};

export type SealOptions = {
	cap?: number;
	/** Seals days even if they have fewer events than their totals counted. */
	acceptLoss?: boolean;
	/** All steps, unless a test stops earlier. */
	steps?: readonly SealStep[];
};

/** Seals these days, one group after another. A failed group is reported and does not stop the others. */
export async function sealDays(
	services: SealServices,
	days: readonly SealDay[],
	kind: SealKind,
	{ cap = 10_000, steps = sealSteps, acceptLoss = false }: SealOptions = {},
): Promise<Sealed> {
	const sealed: Sealed = { days: [], failures: [] };
	await inTurn(services, async () => {
		for (const group of await planGroups(services, days)) {
			if (services.signal.aborted) return;
			try {
				// Totals are never replaced by those of damaged data.
				const lost = acceptLoss ? [] : await findLoss(services, group.days);
				if (lost.length > 0) sealed.failures.push({ days: lost, error: lossError(lost) });
				const missing = new Set(lost.map(keyOf));
				const days = group.days.filter((day) => !missing.has(keyOf(day)));
				if (days.length > 0)
					sealed.days.push(...(await sealGroup(services, { ...group, days }, { kind, cap, steps })));
			} catch (error) {
				if (services.signal.aborted) return;
				sealed.failures.push({ days: group.days, error });
			}
		}
	});
	return sealed;
}

/** One seal at a time in the installation: two would share the engine's memory and take both connections for inserts. */
async function inTurn({ postgres, signal }: SealServices, work: () => Promise<void>): Promise<void> {
	const holder = await postgres.dedicatedConnection(() => undefined);
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
export const sealSteps: readonly SealStep[] = [
	insertVisits,
	insertTotals,
	insertOthers,
	checkCounts,
	publishGeneration,
];

async function sealGroup(
	services: SealServices,
	group: SealGroup,
	{ kind, cap, steps }: { kind: SealKind } & Required<Pick<SealOptions, 'cap' | 'steps'>>,
): Promise<readonly SealDay[]> {
	const { atOnce, log, signal } = services;
	for (;;) {
		const began = performance.now();
		const seal = await begin(services, group, { kind, cap });
		if (!seal) return [];
		const fields = { kind, generation: seal.generation, days: seal.days.length, pieces: seal.pieces.length };
		try {
			for (const step of steps) {
				signal.throwIfAborted();
				await step(services, seal);
			}
			log.debug({ ...fields, ms: Math.round(performance.now() - began) }, 'sealed');
			// Other queries may have used the memory at the time.
			if (atOnce.events < maxEventsPerStatement)
				atOnce.events = Math.min(maxEventsPerStatement, Math.round(atOnce.events * growth));
			return seal.published;
		} catch (error) {
			if (refusalOf(error) !== 'memory' || atOnce.events < 2 * minEventsPerStatement) throw error;
			atOnce.events = Math.floor(atOnce.events / 2);
			log.warn(
				{ ...fields, eventsAtOnce: atOnce.events },
				'seal exceeded memory; retrying in smaller pieces',
			);
		} finally {
			if (kind === 'provisional') await dropVisits(services, seal);
		}
	}
}

/** Decides what the seal will contain, and lists its generation as dead until it is published. */
async function begin(
	services: SealServices,
	group: SealGroup,
	{ kind, cap }: { kind: SealKind; cap: number },
): Promise<Seal | undefined> {
	const { postgres, now, goalsOf, atOnce } = services;
	const at = now();
	const begun = await postgres.transaction(async (tx) => {
		await tx.run(sql`LOCK TABLE batches IN SHARE MODE`);
		const [next] = await tx.rows<{ batch: number; generation: number }>(sql`
			SELECT nextval('generations') AS generation, coalesce(
				(SELECT min(number) - 1 FROM batches),
				(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM batches_number_seq)
			) AS batch`);
		if (!next) throw new Error('PostgreSQL returned no generation for the seal.');
		// The lock makes a concurrent deletion of these rows wait until the generation is listed, so that it finds it.
		const days = await tx.rows<SealDay>(sql`
			SELECT days.website_id AS "websiteId", days.date::text AS date
			FROM days JOIN ${dayRows(group.days)} AS requested (website_id, date) USING (website_id, date)
			ORDER BY days.website_id, days.date FOR KEY SHARE OF days`);
		await tx.run(sql`
			INSERT INTO dead_generations (website_id, date, generation, died_at)
			SELECT website_id, date, ${value(next.generation)}, ${value(at)} FROM ${dayRows(days)} AS day (website_id, date)`);
		return { ...next, days };
	});
	const { days, generation, batch } = begun;
	if (days.length === 0) return undefined;
	const before = await countEvents(services, { ...group, days });
	const size = [...before.values()].reduce((sum, { size }) => sum + size, 0);
	return {
		...group,
		days,
		kind,
		cap,
		generation,
		batch,
		at,
		before,
		published: [],
		visits:
			kind === 'whole'
				? { table: 'visits', generation: BigInt(generation) }
				: { table: 'open_visits', generation: openGeneration(at, generation) },
		pieces: piecesOf(size, atOnce.events),
		dimensionsAtOnce: Math.max(1, Math.floor((75 * atOnce.events) / size)),
		goals: await goalsOf(websitesOf({ days })),
	};
}

/** Begins with the time, by which abandoned generations of `open_visits` are found (open-visits.ts). */
const openGeneration = (at: Date, generation: number): bigint =>
	(BigInt(at.getTime()) << 22n) | (BigInt(generation) & 0x3fffffn);

const dropWithinMs = 10_000;

/** The visits of a provisional seal are not read. If dropping fails here, they are dropped later as abandoned. */
async function dropVisits({ clickhouse, log }: SealServices, { visits }: Seal): Promise<void> {
	try {
		await clickhouse.command(
			sql`ALTER TABLE open_visits DROP PARTITION ${param('UInt64', visits.generation)}`,
			{ name: 'seal', signal: AbortSignal.timeout(dropWithinMs) },
		);
	} catch (error) {
		log.debug({ error }, 'could not drop visits of a provisional seal; dropping later');
	}
}
