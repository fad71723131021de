/**
 * A website's data as a file. ClickHouse writes the format and we pass its bytes on, so that what is in memory does not depend
 * on how much there is. Whoever gets the last byte has all of it: a failure in the midst is thrown, and the door breaks the
 * connection.
 *
 * Visits and totals are those of the seal that counts (`days`); a day without a seal is in neither yet. What was reset or is
 * past its retention is in no file, also while it is still on the disk.
 */
import { AppError } from '../lib/app-error.ts';
import type { ClickHouse, FileFormat } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { join, param, type Sql, sql, value, word } from '../store/sql.ts';
import { type Column, type ExportedWhat, exportedColumns } from './columns.ts';

export type ExportFormat = 'parquet' | 'csv' | 'ndjson';

export type ExportRequest = {
	websiteId: number;
	what: ExportedWhat;
	format: ExportFormat;
	/** Both included, on the clock of the website. */
	from?: string | undefined;
	to?: string | undefined;
	/** Leaves texts in CSV as they are. */
	raw?: boolean | undefined;
};

export type ExportServices = { postgres: Queries; clickhouse: ClickHouse };

const formats: Record<ExportFormat, FileFormat> = { parquet: 'Parquet', csv: 'CSV', ndjson: 'JSONEachRow' };

/** Enough rows that a reader can skip through them, and few enough that the engine holds but some of them. */
const rowGroup = '100000';

export async function* exportRows(
	{ postgres, clickhouse }: ExportServices,
	request: ExportRequest,
	signal: AbortSignal,
): AsyncGenerator<Buffer> {
	const { what, format } = request;
	const columns = exportedColumns[what];
	const query = sql`SELECT ${join(
		columns.map((column) => sql`${written(column, request)} AS ${word(column.name)}`),
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
	// With the first rows and not before them: until then a failure can still be told in words.
	let head = Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
	for await (const piece of pieces) {
		yield head.length > 0 ? Buffer.concat([head, piece]) : piece;
		head = Buffer.alloc(0);
	}
	if (head.length > 0) yield head;
}

/**
 * Spreadsheets take what begins like this for a formula. What begins with apostrophes and then like this gets one more as
 * well, so that taking one away always gives back what was. As http/csv.ts does.
 */
const formula = "^'*[=+\\-@\\t\\r\\n]";

function written({ name, kind }: Column, { format, raw }: ExportRequest): Sql {
	const column = word(name);
	if (format !== 'csv') return column;
	if (kind === 'pairs') return sql`toJSONString(${column})`;
	if (kind !== 'text' || raw) return column;
	return sql`if(match(${column}, ${param('String', formula)}), concat(char(39), ${column}), toString(${column}))`;
}

/** What the column `date` can hold. */
const [firstDate, lastDate] = ['1970-01-01', '2149-06-06'];
const within = (date: string): string => (date < firstDate ? firstDate : date > lastDate ? lastDate : date);

async function rowsOf(postgres: Queries, request: ExportRequest): Promise<Sql> {
	const { websiteId, what } = request;
	const [from, to] = [within(request.from ?? firstDate), within(request.to ?? lastDate)];
	const selected = join(
		exportedColumns[what].map(({ name, of }) => sql`${of} AS ${word(name)}`),
		', ',
	);
	const { rawFrom, resetAt } = await readKept(postgres, websiteId);
	const isOurs = sql`website_id = ${param('UInt32', websiteId)}`;
	const first = what !== 'totals' && rawFrom !== null && rawFrom > from ? rawFrom : from;
	if (what === 'events')
		return sql`SELECT ${selected} FROM events
			WHERE ${isOurs} AND date BETWEEN ${param('Date', first)} AND ${param('Date', to)}
				AND time >= fromUnixTimestamp64Milli(${param('Int64', resetAt?.getTime() ?? 0)}, 'UTC')
				AND import_id IN ${param('Array(UInt64)', [0, ...(await listImports(postgres, websiteId))])}`;
	const seals = await postgres.rows<{ date: string; generation: number }>(sql`
		SELECT date::text AS date, generation FROM days
		WHERE website_id = ${value(websiteId)} AND generation > 0
			AND date BETWEEN ${value(first)}::date AND ${value(to)}::date`);
	return sql`SELECT ${selected} FROM ${what === 'totals' ? await totalsByGoal(postgres, websiteId) : sql`visits`}
		WHERE ${isOurs} AND date BETWEEN ${param('Date', first)} AND ${param('Date', to)}
			AND (date, generation) IN arrayZip(${param(
				'Array(Date)',
				seals.map(({ date }) => date),
			)}, ${param(
				'Array(UInt64)',
				seals.map(({ generation }) => BigInt(generation)),
			)}) ${isExported[what]}`;
}

/** Rows of visitor 0 are events of nobody, which are no visits; those of goals that are gone say nothing any more. */
const isExported = {
	visits: sql`AND visitor_id != 0`,
	totals: sql`AND NOT (dimension = 'goal' AND value = '')`,
};

/** Totals know a goal by the revision of its condition, everybody else by its id. */
async function totalsByGoal(postgres: Queries, websiteId: number): Promise<Sql> {
	const goals = await postgres.rows<{ id: number; revision: number }>(
		sql`SELECT id, revision FROM goals WHERE website_id = ${value(websiteId)}`,
	);
	const listOf = (numbers: readonly number[]) => param('Array(String)', ['', ...numbers.map(String)]);
	return sql`(
		SELECT * REPLACE (if(dimension = 'goal', transform(value, ${listOf(goals.map(({ revision }) => revision))},
			${listOf(goals.map(({ id }) => id))}, ''), value) AS value)
		FROM totals)`;
}

/** An import that was undone is on the disk for a while. */
async function listImports(postgres: Queries, websiteId: number): Promise<number[]> {
	const rows = await postgres.rows<{ id: number }>(
		sql`SELECT id FROM imports WHERE website_id = ${value(websiteId)} AND state = 'done'`,
	);
	return rows.map(({ id }) => id);
}

async function readKept(postgres: Queries, websiteId: number) {
	const [row] = await postgres.rows<{ rawFrom: string | null; resetAt: Date | null }>(sql`
		SELECT raw_from::text AS "rawFrom",
			(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt"
		FROM websites WHERE id = ${value(websiteId)}`);
	if (!row) throw new AppError('not_found', `There is no website ${websiteId}.`);
	return row;
}
