/**
 * The only access to ClickHouse, whether it is the embedded engine, a server or a cluster: the same client, statements and
 * errors. Each statement runs as one of four users (see engine/rights.ts).
 */
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseSettings } from '@clickhouse/client';
import type { EngineConnection } from '../engine/supervise.ts';
import type { Log } from '../lib/log.ts';
import { engineClients, type Reader, type Role, serverClients } from './clickhouse-clients.ts';
import {
	maxFieldBytes,
	StatementTooLong,
	type UnreadablePart,
	unreadablePartOf,
} from './clickhouse-errors.ts';
import { readPipe, readResponse } from './clickhouse-files.ts';
import {
	clusterSettings,
	killHere,
	killOnCluster,
	stillRunning,
	tellNodes,
	toCluster,
	whoAnswers,
} from './cluster-sql.ts';
import { explainTlsError } from './connection-errors.ts';
import { param, render, type Sql, sql } from './sql.ts';

export type StatementOptions = {
	/** Default: `stats` for reads, `migrate` for commands. */
	as?: Role;
	/** Shown in system.processes and the query log. */
	name?: string;
	queryId?: string;
	settings?: ClickHouseSettings;
	signal?: AbortSignal;
};

export type InsertOptions = {
	table: string;
	/** JSONEachRow, or tab-separated lines with `columns`. */
	lines: Buffer | string;
	columns?: readonly string[];
	/** Deduplication token: the same lines with the same token are written once. */
	token: string;
	queryId?: string;
	settings?: ClickHouseSettings;
	signal?: AbortSignal;
};

export type FileFormat = 'Parquet' | 'CSV' | 'JSONEachRow';

export type ClickHouse = {
	/** A server, not the embedded engine. */
	readonly isServer: boolean;
	/** Statistics and exports run as a separate read-only user. */
	readonly hasReader: boolean;
	/** The name of the cluster in `remote_servers`, if it is one. */
	readonly cluster: string | undefined;
	/** All rows of a short result. 64-bit integers and decimals are strings. */
	rows<Row>(query: Sql, options?: StatementOptions): Promise<Row[]>;
	/** The same for at most 64 MB, with the number of rows that were read, which a streamed response cannot tell. */
	ask<Row>(query: Sql, options?: StatementOptions): Promise<{ rows: Row[]; readRows: number }>;
	/** Streams a long result in groups of rows. Leaving the loop cancels the statement. */
	stream<Row>(query: Sql, options?: StatementOptions): AsyncGenerator<Row[]>;
	/** Streams a long result as tab-separated lines; the chunks may end anywhere. */
	lines(query: Sql, options?: StatementOptions): AsyncGenerator<Buffer>;
	/** Streams a long result as a file. Each chunk is valid until the next one is requested. Throws if the file is incomplete. */
	file(query: Sql, format: FileFormat, options?: StatementOptions): AsyncGenerator<Buffer>;
	insert(options: InsertOptions): Promise<{ writtenRows: number }>;
	command(query: Sql, options?: StatementOptions): Promise<void>;
	/** A statement without parameters: a migration. */
	script(text: string, settings?: ClickHouseSettings): Promise<void>;
	/** Cancels the statement with this id and resolves once it has ended. */
	kill(queryId: string, options?: { as?: Role; signal?: AbortSignal }): Promise<void>;
	/** Parts that could not be read since this process started. */
	unreadableParts(): UnreadablePart[];
	/** Whether it responds within a second. */
	ping(): Promise<boolean>;
	close(): Promise<void>;
};

/** The embedded engine, or the URL of a server: `https://user:password@host:8443/database`. */
export type ClickHouseTarget = EngineConnection | string;

function countLines(sent: string | Buffer): number {
	const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
	let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
	for (let index = bytes.indexOf(10); index >= 0; index = bytes.indexOf(10, index + 1)) lines++;
	return lines;
}

const pingTimeoutMs = 1_000;

const parquetMagic = Buffer.from('PAR1');

const commonSettings: ClickHouseSettings = {
	// JavaScript numbers hold neither 64-bit ids nor decimals exactly.
	output_format_json_quote_64bit_integers: 1,
	output_format_json_quote_decimals: 1,
	// Without it a server continues a statement whose client has disconnected.
	cancel_http_readonly_queries_on_client_close: 1,
};

/**
 * Exactly-once writes depend on these, so they override the profile of a server's user: asynchronous inserts (the default since
 * 26.2) may drop the token; a batch must be one block; an invalid line must be an error; unknown columns are skipped.
 */
