import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RawInsertFormat } from 'chdb';
import { minuteMs } from '../lib/durations.ts';
import { type EngineRequest, readBody, readRequest } from './call.ts';
import { quote, unescapeText } from './escape.ts';
import { describeException, Exception, exceptionTypes } from './exception.ts';
import { boundSettings, settingsClause } from './limits.ts';
import { findPipe, openPipe, type Pipe, pipeHeader } from './pipes.ts';
import type { Pool } from './pool.ts';
import { authorize, type Catalog, changes, database, refuse, refuseVerb, type User } from './rights.ts';
import { createRunningList, type Running } from './running.ts';
import {
	fillStatement,
	findInsertOfRows,
	outlineStatement,
	readKill,
	readStatement,
	type Statement,
	splitInsert,
} from './statements.ts';
import type { EngineWorkerResponse } from './worker-main.ts';
import type { EngineWorker } from './worker-thread.ts';

// The part of ClickHouse's HTTP interface that the official client uses, on top of chDB. The order: authenticate, parse,
// authorize, wait for an engine worker, run, respond. Results are streamed with backpressure, and a client that disconnects
// cancels its statement.

export type HttpEndpoint = {
	listen(socketPath: string): Promise<void>;
	/** Rejects new statements, cancels reads and waits for writes. */
	drain(): Promise<void>;
};

export type HttpEndpointOptions = {
	passwords: Record<User, string>;
	pools: Record<User, Pool<EngineWorker>>;
	catalog: Catalog;
	/** Folder of the named pipes. */
	folder: string;
	memoryMb: number;
	/** Runs an internal statement on a separate connection. */
	control: (sql: string) => Promise<string>;
	log: (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;
};

const maxInsertBytes = 64 * 1024 * 1024;
const maxWholeBytes = String(64 * 1024 * 1024);

/** Formats whose chunks can be concatenated. Others (JSON, … WithNames) have a header and are buffered. */
const streamableFormats = new Set([
	'JSONEachRow',
	'JSONCompactEachRow',
	'JSONStringsEachRow',
	'JSONCompactStringsEachRow',
	'TabSeparated',
	'TSV',
	'TabSeparatedRaw',
	'TSVRaw',
	'CSV',
	'TSKV',
]);

/** File formats with header and footer, which the engine streams into a pipe. */
const pipedFormats = new Set(['Parquet']);

const insertFormats: readonly RawInsertFormat[] = [
	'JSONEachRow',
	'JSONCompactEachRow',
	'CSV',
	'CSVWithNames',
	'TSV',
	'TabSeparated',
	'TSVWithNames',
	'TabSeparatedWithNames',
];

const isReader = (user: User): boolean => user === 'stats' || user === 'export';

export function createHttpEndpoint({
	passwords,
	pools,
	catalog,
	folder,
	memoryMb,
	control,
	log,
}: HttpEndpointOptions): HttpEndpoint {
	const running = createRunningList(async (commentPrefix) => {
		await control(`KILL QUERY WHERE startsWith(Settings['log_comment'], ${quote(commentPrefix)}) ASYNC`);
	});
	const permissions = createPermissionCache(control, catalog);
	let isClosing = false;

	const server = createServer(
		{
			maxHeaderSize: 1024 * 1024,
			requestTimeout: 120_000,
			keepAliveTimeout: minuteMs,
			// A client closes idle connections a second before the time that it is told. One that is busy does so later, and would
			// send its next statement on a connection that is closed.
			keepAliveTimeoutBuffer: minuteMs,
		},
		(request, response) => {
			handle(request, response).catch((error: unknown) => sendException(response, error, log));
		},
	);

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const user = authenticate(request.headers.authorization, passwords);
		if (request.url === '/ping') {
			await control('SELECT 1');
			response.end('Ok.\n');
			return;
		}
		if (isClosing) throw new Exception('TOO_MANY_SIMULTANEOUS_QUERIES', 'The engine is stopping.');
		const call = await readRequest(request, { database, newId: randomUUID });
		const statement = readStatement(call.sql);
		response.setHeader('X-ClickHouse-Query-Id', call.queryId.replace(/[^\x20-\x7e]/g, '?'));
		response.setHeader('X-ClickHouse-Timezone', 'UTC');
		if (statement.verb === 'KILL') return kill(user, statement, call, response);
		refuseVerb(user, statement);
		const rows = statement.verb === 'INSERT' ? findInsertOfRows(statement) : undefined;
		if (rows === undefined) await permissions.check(user, statement);
		if (rows !== undefined && isReader(user)) refuse(user, 'insert');

		const name = call.settings.get('log_comment') ?? '';
		await running.with({ queryId: call.queryId, user, sql: call.sql, name }, async (entry) => {
			const cancel = () => entry.end();
			response.on('close', cancel);
			try {
				await pools[user].with(entry.signal, async (worker) => {
					const isRead = !changes.has(statement.verb);
					const settings = boundSettings(user, call.settings, {
						memoryMb,
						comment: entry.comment,
						isRead: isRead && user !== 'migrate',
					});
					if (rows !== undefined) {
						const body = await readBody(request, maxInsertBytes);
						const format = insertFormats.find((known) => known === statement.format);
						if (format === undefined || !call.hasRows)
							throw new Exception(
								'NOT_IMPLEMENTED',
								`Send rows in the body, as one of ${insertFormats.join(', ')}.`,
							);
						await runWrite(entry, worker, response, {
							op: 'insert',
							...rows,
							format,
							settings: Object.fromEntries(settings),
							body,
						});
						return;
					}
					const filled = fillStatement(statement, call.parameters, running.asTable());
					const clause = settingsClause(settings);
					if (statement.verb === 'INSERT') {
						const { head, tail } = splitInsert(filled);
						await runWrite(entry, worker, response, {
							op: 'whole',
							sql: `${head} ${clause}\n${tail}`,
							format: 'Null',
						});
					} else if (isRead) {
						const { format = 'TabSeparated' } = statement;
						const isSelect = statement.verb === 'SELECT' || statement.verb === 'WITH';
						const read = { filled, format, isSelect, settings };
						if (isSelect && pipedFormats.has(format)) {
							const pipeName = request.headers[pipeHeader];
							const pipe = typeof pipeName === 'string' ? findPipe(folder, pipeName) : await openPipe(folder);
							await runPiped(entry, worker, response, { ...read, pipe });
						} else await runRead(entry, worker, response, read);
					} else {
						await runWrite(entry, worker, response, {
							op: 'whole',
							sql: `${filled}\nFORMAT Null ${clause}`,
							format: 'Null',
						});
					}
				});
			} finally {
				response.off('close', cancel);
			}
		});
	}

	async function kill(
		user: User,
		statement: Statement,
		call: EngineRequest,
		response: ServerResponse,
	): Promise<void> {
		const { queryId, waits } = readKill(statement, call.parameters, unescapeText);
		const query = running.find(queryId);
		if (isReader(user) || (user === 'ingest' && query !== undefined && query.user !== 'ingest'))
			refuse(user, 'end that statement');
		query?.end();
		if (waits) await query?.gone;
		const row = {
			kill_status: waits ? 'finished' : 'waiting',
			query_id: queryId,
			user: query?.user,
			query: '',
		};
		response.setHeader('X-ClickHouse-Format', 'JSONEachRow');
		response.end(query === undefined ? '' : `${JSON.stringify(row)}\n`);
	}

	return {
		async listen(socketPath) {
			// listen() creates the file; the umask prevents other users from connecting before a chmod.
			const previousMask = process.umask(0o177);
			server.listen(socketPath);
			await once(server, 'listening');
			process.umask(previousMask);
		},
		async drain() {
			isClosing = true;
			server.close();
			for (const entry of running.all()) if (isReader(entry.user)) entry.end();
			await Promise.all(running.all().map((entry) => entry.gone));
		},
	};
}

