import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { templateRecord } from '../../api/website-templates.ts';
import type { Answer } from '../support/client.ts';
import { client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, itemsOf, listOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const { api } = owner;

const shown = z.strictObject({ data: templateRecord });
function templateOf(answer: Answer, status = 200) {
	assertStatus(answer, status);
	return shown.parse(answer.json).data;
}
let names = 0;
const freshName = () => `Template ${++names}`;
const create = async (body: object = {}) =>
	templateOf(await api('POST', '/website-templates', { json: { name: freshName(), ...body } }), 201);

const content = {
	website: { privacy: 1, exclude_params: 'ref\nfbclid', exclude_ips: '203.0.113.7', timezone: 'Europe/Rome' },
	settings: { labels: ['customer'], retention_months: 24, honour_signals: 1 },
	goals: [
		{ name: 'Contact', kind: 'page', pattern: '/contact*' },
		{ name: 'Sale', kind: 'event', pattern: 'sale', property: { name: 'plan', value: 'pro' } },
	],
	funnels: [{ name: 'Checkout', steps: [{ page: '/cart' }, { goal: 'Sale' }] }],
	segments: [
		{ name: 'Buyers', filters: ['and', ['is', 'goal', 'Sale'], ['is', 'source', ['a', 'goal', 'b']]] },
	],
	path_groups: [{ pattern: '/blog/*', target: '/blog/:post' }],
	traffic_rules: [{ name: 'Office', kind: 'network', values: ['198.51.100.0/24'] }],
};

/** Everything of a website that a template can have, without ids. */
async function stateOf(id: number) {
	const { email, privacy, exclude_ips, exclude_params, timezone } = websiteOf(
		await api('GET', `/websites/${id}`),
	);
	const settings = z
		.object({ data: z.object({ labels: z.array(z.string()), retention_months: z.int().nullable() }) })
		.parse((await api('GET', `/websites/${id}/settings`)).json).data;
	const goals = itemsOf('goals', await api('GET', `/websites/${id}/goals?per_page=100`)).data;
	const nameOf = (goal: unknown) => goals.find((own) => own.id === Number(goal))?.name;
	const funnels = itemsOf('funnels', await api('GET', `/websites/${id}/funnels`)).data;
	const segments = itemsOf('segments', await api('GET', `/websites/${id}/segments`)).data;
	const named = z.object({ data: z.array(z.object({ name: z.string() })) });
	const rules = z.object({ data: z.object({ rules: z.unknown() }) });
	return {
		website: { email, privacy, exclude_ips, exclude_params, timezone },
		settings,
		goals: goals.map(({ name, kind, pattern, property }) => ({ name, kind, pattern, property })),
		funnels: funnels.map(({ name, steps }) => ({
			name,
			steps: steps.map((step) => ('goal' in step ? nameOf(step.goal) : step)),
		})),
		segments: segments.map(({ name, filters }) => ({
			name,
			filters: JSON.stringify(filters).replace(
				/\["is","goal",\["(\d+)"\]\]/,
				(_, goal) => `goal ${nameOf(goal)}`,
			),
		})),
		rules: rules.parse((await api('GET', `/websites/${id}/path-groups`)).json).data.rules,
		traffic: named
			.parse((await api('GET', `/websites/${id}/traffic-rules`)).json)
			.data.map(({ name }) => name),
	};
}

const expected = {
	website: {
		email: 0,
		privacy: 1,
		exclude_ips: '203.0.113.7',
		exclude_params: 'ref\nfbclid',
		timezone: 'Europe/Rome',
	},
	settings: { labels: ['customer'], retention_months: 24 },
	goals: [
		{ name: 'Sale', kind: 'event', pattern: 'sale', property: { name: 'plan', value: 'pro' } },
		{ name: 'Contact', kind: 'page', pattern: '/contact*', property: null },
	],
	funnels: [{ name: 'Checkout', steps: [{ page: '/cart' }, 'Sale'] }],
	segments: [{ name: 'Buyers', filters: '["and",goal Sale,["is","source",["a","goal","b"]]]' }],
	rules: [{ pattern: '/blog/*', target: '/blog/:post' }],
	traffic: ['Office'],
};

test('[C-TPL-1] a template is created, listed, read, changed part by part and deleted', async () => {
	const template = await create(content);
	assert.deepEqual(template.goals[0], {
		name: 'Contact',
		kind: 'page',
		pattern: '/contact*',
		property: null,
	});
	assert.deepEqual(template.segments[0]?.filters[1], ['is', 'goal', ['Sale']]);
	const path = `/website-templates/${template.id}`;
	assert.deepEqual(templateOf(await api('GET', path)), template);
	const { data } = z
		.object({ data: z.array(templateRecord) })
		.parse((await api('GET', '/website-templates')).json);
	assert.deepEqual(data[0], template);
	const changed = templateOf(await api('PUT', path, { json: { settings: { labels: 'shop' } } }));
	assert.deepEqual(changed.settings, { labels: ['shop'] });
	assert.deepEqual(changed.goals, template.goals);
	assert.deepEqual(templateOf(await api('PATCH', path, { json: {} })), changed);
	// What was read can be sent back.
	assert.deepEqual(templateOf(await api('PUT', path, { json: changed })), changed);
	assertStatus(await api('DELETE', path), 200);
	assertProblem(await api('GET', path), 'not_found');
	assertProblem(await api('PUT', path, { json: { name: 1 } }), 'not_found');
	assertProblem(await api('DELETE', path), 'not_found');
});

test('[C-TPL-2] names are unique, and parts that do not fit together are refused', async () => {
	const { id, name } = await create();
	const post = (json: object) => api('POST', '/website-templates', { json });
	assertProblem(await post({ name }), 'validation_failed', ['name']);
	assertProblem(await post({}), 'validation_failed', ['name']);
	const own = { name: freshName() };
	const goal = content.goals[0];
	const faulty = {
		goals: [[goal, goal], [{ name: 'x', kind: 'page', pattern: 'no-slash' }], {}],
		funnels: [
			content.funnels,
			[{ name: 'x', steps: [{ page: '/' }, { goal: 1 }] }],
			[{ name: 'x', steps: [] }],
		],
		segments: [
			content.segments,
			[{ name: 'x', filters: ['is', 'goal', ['1']] }],
			[{ name: 'x', filters: ['x'] }],
		],
		path_groups: [[{ pattern: 'x', target: 'y' }]],
		traffic_rules: [[{ name: 'x', kind: 'network', values: ['x'] }]],
		website: [{ timezone: 'Mars/Base' }, { exclude_ips: 'x' }, { privacy: 3 }, 1],
		settings: [{ embed_origins: 'x' }, { retention_months: 0 }],
	};
	for (const [part, cases] of Object.entries(faulty))
		for (const sent of cases)
			assertProblem(await post({ ...own, [part]: sent }), 'validation_failed', [part]);
	const { errors } = assertProblem(
		await post({ ...own, goals: [goal, { ...goal, name: '' }] }),
		'validation_failed',
		['goals'],
	);
	assert.deepEqual(errors, { goals: ['Entry 2: The name field is required.'] });
	// A goal that a funnel of the template uses cannot be left out later.
	await api('PUT', `/website-templates/${id}`, { json: content });
	assertProblem(await api('PUT', `/website-templates/${id}`, { json: { goals: [] } }), 'validation_failed', [
		'funnels',
	]);
	assertProblem(await api('POST', '/website-templates', { form: { name: 'x' } }), 'unsupported_media_type');
});

test('[C-TPL-3] a new website has everything of its template, and what was sent replaces it', async () => {
	const { id } = await create(content);
	const website = websiteOf(
		await api('POST', '/websites', { form: { domain: freshDomain(), template_id: String(id) } }),
		201,
	);
	assert.deepEqual(await stateOf(website.id), expected);
	const other = websiteOf(
		await api('POST', '/websites', {
			json: { domain: freshDomain(), template_id: id, privacy: 0, exclude_ips: '', timezone: 'Asia/Tokyo' },
		}),
		201,
	);
	assert.equal(other.privacy, 0);
	assert.equal(other.timezone, 'Asia/Tokyo');
	assert.equal(other.exclude_ips, '203.0.113.7', 'an empty value counts as left out');
});

test('[C-TPL-4] a password is never part of a template', async () => {
	const { id } = await create({ website: { privacy: 2, password: 'high water', favorite: 1 } });
	const stored = await w.sql<{ content: string }>(
		'SELECT content::text FROM website_templates WHERE id = $1',
		[id],
	);
	assert.doesNotMatch(stored[0]?.content ?? '', /high water|favorite|password/);
	const domain = freshDomain();
	assertProblem(await api('POST', '/websites', { json: { domain, template_id: id } }), 'validation_failed', [
		'password',
	]);
	const website = websiteOf(
		await api('POST', '/websites', { json: { domain, template_id: id, password: 'low water' } }),
		201,
	);
	assert.deepEqual([website.privacy, website.has_password], [2, true]);
});

test('[C-TPL-5] a template is copied from a website, and sent parts replace what it has', async () => {
	const { id } = await create(content);
	const website = websiteOf(
		await api('POST', '/websites', { json: { domain: freshDomain(), template_id: id } }),
		201,
	);
	await api('PUT', `/websites/${website.id}/settings`, { json: { hostnames: 'localhost' } });
	const copied = await create({ from_website_id: website.id, settings: { labels: ['other'] } });
	assert.deepEqual(copied.settings, { labels: ['other'] });
	const again = websiteOf(
		await api('POST', '/websites', { json: { domain: freshDomain(), template_id: copied.id } }),
		201,
	);
	assert.deepEqual(await stateOf(again.id), {
		...expected,
		settings: { labels: ['other'], retention_months: null },
	});
	assert.doesNotMatch((await api('GET', `/websites/${again.id}/settings`)).text, /localhost/);
	const foreign = websiteOf(
		await stranger.api('POST', '/websites', { form: { domain: freshDomain() } }),
		201,
	);
	const refusals = await Promise.all(
		[foreign.id, 999_999].map((from) =>
			api('POST', '/website-templates', { json: { name: freshName(), from_website_id: from } }),
		),
	);
	for (const refusal of refusals) assertProblem(refusal, 'validation_failed', ['from_website_id']);
	assert.equal(refusals[0]?.text, refusals[1]?.text);
});

test('[C-TPL-6] a changed or deleted template leaves websites as they are', async () => {
	const { id } = await create(content);
	const website = websiteOf(
		await api('POST', '/websites', { json: { domain: freshDomain(), template_id: id } }),
		201,
	);
	const before = await stateOf(website.id);
	await api('PUT', `/website-templates/${id}`, { json: { goals: [], funnels: [], segments: [] } });
	assert.deepEqual(await stateOf(website.id), before);
	await api('DELETE', `/website-templates/${id}`);
	assert.deepEqual(await stateOf(website.id), before);
	assertProblem(
		await api('POST', '/websites', { json: { domain: freshDomain(), template_id: id } }),
		'validation_failed',
		['template_id'],
	);
});

test('[C-TPL-7] an account has at most 50 templates, also when two are created at once', async () => {
	const account = await w.account();
	const answers = await Promise.all(
		Array.from({ length: 52 }, (_, index) =>
			account.api('POST', '/website-templates', { json: { name: `Template ${index}` } }),
		),
	);
	assert.equal(answers.filter(({ status }) => status === 201).length, 50);
	for (const answer of answers.filter(({ status }) => status !== 201))
		assertProblem(answer, 'limit_reached', ['name']);
});

test('[C-TPL-8] a website and everything of its template are created together or not at all', async () => {
	const account = await w.account({ limits: { websites: 1 } });
	const template = templateOf(
		await account.api('POST', '/website-templates', { json: { name: 'x', ...content } }),
		201,
	);
	const json = { template_id: template.id };
	await account.api('POST', '/websites', { json: { ...json, domain: freshDomain() } });
	assertProblem(
		await account.api('POST', '/websites', { json: { ...json, domain: freshDomain() } }),
		'limit_reached',
	);
	assert.equal(listOf(await account.api('GET', '/websites')).meta.total, 1);
	const [row] = await w.sql<{ count: string }>(
		'SELECT count(*)::text AS count FROM goals g JOIN websites w ON w.id = g.website_id WHERE w.account_id = $1',
		[account.id],
	);
	assert.equal(row?.count, '2');
});

test('[C-TPL-9] keys that are read-only or limited to websites cannot change templates, and others need manage', async () => {
	const website = websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const statusesOf = async (rights: Parameters<typeof w.key>[1]) => {
		const keyed = client(w.base, (await w.key(owner, rights)).key);
		const created = await keyed('POST', '/website-templates', { json: { name: freshName() } });
		return [(await keyed('GET', '/website-templates')).status, created.status];
	};
	assert.deepEqual(await statusesOf({ scopes: ['manage'] }), [200, 201]);
	assert.deepEqual(await statusesOf({ scopes: ['stats'] }), [403, 403]);
	assert.deepEqual(await statusesOf({ access: 'read' }), [200, 403]);
	assert.deepEqual(await statusesOf({ websites: [website.id] }), [403, 403]);
});

test('[C-TPL-10] a retry with an Idempotency-Key creates one template', async () => {
	const call = { json: { name: freshName() }, headers: { 'idempotency-key': 'template-1' } };
	const first = await api('POST', '/website-templates', call);
	const second = await api('POST', '/website-templates', call);
	assertStatus(first, 201);
	assert.equal(second.text, first.text);
	assert.equal(second.headers['idempotency-replayed'], 'true');
});
