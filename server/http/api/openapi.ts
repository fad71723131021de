/** Builds the OpenAPI 3.1 document from the routes and the schemas that validate. It is committed, so that changes show in reviews. */
import { z } from 'zod';
import { problem } from '../../../api/envelopes.ts';
import { type ErrorCode, errorCodes, statusTitles } from '../../../api/errors.ts';
import { isForbiddenToSomeKeys } from '../../accounts/key-limits.ts';
import { filterSchemas } from './filter-schemas.ts';
import type { ApiRoute } from './route.ts';
import { routes } from './routes.ts';

type Json = Record<string, unknown>;

export function describeApi(version: string): Json {
	const schemas: Record<string, Json> = {};
	const paths: Record<string, Json> = {};
	for (const route of routes) {
		const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
		for (const [index, method] of route.methods.entries()) {
			paths[path] = {
				...paths[path],
				[method.toLowerCase()]: describeRoute(route, index > 0 ? method : undefined, schemas),
			};
		}
	}
	return {
		openapi: '3.1.1',
		info: {
			title: 'Tidemark API',
			version,
			summary: 'Manage websites, send events and read statistics.',
			description:
				'Every request carries an API key: `Authorization: Bearer API_KEY`. Request bodies are forms or JSON. Responses are JSON.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/api/v1' }],
		security: [{ apiKey: [] }],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, { description, type }]) => [
					name,
					{ description, schema: { type } },
				]),
			),
			securitySchemes: {
				apiKey: {
					type: 'http',
					scheme: 'bearer',
					description: 'An API key, as `tidemark key create` prints and `POST /keys` returns it.',
				},
			},
			responses: describeErrors(schemas),
			schemas: { ...filterSchemas, ...schemas },
		},
	};
}

const tags = {
	websites: 'Websites and their settings.',
	bulk: 'Many websites in one request.',
	'website-templates': 'What new websites begin with.',
	statistics: 'Statistics, and the available metrics and dimensions.',
	goals: 'Pages and events that count as conversions.',
	funnels: 'Steps that visitors should complete in order.',
	segments: 'Saved filters.',
	notes: 'Annotations for a day.',
	'share-links':
		'Links to the statistics for people without an account, limited to a filter, panels and dates.',
	alerts: 'Notifications about a website.',
	'traffic-rules': 'Rules that exclude new traffic.',
	data: 'Server-side events, imports and exports.',
	account: 'The account that an API key belongs to.',
	keys: 'The API keys of the account.',
	people: 'Owners, members and invitations, and the activity log.',
	reports: 'Reports, their schedule, recipients and feeds.',
	boards: 'Pages of pinned views of several websites, and their share links.',
	webhooks: 'URLs that get the events of the account.',
	operator:
		'All accounts of the service, the sign-up policy and the log of operators. For operators and operator keys.',
} as const;

type Tag = keyof typeof tags;

const isTag = (name: string): name is Tag => name in tags;

const dataPaths = ['events', 'imports', 'export'];

/** `goals` for `/websites/:id/goals`; otherwise the first segment of the path. */
function tagOf({ tag, path }: ApiRoute): Tag {
	const [, first = '', , part = ''] = path.split('/');
	const tagName = tag ?? (dataPaths.includes(part) ? 'data' : isTag(part) ? part : first);
	if (!isTag(tagName)) throw new Error(`${path} has the unknown tag ${tagName}.`);
	return tagName;
}

type Header = { description: string; type: 'string' | 'integer' };

const headers = {
	'X-Request-Id': { description: 'Identifies the request.', type: 'string' },
	'X-RateLimit-Limit': { description: 'Requests allowed per minute.', type: 'integer' },
	'X-RateLimit-Remaining': { description: 'Requests left in this minute.', type: 'integer' },
	'RateLimit-Policy': { description: 'The limit, in the format of the IETF draft.', type: 'string' },
	RateLimit: { description: 'What is left of the limit, in the format of the IETF draft.', type: 'string' },
	'X-RateLimit-Reset': { description: 'When the limit is reset, in Unix seconds.', type: 'integer' },
	'Retry-After': { description: 'Seconds to wait before the next attempt.', type: 'integer' },
	'WWW-Authenticate': { description: '`Bearer`', type: 'string' },
	'Accept-Post': { description: 'The content types that are accepted.', type: 'string' },
	ETag: { description: 'The version of the record, for `If-None-Match` and `If-Match`.', type: 'string' },
	Location: { description: 'The URL of the new record.', type: 'string' },
	'Idempotency-Replayed': {
		description: '`true` if this is the stored response to an earlier request.',
		type: 'string',
	},
	'Content-Disposition': { description: 'A file name.', type: 'string' },
} as const satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