export const insertSettings = {
	async_insert: 0,
	wait_for_async_insert: 1,
	insert_deduplicate: 1,
	max_insert_block_size: '1048449',
	min_insert_block_size_rows: '1048449',
	min_insert_block_size_bytes: '268402944',
	max_partitions_per_insert_block: '100',
	input_format_parallel_parsing: 0,
	input_format_allow_errors_num: '0',
	input_format_allow_errors_ratio: 0,
	input_format_skip_unknown_fields: 1,
} as const satisfies ClickHouseSettings;

export function createClickHouse(
	target: ClickHouseTarget,
	{
		log,
		ca,
		reader,
		cluster,
	}: {
		log: Log;
		/** Read-only user of a server, for statistics and exports. */
		reader?: Reader | undefined;
		/** CA certificates of the server. */
		ca?: string | undefined;
		cluster?: string | undefined;
	},
): ClickHouse {
	const clients = typeof target === 'string' ? serverClients(target, { ca, reader }) : engineClients(target);
	const clusterOnly: ClickHouseSettings = cluster === undefined ? {} : clusterSettings;
	const unreadable = new Map<string, UnreadablePart>();
	/** Records an error that means damaged data, and rethrows it. */
	function rethrow(error: unknown): never {
		const part = unreadablePartOf(error);
		if (part && !unreadable.has(`${part.uuid} ${part.part}`)) {
			unreadable.set(`${part.uuid} ${part.part}`, part);
			log.error({ ...part, error }, 'ClickHouse part is damaged');
		}
		throw explainTlsError(error, 'ClickHouse');
	}
	const statementsOf = (statement: string): string[] =>
		cluster === undefined ? [statement] : toCluster(statement, cluster);

	function prepare(query: Sql, { name = '', queryId, settings, signal }: StatementOptions) {
		const rendered = render(query);
		const bytes = Buffer.byteLength(rendered.query);
		if (typeof target === 'string' && bytes > maxFieldBytes)
			throw new StatementTooLong(`The statement has ${bytes} bytes.`);
		return {
			...rendered,
			clickhouse_settings: { ...commonSettings, ...clusterOnly, ...settings, log_comment: name },
			...(queryId !== undefined && { query_id: queryId }),
			...(signal !== undefined && { abort_signal: signal }),
		};
	}

	async function* stream<Row>(query: Sql, options: StatementOptions = {}): AsyncGenerator<Row[]> {
		try {
			const result = await clients[options.as ?? 'stats'].query({
				...prepare(query, options),
				format: 'JSONEachRow',
			});
			for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json<Row>());
		} catch (error) {
			rethrow(error);
		}
	}

	async function* lines(query: Sql, options: StatementOptions = {}): AsyncGenerator<Buffer> {
		const prepared = prepare(query, options);
		const result = await clients[options.as ?? 'stats'].exec({
			...prepared,
			query: `${prepared.query}\nFORMAT TabSeparated`,
		});
		for await (const piece of result.stream) yield piece;
	}

	async function* file(
		query: Sql,
		format: FileFormat,
		options: StatementOptions = {},
	): AsyncGenerator<Buffer> {
		const prepared = prepare(query, options);
		const statement = { ...prepared, query: `${prepared.query}\nFORMAT ${format}` };
		const client = clients[options.as ?? 'export'];
		const pieces =
			format === 'Parquet' && typeof target !== 'string'
				? readPipe(client, statement, dirname(target.socketPath))
				: readResponse(client, statement);
		let footer: Buffer = Buffer.alloc(0);
		for await (const piece of pieces) {
			footer = Buffer.concat([footer, piece.subarray(-parquetMagic.length)]).subarray(-parquetMagic.length);
			yield piece;
		}
		if (format === 'Parquet' && !footer.equals(parquetMagic))
			throw new Error('ClickHouse returned an incomplete Parquet file.');
	}

	async function rows<Row>(query: Sql, options: StatementOptions = {}) {
		return clients[options.as ?? 'stats']
			.query({ ...prepare(query, options), format: 'JSONEachRow' })
			.then((result) => result.json<Row>())
			.catch(rethrow);
	}

	/** Without the names of columns in every row, thousands of rows are a third as long. */
	async function ask<Row>(query: Sql, options: StatementOptions = {}) {
		const result = await clients[options.as ?? 'stats']
			.query({ ...prepare(query, options), format: 'JSONCompact' })
			.catch(rethrow);
		const answer = await result.json<unknown[]>();
		// A server that fails after it has sent rows may end the JSON properly, with the error in it.
		if ('exception' in answer) rethrow(new Error(String(answer.exception)));
		const { data, meta = [], statistics } = answer;
		const rows = data.map((values) => {
			const row: Record<string, unknown> = {};
			for (const [index, { name }] of meta.entries()) row[name] = values[index];
			return row as Row;
		});
		return { rows, readRows: statistics?.rows_read ?? 0 };
	}

	/** Cancels the statement on this node and on all others. */
	async function killOnNodes(queryId: string, options: StatementOptions, name: string) {
		const client = clients[options.as ?? 'ingest'];
		const own = { query_params: { id: queryId }, ...(options.signal && { abort_signal: options.signal }) };
		await client.command({ query: killHere, ...own });
		await client.command({ query: killOnCluster(name), clickhouse_settings: tellNodes, ...own });
		for (;;) {
			const [left] = await rows<{ count: string }>(stillRunning(name, queryId), {
				...options,
				settings: whoAnswers,
			});
			if (Number(left?.count ?? 0) === 0) return;
			await sleep(100, undefined, { signal: options.signal });
		}
	}

	return {
		isServer: typeof target === 'string',
		hasReader: reader !== undefined,
		cluster,
		stream,
		ask,
		rows,
		lines,
		file,
		async insert({ table, lines: sent, columns, token, queryId, settings, signal }) {
			// Not the client's insert(), which would parse and serialize every line again.
			const into = columns
				? `${table} (${columns.join(', ')}) FORMAT TabSeparated`
				: `${table} FORMAT JSONEachRow`;
			const result = await clients.ingest.exec({
				query: `INSERT INTO ${into}`,
				values: Readable.from([typeof sent === 'string' ? Buffer.from(sent) : sent], {
					objectMode: false,
				}),
				clickhouse_settings: {
					...insertSettings,
					...clusterOnly,
					...settings,
					insert_deduplication_token: token,
					log_comment: `insert ${table}`,
				},
				...(queryId !== undefined && { query_id: queryId }),
				...(signal !== undefined && { abort_signal: signal }),
			});
			for await (const _ of result.stream);
			const writtenRows = Number(result.summary?.written_rows ?? 0);
			// The distributed table and the local table both count a row that is stored on this node.
			return { writtenRows: cluster === undefined ? writtenRows : Math.min(writtenRows, countLines(sent)) };
		},
		async command(query, options = {}) {
			const prepared = prepare(query, options);
			if (/^\s*INSERT\b/.test(prepared.query))
				prepared.clickhouse_settings = { ...insertSettings, ...prepared.clickhouse_settings };
			for (const statement of statementsOf(prepared.query))
				await clients[options.as ?? 'migrate'].command({ ...prepared, query: statement }).catch(rethrow);
		},
		async script(text, settings = {}) {
			const clickhouse_settings = { ...clusterOnly, ...settings };
			for (const statement of statementsOf(text))
				await clients.migrate.command({ query: statement, clickhouse_settings });
		},
		async kill(queryId, { as = 'ingest', signal } = {}) {
			if (cluster !== undefined)
				return killOnNodes(queryId, { as, ...(signal !== undefined && { signal }) }, cluster);
			await clients[as].command({
				query: 'KILL QUERY WHERE query_id = {id:String} SYNC',
				query_params: { id: queryId },
				...(signal !== undefined && { abort_signal: signal }),
			});
		},
		unreadableParts: () => [...unreadable.values()],
		async ping() {
			const result = await clients.stats.ping({
				// A server does not check credentials on /ping. The embedded engine does, and a SELECT would have to
				// wait for an engine worker while long queries run.
				select: typeof target === 'string',
				abort_signal: AbortSignal.timeout(pingTimeoutMs),
			});
			if (!result.success) log.debug({ error: result.error }, 'ClickHouse does not respond');
			return result.success;
		},
		async close() {
			await Promise.all([...new Set(Object.values(clients))].map((client) => client.close()));
		},
	};
}

/**
 * Options for reading system.tables. The read-only user of a server may not see every table. The embedded engine has workers for
 * each user, which take memory and time to open, so an idle service should need only those of `stats`.
 */
export const asTableReader = ({ isServer }: ClickHouse): { as: Role } => ({
	as: isServer ? 'migrate' : 'stats',
});

/** Whether this node has the table. */
export async function hasTable(clickhouse: ClickHouse, name: string): Promise<boolean> {
	const rows = await clickhouse.rows(
		sql`SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = ${param('String', name)}`,
		asTableReader(clickhouse),
	);
	return rows.length > 0;
}
