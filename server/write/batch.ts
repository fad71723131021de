/** A batch: a run of log rows on its way into ClickHouse. */
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { EventLog, LogPartition, LogRow } from '../store/event-log.ts';
import { locks } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { RecentEvents } from './retries.ts';

export type WriterServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	eventLog: EventLog;
	/** The part of the log that this writer moves. */
	partition: LogPartition;
	now: Clock;
	log: Log;
	/** For a statement to ClickHouse: ends it when it takes too long, or when we stop. */
	signal(): AbortSignal;
};

/** That there is one writer: it lives and dies with one connection to PostgreSQL. Each check throws when it is lost. */
export type WriterLock = {
	check(): Promise<void>;
	/** For a transaction on another connection, which could outlive the lock: whoever leads next waits for its end. */
	checkWithin(tx: Queries): Promise<void>;
};

const maxRows = 2_000;
const maxEvents = 100_000;
const maxBytes = 8 * 1024 * 1024;

export type Batch = { number: number; rows: LogRow[] };

/** The next run of rows after this one; `isFull` when more of them may be there at once. */
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
		const run = { partition: partition.number, first: first.seq, last: last.seq };
		return { number: await numberBatch(tx, run, daysOf(rows)), rows, isFull };
	});
}

/** A batch of what stands in no log. */
export const unlogged = { partition: 0, first: 0, last: 0 };

export type Day = { websiteId: number; date: string; events: number };

/** The days of a run of rows, and how many events it has of each. */
export function daysOf(rows: readonly LogRow[]): Day[] {
	const days = new Map<string, Day>();
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
 * Names a run of rows and marks every day in it as having more than was sealed. While the row of the batch is there, no
 * seal believes that these days are complete. Rows are taken in order, so that nobody waits for somebody who waits for them.
 * Numbers are given one by one, each to its commit: whoever sees one sees all below it, and a day that names it as its last
 * batch has none to come with a lower number.
 */
export async function numberBatch(
	tx: Queries,
	run: { partition: number; first: number; last: number },
	touched: readonly Day[],
): Promise<number> {
	await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.batchNumber)}::bigint)`);
	const [batch] = await tx.rows<{ number: number }>(sql`
		INSERT INTO batches (partition, first_seq, last_seq)
		VALUES (${value(run.partition)}, ${value(run.first)}, ${value(run.last)}) RETURNING number`);
	if (!batch) throw new Error('A batch was not numbered.');
	await tx.run(sql`
		INSERT INTO days (website_id, date, last_batch, size)
		SELECT day.website_id, day.date, ${value(batch.number)}::bigint, day.events
		FROM unnest(${value(touched.map((day) => day.websiteId))}::bigint[], ${value(touched.map((day) => day.date))}::date[],
			${value(touched.map((day) => day.events))}::bigint[]) AS day (website_id, date, events)
		JOIN websites ON websites.id = day.website_id
		ORDER BY day.website_id, day.date
		ON CONFLICT (website_id, date) DO UPDATE
		SET last_batch = greatest(days.last_batch, excluded.last_batch), size = days.size + excluded.size`);
	return batch.number;
}

/** An event of a batch with what is known of it. */
export type Line = {
	websiteId: number;
	date: string;
	visitorId: string;
	eventId: string;
	isPageview: boolean;
	mayRepeat: boolean;
	text: string;
};

/** The events of websites that are still there; those before a reset, and those of erased websites, go no further. */
export async function keepLive(
	{ postgres, eventLog }: Pick<WriterServices, 'postgres' | 'eventLog'>,
	rows: readonly LogRow[],
): Promise<Line[]> {
	const ids = [...new Set(rows.flatMap((row) => row.header.w))];
	const found = await postgres.rows<{ id: number; seq: number | null; at: Date | null }>(sql`
		SELECT w.id, max(t.until_seq) AS seq, max(t.created_at) AS at
		FROM websites w LEFT JOIN tombstones t ON t.website_id = w.id
		WHERE w.id = ANY(${value(ids)}::bigint[]) GROUP BY w.id`);
	const live = new Map(found.map(({ id, seq, at }) => [id, at ? { seq: seq ?? 0, at } : undefined]));
	return rows.flatMap(({ header, lines, ...place }) => {
		const texts = lines === '' ? [] : lines.split('\n');
		return texts.flatMap((text, index) => {
			const websiteId = header.w[index] ?? 0;
			const deadUntil = live.get(websiteId);
			if (!live.has(websiteId) || (deadUntil && eventLog.isBefore(place, deadUntil))) return [];
			return [
				{
					websiteId,
					date: header.d[index] ?? '',
					visitorId: header.v[index] ?? '0',
					eventId: header.i[index] ?? '0',
					isPageview: header.p[index] === 1,
					mayRepeat: header.c?.includes(index) === true,
					text,
				},
			];
		});
	});
}

/** What the batch taught us, and the end of it, in one transaction. */
export async function finishBatch(
	{ postgres, partition, now, log }: WriterServices,
	batch: Batch,
	lines: readonly Line[],
	recent: RecentEvents,
): Promise<void> {
	const drops = batch.rows.flatMap((row) => row.header.drops);
	const views = new Map<number, number>();
	for (const line of lines)
		if (line.isPageview) views.set(line.websiteId, (views.get(line.websiteId) ?? 0) + 1);
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
		await addUsage(tx, month, views);
		await putGroupsAside(tx, log, batch.rows);
		await recent.store(tx, batch.number, last.appendedAt, lines);
		await partition.release(tx, first.seq, last);
		// What is added up here must be added once, also when another writer believes that it leads.
		if ((await closeBatch(tx, batch.number)) === 0)
			throw new Error(`Batch ${batch.number} was finished by another writer.`);
	});
	await partition.forget(last);
}

/** Groups that nobody can read, as they are: from a newer version, or garbage. The others flow. */
async function putGroupsAside(tx: Queries, log: Log, rows: readonly LogRow[]): Promise<void> {
	for (const { unreadable } of rows) {
		if (!unreadable) continue;
		log.error({ reason: unreadable.reason }, 'a group of events could not be read and was put aside');
		await tx.run(sql`
			INSERT INTO dead_letters (line, reason, body)
			VALUES ('', ${value(unreadable.reason)}, ${value(unreadable.body)})`);
	}
}

const maxHostnamesOfDay = 20;
const hostnamesKeptDays = 90;

/**
 * Hostnames whose hits were not counted, so that an owner can tell a copy from a forgotten name of their own. Anybody can send any, so a
 * day has room for a few; what is old goes when something new comes.
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
			-- Those that are known come first, then the most frequent new ones, as long as there is room.
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
			AND date < ${value(hosts[0]?.[1] ?? '')}::date - ${value(hostnamesKeptDays)}::integer`);
}

/** Page views of websites, for their accounts, in the month that begins on this date. */
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
