import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Event } from '../../server/ingest/event.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import {
	type Filter,
	openPublicStatistics,
	type Page,
	type TableRow,
	type Values,
} from '../support/public-statistics.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { storeEvents } from '../support/stored-events.ts';

const { w, owner, anybody } = await openPublicStatistics({ after });

/**
 * An attacker asks two questions of one period that differ by one value or one test of the filter, and takes one number from the
 * other.
 * SEED repeats a run; SHARE_PAIRS says how many pairs.
 */
const pairs = sample('SHARE_PAIRS', 4, 60);
const random = seededRandom();
const dates = ['2026-11-06', '2026-11-07', '2026-11-08'];
const kinds = {
	country: ['DE', 'AT', 'CH'],
	browser: ['Firefox', 'Chrome'],
	os: ['Linux', 'macOS'],
	language: ['de', 'en'],
	source: ['', 'Google', 'Bing'],
	page: ['/a', '/b', '/c'],
	event: ['buy', 'sign up'],
	hour: ['9', '10', '12'],
} as const;
type Kind = keyof typeof kinds;
const ofVisits: readonly Kind[] = ['country', 'browser', 'os', 'language', 'source', 'hour'];
/** What an event has itself: vitals can be filtered by it. */
const ofEvents: readonly string[] = ['country', 'browser', 'os', 'page'];

/** One day of one visitor: a visit or two, which may come from different sources. */
function randomVisits(visitor: number): (Partial<Event> & { date: string })[] {
	const visitorDate = random.pick(dates);
	const common = {
		date: visitorDate,
		visitor_id: String(visitor),
		country: random.pick(kinds.country),
		browser: random.pick(kinds.browser),
		os: random.pick(kinds.os),
		language: random.pick(kinds.language),
		region: random.pick(['BE', 'BB', 'W']),
		city: random.pick(['Berlin', 'Werder', 'Wien', 'Graz']),
	};
	// Now is 12:40 on the last of the dates.
	const hours = random.whole(3) === 0 ? [9, 12] : [random.pick([9, 10, 12])];
	return hours.flatMap((hour) => {
		const source = random.pick(kinds.source);
		return Array.from({ length: 1 + random.whole(3) }, (_, n) => {
			const time = `${visitorDate} ${String(hour).padStart(2, '0')}:${String(2 + n * 3).padStart(2, '0')}:00.000`;
			const event = { ...common, source, time, path: random.pick(kinds.page) };
			const kind = random.pick(['pageview', 'pageview', 'custom', 'vital'] as const);
			if (kind === 'custom') return { ...event, kind, name: random.pick(kinds.event) };
			return kind === 'vital' ? { ...event, kind, name: kind, lcp_ms: 900 } : event;
		});
	});
}

type Test = { word: 'is' | 'is_not'; dimension: Kind; values: readonly string[] };
type Tests = { word: 'and' | 'or'; tests: readonly Test[] };

const write = ({ word, tests }: Tests): Filter | undefined => {
	const parts = tests.map(({ word: test, dimension, values }): Filter => [test, dimension, values]);
	return parts.length > 1 ? [word, ...parts] : parts[0];
};
const countOf = (tests: readonly Test[], of: readonly string[]) =>
	tests.filter(({ dimension }) => of.includes(dimension)).length;

function randomTest(tests: readonly Test[]): Test {
	const free = countOf(tests, ofVisits) < 2 ? ofVisits : (['page', 'event'] as const);
	const dimension = random.pick(random.whole(4) === 0 ? (['page', 'event'] as const) : free);
	return {
		word: random.pick(['is', 'is', 'is_not'] as const),
		dimension,
		values: [random.pick(kinds[dimension])],
	};
}

/** A filter, and the same with one value more: in one of its tests, or as another test. */
function randomPair(): [Tests, Tests] {
	const word = random.pick(['and', 'and', 'or'] as const);
	const tests: Test[] = [];
	for (let n = random.whole(3); n > 0; n--) tests.push(randomTest(tests));
	const less = { word, tests };
	const grown = tests[random.whole(Math.max(1, tests.length))];
	const value = grown && kinds[grown.dimension].find((one) => !grown.values.includes(one));
	if (!grown || value === undefined || random.whole(2) === 0)
		return [less, { word, tests: [...tests, randomTest(tests)] }];
	const more = { ...grown, values: [...grown.values, value] };
	return [less, { word, tests: tests.map((test) => (test === grown ? more : test)) }];
}

