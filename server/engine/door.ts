import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RawInsertFormat } from 'chdb';
import { type Call, readBody, readCall } from './call.ts';
import { quote, unescapeText } from './escape.ts';
import { describeException, Exception } from './exception.ts';
import type { Lane } from './lane.ts';
import type { LaneAnswer } from './lane-worker.ts';
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

// The part of ClickHouse's HTTP interface that the official client uses, in front of chDB. The order of things:
// who asks → what is asked → may they → wait for a connection → run → answer. Results are streamed and wait for a slow
// reader; whoever hangs up ends their statement.

export type Door = {
	listen(socketPath: string): Promise<void>;
	/** Takes no more statements, ends the reads, lets writes finish. */
	drain(): Promise<void>;
};

export type DoorOptions = {
	passwords: Record<User, string>;
	pools: Record<User, Pool<Lane>>;
	catalog: Catalog;
	/** Where pipes are. */
	folder: string;
	memoryMb: number;
	/** Runs a statement of the door's own on a connection that nobody else uses. */
	control: (sql: string) => Promise<string>;
	log: (level: 'info' | 'warn' | 'error', message: string, fields: Record<string, unknown>) => void;
};

const maxInsertBytes = 64 * 1024 * 1024;
const maxWholeBytes = String(64 * 1024 * 1024);

/** Formats whose chunks are simply put behind one another. Others (JSON, … WithNames) have a head and are made whole. */
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

/** Formats that are one file from its head to its foot. The engine writes them as it goes, into a pipe. */
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

/** Who never changes anything. */
const isReader = (user: User): boolean => user === 'stats' || user === 'export';

export function createDoor({ passwords, pools, catalog, folder, memoryMb, control, log }: DoorOptions): Door {
	const running = createRunningList(async (commentPrefix) => {
		await control(`KILL QUERY WHERE startsWith(Settings['log_comment'], ${quote(commentPrefix)}) ASYNC`);
	});
	const judged = createJudgements(control, catalog);
	let isClosing = false;

	const server = createServer(
		{ maxHeaderSize: 1024 * 1024, requestTimeout: 120_000, keepAliveTimeout: 60_000 },
		(request, response) => {
			answer(request, response).catch((error: unknown) => sendException(response, error, log));
		},
	);

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const user = authenticate(request.headers.authorization, passwords);
		if (request.url === '/ping') {
			response.end('Ok.\n');
			return;
		}
		if (isClosing) throw new Exception('TOO_MANY_SIMULTANEOUS_QUERIES', 'The engine is stopping.');
		const call = await readCall(request, { database, newId: randomUUID });
		const statement = readStatement(call.sql);
		response.setHeader('X-ClickHouse-Query-Id', call.queryId.replace(/[^\x20-\x7e]/g, '?'));
		response.setHeader('X-ClickHouse-Timezone', 'UTC');
		if (statement.verb === 'KILL') return kill(user, statement, call, response);
		refuseVerb(user, statement);
		const rows = statement.verb === 'INSERT' ? findInsertOfRows(statement) : undefined;
		if (rows === undefined) await judged.check(user, statement);
		if (rows !== undefined && isReader(user)) refuse(user, 'insert');

		const name = call.settings.get('log_comment') ?? '';
		await running.with({ queryId: call.queryId, user, sql: call.sql, name }, async (entry) => {
			const hangUp = () => entry.end();
			response.on('close', hangUp);
			try {
				await pools[user].with(entry.signal, async (lane) => {
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
								`Rows come in the body, as one of ${insertFormats.join(', ')}.`,
							);
						await runWrite(entry, lane, response, {
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
						await runWrite(entry, lane, response, {
							op: 'whole',
							sql: `${head} ${clause}\n${tail}`,
							format: 'Null',
						});
					} else if (isRead) {
						const { format = 'TabSeparated' } = statement;
						const isSelect = statement.verb === 'SELECT' || statement.verb === 'WITH';
						const read = { filled, format, isSelect, settings };
						if (isSelect && pipedFormats.has(format)) {
							const named = request.headers[pipeHeader];
							const pipe = typeof named === 'string' ? findPipe(folder, named) : await openPipe(folder);
							await runPiped(entry, lane, response, { ...read, pipe });
						} else await runRead(entry, lane, response, read);
					} else {
						await runWrite(entry, lane, response, {
							op: 'whole',
							sql: `${filled}\nFORMAT Null ${clause}`,
							format: 'Null',
						});
					}
				});
			} finally {
				response.off('close', hangUp);
			}
		});
	}

	async function kill(user: User, statement: Statement, call: Call, response: ServerResponse): Promise<void> {
		const { queryId, waits } = readKill(statement, call.parameters, unescapeText);
		const found = running.find(queryId);
		if (isReader(user) || (user === 'ingest' && found !== undefined && found.user !== 'ingest'))
			refuse(user, 'end that statement');
		found?.end();
		if (waits) await found?.gone;
		const row = {
			kill_status: waits ? 'finished' : 'waiting',
			query_id: queryId,
			user: found?.user,
			query: '',
		};
		response.setHeader('X-ClickHouse-Format', 'JSONEachRow');
		response.end(found === undefined ? '' : `${JSON.stringify(row)}\n`);
	}

	return {
		async listen(socketPath) {
			// The file is made by listen; the mask leaves no moment in which somebody else could connect.
			const before = process.umask(0o177);
			server.listen(socketPath);
			await once(server, 'listening');
			process.umask(before);
		},
		async drain() {
			isClosing = true;
			server.close();
			for (const entry of running.all()) if (isReader(entry.user)) entry.end();
			await Promise.all(running.all().map((entry) => entry.gone));
		},
	};
}

