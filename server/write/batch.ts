/** A batch: consecutive rows of the event log that are inserted into ClickHouse together. */
import type { EventLog, LoggedEvent, LogPartition, LogPosition, LogRow } from '../event-log/event-log.ts';
import { eventsOf } from '../event-log/group-format.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { locks } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { RecentEvents } from './deduplicate.ts';

export type WriterServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	eventLog: EventLog;
	/** The partition that this writer reads. */
	partition: LogPartition;
	now: Clock;
	log: Log;
	/** Aborts a ClickHouse statement that takes too long, or when the service stops. */
	signal(): AbortSignal;
};

/** The session lock of the only writer, bound to one PostgreSQL connection. Each check throws when the lock is lost. */
export type WriterLock = {
	check(): Promise<void>;
	/** For a transaction on another connection, which could outlive the lock: the next writer waits until it ends. */
	checkWithin(tx: Queries): Promise<void>;
};

const maxRows = 2_000;
const maxEvents = 100_000;
const maxBytes = 8 * 1024 * 1024;

export type Batch = { number: number; rows: LogRow[] };

/** Takes the next rows as a batch. `isFull` means that more rows may be waiting. */
export async function takeBatch(
	{ postgres, partition }: WriterServices,
	{ after, lock }: { after?: number | undefined; lock?: WriterLock } = {},
): Promise<(Batch & { isFull: boolean }) | undefined> {
	const rows = await partition.read(after, { rows: maxRows, events: maxEvents, bytes: maxBytes });
	const [first, last] = [rows[0], rows.at(-1)];
	if (!first || !last) return undefined;
	const bytes = rows.reduce((sum, row) => sum + row.lines.length, 0);
	const isFull = rows.length === maxRows || bytes >= maxBytes / 2;
	return postgres.transaction(async (tx) => {
		await lock?.checkWithin(tx);
		const range = { partition: partition.number, first: first.seq, last: last.seq };
		return { number: await openBatch(tx, range, daysOf(rows)), rows, isFull };
	});
}

/** For a batch of events that are not in the log. */
export const noLogRange = { partition: 0, first: 0, last: 0 };

export type BatchDay = { websiteId: number; date: string; events: number };

/** The days of some rows, with the number of events on each. */
export function daysOf(rows: readonly LogRow[]): BatchDay[] {
	const days = new Map<string, BatchDay>();
	for (const { header } of rows) {
		header.w.forEach((websiteId, index) => {
			const date = header.d[index] ?? '';
			const key = `${websiteId} ${date}`;
			const day = days.get(key);
			if (day) day.events++;
			else days.set(key, { websiteId, date, events: 1 });
		});
	}
	return [...days.values()];
}

/**
 * Numbers a batch and marks its days as changed since they were sealed. While the row of the batch exists, no seal treats these days as
 * complete. Days are updated in order to avoid deadlocks. A lock is held until the commit, so batch numbers become visible in order: a
 * day whose last batch is N gets no batch with a lower number later.
 */