/** Every number of visitors and visits that an answer shows, by what it is of. */
type Numbers = Map<string, number>;

function numbersOf({ data }: Page): Numbers {
	const numbers: Numbers = new Map();
	const add = (name: string, values: Values) => {
		for (const metric of ['visitors', 'visits', 'conversions', 'unique_conversions'] as const) {
			const value = values[metric];
			if (typeof value === 'number') numbers.set(`${metric} ${name}`, value);
			// What is not shown says so, and nothing of it is left.
			else if (metric === 'visitors') assert.deepEqual([values.fewer_than, values.visits], [3, null], name);
		}
	};
	for (const [name, whole] of [
		['', data],
		['compared', data.compared],
	] as const) {
		if (!whole) continue;
		add(`${name} in all`, whole.totals);
		for (const point of whole.series) add(`${name} at ${point.time}`, point);
	}
	for (const { dimension, rows } of data.breakdowns)
		for (const row of rows) if (!row.other) add(`by ${dimension} ${row.value}`, row);
	return numbers;
}

const isFew = (count: number) => Math.abs(count) === 1 || Math.abs(count) === 2;

/** The numbers of one answer among themselves. */
function assertSafe({ data }: Page, isFiltered: boolean, what: string): void {
	const sum = (of: readonly Values[], metric: 'visitors' | 'visits') =>
		of.reduce((all, values) => all + (values[metric] ?? 0), 0);
	for (const whole of isFiltered ? [data, data.compared] : []) {
		if (!whole || whole.totals.visits === null) {
			for (const point of whole?.series ?? []) assert.equal(point.visitors, null, what);
			continue;
		}
		assert.ok(!isFew(whole.totals.visitors ?? 0), `in all ${whole.totals.visitors}: ${what}`);
		for (const [day, points] of [
			['', whole.series],
			...Map.groupBy(whole.series, ({ time }) => time.slice(0, 10)),
		] as const)
			for (const { visitors, visits, time } of points) {
				assert.ok(!isFew(visitors ?? 0), `at ${time} ${visitors}: ${what}`);
				if (day === '') assert.ok(!isFew(whole.totals.visits - (visits ?? 0)), `but ${time}: ${what}`);
			}
		assert.ok(!isFew(whole.totals.visits - sum(whole.series, 'visits')), `but all points: ${what}`);
	}
	for (const { dimension, rows, fewer_than } of data.breakdowns) {
		const isPlace = dimension === 'city' || dimension === 'region';
		if (!isFiltered && !isPlace) continue;
		const { visitors: all, visits } = data.totals;
		if (all === null || visits === null) {
			assert.deepEqual([rows.length, fewer_than], [0, 3], what);
			continue;
		}
		const shown = rows.filter(({ other }) => !other);
		for (const { value, visitors, other } of rows) {
			assert.ok(!isFew(visitors ?? 0), `${dimension} ${value} ${visitors}: ${what}`);
			if (!other)
				assert.ok(!isFew(all - (visitors ?? 0)), `but ${dimension} ${value} ${visitors} of ${all}: ${what}`);
		}
		if (!['page', 'event'].includes(dimension) && rows.length > 0)
			assert.ok(!isFew(visits - sum(shown, 'visits')), `but all of ${dimension}: ${what}`);
	}
}

