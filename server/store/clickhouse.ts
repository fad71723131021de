import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createConnection } from 'node:net';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import {
	type ClickHouseClient,
	ClickHouseError,
	type ClickHouseSettings,
	createClient,
} from '@clickhouse/client';
import { openPipe, pipeHeader } from '../engine/pipes.ts';
import type { EngineConnection } from '../engine/supervise.ts';
import type { Log } from '../lib/log.ts';
import { awayCodes } from './away.ts';
import { clusterSettings, killOnCluster, toCluster } from './cluster-sql.ts';
import { render, type Sql } from './sql.ts';

// The one way to ClickHouse, whether it is the engine on this box or a server or cluster of the operator's: same client,
// same statements, same failures. Each statement runs with the rights of one of four users (see engine/rights.ts).

export type Role = 'ingest' | 'stats' | 'export' | 'migrate';

export type StatementOptions = {
	/** Reads are asked as `stats` unless something else is said, commands as `migrate`. */
	as?: Role;
	/** Shows in the list of running statements and in a server's query log. */
	name?: string;
	queryId?: string;
	settings?: ClickHouseSettings;
	signal?: AbortSignal;
};

export type InsertOptions = {
	table: string;
	/** Lines of JSONEachRow, ready to be sent. */
	lines: Buffer | string;
	/** Where the lines are tab-separated instead: these columns, in their order. */
	columns?: readonly string[];
	/** The same lines with the same token are written once. A token is never used for other lines. */
	token: string;
	queryId?: string;
	settings?: ClickHouseSettings;
	signal?: AbortSignal;
};

export type FileFormat = 'Parquet' | 'CSV' | 'JSONEachRow';

export type ClickHouse = {
	/** Its name in `remote_servers`, where it is a cluster. */
	readonly cluster: string | undefined;
	/** All rows of a short answer. 64-bit integers and decimals come as strings. */
	rows<Row>(query: Sql, options?: StatementOptions): Promise<Row[]>;
	/** The same of at most 64 MB, and how many rows were read for it: a stream's head is sent before that is known. */
	ask<Row>(query: Sql, options?: StatementOptions): Promise<{ rows: Row[]; readRows: number }>;
	/** A long answer as it arrives, some rows at a time; leaving the loop ends the statement. */
	stream<Row>(query: Sql, options?: StatementOptions): AsyncGenerator<Row[]>;
	/** A long answer as tab-separated lines, in pieces that end anywhere. */
	lines(query: Sql, options?: StatementOptions): AsyncGenerator<Buffer>;
	/** A long answer as a file of this format. Each piece is there until the next one is asked for. Throws when its end is missing. */
	file(query: Sql, format: FileFormat, options?: StatementOptions): AsyncGenerator<Buffer>;
	insert(options: InsertOptions): Promise<{ writtenRows: number }>;
	command(query: Sql, options?: StatementOptions): Promise<void>;
	/** One statement without values: a migration. */
	script(text: string): Promise<void>;
	/** Ends the statement with this id, if it runs, and resolves when it is gone. */
	kill(queryId: string, options?: { as?: Role; signal?: AbortSignal }): Promise<void>;
	ping(): Promise<boolean>;
	close(): Promise<void>;
};

/** The engine of this box, or the address of a server: `https://user:password@host:8443/database`. */
export type ClickHouseTarget = EngineConnection | string;

function countLines(sent: string | Buffer): number {
	const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
	let lines = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
	for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
	return lines;
}

/** Longer than any statement may run, so that the server's own word about a limit arrives. */
const requestTimeoutMs = 3_700_000;

/** A server tells of a failure in at most 16 KB. */
const tailBytes = 20_000;
const parquetMark = Buffer.from('PAR1');

const everywhere: ClickHouseSettings = {
	// A visitor's id does not fit into a number of JavaScript.
	output_format_json_quote_64bit_integers: 1,
	// Nor does money.
	output_format_json_quote_decimals: 1,
};

