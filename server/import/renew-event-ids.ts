/**
 * Gives new, random ids to events that earlier versions imported. Their ids were unkeyed hashes of a row: with a guess of the rest
 * of a line of an access log, one row was enough to find the address in it.
 *
 * An id is nothing but a name, so counts stay as they are. Only of events of one visitor in the same millisecond the order changes,
 * which ids decide: such days are sealed again, so that what is sealed is what the events say. A kill in the midst is no loss:
 * the import is not marked, and its events get new ids once more.
 */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { closeBatch, noLogRange, openBatch } from '../write/batch.ts';

type Services = { postgres: Postgres; clickhouse: ClickHouse; now: Clock; log: Log; signal: AbortSignal };
type Hashed = { id: number; websiteId: number };

/** One after another: each rewrites one column of the parts that hold its events. */
export async function renewEventIds({ postgres, clickhouse, log, signal }: Services): Promise<void> {
	const imports = await postgres.rows<Hashed>(sql`
		SELECT id, website_id AS "websiteId" FROM imports
		WHERE kind = 'events' AND state = 'done' AND NOT has_random_ids AND undone_at IS NULL ORDER BY id LIMIT 1000`);
	for (const item of imports) {
		if (signal.aborted) return;
		const isOfImport = sql`website_id = ${param('UInt32', item.websiteId)} AND import_id = ${param('UInt64', item.id)}`;
		await clickhouse.command(
			sql`ALTER TABLE events UPDATE event_id = greatest(rand64(), 1) WHERE ${isOfImport}`,
			{
				name: 'renew event ids',
				// Replicas that draw different numbers take those of the first one.
				settings: { mutations_sync: '2', allow_nondeterministic_mutations: 1 },
				signal,
			},
		);
		const tied = await clickhouse.rows<{ date: string }>(
			sql`
			SELECT DISTINCT toString(date) AS date FROM (
				SELECT date, visitor_id, time FROM events WHERE ${isOfImport} AND visitor_id != 0
				GROUP BY date, visitor_id, time HAVING count() > 1
			)`,
			{ name: 'renew event ids', settings: { optimize_aggregation_in_order: 1 }, signal },
		);
		await finish(
			postgres,
			item,
			tied.map(({ date }) => date),
		);
		log.info({ import: item.id, sealedAgain: tied.length }, 'gave imported events random ids');
	}
}

const finish = (postgres: Postgres, { id, websiteId }: Hashed, tied: readonly string[]): Promise<void> =>
	postgres.transaction(async (tx) => {
		const [marked] = await tx.rows(sql`
			UPDATE imports SET has_random_ids = true WHERE id = ${value(id)} AND undone_at IS NULL RETURNING id`);
		if (!marked) return;
		// Days that are still its own, and whose events are still kept.
		const days = await tx.rows<{ date: string }>(sql`
			SELECT days.date::text AS date FROM days
			JOIN imported_days AS i ON i.website_id = days.website_id AND i.date = days.date AND i.import_id = ${value(id)}
			JOIN websites ON websites.id = days.website_id AND (raw_from IS NULL OR days.date >= raw_from)
			WHERE days.website_id = ${value(websiteId)} AND days.date = ANY(${value(tied)}::date[])`);
		if (days.length === 0) return;
		const touched = days.map(({ date }) => ({ websiteId, date, events: 0 }));
		await closeBatch(tx, await openBatch(tx, noLogRange, touched));
	});
