/**
 * The overview of 400 websites over 90 days with the 90 before: sealed days from totals, today from events, and the day that
 * corresponds to today up to the same time. The service's own time, and what of it the engine and this process worked. Then
 * 90 days alone: without a filter, and with a filter or a goal, which read visits, beside a bare scan of the same columns.
 *
 * npm run bench -- overview [websites, 400 unless said otherwise] [events of a website today, 1,000 unless said otherwise] [runs, 60]
 */
import { standardMetrics } from '../api/stats.ts';
import { createOpenDays } from '../server/derive/open-days.ts';
import { addDays } from '../server/lib/local-dates.ts';
import { createLog } from '../server/lib/log.ts';
import { createOverviews, type OverviewQuestion } from '../server/stats/overview/overview.ts';
import type { Filter } from '../server/stats/question/question.ts';
import { param, type Sql, sql, value } from '../server/store/sql.ts';
import { openSealing } from '../test/support/sealing.ts';
import { cpuMs } from './cpu.ts';
import { fillEvents } from './fill-events.ts';
import { printTable } from './table.ts';

const websites = Number(process.argv[2] ?? 400);
const eventsToday = Number(process.argv[3] ?? 1_000);
const days = 180;
const visitsADay = 40;
/** Rows of totals a day, beside the one of the whole. */
const valuesADay = 150;
const runs = Number(process.argv[4] ?? 60);

const ending: (() => Promise<void>)[] = [];
const s = await openSealing(
	{ after: (work) => void ending.push(work) },
	{ TIDEMARK_ENGINE_MEMORY_MB: '1024' },
);
const { postgres, clickhouse } = s;
const today = '2026-11-15';
s.clock.now = new Date(`${today}T15:00:00.000Z`);

const engineMs = () => cpuMs(s.enginePid());

/** So many events for each website, by way of one that is nobody's. */
async function spread(ids: readonly number[], date: string, events: number): Promise<void> {
	const nobodys = 4_000_000_000;
	await fillEvents(clickhouse, {
		websiteId: nobodys,
		from: date,
		days: 1,
		events: events * ids.length,
		paths: 50,
	});
	await clickhouse.command(
		sql`
		INSERT INTO events
		SELECT * REPLACE (${param('Array(UInt32)', ids)}[1 + cityHash64(visitor_id) % ${param('UInt32', ids.length)}] AS website_id)
		FROM (SELECT * FROM events WHERE website_id = ${param('UInt32', nobodys)} AND date = ${param('Date', date)})`,
		{ as: 'ingest' },
	);
}

