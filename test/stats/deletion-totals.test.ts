import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventSelection } from '../../server/derive/hidden-events.ts';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { blankEvent } from '../../server/ingest/event.ts';
import { createDeletion, undoDeletion } from '../../server/items/deletions.ts';
import { findSelected, lastBatch } from '../../server/items/selected-events.ts';
import { deleteHiddenEvents } from '../../server/jobs/delete-hidden-events.ts';
import { dayMs } from '../../server/lib/durations.ts';
import { answer } from '../../server/stats/answer/answer.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import type { Question } from '../../server/stats/question/question.ts';
import { getStatsContext } from '../../server/stats/question/stats-context.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { selectsValue } from '../support/deletion-oracle.ts';
import { openSealing } from '../support/sealing.ts';

const secret = '/user/jane@example.com';
const dimensions = ['page', 'entry_page', 'exit_page', 'title'] as const;
const [imported, first, second] = ['2026-03-01', '2026-05-01', '2026-06-01'];
const { signal } = new AbortController();

test('[C-HIDE-12] values of totals without events are removed from breakdowns, and totals do not change', async (t) => {
	const s = await openSealing(t);
	const { postgres, clickhouse, services, clock } = s;
	clock.now = new Date('2026-06-10T12:00:00Z');
	const openDays = createOpenDays({ postgres, clickhouse, now: services.now, log: services.log });
	t.after(() => openDays.close());
	const stats = { postgres, clickhouse, openDays, results: createResultCache(), now: services.now };
	const id = await s.website();
	const visitOf = (date: string, visitor: number, ...paths: string[]) =>
		paths.map((path, n) => ({
			...blankEvent,
			...{
				website_id: id,
				date,
				path,
				title: `Title of ${path}`,
				kind: 'pageview' as const,
				name: 'pageview',
			},
			...{ visitor_id: String(visitor), event_id: String(visitor * 10 + n), time: `${date} 10:0${n}:00.000` },
		}));
	await s.write([
		...visitOf(first, 1, secret, '/ok'),
		...visitOf(first, 2, '/ok'),
		...visitOf(second, 3, '/ok', secret),
		...visitOf(second, 4, '/ok'),
	]);
	await s.seal([first, second].map((date) => ({ websiteId: id, date })));
	await postgres.run(sql`UPDATE websites SET raw_from = ${value(second)}::date WHERE id = ${value(id)}`);
	for (const table of [sql`events`, sql`visits`])
		await clickhouse.command(
			sql`ALTER TABLE ${table} DELETE WHERE date < ${param('Date', second)} AND website_id = ${param('UInt32', id)}`,
			{ settings: { mutations_sync: '2' } },
		);
	await importDay(s, id);

	const [account] = await postgres.rows<{ id: number }>(
		sql`SELECT account_id AS id FROM websites WHERE id = ${value(id)}`,
	);
	const principal = { kind: 'account', accountId: account?.id ?? 0, isOperator: false } as const;
	const context = { now: services.now, principal, websiteId: id };
	const websiteNow = async () =>
		(await getStatsContext(postgres, { kind: 'nobody' }, { id, domain: '' })).website;
	const ask = async () => {
		const span = { from: imported, to: second, startMs: null, endMs: null };
		const question: Question = {
			...{ website: await websiteNow(), span, compared: null, buckets: null, comparedBuckets: null },
			...{ metrics: ['pageviews'], filter: null, goal: null },
			breakdowns: dimensions.map((name) => ({
				dimension: { name },
				...{ sort: { by: 'pageviews', descending: true }, search: null, offset: 0, limit: 100 },
			})),
		};
		const { totals, breakdowns } = await answer(question, stats);
		return {
			pageviews: totals.pageviews,
			rows: breakdowns.map(({ rows }) =>
				Object.fromEntries(rows.map(({ value, values }) => [value, values.pageviews])),
			),
		};
	};
	const hide = async (selection: Partial<EventSelection>) => {
		const found = await findSelected(
			stats,
			await websiteNow(),
			{
				selection: { conditions: [], from: null, to: null, untilMs: clock.now.getTime(), ...selection },
				...{ ruleId: null, name: null },
			},
			signal,
		);
		const batch = await lastBatch(postgres, id);
		return {
			found,
			deletion: await postgres.transaction((tx) =>
				createDeletion(tx, context, { ...found, batch, keepDays: 0 }),
			),
		};
	};
	const byPath: EventSelection['conditions'] = [
		{ field: 'path', property: null, test: 'contains', values: ['@'] },
	];

	const before = await ask();
	assert.deepEqual(before.pageviews, 15);
	assert.deepEqual(before.rows[0], { [secret]: 4, '/ok': 4, '/old': 7 });

	const { found, deletion } = await hide({ conditions: byPath });
	assert.deepEqual([found.earlierValues, found.days.map(({ date }) => date)], [1, [second]]);
	const hidden = await ask();
	assert.equal(hidden.pageviews, 14);
	assert.deepEqual(hidden.rows[0], { '/ok': 4, '/old': 7 });
	for (const rows of hidden.rows.slice(0, 3)) assert.ok(!Object.hasOwn(rows, secret));
	assert.deepEqual(hidden.rows[3], { [`Title of ${secret}`]: 1, 'Title of /ok': 4 });
	assert.equal((await findSelected(stats, await websiteNow(), found, signal)).earlierValues, 0);

	await postgres.transaction((tx) => undoDeletion(tx, context, deletion.id));
	assert.deepEqual(await ask(), before);

	// Values that two deletions hide.
	const one = await hide({ conditions: byPath });
	const other = await hide({
		conditions: [{ field: 'path', property: null, test: 'starts_with', values: ['/user'] }],
	});
	assert.deepEqual([other.found.earlierValues, other.deletion.alreadyHidden], [0, 1]);
	await postgres.transaction((tx) => undoDeletion(tx, context, one.deletion.id));
	assert.deepEqual(await ask(), hidden);
	await postgres.transaction((tx) => undoDeletion(tx, context, other.deletion.id));
	assert.deepEqual(await ask(), before);

	// Those of one day, and those that only totals still have.
	const ofDay = await hide({ conditions: byPath, to: first });
	assert.deepEqual([ofDay.found.earlierValues, ofDay.found.days.length], [1, 0]);
	assert.deepEqual((await ask()).rows[0], { [secret]: 1, '/ok': 4, '/old': 7 });
	const byTitle = await hide({
		conditions: [{ field: 'title', property: null, test: 'ends_with', values: [secret] }],
	});
	assert.deepEqual([byTitle.found.earlierValues, byTitle.found.days.length], [1, 1]);
	const rest = await ask();
	assert.deepEqual(rest.rows[0], { '/ok': 4, '/old': 7 });

	await s.seal([{ websiteId: id, date: second }]);
	await deleteHiddenEvents(services);
	const isLeft = async () => {
		const rows = await clickhouse.rows<{ left: string }>(sql`
			SELECT value AS left FROM totals WHERE website_id = ${param('UInt32', id)} AND date = ${param('Date', first)} AND value LIKE '%@%'
			UNION ALL SELECT value FROM totals_imported WHERE website_id = ${param('UInt32', id)} AND value LIKE '%@%'`);
		return rows.length > 0;
	};
	assert.ok(await isLeft(), 'kept results may still be those from before');
	clock.now = new Date(clock.now.getTime() + dayMs);
	await deleteHiddenEvents(services);
	assert.ok(!(await isLeft()));
	// By now, results that were not used since are dropped.
	stats.results = createResultCache();
	assert.deepEqual(await ask(), rest);
});