const everywhere: readonly HeaderName[] = [
	'X-Request-Id',
	'X-RateLimit-Limit',
	'X-RateLimit-Remaining',
	'RateLimit-Policy',
	'RateLimit',
];

const ofStatus: Readonly<Record<number, readonly HeaderName[]>> = {
	401: ['WWW-Authenticate'],
	415: ['Accept-Post'],
	429: ['Retry-After', 'X-RateLimit-Reset'],
	503: ['Retry-After'],
};

const describeHeaders = (...names: readonly HeaderName[]): Json => ({
	headers: Object.fromEntries(
		[...everywhere, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
	),
});

/** The headers of a successful response, in addition to those of every response. */
function headersOf(route: ApiRoute): HeaderName[] {
	const { status, hasTag, files } = route.response;
	return [
		...(hasTag || route.isTagged ? (['ETag'] as const) : []),
		...(status === 201 ? (['Location'] as const) : []),
		...(isCreate(route) ? (['Idempotency-Replayed'] as const) : []),
		...(files ? (['Content-Disposition'] as const) : []),
	];
}

/** Whether the route supports Idempotency-Key. */
const isCreate = ({ errors }: ApiRoute): boolean => errors.includes('idempotency_conflict');

function describeRoute(route: ApiRoute, alias: string | undefined, schemas: Record<string, Json>): Json {
	const body = route.body && describeBody(route.body);
	const { response } = route;
	const schema = describeSchema(response.schema, schemas);
	const types = response.files ?? [response.isStream ? 'text/event-stream' : 'application/json'];
	return {
		operationId: alias ? `${route.operationId}By${alias}` : route.operationId,
		tags: [tagOf(route)],
		summary: alias ? `${route.summary} (alias)` : route.summary,
		description: descriptionOf(route),
		parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
		...(body && {
			requestBody: {
				required: route.methods[0] === 'POST',
				content: {
					...(!route.isBodyJson && { 'application/x-www-form-urlencoded': { schema: body } }),
					'application/json': { schema: body },
				},
			},
		}),
		...(route.isUpload && {
			requestBody: {
				required: true,
				content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
			},
		}),
		responses: {
			[response.status]: {
				description: response.description,
				content: Object.fromEntries(types.map((type) => [type, { schema }])),
				...describeHeaders(...headersOf(route)),
				// Not as another content type: generated clients would type every response as text or JSON.
				...(response.csv !== undefined && { 'x-text-csv': response.csv }),
			},
			...(route.isTagged && {
				304: {
					description: 'The record has not changed since the ETag in If-None-Match.',
					...describeHeaders('ETag'),
				},
			}),
			...Object.fromEntries(
				errorStatuses(route).map((status) => [
					status,
					{ $ref: `#/components/responses/${responseName(status)}` },
				]),
			),
		},
	};
}

const responseName = (status: number): string => (statusTitles[status] ?? '').replaceAll(' ', '');

/** What every route can answer is not in its list: a missing key, one without the permission, and too many requests. */
function errorStatuses({ action, errors }: ApiRoute): number[] {
	const codes: ErrorCode[] = ['unauthenticated', ...errors, 'too_many_requests'];
	if (isForbiddenToSomeKeys(action)) codes.push('forbidden');
	return [...new Set(codes.map((code) => errorCodes[code]))].sort();
}

/** The error responses of all routes: the same body with different headers. */
function describeErrors(schemas: Record<string, Json>): Json {
	const statuses = [...new Set(routes.flatMap(errorStatuses))].sort();
	return Object.fromEntries(
		statuses.map((status) => [
			responseName(status),
			{
				description: statusTitles[status],
				content: { 'application/json': { schema: describeSchema(problem, schemas) } },
				...describeHeaders(...(ofStatus[status] ?? [])),
			},
		]),
	);
}

const descriptionOf = ({ description, response: { csv } }: ApiRoute): string =>
	csv === undefined
		? description
		: `${description}\n\nWith \`Accept: text/csv\` the response is a table: ${csv}`;

function pathParameters(route: ApiRoute): Json[] {
	return [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
		name,
		in: 'path',
		required: true,
		...pathParameter[name ?? ''],
	}));
}