/** Caches permission checks by statement text: parameters do not change what a statement does. */
function createPermissionCache(control: HttpEndpointOptions['control'], catalog: Catalog) {
	const allowed = new Set<string>();
	return {
		async check(user: User, statement: Statement): Promise<void> {
			const outline = outlineStatement(statement);
			const key = `${user} ${outline}`;
			if (allowed.has(key)) return;
			authorize(user, statement, (await control(`EXPLAIN AST ${outline}`)).trimEnd().split('\n'), catalog);
			if (allowed.size >= 5_000) allowed.clear();
			if (key.length < 20_000) allowed.add(key);
		},
	};
}

function authenticate(header: string | undefined, passwords: Record<User, string>): User {
	const credentials = Buffer.from(/^Basic (.+)$/.exec(header ?? '')?.[1] ?? '', 'base64').toString();
	const digest = (text: string) => createHash('sha256').update(text).digest();
	for (const user of ['ingest', 'stats', 'export', 'migrate'] as const) {
		if (timingSafeEqual(digest(credentials), digest(`${user}:${passwords[user]}`))) return user;
	}
	throw new Exception(
		'AUTHENTICATION_FAILED',
		'Authentication failed: password is incorrect, or there is no user with such name.',
	);
}

async function runWrite(
	entry: Running,
	worker: EngineWorker,
	response: ServerResponse,
	request: Parameters<EngineWorker['send']>[0],
): Promise<void> {
	if (entry.signal.aborted) throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	const done = await worker.send(request);
	response.setHeader('X-ClickHouse-Summary', summary(entry, done));
	response.end();
}

function summary(entry: Running, done: EngineWorkerResponse): string {
	const counts = done.is === 'done' ? done : { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0 };
	return JSON.stringify({
		read_rows: String(counts.readRows),
		read_bytes: String(counts.readBytes),
		written_rows: String(counts.writtenRows),
		written_bytes: String(counts.writtenBytes),
		total_rows_to_read: '0',
		result_rows: '0',
		result_bytes: '0',
		elapsed_ns: String(Math.round((performance.now() - entry.startedAt) * 1_000_000)),
	});
}

