import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { deletionPreview, deletionRecord } from '../../api/deletions.ts';
import { endDeletion } from '../../server/items/deletions.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { assertProblem, assertStatus, freshDomain, itemOf, websiteOf } from '../support/contract.ts';
import { holdJobs } from '../support/hold-jobs.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const w = await world({ after }, { now: () => new Date('2026-11-15T12:00:00.000Z') });
const postgres = openPostgres(w.postgresTarget, { log: createLog('silent', () => undefined) });
after(() => postgres.close());
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

type Stored = Parameters<typeof storeEvents>[2];
/** A website with these events. */
async function stored(...events: Stored) {
	const website = await create();
	await storeEvents(
		w,
		website.id,
		events.map((event) => ({ kind: 'pageview', name: 'pageview', ...event })),
	);
	return website;
}

const pathOf = (id: number, rest = '') => `/websites/${id}/deletions${rest}`;
const post = (id: number, body: object, headers: Record<string, string> = {}) =>
	owner.api('POST', pathOf(id), { json: body, headers });
const recordOf = (answer: Awaited<ReturnType<typeof post>>, status = 201) => {
	assertStatus(answer, status);
	return z.strictObject({ data: deletionRecord.strict() }).parse(answer.json).data;
};
async function listed(id: number) {
	const answer = await owner.api('GET', pathOf(id));
	assertStatus(answer, 200);
	return z.object({ data: z.array(deletionRecord.strict()) }).parse(answer.json).data;
}
async function previewOf(id: number, body: object) {
	const answer = await owner.api('POST', pathOf(id, '/preview'), { json: body });
	assertStatus(answer, 200);
	return z.strictObject({ data: deletionPreview.strict() }).parse(answer.json).data;
}
async function viewsOf(id: number, query = ''): Promise<number> {
	const answer = await owner.api('GET', `/websites/${id}/stats?period=30d&metrics=pageviews${query}`);
	assertStatus(answer, 200);
	return (answer.json as { data: { totals: { pageviews: number } } }).data.totals.pageviews;
}
const onPath = (...values: string[]) => ({ conditions: [{ field: 'path', values }] });

const day = '2026-11-14';

test('[C-HIDE-2] a deletion names events by conditions or by a traffic rule, not by both', async () => {
	const { id } = await stored({ date: day });
	const cases: [object, string][] = [
		[{}, 'conditions'],
		[{ ...onPath('/'), rule_id: 1 }, 'conditions'],
		[{ rule_id: 999_999 }, 'rule_id'],
		[{ conditions: [] }, 'conditions'],
		[{ conditions: [{ field: 'ip', values: ['8.8.8.8'] }] }, 'conditions'],
		[{ conditions: [{ field: 'path', values: [] }] }, 'conditions'],
		[{ conditions: [{ field: 'path', values: ['relative'] }] }, 'conditions'],
		[{ conditions: [{ field: 'path', test: 'domain', values: ['/'] }] }, 'conditions'],
		[{ conditions: [{ field: 'country', test: 'contains', values: ['DE'] }] }, 'conditions'],
		[{ conditions: [{ field: 'country', values: ['Germany'] }] }, 'conditions'],
		[{ conditions: [{ field: 'property', values: ['x'] }] }, 'conditions'],
		[{ conditions: [{ field: 'path', property: 'plan', values: ['/'] }] }, 'conditions'],
		[{ conditions: [{ field: 'title', test: 'wildcard', values: ['*'.repeat(9)] }] }, 'conditions'],
		[{ conditions: Array.from({ length: 11 }, () => ({ field: 'path', values: ['/'] })) }, 'conditions'],
		[
			{ conditions: [{ field: 'title', values: Array.from({ length: 1_001 }, (_, n) => `${n}`) }] },
			'conditions',
		],
		[{ ...onPath('/'), from: '2026-13-01' }, 'from'],
		[{ ...onPath('/'), from: day, to: '2026-11-01' }, 'to'],
		[{ ...onPath('/'), keep_days: 91 }, 'keep_days'],
		[{ ...onPath('/'), keep_days: -1 }, 'keep_days'],
		[onPath('/none'), 'conditions'],
	];
	for (const [body, field] of cases) assertProblem(await post(id, body), 'validation_failed', [field]);
	assert.equal(await viewsOf(id), 1);
	assert.equal((await listed(id)).length, 0);
});

