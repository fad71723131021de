/** Requests about many websites, and templates: they reach no further than requests about one website, and keep nobody waiting. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import pg from 'pg';
import { z } from 'zod';
import { bulkAnswer } from '../../api/bulk.ts';
import { type Answer, client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { givePassword, signedIn } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const start = Date.parse('2026-11-15T09:00:00.000Z');
let moment = start;
const w = await world({ after }, { now: () => new Date(moment), settings: { TIDEMARK_RATE_LIMIT: '100' } });
beforeEach(() => {
	moment = start;
});
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });

const create = async (account: TestAccount = owner) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain('many') } }), 201).id;
const resultsOf = (answer: Answer) => {
	assertStatus(answer, 200);
	return bulkAnswer.parse(answer.json).data;
};
const idOf = (answer: Answer) => z.object({ data: z.object({ id: z.int() }) }).parse(answer.json).data.id;
const stateOf = async (account: TestAccount, id: number) =>
	(
		await Promise.all(['', '/settings', '/goals'].map((path) => account.api('GET', `/websites/${id}${path}`)))
	).map(({ text }) => text);
/** Each test has a minute of its own for the rate limits. */
let minutes = 0;
const nextMinute = () => {
	moment = start + ++minutes * 61_000;
};

const change = {
	website: { privacy: 0, email: 1 },
	settings: { embed_origins: 'https://attacker.example' },
	add_labels: ['taken'],
	goals: [{ name: 'Taken', kind: 'page', pattern: '/' }],
};

test("[T125][C-BULK-6] another account's websites are neither changed nor told from missing ones, by id or label", async () => {
	nextMinute();
	const foreign = await create(stranger);
	const label = 'only the stranger has it';
	await stranger.api('PUT', `/websites/${foreign}/settings`, { json: { labels: [label] } });
	const before = await stateOf(stranger, foreign);
	const own = await create();
	const limited = client(w.base, (await w.key(owner, { websites: [own] })).key);
	const hidden = await create();
	await owner.api('PUT', `/websites/${hidden}/settings`, { json: { labels: [label] } });
	const hiddenBefore = await stateOf(owner, hidden);
	for (const api of [owner.api, limited]) {
		const ids = [foreign, 900_000_000, ...(api === limited ? [hidden] : [])];
		const results = resultsOf(await api('PUT', '/bulk/websites', { json: { website_ids: ids, ...change } }));
		const faces = results.map(({ id: _, ...result }) => JSON.stringify(result));
		assert.equal(new Set(faces).size, 1, faces.join('\n'));
		assert.equal(results[0]?.status, 404);
	}
	// Without goals or settings, which check the permission again.
	const bare = { website_ids: [hidden, foreign], website: { email: 1 } };
	for (const result of resultsOf(await limited('PUT', '/bulk/websites', { json: bare })))
		assert.equal(result.status, 404);
	assert.deepEqual(
		resultsOf(await limited('PUT', '/bulk/websites', { json: { labels: [label], ...change } })),
		[],
	);
	assert.deepEqual(await stateOf(stranger, foreign), before);
	assert.deepEqual(await stateOf(owner, hidden), hiddenBefore);
});

test("[T125][C-TPL-9] another account's templates can be neither read, changed nor applied", async () => {
	nextMinute();
	const template = idOf(
		await stranger.api('POST', '/website-templates', {
			json: { name: 'Secret plan', settings: { labels: 'x' } },
		}),
	);
	const path = `/website-templates/${template}`;
	for (const [method, json] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const) {
		const known = await owner.api(method, path, json && { json });
		const missing = await owner.api(method, '/website-templates/900000000', json && { json });
		assertProblem(known, 'not_found');
		assert.equal(known.text, missing.text);
	}
	const own = await create();
	const apply = (id: number) => ({ website_ids: [own], template_id: id });
	for (const [method, where, bodyOf] of [
		['PUT', '/bulk/websites', apply],
		['POST', '/bulk/websites', (id: number) => ({ websites: [{ domain: 'x.example' }], template_id: id })],
		['POST', '/websites', (id: number) => ({ domain: 'x.example', template_id: id })],
	] as const) {
		const known = await owner.api(method, where, { json: bodyOf(template) });
		assertProblem(known, 'validation_failed', ['template_id']);
		assert.equal(known.text, (await owner.api(method, where, { json: bodyOf(900_000_000) })).text);
	}
});

