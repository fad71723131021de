import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Answer, Call, Client } from '../support/client.ts';
import { accountOf, listOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

/**
 * One account does everything that can be done. Each of its successful requests is then repeated with the key of
 * another account, with the first one's ids and with ids swapped. Nothing of the first may be seen or changed.
 */
const w = await world({ after });
const anna = await w.account({
	timezone: 'UTC',
	name: 'Marker Of Anna',
	email: 'marker-of-anna@example.test',
});
const boris = await w.account({ timezone: 'UTC', name: 'Boris' });

type Recorded = { method: string; path: string; call: Call; answer: Answer };
const recorded: Recorded[] = [];
const recording: Client = async (method, path, call = {}) => {
	const answer = await anna.api(method, path, call);
	if (answer.status < 300) recorded.push({ method, path, call, answer });
	return answer;
};

const markers = ['marker-of-anna', 'Marker Of Anna', 'marker_param', '203.0.113.222', 'Pacific/Chatham'];
const ids: number[] = [];
for (const n of [1, 2, 3]) {
	const form = {
		domain: `marker-of-anna-${n}.example`,
		privacy: '2',
		password: 'ebb',
		exclude_params: 'marker_param',
		exclude_ips: '203.0.113.222',
		timezone: 'Pacific/Chatham',
	};
	ids.push(
		websiteOf(
			await recording('POST', '/websites', { form, headers: { 'idempotency-key': `anna-${n}` } }),
			201,
		).id,
	);
}
const [first = 0, second = 0, third = 0] = ids;
const etag = (await recording('GET', `/websites/${first}`)).headers.etag ?? '';
await recording('GET', '/websites');
await recording('GET', '/websites?search=marker&per_page=100&sort_by=domain&sort=asc');
await recording('GET', '/websites?favorite=0&page=1');
await recording('HEAD', `/websites/${first}`);
await recording('PUT', `/websites/${first}`, { form: { favorite: '1' }, headers: { 'if-match': etag } });
await recording('PATCH', `/websites/${first}`, { json: { email: 1 } });
await recording('PUT', `/websites/${second}`, { json: { privacy: 1 } });
await recording('PUT', `/websites/${second}/domain`, { form: { domain: 'marker-of-anna-renamed.example' } });
await recording('GET', '/account');
await recording('OPTIONS', `/websites/${first}`);
await recording('DELETE', `/websites/${third}`);
const collections: Record<string, Record<string, unknown>> = {
	goals: { name: 'marker-of-anna goal', kind: 'page', pattern: '/marker_param' },
	funnels: { name: 'marker-of-anna funnel', steps: [{ page: '/marker_param' }, { page: '*' }] },
	segments: { name: 'marker-of-anna segment', filters: ['is', 'utm_source', ['marker_param']] },
	notes: { date: '2026-11-15', text: 'marker-of-anna note' },
	'traffic-rules': { name: 'marker-of-anna rule', kind: 'path', values: ['/marker_param'] },
};
for (const [kind, json] of Object.entries(collections)) {
	const path = `/websites/${first}/${kind}`;
	const { location = '' } = (await recording('POST', path, { json })).headers;
	const item = location.slice(location.indexOf('/websites/'));
	await recording('GET', path);
	await recording('GET', item);
	await recording('PUT', item, { json });
	const gone = (await anna.api('POST', path, { json: { ...json, name: 'marker-of-anna gone' } })).headers
		.location;
	await recording('DELETE', gone?.slice(gone.indexOf('/websites/')) ?? '');
}

const stateOf = async (api: Client) => ({
	websites: listOf(await api('GET', '/websites?per_page=100')).data,
	account: accountOf(await api('GET', '/account')),
});
const itemsOfAnna = async () => {
	const answers = Object.keys(collections).map((kind) => anna.api('GET', `/websites/${first}/${kind}`));
	return (await Promise.all(answers)).map(({ text }) => text);
};
const before = await stateOf(anna.api);
const itemsBefore = await itemsOfAnna();
const own = websiteOf(await boris.api('POST', '/websites', { form: { domain: 'boris.example' } }), 201);

/** What the repeated request itself brought along may come back; everything else of hers may not. */
function assertNothingOfAnna(answer: Answer, call: Call, name: string): void {
	const sent = JSON.stringify(call);
	const shown = answer.text + JSON.stringify(answer.headers);
	for (const marker of markers.filter((word) => !sent.includes(word)))
		assert.equal(shown.includes(marker), false, `${name} shows ${marker}`);
	// The account has an id as well, counted for itself.
	if (!name.includes('/account'))
		for (const id of ids) assert.doesNotMatch(answer.text, new RegExp(`"(id|website_id)":${id}\\b`), name);
}

test('[T10] there is enough to repeat', () => {
	assert.ok(recorded.length >= 14);
	assert.deepEqual(
		new Set(recorded.map(({ method }) => method)),
		new Set(['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'DELETE']),
	);
});

function repeat({ method, path, call }: Recorded): void {
	test(`[T10] ${method} ${path.replace(/\d+/g, '{id}')} repeated with the key of another account`, async () => {
		const answer = await boris.api(method, path, call);
		assert.ok(answer.status < 500);
		assertNothingOfAnna(answer, call, `${method} ${path}`);
		if (/\/websites\/\d/.test(path) && method !== 'OPTIONS') assert.equal(answer.status, 404);
		assert.deepEqual(await stateOf(anna.api), before);
		assert.deepEqual(await itemsOfAnna(), itemsBefore);
	});
}
for (const request of recorded.filter(({ method }) => method !== 'POST')) repeat(request);

test('[T10] every id with every method, as the other account', async () => {
	for (const id of ids)
		for (const [method, suffix] of [
			['GET', ''],
			['PUT', ''],
			['PATCH', ''],
			['PUT', '/domain'],
			['DELETE', ''],
		] as const) {
			const call =
				method === 'GET' || method === 'DELETE' ? {} : { form: { domain: 'stolen.example', email: '0' } };
			const answer = await boris.api(method, `/websites/${id}${suffix}`, call);
			assert.equal(answer.status, 404);
			assertNothingOfAnna(answer, call, `${method} ${id}`);
		}
	assert.deepEqual(await stateOf(anna.api), before);
});

test('[T10] ids in bodies and queries lead nowhere', async () => {
	const json = { id: first, website_id: first, account_id: anna.id, email: 1 };
	const answer = await boris.api('PUT', `/websites/${own.id}?id=${first}&website_id=${first}`, { json });
	assert.equal(websiteOf(answer).id, own.id);
	assertNothingOfAnna(answer, { json: {} }, 'update');
	const made = await boris.api('POST', '/websites', {
		json: { domain: 'boris-two.example', account_id: anna.id, id: first },
	});
	websiteOf(made, 201);
	for (const query of [
		`id=${first}`,
		`account_id=${anna.id}`,
		`account=${anna.id}`,
		'search=marker-of-anna-renamed',
	]) {
		const list = await boris.api('GET', `/websites?${query}`);
		assertNothingOfAnna({ ...list, text: JSON.stringify(listOf(list).data) }, {}, query);
	}
	assert.deepEqual(await stateOf(anna.api), before);
});

// Last, because what they make for the other account bears the first one's words: it asked for them.
for (const request of recorded.filter(({ method }) => method === 'POST')) repeat(request);

test('[T10] an item of hers is not reached through a website of his own', async () => {
	const item = recorded.map(({ path }) => /^\/websites\/\d+(\/[a-z-]+\/\d+)$/.exec(path)?.[1]);
	const suffixes = [...new Set(item)].filter((suffix) => suffix !== undefined);
	assert.ok(suffixes.length >= 4);
	for (const suffix of suffixes)
		for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
			assert.equal((await boris.api(method, `/websites/${own.id}${suffix}`)).status, 404);
	assert.deepEqual(await itemsOfAnna(), itemsBefore);
});

test('[T10] a goal of hers is no step and no value of his', async () => {
	const [goal] = recorded.flatMap(({ path }) => /\/goals\/(\d+)$/.exec(path)?.[1] ?? []);
	for (const [kind, json] of [
		['funnels', { name: 'x', steps: [{ goal: Number(goal) }, { page: '/' }] }],
		['segments', { name: 'x', filters: ['is', 'goal', [goal]] }],
	] as const) {
		const answer = await boris.api('POST', `/websites/${own.id}/${kind}`, { json });
		assert.equal(answer.status, 422);
		assertNothingOfAnna(answer, { json }, kind);
	}
});

test('[T10] the markers are found where they are allowed', async () => {
	const { text } = await anna.api('GET', '/websites');
	for (const marker of ['marker-of-anna', 'marker_param', '203.0.113.222', 'Pacific/Chatham'])
		assert.ok(text.includes(marker));
});
