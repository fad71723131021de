/**
 * Tombstones mark data to be erased. The transaction that deletes a website or resets its statistics adds one. From then on its
 * events are hidden, the writer drops those still in the event log, and a job deletes the rest from disk. Tombstones are kept,
 * so that data from a restored backup is erased again.
 */
import type { Clock } from '../lib/clock.ts';
import { locks } from '../store/locks.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { announce } from './announce.ts';

export async function addTombstone(
	tx: Queries,
	now: Clock,
	websiteId: number,
	{ isReset }: { isReset: boolean },
): Promise<void> {
	// With the lock of the event log: events that were acknowledged before have a sequence number up to the current one.
	await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.tombstones)}::bigint)`);
	// First: the DELETE waits for seals of these days, which have their generation number by then.
	await tx.run(sql`DELETE FROM days WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`
		INSERT INTO tombstones (website_id, until_seq, until_generation, is_reset, created_at)
		SELECT ${value(websiteId)}, ${lastOf(sql`event_log_seq`)}, ${lastOf(sql`generations`)}, ${value(isReset)}, ${value(now())}`);
	await tx.run(sql`DELETE FROM reports WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM drops WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`
		DELETE FROM rule_drops WHERE rule_id IN (SELECT id FROM traffic_rules WHERE website_id = ${value(websiteId)})`);
	await tx.run(sql`DELETE FROM foreign_hostnames WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM dead_letters WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM deletions WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM imported_days WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`
		UPDATE imports SET state = 'undone', undone_at = ${value(now())}
		WHERE website_id = ${value(websiteId)} AND undone_at IS NULL`);
}

/** The last number of a sequence, or 0 if it was never used. */
const lastOf = (sequence: Sql): Sql =>
	sql`(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${sequence})`;

/** Adds tombstones for all websites of an account that is being deleted. */
export async function addTombstonesOf(tx: Queries, now: Clock, accountId: number): Promise<void> {
	const websites = await tx.rows<{ id: number }>(
		sql`SELECT id FROM websites WHERE account_id = ${value(accountId)}`,
	);
	for (const { id } of websites) {
		await addTombstone(tx, now, id, { isReset: false });
		await announce(tx, id);
	}
}
