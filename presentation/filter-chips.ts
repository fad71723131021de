import { oneOf } from './one-of.ts';

/** Filters as chips: their tests, and how a URL and the API write them. Pure. */
export const textTests = [
	'is',
	'is_not',
	'contains',
	'not_contains',
	'starts_with',
	'not_starts_with',
	'ends_with',
	'not_ends_with',
	'wildcard',
	'not_wildcard',
	'matches',
	'not_matches',
] as const;
/** Tests without a value. */
export const setTests = ['is_set', 'is_not_set'] as const;
export const numberTests = ['greater_than', 'at_least', 'less_than', 'at_most', 'between'] as const;
type TextTest = (typeof textTests)[number];
/** A test as the API names it. */
export type TestName = TextTest | (typeof setTests)[number] | (typeof numberTests)[number];
/** `contains:i` is `contains` without regard to case. */
export type Test = TestName | `${TextTest}:i`;
const tests: readonly Test[] = [
	...textTests,
	...textTests.map((name) => `${name}:i` as const),
	...setTests,
	...numberTests,
];

/** The name of a test in the API, and whether it ignores case. */
export function splitTest(test: Test): { name: TestName; ignoresCase: boolean } {
	const ignoresCase = test.endsWith(':i');
	// Without its ending, it is one of the names again.
	return { name: (ignoresCase ? test.slice(0, -2) : test) as TestName, ignoresCase };
}

/** How many values a test has. */
const countsOf = (test: Test): { least: number; most: number } =>
	oneOf(setTests, test)
		? { least: 0, most: 0 }
		: test === 'between'
			? { least: 2, most: 2 }
			: { least: 1, most: oneOf(numberTests, test) ? 1 : Number.POSITIVE_INFINITY };

/** One filter chip: visits whose dimension has (or does not have) one of the values. Chips are combined with `and`. */
export type Filter = { test: Test; dimension: string; values: readonly string[] };

/** `is,country,DE,AT`, `contains:i,page,blog` or `is_set,source`; a comma within a part is `%2C`, a percent sign `%25`, before the URL encodes it again. */
export function writeFilter({ test, dimension, values }: Filter): string {
	const part = (text: string) => text.replaceAll('%', '%25').replaceAll(',', '%2C');
	return [test, part(dimension), ...values.map(part)].join(',');
}

export function readFilter(text: string): Filter | undefined {
	const [word, dimension, ...values] = text
		.split(',')
		.map((part) => part.replaceAll('%2C', ',').replaceAll('%25', '%'));
	const test = oneOf(tests, word ?? null);
	if (!test || !dimension) return undefined;
	const { least, most } = countsOf(test);
	return values.length < least || values.length > most ? undefined : { test, dimension, values };
}

/** The filters in the API's format. */
export const filterOf = (filters: readonly Filter[]): unknown[] | undefined => {
	const parts = filters.map(({ test, dimension, values }) => {
		const { name, ignoresCase } = splitTest(test);
		return [
			name,
			dimension,
			...(values.length === 0 ? [] : [values]),
			...(ignoresCase ? [{ case_sensitive: false }] : []),
		];
	});
	return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : ['and', ...parts];
};

/** Adds a chip; values of the same dimension and test of texts are merged into one. */
export function addFilter(filters: readonly Filter[], { test, dimension, values }: Filter): Filter[] {
	const same = filters.find((filter) => filter.dimension === dimension && filter.test === test);
	if (!same || countsOf(test).most < Number.POSITIVE_INFINITY)
		return [...filters, { test, dimension, values }];
	const joined = { ...same, values: [...new Set([...same.values, ...values])] };
	return filters.map((filter) => (filter === same ? joined : filter));
}

export const hasValue = (filters: readonly Filter[], dimension: string, value: string): boolean =>
	filters.some(
		(filter) => filter.dimension === dimension && filter.test === 'is' && filter.values.includes(value),
	);

/** Removes a value from the `is` chip of a dimension, and the chip with its last value. */
export function removeValue(filters: readonly Filter[], dimension: string, value: string): Filter[] {
	return filters.flatMap((filter) => {
		if (filter.dimension !== dimension || filter.test !== 'is') return [filter];
		const values = filter.values.filter((other) => other !== value);
		return values.length === 0 ? [] : [{ ...filter, values }];
	});
}

/** The chips of a filter in the API's format. Undefined if chips cannot show it: they have no alternatives. */
export function chipsOf(json: unknown): Filter[] | undefined {
	if (!Array.isArray(json)) return undefined;
	const [word, ...rest]: unknown[] = json;
	if (word === 'and') {
		const parts = rest.map(chipsOf);
		return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
	}
	const name = typeof word === 'string' ? oneOf(tests, word) : undefined;
	const [dimension, values = [], options] = rest;
	if (!name || typeof dimension !== 'string') return undefined;
	const test = options === undefined ? name : oneOf(tests, `${name}:i`);
	return test && [{ test, dimension, values: [values].flat().map(String) }];
}