test('[C-HIDE-3] a traffic rule is applied to the past and undone', async () => {
	const { id, domain } = await stored(
		{ date: day, referrer: 'Spam.example/offer', source: 'spam.example' },
		{ date: day, referrer: 'a.spam.example', source: 'spam.example' },
		{ date: day, referrer: 'notspam.example', source: 'notspam.example' },
		{ date: '2026-10-30', referrer: 'spam.example/x/.other.example/', source: 'spam.example' },
	);
	await storeEvents(w, id, [
		{
			date: day,
			event_id: '9',
			kind: 'pageview',
			name: 'pageview',
			referrer: `${domain}/page`,
			source: 'internal',
		},
	]);
	const add = async (kind: string, values: string[], test?: string) =>
		itemOf(
			'traffic-rules',
			await owner.api('POST', `/websites/${id}/traffic-rules`, {
				json: { name: `${kind} ${values[0]}`, kind, values, ...(test && { test }) },
			}),
			201,
		).id;
	const rule = await add('referrer', ['spam.example']);
	assert.deepEqual(await previewOf(id, { rule_id: rule, keep_days: 7 }), {
		...{ events: 3, pageviews: 3, custom_events: 0, days: 2, from: '2026-10-30', to: day },
		...{ already_hidden: 0, earlier_values: 0, referrers: 0 },
		totals_before: null,
		delete_at: '2026-11-22T12:00:00.000Z',
		kept_elsewhere: { reports: 0, dead_letters: 0, backups: [] },
	});
	assert.equal(await viewsOf(id), 5);
	const deletion = recordOf(await post(id, { rule_id: rule }));
	assert.deepEqual(
		[deletion.state, deletion.rule_id, deletion.name, deletion.events, deletion.pageviews, deletion.days],
		['hidden', rule, 'referrer spam.example', 3, 3, 2],
	);
	assert.equal(deletion.delete_at, '2026-12-15T12:00:00.000Z');
	assert.deepEqual(deletion.conditions, [
		{ field: 'referrer', property: null, test: 'domain', values: ['spam.example'] },
	]);
	assert.equal(await viewsOf(id), 2);
	// Found once only: what is hidden counts no more.
	assert.equal((await previewOf(id, { rule_id: rule })).events, 0);
	assertProblem(await post(id, { rule_id: rule }), 'validation_failed', ['conditions']);

	const undone = recordOf(await owner.api('POST', pathOf(id, `/${deletion.id}/undo`)), 200);
	assert.deepEqual([undone.state, undone.ended_at], ['undone', '2026-11-15T12:00:00.000Z']);
	assert.equal(await viewsOf(id), 5);
	// Once more changes nothing.
	assert.equal(recordOf(await owner.api('POST', pathOf(id, `/${deletion.id}/undo`)), 200).state, 'undone');

	// The website itself is the referrer of every further page view.
	const own = await add('referrer', [domain.slice(0, 3), 'notspam'], 'contains');
	assert.equal((await previewOf(id, { rule_id: own })).events, 1);
	recordOf(await post(id, { rule_id: own }));
	assert.equal(await viewsOf(id), 4);
	for (const unstored of [
		await add('network', ['203.0.113.0/24']),
		await add('user_agent', ['Bot']),
		await add('operator', ['AS64500']),
	])
		assertProblem(await post(id, { rule_id: unstored }), 'validation_failed', ['rule_id']);
});

