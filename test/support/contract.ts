import assert from 'node:assert/strict';
import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../../api/errors.ts';
import type { Answer } from './client.ts';

/**
 * The shapes of docs/contract, written a second time and by hand: the tests must not believe the schemas that
 * they test. Each is strict, so a member too many fails as a missing one does.
 */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const bit = z.union([z.literal(0), z.literal(1)]);

const websiteSchema = z.strictObject({
	id: z.int().positive(),
	domain: z.string(),
	privacy: z.union([z.literal(0), z.literal(1), z.literal(2)]),
	has_password: z.boolean(),
	email: bit,
	exclude_bots: bit,
	exclude_params: z.string().nullable(),
	exclude_ips: z.string().nullable(),
	favorite: bit,
	timezone: z.string(),
	created_at: time,
	updated_at: time,
});
export type Website = z.infer<typeof websiteSchema>;

const oneSchema = z.strictObject({ data: websiteSchema });

const listSchemaOf = <R extends z.ZodType>(record: R) =>
	z.strictObject({
		data: z.array(record),
		links: z.strictObject({
			first: z.url(),
			last: z.url(),
			prev: z.url().nullable(),
			next: z.url().nullable(),
		}),
		meta: z.strictObject({
			current_page: z.number(),
			from: z.number().nullable(),
			last_page: z.number(),
			path: z.url(),
			per_page: z.number(),
			to: z.number().nullable(),
			total: z.number(),
		}),
	});
const listSchema = listSchemaOf(websiteSchema);
export type List = z.infer<typeof listSchema>;

const item = { id: z.int().positive(), created_at: time, updated_at: time };
/** The records of the collections of a website, by the last word of their path. */
const itemSchemas = {
	goals: z.strictObject({
		...item,
		name: z.string(),
		kind: z.enum(['page', 'event']),
		pattern: z.string(),
		property: z.strictObject({ name: z.string(), value: z.string(), test: z.string().optional() }).nullable(),
	}),
	funnels: z.strictObject({
		...item,
		name: z.string(),
		steps: z.array(
			z.union([z.strictObject({ goal: z.int().positive() }), z.strictObject({ page: z.string() })]),
		),
	}),
	segments: z.strictObject({ ...item, name: z.string(), filters: z.array(z.unknown()) }),
	notes: z.strictObject({ ...item, date: z.string().regex(/^\d{4}-\d\d-\d\d$/), text: z.string() }),
	'traffic-rules': z.strictObject({
		...item,
		name: z.string(),
		kind: z.string(),
		test: z.string(),
		values: z.array(z.string()),
		enabled: z.boolean(),
	}),
};
export type ItemKind = keyof typeof itemSchemas;
export type ItemRecord<K extends ItemKind> = z.infer<(typeof itemSchemas)[K]>;

const accountSchema = z.strictObject({
	data: z.strictObject({
		id: z.int().positive(),
		name: z.string().nullable(),
		email: z.string(),
		locale: z.string(),
		timezone: z.string(),
		created_at: time,
		usage: z.strictObject({ websites: z.number(), pageviews_this_month: z.number() }),
		limits: z.strictObject({ websites: z.number().nullable(), pageviews_per_month: z.number().nullable() }),
	}),
});

const problemSchema = z.strictObject({
	type: z.literal('about:blank'),
	title: z.string(),
	status: z.number(),
	code: z.string(),
	detail: z.string().min(1),
	message: z.string(),
	errors: z.record(z.string(), z.array(z.string().min(1)).min(1)).optional(),
	website_id: z.int().positive().optional(),
	methods: z.array(z.enum(['app', 'passkey', 'recovery_code'])).optional(),
});
export type Problem = z.infer<typeof problemSchema>;

const titles: Record<number, string> = {
	400: 'Bad Request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not Found',
	405: 'Method Not Allowed',
	409: 'Conflict',
	410: 'Gone',
	412: 'Precondition Failed',
	413: 'Content Too Large',
	415: 'Unsupported Media Type',
	422: 'Unprocessable Content',
	429: 'Too Many Requests',
	431: 'Request Header Fields Too Large',
	503: 'Service Unavailable',
};