export async function openBatch(
	tx: Queries,
	range: { partition: number; first: number; last: number },
	days: readonly BatchDay[],
): Promise<number> {
	await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.batchNumber)}::bigint)`);
	const [batch] = await tx.rows<{ number: number }>(sql`
		INSERT INTO batches (partition, first_seq, last_seq)
		VALUES (${value(range.partition)}, ${value(range.first)}, ${value(range.last)}) RETURNING number`);
	if (!batch) throw new Error('The batch was not inserted.');
	await tx.run(sql`
		INSERT INTO days (website_id, date, last_batch, size)
		SELECT day.website_id, day.date, ${value(batch.number)}::bigint, day.events
		FROM unnest(${value(days.map((day) => day.websiteId))}::bigint[], ${value(days.map((day) => day.date))}::date[],
			${value(days.map((day) => day.events))}::bigint[]) AS day (website_id, date, events)
		JOIN websites ON websites.id = day.website_id
		ORDER BY day.website_id, day.date
		ON CONFLICT (website_id, date) DO UPDATE
		SET last_batch = greatest(days.last_batch, excluded.last_batch), size = days.size + excluded.size`);
	return batch.number;
}

/** The events of some rows, without those of deleted websites and those from before a reset. */
export async function discardErased(
	{ postgres, eventLog }: Pick<WriterServices, 'postgres' | 'eventLog'>,
	rows: readonly LogRow[],
): Promise<LoggedEvent[]> {
	const ids = [...new Set(rows.flatMap((row) => row.header.w))];
	const websites = await postgres.rows<{ id: number; seq: number | null; at: Date | null }>(sql`
		SELECT w.id, max(t.until_seq) AS seq, max(t.created_at) AS at
		FROM websites w LEFT JOIN tombstones t ON t.website_id = w.id
		WHERE w.id = ANY(${value(ids)}::bigint[]) GROUP BY w.id`);
	const erasedUntil = new Map(
		websites.map(({ id, seq, at }) => [id, at ? { seq: seq ?? 0, at } : undefined]),
	);
	const isErased = (websiteId: number, position: LogPosition) => {
		const until = erasedUntil.get(websiteId);
		return !erasedUntil.has(websiteId) || (until !== undefined && eventLog.isBefore(position, until));
	};
	return rows.flatMap((row) => eventsOf(row).filter(({ websiteId }) => !isErased(websiteId, row)));
}

/** Stores counts and event ids, releases the rows and deletes the batch, in one transaction. */
export async function finishBatch(
	{ postgres, partition, now, log }: WriterServices,
	batch: Batch,
	events: readonly LoggedEvent[],
	recent: RecentEvents,
): Promise<void> {
	const drops = batch.rows.flatMap((row) => row.header.drops);
	const views = new Map<number, number>();
	for (const { isPageview, websiteId } of events)
		if (isPageview) views.set(websiteId, (views.get(websiteId) ?? 0) + 1);
	const [first, last] = [batch.rows[0], batch.rows.at(-1)];
	if (!first || !last) return;
	const month = `${now().toISOString().slice(0, 7)}-01`;
	await postgres.transaction(async (tx) => {
		if (drops.length > 0) {
			await tx.run(sql`
				INSERT INTO drops (website_id, date, reason, count)
				SELECT website_id, date, reason, sum(count) FROM unnest(${value(drops.map(([id]) => id))}::bigint[],
					${value(drops.map(([, date]) => date))}::date[], ${value(drops.map(([, , reason]) => reason))}::text[],
					${value(drops.map(([, , , count]) => count))}::bigint[]) AS d (website_id, date, reason, count)
				WHERE website_id IN (SELECT id FROM websites) GROUP BY website_id, date, reason
				ON CONFLICT (website_id, date, reason) DO UPDATE SET count = drops.count + excluded.count`);
		}
		await addForeignHostnames(
			tx,
			batch.rows.flatMap((row) => row.header.hosts ?? []),
		);
		await addRuleDrops(
			tx,
			batch.rows.flatMap((row) => row.header.rules ?? []),
		);
		await addUsage(tx, month, views);
		await moveUnreadableToDeadLetters(tx, log, batch.rows);
		await recent.store(tx, batch.number, last.appendedAt, events);
		await partition.release(tx, first.seq, last);
		// These counts must be added once, even if another writer wrongly holds on to the same batch.
		if ((await closeBatch(tx, batch.number)) === 0)
			throw new Error(`Batch ${batch.number} was finished by another writer.`);
	});
	await partition.forget(last);
}

/** Unreadable groups are damaged or were written by a newer release. They must not block the others. */
async function moveUnreadableToDeadLetters(tx: Queries, log: Log, rows: readonly LogRow[]): Promise<void> {
	for (const { unreadable } of rows) {
		if (!unreadable) continue;
		log.error({ reason: unreadable.reason }, 'unreadable event group moved to dead letters');
		await tx.run(sql`
			INSERT INTO dead_letters (line, reason, body)
			VALUES ('', ${value(unreadable.reason)}, ${value(unreadable.body)})`);
	}
}

const maxHostnamesOfDay = 20;
/** Of hostnames and of counts per rule. */
const keptDays = 90;

/**
 * Counts hostnames whose hits were dropped, so that owners notice a hostname they forgot to allow. Anyone can send any hostname, so the
 * number per day is limited; old ones are deleted when new ones arrive.
 */
async function addForeignHostnames(
	tx: Queries,
	hosts: readonly [websiteId: number, date: string, hostname: string, count: number][],
): Promise<void> {
	if (hosts.length === 0) return;
	await tx.run(sql`
		WITH sent AS (
			SELECT website_id, date, hostname, sum(count) AS count FROM unnest(${value(hosts.map(([id]) => id))}::bigint[],
				${value(hosts.map(([, date]) => date))}::date[], ${value(hosts.map(([, , hostname]) => hostname))}::text[],
				${value(hosts.map(([, , , count]) => count))}::bigint[]) AS h (website_id, date, hostname, count)
			WHERE website_id IN (SELECT id FROM websites) GROUP BY website_id, date, hostname
		), ranked AS (
			-- Known hostnames come first, then the most frequent new ones up to the limit.
			SELECT sent.*, known.hostname IS NOT NULL AS is_known,
				row_number() OVER (PARTITION BY website_id, date ORDER BY known.hostname IS NULL, sent.count DESC, hostname) AS place,
				(SELECT count(*) FROM foreign_hostnames f WHERE f.website_id = sent.website_id AND f.date = sent.date)
					- count(known.hostname) OVER (PARTITION BY website_id, date) AS others
			FROM sent LEFT JOIN foreign_hostnames known USING (website_id, date, hostname)
		)
		INSERT INTO foreign_hostnames (website_id, date, hostname, count)
		SELECT website_id, date, hostname, count FROM ranked
		WHERE is_known OR place + others <= ${value(maxHostnamesOfDay)}
		ON CONFLICT (website_id, date, hostname) DO UPDATE SET count = foreign_hostnames.count + excluded.count`);
	await tx.run(sql`
		DELETE FROM foreign_hostnames WHERE website_id = ANY(${value(hosts.map(([id]) => id))}::bigint[])
			AND date < ${value(hosts[0]?.[1] ?? '')}::date - ${value(keptDays)}::integer`);
}

/** Counts the hits that each traffic rule dropped. A rule that was deleted meanwhile has no count. */
async function addRuleDrops(
	tx: Queries,
	counts: readonly [websiteId: number, date: string, ruleId: number, count: number][],
): Promise<void> {
	if (counts.length === 0) return;
	const ruleIds = counts.map(([, , id]) => id);
	await tx.run(sql`
		WITH dropped AS (
			SELECT website_id, rule_id, date, sum(count) AS count FROM unnest(${value(counts.map(([id]) => id))}::bigint[],
				${value(ruleIds)}::bigint[], ${value(counts.map(([, date]) => date))}::date[],
				${value(counts.map(([, , , count]) => count))}::bigint[]) AS d (website_id, rule_id, date, count)
			GROUP BY website_id, rule_id, date
		), kept AS (
			-- Locked, so that none is deleted before the commit. In order, to avoid deadlocks.
			SELECT id, website_id FROM traffic_rules WHERE id = ANY(${value(ruleIds)}::bigint[]) ORDER BY id FOR KEY SHARE
		)
		INSERT INTO rule_drops (rule_id, date, count)
		SELECT rule_id, date, dropped.count FROM dropped JOIN kept ON kept.id = rule_id AND kept.website_id = dropped.website_id
		ORDER BY rule_id, date
		ON CONFLICT (rule_id, date) DO UPDATE SET count = rule_drops.count + excluded.count`);
	await tx.run(sql`
		DELETE FROM rule_drops USING traffic_rules AS r
		WHERE r.id = rule_id AND r.website_id = ANY(${value(counts.map(([id]) => id))}::bigint[])
			AND date < ${value(counts[0]?.[1] ?? '')}::date - ${value(keptDays)}::integer`);
}

/** Adds page views by website to the usage of their accounts in the month that starts on this date. */
export async function addUsage(
	tx: Queries,
	month: string,
	views: ReadonlyMap<number, number>,
): Promise<void> {
	if (views.size === 0) return;
	await tx.run(sql`
		INSERT INTO account_usage (account_id, month, pageviews)
		SELECT w.account_id, ${value(month)}::date, sum(v.views)
		FROM unnest(${value([...views.keys()])}::bigint[], ${value([...views.values()])}::bigint[]) AS v (website_id, views)
		JOIN websites w ON w.id = v.website_id GROUP BY w.account_id
		ON CONFLICT (account_id, month) DO UPDATE SET pageviews = account_usage.pageviews + excluded.pageviews`);
}

export async function closeBatch(tx: Queries, number: number): Promise<number> {
	return tx.run(sql`DELETE FROM batches WHERE number = ${value(number)}`);
}
