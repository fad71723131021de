import { addDays } from '../lib/local-dates.ts';
import { spreadAnew } from '../store/cluster-sql.ts';
import { sql, value } from '../store/sql.ts';
import type { JobServices } from './schedule.ts';

/** Websites with more events per day are spread over all shards. Sealing so many takes about a minute. */
const largeDay = 5_000_000;
const daysLookedAt = 7;

/**
 * On a cluster, spreads the events of large websites over all shards. Results do not depend on it, but a retried insert must go
 * to the same shards as before, because only they know its deduplication token. So the shards of a day never change after the
 * day has begun in any time zone, and every node gets the new definitions before that.
 */
export async function spreadLargeWebsites({ postgres, clickhouse, now, log }: JobServices): Promise<void> {
	const { cluster } = clickhouse;
	if (cluster === undefined) return;
	const today = now().toISOString().slice(0, 10);
	// No time zone is more than 14 hours ahead of UTC, so this date does not begin anywhere for the next ten hours.
	const from = addDays(today, 2);
	const added = await postgres.rows<{ websiteId: number }>(sql`
		INSERT INTO large_websites (website_id, from_date)
		SELECT website_id, ${value(from)}::date FROM days
		WHERE date >= ${value(addDays(today, -daysLookedAt))}::date GROUP BY website_id
		HAVING max(size) >= ${value(largeDay)} ORDER BY website_id
		ON CONFLICT DO NOTHING RETURNING website_id AS "websiteId"`);
	const large = await postgres.rows<{ websiteId: number; from: string }>(sql`
		SELECT website_id AS "websiteId", from_date::text AS from FROM large_websites ORDER BY website_id`);
	// Repeated until the date begins, so that an interrupted run is completed.
	if (!large.some((website) => website.from > today)) return;
	for (const definition of spreadAnew(cluster, large)) await clickhouse.script(definition);
	if (added.length > 0)
		log.info({ websites: added.length, from }, 'spreading large websites over all shards');
}
