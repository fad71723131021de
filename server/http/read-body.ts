import { AppError } from '../lib/app-error.ts';

/**
 * A body as named values. A form and JSON come out alike: one value a field, a list of texts for the fields that
 * are lists. Only the names that are asked for are looked at: nothing else can be assigned, and a body of a hundred
 * thousand other names costs nothing.
 */
export type Fields = Record<string, unknown>;

/** Which fields to read, and which of them are lists. */
export type Wanted = { names: ReadonlySet<string>; lists: ReadonlySet<string> };

export function wanted(schema: { shape: object }, lists: readonly string[] = []): Wanted {
	return { names: new Set(Object.keys(schema.shape)), lists: new Set(lists) };
}

export type RawBody = { bytes: Buffer; contentType: string | undefined; contentEncoding: string | undefined };

export function readFields(raw: RawBody, fields: Wanted): Fields {
	refuseCompressed(raw);
	const kind = readContentType(raw.contentType);
	const text = decode(raw.bytes);
	if (kind === 'form') return readForm(text, fields);
	const sent = text.trim() === '' ? {} : readJson(text);
	const read = emptyFields();
	for (const name of fields.names) if (Object.hasOwn(sent, name)) read[name] = sent[name];
	return read;
}

/** A body that only JSON can say: events, with their properties. */
export function readJsonBody(raw: RawBody): Fields {
	refuseCompressed(raw);
	if (raw.contentType !== undefined && readContentType(raw.contentType) !== 'json') {
		throw new AppError('unsupported_media_type', 'This body must be application/json.');
	}
	return readJson(decode(raw.bytes));
}

function refuseCompressed({ contentEncoding }: RawBody) {
	if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') {
		throw new AppError('unsupported_media_type', 'Compressed bodies are not accepted.');
	}
}

const emptyFields = (): Fields => Object.create(null);

/** What a body may be in; sent as `Accept-Post` with a 415. */
export const acceptedTypes = 'application/x-www-form-urlencoded, application/json';

function readContentType(header: string | undefined): 'form' | 'json' {
	// A body without a type is what `curl -d` with the header removed sends: a form.
	if (header === undefined || header.trim() === '') return 'form';
	const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
	const charset = parameters
		.map((parameter) => /^charset\s*=\s*"?([^"\s]*)"?$/.exec(parameter)?.[1])
		.find((name) => name);
	if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
		throw new AppError('unsupported_media_type', `Bodies must be UTF-8, not ${charset.slice(0, 40)}.`);
	}
	if (type === 'application/x-www-form-urlencoded') return 'form';
	if (type === 'application/json') return 'json';
	throw new AppError('unsupported_media_type', `A body must be ${acceptedTypes.replace(', ', ' or ')}.`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
	try {
		return utf8.decode(bytes);
	} catch {
		throw new AppError('bad_request', 'The body is not valid UTF-8.');
	}
}

function readJson(text: string): Fields {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		throw new AppError('bad_request', 'The body is not valid JSON.');
	}
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new AppError('bad_request', 'The body must be a JSON object.');
	}
	// An object of JSON has texts for names.
	return parsed as Fields;
}

/**
 * The WHATWG reading of a form or a query. A repeated name: the last value wins, except for lists, which take them
 * all. `name[]` and `name[0]` make a list; so they are refused, by the field's own schema, where one value is wanted.
 */
export function readForm(text: string, { names, lists }: Wanted): Fields {
	const fields = emptyFields();
	for (const [key, value] of new URLSearchParams(text)) {
		const bracket = key.indexOf('[', 1);
		const name = bracket < 0 ? key : key.slice(0, bracket);
		if (!names.has(name)) continue;
		const isIndexed = bracket >= 0;
		const before = fields[name];
		if (isIndexed && !/^\[\d*\]$/.test(key.slice(bracket))) fields[name] = notAList;
		else if (before === notAList) continue;
		else if (Array.isArray(before)) before.push(value);
		else if (isIndexed || lists.has(name)) fields[name] = before === undefined ? [value] : [before, value];
		else fields[name] = value;
	}
	return fields;
}

/** `name[word]=…` is an object in some frameworks. None of our fields is one, so every schema refuses it. */
const notAList = Object.freeze({});
