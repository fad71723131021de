/**
 * What must be forgotten. A tombstone is written in the transaction that deletes a website or empties its statistics: from
 * then on its events are invisible, the writer drops those that are still on their way, and a job takes the rest off every
 * disk. It stays, so that a backup that is restored is cleared of them again.
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
	// The lock of the log: every event that was acknowledged before has its number, and it is not above this one.
	await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.tombstones)}::bigint)`);
	// First: a seal that began with these days has its generation once their rows can be deleted.
	await tx.run(sql`DELETE FROM days WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`
		INSERT INTO tombstones (website_id, until_seq, until_generation, is_reset, created_at)
		SELECT ${value(websiteId)}, ${lastOf(sql`event_log_seq`)}, ${lastOf(sql`generations`)}, ${value(isReset)}, ${value(now())}`);
	await tx.run(sql`DELETE FROM reports WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM drops WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM foreign_hostnames WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM dead_letters WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`DELETE FROM imported_days WHERE website_id = ${value(websiteId)}`);
	await tx.run(sql`
		UPDATE imports SET state = 'undone', undone_at = ${value(now())}
		WHERE website_id = ${value(websiteId)} AND undone_at IS NULL`);
}

/** The last number that was given out; a new sequence shows its first one before that. */
const lastOf = (sequence: Sql): Sql =>
	sql`(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ${sequence})`;

/** All websites of an account that goes. */
export async function addTombstonesOf(tx: Queries, now: Clock, accountId: number): Promise<void> {
	const websites = await tx.rows<{ id: number }>(
		sql`SELECT id FROM websites WHERE account_id = ${value(accountId)}`,
	);
	for (const { id } of websites) {
		await addTombstone(tx, now, id, { isReset: false });
		await announce(tx, id);
	}
}
