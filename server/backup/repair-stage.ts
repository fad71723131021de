import { randomUUID } from 'node:crypto';
import type { KeptTable } from '../derive/damage.ts';
import type { SealDay } from '../derive/seal-types.ts';
import { AppError } from '../lib/app-error.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { identifier, type Sql, sql } from '../store/sql.ts';
import { clonePrefix, listClickHouseTables } from './contents.ts';
import { plainName } from './examine.ts';
import { mapLines } from './merge-rows.ts';
import type { Mapping } from './merge-types.ts';
import { type BackupSource, countLines, type Report, readBlocks } from './read-blocks.ts';

export type RepairServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	report: Report;
};

const stagedName = (table: KeptTable): string => `${clonePrefix}repair_${table}`;

/** The table that holds the rows of the backup. */
export const staged = (table: KeptTable): Sql => identifier(stagedName(table));

export async function dropStaged(clickhouse: ClickHouse, tables: readonly KeptTable[]): Promise<void> {
	for (const table of tables) await clickhouse.command(sql`DROP TABLE IF EXISTS ${staged(table)} SYNC`);
}

/** Existing websites and imports, and the times of resets; other rows of the backup are not restored. */
async function readMapping(postgres: Postgres): Promise<Mapping> {
	const websites = await postgres.rows<{ id: number }>(sql`SELECT id FROM websites`);
	const imports = await postgres.rows<{ id: number }>(sql`SELECT id FROM imports WHERE state = 'done'`);
	const resets = await postgres.rows<{ id: number; at: Date }>(sql`
		SELECT website_id AS id, max(created_at) AS at FROM tombstones WHERE is_reset GROUP BY website_id`);
	return {
		ids: new Map(websites.map(({ id }) => [id, id])),
		imports: new Map(imports.map(({ id }) => [id, id])),
		since: new Map(resets.map(({ id, at }) => [id, at.toISOString().replace('T', ' ').slice(0, 23)])),
	};
}

/** Loads the rows of the backup, including the events of its event log, into separate tables. */
export async function stageRows(
	{ postgres, clickhouse, report }: RepairServices,
	source: BackupSource,
	tables: readonly KeptTable[],
): Promise<void> {
	await dropStaged(clickhouse, tables);
	for (const table of tables)
		await clickhouse.command(sql`CREATE TABLE ${staged(table)} AS ${identifier(table)}`);
	const known = await listClickHouseTables(clickhouse);
	const mapping = await readMapping(postgres);
	const [ours] = await postgres.rows<{ id: string }>(sql`SELECT id FROM instance`);
	const attempt = randomUUID();
	let block = 0;
	const insert = async (table: KeptTable, columns: string[] | undefined, rows: Buffer) => {
		const sent = countLines(rows);
		if (sent === 0) return;
		const { writtenRows } = await clickhouse.insert({
			table: stagedName(table),
			lines: rows,
			token: `repair ${attempt} ${block++}`,
			...(columns && { columns }),
		});
		if (writtenRows !== sent)
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${sent} of ${table}. Run the repair again.`);
	};
	const blocks = readBlocks(source, report, ({ name, kind, table }) =>
		name === 'postgres/instance' ||
		name === 'postgres/event_log' ||
		(kind === 'clickhouse' && tables.some((wanted) => wanted === table))
			? 8 * 1024 * 1024
			: 'skip',
	);
	for await (const { entry, lines } of blocks) {
		if (lines.length === 0) continue;
		if (entry.name === 'postgres/instance') {
			// Written by take.ts.
			const { id } = JSON.parse(lines.toString('utf8').trim()) as { id: unknown };
			if (id !== ours?.id) throw new AppError('bad_request', 'The backup is of another installation.');
		} else if (entry.name === 'postgres/event_log')
			await insert('events', undefined, pendingEvents(lines, mapping));
		else {
			const table = tables.find((name) => name === entry.table);
			const columns = known.find(({ name }) => name === table)?.columns ?? [];
			if (!table || entry.columns.some((column) => !columns.includes(column)))
				throw new AppError('bad_request', `The backup has unknown columns of the table ${entry.table}.`);
			await insert(table, entry.columns.map(plainName), mapLines(lines, entry, mapping));
		}
	}
}

/** The events in rows of the event log, as lines of JSON. */
function pendingEvents(rows: Buffer, { ids, since }: Mapping): Buffer {
	const kept: string[] = [];
	for (const row of rows.toString('utf8').split('\n').filter(Boolean)) {
		// Written by take.ts.
		const { lines } = JSON.parse(row) as { lines: string };
		for (const line of lines.split('\n').filter(Boolean)) {
			const { website_id: id, time } = JSON.parse(line) as { website_id: unknown; time: unknown };
			if (ids.has(Number(id)) && String(time) >= (since.get(Number(id)) ?? '')) kept.push(`${line}\n`);
		}
	}
	return Buffer.from(kept.join(''));
}

export const stagedDays = async (clickhouse: ClickHouse): Promise<(SealDay & { events: number })[]> =>
	(
		await clickhouse.rows<{ website_id: number; date: string; events: string }>(
			sql`SELECT website_id, date, count() AS events FROM ${staged('events')} GROUP BY website_id, date ORDER BY website_id, date`,
			{ as: 'migrate', name: 'repair' },
		)
	).map((row) => ({ websiteId: row.website_id, date: row.date, events: Number(row.events) }));
