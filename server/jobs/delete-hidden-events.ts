/**
 * Deletes hidden events from disk once they can no longer be restored.
 *
 * A deletion is first marked as `deleting`, after which it cannot be undone, and as `deleted` when nothing is left. In between the
 * events stay hidden, and a process that continues repeats the statement, so a crash at any point changes no number. It waits until no
 * more of the events can arrive, and until no seal counts them: fewer events than a seal has counted would look like damage.
 */
import { dropSetAside } from '../derive/damage.ts';
import { type EventSelection, isSelected, isSelectedTotal } from '../derive/hidden-events.ts';
import { endDeletion } from '../items/deletions.ts';
import { minuteMs } from '../lib/durations.ts';
import { identifier, param, sql, value } from '../store/sql.ts';
import type { JobServices } from './schedule.ts';

type Due = { id: number; websiteId: number; selection: EventSelection };

const atOnce = 20;

/** Results that statements about totals had before are kept for 10 minutes after their last use (result-cache.ts). */
const keptResultsMs = 15 * minuteMs;

export async function deleteHiddenEvents({
	postgres,
	clickhouse,
	eventLog,
	now,
	log,
	signal,
}: JobServices): Promise<number> {
	// Events that happened before may still be in the event log, or in a batch that was opened until now.
	const oldest = await eventLog.oldest();
	await postgres.run(sql`
		UPDATE deletions SET until_batch = (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM batches_number_seq)
		WHERE state = 'hidden' AND until_batch IS NULL AND delete_at <= ${value(now())}
			AND NOT (selection ? 'totals' AND created_at > ${value(new Date(now().getTime() - keptResultsMs))})
			AND created_at < ${value(oldest?.appendedAt ?? null)}::timestamptz IS NOT FALSE`);
	const due = await postgres.rows<Due>(sql`
		UPDATE deletions SET state = 'deleting'
		WHERE id IN (
			SELECT id FROM deletions
			WHERE state = 'deleting' OR (
				state = 'hidden' AND until_batch IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM batches WHERE number <= until_batch)
				AND NOT EXISTS (
					SELECT 1 FROM days JOIN websites ON websites.id = days.website_id
					WHERE days.website_id = deletions.website_id AND generation > 0
						AND deletions_revision > sealed_revision AND (raw_from IS NULL OR days.date >= raw_from)
				)
			)
			ORDER BY id LIMIT ${value(atOnce)} FOR UPDATE
		)
		RETURNING id, website_id AS "websiteId", selection`);
	for (const { id, websiteId, selection } of due) {
		signal.throwIfAborted();
		await clickhouse.command(
			sql`
			ALTER TABLE events DELETE
			WHERE website_id = ${param('UInt32', websiteId)} AND ${isSelected(selection)}`,
			{ name: 'delete hidden events', settings: { mutations_sync: '2' }, signal },
		);
		if (selection.totals)
			for (const table of ['totals', 'totals_imported'] as const)
				await clickhouse.command(
					sql`
					ALTER TABLE ${identifier(table)} DELETE
					WHERE website_id = ${param('UInt32', websiteId)} AND ${isSelectedTotal(selection, table)}`,
					{ name: 'delete hidden events', settings: { mutations_sync: '2' }, signal },
				);
		await dropSetAside({ postgres, clickhouse }, { signal });
		await postgres.transaction((tx) => endDeletion(tx, id, now));
	}
	if (due.length > 0) log.info({ deletions: due.length }, 'deleted hidden events');
	return due.length;
}
