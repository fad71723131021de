import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { join, param, sql, value } from '../store/sql.ts';

/** Tables of ClickHouse that hold something of a website. */
const tables = [sql`events`];

/**
 * Takes what was buried off the disk, once nothing of it can still be on its way: the log has passed the tombstone and no
 * batch from before it is open. One statement for all of them, because ClickHouse rewrites whole parts.
 */
export async function eraseWebsites({
	postgres,
	clickhouse,
	now,
	log,
}: {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
}): Promise<number> {
	const buried = await postgres.rows<{
		id: number;
		websiteId: number;
		isReset: boolean;
		createdAt: Date;
	}>(sql`
		SELECT id, website_id AS "websiteId", is_reset AS "isReset", created_at AS "createdAt" FROM tombstones
		WHERE erased_at IS NULL AND NOT EXISTS (SELECT 1 FROM event_log WHERE seq <= until_seq)
			AND NOT EXISTS (SELECT 1 FROM batches WHERE first_seq <= until_seq)
		ORDER BY id LIMIT 1000`);
	if (buried.length === 0) return 0;
	const dead = buried.map(({ websiteId, isReset, createdAt }) =>
		isReset
			? sql`(website_id = ${param('UInt32', websiteId)} AND time < ${param('DateTime64(3)', createdAt)})`
			: sql`website_id = ${param('UInt32', websiteId)}`,
	);
	for (const table of tables) {
		await clickhouse.command(sql`ALTER TABLE ${table} DELETE WHERE ${join(dead, ' OR ')}`, {
			name: 'erase',
			settings: { mutations_sync: '2' },
		});
	}
	await postgres.run(sql`
		UPDATE tombstones SET erased_at = ${value(now())} WHERE id = ANY(${value(buried.map(({ id }) => id))}::bigint[])`);
	log.info({ websites: buried.length }, 'erased');
	return buried.length;
}
