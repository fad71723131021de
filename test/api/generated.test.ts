import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import { type Answer, type Call, client } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { asForm, fields, type Schema, sent } from '../support/generate.ts';
import { sample } from '../support/sample.ts';
import { world } from '../support/world.ts';

/**
 * Requests made from the committed OpenAPI document, good, almost good and hostile. Whatever comes: no answer is a
 * 5xx, each has a status that the document names for its operation and the shape that it gives for that status, and
 * none shows anything of another account. GENERATED_REQUESTS says how many, FUZZ_SEED repeats a run.
 */
const parameterSchema = z.object({
	name: z.string(),
	in: z.enum(['query', 'header', 'path']),
	schema: z.custom<Schema>(),
});
const operationSchema = z.object({
	operationId: z.string(),
	parameters: z.array(parameterSchema).optional(),
	requestBody: z
		.object({ content: z.record(z.string(), z.object({ schema: z.custom<Schema>() })) })
		.optional(),
	responses: z.record(z.string(), z.unknown()),
});
const documentSchema = z.object({
	paths: z.record(z.string(), z.record(z.string(), z.unknown())),
	components: z.object({
		responses: z.record(z.string(), z.unknown()),
		schemas: z.record(z.string(), z.custom<Schema>()),
	}),
});
const committed: unknown = JSON.parse(
	readFileSync(join(import.meta.dirname, '../../api/openapi.json'), 'utf8'),
);
const document = documentSchema.parse(committed);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
	Object.entries(item)
		.filter(([method]) => ['get', 'put', 'post', 'delete', 'patch'].includes(method))
		.map(([method, operation]) => ({ method, path, ...operationSchema.parse(operation) })),
);
type Operation = (typeof operations)[number];
const resolve = (reference: string): Schema =>
	document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {};

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...document, $id: 'openapi' }, 'openapi');
const validators = new Map<string, ValidateFunction>();
function validatorOf(
	{ path, method, responses }: Operation,
	status: number,
	type = 'application/json',
): ValidateFunction {
	const response = z.object({ $ref: z.string().optional() }).parse(responses[status] ?? {});
	const place = response.$ref?.split('/').slice(1) ?? ['paths', path, method, 'responses', String(status)];
	const pointer = [...place, 'content', type, 'schema']
		.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
		.join('/');
	const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` });
	validators.set(pointer, validate);
	return validate;
}

const w = await world({ after });
const anna = await w.account({ timezone: 'UTC' });
const marker = 'foreignmarker';
const boris = await w.account({ timezone: 'UTC', name: `${marker} name`, email: `${marker}@example.test` });
const foreign: number[] = [];
for (let n = 0; n < 5; n++) {
	const form = {
		domain: `${marker}${n}.example`,
		exclude_params: `${marker}_param`,
		timezone: 'Pacific/Chatham',
	};
	foreign.push(websiteOf(await boris.api('POST', '/websites', { form }), 201).id);
}
const reader = client(w.base, (await w.key(anna, { access: 'read' })).key);
const scoped = client(w.base, (await w.key(anna, { scopes: ['events'] })).key);
const own: number[] = [];
type OwnItem = { website: number; collection: string; id: number };
const ownItems: OwnItem[] = [];
/** What the caller has made, by the parameter that names it. Keys that nobody uses: the one that asks must not revoke itself. */
const ownIds: Record<string, number[]> = { key_id: [], template_id: [], board_id: [], invitation_id: [] };
/** The parameter that names what an operation makes. */
const parameterOf: Record<string, string> = {
	'/keys': 'key_id',
	'/website-templates': 'template_id',
	'/boards': 'board_id',
	'/people/invitations': 'invitation_id',
	'/websites/{id}/people/invitations': 'invitation_id',
};
const idOf = (answer: Answer) => z.object({ data: z.object({ id: z.int() }) }).parse(answer.json).data.id;
const itemBodies: Record<string, unknown> = {
	goals: { name: 'A goal', kind: 'page', pattern: '/' },
	funnels: { name: 'A funnel', steps: [{ page: '/' }, { page: '/a' }] },
	segments: { name: 'A segment', filters: ['is', 'country', ['DE']] },
	notes: { date: '2026-11-15', text: 'A note' },
	'traffic-rules': { name: 'A rule', kind: 'path', values: ['/a'] },
	'share-links': { name: 'A share link' },
};

/** A website with an item in each of its collections, so that there is something to find. */
async function makeOwn(): Promise<void> {
	const { id } = websiteOf(
		await anna.api('POST', '/websites', { form: { domain: freshDomain('own') } }),
		201,
	);
	own.push(id);
	for (const [collection, json] of Object.entries(itemBodies)) {
		const answer = await anna.api('POST', `/websites/${id}/${collection}`, { json });
		ownItems.push({ website: id, collection, id: idOf(answer) });
	}
}

const dimensions = [
	'page',
	'country',
	'title',
	'goal',
	'hour',
	'property:plan',
	'property:%27%2F',
	'none',
	'property:%FF',
];

type Generated = {
	operation: Operation;
	query: string;
	call: Call;
	caller: 'full' | 'read' | 'scoped' | 'nobody';
	which: number;
	oddId: string;
};

const headerValues: Record<string, Arbitrary<string>> = {
	'If-Match': fc.constantFrom('*', '"x"', 'W/"x"', '', 'x'),
	'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"', '', 'x'),
	'Idempotency-Key': fc.constantFrom('a', 'b', 'a b', 'x'.repeat(300), ''),
};

function bodyOf(operation: Operation): Arbitrary<Call> {
	const contents = Object.entries(operation.requestBody?.content ?? {});
	if (contents.length === 0) return fc.constant({});
	const [, first] = contents[0] ?? [];
	const object = fields(first?.schema ?? {}, resolve);
	const json = object.map((value) => JSON.stringify(value));
	const typed =
		(type: string) =>
		(body: string | Uint8Array): Call => ({ body, headers: { 'content-type': type } });
	return fc.oneof(
		{ weight: 5, arbitrary: object.map((value) => ({ form: asForm(value) })) },
		{ weight: 5, arbitrary: json.map(typed('application/json')) },
		{
			weight: 1,
			arbitrary: json.map((text) => text.slice(0, text.length >> 1)).map(typed('application/json')),
		},
		{
			weight: 1,
			arbitrary: fc.uint8Array({ maxLength: 300 }).map(typed('application/x-www-form-urlencoded')),
		},
		{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map(typed('application/json')) },
		{ weight: 1, arbitrary: json.map(typed('text/plain')) },
		{ weight: 1, arbitrary: fc.constant({}) },
	);
}

function queryOf(operation: Operation): Arbitrary<string> {
	const parameters = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
	const named = parameters.map(({ name, schema }) => [name, sent(schema, name, resolve)] as const);
	return fc
		.record(Object.fromEntries(named), { requiredKeys: [] })
		.map((values) => asForm(values).slice(0, 8_000));
}

function headersOf(operation: Operation): Arbitrary<Record<string, string>> {
	const pairs = (operation.parameters ?? [])
		.filter((parameter) => parameter.in === 'header')
		.map(({ name }) => fc.tuple(fc.constant(name), headerValues[name] ?? fc.constant('x')));
	if (pairs.length === 0) return fc.constant({});
	const some = fc.array(fc.oneof(...pairs), { maxLength: 2 }).map((chosen) => Object.fromEntries(chosen));
	return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
}

/** Few operations create something, and most bodies are refused: without a share of their own, a run could create nothing. */
const creating = operations.filter(({ responses }) => '201' in responses);
const anOperation = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...operations) },
	{ weight: 1, arbitrary: fc.constantFrom(...creating) },
);

const generated: Arbitrary<Generated> = anOperation.chain((operation) =>
	fc
		.record({
			body: bodyOf(operation),
			query: queryOf(operation),
			headers: headersOf(operation),
			accept: fc.constantFrom('application/json', 'application/problem+json', 'text/html', '*/*'),
			caller: fc.oneof(
				{ weight: 12, arbitrary: fc.constant('full' as const) },
				{ weight: 1, arbitrary: fc.constant('read' as const) },
				{ weight: 1, arbitrary: fc.constant('scoped' as const) },
				{ weight: 1, arbitrary: fc.constant('nobody' as const) },
			),
			which: fc.nat(99),
			oddId: fc.constantFrom(
				'0',
				'-1',
				'01',
				'1e3',
				'null',
				'%31',
				'9'.repeat(30),
				'2147483648',
				'x'.repeat(500),
			),
		})
		.map(({ body, query, headers, accept, caller, which, oddId }) => ({
			operation,
			query,
			caller,
			which,
			oddId,
			call: { ...body, headers: { ...headers, accept, ...body.headers } },
		})),
);

const hasItems = (path: string) => operations.some((other) => other.path === `${path}/{item_id}`);

async function ask({ operation, query, call, caller, which, oddId }: Generated): Promise<Answer> {
	const collection = operation.path.split('/')[3] ?? '';
	const findItems = () =>
		ownItems.filter((item) => item.collection === collection && own.includes(item.website));
	const isOfItem = operation.path.includes('{item_id}');
	if (own.length === 0 || (isOfItem && findItems().length === 0)) await makeOwn();
	const items = isOfItem ? findItems() : [];
	// Mostly what is there, sometimes somebody else's, sometimes nothing.
	const item = which < 70 ? items[which % items.length] : undefined;
	const website =
		which < 85 ? (which < 70 ? own[which % own.length] : foreign[which % foreign.length]) : oddId;
	const id = item?.website ?? website;
	const path = operation.path
		.replace('{id}', String(id))
		.replace('{item_id}', String(item?.id ?? oddId))
		.replace('{dimension}', dimensions[which % dimensions.length] ?? '')
		.replaceAll(/\{(\w+_id)\}/g, (_, name: string) => {
			const ids = ownIds[name] ?? [];
			return String(which < 70 ? (ids[which % ids.length] ?? oddId) : oddId);
		});
	const api = { full: anna.api, read: reader, scoped, nobody: client(w.base) }[caller];
	const answer = await api(operation.method.toUpperCase(), query === '' ? path : `${path}?${query}`, call);
	const { operationId } = operation;
	if (operationId === 'createWebsite' && answer.status === 201) own.push(idOf(answer));
	else if (answer.status === 201 && parameterOf[operation.path])
		ownIds[parameterOf[operation.path] ?? '']?.push(idOf(answer));
	else if (answer.status === 201 && hasItems(operation.path))
		ownItems.push({ website: Number(id), collection, id: idOf(answer) });
	if (operationId === 'deleteWebsite' && answer.status === 200) own.splice(own.indexOf(Number(id)), 1);
	else if (operation.method === 'delete' && item && answer.status === 200)
		ownItems.splice(ownItems.indexOf(item), 1);
	return answer;
}

const runs = sample('GENERATED_REQUESTS', 600, 2_000);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

test(`[C-ERR-1][C-REC-1][C-AUTH-7][C-BODY-16] ${runs} generated requests are answered as the document says`, {
	timeout: 1_800_000,
}, async (t) => {
	t.diagnostic(`FUZZ_SEED=${seed} GENERATED_REQUESTS=${runs}`);
	const statuses = new Map<number, number>();
	await fc.assert(
		fc.asyncProperty(generated, async (request) => {
			const answer = await ask(request);
			statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
			assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
			assert.equal(
				(answer.text + JSON.stringify(answer.headers)).includes(marker),
				false,
				'shows the other account',
			);
			const { operation } = request;
			assert.ok(
				String(answer.status) in operation.responses,
				`${operation.operationId} does not name ${answer.status}`,
			);
			if (answer.status === 304) return;
			const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
			const isFile = operation.operationId.startsWith('export') && answer.status === 200;
			const validate = validatorOf(
				operation,
				answer.status,
				isFile || type === 'text/event-stream' ? type : undefined,
			);
			assert.ok(validate(isFile ? answer.text : answer.json), JSON.stringify(validate.errors));
		}),
		{ numRuns: runs, seed },
	);
	t.diagnostic(
		[...statuses]
			.sort()
			.map(([status, count]) => `${status}: ${count}`)
			.join(', '),
	);
	// A generator that only ever meets refusals would prove little.
	for (const status of [200, 201, 401, 403, 404, 422])
		assert.ok((statuses.get(status) ?? 0) > runs / 500, String(status));
	for (const id of foreign) assert.equal((await boris.api('GET', `/websites/${id}`)).status, 200);
});

test('[C-ERR-1] records with nothing but what is required are answered as the document says', async () => {
	const { id } = websiteOf(
		await anna.api('POST', '/websites', { form: { domain: freshDomain('least') } }),
		201,
	);
	for (const [collection, json] of Object.entries(itemBodies)) {
		const operation = operations.find(
			({ method, path }) => method === 'post' && path === `/websites/{id}/${collection}`,
		);
		assert.ok(operation, collection);
		const answer = await anna.api('POST', `/websites/${id}/${collection}`, { json });
		assert.equal(answer.status, 201, answer.text);
		const validate = validatorOf(operation, 201);
		assert.ok(validate(answer.json), `${collection}: ${JSON.stringify(validate.errors)}`);
	}
});

test('[C-ERR-1] the validators can say no', () => {
	const [list] = operations.filter(({ operationId }) => operationId === 'listWebsites');
	assert.ok(list);
	assert.equal(validatorOf(list, 200)({ data: [{ id: 'x' }], links: {}, meta: {} }), false);
	assert.equal(validatorOf(list, 422)({ code: 'nonsense' }), false);
});
