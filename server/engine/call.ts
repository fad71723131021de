import type { IncomingMessage } from 'node:http';
import { Exception } from './exception.ts';

/** What a request of the client says, before anybody looks at its statement. */
export type Call = {
	queryId: string;
	sql: string;
	/** In ClickHouse's escaped text form. */
	parameters: ReadonlyMap<string, string>;
	settings: ReadonlyMap<string, string>;
	/** The statement came in the address, so the body holds the rows of an insert. */
	hasRows: boolean;
};

const maxTextBytes = 32 * 1024 * 1024;

/** Names in the address that are neither a setting nor a parameter. */
const reserved = new Set(['query', 'query_id', 'database']);

export async function readCall(
	request: IncomingMessage,
	{ database, newId }: { database: string; newId: () => string },
): Promise<Call> {
	if (request.headers['content-encoding'] !== undefined) {
		throw new Exception(
			'NOT_IMPLEMENTED',
			'The door takes no compressed bodies: over a local socket they only cost time.',
		);
	}
	const address = new URL(request.url ?? '/', 'http://engine');
	if (address.pathname !== '/')
		throw new Exception('BAD_ARGUMENTS', `There is nothing at ${address.pathname}.`);
	const entries = [...address.searchParams];
	for (const name of ['session_id', 'role', 'user', 'password', 'default_format']) {
		if (address.searchParams.has(name))
			throw new Exception('ACCESS_DENIED', `The door has no use for ${name}.`);
	}
	const asked = address.searchParams.get('database');
	if (asked !== null && asked !== database)
		throw new Exception('ACCESS_DENIED', `There is no database ${asked}.`);

	const inAddress = address.searchParams.get('query');
	const body = inAddress === null ? await readText(request) : new Map<string, string>();
	const parameters = [...entries, ...body].flatMap(([name, value]) =>
		name.startsWith('param_') ? [[name.slice(6), value] as const] : [],
	);
	return {
		queryId: address.searchParams.get('query_id') ?? newId(),
		sql: inAddress ?? body.get('query') ?? '',
		parameters: new Map(parameters),
		settings: new Map(entries.filter(([name]) => !reserved.has(name) && !name.startsWith('param_'))),
		hasRows: inAddress !== null,
	};
}

/** The statement alone, or, where the parameters are too long for an address, a form with it and them. */
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
		throw new Exception('BAD_ARGUMENTS', 'A part of the form cannot be read.');
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
