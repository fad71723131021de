import fc, { type Arbitrary } from 'fast-check';

/**
 * Values for a JSON Schema: some that fit it, some that almost do, some that nobody sends in good faith.
 * Knows the keywords that our own document uses; an unknown one makes anything.
 */
export type Schema = {
	$ref?: string;
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	anyOf?: Schema[];
	properties?: Record<string, Schema>;
	items?: Schema;
	minimum?: number;
	maximum?: number;
};

/** What a schema cannot say: texts of these names are only useful when they look like something. */
const likely: Record<string, Arbitrary<string>> = {
	domain: fc.oneof(
		fc.stringMatching(/^[a-z]{1,8}$/).map((label) => `${label}.example`),
		fc.constantFrom('müller.example', 'HTTPS://www.Shop.example./', '203.0.113.7', 'пример.рф'),
	),
	timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
	exclude_ips: fc.constantFrom('203.0.113.7', '10.0.0.0/8\n::1', '2001:db8::/32, 192.0.2.1'),
	exclude_params: fc.constantFrom('utm_source', 'a\r\nb,c', '&'),
	password: fc.string({ minLength: 1, maxLength: 140, unit: 'grapheme' }),
	name: fc.oneof(fc.string({ minLength: 1, maxLength: 100 }), fc.constantFrom('Thanks', 'Checkout')),
	kind: fc.constantFrom('page', 'event'),
	pattern: fc.constantFrom('/', '/thanks*', '*', '/a*b*c', '/100%_\\'),
	page: fc.constantFrom('/', '/cart*', '*'),
	date: fc.constantFrom('2026-11-15', '2024-02-29', '1970-01-01', '2026-02-30'),
	search: fc.constantFrom('a', 'example', 'www.', '%', 'ü', '0'),
	from: fc.constantFrom('2026-11-01', '2026-02-30', '2020-01-01'),
	to: fc.constantFrom('2026-11-07', '2026-10-25', '2029-12-31'),
	compare_from: fc.constantFrom('2026-10-01', '2026-02-30'),
	compare_to: fc.constantFrom('2026-10-31', '2020-01-01'),
	filters: fc.constantFrom(
		'["is","country",["DE"]]',
		'["and",["contains","page","/a"],["is_not","property:plan",["pro"]]]',
		'["not",["starts_with","title","x"]]',
		'["is","goal",[1]]',
		'["matches","page",["^/a.*"],{"case_sensitive":false}]',
		'["or",["between","property:price",[1,2.5]],["is_not_set","revenue:EUR"]]',
		'[',
	),
	dimension: fc.constantFrom('page', 'source', 'hour', 'goal', 'property:plan', 'none'),
};

/** The same for lists. */
const likelyLists: Record<string, Arbitrary<unknown[]>> = {
	filters: fc.constantFrom(
		['is', 'country', ['DE']],
		['not_contains', 'page', '/blog'],
		['and', ['is', 'os', ['Linux']], ['not', ['starts_with', 'property:plan', ['p']]]],
		['is', 'goal', [1]],
		['not_ends_with', 'page', '.pdf', { case_sensitive: false }],
		['and', ['wildcard', 'page', ['/a*']], ['greater_than', 'revenue', 9.5], ['is_set', 'goal']],
	),
};

const hostileTexts = fc.constantFrom(
	'',
	' ',
	'\0',
	'a\0b',
	'\ud800',
	'\udc00x',
	'\ufeff',
	'\u202e',
	"' OR 1=1 --",
	'"; DROP TABLE websites; --',
	'$1',
	'%s%n',
	'{{7*7}}',
	'<script>alert(1)</script>',
	'../../etc/passwd',
	'__proto__',
	'constructor',
	'null',
	'undefined',
	'NaN',
	'-1',
	'1e400',
	'9'.repeat(400),
	'x'.repeat(70_000),
	'\r\nX-Forged: 1',
	',,,,\n\n\n',
	'💩'.repeat(300),
);