test('[T126] a template gives an editor no setting that is for admins, and shows a viewer no excluded address', async () => {
	nextMinute();
	const member = await w.account({ timezone: 'UTC' });
	await givePassword(w, member);
	const [edited, viewed] = [await create(), await create()];
	await owner.api('PUT', `/websites/${viewed}`, { form: { exclude_ips: '203.0.113.7' } });
	await owner.api('PUT', `/websites/${edited}`, { form: { privacy: '1' } });
	for (const [website, role] of [
		[edited, 'editor'],
		[viewed, 'viewer'],
	] as const)
		await w.sql(
			'INSERT INTO members (owner_id, member_id, website_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
			[owner.id, member.id, website, role],
		);
	const editor = await signedIn(w, member);
	const before = await stateOf(owner, edited);
	const goals = [{ name: 'Goal', kind: 'page', pattern: '/' }];
	const forAdmins = [
		{ website: { privacy: 0 } },
		{ settings: { embed_origins: 'https://attacker.example' } },
		{ settings: { retention_months: 1 } },
		{ settings: { indexable: 1 } },
	];
	for (const [index, part] of forAdmins.entries()) {
		const json = { name: `Template ${index}`, goals, ...part };
		const template = idOf(await editor('POST', '/website-templates', { json }));
		for (const sent of [{ template_id: template }, { ...part, goals }]) {
			const [result] = resultsOf(
				await editor('PUT', '/bulk/websites', { json: { website_ids: [edited], ...sent } }),
			);
			assert.equal(result?.status, 403, JSON.stringify(sent));
		}
	}
	assert.deepEqual(await stateOf(owner, edited), before);
	const [allowed] = resultsOf(
		await editor('PUT', '/bulk/websites', { json: { website_ids: [edited], goals } }),
	);
	assert.equal(allowed?.status, 200);
	const copy = (from: number) =>
		editor('POST', '/website-templates', { json: { name: `Copy ${from}`, from_website_id: from } });
	assertProblem(await copy(viewed), 'forbidden');
	assertStatus(await copy(edited), 201);
});

test('[T167][C-BULK-9] a long request of one account delays no other, and is over after 30 seconds', async () => {
	nextMinute();
	const ids = [await create(), await create(), await create()];
	const other = await create(stranger);
	const lock = new pg.Client(w.postgresTarget);
	await lock.connect();
	after(() => lock.end());
	await lock.query('BEGIN');
	await lock.query('SELECT 1 FROM websites WHERE id = $1 FOR UPDATE', [ids[1]]);
	const json = { website_ids: ids, add_labels: ['slow'] };
	const slow = owner.api('PUT', '/bulk/websites', { json });
	const settingsOf = async (id = 0) => (await owner.api('GET', `/websites/${id}/settings`)).text;
	const isFirstDone = async () =>
		(await w.sql('SELECT 1 FROM websites WHERE id = $1 AND labels = $2', [ids[0], ['slow']])).length > 0;
	await until(isFirstDone, 10_000, 'the first website is changed while the second waits');
	const second = await owner.api('PUT', '/bulk/websites', { json: { ...json, website_ids: [ids[2]] } });
	assertProblem(second, 'too_many_requests');
	assert.match(second.headers['retry-after'] ?? '', /^\d+$/);
	assertStatus(await owner.api('PUT', `/websites/${ids[2]}`, { form: { email: '1' } }), 200);
	const [quick] = resultsOf(
		await stranger.api('PUT', '/bulk/websites', { json: { website_ids: [other], add_labels: ['x'] } }),
	);
	assert.equal(quick?.status, 200);
	moment += 30_000;
	await lock.query('COMMIT');
	const results = resultsOf(await slow);
	assert.deepEqual(
		results.map(({ status, error }) => [status, error?.code]),
		[
			[200, undefined],
			[200, undefined],
			[503, 'unavailable'],
		],
	);
	assert.doesNotMatch(await settingsOf(ids[2]), /slow/);
	assert.equal(resultsOf(await owner.api('PUT', '/bulk/websites', { json }))[2]?.status, 200);
});

test('[T167][C-BULK-9] the response is limited, however long the records of the websites are', async () => {
	nextMinute();
	const line = (index: number) => String(index).padEnd(250, 'x');
	const exclude_params = Array.from({ length: 1_000 }, (_, index) => line(index));
	const json = { name: 'Long', website: { exclude_params } };
	const template_id = idOf(await owner.api('POST', '/website-templates', { json }));
	const websites = Array.from({ length: 40 }, () => ({ domain: freshDomain('long') }));
	const answer = await owner.api('POST', '/bulk/websites', { json: { websites, template_id } });
	const statuses = resultsOf(answer).map(({ status }) => status);
	assert.ok(answer.text.length < 10_000_000, `${answer.text.length} characters`);
	assert.deepEqual([statuses[0], statuses.at(-1)], [201, 503]);
});

test('[T167][C-BULK-9] ten websites count as one request for the rate limit', async () => {
	nextMinute();
	const left = async () => Number((await owner.api('GET', '/websites')).headers['x-ratelimit-remaining']);
	const before = await left();
	const absent = (count: number) => Array.from({ length: count }, (_, index) => 900_000_000 + index);
	const answer = await owner.api('PUT', '/bulk/websites', { json: { website_ids: absent(101) } });
	assert.equal(Number(answer.headers['x-ratelimit-remaining']), before - 11);
	assert.equal(await left(), before - 12);
	// A request that was admitted is never refused for its own websites; the next one is.
	assertStatus(await owner.api('PUT', '/bulk/websites', { json: { website_ids: absent(1_000) } }), 200);
	assertProblem(await owner.api('GET', '/websites'), 'too_many_requests');
});
