/**
 * What a ClickHouse server refuses and the embedded engine does not, in front of that engine: limits of requests, users with
 * `readonly` and grants, asynchronous inserts, errors as a server sends them, and the nodes of a cluster that it pretends to be
 * one of. The values are the defaults of ClickHouse 26.7 (`system.settings`) and the statuses those of its HTTP handler.
 */
import { randomUUID } from 'node:crypto';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { EngineConnection } from '../../server/engine/supervise.ts';
import { insertSettings } from '../../server/store/clickhouse.ts';
import { clusterSettings } from '../../server/store/cluster-sql.ts';
import { withoutReplicas } from './cluster.ts';

export const limits = {
	http_max_uri_size: 1_048_576,
	http_max_fields: 1_000,
	http_max_field_name_size: 4_096,
	http_max_field_value_size: 131_072,
	max_query_size: 262_144,
	max_partitions_per_insert_block: 100,
} as const;

/** What docs/settings.md tells an operator to grant; test/docs compares both. */
export const grants = {
	tables: ['SELECT', 'INSERT', 'CREATE TABLE', 'DROP TABLE', 'ALTER TABLE', 'TRUNCATE', 'OPTIMIZE'],
	system: ['columns', 'detached_parts', 'disks', 'parts', 'processes', 'settings', 'tables'],
	systemOfCluster: ['clusters', 'macros', 'one', 'zookeeper_connection'],
	global: ['CLUSTER', 'REMOTE'],
} as const;

export type Node = { host: string; version: string; shard: string; replica: string; isDown?: boolean };

export type StrictOptions = {
	version?: string;
	/** Values in the profile of the main user, where they are not the defaults. */
	profile?: Record<string, string>;
	/** Settings that the main user may not change. */
	fixed?: readonly string[];
	cluster?: { name: string; nodes: Node[] };
};

export type StrictUser = { name: string; password: string; readonly: 0 | 1 | 2 };

/** The main user, one for questions, and one with `readonly = 1`, which cannot be used. */
export const users = {
	main: { name: 'tidemark', password: 'main-password', readonly: 0 },
	reader: { name: 'reader', password: 'reader-password', readonly: 2 },
	locked: { name: 'locked', password: 'locked-password', readonly: 1 },
} as const satisfies Record<string, StrictUser>;

export type Seen = { user: string; statement: string; settings: Record<string, string> };

class ServerError extends Error {
	readonly code: number;
	readonly status: number;

	constructor(code: number, type: string, message: string, status = statusOf(code)) {
		super(`Code: ${code}. DB::Exception: ${message} (${type}) (version ${testedVersion} (official build))\n`);
		this.code = code;
		this.status = status;
	}
}

/** A form that is too large is refused before there is a query: the text has no type. */
class FormError extends ServerError {
	constructor(message: string) {
		super(1_000, '', '', 500);
		this.message = `Poco::Exception. Code: 1000, e.code() = 0, HTML Form Exception: ${message} (version ${testedVersion} (official build))\n`;
	}
}

const testedVersion = '26.7.2.1';

const badRequest = new Set([6, 25, 26, 27, 38, 41, 53, 62, 69, 72, 117, 167, 168, 321]);
const notFound = new Set([46, 47, 50, 56, 60, 63, 73, 81, 115, 141]);

/** As `exceptionCodeToHTTPStatus` of a server has it. */
function statusOf(code: number): number {
	if (badRequest.has(code)) return 400;
	if (notFound.has(code)) return 404;
	return { 48: 501, 159: 408, 194: 401, 209: 503, 516: 403, 497: 403 }[code] ?? 500;
}

const ownNames = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'role']);
const httpSettings = new Set(
	'enable_http_compression wait_end_of_query send_progress_in_http_headers http_headers_progress_interval_ms cancel_http_readonly_queries_on_client_close'.split(
		' ',
	),
);

/** Settings that a server knows and the product sends. Whatever else comes is told apart as unknown. */
const knownSettings = new Set([
	...httpSettings,
	...Object.keys(insertSettings),
	...Object.keys(clusterSettings),
	...'log_comment max_execution_time max_memory_usage max_threads max_block_size max_result_bytes readonly insert_deduplication_token mutations_sync alter_sync allow_drop_detached allow_nondeterministic_mutations optimize_aggregation_in_order output_format_json_quote_64bit_integers output_format_json_quote_decimals output_format_csv_crlf_end_of_line output_format_parquet_row_group_size output_format_parquet_row_group_size_bytes output_format_json_escape_forward_slashes date_time_output_format'.split(
		' ',
	),
]);

