import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { assertProblem, assertStatus, freshDomain, runsMeta, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const w = await world({ after }, { now: () => new Date('2026-11-15T12:00:00.000Z') });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id;

const rule = { pattern: z.string(), target: z.string() };
const record = z.strictObject({
	data: z.strictObject({
		rules: z.array(z.strictObject(rule)),
		can_undo: z.boolean(),
		updated_at: z.iso.datetime().nullable(),
	}),
});
const matched = {
	paths: z.int(),
	pageviews: z.int(),
	examples: z.array(z.strictObject({ path: z.string(), group: z.string(), pageviews: z.int() })),
};
const preview = z.strictObject({
	data: z.strictObject({
		rules: z.array(z.strictObject({ ...rule, ...matched })),
		unmatched: z.strictObject(matched),
		paths: z.int(),
		compared: z.int(),
	}),
	meta: runsMeta,
});
const proposals = z.strictObject({ data: z.array(z.strictObject({ ...rule, ...matched })), meta: runsMeta });

const product = { pattern: '/product/*', target: '/product/:id' };
const docs = { pattern: '/docs/**', target: 'Documentation' };
const pathOf = (id: number) => `/websites/${id}/path-groups`;
const put = (id: number, rules: unknown, headers: Record<string, string> = {}) =>
	owner.api('PUT', pathOf(id), { json: { rules }, headers });
async function rulesOf(answer: Awaited<ReturnType<typeof put>>) {
	assertStatus(answer, 200);
	return record.parse(answer.json).data;
}

/** A website with a page view of each path; with a route where one follows the path. */
async function stored(...paths: string[]): Promise<number> {
	const id = await create();
	const events = paths.map((text) => {
		const [path = '', route = ''] = text.split(' ');
		return { date: '2026-11-14', path, route };
	});
	await storeEvents(w, id, events);
	return id;
}

async function groupsOf(id: number, query = ''): Promise<[string, number][]> {
	const answer = await owner.api(
		'GET',
		`/websites/${id}/stats/page_group?period=30d&metrics=pageviews&per_page=100${query}`,
	);
	assertStatus(answer, 200);
	const { data } = z
		.object({ data: z.array(z.object({ value: z.string(), pageviews: z.int() })) })
		.parse(answer.json);
	return data.map(({ value, pageviews }) => [value, pageviews]);
}

const shop = ['/', '/product/1', '/product/2', '/product/3', '/docs/a/b', '/docs/', '/x/9 /x/[id]'];

test('[C-GRP-1] a website has no rules at first, and page groups are paths and routes', async () => {
	const id = await stored(...shop, '/product/1');
	const answer = await owner.api('GET', pathOf(id));
	assert.deepEqual(await rulesOf(answer), { rules: [], can_undo: false, updated_at: null });
	assert.match(answer.headers.etag ?? '', /^"/);
	assert.equal(
		(await owner.api('GET', pathOf(id), { headers: { 'if-none-match': answer.headers.etag ?? '' } })).status,
		304,
	);
	assert.deepEqual(await groupsOf(id), [
		['/product/1', 2],
		['/', 1],
		['/docs/', 1],
		['/docs/a/b', 1],
		['/product/2', 1],
		['/product/3', 1],
		['/x/[id]', 1],
	]);
});

test('[C-GRP-2] rules apply to the past at once, the first that fits decides, and a route wins', async () => {
	const id = await stored(...shop, '/product/4 /p/[id]');
	await rulesOf(await put(id, [docs, product, { pattern: '/**', target: 'Others' }]));
	const expected = [
		['/product/:id', 3],
		['Documentation', 2],
		['/p/[id]', 1],
		['/x/[id]', 1],
		['Others', 1],
	];
	assert.deepEqual(await groupsOf(id), expected);
	await rulesOf(await put(id, [{ pattern: '/**', target: 'All' }, product]));
	assert.deepEqual((await groupsOf(id)).slice(0, 1), [['All', 6]]);
	// In filters and with a second dimension too.
	const filtered = await groupsOf(id, `&filters=${encodeURIComponent('["is","page_group",["All"]]')}`);
	assert.deepEqual(filtered, [['All', 6]]);
	const [first] = await groupsOf(id, '&by=page&sort_by=pageviews');
	assert.deepEqual(first, ['/p/[id]', 1]);
});

test('[C-GRP-2] wildcards that a target names are kept', async () => {
	const id = await stored('/en/p/1', '/en/p/2', '/de/p/1', '/q-7.html');
	await rulesOf(
		await put(id, [
			{ pattern: '/*/p/*', target: '/$1/p/:id' },
			{ pattern: '/q-*.html', target: '(1) $1$0 :n' },
		]),
	);
	assert.deepEqual(await groupsOf(id), [
		['/en/p/:id', 2],
		['(1) 7$0 :n', 1],
		['/de/p/:id', 1],
	]);
});

test('[C-GRP-3] undo restores the rules and every number, and undoing twice the change', async () => {
	const id = await stored(...shop);
	assertProblem(await owner.api('POST', `${pathOf(id)}/undo`), 'validation_failed', ['rules']);
	const before = await groupsOf(id);
	await rulesOf(await put(id, [product]));
	const changed = await groupsOf(id);
	assert.notDeepEqual(changed, before);
	const undo = async () => (await rulesOf(await owner.api('POST', `${pathOf(id)}/undo`))).rules;
	assert.deepEqual(await undo(), []);
	assert.deepEqual(await groupsOf(id), before);
	assert.deepEqual(await undo(), [product]);
	assert.deepEqual(await groupsOf(id), changed);
});

test('[C-GRP-3] the same rules again are no change', async () => {
	const id = await create();
	const first = await put(id, [product]);
	await rulesOf(await put(id, [docs]));
	const second = await put(id, [{ ...docs, pattern: ' /docs/** ', id: 7 }]);
	assert.deepEqual((await rulesOf(second)).rules, [docs]);
	assert.deepEqual((await rulesOf(await owner.api('POST', `${pathOf(id)}/undo`))).rules, [product]);
	assert.deepEqual((await rulesOf(first)).rules, [product]);
});

test('[C-GRP-4] If-Match that does not match is 412 and changes nothing', async () => {
	const id = await create();
	const { headers } = await put(id, [product]);
	await rulesOf(await put(id, [docs], { 'if-match': headers.etag ?? '' }));
	assertProblem(await put(id, [], { 'if-match': headers.etag ?? '' }), 'precondition_failed');
	const undo = { headers: { 'if-match': headers.etag ?? '' } };
	assertProblem(await owner.api('POST', `${pathOf(id)}/undo`, undo), 'precondition_failed');
	assert.deepEqual((await rulesOf(await owner.api('GET', pathOf(id)))).rules, [docs]);
});

const bad: readonly [name: string, rules: unknown, says: RegExp][] = [
	['no list', { pattern: '/' }, /must be a list/],
	['101 rules', Array(101).fill(product), /more than 100 rules/],
	['no rule', [product, 'x'], /Rule 2 must be an object/],
	['no slash', [{ ...product, pattern: 'product/*' }], /Rule 1: the pattern/],
	['two * in a segment', [{ ...product, pattern: '/a*b*' }], /one \*/],
	['** before the end', [{ ...product, pattern: '/**/a' }], /last segment/],
	['** within a segment', [{ ...product, pattern: '/a**' }], /last segment/],
	['a long pattern', [{ ...product, pattern: `/${'x'.repeat(300)}` }], /300 characters/],
	['a control character', [{ ...product, pattern: '/\u0001' }], /Rule 1/],
	['an empty target', [{ ...product, target: ' ' }], /Rule 1: the target/],
	['a backslash', [{ ...product, target: '/\\1' }], /no backslash/],
	['a long target', [{ ...product, target: 'x'.repeat(301) }], /300 characters/],
	['a wildcard that is not there', [{ ...product, target: '/$2' }], /does not have/],
];
for (const [name, rules, says] of bad)
	test(`[C-GRP-5] ${name} is 422 on rules`, async () => {
		const id = await create();
		const problem = assertProblem(await put(id, rules), 'validation_failed', ['rules']);
		assert.match(problem.errors?.rules?.join() ?? '', says);
		assertProblem(
			await owner.api('POST', `${pathOf(id)}/preview`, { json: { rules } }),
			'validation_failed',
			['rules'],
		);
		assert.deepEqual((await rulesOf(await owner.api('GET', pathOf(id)))).rules, []);
	});

test('[C-GRP-6] a preview counts what each rule groups and what none does, and changes nothing', async () => {
	const id = await stored(...shop, '/product/1');
	const sent = [product, { pattern: '/product/**', target: 'Never' }, docs];
	const answer = await owner.api('POST', `${pathOf(id)}/preview`, { json: { rules: sent } });
	assertStatus(answer, 200);
	const { data } = preview.parse(answer.json);
	const [first, second, third] = data.rules;
	assert.deepEqual(
		data.rules.map(({ paths, pageviews }) => [paths, pageviews]),
		[
			[3, 4],
			[0, 0],
			[2, 2],
		],
	);
	assert.deepEqual(first?.examples[0], { path: '/product/1', group: '/product/:id', pageviews: 2 });
	assert.deepEqual(second?.examples, []);
	assert.equal(third?.examples.length, 2);
	assert.deepEqual(data.unmatched, {
		paths: 1,
		pageviews: 1,
		examples: [{ path: '/', group: '/', pageviews: 1 }],
	});
	// The path with a route is not compared.
	assert.deepEqual([data.paths, data.compared], [6, 6]);
	assert.deepEqual((await rulesOf(await owner.api('GET', pathOf(id)))).rules, []);
	// Saved, they have the counts of the preview.
	await rulesOf(await put(id, sent));
	assert.deepEqual((await groupsOf(id))[0], ['/product/:id', 4]);
});

test('[C-GRP-7] proposals are rules with their counts, for paths that no rule groups', async () => {
	const id = await stored(...shop);
	const ask = async () => {
		const answer = await owner.api('GET', `${pathOf(id)}/proposals`);
		assertStatus(answer, 200);
		return proposals
			.parse(answer.json)
			.data.map(({ examples, ...rest }) => ({ ...rest, all: examples.length }));
	};
	assert.deepEqual(await ask(), [{ ...product, paths: 3, pageviews: 3, all: 3 }]);
	await rulesOf(await put(id, [product]));
	assert.deepEqual(await ask(), []);
});

test('[C-GRP-8] days whose visits were deleted have no groups, and the answer says from when on', async () => {
	const id = await stored('/product/1');
	await storeEvents(
		w,
		id,
		[1, 2].map((n) => ({ date: '2026-11-05', event_id: String(n), path: '/product/2' })),
	);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [id, '2026-11-10']);
	const json = { period: '30d', breakdowns: [{ dimension: 'page_group' }] };
	const answer = await owner.api('POST', `/websites/${id}/stats/query`, { json });
	assertStatus(answer, 200);
	const { data, meta } = z
		.object({
			data: z.object({ breakdowns: z.array(z.object({ rows: z.array(z.unknown()).nullable() })) }),
			meta: z.object({ available_from: z.string().nullable() }),
		})
		.parse(answer.json);
	assert.deepEqual([data.breakdowns[0]?.rows, meta.available_from], [null, '2026-11-10']);
});

test('[C-GRP-9] a reset keeps the rules, and they are deleted with the website', async () => {
	const id = await create();
	await rulesOf(await put(id, [product]));
	assertStatus(await owner.api('POST', `/websites/${id}/reset`), 200);
	assert.deepEqual((await rulesOf(await owner.api('GET', pathOf(id)))).rules, [product]);
	assertStatus(await owner.api('DELETE', `/websites/${id}`), 200);
	assertProblem(await owner.api('GET', pathOf(id)), 'not_found');
});
