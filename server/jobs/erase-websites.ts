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

/** Runs of open days are numbered by the time at which they were found. */
const openGeneration = (time: Date): bigint => BigInt(time.getTime()) << 22n;

type Reset = Pick<Tombstone, 'websiteId' | 'untilGeneration' | 'createdAt'>;

/**
 * By website the first value that is not dead; for all other websites nothing is. Two lists and not two parameters a website: a
 * server takes 1,000 fields in a request (`http_max_fields`). The last reset of a website is the one that says most.
 */
function endOf(resets: readonly Reset[], endFor: (reset: Reset) => bigint): Sql {
	const ends = new Map<number, bigint>();
	for (const reset of resets) {
		const [before, end] = [ends.get(reset.websiteId) ?? 0n, endFor(reset)];
		if (end > before) ends.set(reset.websiteId, end);
	}
	return sql`transform(website_id, ${param('Array(UInt32)', [0, ...ends.keys()])}, ${param('Array(UInt64)', [0n, ...ends.values()])}, toUInt64(0))`;
}

/** Tables of ClickHouse that hold something of a website, and what of it is dead when it was emptied. */
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
	// Imports of an emptied website are undone, each by its number.
	{ name: sql`totals_imported`, isDead: () => sql`false` },
	{
		name: sql`open_visits`,
		isDead: (resets) => sql`generation < ${endOf(resets, ({ createdAt }) => openGeneration(createdAt))}`,
	},
];

/**
 * Takes what was buried off the disk, once nothing of it can still be on its way: the log has passed the tombstone, no batch
 * from before it is open, and no seal that began before it writes. One statement for all of them, because ClickHouse
 * rewrites whole parts.
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
	// First: what is taken from now on is taken by a writer that sees them.
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
	log.info({ websites: tombstones.length }, 'erased');
	return tombstones.length;
}