const ofReferrers = (
	test: EventSelection['conditions'][number]['test'],
	...values: string[]
): EventSelection['conditions'] => [{ field: 'referrer', property: null, test, values }];

test('[C-HIDE-12] a filter on referrers removes the hosts of its referrers from sources', async (t) => {
	const s = await openSealing(t);
	const { postgres, clickhouse, clock } = s;
	clock.now = new Date('2026-06-10T12:00:00Z');
	const id = await s.website();
	const importId = await addImport(s, id);
	const stored = [
		...['jane-doe.example', 'Blog.Jane-Doe.example', 'www.jane-doe.example', 'notjane-doe.example'],
		...['jane-doe.example.org', 'Google', 'Jane Doe', 'google.com', ''],
	].map((value) => ({ dimension: 'source', value }));
	const rows = [
		...stored,
		{ dimension: 'referrer', value: 'www.jane-doe.example/about' },
		{ dimension: 'referrer', value: 'google.com' },
		{ dimension: 'page', value: '/jane-doe.example' },
		{ dimension: 'utm_source', value: 'jane-doe.example' },
	];
	await clickhouse.insert({
		table: 'totals_imported',
		lines: rows
			.map((row) => JSON.stringify({ website_id: id, import_id: importId, date: imported, views: 1, ...row }))
			.join('\n'),
		token: 'sources',
	});
	const left = async () => {
		const found = await clickhouse.rows<{ dimension: string; value: string }>(
			sql`SELECT dimension, value FROM totals_imported WHERE website_id = ${param('UInt32', id)}`,
		);
		return found.map(({ dimension, value }) => `${dimension} ${value}`).toSorted();
	};
	const find = async (conditions: EventSelection['conditions']) => {
		const { website } = await getStatsContext(postgres, { kind: 'nobody' }, { id, domain: '' });
		const selection = { conditions, from: null, to: null, untilMs: clock.now.getTime() };
		return findSelected({ postgres, clickhouse }, website, { selection, ruleId: null, name: null }, signal);
	};
	const expectedOf = ([condition]: EventSelection['conditions']) =>
		rows.filter((row) => condition && selectsValue(condition, row));
	const cases: [EventSelection['conditions'], number][] = [
		[ofReferrers('domain', 'jane-doe.example'), 4],
		// The source of `www.jane-doe.example` is `jane-doe.example`.
		[ofReferrers('domain', 'www.jane-doe.example'), 3],
		[ofReferrers('domain', 'blog.jane-doe.example', 'google.com'), 2],
		[ofReferrers('domain', 'google'), 1],
		[ofReferrers('domain', 'example'), 5],
		[ofReferrers('is', 'jane-doe.example', 'google'), 2],
		[ofReferrers('starts_with', 'www.'), 2],
		[ofReferrers('contains', 'jane'), 7],
		[ofReferrers('wildcard', '*jane*.org'), 1],
		[ofReferrers('ends_with', '.net'), 0],
	];
	for (const [conditions, count] of cases) {
		const { earlierValues } = await find(conditions);
		const values = new Set(expectedOf(conditions).map(({ value }) => value));
		assert.deepEqual([earlierValues, values.size], [count, count], JSON.stringify(conditions));
	}
	const [account] = await postgres.rows<{ id: number }>(
		sql`SELECT account_id AS id FROM websites WHERE id = ${value(id)}`,
	);
	const principal = { kind: 'account', accountId: account?.id ?? 0, isOperator: false } as const;
	const conditions = ofReferrers('domain', 'www.jane-doe.example');
	const found = await find(conditions);
	await postgres.transaction((tx) =>
		createDeletion(
			tx,
			{ now: () => clock.now, principal, websiteId: id },
			{ ...found, batch: 0, keepDays: 0 },
		),
	);
	assert.equal((await find(conditions)).earlierValues, 0);
	clock.now = new Date(clock.now.getTime() + dayMs);
	await deleteHiddenEvents(s.services);
	const gone = expectedOf(conditions);
	assert.deepEqual(
		await left(),
		rows
			.filter((row) => !gone.includes(row))
			.map(({ dimension, value }) => `${dimension} ${value}`)
			.toSorted(),
	);
});