/** Judgements by text: a statement's parameters never change what it is, so each is explained once. */
function createJudgements(control: DoorOptions['control'], catalog: Catalog) {
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
	const given = Buffer.from(/^Basic (.+)$/.exec(header ?? '')?.[1] ?? '', 'base64').toString();
	const digest = (text: string) => createHash('sha256').update(text).digest();
	for (const user of ['ingest', 'stats', 'export', 'migrate'] as const) {
		if (timingSafeEqual(digest(given), digest(`${user}:${passwords[user]}`))) return user;
	}
	throw new Exception(
		'AUTHENTICATION_FAILED',
		'Authentication failed: password is incorrect, or there is no user with such name.',
	);
}

async function runWrite(
	entry: Running,
	lane: Lane,
	response: ServerResponse,
	request: Parameters<Lane['ask']>[0],
): Promise<void> {
	if (entry.signal.aborted) throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	const done = await lane.ask(request);
	response.setHeader('X-ClickHouse-Summary', summary(entry, done));
	response.end();
}

function summary(entry: Running, done: LaneAnswer): string {
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
	lane: Lane,
	response: ServerResponse,
	read: { filled: string; format: string; isSelect: boolean; settings: ReadonlyMap<string, string> },
): Promise<void> {
	const { filled, format, isSelect } = read;
	if (entry.signal.aborted) throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	const isStreamed = isSelect && streamableFormats.has(format);
	// First, because readonly is the last: what was asked for wins, and what is made whole is bounded.
	const settings = isStreamed
		? read.settings
		: new Map([['max_result_bytes', maxWholeBytes], ...read.settings]);
	const sql = `${filled}\nFORMAT ${format} ${settingsClause(settings)}`;
	let answer = await lane.ask(isStreamed ? { op: 'stream', sql } : { op: 'whole', sql, format });

	const tag = beginBody(response, format);
	try {
		while (answer.is === 'chunk') {
			await writeChunk(response, answer.bytes, entry.signal);
			answer = await lane.ask({ op: 'next' });
		}
	} catch (error) {
		await lane.ask({ op: 'cancel' });
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

/** Headers and rows are out. The client looks for this block, and the missing end of the body tells everybody else. */
function breakBody(response: ServerResponse, tag: string, error: unknown): void {
	const { text } = describeException(error);
	const block = `\r\n__exception__\r\n${tag}\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`;
	response.write(block, () => response.socket?.destroySoon());
}

/**
 * chDB gives a stream of such a format as many small files. So the engine writes it with INTO OUTFILE, which no statement from
 * outside may say, and what it writes into is a pipe: it waits for a slow reader, and nothing touches the disk. Where the reader
 * has made the pipe, the answer has no body and says how it ended.
 */
async function runPiped(
	entry: Running,
	lane: Lane,
	response: ServerResponse,
	read: { filled: string; format: string; settings: ReadonlyMap<string, string>; pipe: Pipe },
): Promise<void> {
	const { filled, format, settings, pipe } = read;
	if (entry.signal.aborted) {
		pipe.close();
		throw new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	}
	// The engine may be waiting for a reader who has left: without the pipe it is told at once.
	entry.signal.addEventListener('abort', pipe.close, { once: true });
	const sql = `${filled}\nINTO OUTFILE ${quote(pipe.path)} APPEND FORMAT ${format} ${settingsClause(settings)}`;
	const done = lane.ask({ op: 'whole', sql, format: 'Null' }).finally(pipe.end);
	// Heard of below, when all that it wrote is read.
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
		// What the statement itself says of its end is the better reason; the connection must be free of it either way.
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

/** Resolves when the reader has taken the chunk, which is what makes the engine wait for a slow one. */
async function writeChunk(response: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
	const cancelled = () => new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled.');
	if (signal.aborted || response.closed) throw cancelled();
	await new Promise<void>((resolve, reject) => {
		const leave = () => reject(cancelled());
		signal.addEventListener('abort', leave, { once: true });
		response.write(bytes, (error) => {
			signal.removeEventListener('abort', leave);
			// The collector is in no hurry with memory outside of its heap: some twenty chunks were alive at once, 600 MB.
			if (bytes.length > 1_000_000 && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
			if (error) leave();
			else resolve();
		});
	});
}

function sendException(response: ServerResponse, error: unknown, log: DoorOptions['log']): void {
	const { code, status, text } = describeException(error);
	// Not its text: the engine quotes the statement there, values and all.
	if (!(error instanceof Exception)) log('warn', 'a statement failed', { code });
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