const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const pathParameter: Record<string, Json> = {
	id: { description: 'Id of the website.', schema: id },
	key_id: { description: 'Id of the key.', schema: id },
	member_id: { description: 'Id of the membership.', schema: id },
	invitation_id: { description: 'Id of the invitation.', schema: id },
	recipient_id: { description: 'Id of the recipient.', schema: id },
	report_id: { description: 'Id of the report.', schema: id },
	board_id: { description: 'Id of the board.', schema: id },
	link_id: { description: 'Id of the share link.', schema: id },
	webhook_id: { description: 'Id of the webhook.', schema: id },
	delivery_id: { description: 'Id of the delivery.', schema: id },
	template_id: { description: 'Id of the template.', schema: id },
	account_id: { description: 'Id of the account.', schema: id },
	item_id: { description: 'Id of the record.', schema: id },
	dimension: {
		description:
			'See `GET /dimensions`. `property:NAME` is a custom property; its name may be percent-encoded.',
		schema: { type: 'string', examples: ['page', 'country', 'property:plan'] },
	},
};

function queryParameters(route: ApiRoute): Json[] {
	const schema = route.query && toJsonSchema(route.query);
	const properties = (schema?.properties ?? {}) as Record<string, Json>;
	return Object.entries(properties).map(([name, { description, ...rest }]) => ({
		name,
		in: 'query',
		description,
		// Lists are separated by commas.
		...(rest.type === 'array' && { style: 'form', explode: false }),
		schema: rest,
	}));
}

function headerParameters(route: ApiRoute): Json[] {
	const header = (name: string, description: string) => ({
		name,
		in: 'header',
		description,
		schema: { type: 'string' },
	});
	if (isCreate(route)) {
		return [
			header('Idempotency-Key', 'Retries with the same key and body get the first response, for 24 hours.'),
		];
	}
	if (route.isTagged)
		return [header('If-None-Match', 'Responds with 304 if the record still has this ETag.')];
	if (route.errors.includes('precondition_failed'))
		return [header('If-Match', 'Responds with 412 if the record no longer has this ETag.')];
	return [];
}

/**
 * The schema of a request body, without references: generators treat fields with a default as required in components, but not
 * in the request itself.
 */
function describeBody(schema: z.ZodType): Json {
	const { $defs, id: _, ...described } = toJsonSchema(schema);
	return inline(described, ($defs ?? {}) as Record<string, Json>) as Json;
}

function inline(part: unknown, definitions: Record<string, Json>): unknown {
	if (Array.isArray(part)) return part.map((item) => inline(item, definitions));
	if (typeof part !== 'object' || part === null) return part;
	const { $ref } = part as Json;
	const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : '';
	const { id: _, ...definition } = definitions[name] ?? (part as Json);
	return Object.fromEntries(
		Object.entries(definition).map(([key, value]) => [key, inline(value, definitions)]),
	);
}

/** A schema with an id becomes a component and is referenced wherever it is used. */
function describeSchema(schema: z.ZodType, schemas: Record<string, Json>): Json {
	const { $defs, ...described } = toJsonSchema(schema);
	for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
		schemas[name] ??= withoutId(definition);
	const id = schema.meta()?.id;
	if (typeof id === 'string') {
		schemas[id] ??= withoutId(described);
		return { $ref: `#/components/schemas/${id}` };
	}
	return pointToComponents(described);
}

const withoutId = ({ id: _, ...schema }: Json): Json => pointToComponents(schema);

function toJsonSchema(schema: z.ZodType): Json {
	// `output`: the parsed value. A flag also accepts the words true and false, but is 0 or 1.
	const { $schema: _, ...rest } = z.toJSONSchema(schema, {
		io: 'output',
		unrepresentable: 'any',
		override: ({ zodSchema, jsonSchema }) => {
			// Transforms return text or null; the description says what a body may send.
			if (zodSchema._zod.def.type === 'transform') jsonSchema.type = 'string';
			// Objects may get more fields later; the value type of a map is kept.
			if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
			if (jsonSchema.enum?.every(Number.isInteger)) jsonSchema.type = 'integer';
			replaceBySent(jsonSchema);
			// A field with a default is always present after parsing, but may be omitted in a request.
			const required = jsonSchema.required?.filter((name) => !hasDefault(jsonSchema.properties?.[name]));
			if (required?.length === 0) delete jsonSchema.required;
			else if (required) jsonSchema.required = required;
		},
	});
	return JSON.parse(JSON.stringify(rest));
}

/** Where the sent value differs from the parsed one, `sent` in the metadata of a schema describes it. */
function replaceBySent(jsonSchema: Json): void {
	const { sent, description, default: defaultValue, examples } = jsonSchema;
	if (typeof sent !== 'object') return;
	for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
	Object.assign(jsonSchema, {
		...sent,
		...(description !== undefined && { description }),
		...(defaultValue !== undefined && { default: defaultValue }),
		...(examples !== undefined && { examples }),
	});
}

const hasDefault = (schema: unknown): boolean =>
	typeof schema === 'object' && schema !== null && 'default' in schema;

function pointToComponents(schema: Json): Json {
	return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