export function createClickHouse(
	target: ClickHouseTarget,
	{
		log,
		ca,
		cluster,
	}: {
		log: Log;
		/** Certificates of the authority that the server's must come from. */
		ca?: string | undefined;
		cluster?: string | undefined;
	},
): ClickHouse {
	const clients = typeof target === 'string' ? clientsOfServer(target, ca) : clientsOfEngine(target);
	const ofCluster: ClickHouseSettings = cluster === undefined ? {} : clusterSettings;
	const formsOf = (statement: string): string[] =>
		cluster === undefined ? [statement] : toCluster(statement, cluster);

	function prepare(query: Sql, { name = '', queryId, settings, signal }: StatementOptions) {
		return {
			...render(query),
			clickhouse_settings: { ...everywhere, ...ofCluster, ...settings, log_comment: name },
			...(queryId !== undefined && { query_id: queryId }),
			...(signal !== undefined && { abort_signal: signal }),
		};
	}

	async function* stream<Row>(query: Sql, of: StatementOptions = {}): AsyncGenerator<Row[]> {
		const result = await clients[of.as ?? 'stats'].query({ ...prepare(query, of), format: 'JSONEachRow' });
		for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json<Row>());
	}

	async function* lines(query: Sql, of: StatementOptions = {}): AsyncGenerator<Buffer> {
		const prepared = prepare(query, of);
		const result = await clients[of.as ?? 'stats'].exec({
			...prepared,
			query: `${prepared.query}\nFORMAT TabSeparated`,
		});
		for await (const piece of result.stream) yield piece;
	}

	async function* file(query: Sql, format: FileFormat, of: StatementOptions = {}): AsyncGenerator<Buffer> {
		const prepared = prepare(query, of);
		const statement = { ...prepared, query: `${prepared.query}\nFORMAT ${format}` };
		const client = clients[of.as ?? 'export'];
		const pieces =
			format === 'Parquet' && typeof target !== 'string'
				? readPiped(client, statement, dirname(target.socketPath))
				: readAnswered(client, statement);
		let foot: Buffer = Buffer.alloc(0);
		for await (const piece of pieces) {
			foot = Buffer.concat([foot, piece.subarray(-parquetMark.length)]).subarray(-parquetMark.length);
			yield piece;
		}
		if (format === 'Parquet' && !foot.equals(parquetMark))
			throw new Error('ClickHouse gave a Parquet file without its foot.');
	}

	async function rows<Row>(query: Sql, of: StatementOptions = {}) {
		const result = await clients[of.as ?? 'stats'].query({ ...prepare(query, of), format: 'JSONEachRow' });
		return result.json<Row>();
	}

	async function ask<Row>(query: Sql, of: StatementOptions = {}) {
		const result = await clients[of.as ?? 'stats'].query({ ...prepare(query, of), format: 'JSON' });
		const { data, statistics } = await result.json<Row>();
		return { rows: data, readRows: statistics?.rows_read ?? 0 };
	}

	return {
		cluster,
		stream,
		ask,
		rows,
		lines,
		file,
		async insert({ table, lines: sent, columns, token, queryId, settings, signal }) {
			// Not the client's insert: it would parse and write every line again.
			const into = columns
				? `${table} (${columns.join(', ')}) FORMAT TabSeparated`
				: `${table} FORMAT JSONEachRow`;
			const result = await clients.ingest.exec({
				query: `INSERT INTO ${into}`,
				values: Readable.from([typeof sent === 'string' ? Buffer.from(sent) : sent], {
					objectMode: false,
				}),
				clickhouse_settings: {
					input_format_parallel_parsing: 0,
					...ofCluster,
					...settings,
					insert_deduplication_token: token,
					log_comment: `insert ${table}`,
				},
				...(queryId !== undefined && { query_id: queryId }),
				...(signal !== undefined && { abort_signal: signal }),
			});
			for await (const _ of result.stream);
			const writtenRows = Number(result.summary?.written_rows ?? 0);
			// A row that lies on the node that was asked is counted by the spread table and by its own.
			return { writtenRows: cluster === undefined ? writtenRows : Math.min(writtenRows, countLines(sent)) };
		},
		async command(query, of = {}) {
			const prepared = prepare(query, of);
			for (const form of formsOf(prepared.query))
				await clients[of.as ?? 'migrate'].command({ ...prepared, query: form });
		},
		async script(text) {
			for (const form of formsOf(text))
				await clients.migrate.command({ query: form, clickhouse_settings: ofCluster });
		},
		async kill(queryId, { as = 'ingest', signal } = {}) {
			await clients[as].command({
				query:
					cluster === undefined ? 'KILL QUERY WHERE query_id = {id:String} SYNC' : killOnCluster(cluster),
				query_params: { id: queryId },
				...(signal !== undefined && { abort_signal: signal }),
			});
		},
		async ping() {
			const result = await clients.stats.ping({ select: true });
			if (!result.success) log.debug({ error: result.error }, 'ClickHouse does not answer');
			return result.success;
		},
		async close() {
			await Promise.all(Object.values(clients).map((client) => client.close()));
		},
	};
}

type Refusal = 'time' | 'memory' | 'size' | 'busy' | 'away';