/** Beside an answer that is asked of runs or events. */
export const runsMeta = z.strictObject({
	from: z.iso.date(),
	to: z.iso.date(),
	timezone: z.string(),
	as_of: z.string(),
	answered_from: z.string(),
	rows_read: z.int(),
	ms: z.int(),
	available_from: z.iso.date().nullable(),
	imported: z.object({ from: z.iso.date(), to: z.iso.date(), source: z.string() }).nullable(),
});

/** A successful answer is JSON and has the status that was expected; its text is in the message if not. */
export function assertStatus(answer: Answer, status: number): void {
	assert.equal(answer.status, status, `status ${answer.status}, not ${status}: ${answer.text.slice(0, 400)}`);
	if (status !== 204 && status !== 304 && status < 400)
		assert.match(answer.headers['content-type'] ?? '', /^application\/json(; ?charset=utf-8)?$/i);
}

export function websiteOf(answer: Answer, status = 200): Website {
	assertStatus(answer, status);
	return oneSchema.parse(answer.json).data;
}

export function listOf(answer: Answer): List {
	assertStatus(answer, 200);
	return listSchema.parse(answer.json);
}

/** The schema of a kind; the compiler cannot follow the name through the table. */
const schemaOf = <K extends ItemKind>(kind: K) => itemSchemas[kind] as unknown as z.ZodType<ItemRecord<K>>;

export function itemOf<K extends ItemKind>(kind: K, answer: Answer, status = 200): ItemRecord<K> {
	assertStatus(answer, status);
	return z.strictObject({ data: schemaOf(kind) }).parse(answer.json).data;
}

export function itemsOf<K extends ItemKind>(kind: K, answer: Answer) {
	assertStatus(answer, 200);
	return listSchemaOf(schemaOf(kind)).parse(answer.json);
}

export function accountOf(answer: Answer): z.infer<typeof accountSchema>['data'] {
	assertStatus(answer, 200);
	return accountSchema.parse(answer.json).data;
}

/** The whole record: what is not named has its default. */
export function assertWebsite(actual: Website, expected: Partial<Website> & { domain: string }): void {
	const { id, created_at, updated_at } = actual;
	assert.deepEqual(actual, {
		id,
		privacy: 0,
		has_password: false,
		email: 0,
		exclude_bots: 1,
		exclude_params: null,
		exclude_ips: null,
		favorite: 0,
		timezone: 'UTC',
		created_at,
		updated_at,
		...expected,
	});
}

/** The whole error: status, body and type; `fields` are exactly the names in `errors`. */
export function assertProblem(
	answer: Pick<Answer, 'status' | 'text'> & { headers: Answer['headers'] },
	code: ErrorCode,
	fields?: readonly string[],
): Problem {
	const status = errorCodes[code];
	assert.equal(answer.status, status, `status ${answer.status}, not ${status}: ${answer.text.slice(0, 400)}`);
	assert.match(answer.headers['content-type'] ?? '', /^application\/(problem\+)?json(; ?charset=utf-8)?$/i);
	const problem = problemSchema.parse(JSON.parse(answer.text));
	assert.equal(problem.status, status);
	assert.equal(problem.code, code);
	assert.equal(problem.title, titles[status]);
	assert.equal(problem.message, problem.detail);
	if (status !== 422) assert.equal(problem.errors, undefined, 'errors are for 422 alone');
	assert.equal(problem.website_id !== undefined, code === 'domain_taken');
	assert.equal(problem.methods !== undefined, code === 'code_needed');
	if (fields) assert.deepEqual(Object.keys(problem.errors ?? {}).sort(), [...fields].sort());
	return problem;
}

/** Headers that differ from answer to answer without meaning anything to a reader. */
const volatile =
	/^(date|ratelimit(-.*)?|x-ratelimit-.*|retry-after|x-request-id|request-id|connection|keep-alive|content-length)$/;

/** What a caller can learn from an answer: to compare answers that must not be told apart. */
export function face(answer: Answer): { status: number; headers: Record<string, string>; text: string } {
	const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !volatile.test(name)));
	return { status: answer.status, headers, text: answer.text };
}

let domains = 0;
/** A domain that no other case of this file uses. */
export const freshDomain = (word = 'w') => `${word}${++domains}.example`;