const hostile: Arbitrary<unknown> = fc.oneof(
	hostileTexts,
	fc.jsonValue({ maxDepth: 4 }),
	fc.constantFrom(
		null,
		true,
		false,
		[],
		{},
		[[]],
		[null],
		{ length: 1 },
		{ __proto__: null },
		1e308,
		-0,
		0.5,
		2 ** 53,
	),
);

/** Close to the schema: the right value in another type, one beside the allowed ones, dressed in blanks. */
const almost = (fitting: Arbitrary<unknown>): Arbitrary<unknown> =>
	fitting.chain((value) => {
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		return fc.constantFrom<unknown>(
			text,
			` ${text} `,
			text.toUpperCase(),
			`${text}.0`,
			`+${text}`,
			`0${text}`,
			typeof value === 'number' ? value + 1 : `${text}x`,
			typeof value === 'number' ? -value : '',
			[value],
			[value, value],
			{ value },
			null,
		);
	});

function fitting(schema: Schema, name: string, resolve: (reference: string) => Schema): Arbitrary<unknown> {
	if (schema.$ref !== undefined) return fitting(resolve(schema.$ref), name, resolve);
	if (schema.const !== undefined) return fc.constant(schema.const);
	if (schema.enum) return fc.constantFrom(...schema.enum);
	if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => fitting(option, name, resolve)));
	switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
		case 'integer':
		case 'number':
			return fc.oneof(
				fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 1_000) }),
				fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 1),
			);
		case 'boolean':
			return fc.boolean();
		case 'null':
			return fc.constant(null);
		case 'array':
			return likelyLists[name] ?? fc.array(fitting(schema.items ?? {}, name, resolve), { maxLength: 5 });
		case 'object':
			return fields(schema, resolve);
		case 'string':
			return likely[name] ?? fc.string({ unit: 'grapheme' });
		default:
			return fc.jsonValue({ maxDepth: 2 });
	}
}

/** One value for a place: mostly one that fits. */
export const sent = (
	schema: Schema,
	name: string,
	resolve: (reference: string) => Schema,
): Arbitrary<unknown> => {
	const good = fitting(schema, name, resolve);
	return fc.oneof(
		{ weight: 14, arbitrary: good },
		{ weight: 2, arbitrary: almost(good) },
		{ weight: 1, arbitrary: hostile },
	);
};

/** An object with some of the properties of a schema, and now and then one that is not in it. */
export function fields(
	schema: Schema,
	resolve: (reference: string) => Schema,
): Arbitrary<Record<string, unknown>> {
	const whole = schema.$ref === undefined ? schema : resolve(schema.$ref);
	const named = Object.entries(whole.properties ?? {}).map(
		([name, property]) => [name, sent(property, name, resolve)] as const,
	);
	const known = fc.record(Object.fromEntries(named), { requiredKeys: [] });
	const strange = fc.dictionary(
		fc.constantFrom('__proto__', 'constructor', 'id', 'account_id', 'role', '', 'x[y]'),
		hostile,
		{
			maxKeys: 2,
		},
	);
	return fc.oneof(
		{ weight: 4, arbitrary: known },
		{ weight: 1, arbitrary: fc.tuple(known, strange).map(([a, b]) => ({ ...a, ...b })) },
	);
}

/** Fields as a form: lists by brackets, null as nothing. */
export function asForm(values: Record<string, unknown>): string {
	const pairs = Object.entries(values).flatMap(([name, value]): [string, string][] =>
		Array.isArray(value) ? value.map((item) => [`${name}[]`, asText(item)]) : [[name, asText(value)]],
	);
	return new URLSearchParams(pairs).toString();
}

const asText = (value: unknown): string =>
	value === null || value === undefined
		? ''
		: typeof value === 'object'
			? JSON.stringify(value)
			: String(value);
