import { invalid } from '../../lib/app-error.ts';
import { isNumber, numberRule } from '../../lib/decimal-numbers.ts';
import { dimensionNames, type FilterDimension, findFilterDimension, writeDimension } from './dimensions.ts';
import { type Filter, type Goal, isNumberTest, type NumberTest, numberTests, textTests } from './question.ts';
import { checkExpression, maxTotalSize } from './regular-expression.ts';

/**
 * Parses filters: `["and", ["is", "country", ["DE", "AT"]], ["not_contains", "page", "/blog"]]`. The input is untrusted, so its
 * depth, number of tests and lengths are limited. `writeFilter` returns the canonical form.
 */

type Test = Extract<Filter, { kind: 'test' }>;

const negations: ReadonlyMap<string, string> = new Map([
	['is', 'is_not'],
	['is_set', 'is_not_set'],
	...textTests.filter((test) => test !== 'is').map((test) => [test, `not_${test}`] as const),
]);

type Operator = { test: Test['test']; isNegated: boolean };

const operators: ReadonlyMap<unknown, Operator> = new Map<string, Operator>([
	...[...textTests, 'is_set' as const, ...numberTests].flatMap((test): [string, Operator][] => {
		const negation = negations.get(test);
		const plain: [string, Operator] = [test, { test, isNegated: false }];
		return negation ? [plain, [negation, { test, isNegated: true }]] : [plain];
	}),
	['any_of', { test: 'is', isNegated: false }],
]);
/** All words that a filter can begin with. */
export const filterOperators: readonly string[] = [...operators.keys()].map(String);
const words = [...filterOperators, 'and', 'or', 'not'].join(', ');

const maxDepth = 8;
const maxTests = 50;
const maxValues = 100;
const maxCharacters = 2_000;
/** Each is a search of its own in every text. Patterns have the limits of those of goals. */
const maxExpressions = 10;
const maxPatterns = 100;
const maxPatternCharacters = 500;
const maxWildcards = 5;
/** The maximum length of a property name when it is collected. */
const maxPropertyName = 100;

/** What was parsed so far of a filter, or of several that share their limits. */
export type FilterSize = { tests: number; expressions: number; expressionSize: number; patterns: number };
type Reading = { goals: readonly Goal[]; size: FilterSize };

export const emptyFilter = (): FilterSize => ({ tests: 0, expressions: 0, expressionSize: 0, patterns: 0 });

export function readFilter(json: unknown, goals: readonly Goal[], size = emptyFilter()): Filter {
	return readPart(json, 1, { goals, size });
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
	const known = operators.get(word);
	if (!known) throw fault(`A filter must begin with one of ${words}, not ${show(word)}.`);
	if (++reading.size.tests > maxTests) throw fault(`A filter must not have more than ${maxTests} tests.`);
	const part = readTest(known.test, String(word), rest, reading);
	return known.isNegated ? { kind: 'not', part } : part;
}

function readTest(test: Test['test'], word: string, rest: readonly unknown[], reading: Reading): Test {
	const [sentDimension, sentValues, options] = rest;
	if (test === 'is_set') {
		if (rest.length !== 1) throw fault(`["${word}", …] needs a dimension and nothing else.`);
		const dimension = readDimension(sentDimension);
		refuseTest(test, word, dimension);
		return { kind: 'test', dimension, test, values: [] };
	}
	if (rest.length < 2 || rest.length > 3)
		throw fault(
			`["${word}", …] needs a dimension and its values, such as ["is", "country", ["DE"]], and optionally {"case_sensitive": false}.`,
		);
	const dimension = readDimension(sentDimension);
	refuseTest(test, word, dimension);
	const ignoresCase = readsCaseInsensitively(options, word, dimension, isNumberTest(test));
	if (isNumberTest(test))
		return { kind: 'test', dimension, test, values: readNumbers(test, sentValues, dimension) };
	const values = readValues(sentValues, dimension, reading.goals);
	if (test === 'matches') refuseExpressions(values, reading);
	if (test === 'wildcard') refusePatterns(values, reading);
	return { kind: 'test', dimension, test, values, ...(ignoresCase && { ignoresCase }) };
}

/** Throws if a dimension cannot be tested that way. */
function refuseTest(test: Test['test'], word: string, { name }: FilterDimension): void {
	const isOfNumbers = isNumberTest(test);
	if (isOfNumbers && name !== 'property' && name !== 'revenue')
		throw fault(`${word} can test property:NAME and revenue, not ${name}.`);
	if (name === 'revenue' && !isOfNumbers && test !== 'is_set')
		throw fault(
			`The dimension revenue can be tested with ${numberTests.join(', ')}, is_set and is_not_set, not with ${word}.`,
		);
	if (name in exact && test !== 'is' && !(name === 'goal' && test === 'is_set'))
		throw fault(`The dimension ${name} can be tested with is, is_not and any_of, not with ${word}.`);
}

