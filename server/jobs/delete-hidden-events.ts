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
import { minuteMs } from '../lib/durations.ts';
import { identifier, listPiece, param, type Sql, sql, value } from '../store/sql.ts';
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
			-- One that fails, or takes many runs, does not keep others waiting.
			ORDER BY random() LIMIT ${value(atOnce)} FOR UPDATE
		)
		RETURNING id, website_id AS "websiteId", selection`);
	const services = { clickhouse, signal, until: performance.now() + maxRunMs };
	let deleted = 0;
	for (const { id, websiteId, selection } of due) {
		signal.throwIfAborted();
		try {
			if (!(await deleteSelected(services, websiteId, selection))) continue;
			await dropSetAside({ postgres, clickhouse }, { signal });
			await postgres.transaction((tx) => endDeletion(tx, id, now));
			deleted++;
		} catch (error) {
			signal.throwIfAborted();
			log.error({ error, website: websiteId }, 'hidden events could not be deleted; retrying later');
		}
	}
	if (deleted > 0) log.info({ deletions: deleted }, 'deleted hidden events');
	return deleted;
}

/** Backups wait for a run. The next one continues. */
const maxRunMs = 5 * minuteMs;

type DeletingServices = Pick<JobServices, 'clickhouse' | 'signal'> & { until: number };

/** False if the time is over before everything is deleted. */
async function deleteSelected(
	services: DeletingServices,
	websiteId: number,
	selection: EventSelection,
): Promise<boolean> {
	if (
		!(await deleteNamed(services, websiteId, {
			...{ table: 'events', id: sql`event_id` },
			isDeleted: isSelected(selection),
		}))
	)
		return false;
	if (selection.totals)
		for (const table of ['totals', 'totals_imported'] as const) {
			const isDeleted = isSelectedTotal(selection, table);
			const id = sql`sipHash64(dimension, value)`;
			if (!(await deleteNamed(services, websiteId, { table, id, isDeleted }))) return false;
		}
	return true;
}

/** Rows that one statement names. On a cluster, the statement is stored in Keeper, so it must stay small. */
const namedAtOnce = { engine: 50_000, cluster: listPiece };

/**
 * Deletes rows by their dates and ids, a date at a time. ClickHouse keeps the text of its last deletions on disk, which must not contain
 * the values that had to be deleted. False if the time is over before.
 */
async function deleteNamed(
	{ clickhouse, signal, until }: DeletingServices,
	websiteId: number,
	{ table, id, isDeleted }: { table: 'events' | TotalsTable; id: Sql; isDeleted: Sql },
): Promise<boolean> {
	const limit = clickhouse.cluster === undefined ? namedAtOnce.engine : namedAtOnce.cluster;
	const isOfWebsite = sql`website_id = ${param('UInt32', websiteId)}`;
	const read = { as: 'ingest', name: 'delete hidden events', signal } as const;
	const dates = await clickhouse.rows<{ date: string }>(
		sql`SELECT DISTINCT date FROM ${identifier(table)} WHERE ${isOfWebsite} AND ${isDeleted} ORDER BY date`,
		read,
	);
	for (const { date } of dates) {
		const isOfDate = sql`${isOfWebsite} AND date = ${param('Date', date)}`;
		for (let isMore = true; isMore; ) {
			signal.throwIfAborted();
			if (performance.now() > until) return false;
			const rows = await clickhouse.rows<{ id: string }>(
				sql`
				SELECT ${id} AS id FROM ${identifier(table)}
				WHERE ${isOfDate} AND ${isDeleted} LIMIT ${param('UInt32', limit)}`,
				read,
			);
			// What arrives meanwhile is counted by `endDeletion`.
			isMore = rows.length === limit;
			if (rows.length === 0) continue;
			const ids = rows.map((row) => BigInt(row.id));
			await clickhouse.command(
				sql`
				ALTER TABLE ${identifier(table)} DELETE
				WHERE ${isOfDate} AND ${id} IN ${param('Array(UInt64)', ids)}`,
				{ name: 'delete hidden events', settings: { mutations_sync: '2' }, signal },
			);
		}
	}
	return true;
}
