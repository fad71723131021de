import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { type Day, isOfDays, keyOf, listed, type Seal, type SealServices } from './sealing.ts';

/** From here on it counts: for the days that are still there, still kept, and not emptied since it began. */
export async function flip(services: SealServices, seal: Seal): Promise<void> {
	const { postgres } = services;
	const capped = await findCapped(services, seal);
	const revisions = Map.groupBy(seal.goals, ({ websiteId }) => websiteId);
	const { generation, kind } = seal;
	seal.flipped = await postgres.transaction(async (tx) => {
		const before = await lockDays(tx, seal);
		if (before.length === 0) return [];
		const told = before.map(({ websiteId, date }) => ({
			website_id: websiteId,
			date,
			capped: capped.get(keyOf({ websiteId, date })) ?? [],
			goal_revision: Math.max(0, ...(revisions.get(websiteId) ?? []).map(({ revision }) => revision)),
		}));
		// A day that is sealed is not counted at each question either, should more come: until then these totals serve.
		await tx.run(sql`
			UPDATE days SET
				${
					kind === 'whole'
						? sql`generation = ${value(generation)}, sealed_batch = ${value(seal.batch)}, sealed_at = ${value(seal.at)},
							capped = told.capped, goal_revision = told.goal_revision,`
						: sql``
				}
				provisional_generation = ${value(generation)}, provisional_batch = ${value(seal.batch)},
				provisional_at = ${value(seal.at)}, provisional_capped = told.capped,
				provisional_goal_revision = told.goal_revision
			FROM json_to_recordset(${value(JSON.stringify(told))}::json)
				AS told (website_id bigint, date date, capped text[], goal_revision bigint)
			WHERE days.website_id = told.website_id AND days.date = told.date`);
		await tx.run(sql`
			DELETE FROM dead_generations USING ${listed(before)} AS day (website_id, date)
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
		return before.map(({ websiteId, date }) => ({ websiteId, date }));
	});
}

type LockedDay = Day & { generation: number; provisional: number };

/** The days that the seal may still count for, and what counts now. Nobody changes them until the end of the transaction. */
async function lockDays(tx: Queries, seal: Seal): Promise<LockedDay[]> {
	// First those that are being deleted: whoever deletes rows of a generation has said so in its row here.
	const alive = await tx.rows<Day>(sql`
		SELECT website_id AS "websiteId", date::text AS date FROM dead_generations
		WHERE generation = ${value(seal.generation)} AND NOT is_going
		ORDER BY website_id, date FOR UPDATE`);
	return tx.rows<LockedDay>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date, generation, provisional_generation AS provisional
		FROM days JOIN ${listed(alive)} AS alive (website_id, date) USING (website_id, date)
		JOIN websites ON websites.id = days.website_id
		WHERE greatest(generation, provisional_generation) < ${value(seal.generation)}
			AND (raw_from IS NULL OR days.date >= raw_from)
			AND NOT EXISTS (
				SELECT 1 FROM tombstones t WHERE t.website_id = days.website_id AND t.id > ${value(seal.tombstone)}
			)
		ORDER BY days.website_id, days.date FOR NO KEY UPDATE OF days`);
}

/** The dimensions of each day that have more values than are stored one by one. */
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
