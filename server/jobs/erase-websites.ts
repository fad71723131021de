import { dropSetAside } from '../derive/damage.ts';
import { join, param, type Sql, sql, value } from '../store/sql.ts';
import { deadForMs } from './delete-dead-generations.ts';
import type { JobServices } from './schedule.ts';

type Tombstone = {
	id: number;
	websiteId: number;
	isReset: boolean;
	untilGeneration: number;
	createdAt: Date;
	untilSeq: number;
};

/** Generations of open days are numbered by time. */
const openGeneration = (time: Date): bigint => BigInt(time.getTime()) << 22n;

type Reset = Pick<Tombstone, 'websiteId' | 'untilGeneration' | 'createdAt'>;

/**
 * For each website the first value that is kept, or 0 for other websites. Uses the latest reset of a website. Two lists instead
 * of two parameters per website: a server accepts 1,000 fields per request (`http_max_fields`).
 */
function endOf(resets: readonly Reset[], endFor: (reset: Reset) => bigint): Sql {
	const ends = new Map<number, bigint>();
	for (const reset of resets) {
		const [before, end] = [ends.get(reset.websiteId) ?? 0n, endFor(reset)];
		if (end > before) ends.set(reset.websiteId, end);
	}
	return sql`transform(website_id, ${param('Array(UInt32)', [0, ...ends.keys()])}, ${param('Array(UInt64)', [0n, ...ends.values()])}, toUInt64(0))`;
}

/** ClickHouse tables with data of websites, and the condition for rows from before a reset. */
const tables: readonly { name: Sql; isDead(resets: readonly Reset[]): Sql }[] = [
	{
		name: sql`events`,
		isDead: (resets) =>
			sql`toUnixTimestamp64Milli(time) < toInt64(${endOf(resets, ({ createdAt }) => BigInt(createdAt.getTime()))})`,
	},
	...[sql`visits`, sql`totals`].map((name) => ({
		name,
		isDead: (resets: readonly Reset[]) =>
			sql`generation < ${endOf(resets, ({ untilGeneration }) => BigInt(untilGeneration) + 1n)}`,
	})),
	// A reset undoes each import by its id.
	{ name: sql`totals_imported`, isDead: () => sql`false` },
	{
		name: sql`open_visits`,
		isDead: (resets) => sql`generation < ${endOf(resets, ({ createdAt }) => openGeneration(createdAt))}`,
	},
];

/**
 * Deletes the data of tombstones from disk when no more of it can arrive: the event log has passed the tombstone, no earlier
 * batch is open, and no earlier seal is writing. All websites share one statement, because ClickHouse rewrites whole parts.
 */
export async function eraseWebsites({
	postgres,
	clickhouse,
	eventLog,
	now,
	log,
	signal,
}: JobServices): Promise<number> {
	const isOfTombstone = sql`g.website_id = t.website_id AND (NOT t.is_reset OR g.generation <= t.until_generation)`;
	// First, because batches that are opened later are filtered by the tombstones.
	await postgres.run(sql`
		UPDATE tombstones SET until_batch = (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM batches_number_seq)
		WHERE erased_at IS NULL AND until_batch IS NULL`);
	const oldest = await eventLog.oldest();
	const pending = await postgres.rows<Tombstone>(sql`
		SELECT id, website_id AS "websiteId", is_reset AS "isReset", until_generation AS "untilGeneration",
			created_at AS "createdAt", until_seq AS "untilSeq"
		FROM tombstones AS t
		WHERE erased_at IS NULL AND NOT EXISTS (SELECT 1 FROM batches WHERE number <= until_batch)
			AND NOT EXISTS (
				SELECT 1 FROM dead_generations AS g
				WHERE ${isOfTombstone} AND died_at >= ${value(new Date(now().getTime() - deadForMs))}
			)
		ORDER BY id LIMIT 1000`);
	const isPassed = ({ untilSeq, createdAt }: Tombstone) =>
		oldest === undefined || !eventLog.isBefore(oldest, { seq: untilSeq, at: createdAt });
	const tombstones = pending.filter(isPassed);
	if (tombstones.length === 0) return 0;
	const ids = tombstones.map(({ id }) => id);
	const resets = tombstones.filter(({ isReset }) => isReset);
	const gone = tombstones.filter(({ isReset }) => !isReset);
	const isOf = (some: readonly Tombstone[]) =>
		sql`website_id IN ${param('Array(UInt32)', [...new Set(some.map(({ websiteId }) => websiteId))])}`;
	for (const { name, isDead } of tables) {
		const dead = [
			...(gone.length > 0 ? [isOf(gone)] : []),
			...(resets.length > 0 ? [sql`(${isOf(resets)} AND ${isDead(resets)})`] : []),
		];
		await clickhouse.command(sql`ALTER TABLE ${name} DELETE WHERE ${join(dead, ' OR ')}`, {
			name: 'erase',
			settings: { mutations_sync: '2' },
			signal,
		});
	}
	await dropSetAside({ postgres, clickhouse }, { signal });
	await postgres.transaction(async (tx) => {
		await tx.run(sql`
			DELETE FROM dead_generations AS g USING tombstones AS t
			WHERE t.id = ANY(${value(ids)}::bigint[]) AND ${isOfTombstone}`);
		await tx.run(sql`
			UPDATE tombstones SET erased_at = ${value(now())} WHERE id = ANY(${value(ids)}::bigint[])`);
	});
	log.info({ websites: tombstones.length }, 'erased deleted and reset websites');
	return tombstones.length;
}
