import { AppError } from '../lib/app-error.ts';

/**
 * A body as named values. A form and JSON come out alike: one value a field, a list of texts for the fields that
 * are lists. Names come from outside, so the result has no prototype.
 */
export type Fields = Record<string, unknown>;

export type RawBody = { bytes: Buffer; contentType: string | undefined; contentEncoding: string | undefined };

export function readFields(raw: RawBody, lists: ReadonlySet<string>): Fields {
	refuseCompressed(raw);
	const kind = readContentType(raw.contentType);
	const text = decode(raw.bytes);
	if (kind === 'json') return text.trim() === '' ? emptyFields() : readJson(text);
	return readForm(text, lists);
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
	const fields = emptyFields();
	for (const [name, value] of Object.entries(parsed)) fields[name] = value;
	return fields;
}

/**
 * The WHATWG reading of a form or a query. A repeated name: the last value wins, except for lists, which take them
 * all. `name[]` and `name[0]` make a list; so they are refused, by the field's own schema, where one value is wanted.
 */
export function readForm(text: string, lists: ReadonlySet<string>): Fields {
	const fields = emptyFields();
	for (const [key, value] of new URLSearchParams(text)) {
		const bracket = key.indexOf('[', 1);
		const name = bracket < 0 ? key : key.slice(0, bracket);
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
