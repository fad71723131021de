import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillEvents } from '../../bench/fill-events.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { openSealing } from '../support/sealing.ts';

type Stores = Awaited<ReturnType<typeof openSealing>>;

/** A day that is there without a batch: what matters is how much it has. */
const addDays = ({ postgres }: Stores, days: readonly SealDay[], size: number) =>
	postgres.run(sql`
		INSERT INTO days (website_id, date, last_batch, size)
		SELECT id, ${value(days[0]?.date)}::date, 1, ${value(size)}
		FROM unnest(${value(days.map(({ websiteId }) => websiteId))}::bigint[]) AS id`);

test('a thousand small websites are sealed by one statement, a large one in pieces; both within 700 MB', async (t) => {
	const s = await openSealing(t);
	const first = await s.website();
	await s.postgres.run(sql`
		WITH made AS (
			INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
			SELECT account_id, 'many' || n || '.example', 1, false, true, 'UTC', now(), now()
			FROM websites, generate_series(1, 999) AS n WHERE id = ${value(first)} RETURNING id
		)
		INSERT INTO website_zones SELECT id, '0001-01-01', 'UTC' FROM made`);
	const websites = await s.postgres.rows<{ id: number }>(sql`SELECT id FROM websites ORDER BY id`);
	const small = websites.map(({ id }) => ({ websiteId: id, date: '2026-10-01' }));
	await s.clickhouse.command(
		sql`
		INSERT INTO events (website_id, date, visitor_id, time, event_id, kind, path, source, country)
		SELECT ${param('UInt32', first)} + number % 1000, '2026-10-01', cityHash64(intDiv(number, 3000)),
			toDateTime64('2026-10-01 00:00:00', 3, 'UTC') + toIntervalSecond(intDiv(number, 1000)), number + 1, 'pageview',
			concat('/', toString(number % 17)), concat('source ', toString(number % 7)), ['DE', 'FR'][1 + number % 2]
		FROM numbers(60000)`,
		{ as: 'ingest' },
	);
	await addDays(s, small, 60);
	let began = performance.now();
	assert.equal((await s.seal(small)).length, 1_000);
	t.diagnostic(`1,000 websites with 60 events each: ${Math.round(performance.now() - began)} ms`);
	const [generations] = await s.postgres.rows<{ count: number }>(
		sql`SELECT count(DISTINCT generation) AS count FROM days`,
	);
	assert.equal(generations?.count, 1, 'all of them by one statement');

	const large = { websiteId: first, date: '2026-10-02' };
	await fillEvents(s.clickhouse, {
		...{ websiteId: first, from: large.date, days: 1 },
		events: 700_000,
		paths: 2_000,
	});
	await addDays(s, [large], 700_000);
	began = performance.now();
	assert.deepEqual(await s.seal([large]), [large]);
	t.diagnostic(`700,000 events: ${Math.round(performance.now() - began)} ms`);
	began = performance.now();
	assert.deepEqual(await s.seal([large], 'provisional'), [large]);
	t.diagnostic(`700,000 events, provisionally: ${Math.round(performance.now() - began)} ms`);
	assert.match(s.log(), /"pieces":3/);
	assert.equal(s.services.atOnce.events, 300_000, 'nothing was too much');
});

test('an engine with little memory is given smaller pieces until they fit, and the count is the same', async (t) => {
	const s = await openSealing(t, { TIDEMARK_ENGINE_MEMORY_MB: '256' });
	const day = { websiteId: await s.website(), date: '2026-10-02' };
	// In small steps: to fill it must fit as well.
	for (let from = 0; from < 350_000; from += 25_000)
		await s.clickhouse.command(
			sql`
			INSERT INTO events (website_id, date, visitor_id, time, event_id, kind, path, title, source)
			SELECT ${param('UInt32', day.websiteId)}, '2026-10-02', cityHash64(intDiv(number, 7)),
				toDateTime64('2026-10-02 00:00:00', 3, 'UTC') + toIntervalSecond(number % 7 * 60), number + 1, 'pageview',
				concat('/a/page/', toString(number % 2000)), concat('Its title ', toString(number % 2000)),
				concat('source ', toString(number % 300))
			FROM numbers(${param('UInt64', from)}, 25000)`,
			{ as: 'ingest' },
		);
	await addDays(s, [day], 350_000);
	assert.deepEqual(await s.seal([day]), [day]);
	assert.match(s.log(), /exceeded memory; retrying in smaller pieces/);
	assert.ok(s.services.atOnce.events < 300_000);
	t.diagnostic(`${s.services.atOnce.events} events at once`);
	const [row] = await s.days(day.websiteId);
	const [whole] = await s.totals(day.websiteId, day.date, row?.generation ?? 0);
	assert.deepEqual([whole?.views, whole?.visitors], ['350000', '50000']);
	assert.ok((await s.deadGenerations(day.websiteId)).length > 0, 'what was tried first is dead');
});
