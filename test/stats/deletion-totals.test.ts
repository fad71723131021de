import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventSelection } from '../../server/derive/hidden-events.ts';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { blankEvent } from '../../server/ingest/event.ts';
import { createDeletion, findSelected, lastBatch, undoDeletion } from '../../server/items/deletions.ts';
import { deleteHiddenEvents } from '../../server/jobs/delete-hidden-events.ts';
import { dayMs } from '../../server/lib/durations.ts';
import { answer } from '../../server/stats/answer/answer.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import type { Question } from '../../server/stats/question/question.ts';
import { getStatsContext } from '../../server/stats/question/stats-context.ts';
import { param, sql, value } from '../../server/store/sql.ts';
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
	const websiteNow = async () => (await getStatsContext(postgres, { id, domain: '' })).website;
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

/** A day that another product counted. */
async function importDay(
	{ postgres, clickhouse, clock }: Awaited<ReturnType<typeof openSealing>>,
	id: number,
) {
	const counts = { [`${secret}`]: 2, '/old': 7 };
	const [made] = await postgres.rows<{ id: number }>(sql`
		INSERT INTO imports (website_id, source, kind, file_name, state, created_at, zone, given, preview, total_rows)
		VALUES (${value(id)}, 'plausible', 'totals', 'export.zip', 'done', ${value(clock.now)}, 'UTC',
			${value(JSON.stringify(Object.fromEntries(['', ...dimensions].map((name) => [name, ['views']]))))}::jsonb, '{}', 3)
		RETURNING id`);
	const importId = made?.id ?? 0;
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