test(`[C-PUB-4][T54] no two questions that differ by one filter value differ by one or two people (SEED=${random.seed})`, async (t) => {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('p') } }), 201);
	const events = Array.from({ length: 90 }, (_, visitor) => randomVisits(visitor + 1)).flat();
	await storeEvents(
		w,
		id,
		events.map((event, n) => ({ ...event, event_id: String(n + 1) })),
	);
	const made = async (what: string, json: object) => {
		const answer = await owner.api('POST', `/websites/${id}/${what}`, { json });
		assert.equal(answer.status, 201, answer.text);
		return (answer.json as { data: { id: number } }).data.id;
	};
	const goal = await made('goals', { name: 'Buy', kind: 'event', pattern: 'buy' });
	const funnel = await made('funnels', { name: 'Way', steps: [{ page: '/a' }, { page: '/b' }] });
	const periods: Record<string, string>[] = [
		{ period: 'custom', from: '2026-11-06', to: '2026-11-08', interval: 'day' },
		{ period: 'custom', from: '2026-11-06', to: '2026-11-07', interval: 'hour' },
		{ period: 'today', interval: 'hour' },
		{ period: '24h', interval: 'day', compare: 'previous' },
		{
			period: '7d',
			interval: 'day',
			compare: 'custom',
			compare_from: '2026-11-06',
			compare_to: '2026-11-07',
		},
	];
	const dimensions = [...Object.keys(kinds), 'weekday', 'entry_page', 'city', 'region', 'goal'];
	const get = async <Of>(path: string, query: Record<string, string>): Promise<Of> => {
		const answer = await anybody('GET', `/websites/${id}/${path}?${new URLSearchParams(query)}`);
		assert.equal(answer.status, 200, answer.text);
		// Its shape is what the tests of its route are about.
		return answer.json as Of;
	};
	type About = { period: Record<string, string>; what: Record<string, string>; by: readonly string[] };
	/** Part by part, so that each has its five seconds. */
	const ask = async (tests: Tests, { period, what, by }: About): Promise<Numbers> => {
		const filters = write(tests);
		const { interval: _, compare, compare_from, compare_to, ...dates } = period;
		const query = { ...dates, ...(filters && { filters: JSON.stringify(filters) }) };
		const page = await get<Page>('stats', { ...period, ...query, ...what });
		page.data.breakdowns = [];
		for (const dimension of by) {
			const { data: rows, meta } = await get<{ data: TableRow[]; meta: { total: number; fewer_than?: 3 } }>(
				`stats/${dimension}`,
				{ ...query, ...what, per_page: '50' },
			);
			page.data.breakdowns.push({ ...meta, dimension, rows });
		}
		assertSafe(page, filters !== undefined, JSON.stringify([filters, period, what]));
		const numbers = numbersOf(page);
		const { data } = await get<{ data: { steps: { step: number; visitors: number | null }[] } }>(
			`funnels/${funnel}/stats`,
			query,
		);
		for (const { step, visitors } of data.steps) if (visitors !== null) numbers.set(`step ${step}`, visitors);
		if (tests.tests.every(({ dimension }) => ofEvents.includes(dimension))) {
			const vitals = await get<{
				data: { name: string; samples: number; fewer_than?: 3; pages: { page: string; samples: number }[] }[];
			}>('vitals', query);
			for (const { name, samples, fewer_than, pages } of vitals.data) {
				if (!fewer_than) numbers.set(`vital ${name}`, samples);
				for (const { page: path, samples: its } of pages) numbers.set(`vital ${name} ${path}`, its);
			}
		}
		return numbers;
	};
	let compared = 0;
	for (let n = 0; n < pairs; n++) {
		const [less, more] = randomPair();
		const period = random.pick(periods);
		const by = [...new Set([1, 2].map(() => random.pick(dimensions)))];
		const hasGoal = more.tests.flatMap(({ values }) => values).length < 3 && random.whole(2) === 0;
		const what: Record<string, string> = hasGoal
			? { goal: String(goal), metrics: 'visitors,visits,conversions,unique_conversions' }
			: { metrics: 'visitors,visits' };
		const about = { period, what, by };
		const [one, two, all] = [
			await ask(less, about),
			await ask(more, about),
			await ask({ word: 'and', tests: [] }, about),
		];
		// Without a whole test, which may have several values.
		const shorter = more.tests.length > 1 ? await ask({ ...more, tests: more.tests.slice(1) }, about) : all;
		for (const [first, second] of [
			[one, two],
			[one, all],
			[two, all],
			[two, shorter],
		] as const)
			for (const [name, number] of first) {
				const other = second.get(name);
				if (other === undefined) continue;
				compared++;
				assert.ok(
					!isFew(number - other),
					`${name}: ${number} and ${other}, of ${JSON.stringify([write(less), write(more), about])}`,
				);
			}
	}
	t.diagnostic(`${pairs} pairs, ${compared} numbers compared`);
	assert.ok(compared > 5 * pairs, String(compared));
});
