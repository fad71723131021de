import { localDate } from '../lib/local-dates.ts';
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { type AccountEvent, listSubscribedWebsites, queueEvents } from '../webhooks/queue-events.ts';
import { revisionOf } from './hidden-events.ts';
import {
	dayRows,
	isOfDays,
	keyOf,
	type Seal,
	type SealDay,
	type SealServices,
	websitesOf,
} from './seal-types.ts';

/**
 * Makes the generation current for the days that still exist, are still retained and were not reset, of websites that had no events hidden
 * or shown since the seal was planned. A deletion does not mark days for events that arrive after it.
 */
export async function publishGeneration(services: SealServices, seal: Seal): Promise<void> {
	const { postgres } = services;
	const capped = await findCapped(services, seal);
	const totals = await readTotals(services, seal);
	const revisions = Map.groupBy(seal.goals, ({ websiteId }) => websiteId);
	const { generation, kind } = seal;
	seal.published = await postgres.transaction(async (tx) => {
		const before = await lockDays(tx, seal);
		if (before.length === 0) return [];
		const sealed = before.map(({ websiteId, date }) => ({
			website_id: websiteId,
			date,
			capped: capped.get(keyOf({ websiteId, date })) ?? [],
			goal_revision: Math.max(0, ...(revisions.get(websiteId) ?? []).map(({ revision }) => revision)),
		}));
		// Also provisional: when late events arrive for a large sealed day, these totals serve until the next seal.
		await tx.run(sql`
			UPDATE days SET
				${
					kind === 'whole'
						? sql`sealed_revision = ${value(revisionOf(seal.hidden))}, generation = ${value(generation)}, sealed_batch = ${value(seal.batch)}, sealed_at = ${value(seal.at)},
							capped = sealed.capped, goal_revision = sealed.goal_revision,`
						: sql``
				}
				provisional_generation = ${value(generation)}, provisional_batch = ${value(seal.batch)},
				provisional_at = ${value(seal.at)}, provisional_capped = sealed.capped,
				provisional_goal_revision = sealed.goal_revision
			FROM json_to_recordset(${value(JSON.stringify(sealed))}::json)
				AS sealed (website_id bigint, date date, capped text[], goal_revision bigint)
			WHERE days.website_id = sealed.website_id AND days.date = sealed.date`);
		await tx.run(sql`
			DELETE FROM dead_generations USING ${dayRows(before)} AS day (website_id, date)
			WHERE dead_generations.website_id = day.website_id AND dead_generations.date = day.date
				AND generation = ${value(generation)}`);
		const dead = before.flatMap(({ websiteId, date, ...old }) =>
			(kind === 'whole'
				? [...new Set([old.generation, old.provisional])]
				: [old.provisional].filter((provisional) => provisional !== old.generation)
			)
				.filter((number) => number > 0)
				.map((number) => ({ website_id: websiteId, date, generation: number })),
		);
		await tx.run(sql`
			INSERT INTO dead_generations (website_id, date, generation, died_at)
			SELECT website_id, date, generation, ${value(services.now())}
			FROM json_to_recordset(${value(JSON.stringify(dead))}::json) AS dead (website_id bigint, date date, generation bigint)`);
		if (totals.size > 0)
			await queueEvents(tx, services.now, await sealedEvents(tx, services, { seal, before, totals }));
		return before.map(({ websiteId, date }) => ({ websiteId, date }));
	});
}

type DayTotals = { visitors: number; visits: number; views: number };

