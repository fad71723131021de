import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type VisitColumn, visitsOf } from '../../server/derive/visits.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { sql } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { randomEvents, shuffle } from '../support/visits-events.ts';
import { findVisits, sortVisits, type Visit } from '../support/visits-oracle.ts';

const eventsTable = ['0001_events', '0011_routes'].map((name) =>
	readFileSync(`migrations/clickhouse/${name}.sql`, 'utf8'),
);
const always = { from: '2026-01-01', to: '2026-12-31' };

let inserts = 0;

async function insert(clickhouse: ClickHouse, events: readonly Event[]): Promise<void> {
	if (events.length === 0) return;
	const lines = events.map((event) => JSON.stringify(event)).join('\n');
	await clickhouse.insert({ table: 'events', lines, token: `visits ${++inserts}` });
}

test('every random visitor has the visits that a count by hand finds, before and after merges', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of eventsTable) await clickhouse.script(migration);
	const cases = sample('VISITS_CASES', 100, 300);
	const { seed } = seededRandom();
	t.diagnostic(`${cases} cases, SEED=${seed}`);

	// Each case has websites 10 n and 10 n + 1; an engagement that went astray names the second.
	const made = Array.from({ length: cases }, (_, index) => {
		const websiteId = 10 * (index + 1);
		const random = seededRandom(seed + index);
		const events = [randomEvents(random, websiteId), randomEvents(random, websiteId + 1)].flat();
		return { seed: seed + index, websiteIds: [websiteId, websiteId + 1], events, visits: findVisits(events) };
	});

	async function compare(of: typeof made, settings: Record<string, number>): Promise<void> {
		const asked = visitsOf({ ...always, websiteIds: of.flatMap(({ websiteIds }) => websiteIds) });
		const found = Map.groupBy(await clickhouse.rows<Visit>(asked, { settings }), (visit) =>
			Math.floor(Number(visit.website_id) / 10),
		);
		for (const [websiteId = 0, one] of of.map((one) => [one.websiteIds[0], one] as const))
			assert.deepEqual(
				sortVisits(found.get(websiteId / 10) ?? []),
				one.visits,
				`SEED=${one.seed} VISITS_CASES=1`,
			);
	}

	const random = seededRandom(seed);
	let mostParts = 0;
	for (let from = 0; from < cases; from += 50) {
		const group = made.slice(from, from + 50);
		const blocks: Event[][] = [[], [], [], [], []];
		for (const event of shuffle(
			random,
			group.flatMap(({ events }) => events),
		))
			random.pick(blocks).push(event);
		for (const block of blocks) await insert(clickhouse, block);
		mostParts = Math.max(mostParts, await partsOfBusiestMonth(clickhouse));
		await compare(group, {});
		// Rows reach windows, joins and groups in other blocks and on other threads.
		await compare(group, { max_block_size: random.pick([1, 7, 100]), max_threads: random.pick([1, 2]) });
	}
	const visits = made.flatMap((one) => one.visits);
	t.diagnostic(
		`${made.flatMap(({ events }) => events).length} events, ${visits.length} visits, up to ${mostParts} parts a month`,
	);
	assert.ok(mostParts > 1, 'All rows lay in one part from the beginning.');

	await clickhouse.command(sql`OPTIMIZE TABLE events FINAL`);
	assert.equal(await partsOfBusiestMonth(clickhouse), 1);
	await compare(made, {});

	await t.test('of some dates, websites and columns too', async () => {
		for (let round = 0; round < 20; round++) {
			const { websiteIds, visits } = random.pick(made);
			const websiteId = websiteIds[random.whole(2)] ?? 0;
			const dates = visits.map(({ date }) => String(date)).toSorted();
			const [from = '2026-01-01', to = '2026-01-01'] = [
				random.pick(['2026-01-01', ...dates]),
				random.pick(['2026-01-01', ...dates]),
			].toSorted();
			const columns = shuffle(random, [
				'start',
				'paths',
				'country',
				'views',
				'entry_path',
				'engaged_ms',
			] as const).slice(0, random.whole(7));
			const rows = await clickhouse.rows<Visit>(
				visitsOf({ websiteIds: [websiteId], from, to, columns: columns }),
			);
			const expected = visits
				.filter(
					(visit) => visit.website_id === websiteId && from <= String(visit.date) && String(visit.date) <= to,
				)
				.map((visit) => only(visit, columns));
			assert.deepEqual(sorted(rows), sorted(expected));
		}
	});
});