export type Strict = {
	port: number;
	/** Of the last statements, in their order. */
	seen: Seen[];
	options: StrictOptions;
	close(): void;
};

export async function startStrict(engine: EngineConnection, options: StrictOptions): Promise<Strict> {
	const seen: Seen[] = [];
	const server = createServer({ maxHeaderSize: 2 * limits.http_max_uri_size }, (request, response) => {
		answer(request, response).catch((error: unknown) => {
			const told = error instanceof ServerError ? error : new ServerError(49, 'LOGICAL_ERROR', String(error));
			response.writeHead(told.status, { 'X-ClickHouse-Exception-Code': String(told.code) }).end(told.message);
		});
	});

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		if (request.url === '/ping') return void response.end('Ok.\n');
		if ((request.url?.length ?? 0) > limits.http_max_uri_size) return void response.writeHead(400).end();
		const address = new URL(request.url ?? '/', 'http://server');
		checkFields(address.searchParams);
		const user = userOf(request);
		if (request.headers['x-tidemark-pipe'] !== undefined)
			throw new ServerError(36, 'BAD_ARGUMENTS', 'A server writes into no pipe of its client.');
		const inAddress = address.searchParams.get('query');
		const body = inAddress === null ? await buffer(request) : undefined;
		const fields =
			body && request.headers['content-type']?.startsWith('multipart/') ? readForm(body) : undefined;
		if (fields) checkFields(fields);
		const statement = inAddress ?? fields?.get('query') ?? String(body);
		const parameter = (name: string) =>
			address.searchParams.get(`param_${name}`) ?? fields?.get(`param_${name}`) ?? '';
		const settings = Object.fromEntries(
			[...address.searchParams].filter(([name]) => !ownNames.has(name) && !name.startsWith('param_')),
		);
		seen.push({ user: user.name, statement, settings });
		if (seen.length > 5_000) seen.shift();
		if (Buffer.byteLength(statement) > limits.max_query_size)
			throw new ServerError(
				62,
				'SYNTAX_ERROR',
				`Syntax error: failed at position ${limits.max_query_size}: Max query size exceeded (can be increased with the \`max_query_size\` setting).`,
			);
		checkSettings(user, settings, options);
		checkRights(user, statement, options);
		const about = answerAbout(user, statement, parameter, settings, options);
		if (about) {
			response.setHeader('X-ClickHouse-Format', 'JSONEachRow');
			return void response.end(about.map((row) => `${JSON.stringify(row)}\n`).join(''));
		}
		const local = options.cluster ? toLocal(statement, settings, options.cluster) : statement;
		if (local === undefined) return void response.end();
		forward(request, response, { address, user, settings, statement, local, body, fields });
	}

	function forward(
		request: IncomingMessage,
		response: ServerResponse,
		of: {
			address: URL;
			user: StrictUser;
			settings: Record<string, string>;
			statement: string;
			local: string;
			body: Buffer | undefined;
			fields: Map<string, string> | undefined;
		},
	) {
		const { address, user, settings, statement, local, fields } = of;
		const sent = new URL(address);
		for (const name of Object.keys(settings))
			if (Object.hasOwn(clusterSettings, name)) sent.searchParams.delete(name);
		const isInsert = /^\s*INSERT\b/.test(statement) && !/\bSELECT\b/.test(statement);
		if (isInsert && settings.async_insert !== '0') {
			// It is buffered and written later, with others: nothing of it is deduplicated.
			sent.searchParams.set('insert_deduplication_token', randomUUID());
		}
		let { body } = of;
		// The engine has connections of their own for each kind of work.
		const isQuestion = /^(\s|\()*(SELECT|WITH)\b/.test(statement);
		const engineUser = isQuestion
			? user.readonly > 0
				? 'stats'
				: 'ingest'
			: /^\s*INSERT\b/.test(statement)
				? 'ingest'
				: 'migrate';
		const headers: Record<string, string> = {
			authorization: `Basic ${Buffer.from(`${engineUser}:${engine.passwords[engineUser]}`).toString('base64')}`,
		};
		if (address.searchParams.has('query')) sent.searchParams.set('query', local);
		else if (local !== statement)
			if (fields) {
				for (const [name, value] of fields) if (name !== 'query') sent.searchParams.set(name, value);
				body = Buffer.from(local);
			} else body = Buffer.from(local);
		const type = request.headers['content-type'];
		if (type && (body === undefined || body === of.body)) headers['content-type'] = type;
		const upstream = ask({
			socketPath: engine.socketPath,
			method: 'POST',
			path: `${sent.pathname}${sent.search}`,
			headers,
		});
		upstream.on('response', (told) => {
			const code = Number(told.headers['x-clickhouse-exception-code'] ?? 0);
			const kept = Object.entries(told.headers).filter(([name]) => /^x-clickhouse|^content-type/.test(name));
			response.writeHead(code > 0 ? statusOf(code) : (told.statusCode ?? 500), Object.fromEntries(kept));
			told.on('aborted', () => response.destroy());
			told.pipe(response);
		});
		upstream.on('error', () => response.destroy());
		const isCancelled = user.readonly > 0 && settings.cancel_http_readonly_queries_on_client_close === '1';
		// Whoever leaves ends a read only where that is switched on; an insert that has arrived is written.
		response.on('close', () => {
			if (response.writableFinished) return;
			if (isCancelled || !request.complete) upstream.destroy();
		});
		if (body) upstream.end(body);
		else request.pipe(upstream);
	}

	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const bound = server.address();
	return {
		port: typeof bound === 'object' ? (bound?.port ?? 0) : 0,
		...{ seen, options },
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

function userOf(request: IncomingMessage): StrictUser {
	const given = Buffer.from(
		/^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '',
		'base64',
	).toString();
	const user = Object.values(users).find(({ name, password }) => given === `${name}:${password}`);
	if (user) return user;
	throw new ServerError(
		516,
		'AUTHENTICATION_FAILED',
		`${given.split(':')[0]}: Authentication failed: password is incorrect, or there is no user with such name.`,
	);
}

function checkFields(fields: Iterable<[string, string]>) {
	let count = 0;
	for (const [name, value] of fields) {
		if (++count > limits.http_max_fields) throw new FormError('Too many form fields');
		if (Buffer.byteLength(name) > limits.http_max_field_name_size) throw new FormError('Field name too long');
		if (Buffer.byteLength(value) > limits.http_max_field_value_size)
			throw new FormError('Field value too long');
	}
}

function readForm(body: Buffer): Map<string, string> {
	const text = body.toString();
	const boundary = text.slice(0, text.indexOf('\r\n'));
	return new Map(
		`\r\n${text}`
			.split(`\r\n${boundary}`)
			.slice(1, -1)
			.map((part): [string, string] => {
				const end = part.indexOf('\r\n\r\n');
				return [/name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? '', part.slice(end + 4)];
			}),
	);
}

function checkSettings(user: StrictUser, settings: Record<string, string>, { fixed = [] }: StrictOptions) {
	for (const name of Object.keys(settings)) {
		if (!knownSettings.has(name))
			throw new ServerError(
				115,
				'UNKNOWN_SETTING',
				`Setting ${name} is neither a builtin setting nor started with the prefix 'SQL_' registered for user-defined settings.`,
			);
		if (user.readonly === 1 || (user.readonly === 2 && name === 'readonly'))
			throw new ServerError(164, 'READONLY', `Cannot modify '${name}' setting in readonly mode.`);
		if (user === users.main && fixed.includes(name))
			throw new ServerError(452, 'SETTING_CONSTRAINT_VIOLATION', `Setting ${name} should not be changed.`);
	}
}

const privileges: readonly (readonly [RegExp, (typeof grants.tables)[number] | 'KILL'])[] = [
	[/^(SELECT|WITH|EXISTS|DESCRIBE|SHOW)\b/, 'SELECT'],
	[/^INSERT\b/, 'INSERT'],
	[/^CREATE (OR REPLACE )?TABLE\b/, 'CREATE TABLE'],
	[/^DROP TABLE\b/, 'DROP TABLE'],
	[/^ALTER TABLE\b/, 'ALTER TABLE'],
	[/^TRUNCATE\b/, 'TRUNCATE'],
	[/^OPTIMIZE\b/, 'OPTIMIZE'],
	// Everybody may end what they have started.
	[/^KILL QUERY\b/, 'KILL'],
];

function checkRights(user: StrictUser, statement: string, { cluster }: StrictOptions) {
	const text = statement.replace(/^(\s*--[^\n]*\n|\s|\()*/, '');
	const needed = privileges.find(([begin]) => begin.test(text))?.[1];
	const missing = (grant: string) =>
		new ServerError(
			497,
			'ACCESS_DENIED',
			`${user.name}: Not enough privileges. To execute this query, it's necessary to have the grant ${grant}.`,
		);
	if (!needed) throw missing(text.slice(0, 40));
	if (user.readonly > 0 && needed !== 'SELECT' && needed !== 'KILL')
		throw new ServerError(164, 'READONLY', `${user.name}: Cannot execute query in readonly mode.`);
	const readable: readonly string[] = [...grants.system, ...(cluster ? grants.systemOfCluster : [])];
	for (const [, table = ''] of text.matchAll(/\bsystem\.([a-z_]+)/g))
		if (!readable.includes(table)) throw missing(`SELECT ON system.${table}`);
	if (!cluster && /\bON CLUSTER\b|\bclusterAllReplicas\(/.test(text)) throw missing('CLUSTER ON *.*');
	const [, reaching] = /\b(file|url|s3|remote|mysql|postgresql|executable)\s*\(/.exec(text) ?? [];
	if (reaching) throw missing(`${reaching.toUpperCase()} ON *.*`);
}

/** Defaults that differ from what the product wants, and those that it looks at. */
const serverValues: Record<string, string> = {
	...{ async_insert: '1', wait_for_async_insert: '1', insert_deduplicate: '1', deduplicate_insert: 'enable' },
	...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, String(value)])),
	max_memory_usage: '4000000000',
};

const listOf = (text: string): string[] =>
	[...text.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, item = '']) => item);