/** From the fourth element, `{"case_sensitive": false}`. */
function readsCaseInsensitively(
	sent: unknown,
	word: string,
	{ name }: FilterDimension,
	isOfNumbers: boolean,
): true | undefined {
	if (sent === undefined) return undefined;
	const entries = typeof sent === 'object' && sent !== null ? Object.entries(sent) : [];
	const [[option, isSensitive] = [], ...others] = entries;
	if (option !== 'case_sensitive' || typeof isSensitive !== 'boolean' || others.length > 0)
		throw fault(`After the values, ["${word}", …] takes {"case_sensitive": false} and nothing else.`);
	if (isSensitive) return undefined;
	if (isOfNumbers || name in exact)
		throw fault(`["${word}", "${name}", …] compares numbers, which have no case. Remove case_sensitive.`);
	return true;
}

function readDimension(sent: unknown): FilterDimension {
	const dimension = typeof sent === 'string' && isText(sent) ? findFilterDimension(sent) : undefined;
	if (!dimension || (dimension.name === 'property' && [...dimension.property].length > maxPropertyName))
		throw fault(
			`${show(sent)} is not a dimension. The dimensions are ${dimensionNames.join(', ')}, revenue, revenue:EUR and ` +
				`property:NAME, where a name has at most ${maxPropertyName} characters.`,
		);
	return dimension;
}

function readValues(sent: unknown, dimension: FilterDimension, goals: readonly Goal[]): string[] {
	const list: unknown[] = Array.isArray(sent) ? sent : [sent];
	if (list.length === 0 || list.length > maxValues)
		throw fault(`A test needs 1 to ${maxValues} values; one of ${writeShort(dimension)} has ${list.length}.`);
	return [...new Set(list.map((entry) => readValue(entry, dimension, goals)))];
}

/** One number; `between` has the lowest and the highest. */
function readNumbers(test: NumberTest, sent: unknown, dimension: FilterDimension): string[] {
	const list: unknown[] = Array.isArray(sent) ? sent : [sent];
	const count = test === 'between' ? 2 : 1;
	if (list.length !== count)
		throw fault(
			`${test} of ${writeShort(dimension)} needs ${count === 1 ? 'one number' : 'two numbers, such as [10, 20]'}.`,
		);
	const numbers = list.map((entry) => {
		const text = typeof entry === 'number' ? String(entry) : entry;
		if (typeof text !== 'string' || !isNumber(text))
			throw fault(`A value of ${test} must be ${numberRule}; ${show(entry)} is not.`);
		return text;
	});
	if (Number(numbers[0]) > Number(numbers[1]))
		throw fault(`between needs the lower number first, not ${numbers.join(' and ')}.`);
	return numbers;
}

function refuseExpressions(values: readonly string[], reading: Reading): void {
	reading.size.expressions += values.length;
	if (reading.size.expressions > maxExpressions)
		throw fault(`A filter must not have more than ${maxExpressions} regular expressions.`);
	for (const value of values) {
		const checked = checkExpression(value);
		if ('fault' in checked) throw fault(`The regular expression ${show(value)} ${checked.fault}.`);
		reading.size.expressionSize += checked.size;
	}
	if (reading.size.expressionSize > maxTotalSize)
		throw fault('The regular expressions of the filter are too large together. Use fewer or simpler ones.');
}

function refusePatterns(values: readonly string[], reading: Reading): void {
	reading.size.patterns += values.length;
	if (reading.size.patterns > maxPatterns)
		throw fault(`A filter must not have more than ${maxPatterns} values with wildcards.`);
	for (const value of values)
		if ([...value].length > maxPatternCharacters || value.split('*').length > maxWildcards + 1)
			throw fault(
				`A value with wildcards must not have more than ${maxPatternCharacters} characters and ${maxWildcards} wildcards (*).`,
			);
}

/** Dimensions whose values are numbers: `contains` would make no sense. */
const exact: Partial<Record<FilterDimension['name'], { least: number; most: number; what: string }>> = {
	goal: { least: 1, most: Number.MAX_SAFE_INTEGER, what: 'the id of a goal of this website' },
	hour: { least: 0, most: 23, what: 'an hour from 0 to 23' },
	weekday: { least: 1, most: 7, what: 'a day from 1 (Monday) to 7 (Sunday)' },
};

function readValue(sent: unknown, dimension: FilterDimension, goals: readonly Goal[]): string {
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

const writeShort = (dimension: FilterDimension): string => shorten(writeDimension(dimension));

/** The value for an error message, shortened. */
function show(sent: unknown): string {
	if (sent === undefined) return 'nothing';
	if (Array.isArray(sent)) return 'a list';
	if (typeof sent === 'object' && sent !== null) return 'an object';
	return typeof sent === 'string' ? JSON.stringify(shorten(sent)) : String(sent);
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);

export type FilterJson = [string, ...unknown[]];

/** The canonical form: `["is_not", "country", ["DE"]]`, with values always as a list of strings, and options only if they differ. */
export function writeFilter(filter: Filter): FilterJson {
	switch (filter.kind) {
		case 'test': {
			const { test, dimension, values, ignoresCase } = filter;
			if (test === 'is_set') return [test, writeDimension(dimension)];
			return [
				test,
				writeDimension(dimension),
				[...values],
				...(ignoresCase ? [{ case_sensitive: false }] : []),
			];
		}
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