const only = (visit: Visit, columns: readonly VisitColumn[]): Visit =>
	Object.fromEntries(['website_id', 'date', 'visitor_id', ...columns].map((name) => [name, visit[name]]));
const sorted = (visits: readonly Visit[]) =>
	visits.map((visit) => JSON.stringify(Object.entries(visit).toSorted())).toSorted();

async function partsOfBusiestMonth(clickhouse: ClickHouse): Promise<number> {
	const [row] = await clickhouse.rows<{ parts: string }>(sql`
		SELECT max(parts) AS parts FROM (
			SELECT count() AS parts FROM system.parts
			WHERE database = 'tidemark' AND table = 'events' AND active GROUP BY partition
		)`);
	return Number(row?.parts);
}

type Told = Partial<Event> & { at: string };

const view = (at: string, more: Partial<Event> = {}): Told => ({ at, ...more });
const custom = (at: string, more: Partial<Event> = {}): Told => ({
	at,
	kind: 'custom',
	name: 'signup',
	...more,
});
const engagement = (at: string, page: string, more: Partial<Event> = {}): Told => ({
	at,
	kind: 'engagement',
	page_event_id: page,
	engaged_ms: 4_000,
	scroll: 50,
	...more,
});

/** Visits as one line each: start, seconds, page views, custom events, engaged milliseconds, way, source. */
const stories: { rule: string; events: Told[]; visits: string[] }[] = [
	{
		rule: 'a gap of 29:59.999 is within a visit',
		events: [view('10:00:00.000'), view('10:29:59.999')],
		visits: ['10:00:00.000 1799 2 0 0 /→/ direct'],
	},
	{
		rule: 'a gap of 30:00.000 begins a visit',
		events: [view('10:00:00.000'), view('10:30:00.000')],
		visits: ['10:00:00.000 0 1 0 0 /→/ direct', '10:30:00.000 0 1 0 0 /→/ direct'],
	},
	{
		rule: 'a visit may last for hours while no gap does',
		events: [view('10:00:00.000'), custom('10:29:00.000'), view('10:58:00.000'), view('11:27:00.000')],
		visits: ['10:00:00.000 5220 3 1 0 /→/ direct'],
	},
	{
		rule: 'midnight ends a visit, whatever the visitor is called',
		events: [
			view('22:59:59.000', { date: '2026-11-15' }),
			view('23:00:01.000', { date: '2026-11-16', source: 'internal' }),
		],
		visits: ['22:59:59.000 0 1 0 0 /→/ direct', '23:00:01.000 0 1 0 0 /→/ internal'],
	},
	{
		rule: 'engagement is added to its page view and bridges no gap',
		events: [
			view('10:00:00.000', { event_id: '7' }),
			engagement('10:20:00.000', '7'),
			engagement('10:40:00.000', '7', { scroll: 20 }),
			view('10:50:00.000'),
		],
		visits: ['10:00:00.000 0 1 0 8000 /→/ direct', '10:50:00.000 0 1 0 0 /→/ direct'],
	},
	{
		rule: 'engagement without its page view counts nowhere',
		events: [
			engagement('09:00:00.000', '99', { visitor_id: '6' }),
			view('10:00:00.000', { event_id: '7' }),
			engagement('10:01:00.000', '8'),
			engagement('10:01:00.000', '7', { visitor_id: '6' }),
			engagement('10:01:00.000', '7', { date: '2026-11-16' }),
			custom('10:02:00.000', { event_id: '9' }),
			engagement('10:03:00.000', '9'),
		],
		visits: ['10:00:00.000 120 1 1 0 /→/ direct'],
	},
	{
		rule: 'what a visit was entered with is its first page view, though a custom event came before',
		events: [
			custom('10:00:00.000', { path: '/c', source: 'wrong' }),
			view('10:00:01.000', { path: '/in', source: 'right' }),
			view('10:00:02.000', { path: '/out', source: 'wrong' }),
			custom('10:00:03.000', { path: '/c', source: 'wrong' }),
		],
		visits: ['10:00:00.000 3 2 2 0 /in→/out right'],
	},
	{
		rule: 'a visit without page views takes its first and last event',
		events: [custom('10:00:00.000', { path: '/1', source: 'first' }), custom('10:00:09.000', { path: '/2' })],
		visits: ['10:00:00.000 9 0 2 0 /1→/2 first'],
	},
	{
		rule: 'equal times are ordered by event id, as numbers',
		events: [
			view('10:00:00.000', { event_id: '10', path: '/later', source: 'wrong' }),
			view('10:00:00.000', { event_id: '9', path: '/earlier', source: 'right' }),
		],
		visits: ['10:00:00.000 0 2 0 0 /earlier→/later right'],
	},
	{
		rule: 'an event that is there twice counts twice, and its visit once',
		events: [
			view('10:00:00.000', { event_id: '7' }),
			view('10:00:00.000', { event_id: '7' }),
			engagement('10:01:00.000', '7'),
		],
		visits: ['10:00:00.000 0 2 0 4000 /→/ direct'],
	},
	{
		rule: 'visitor 0 makes no visit',
		events: [view('10:00:00.000', { visitor_id: '0' })],
		visits: [],
	},
];