try {
	const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'];
	const ids: number[] = [];
	while (ids.length < websites)
		ids.push(await s.website([{ from: '0001-01-01', zone: zones[ids.length % zones.length] ?? 'UTC' }]));
	const [account] = await postgres.rows<{ id: number }>(sql`SELECT id FROM accounts`);

	// Sealed days: their totals as they would be, a generation a date.
	for (let day = 1; day < days; day++) {
		const date = addDays(today, -day);
		await clickhouse.command(
			sql`
			INSERT INTO totals (website_id, dimension, date, generation, value, visitors, visits, bounces, seconds, views, visit_views)
			SELECT
				${param('Array(UInt32)', ids)}[1 + intDiv(number, ${param('UInt32', valuesADay)})], if(number % ${param('UInt32', valuesADay)} = 0, '', concat('d', toString(number % 25))),
				${param('Date', date)}, ${param('UInt64', day)}, if(number % ${param('UInt32', valuesADay)} = 0, '', toString(number % ${param('UInt32', valuesADay)})),
				rand(1) % 500, rand(2) % 600, rand(3) % 200, rand(4) % 90000, rand(5) % 2000, rand(5) % 2000
			FROM numbers(${param('UInt64', websites * valuesADay)})`,
			{ as: 'ingest' },
		);
		await clickhouse.command(
			sql`
			INSERT INTO visits (website_id, date, generation, visitor_id, is_only, start, seconds, views, events, is_bounce, country, kinds, names, paths)
			SELECT
				${param('Array(UInt32)', ids)}[1 + intDiv(number, ${param('UInt32', visitsADay)})], ${param('Date', date)}, ${param('UInt64', day)},
				1 + cityHash64(number), 1, toDateTime64(${param('Date', date)}, 3, 'UTC'), rand(1) % 600, 1, 1, rand(2) % 2,
				['DE', 'FR', 'US', 'GB', 'NL', 'PL', 'IT', 'ES'][1 + rand(3) % 8], ['pageview', 'custom'],
				['pageview', if(rand(4) % 10 = 0, 'signup', 'click')], [concat('/', toString(rand(5) % 50)), '/']
			FROM numbers(${param('UInt64', websites * visitsADay)})`,
			{ as: 'ingest' },
		);
		await postgres.run(sql`
			INSERT INTO days (website_id, date, last_batch, sealed_batch, generation, size)
			SELECT id, ${value(date)}::date, 1, 1, ${value(day)}, 1000 FROM unnest(${value(ids)}::bigint[]) AS id`);
	}
	// Today, and the date that corresponds to it, whose visits are counted up to the same time.
	const corresponding = addDays(today, -90);
	await spread(ids, today, eventsToday);
	await spread(ids, corresponding, 1_000);
	await postgres.run(sql`
		INSERT INTO days (website_id, date, last_batch, size)
		SELECT id, ${value(today)}::date, 1, ${value(eventsToday)} FROM unnest(${value(ids)}::bigint[]) AS id`);
	await postgres.run(
		sql`UPDATE days SET last_batch = 0, generation = 0 WHERE date = ${value(corresponding)}::date`,
	);
	await s.seal(ids.map((websiteId) => ({ websiteId, date: corresponding })));

	const overviews = createOverviews({ postgres, now: () => s.clock.now });
	await postgres.run(sql`
		INSERT INTO goals (website_id, revision, name, kind, pattern, created_at, updated_at)
		SELECT id, id, 'Signup', 'event', 'signup', now(), now() FROM unnest(${value(ids)}::bigint[]) AS id`);
	const log = createLog('warn', (line) => console.error(line));
	const openDays = createOpenDays({ postgres, clickhouse, now: () => s.clock.now, log });
	ending.push(() => openDays.close());
	const question: OverviewQuestion = {
		websites: { accountId: account?.id ?? 0, websiteIds: null, search: undefined, favorite: undefined },
		time: {
			...{ period: 'custom', from: addDays(today, -89), to: today },
			compare: { kind: 'previous', matchWeekdays: false },
		},
		metrics: standardMetrics,
		filter: null,
		goal: null,
	};
	const { signal } = new AbortController();
	const table: (string | number)[][] = [];
	const touch = (count: number) =>
		postgres.run(sql`
			UPDATE days SET last_batch = last_batch + 1
			WHERE date = ${value(today)}::date AND website_id = ANY(${value(ids.slice(0, count))})`);
	const read = (overviewQuestion: OverviewQuestion) =>
		overviews.read(overviewQuestion, { clickhouse, openDays }, signal);
	const measure = async (
		what: string,
		times: number,
		before: () => Promise<unknown>,
		work: () => Promise<unknown> = () => read(question),
	) => {
		const all: number[] = [];
		let [engine, own] = [0, 0];
		for (let n = 0; n < times; n++) {
			await before();
			const [cpu, user, began] = [engineMs(), process.cpuUsage(), performance.now()];
			await work();
			all.push(performance.now() - began);
			engine += engineMs() - cpu;
			own += process.cpuUsage(user).user / 1000;
		}
		all.sort((a, b) => a - b);
		const percentileOf = (part: number) => Math.round(all[Math.floor(part * (all.length - 1))] ?? 0);
		table.push([
			what,
			percentileOf(0),
			percentileOf(0.5),
			percentileOf(0.95),
			Math.round(engine / times),
			Math.round(own / times),
		]);
		console.error(`${what}: ${percentileOf(0.5)} ms`);
	};
	await measure('the first time', 1, async () => undefined);
	await measure('nothing came since', runs, async () => undefined);
	await measure('something came to 40 websites', runs, () => touch(40));
	await measure('something came to all of them', Math.round(runs / 4), () => touch(websites));
	const idle = async () => undefined;
	const alone = { ...question, time: { ...question.time, compare: null } };
	const country: Filter = { kind: 'test', dimension: { name: 'country' }, test: 'is', values: ['DE'] };
	const scan = (columns: Sql) => () =>
		clickhouse.ask(sql`
			SELECT ${columns} FROM visits WHERE website_id IN ${param('Array(UInt32)', ids)}
				AND date BETWEEN ${param('Date', addDays(today, -89))} AND ${param('Date', today)}`);
	const counted = sql`uniq(visitor_id), sum(is_only), sum(views), sum(is_bounce), sum(seconds), max(generation), max(date)`;
	const few = Math.max(5, Math.round(runs / 4));
	await measure('90 days', runs, idle, () => read(alone));
	await measure('90 days, by country', few, idle, () => read({ ...alone, filter: country }));
	await measure('bare scan: country', few, idle, scan(sql`${counted}, countIf(country = 'DE')`));
	await measure('90 days, with a goal', few, idle, () =>
		read({ ...alone, goal: 'Signup', metrics: [...alone.metrics, 'conversion_rate'] }),
	);
	await measure(
		'bare scan: goal',
		few,
		idle,
		scan(sql`${counted}, countIf(has(names, 'signup')), countIf(has(kinds, 'custom'))`),
	);
	printTable(
		[
			`${websites} websites, 90 and 90 days`,
			'least ms',
			'median ms',
			'p95 ms',
			'engine cpu ms',
			'own cpu ms',
		],
		table,
	);
} finally {
	for (const work of ending.reverse()) await work();
}