/** ClickHouse's own names of what it refuses because it is too much: for one statement, or for the moment. */
const refusals: Readonly<Record<string, Refusal>> = {
	TIMEOUT_EXCEEDED: 'time',
	TOO_SLOW: 'time',
	MEMORY_LIMIT_EXCEEDED: 'memory',
	TOO_MANY_ROWS_OR_BYTES: 'memory',
	TOO_BIG_AST: 'size',
	TOO_DEEP_AST: 'size',
	TOO_DEEP_RECURSION: 'size',
	TOO_MANY_SIMULTANEOUS_QUERIES: 'busy',
};

/** Which bound of ClickHouse's a statement met, or that it could not be asked; undefined for every other failure. */
export function refusalOf(error: unknown): Refusal | undefined {
	if (error instanceof ClickHouseError) return error.type === undefined ? undefined : refusals[error.type];
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return awayCodes.has(code) ? 'away' : undefined;
}

const shared = {
	request_timeout: requestTimeoutMs,
	// The recovery check sends thousands of keys, more than fits into an address.
	use_multipart_params_auto: true,
	max_open_connections: 64,
	// Node's agent closes idle sockets in time by itself. The client's own timer for that (1.23) is set twice when a request is
	// given up just as it gets its socket, and cleared once: 2.5 s later it breaks whatever statement has the socket by then.
	keep_alive: { enabled: true, idle_socket_ttl: 0 },
	// Failures are thrown; the caller logs them once.
	log: { level: 127 },
} as const;

type Written = Parameters<ClickHouseClient['exec']>[0];

async function* readAnswered(client: ClickHouseClient, statement: Written): AsyncGenerator<Buffer> {
	const result = await client.exec(statement);
	const tag = result.response_headers['x-clickhouse-exception-tag'];
	let tail: Buffer = Buffer.alloc(0);
	for await (const piece of result.stream) {
		const bytes: Buffer = piece;
		tail = bytes.length < tailBytes ? Buffer.concat([tail, bytes]).subarray(-tailBytes) : bytes;
		yield bytes;
	}
	// Behind a proxy a server's failure in the midst of its answer looks like an end, but for these words.
	if (tail.includes(`\r\n__exception__\r\n${tag ?? ''}`))
		throw new Error('ClickHouse failed in the midst of an answer.');
}

/** The engine of this box writes into a pipe that we read ourselves: no other process passes the bytes on. */
async function* readPiped(
	client: ClickHouseClient,
	statement: Written,
	folder: string,
): AsyncGenerator<Buffer> {
	const { abort_signal: signal } = statement;
	const pipe = await openPipe(folder);
	const leaving = new AbortController();
	const leave = () => {
		leaving.abort();
		// The engine may be waiting for us to read.
		pipe.close();
	};
	if (signal?.aborted) leave();
	else signal?.addEventListener('abort', leave, { once: true });
	const done = client
		.exec({
			...statement,
			abort_signal: leaving.signal,
			http_headers: { [pipeHeader]: basename(pipe.path) },
		})
		.then(({ stream }) => void stream.resume())
		.finally(pipe.end);
	// Heard of below, when all that was written is read.
	done.catch(() => undefined);
	try {
		yield* pipe.bytes;
		await done;
	} catch (error) {
		// What the statement itself says of its end is the better reason.
		throw await done.then(
			() => error,
			(failure: unknown) => failure,
		);
	} finally {
		signal?.removeEventListener('abort', leave);
		leave();
	}
}

function clientsOfEngine({
	socketPath,
	passwords,
	database,
}: EngineConnection): Record<Role, ClickHouseClient> {
	const clientOf = (role: Role) =>
		createClient({
			...shared,
			url: 'http://engine',
			database,
			username: role,
			password: passwords[role],
			http_agent: new SocketAgent(socketPath),
		});
	return {
		ingest: clientOf('ingest'),
		stats: clientOf('stats'),
		export: clientOf('export'),
		migrate: clientOf('migrate'),
	};
}

/** An operator's server has the users that its operator made; the address names one, for all of them. */
function clientsOfServer(url: string, ca: string | undefined): Record<Role, ClickHouseClient> {
	const client = createClient({
		...{ ...shared, url },
		...(ca !== undefined && { http_agent: new SecureAgent({ ca, keepAlive: true, maxSockets: 64 }) }),
	});
	return { ingest: client, stats: client, export: client, migrate: client };
}

class SocketAgent extends Agent {
	readonly #socketPath: string;

	constructor(socketPath: string) {
		super({ keepAlive: true, maxSockets: 64 });
		this.#socketPath = socketPath;
	}

	override createConnection() {
		return createConnection(this.#socketPath);
	}
}
