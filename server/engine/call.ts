import type { IncomingMessage } from 'node:http';
import { Exception } from './exception.ts';

/** A parsed request of the ClickHouse client. */
export type EngineRequest = {
	queryId: string;
	sql: string;
	/** In ClickHouse's escaped text form. */
	parameters: ReadonlyMap<string, string>;
	settings: ReadonlyMap<string, string>;
	/** The statement is in the URL, so the body contains the rows of an insert. */
	hasRows: boolean;
};

const maxTextBytes = 32 * 1024 * 1024;

/** Query parameters of the URL that are neither a setting nor a statement parameter. */
const reserved = new Set(['query', 'query_id', 'database']);

export async function readRequest(
	request: IncomingMessage,
	{ database, newId }: { database: string; newId: () => string },
): Promise<EngineRequest> {
	if (request.headers['content-encoding'] !== undefined) {
		throw new Exception(
			'NOT_IMPLEMENTED',
			'Compressed bodies are not supported: over a local socket they only cost time.',
		);
	}
	const address = new URL(request.url ?? '/', 'http://engine');
	if (address.pathname !== '/')
		throw new Exception('BAD_ARGUMENTS', `There is nothing at ${address.pathname}.`);
	const entries = [...address.searchParams];
	for (const name of ['session_id', 'role', 'user', 'password', 'default_format']) {
		if (address.searchParams.has(name))
			throw new Exception('ACCESS_DENIED', `The parameter ${name} is not supported.`);
	}
	const requested = address.searchParams.get('database');
	if (requested !== null && requested !== database)
		throw new Exception('ACCESS_DENIED', `There is no database ${requested}.`);

	const inUrl = address.searchParams.get('query');
	const body = inUrl === null ? await readText(request) : new Map<string, string>();
	const parameters = [...entries, ...body].flatMap(([name, value]) =>
		name.startsWith('param_') ? [[name.slice(6), value] as const] : [],
	);
	return {
		queryId: address.searchParams.get('query_id') ?? newId(),
		sql: inUrl ?? body.get('query') ?? '',
		parameters: new Map(parameters),
		settings: new Map(entries.filter(([name]) => !reserved.has(name) && !name.startsWith('param_'))),
		hasRows: inUrl !== null,
	};
}

/** The statement, or a form with the statement and its parameters if they are too long for a URL. */
async function readText(request: IncomingMessage): Promise<Map<string, string>> {
	const text = (await readBody(request, maxTextBytes)).toString();
	const boundary = /^multipart\/form-data;\s*boundary=(\S+)$/.exec(
		request.headers['content-type'] ?? '',
	)?.[1];
	if (boundary === undefined) return new Map([['query', text]]);
	const parts = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, -1);
	return new Map(parts.map(readPart));
}

function readPart(part: string): [string, string] {
	const [, name, value] =
		/^\r\nContent-Disposition: form-data; name="([\w.-]+)"\r\n\r\n([\s\S]*)$/.exec(part) ?? [];
	if (name === undefined || value === undefined)
		throw new Exception('BAD_ARGUMENTS', 'A part of the form is invalid.');
	return [name, value];
}

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request) {
		bytes += chunk.length;
		if (bytes > maxBytes) throw new Exception('BAD_ARGUMENTS', `The body is longer than ${maxBytes} bytes.`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
