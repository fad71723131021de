import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { unreachableCodes } from './connection-errors.ts';
import type { PostgresConnection } from './embedded-postgres.ts';
import { renderPostgres, type Sql, sql } from './sql.ts';

// bigint columns are ids and counts of ours, all far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// The same for lists of them (bigint[], which has no name in the driver's table).
const int8List: number = 1016;
const readTexts: (text: string) => string[] = pg.types.getTypeParser(int8List);
pg.types.setTypeParser(int8List, (text) => readTexts(text).map(Number));

export type PostgresRow = Record<string, unknown>;

/** Statements on one connection or on any of the pool. The type of a row is the caller's promise about its SELECT. */
export type Queries = {
	rows<R extends PostgresRow>(query: Sql): Promise<R[]>;
	/** As `rows`, planned for these very values: for statements whose best way depends on them. */
	rowsUnprepared<R extends PostgresRow>(query: Sql): Promise<R[]>;
	/** Runs a statement and says how many rows it touched. */
	run(query: Sql): Promise<number>;
	/** Several statements in one text, without values: migrations. */
	script(text: string): Promise<void>;
};

export type Postgres = Queries & {
	transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
	/** Several SELECTs that see the same moment. */
	snapshot<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
	/** A connection of its own, kept until `end`: session locks live and die with it. `lost` is called when it breaks. */
	dedicatedConnection(lost: () => void): Promise<Queries & { end(): Promise<void> }>;
	listen(channel: string, onNotification: (payload: string) => void): Listener;
	/** Whether it answers within a moment. */
	ping(): Promise<boolean>;
	close(): Promise<void>;
};

export type Listener = {
	/** The tick since when it has heard everything; what was asked before may have changed unheard. Undefined while it is deaf. */
	connectedSince(): number | undefined;
	close(): Promise<void>;
};

/** `ca`: certificates of the authority that the server's must come from; the connection is then encrypted, whatever the address says. */
export type PostgresTarget = PostgresConnection | { connectionString: string; ca?: string | undefined };

const reconnectEveryMs = 250;
const pingWithinMs = 1_000;
/** A connection that is cut half-way says nothing: it is asked, so that a change is missed for less than a second. */
const askListenerEveryMs = 250;
const listenerAnswersWithinMs = 500;

export function openPostgres(target: PostgresTarget, options: { log: Log; connections?: number }): Postgres {
	const { log } = options;
	const settings = {
		...connectionOf(target),
		application_name: 'tidemark',
		keepAlive: true,
		connectionTimeoutMillis: 10_000,
	};
	const pool = new pg.Pool({ ...settings, max: options.connections ?? 20, idleTimeoutMillis: 30_000 });
	// Without a listener an idle connection that breaks would end the process.
	let closing = false;
	pool.on('error', (error) => {
		// The embedded server is stopped right after we have let go of it, and its last word may come late.
		if (!closing) log.warn({ error }, 'an idle connection to PostgreSQL broke');
	});

	async function within<T>(begin: string, work: (tx: Queries) => Promise<T>): Promise<T> {
		const client = await pool.connect();
		let broken: unknown;
		// The statement under way, or the next one, fails of it; without a listener it would end the process.
		const lost = (error: unknown) => {
			broken = error;
		};
		client.on('error', lost);
		try {
			await client.query(begin);
			const result = await work(queriesOn(client));
			await client.query('COMMIT');
			return result;
		} catch (error) {
			await client.query('ROLLBACK').catch((failure: unknown) => {
				broken = failure;
			});
			throw error;
		} finally {
			client.off('error', lost);
			// A connection that could not even roll back is thrown away, not given to the next caller.
			client.release(broken !== undefined);
		}
	}

	return {
		...queriesOn(pool),
		transaction: (work) => within('BEGIN', work),
		snapshot: (work) => within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
		async dedicatedConnection(lost) {
			const client = new pg.Client(settings);
			client.on('error', lost);
			client.on('end', lost);
			await client.connect();
			return { ...queriesOn(client), end: () => client.end() };
		},
		listen: (channel, hear) => listen(settings, channel, hear, log),
		async ping() {
			const answered = pool.query('SELECT 1').then(
				() => true,
				() => false,
			);
			return Promise.race([answered, sleep(pingWithinMs, false, { ref: false })]);
		},
		close: () => {
			closing = true;
			return pool.end();
		},
	};
}

function connectionOf(target: PostgresTarget): pg.ClientConfig {
	if (!('connectionString' in target)) return target;
	const { connectionString, ca } = target;
	if (ca === undefined) return { connectionString };
	const url = new URL(connectionString);
	// The driver would take what the address says instead of what we say.
	for (const name of [...url.searchParams.keys()]) if (name.startsWith('ssl')) url.searchParams.delete(name);
	// Without the host it would compare the certificate of an address without a name with "localhost".
	const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
	return { connectionString: url.href, ssl: { ca, host } };
}

