import { addDays } from '../lib/local-dates.ts';
import { spreadAnew } from '../store/cluster-sql.ts';
import { sql, value } from '../store/sql.ts';
import type { JobServices } from './schedule.ts';

/** Events of a day from which on a website is no longer one shard's alone: to seal so many takes about a minute. */
const largeDay = 5_000_000;
const daysLookedAt = 7;

/**
 * On a cluster, spreads the events of large websites over all shards. No answer depends on it; but an insert that is
 * repeated must find the shards that it went to before, or its token is not known there. So where a day's events go never
 * changes once the day has begun anywhere, and every node has the new definitions before it does.
 */
export async function spreadLargeWebsites({ postgres, clickhouse, now, log }: JobServices): Promise<void> {
	const { cluster } = clickhouse;
	if (cluster === undefined) return;
	const today = now().toISOString().slice(0, 10);
	// No clock is more than 14 hours ahead of UTC: this date begins nowhere for ten hours.
	const from = addDays(today, 2);
	const added = await postgres.rows<{ websiteId: number }>(sql`
		INSERT INTO large_websites (website_id, from_date)
		SELECT website_id, ${value(from)}::date FROM days
		WHERE date >= ${value(addDays(today, -daysLookedAt))}::date GROUP BY website_id
		HAVING max(size) >= ${value(largeDay)} ORDER BY website_id
		ON CONFLICT DO NOTHING RETURNING website_id AS "websiteId"`);
	const large = await postgres.rows<{ websiteId: number; from: string }>(sql`
		SELECT website_id AS "websiteId", from_date::text AS from FROM large_websites ORDER BY website_id`);
	// Again until the date has come, so that a run that was cut short leaves nothing undone.
	if (!large.some((website) => website.from > today)) return;
	for (const definition of spreadAnew(cluster, large)) await clickhouse.script(definition);
	if (added.length > 0)
		log.info({ websites: added.length, from }, 'spreading large websites over all shards');
}