test('[C-HIDE-13] a filter also selects referrers that are the website itself, and its preview counts those that name a path', async () => {
	const website = await create();
	const { id, domain } = website;
	const secret = `${domain}/customer/Jane-Doe`;
	const view = { date: day, kind: 'pageview', name: 'pageview', path: '/home', source: 'internal' } as const;
	await storeEvents(w, id, [
		{ ...view, path: '/customer/Jane-Doe', source: '' },
		{ ...view, referrer: secret },
		{ ...view, referrer: `www.${secret}`, country: 'DE' },
		{ ...view, date: '2026-11-13', referrer: secret },
		// A page that is selected itself, another website, and another page.
		{ ...view, path: '/customer/Jane-Doe/orders', referrer: secret },
		{ ...view, referrer: 'other.example/customer/Jane-Doe', source: 'other.example' },
		{ ...view, referrer: `${domain}/customer` },
		{ ...view, referrer: domain },
	]);
	const byPath = (test: string, value: string) => ({
		conditions: [{ field: 'path', test, values: ['/none', value] }],
	});
	const countsOf = async (body: object) => {
		const { events, referrers } = await previewOf(id, body);
		return [events, referrers];
	};
	assert.deepEqual(await countsOf(byPath('contains', 'Jane-Doe')), [2, 3]);
	assert.deepEqual(await countsOf({ ...byPath('contains', 'Jane-Doe'), from: day }), [2, 2]);
	assert.deepEqual(await countsOf(byPath('is', '/customer/Jane-Doe')), [1, 4]);
	assert.deepEqual(await countsOf(byPath('is', '/')), [0, 0]);
	const both = [...byPath('contains', 'Jane-Doe').conditions, { field: 'country', values: ['FR'] }];
	assert.deepEqual(await countsOf({ conditions: both }), [0, 4]);

	recordOf(await post(id, byPath('contains', 'Jane-Doe')));
	const byReferrer = {
		conditions: [{ field: 'referrer', test: 'contains', values: [`${domain}/customer/j`] }],
	};
	assert.deepEqual(await countsOf(byReferrer), [3, 0]);
	recordOf(await post(id, byReferrer));
	assert.deepEqual(await countsOf(byPath('contains', 'Jane-Doe')), [0, 0]);
	assert.equal(await viewsOf(id), 3);
	// A traffic rule never matches them.
	const rule = itemOf(
		'traffic-rules',
		await owner.api('POST', `/websites/${id}/traffic-rules`, {
			json: { name: 'Own', kind: 'referrer', test: 'contains', values: [domain] },
		}),
		201,
	).id;
	assert.deepEqual(await countsOf({ rule_id: rule }), [0, 0]);
});

test('[C-HIDE-4] a deletion is limited to dates, and new events count', async () => {
	const { id } = await stored(
		{ date: '2026-11-12', path: '/a' },
		{ date: '2026-11-13', path: '/a' },
		{ date: '2026-11-14', path: '/a' },
		{ date: '2026-11-14', path: '/b' },
	);
	const found = recordOf(await post(id, { ...onPath('/a'), from: '2026-11-13', to: '2026-11-13' }));
	assert.deepEqual([found.from, found.to, found.events], ['2026-11-13', '2026-11-13', 1]);
	assert.equal(await viewsOf(id), 3);
	// All conditions of one event; values of a condition are alternatives.
	const both = [
		{ field: 'path', values: ['/a', '/b'] },
		{ field: 'hostname', values: ['stored.example'] },
	];
	assert.equal((await previewOf(id, { conditions: both })).events, 3);
	assert.equal(
		(await previewOf(id, { conditions: [...both, { field: 'title', values: ['no title'] }] })).events,
		0,
	);
	recordOf(await post(id, onPath('/a')));
	await storeEvents(w, id, [
		{
			date: '2026-11-15',
			time: '2026-11-15 12:00:00.000',
			event_id: '7',
			kind: 'pageview',
			name: 'pageview',
			path: '/a',
		},
	]);
	assert.equal(await viewsOf(id), 2);
	// So does an import that ends after it, although its events happened before.
	await storeEvents(w, id, [
		{ date: '2026-11-10', event_id: '8', kind: 'pageview', name: 'pageview', path: '/a', import_id: 7 },
	]);
	assert.equal(await viewsOf(id), 3);
});

