import { randomUUID } from 'node:crypto';
import { AppError } from '../lib/app-error.ts';
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { listClickHouseTables } from './contents.ts';
import { plainName, unknownTable } from './examine.ts';
import type { EntryHead } from './file.ts';
import type { Mapping, MergeServices } from './merge-types.ts';
import { type BackupSource, countLines, readBlocks } from './read-blocks.ts';

/** Writes the archive's ClickHouse rows under their new ids. */
export async function writeRows(
	{ clickhouse, report }: Pick<MergeServices, 'clickhouse' | 'report'>,
	source: BackupSource,
	mapping: Mapping,
): Promise<void> {
	const tables = await listClickHouseTables(clickhouse);
	// With the token of an earlier attempt, ClickHouse would deduplicate these rows.
	const attempt = randomUUID();
	let block = 0;
	const blocks = readBlocks(source, report, ({ kind, table }) => {
		if (kind !== 'clickhouse') return 'skip';
		if (!tables.some(({ name }) => name === table)) throw unknownTable(table);
		return 8 * 1024 * 1024;
	});
	for await (const { entry, lines } of blocks) {
		const mapped = mapLines(lines, entry, mapping);
		const sent = countLines(mapped);
		if (sent === 0) continue;
		const { table, columns } = entry;
		const { writtenRows } = await clickhouse.insert({
			table,
			columns: columns.map(plainName),
			lines: mapped,
			token: `merge ${attempt} ${block++}`,
		});
		if (writtenRows !== sent)
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${sent} into ${table}. Run the merge again.`);
	}
}

/** Replaces the ids in tab-separated lines. Drops lines of websites and imports that are not mapped, and events before a reset. */
export function mapLines(
	lines: Buffer,
	{ table, columns }: EntryHead,
	{ ids, imports, since }: Mapping,
): Buffer {
	const website = columns.indexOf('website_id');
	const imported = columns.indexOf('import_id');
	const time = table === 'events' ? columns.indexOf('time') : -1;
	const kept: string[] = [];
	// latin1 maps every byte to one character, so all bytes are preserved.
	for (const line of lines.toString('latin1').split('\n')) {
		if (line === '') continue;
		const cells = line.split('\t');
		const old = Number(cells[website]);
		const id = ids.get(old);
		if (id === undefined) continue;
		const from = since.get(old);
		if (from !== undefined && time >= 0 && (cells[time] ?? '') < from) continue;
		cells[website] = String(id);
		if (imported >= 0 && cells[imported] !== '0') {
			const importId = imports.get(Number(cells[imported]));
			if (importId === undefined) continue;
			cells[imported] = String(importId);
		}
		kept.push(`${cells.join('\t')}\n`);
	}
	return Buffer.from(kept.join(''), 'latin1');
}

/** Events per website and day, by `websiteId date`. */
export type LateEvents = Map<string, { websiteId: number; date: string; events: number }>;

/**
 * Writes the events that were still in the event log when the archive was created. Some may be in ClickHouse already or be
 * in the log twice, so ids that exist are skipped.
 */
export async function writeLog(
	{ clickhouse }: Pick<MergeServices, 'clickhouse'>,
	stage: Queries,
	{ ids, since }: Mapping,
): Promise<LateEvents> {
	const late: LateEvents = new Map();
	const attempt = randomUUID();
	for (let after = -1; ; ) {
		const rows = await stage.rows<{ seq: number; lines: string }>(sql`
			SELECT seq, lines FROM incoming_event_log WHERE seq > ${value(after)} ORDER BY seq LIMIT 200`);
		const end = rows.at(-1);
		if (!end) return late;
		after = end.seq;
		const events = new Map<string, Record<string, unknown>>();
		for (const { lines } of rows)
			for (const line of lines.split('\n').filter(Boolean)) {
				// A row of `events`; ClickHouse validates its columns.
				const event = JSON.parse(line) as Record<string, unknown>;
				const old = Number(event.website_id);
				const id = ids.get(old);
				if (id === undefined || String(event.time) < (since.get(old) ?? '')) continue;
				if (!/^\d{1,20}$/.test(String(event.event_id)))
					throw new AppError('bad_request', 'The archive is invalid: an event has no id.');
				events.set(`${id} ${event.event_id}`, { ...event, website_id: id });
			}
		if (events.size === 0) continue;
		const all = [...events.values()];
		const existing = await clickhouse.rows<{ key: string }>(sql`
			SELECT DISTINCT concat(toString(website_id), ' ', toString(event_id)) AS key FROM events
			WHERE website_id IN ${param('Array(UInt32)', [...new Set(all.map((event) => event.website_id))])}
				AND date IN ${param('Array(Date)', [...new Set(all.map((event) => String(event.date)))])}
				AND event_id IN ${param(
					'Array(UInt64)',
					all.map((event) => BigInt(String(event.event_id))),
				)}`);
		for (const { key } of existing) events.delete(key);
		if (events.size === 0) continue;
		await clickhouse.insert({
			table: 'events',
			lines: [...events.values()].map((event) => JSON.stringify(event)).join('\n'),
			token: `merge log ${attempt} ${after}`,
		});
		for (const event of events.values()) {
			const key = `${event.website_id} ${event.date}`;
			const day = late.get(key) ?? {
				websiteId: Number(event.website_id),
				date: String(event.date),
				events: 0,
			};
			late.set(key, { ...day, events: day.events + 1 });
		}
	}
}
