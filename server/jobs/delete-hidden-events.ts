/**
 * Deletes hidden events from disk once they can no longer be restored.
 *
 * A deletion is first marked as `deleting`, after which it cannot be undone, and as `deleted` when nothing is left. In between the
 * events stay hidden, and a process that continues repeats the statement, so a crash at any point changes no number. It waits until no
 * more of the events can arrive, and until no seal counts them: fewer events than a seal has counted would look like damage.
 */
import { dropSetAside } from '../derive/damage.ts';
import {
	type EventSelection,
	isSelected,
	isSelectedTotal,
	type TotalsTable,
} from '../derive/hidden-events.ts';
import { endDeletion, isRetained } from '../items/deletions.ts';
import { chunk } from '../lib/chunk.ts';
import { minuteMs } from '../lib/durations.ts';
import { identifier, join, param, type Sql, sql, value } from '../store/sql.ts';
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
		WHERE state = 'hidden' AND until_batch IS NULL AND (delete_at <= ${value(now())} OR NOT ${isRetained})
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
		const services = { clickhouse, signal };
		await deleteNamed(services, websiteId, {
			table: 'events',
			id: sql`event_id`,
			isDeleted: isSelected(selection),
		});
		if (selection.totals)
			for (const table of ['totals', 'totals_imported'] as const)
				await deleteNamed(services, websiteId, {
					...{ table, id: sql`sipHash64(dimension, value)` },
					isDeleted: isSelectedTotal(selection, table),
				});
		await dropSetAside({ postgres, clickhouse }, { signal });
		await postgres.transaction((tx) => endDeletion(tx, id, now));
	}
	if (due.length > 0) log.info({ deletions: due.length }, 'deleted hidden events');
	return due.length;
}

const namedAtOnce = 50_000;
/** A ClickHouse server accepts 128 KiB per field. */
const idsPerField = 2_000;

/**
 * Deletes rows by their dates and ids. ClickHouse keeps the text of its last deletions on disk, which must not contain the values that
 * had to be deleted.
 */
async function deleteNamed(
	{ clickhouse, signal }: Pick<JobServices, 'clickhouse' | 'signal'>,
	websiteId: number,
	{ table, id, isDeleted }: { table: 'events' | TotalsTable; id: Sql; isDeleted: Sql },
): Promise<void> {
	const isOfWebsite = sql`website_id = ${param('UInt32', websiteId)}`;
	for (;;) {
		signal.throwIfAborted();
		const rows = await clickhouse.rows<{ date: string; id: string }>(
			sql`
			SELECT DISTINCT date, ${id} AS id FROM ${identifier(table)}
			WHERE ${isOfWebsite} AND ${isDeleted}
			ORDER BY date LIMIT ${param('UInt32', namedAtOnce)}`,
			{ as: 'ingest', name: 'delete hidden events', signal },
		);
		const [first, last] = [rows[0], rows.at(-1)];
		if (!first || !last) return;
		const isNamed = chunk(rows, idsPerField).map(
			(some) => sql`(date, ${id}) IN arrayZip(
				${param(
					'Array(Date)',
					some.map((row) => row.date),
				)},
				${param(
					'Array(UInt64)',
					some.map((row) => BigInt(row.id)),
				)})`,
		);
		await clickhouse.command(
			sql`
			ALTER TABLE ${identifier(table)} DELETE
			WHERE ${isOfWebsite} AND date BETWEEN ${param('Date', first.date)} AND ${param('Date', last.date)} AND (${join(isNamed, ' OR ')})`,
			{ name: 'delete hidden events', settings: { mutations_sync: '2' }, signal },
		);
		// What arrived meanwhile is counted by `endDeletion`.
		if (rows.length < namedAtOnce) return;
	}
}
