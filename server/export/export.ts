/**
 * A website's data as a file. ClickHouse writes the format and we pass on its bytes, so memory use does not depend on the size. A
 * complete response is a complete file: an error midway is thrown, and the HTTP server breaks the connection.
 *
 * Visits and totals are those of the current seal (`days`); days without a seal, or with events hidden or shown since, are not
 * included yet. Data that was reset, was hidden or is past its retention is never exported, even while it is still on disk.
 */
import { type HiddenEvents, hiddenColumn, isVisible, isVisibleTotal } from '../derive/hidden-events.ts';
import { AppError } from '../lib/app-error.ts';
import type { ClickHouse, FileFormat } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, join, param, type Sql, sql, value } from '../store/sql.ts';
import { type Column, type ExportedWhat, exportedColumns } from './columns.ts';

export type ExportFormat = 'parquet' | 'csv' | 'ndjson';

export type ExportRequest = {
	websiteId: number;
	what: ExportedWhat;
	format: ExportFormat;
	/** Local dates of the website, both inclusive. */
	from?: string | undefined;
	to?: string | undefined;
	/** Does not escape formulas in CSV. */
	raw?: boolean | undefined;
};

export type ExportServices = { postgres: Queries; clickhouse: ClickHouse };

const formats: Record<ExportFormat, FileFormat> = { parquet: 'Parquet', csv: 'CSV', ndjson: 'JSONEachRow' };

/** Large enough for readers to skip groups, small enough for the engine's memory. */
const rowGroup = '100000';

export async function* exportRows(
	{ postgres, clickhouse }: ExportServices,
	request: ExportRequest,
	signal: AbortSignal,
): AsyncGenerator<Buffer> {
	const { what, format } = request;
	const columns = exportedColumns[what];
	const query = sql`SELECT ${join(
		columns.map((column) => sql`${formatted(column, request)} AS ${identifier(column.name)}`),
		', ',
	)} FROM (${await rowsOf(postgres, request)})`;
	const pieces = clickhouse.file(query, formats[format], {
		name: 'export',
		signal,
		settings: {
			date_time_output_format: 'iso',
			output_format_json_escape_forward_slashes: 0,
			...(format === 'csv' && { output_format_csv_crlf_end_of_line: 1 }),
			...(format === 'parquet' && { output_format_parquet_row_group_size: rowGroup }),
		},
	});
	if (format !== 'csv') return yield* pieces;
	// Sent with the first rows: until then an error can still be answered as such.
	let head = Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
	for await (const piece of pieces) {
		yield head.length > 0 ? Buffer.concat([head, piece]) : piece;
		head = Buffer.alloc(0);
	}
	if (head.length > 0) yield head;
}

/**
 * Spreadsheets interpret such texts as formulas; an apostrophe in front prevents it. Texts that already begin with apostrophes get
 * one more, so that removing one always restores the original. The same rule as in http/api/csv.ts.
 */
const formula = "^'*[=+\\-@\\t\\r\\n]";

function formatted({ name, kind }: Column, { format, raw }: ExportRequest): Sql {
	const column = identifier(name);
	if (format !== 'csv') return column;
	if (kind === 'pairs') return sql`toJSONString(${column})`;
	if (kind !== 'text' || raw) return column;
	return sql`if(match(${column}, ${param('String', formula)}), concat(char(39), ${column}), toString(${column}))`;
}

/** The range of the column `date`. */
const [firstDate, lastDate] = ['1970-01-01', '2149-06-06'];
const clampDate = (date: string): string =>
	date < firstDate ? firstDate : date > lastDate ? lastDate : date;

async function rowsOf(postgres: Queries, request: ExportRequest): Promise<Sql> {
	const { websiteId, what } = request;
	const [from, to] = [clampDate(request.from ?? firstDate), clampDate(request.to ?? lastDate)];
	const selected = join(
		exportedColumns[what].map(({ name, expression }) => sql`${expression} AS ${identifier(name)}`),
		', ',
	);
	const { rawFrom, resetAt, hidden } = await readRetention(postgres, websiteId);
	const isOfWebsite = sql`website_id = ${param('UInt32', websiteId)}`;
	const first = what !== 'totals' && rawFrom !== null && rawFrom > from ? rawFrom : from;
	if (what === 'events')
		return sql`SELECT ${selected} FROM (
			SELECT * FROM events
			WHERE ${isOfWebsite} AND date BETWEEN ${param('Date', first)} AND ${param('Date', to)}
				AND time >= fromUnixTimestamp64Milli(${param('Int64', resetAt?.getTime() ?? 0)}, 'UTC')
				AND import_id IN ${param('Array(UInt64)', [0, ...(await listImports(postgres, websiteId))])}
				${isVisible(hidden)}
		)`;
	const seals = await postgres.rows<{ date: string; generation: number }>(sql`
		SELECT date::text AS date, generation FROM days
		WHERE website_id = ${value(websiteId)} AND generation > 0 AND deletions_revision <= sealed_revision
			AND date BETWEEN ${value(first)}::date AND ${value(to)}::date`);
	return sql`SELECT ${selected} FROM ${what === 'totals' ? await totalsByGoal(postgres, websiteId, hidden) : sql`visits`}
		WHERE ${isOfWebsite} AND date BETWEEN ${param('Date', first)} AND ${param('Date', to)}
			AND (date, generation) IN arrayZip(${param(
				'Array(Date)',
				seals.map(({ date }) => date),
			)}, ${param(
				'Array(UInt64)',
				seals.map(({ generation }) => BigInt(generation)),
			)}) ${isExported[what]}`;
}

/** Rows of visitor 0 are not visits, and totals of deleted goals have no meaning. */
const isExported = {
	visits: sql`AND visitor_id != 0`,
	totals: sql`AND NOT (dimension = 'goal' AND value = '')`,
};

/** Totals identify a goal by its revision; the export uses its id. */
async function totalsByGoal(postgres: Queries, websiteId: number, hidden: HiddenEvents | null): Promise<Sql> {
	const goals = await postgres.rows<{ id: number; revision: number }>(
		sql`SELECT id, revision FROM goals WHERE website_id = ${value(websiteId)}`,
	);
	const listOf = (numbers: readonly number[]) => param('Array(String)', ['', ...numbers.map(String)]);
	return sql`(
		SELECT * REPLACE (if(dimension = 'goal', transform(value, ${listOf(goals.map(({ revision }) => revision))},
			${listOf(goals.map(({ id }) => id))}, ''), value) AS value)
		FROM totals WHERE website_id = ${param('UInt32', websiteId)} ${isVisibleTotal(hidden, 'totals')})`;
}

/** Finished imports: events of an undone import may still be on disk. */
async function listImports(postgres: Queries, websiteId: number): Promise<number[]> {
	const rows = await postgres.rows<{ id: number }>(
		sql`SELECT id FROM imports WHERE website_id = ${value(websiteId)} AND state = 'done'`,
	);
	return rows.map(({ id }) => id);
}

async function readRetention(postgres: Queries, websiteId: number) {
	const [row] = await postgres.rows<{
		rawFrom: string | null;
		resetAt: Date | null;
		hidden: HiddenEvents | null;
	}>(sql`
		SELECT raw_from::text AS "rawFrom", ${hiddenColumn} AS hidden,
			(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt"
		FROM websites WHERE id = ${value(websiteId)}`);
	if (!row) throw new AppError('not_found', `There is no website ${websiteId}.`);
	return row;
}