/** The totals of the days that a webhook is told about. Without webhooks, this is one statement in PostgreSQL. */
async function readTotals(
	{ postgres, clickhouse, signal }: SealServices,
	seal: Seal,
): Promise<ReadonlyMap<string, DayTotals>> {
	if (seal.kind !== 'whole') return new Map();
	const subscribed = await listSubscribedWebsites(postgres, 'day.sealed', websitesOf(seal));
	if (subscribed.length === 0) return new Map();
	const ids = new Set(subscribed.map(({ id }) => id));
	const days = seal.days.filter(({ websiteId }) => ids.has(websiteId));
	const rows = await clickhouse.rows<{
		website_id: number;
		date: string;
		visitors: string;
		visits: string;
		views: string;
	}>(
		sql`
		SELECT website_id, date, toString(sum(visitors)) AS visitors, toString(sum(visits)) AS visits, toString(sum(views)) AS views
		FROM (
			SELECT website_id, date, visitors, visits, views FROM totals
			WHERE ${isOfDays({ days })} AND generation = ${param('UInt64', seal.generation)} AND dimension = ''
		)
		GROUP BY website_id, date`,
		{ as: 'ingest', name: 'seal', signal },
	);
	return new Map(
		rows.map(({ website_id: websiteId, date, ...counts }) => [
			keyOf({ websiteId, date }),
			{ visitors: Number(counts.visitors), visits: Number(counts.visits), views: Number(counts.views) },
		]),
	);
}

/** Days that are over in the time zone of their website: a rebuild also seals the current day. */
async function sealedEvents(
	tx: Queries,
	{ now }: SealServices,
	{
		seal,
		before,
		totals,
	}: { seal: Seal; before: readonly LockedDay[]; totals: ReadonlyMap<string, DayTotals> },
): Promise<AccountEvent[]> {
	const subscribed = await listSubscribedWebsites(tx, 'day.sealed', websitesOf({ days: before }));
	return subscribed.flatMap(({ id, accountId, domain, timezone }) =>
		before
			.filter(({ websiteId, date }) => websiteId === id && date < localDate(timezone, now().getTime()))
			.map(
				({ date, generation }): AccountEvent => ({
					type: 'day.sealed',
					accountId,
					websiteId: id,
					data: {
						website: { id, domain },
						date,
						generation: seal.generation,
						resealed: generation > 0,
						totals: totals.get(keyOf({ websiteId: id, date })) ?? { visitors: 0, visits: 0, views: 0 },
					},
				}),
			),
	);
}

type LockedDay = SealDay & { generation: number; provisional: number };

/** Locks the days that the generation may be published for, and reads their current generations. */
async function lockDays(tx: Queries, seal: Seal): Promise<LockedDay[]> {
	// First exclude generations whose rows are being deleted, which is marked in `is_going` before.
	const alive = await tx.rows<SealDay>(sql`
		SELECT website_id AS "websiteId", date::text AS date FROM dead_generations
		WHERE generation = ${value(seal.generation)} AND NOT is_going
		ORDER BY website_id, date FOR UPDATE`);
	return tx.rows<LockedDay>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date, generation, provisional_generation AS provisional
		FROM days JOIN ${dayRows(alive)} AS alive (website_id, date) USING (website_id, date)
		JOIN websites ON websites.id = days.website_id
		WHERE greatest(generation, provisional_generation) < ${value(seal.generation)}
			AND (raw_from IS NULL OR days.date >= raw_from)
			AND ${value(revisionOf(seal.hidden))}::bigint = coalesce(
				(SELECT max(revision) FROM deletions WHERE deletions.website_id = days.website_id), 0
			)
			AND NOT EXISTS (
				SELECT 1 FROM tombstones t WHERE t.website_id = days.website_id AND t.id > ${value(seal.tombstone)}
			)
		ORDER BY days.website_id, days.date FOR NO KEY UPDATE OF days`);
}

/** The dimensions of each day that have more values than are stored. */
async function findCapped({ clickhouse, signal }: SealServices, seal: Seal): Promise<Map<string, string[]>> {
	const rows = await clickhouse.rows<{ website_id: number; date: string; dimensions: string[] }>(
		sql`
		SELECT website_id, date, arraySort(groupArray(toString(dimension))) AS dimensions FROM totals
		WHERE ${isOfDays(seal)} AND generation = ${param('UInt64', seal.generation)} AND is_other = 1
		GROUP BY website_id, date`,
		{ as: 'ingest', name: 'seal', signal },
	);
	return new Map(rows.map((row) => [keyOf({ websiteId: row.website_id, date: row.date }), row.dimensions]));
}