test('[C-HIDE-5] hidden events are nowhere: statistics, current visitors, vitals, properties, exports, shares', async () => {
	const secret = 'jane@example.com';
	const now = '2026-11-15 11:59:00.000';
	const { id } = await stored(
		{ date: '2026-11-15', time: now, path: `/user/${secret}`, title: secret, query: `e=${secret}` },
		{ date: '2026-11-15', time: now, path: '/ok' },
		{ date: '2026-11-15', time: now, kind: 'vital', name: 'vital', path: `/user/${secret}`, lcp_ms: 2_500 },
		{
			date: '2026-11-15',
			time: now,
			kind: 'custom',
			name: 'signup',
			path: '/ok',
			properties: { email: secret },
		},
		{ date: '2026-11-15', time: now, kind: 'custom', name: secret, path: '/ok' },
	);
	await owner.api('PUT', `/websites/${id}`, { json: { privacy: 0 } });
	const reads = [
		`/websites/${id}/stats/page?period=30d`,
		`/websites/${id}/stats/title?period=30d`,
		`/websites/${id}/stats/event?period=30d`,
		`/websites/${id}/stats/property:email?period=30d`,
		`/websites/${id}/properties?period=30d`,
		`/websites/${id}/live`,
		`/websites/${id}/live/feed`,
		`/websites/${id}/vitals?period=30d`,
		`/websites/${id}/journeys?period=30d&steps=1`,
		`/websites/${id}/export?what=events&format=csv`,
		`/websites/${id}/export?what=events&format=ndjson`,
		`/websites/${id}/path-groups/proposals`,
	];
	const containing = async () => {
		const found: string[] = [];
		for (const path of reads) {
			const answer = await owner.api('GET', path);
			assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`);
			// Answers about a property repeat its name.
			if (/jane|email/.test(answer.text.replaceAll('property:email', ''))) found.push(path);
		}
		return found;
	};
	const viewsInOverview = async () => {
		const overview = await owner.api('GET', '/stats?period=30d&metrics=pageviews&per_page=1000');
		const { data } = overview.json as { data: { id: number; pageviews: number }[] };
		return data.find((line) => line.id === id)?.pageviews;
	};
	const before = await containing();
	assert.ok(before.length >= 9, before.join('\n'));
	assert.equal(await viewsInOverview(), 2);
	recordOf(await post(id, { conditions: [{ field: 'path', test: 'contains', values: ['@'] }] }));
	recordOf(
		await post(id, {
			conditions: [{ field: 'property', property: 'email', test: 'contains', values: ['@'] }],
		}),
	);
	recordOf(await post(id, { conditions: [{ field: 'event', test: 'ends_with', values: ['@example.com'] }] }));
	assert.deepEqual(await containing(), []);
	assert.equal(await viewsOf(id), 1);
	assert.equal(await viewsInOverview(), 1);
});

test('[C-HIDE-5] exports of visits and totals leave out the affected days until they are derived again', async () => {
	const postgres = openPostgres(w.postgresTarget, { log: createLog('error') });
	const holder = await holdJobs(postgres, 'seal days');
	try {
		const { id } = await stored(
			{ date: '2026-11-13', path: '/ok' },
			{ date: day, path: '/secret' },
			{ date: day },
		);
		const exported = async () => {
			const found: string[][] = [];
			// One at a time: an account has one export.
			for (const what of ['visits', 'totals']) {
				const answer = await owner.api('GET', `/websites/${id}/export?what=${what}&format=csv`);
				assert.equal(answer.status, 200, answer.text);
				found.push(['2026-11-13', day, '/secret'].filter((text) => answer.text.includes(text)));
			}
			return found;
		};
		const all = ['2026-11-13', day, '/secret'];
		// As if they had been written before the deletion, and not in a batch without a number.
		await w.sql('UPDATE days SET last_batch = 0 WHERE website_id = $1', [id]);
		await w.operate('rebuild', { websiteId: id });
		assert.deepEqual(await exported(), [all, all]);
		recordOf(await post(id, onPath('/secret')));
		assert.deepEqual(await exported(), [['2026-11-13'], ['2026-11-13']]);
		await w.operate('rebuild', { websiteId: id });
		assert.deepEqual(await exported(), [
			['2026-11-13', day],
			['2026-11-13', day],
		]);
	} finally {
		await holder.end();
		await postgres.close();
	}
});

test('[C-HIDE-6] once events are deleted from disk, a deletion cannot be undone', async () => {
	const { id } = await stored({ date: day, path: '/a' }, { date: day, path: '/b' });
	const now = recordOf(await post(id, { ...onPath('/a'), keep_days: 0 }));
	assert.equal(now.delete_at, now.created_at);
	await w.sql(`UPDATE deletions SET state = 'deleting' WHERE id = $1`, [now.id]);
	assertProblem(await owner.api('POST', pathOf(id, `/${now.id}/undo`)), 'precondition_failed');
	assert.equal(await viewsOf(id), 1);
	assertProblem(await owner.api('POST', pathOf(id, '/999999/undo')), 'not_found');
	const other = await stored({ date: day });
	assertProblem(await owner.api('POST', pathOf(other.id, `/${now.id}/undo`)), 'not_found');
});

test('[C-HIDE-7] a repeated request with an Idempotency-Key deletes once', async () => {
	const { id } = await stored({ date: day, path: '/a' }, { date: day, path: '/b' });
	const headers = { 'idempotency-key': `deletion ${id}`.replaceAll(' ', '-') };
	const first = recordOf(await post(id, onPath('/a'), headers));
	assert.deepEqual(recordOf(await post(id, onPath('/a'), headers)), first);
	assert.equal((await listed(id)).length, 1);
});

test('[C-HIDE-6][T117] no stored response contains the values of a deletion by conditions after its events are deleted', async () => {
	const { id } = await stored({ date: day, path: '/jane' }, { date: day, path: '/b' });
	const headers = { 'idempotency-key': `values-${id}` };
	const sent = { ...onPath('/jane'), keep_days: 0 };
	const { id: deletion } = recordOf(await post(id, sent, headers));
	await w.sql(`UPDATE deletions SET state = 'deleting' WHERE id = $1`, [deletion]);
	await postgres.transaction((tx) => endDeletion(tx, deletion, () => new Date()));
	assert.deepEqual((await listed(id))[0]?.conditions[0]?.values, []);
	assert.deepEqual(recordOf(await post(id, sent, headers)).conditions[0]?.values, []);
});

test('[C-HIDE-6][T117] an undo removes the values of a deletion by conditions, and not those of a rule', async () => {
	const { id } = await stored({ date: day, path: '/jane' }, { date: day, path: '/b' });
	const headers = { 'idempotency-key': `undone-${id}` };
	const made = recordOf(await post(id, onPath('/jane'), headers));
	assert.deepEqual(made.conditions[0]?.values, ['/jane']);
	const valueless = { ...made, conditions: [{ field: 'path', property: null, test: 'is', values: [] }] };
	const undone = { ...valueless, state: 'undone', ended_at: '2026-11-15T12:00:00.000Z' };
	const undo = async () => recordOf(await owner.api('POST', pathOf(id, `/${made.id}/undo`)), 200);
	assert.deepEqual(await undo(), undone);
	assert.deepEqual(await undo(), undone);
	assert.deepEqual(await listed(id), [undone]);
	assert.deepEqual(recordOf(await post(id, onPath('/jane'), headers)), valueless);
	assert.equal(await viewsOf(id), 2);
	for (const [table, column] of [
		['deletions', 'selection'],
		['idempotent_answers', 'body'],
	]) {
		const [{ found } = { found: -1 }] = (await w.sql(
			`SELECT count(*)::int AS found FROM ${table} WHERE ${column}::text LIKE '%/jane%'`,
		)) as { found: number }[];
		assert.equal(found, 0, table);
	}
	const rule = itemOf(
		'traffic-rules',
		await owner.api('POST', `/websites/${id}/traffic-rules`, {
			json: { name: 'B', kind: 'path', values: ['/b'] },
		}),
		201,
	).id;
	const { id: ofRule } = recordOf(await post(id, { rule_id: rule }));
	const kept = recordOf(await owner.api('POST', pathOf(id, `/${ofRule}/undo`)), 200);
	assert.deepEqual(kept.conditions[0]?.values, ['/b']);
});

test('[C-HIDE-8][T118] at most 20 deletions are pending, and a reset ends them', async () => {
	const paths = Array.from({ length: 21 }, (_, n) => `/${n}`);
	const { id } = await stored(...paths.map((path) => ({ date: day, path })));
	for (const path of paths.slice(0, 20)) recordOf(await post(id, onPath(path)));
	assertProblem(await post(id, onPath('/20')), 'limit_reached');
	assert.equal(await viewsOf(id), 1);
	assertStatus(await owner.api('POST', `/websites/${id}/reset`), 200);
	assert.equal((await listed(id)).length, 0);
	assert.equal(await viewsOf(id), 0);
});

test('[C-HIDE-6] events that data retention deletes cannot be restored', async () => {
	const { id } = await stored({ date: '2026-10-20', path: '/a' }, { date: day, path: '/a' });
	await w.sql('UPDATE websites SET retention_months = 1 WHERE id = $1', [id]);
	const deleteAtOf = async (more: object) =>
		(await previewOf(id, { ...onPath('/a'), ...more })).delete_at.slice(0, 16);
	assert.equal(await deleteAtOf({}), '2026-11-20T00:00');
	assert.equal(await deleteAtOf({ keep_days: 2 }), '2026-11-17T12:00');
	assert.equal(await deleteAtOf({ keep_days: 0 }), '2026-11-15T12:00');
	assert.equal(await deleteAtOf({ from: day }), '2026-12-14T00:00');
	assert.equal(await deleteAtOf({ from: day, keep_days: 7 }), '2026-11-22T12:00');
	const made = recordOf(await post(id, onPath('/a')));
	assert.equal(made.delete_at, '2026-11-20T00:00:00.000Z');
	// On the oldest day that is kept.
	const last = await stored({ date: '2026-10-15', path: '/a' });
	await w.sql('UPDATE websites SET retention_months = 1 WHERE id = $1', [last.id]);
	assert.equal((await previewOf(last.id, onPath('/a'))).delete_at, '2026-11-15T12:00:00.000Z');
	await w.sql("UPDATE websites SET raw_from = '2026-10-21' WHERE id = $1", [id]);
	assertProblem(await owner.api('POST', pathOf(id, `/${made.id}/undo`)), 'precondition_failed');
	const other = recordOf(await post((await stored({ date: day, path: '/a' })).id, onPath('/a')));
	assert.equal(other.delete_at, '2026-12-15T12:00:00.000Z');
});

test('[C-HIDE-14] a deletion also selects events that another one hides already', async () => {
	const { id } = await stored(
		{ date: '2026-11-13', path: '/user/jane' },
		{ date: day, path: '/user/jane' },
		{ date: day, path: '/user/joe' },
		{ date: day, path: '/jane' },
	);
	const rule = itemOf(
		'traffic-rules',
		await owner.api('POST', `/websites/${id}/traffic-rules`, {
			json: { name: 'Users', kind: 'path', test: 'starts_with', values: ['/user'] },
		}),
		201,
	).id;
	const byPath = (test: string, ...values: string[]) => ({ conditions: [{ field: 'path', test, values }] });
	const undo = async (deletion: number) =>
		recordOf(await owner.api('POST', pathOf(id, `/${deletion}/undo`)), 200);
	const countsOf = async (body: object) => {
		const { events, already_hidden, days, from, to } = await previewOf(id, body);
		return [events, already_hidden, days, from, to];
	};
	const applied = recordOf(await post(id, { rule_id: rule }));
	assert.deepEqual([applied.events, applied.already_hidden], [3, 0]);
	const byName = byPath('contains', 'jane');
	assert.deepEqual(await countsOf(byName), [1, 2, 1, day, day]);
	const onlyHidden = byPath('is', '/user/jane');
	assert.deepEqual(await countsOf(onlyHidden), [0, 2, 0, null, null]);

	const made = recordOf(await post(id, onlyHidden));
	const { events, pageviews, already_hidden: already, days, from, to } = made;
	assert.deepEqual([events, pageviews, already, days, from, to], [0, 0, 2, 2, '2026-11-13', day]);
	assert.deepEqual(await listed(id), [made, applied]);
	assert.equal(await viewsOf(id), 1);
	await undo(applied.id);
	assert.equal(await viewsOf(id), 2);
	await undo(made.id);
	assert.equal(await viewsOf(id), 4);

	// A repetition changes nothing, unless it deletes earlier. A rule and a filter are two deletions.
	const again = recordOf(await post(id, { rule_id: rule }));
	assert.deepEqual(await countsOf({ rule_id: rule }), [0, 0, 0, null, null]);
	assertProblem(await post(id, { rule_id: rule }), 'validation_failed', ['conditions']);
	const asRule = byPath('starts_with', '/user');
	assert.deepEqual(await countsOf({ ...asRule, keep_days: 7 }), [0, 3, 0, null, null]);
	recordOf(await post(id, { ...asRule, keep_days: 7 }));
	assertProblem(await post(id, asRule), 'validation_failed', ['conditions']);
	assertProblem(await post(id, { ...asRule, keep_days: 7 }), 'validation_failed', ['conditions']);
	assert.equal(recordOf(await post(id, { ...asRule, keep_days: 0 })).already_hidden, 3);
	await undo(again.id);
	assert.equal(await viewsOf(id), 1);
});

test('[C-HIDE-10] the preview counts what is kept elsewhere when only earlier totals match, of all days that they may have', async () => {
	const { id } = await stored({ date: day, path: '/b' });
	await w.sql(
		`INSERT INTO imports (website_id, source, kind, file_name, state, created_at, zone, given, preview, total_rows)
		VALUES ($1, 'plausible', 'totals', 'export.zip', 'done', now(), 'UTC', '{}', '{}', 1)`,
		[id],
	);
	const [made] = (await w.sql('SELECT id FROM imports WHERE website_id = $1', [id])) as { id: number }[];
	const row = { website_id: id, import_id: made?.id, date: '2026-03-01', dimension: 'page', value: '/jane' };
	await w.clickhouse.insert({ table: 'totals_imported', lines: JSON.stringify(row), token: `totals ${id}` });
	for (const [first, last] of [
		['2026-03-02', '2026-03-08'],
		['2026-11-09', '2026-11-15'],
	])
		await w.sql(
			`INSERT INTO reports (account_id, website_id, kind, from_day, to_day, zone, is_provisional, content, awaits_digest, made_at)
			VALUES ($1, $2, 'week', $3, $4, 'UTC', false, '{}', false, now())`,
			[owner.id, id, first, last],
		);
	await w.sql(
		`INSERT INTO dead_letters (website_id, event_id, line, reason) VALUES ($1, 1, '{}', 'unreadable')`,
		[id],
	);
	const keptOf = async (body: object) => {
		const { events, earlier_values, kept_elsewhere: kept } = await previewOf(id, body);
		return [events, earlier_values, kept.reports, kept.dead_letters];
	};
	assert.deepEqual(await keptOf(onPath('/jane')), [0, 1, 2, 1]);
	assert.deepEqual(await keptOf({ ...onPath('/jane'), to: '2026-03-31' }), [0, 1, 1, 1]);
	assert.deepEqual(await keptOf(onPath('/jane', '/b')), [1, 1, 2, 1]);
	assert.deepEqual(await keptOf(onPath('/b')), [1, 0, 1, 1]);
});
