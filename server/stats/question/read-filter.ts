import { invalid } from '../../lib/app-error.ts';
import { type Dimension, dimensionNames, findDimension, writeDimension } from './dimensions.ts';
import type { Filter, Goal } from './question.ts';

/**
 * Parses filters: `["and", ["is", "country", ["DE", "AT"]], ["not_contains", "page", "/blog"]]`. The input is untrusted, so its
 * depth, number of tests and lengths are limited. `writeFilter` returns the canonical form.
 */

type Test = Extract<Filter, { kind: 'test' }>['test'];

/** The operators of a test. */
const tests: ReadonlyMap<unknown, { test: Test; isNegated: boolean }> = new Map([
	['is', { test: 'is', isNegated: false }],
	['any_of', { test: 'is', isNegated: false }],
	['is_not', { test: 'is', isNegated: true }],
	['contains', { test: 'contains', isNegated: false }],
	['not_contains', { test: 'contains', isNegated: true }],
	['starts_with', { test: 'starts_with', isNegated: false }],
]);
const words = [...tests.keys(), 'and', 'or', 'not'].join(', ');

const maxDepth = 8;
const maxTests = 50;
const maxValues = 100;
const maxCharacters = 2_000;
/** The maximum length of a property name when it is collected. */
const maxPropertyName = 100;

/** State while a filter is parsed. */
type Reading = { goals: readonly Goal[]; tests: number };

export function readFilter(json: unknown, goals: readonly Goal[]): Filter {
	return readPart(json, 1, { goals, tests: 0 });
}

const fault = (sentence: string) => invalid({ filters: [sentence] });

function readPart(json: unknown, depth: number, reading: Reading): Filter {
	if (depth > maxDepth) throw fault(`A filter must not be nested more than ${maxDepth} deep.`);
	if (!Array.isArray(json))
		throw fault(`A filter must be a list such as ["is", "country", ["DE"]], not ${show(json)}.`);
	const [word, ...rest]: unknown[] = json;
	if (word === 'and' || word === 'or') {
		if (rest.length === 0) throw fault(`["${word}", …] needs at least one filter.`);
		return { kind: word, parts: rest.map((part) => readPart(part, depth + 1, reading)) };
	}
	if (word === 'not') {
		if (rest.length !== 1) throw fault(`["not", …] needs exactly one filter, not ${rest.length}.`);
		return { kind: 'not', part: readPart(rest[0], depth + 1, reading) };
	}
	const known = tests.get(word);
	if (!known) throw fault(`A filter must begin with one of ${words}, not ${show(word)}.`);
	if (++reading.tests > maxTests) throw fault(`A filter must not have more than ${maxTests} tests.`);
	if (rest.length !== 2)
		throw fault(`["${word}", …] needs a dimension and its values, such as ["is", "country", ["DE"]].`);
	const dimension = readDimension(rest[0]);
	const values = readValues(rest[1], dimension, reading.goals);
	if (known.test !== 'is' && dimension.name in exact)
		throw fault(
			`The dimension ${dimension.name} can be tested with is, is_not and any_of, not with ${word}.`,
		);
	const part: Filter = { kind: 'test', dimension, test: known.test, values };
	return known.isNegated ? { kind: 'not', part } : part;
}

function readDimension(sent: unknown): Dimension {
	const dimension = typeof sent === 'string' && isText(sent) ? findDimension(sent) : undefined;
	if (!dimension || (dimension.name === 'property' && [...dimension.property].length > maxPropertyName))
		throw fault(
			`${show(sent)} is not a dimension. The dimensions are ${dimensionNames.join(', ')} and property:NAME, ` +
				`where a name has at most ${maxPropertyName} characters.`,
		);
	return dimension;
}

function readValues(sent: unknown, dimension: Dimension, goals: readonly Goal[]): string[] {
	const list: unknown[] = Array.isArray(sent) ? sent : [sent];
	if (list.length === 0 || list.length > maxValues)
		throw fault(`A test needs 1 to ${maxValues} values; one of ${writeShort(dimension)} has ${list.length}.`);
	return [...new Set(list.map((entry) => readValue(entry, dimension, goals)))];
}

/** Dimensions whose values are numbers: `contains` would make no sense. */
const exact: Partial<Record<Dimension['name'], { least: number; most: number; what: string }>> = {
	goal: { least: 1, most: Number.MAX_SAFE_INTEGER, what: 'the id of a goal of this website' },
	hour: { least: 0, most: 23, what: 'an hour from 0 to 23' },
	weekday: { least: 1, most: 7, what: 'a day from 1 (Monday) to 7 (Sunday)' },
};

function readValue(sent: unknown, dimension: Dimension, goals: readonly Goal[]): string {
	const range = exact[dimension.name];
	if (range) {
		const text = typeof sent === 'number' ? String(sent) : sent;
		const isNumber = typeof text === 'string' && /^(0|[1-9]\d{0,15})$/.test(text);
		const isThere = dimension.name !== 'goal' || goals.some(({ id }) => id === Number(text));
		if (!isNumber || Number(text) < range.least || Number(text) > range.most || !isThere)
			throw fault(`A value of ${dimension.name} must be ${range.what}; ${show(sent)} is not.`);
		return text;
	}
	if (typeof sent !== 'string')
		throw fault(`A value of ${writeShort(dimension)} must be a text, not ${show(sent)}.`);
	if (!isText(sent))
		throw fault(`A value of ${writeShort(dimension)} contains characters that cannot be stored.`);
	// A character has at most two UTF-16 units: much longer values are rejected without counting.
	if (sent.length > 2 * maxCharacters || [...sent].length > maxCharacters)
		throw fault(`A value of ${writeShort(dimension)} must not have more than ${maxCharacters} characters.`);
	return sent;
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const writeShort = (dimension: Dimension): string => shorten(writeDimension(dimension));

/** The value for an error message, shortened. */
function show(sent: unknown): string {
	if (sent === undefined) return 'nothing';
	if (Array.isArray(sent)) return 'a list';
	if (typeof sent === 'object' && sent !== null) return 'an object';
	return typeof sent === 'string' ? JSON.stringify(shorten(sent)) : String(sent);
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);

const negations: ReadonlyMap<string, string> = new Map([
	['is', 'is_not'],
	['contains', 'not_contains'],
]);

export type FilterJson = [string, ...unknown[]];

/** The canonical form of a filter: `["is_not", "country", ["DE"]]`, with values always as a list of strings. */
export function writeFilter(filter: Filter): FilterJson {
	switch (filter.kind) {
		case 'test':
			return [filter.test, writeDimension(filter.dimension), [...filter.values]];
		case 'and':
		case 'or':
			return [filter.kind, ...filter.parts.map(writeFilter)];
		case 'not': {
			const [word, ...rest] = writeFilter(filter.part);
			const negation = negations.get(word);
			return negation ? [negation, ...rest] : ['not', [word, ...rest]];
		}
	}
}