/** An import of totals. */
async function addImport({ postgres, clock }: Awaited<ReturnType<typeof openSealing>>, id: number) {
	const [made] = await postgres.rows<{ id: number }>(sql`
		INSERT INTO imports (website_id, source, kind, file_name, state, created_at, zone, given, preview, total_rows)
		VALUES (${value(id)}, 'plausible', 'totals', 'export.zip', 'done', ${value(clock.now)}, 'UTC',
			${value(JSON.stringify(Object.fromEntries(['', ...dimensions].map((name) => [name, ['views']]))))}::jsonb, '{}', 3)
		RETURNING id`);
	return made?.id ?? 0;
}

/** A day that another product counted. */
async function importDay(s: Awaited<ReturnType<typeof openSealing>>, id: number) {
	const { postgres, clickhouse } = s;
	const counts = { [`${secret}`]: 2, '/old': 7 };
	const importId = await addImport(s, id);
	await postgres.run(sql`
		INSERT INTO imported_days (website_id, date, import_id) VALUES (${value(id)}, ${value(imported)}::date, ${value(importId)})`);
	const day = { website_id: id, import_id: importId, date: imported };
	const rows = [
		{ ...day, dimension: '', views: 9 },
		...Object.entries(counts).map(([path, views]) => ({ ...day, dimension: 'page', value: path, views })),
	];
	await clickhouse.insert({
		table: 'totals_imported',
		lines: rows.map((row) => JSON.stringify(row)).join('\n'),
		token: `imported ${importId}`,
	});
}