async function runRead(
	entry: Running,
	worker: EngineWorker,
	response: ServerResponse,
	read: { filled: string; format: string; isSelect: boolean; settings: ReadonlyMap<string, string> },
): Promise<void> {
	const { filled, format, isSelect } = read;
	if (entry.signal.aborted) throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	const isStreamed = isSelect && streamableFormats.has(format);
	// A buffered result is limited. The default comes first, so that a requested limit wins and readonly stays last.
	const settings = isStreamed
		? read.settings
		: new Map([['max_result_bytes', maxWholeBytes], ...read.settings]);
	const sql = `${filled}\nFORMAT ${format} ${settingsClause(settings)}`;
	let reply = await worker.send(isStreamed ? { op: 'stream', sql } : { op: 'whole', sql, format });

	const tag = beginBody(response, format);
	try {
		while (reply.is === 'chunk') {
			await writeChunk(response, reply.bytes, entry.signal);
			reply = await worker.send({ op: 'next' });
		}
	} catch (error) {
		await worker.send({ op: 'cancel' });
		breakBody(response, tag, error);
		return;
	}
	response.end();
}

function beginBody(response: ServerResponse, format: string): string {
	const tag = randomBytes(8).toString('hex');
	response.setHeader('X-ClickHouse-Format', format);
	response.setHeader('X-ClickHouse-Exception-Tag', tag);
	return tag;
}

/** After headers and rows were sent: the client looks for this block, and other clients see an incomplete body. */
function breakBody(response: ServerResponse, tag: string, error: unknown): void {
	const { text } = describeException(error);
	const block = `\r\n__exception__\r\n${tag}\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`;
	response.write(block, () => response.socket?.destroySoon());
}

/**
 * chDB would stream these formats as many small files. Instead the engine writes into a named pipe with INTO OUTFILE, which
 * clients may not use: this applies backpressure and does not touch the disk. If the client created the pipe, the response has
 * no body.
 */
async function runPiped(
	entry: Running,
	worker: EngineWorker,
	response: ServerResponse,
	read: { filled: string; format: string; settings: ReadonlyMap<string, string>; pipe: Pipe },
): Promise<void> {
	const { filled, format, settings, pipe } = read;
	if (entry.signal.aborted) {
		pipe.close();
		throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	}
	// The engine may be blocked on a reader that has disconnected; closing the pipe makes it fail at once.
	entry.signal.addEventListener('abort', pipe.close, { once: true });
	const sql = `${filled}\nINTO OUTFILE ${quote(pipe.path)} APPEND FORMAT ${format} ${settingsClause(settings)}`;
	const done = worker.send({ op: 'whole', sql, format: 'Null' }).finally(pipe.end);
	// Handled below, once everything that was written has been read.
	done.catch(() => undefined);
	let tag: string | undefined;
	try {
		for await (const bytes of pipe.bytes) {
			tag ??= beginBody(response, format);
			await writeChunk(response, bytes, entry.signal);
		}
		await done;
		if (entry.signal.aborted) throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	} catch (error) {
		pipe.close();
		// The error of the statement itself is the better one, and the worker must be free again in either case.
		const reason = await done.then(
			() => error,
			(failure: unknown) => (entry.signal.aborted ? error : failure),
		);
		if (tag === undefined) throw reason;
		breakBody(response, tag, reason);
		return;
	} finally {
		entry.signal.removeEventListener('abort', pipe.close);
		pipe.close();
	}
	response.end();
}

/** Resolves when the client has received the chunk, which applies backpressure to the engine. */
async function writeChunk(response: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
	const cancelled = () => new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	if (signal.aborted || response.closed) throw cancelled();
	await new Promise<void>((resolve, reject) => {
		const fail = () => reject(cancelled());
		signal.addEventListener('abort', fail, { once: true });
		response.write(bytes, (error) => {
			signal.removeEventListener('abort', fail);
			// Free the chunk now: the garbage collector is slow with memory outside its heap and kept 600 MB alive.
			if (bytes.length > 1_000_000 && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
			if (error) fail();
			else resolve();
		});
	});
}

function sendException(response: ServerResponse, error: unknown, log: HttpEndpointOptions['log']): void {
	const { code, status, text } = describeException(error);
	// Without the message, which quotes the statement and its values. A statement that was cancelled has not failed.
	if (!(error instanceof Exception) && code !== exceptionTypes.QUERY_WAS_CANCELLED.code)
		log('warn', 'statement failed', { code });
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return;
	}
	response.writeHead(status, {
		'X-ClickHouse-Exception-Code': String(code),
		'Content-Type': 'text/plain; charset=UTF-8',
	});
	response.end(text);
}
