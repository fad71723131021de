import { AppError } from '../lib/app-error.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, join, sql, value } from '../store/sql.ts';
import { listTables, type Table } from './contents.ts';
import { unknownTable } from './examine.ts';
import type { EntryHead } from './file.ts';
import type { MergeServices } from './merge-types.ts';
import { type BackupSource, readBlocks } from './read-blocks.ts';

/** No real sequence gets this far. */
const maxSequence = 2 ** 50;

/** Sequences whose numbers order things. */
export const orderingSequences = ['generations', 'goal_revisions', 'batches_number_seq', 'event_log_seq'];

/** Loads the archive's PostgreSQL rows into temporary tables without constraints. Returns the last values of its sequences. */
export async function stageRows(
	{ report }: Pick<MergeServices, 'report'>,
	source: BackupSource,
	stage: Queries,
): Promise<ReadonlyMap<string, number>> {
	const tables = new Map((await listTables(stage)).map((table) => [table.name, table]));
	for (const { name } of tables.values())
		await stage.run(
			sql`CREATE TEMPORARY TABLE ${identifier(`incoming_${name}`)} AS SELECT * FROM ${identifier(name)} WITH NO DATA`,
		);
	const last = new Map<string, number>();
	const blocks = readBlocks(source, report, ({ kind }) => (kind === 'clickhouse' ? 'stop' : 1024 * 1024));
	for await (const { entry, lines } of blocks) {
		if (lines.length === 0) continue;
		if (entry.kind === 'postgres') await stageLines(stage, tables, entry, lines);
		if (entry.kind !== 'sequences') continue;
		for (const line of lines.toString('utf8').trimEnd().split('\n')) {
			const { name, last: number } = JSON.parse(line) as { name: unknown; last: unknown };
			if (typeof name === 'string' && typeof number === 'number') last.set(name, number);
		}
	}
	for (const name of orderingSequences) {
		const number = last.get(name) ?? 0;
		if (!Number.isSafeInteger(number) || number < 0 || number > maxSequence)
			throw new AppError('bad_request', `The archive is invalid: its sequence ${name} is at ${number}.`);
	}
	return last;
}

async function stageLines(
	stage: Queries,
	tables: ReadonlyMap<string, Table>,
	{ table, columns }: EntryHead,
	lines: Buffer,
): Promise<void> {
	const known = tables.get(table);
	if (!known || columns.some((column) => !known.columns.includes(column))) throw unknownTable(table);
	const incoming = identifier(`incoming_${table}`);
	const names = join(columns.map(identifier), ', ');
	const rows = `[${lines.toString('utf8').trimEnd().replaceAll('\n', ',')}]`;
	await stage.run(sql`
		INSERT INTO ${incoming} (${names})
		SELECT ${names} FROM json_populate_recordset(NULL::${incoming}, ${value(rows)}::json)`);
}