test('a visit is what its definition says', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of eventsTable) await clickhouse.script(migration);
	for (const [index, { rule, events, visits }] of stories.entries()) {
		const told = events.map(({ at, ...event }, nth) => ({
			...blankEvent,
			website_id: index + 1,
			visitor_id: '5',
			date: '2026-11-15',
			time: `2026-11-15 ${at}`,
			event_id: String(100 + nth),
			path: '/',
			source: 'direct',
			...event,
		}));
		await insert(clickhouse, told.toReversed());
		const rows = await clickhouse.rows<Visit>(visitsOf({ ...always, websiteIds: [index + 1] }));
		assert.deepEqual(
			sortVisits(rows).map(
				({ start, seconds, views, events, engaged_ms, entry_path, exit_path, source }) =>
					`${String(start).slice(11)} ${seconds} ${views} ${events} ${engaged_ms} ${entry_path}→${exit_path} ${source}`,
			),
			visits,
			rule,
		);
	}
});

test('one visitor with 100,000 events in a day takes no more than many with few', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of eventsTable) await clickhouse.script(migration);
	// A page view and its engagement every second; an hour is missing in the middle.
	await clickhouse.command(sql`
		INSERT INTO events (website_id, date, visitor_id, time, event_id, kind, path, page_event_id, engaged_ms)
		SELECT
			1, '2026-11-15', 5,
			toDateTime64('2026-11-15 00:00:00', 3, 'UTC') + toIntervalSecond(intDiv(number, 2) + if(number >= 40000, 3600, 0)),
			number + 1,
			if(number % 2 = 0, 'pageview', 'engagement'),
			'/',
			if(number % 2 = 0, 0, number),
			if(number % 2 = 0, 0, 100)
		FROM numbers(100000)`);
	const rows = await clickhouse.rows<Visit>(visitsOf({ ...always, websiteIds: [1] }), {
		settings: { max_memory_usage: '200000000' },
	});
	assert.deepEqual(
		sortVisits(rows).map(({ start, seconds, views, engaged_ms }) => ({ start, seconds, views, engaged_ms })),
		[
			{ start: '2026-11-15 00:00:00.000', seconds: 19_999, views: 20_000, engaged_ms: '2000000' },
			{ start: '2026-11-15 06:33:20.000', seconds: 29_999, views: 30_000, engaged_ms: '3000000' },
		],
	);
});