/** What we promise about acknowledged writes holds only on a server that keeps its own promises. */
export async function checkServer(postgres: Postgres): Promise<void> {
	const [server] = await postgres.rows<Record<string, string>>(sql`
		SELECT current_setting('server_version_num') AS version, current_setting('fsync') AS fsync,
			current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
			current_setting('server_encoding') AS encoding`);
	const faults: string[] = [];
	if (Number(server?.version) < 150_000) faults.push('it is older than PostgreSQL 15');
	if (server?.encoding !== 'UTF8') faults.push(`its encoding is ${server?.encoding}, not UTF8`);
	for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
		if (server?.[name] === 'off') faults.push(`${name} is off`);
	}
	if (faults.length > 0) throw new Error(`This PostgreSQL server cannot be used: ${faults.join(', ')}.`);
}

/** SQLSTATE classes, socket errors and words of a database that is not there for the moment, or is just closing. */
export function isUnreachable(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const code = 'code' in error ? String(error.code) : '';
	return (
		/^(08|57P)/.test(code) ||
		unreachableCodes.has(code) ||
		/terminated (unexpectedly|due to connection timeout)|timeout (exceeded when trying to connect|expired)|is not queryable/i.test(
			error.message,
		)
	);
}

/** It is there and cannot go on: connections, memory or disk are used up, or the disk fails. */
export const isExhausted = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && /^(53|58)/.test(String(error.code));

/** Statements are prepared once a connection, by their text: the texts are ours and few. */
const names = new Map<string, string>();

function nameOf(text: string): string {
	let name = names.get(text);
	if (name === undefined) {
		name = `s${names.size}`;
		names.set(text, name);
	}
	return name;
}

function queriesOn(client: pg.Pool | pg.Client | pg.PoolClient): Queries {
	const send = (query: Sql) => {
		const { text, values } = renderPostgres(query);
		return client.query({ name: nameOf(text), text, values });
	};
	return {
		// The row type is the caller's promise about its own SELECT; see Queries.
		rows: async <R extends PostgresRow>(query: Sql) => (await send(query)).rows as R[],
		rowsUnprepared: async <R extends PostgresRow>(query: Sql) =>
			(await client.query(renderPostgres(query))).rows as R[],
		run: async (query) => (await send(query)).rowCount ?? 0,
		script: async (text) => {
			await client.query(text);
		},
	};
}

function listen(
	settings: pg.ClientConfig,
	channel: string,
	hear: (payload: string) => void,
	log: Log,
): Listener {
	let closed = false;
	let connectedSince: number | undefined;
	let client: pg.Client | undefined;
	let again: NodeJS.Timeout | undefined;

	const lose = (lost: pg.Client) => {
		if (lost !== client) return;
		client = undefined;
		connectedSince = undefined;
		// It may be one that is cut half-way, which a polite end would wait for.
		lost.end().catch(() => undefined);
		destroy(lost);
		if (!closed) again = setTimeout(connect, reconnectEveryMs);
	};
	const connect = () => {
		const fresh = new pg.Client(settings);
		client = fresh;
		fresh.on('error', () => lose(fresh));
		fresh.on('end', () => lose(fresh));
		fresh.on('notification', (message) => hear(message.payload ?? ''));
		fresh
			.connect()
			.then(() => answersInTime(fresh, `LISTEN ${pg.escapeIdentifier(channel)}`))
			.then((isListening) => {
				if (!isListening) return;
				connectedSince = performance.now();
				return keepAsking(fresh, () => fresh !== client);
			})
			.catch((error) => log.debug({ error, channel }, 'not listening'))
			.finally(() => lose(fresh));
	};
	connect();
	return {
		connectedSince: () => connectedSince,
		async close() {
			closed = true;
			clearTimeout(again);
			const last = client;
			client = undefined;
			connectedSince = undefined;
			await last?.end().catch(() => undefined);
		},
	};
}

/** Until there is no answer in time, or it is over. */
async function keepAsking(client: pg.Client, isOver: () => boolean): Promise<void> {
	while (!isOver() && (await answersInTime(client, 'SELECT 1')))
		await sleep(askListenerEveryMs, undefined, { ref: false });
}

function answersInTime(client: pg.Client, statement: string): Promise<boolean> {
	const answered = client.query(statement).then(
		() => true,
		() => false,
	);
	const late = sleep(listenerAnswersWithinMs, undefined, { ref: false })
		// A process that was busy for so long has not read yet what lies there.
		.then(() => nextTurn())
		.then(() => false);
	return Promise.race([answered, late]);
}

/** The driver has no other way to let go of a connection that does not answer. */
function destroy(client: pg.Client) {
	const { connection } = client as unknown as { connection?: { stream?: { destroy?(): void } } };
	connection?.stream?.destroy?.();
}
