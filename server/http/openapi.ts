/** OpenAPI 3.1 from the list of routes and the very schemas that validate. Committed, so that a change is seen. */
import { z } from 'zod';
import { problem } from '../../api/envelopes.ts';
import { type ErrorCode, errorCodes, statusTitles } from '../../api/errors.ts';
import type { Route } from './call.ts';
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
			summary: 'Manage tracked websites and read the account.',
			description:
				'Every request carries an API key: `Authorization: Bearer API_KEY`. Bodies are forms or JSON; answers are JSON.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/api/v1' }],
		security: [{ apiKey: [] }],
		tags: [
			{ name: 'websites', description: 'Tracked websites and their settings.' },
			{ name: 'statistics', description: 'What was counted, and what can be counted.' },
			{ name: 'account', description: 'The account that a key belongs to, and its keys.' },
		],
		paths,
		components: {
			securitySchemes: {
				apiKey: {
					type: 'http',
					scheme: 'bearer',
					description: 'An API key, as `tidemark key create` prints it and `POST /keys` answers it.',
				},
			},
			schemas,
		},
	};
}

function describeRoute(route: Route, alias: string | undefined, schemas: Record<string, Json>): Json {
	const content = (schema: z.ZodType) => ({
		'application/json': { schema: describeSchema(schema, schemas) },
	});
	const body = route.body && describeSchema(route.body, schemas);
	const errors: readonly ErrorCode[] = ['unauthenticated', ...route.errors, 'too_many_requests'];
	const statuses = [...new Set(errors.map((code) => errorCodes[code]))].sort();
	return {
		operationId: alias ? `${route.operationId}By${alias}` : route.operationId,
		tags: [route.tag ?? route.path.split('/')[1]],
		summary: alias ? `${route.summary} (alias)` : route.summary,
		description: route.about,
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
			[route.answer.status]: {
				description: route.answer.about,
				content: {
					...(route.answer.files
						? Object.fromEntries(
								route.answer.files.map((type) => [
									type,
									{ schema: describeSchema(route.answer.schema, schemas) },
								]),
							)
						: route.answer.isStream
							? { 'text/event-stream': { schema: describeSchema(route.answer.schema, schemas) } }
							: content(route.answer.schema)),
					...(route.answer.csv !== undefined && {
						'text/csv': { schema: { type: 'string', description: route.answer.csv } },
					}),
				},
			},
			...(route.isTagged && {
				304: { description: 'It has not changed since the tag in If-None-Match.' },
			}),
			...Object.fromEntries(
				statuses.map((status) => [status, { description: statusTitles[status], content: content(problem) }]),
			),
		},
	};
}

function pathParameters(route: Route): Json[] {
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
	item_id: { description: 'Id of the record.', schema: id },
	dimension: {
		description:
			'See `GET /dimensions`. `property:NAME` is by a property of yours; its name may be percent-encoded.',
		schema: { type: 'string', examples: ['page', 'country', 'property:plan'] },
	},
};

function queryParameters(route: Route): Json[] {
	const schema = route.query && toJsonSchema(route.query);
	// JSON Schema of an object has its members here.
	const properties = (schema?.properties ?? {}) as Record<string, Json>;
	return Object.entries(properties).map(([name, { description, ...rest }]) => ({
		name,
		in: 'query',
		description,
		// A list of words has commas between them.
		...(rest.type === 'array' && { style: 'form', explode: false }),
		schema: rest,
	}));
}

function headerParameters(route: Route): Json[] {
	const header = (name: string, description: string) => ({
		name,
		in: 'header',
		description,
		schema: { type: 'string' },
	});
	if (route.operationId === 'createWebsite') {
		return [
			header(
				'Idempotency-Key',
				'Repeats of the request with the same key and body get the first answer, for 24 hours.',
			),
		];
	}
	if (route.isTagged) return [header('If-None-Match', 'Answers 304 while the record has this tag.')];
	if (route.errors.includes('precondition_failed'))
		return [header('If-Match', 'Refuses with 412 when the record no longer has this tag.')];
	return [];
}

/** A schema with an id becomes a component, once, and a reference wherever it is used. */
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
	// `output`: what a field is after it was read. A switch takes the words true and false too, but it is 0 or 1.
	const { $schema: _, ...rest } = z.toJSONSchema(schema, {
		io: 'output',
		unrepresentable: 'any',
		override: ({ zodSchema, jsonSchema }) => {
			// What a list of lines becomes is text or nothing; what a body may send for it is told in its description.
			if (zodSchema._zod.def.type === 'transform') jsonSchema.type = 'string';
			delete jsonSchema.additionalProperties;
			// What has a default is always there after it was read, and may be left out before.
			const required = jsonSchema.required?.filter((name) => !hasDefault(jsonSchema.properties?.[name]));
			if (required?.length === 0) delete jsonSchema.required;
			else if (required) jsonSchema.required = required;
		},
	});
	return JSON.parse(JSON.stringify(rest));
}

const hasDefault = (schema: unknown): boolean =>
	typeof schema === 'object' && schema !== null && 'default' in schema;

function pointToComponents(schema: Json): Json {
	return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