/** What only a server, or a node of a cluster, can say of itself. */
function answerAbout(
	user: StrictUser,
	statement: string,
	parameter: (name: string) => string,
	settings: Record<string, string>,
	{ version = testedVersion, profile = {}, fixed = [], cluster }: StrictOptions,
): object[] | undefined {
	if (/^\s*SELECT version\(\) AS version\s+FORMAT/.test(statement)) return [{ version }];
	if (/\bFROM system\.settings\b/.test(statement)) {
		const values = { ...serverValues, readonly: String(user.readonly), ...(user === users.main && profile) };
		const rows = Object.keys({ ...values, ...insertSettings, ...clusterSettings }).map((name) => ({
			name,
			value: Object.hasOwn(values, name) ? Reflect.get(values, name) : '',
			readonly: Number((user === users.main && fixed.includes(name)) || user.readonly === 1),
		}));
		const asked = listOf(parameter('p0'));
		return rows.filter(({ name }) => asked.includes(name));
	}
	if (!cluster) return undefined;
	const { name, nodes } = cluster;
	const shards = Map.groupBy(nodes, ({ shard }) => shard);
	if (/\bFROM system\.clusters WHERE\b/.test(statement))
		return parameter('p0') === name
			? [...shards.values()].map((some, index) => ({
					shard_num: index + 1,
					replicas: String(some.length),
					isInternal: 1,
				}))
			: [];
	if (/\bFROM system\.clusters\b/.test(statement)) return [{ cluster: name }];
	if (/^\s*SELECT hostName\(\) AS host\s+FORMAT/.test(statement)) return [{ host: nodes[0]?.host }];
	if (!/\bclusterAllReplicas\(/.test(statement)) return undefined;
	if (nodes.some(({ isDown }) => isDown) && settings.skip_unavailable_shards !== '1')
		throw new ServerError(279, 'ALL_CONNECTION_TRIES_FAILED', 'All connection tries failed.');
	const there = nodes.filter(({ isDown }) => !isDown);
	if (/system\.macros/.test(statement))
		return there.map(({ host, shard, replica }) => ({ host, shard, replica }));
	if (/system\.one/.test(statement)) return there.map((node) => ({ host: node.host, version: node.version }));
	if (/system\.zookeeper_connection/.test(statement)) return there.map(({ host }) => ({ host }));
	return undefined;
}

/**
 * The statement as one engine runs it for all nodes: a table has one copy. Undefined where nothing is left to do. What has to be
 * done on a node that is down is not done in time.
 */
function toLocal(
	statement: string,
	settings: Record<string, string>,
	{ nodes }: NonNullable<StrictOptions['cluster']>,
): string | undefined {
	const isOfAll = /\bON CLUSTER\b/.test(statement);
	const down = nodes.filter(({ isDown }) => isDown).map(({ host }) => host);
	const waits = settings.distributed_ddl_task_timeout ?? '180';
	if (isOfAll && down.length > 0 && waits !== '0')
		throw new ServerError(
			159,
			'TIMEOUT_EXCEEDED',
			`Watching task /clickhouse/task_queue/ddl/query-0000000001 is executing longer than distributed_ddl_task_timeout (=${waits}) seconds. There are ${down.length} unfinished hosts (0 of them are currently executing the task), they are going to execute the query in background.`,
		);
	if (/\bENGINE = Distributed\b/.test(statement)) return undefined;
	return withoutReplicas(statement, { tokens: 10_000 })
		.replace(/\b([a-z_]+)_local\b/g, '$1')
		.replace(/clusterAllReplicas\([^,]*, (system\.[a-z_]+)\)/g, '$1')
		.replace(/ OR initial_query_id = \{\w+:String\}/, '');
}
