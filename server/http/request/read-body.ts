import { AppError } from '../../lib/app-error.ts';

/**
 * The fields of a body, the same for forms and JSON: one value per field, and a list of strings for fields that are lists.
 * Only known names are read, so nothing else can be assigned, and a body with many other names costs nothing.
 */
export type Fields = Record<string, unknown>;

/** Which fields to read, and which of them are lists. */
export type KnownFields = { names: ReadonlySet<string>; lists: ReadonlySet<string> };

export function knownFields(schema: { shape: object }, lists: readonly string[] = []): KnownFields {
	return { names: new Set(Object.keys(schema.shape)), lists: new Set(lists) };
}

export type RawBody = { bytes: Buffer; contentType: string | undefined; contentEncoding: string | undefined };

export function readFields(raw: RawBody, fields: KnownFields): Fields {
	refuseCompressed(raw);
	const kind = readContentType(raw.contentType);
	const text = decode(raw.bytes);
	if (kind === 'form') return readForm(text, fields);
	const sent = text.trim() === '' ? {} : readJson(text);
	const read = emptyFields();
	for (const name of fields.names) if (Object.hasOwn(sent, name)) read[name] = sent[name];
	return read;
}

/** For bodies that a form cannot express, such as events with their properties. */
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

/** Sent as `Accept-Post` with a 415. */
export const acceptedTypes = 'application/x-www-form-urlencoded, application/json';

function readContentType(header: string | undefined): 'form' | 'json' {
	// Without a type it is a form, as `curl -d` with the header removed sends it.
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
	// The keys of a JSON object are strings.
	return parsed as Fields;
}

/**
 * Parses a form or a query by the WHATWG rules. For a repeated name the last value wins, except for lists, which take them
 * all. `name[]` and `name[0]` make a list, which the schemas of single values reject.
 */
export function readForm(text: string, { names, lists }: KnownFields): Fields {
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

/** List parameters: repeated values are joined, and each may contain several values separated by commas. */
const listParameters = ['metrics', 'filters', 'label', 'websites'];

/** The parameters of a schema that were sent. Empty values of a list are ignored. */
export function readQuery(query: string, schema: { shape: object }): Fields {
	const sent = readForm(query, knownFields(schema, listParameters));
	for (const name of listParameters) {
		const values = sent[name];
		if (!Array.isArray(values)) continue;
		const filled = values.filter((value) => value !== '');
		if (filled.length > 0) sent[name] = filled;
		else delete sent[name];
	}
	return sent;
}

/** `name[key]=…` is an object in some frameworks. No field is one, so every schema rejects it. */
const notAList = Object.freeze({});
