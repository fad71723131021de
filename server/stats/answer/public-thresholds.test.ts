import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '../../../test/support/random.ts';
import { sample } from '../../../test/support/sample.ts';
import { toZones } from '../../websites/zones.ts';
import { type Counts, noCounts } from '../question/metrics.ts';
import type { Filter, Question } from '../question/question.ts';
import { questionsForShare, refuseForShares } from '../question/shared-questions.ts';
import { choose, hideSmallGroups, isSafe, type Size, type Sizes } from './public-thresholds.ts';
import { type StatsAnswer, toValues } from './shape.ts';

const visitors = (count: number): Size => ({ visitors: count, visits: count, views: count });
const sizes = (...counts: number[]): Sizes => counts.map(visitors);

test('[C-PUB-4][T54] a number is safe when it and what it leaves are none or at least 3', () => {
	// Without the filter, and with it.
	for (const [all, selected, expected] of [
		[10, 0, true],
		[10, 3, true],
		[10, 7, true],
		[10, 10, true],
		[10, 1, false],
		[10, 2, false],
		[10, 8, false],
		[10, 9, false],
		[2, 2, false],
		[0, 0, true],
	] as const)
		assert.equal(isSafe(sizes(all, selected)), expected, `${selected} of ${all}`);
	// What is not known cannot be compared.
	assert.equal(isSafe([null, visitors(5)]), false);
	assert.equal(isSafe([visitors(9), null]), false);
});

test('[C-PUB-4][T54] visits and views tell as much as visitors', () => {
	const all = { visitors: 9, visits: 12, views: 20 };
	assert.equal(isSafe([all, all]), true);
	assert.equal(isSafe([all, { ...all, visits: 11 }]), false);
	assert.equal(isSafe([all, { ...all, views: 18 }]), false);
	assert.equal(isSafe([all, { ...all, views: 17 }]), true);
});

test('[C-PUB-4][T54] a number is compared with every weaker filter, and with what several of them leave', () => {
	// By bits: nothing, the first value, the second, both.
	assert.equal(isSafe(sizes(40, 20, 15, 10)), true);
	assert.equal(isSafe(sizes(40, 11, 15, 10)), false);
	assert.equal(isSafe(sizes(40, 20, 12, 10)), false);
	// 40 - 25 - 24 + 10: one visitor meets neither.
	assert.equal(isSafe(sizes(40, 25, 24, 10)), false);
	// Of three: 8 in all, 7 of them without the third value.
	assert.equal(isSafe(sizes(60, 30, 30, 15, 30, 15, 15, 7)), true);
	assert.equal(isSafe(sizes(60, 30, 30, 8, 30, 15, 15, 7)), false);
	// Everybody sees the number of now as well.
	assert.equal(isSafe(sizes(20, 10), visitors(12)), false);
	assert.equal(isSafe(sizes(20, 10), visitors(23)), true);
	assert.equal(isSafe(sizes(20, 10), null), false);
	// Either of two values: 11 of 12 meet one of them, whatever came since.
	assert.equal(isSafe(sizes(12, 5, 6, 11), visitors(40)), false);
	assert.equal(isSafe(sizes(20, 5, 6, 11), visitors(40)), true);
	// Either of two values, and a third: 6 of 8 that meet the third.
	assert.equal(isSafe(sizes(60, 20, 20, 40, 8, 3, 3, 6)), false);
	assert.equal(isSafe(sizes(60, 20, 20, 40, 9, 3, 3, 6)), true);
});

test('[C-PUB-7][T54] rows that are left out stay unknown together', () => {
	const totalSizes = sizes(40, 20);
	const items = [
		{ totalSizes, sizes: sizes(15, 9) },
		{ totalSizes, sizes: sizes(10, 7) },
		{ totalSizes, sizes: sizes(9, 3) },
		{ totalSizes, sizes: sizes(6, 1) },
	];
	// 1 is left: the smallest joins it, and 4 of 15 are.
	const [first, second] = items;
	assert.deepEqual([...choose(items, [{ items, total: totalSizes }])], [first, second]);
	assert.deepEqual([...choose(items, [])], items.slice(0, 3));
	// 8 of the 10 whom the filter selects: two are left, in which row ever they are.
	const most = { totalSizes: sizes(20, 10), sizes: sizes(14, 8) };
	assert.deepEqual([...choose([most], [])], []);
	// In two groups: each leaves none or enough.
	const halves = [
		{ items: items.slice(0, 2), total: sizes(25, 16) },
		{ items: items.slice(2), total: sizes(15, 4) },
	];
	assert.deepEqual([...choose(items, halves)], [first, second]);
});

/** A website of some visitors, each with a visit or two a day, counted by hand. */
type Visit = { visitor: number; date: string; browser: string; source: string; country: string };

const dates = ['2026-11-02', '2026-11-03', '2026-11-04'];
const values = {
	browser: ['Firefox', 'Chrome', 'Safari'],
	source: ['', 'Google', 'Bing'],
	country: ['DE', 'AT', 'CH'],
} as const;
type Name = keyof typeof values;
// Object.keys forgets that the names are those of the table.
const names = Object.keys(values) as Name[];

function randomVisits(random: Random): Visit[] {
	return Array.from({ length: 20 + random.whole(30) }, (_, visitor) => {
		const common = {
			visitor,
			date: random.pick(dates),
			browser: random.pick(values.browser),
			country: random.pick(values.country),
		};
		return Array.from({ length: random.whole(4) === 0 ? 2 : 1 }, () => ({
			...common,
			source: random.pick(values.source),
		}));
	}).flat();
}

function meets(filter: Filter | null, visit: Visit): boolean {
	if (!filter) return true;
	switch (filter.kind) {
		case 'test':
			return filter.values.includes(visit[filter.dimension.name as Name]);
		case 'not':
			return !meets(filter.part, visit);
		case 'and':
			return filter.parts.every((part) => meets(part, visit));
		case 'or':
			return filter.parts.some((part) => meets(part, visit));
	}
}

function count(visits: readonly Visit[]): Counts {
	const visitors = new Set(visits.map(({ visitor }) => visitor)).size;
	return { ...noCounts, visitors, visits: visits.length, views: visits.length };
}

function answerByHand(
	all: readonly Visit[],
	{ filter, buckets, breakdowns, metrics }: Question,
): StatsAnswer {
	const visits = all.filter((visit) => meets(filter, visit));
	const toPart = (of: readonly Visit[]) => ({ counts: count(of), values: toValues(metrics, count(of)) });
	return {
		totals: toValues(metrics, count(visits)),
		counts: count(visits),
		compared: null,
		series: (buckets ?? []).map(({ time }) => ({
			time,
			isUnfinished: false,
			...toPart(visits.filter(({ date }) => date === time)),
		})),
		breakdowns: breakdowns.map(({ dimension }) => {
			const groups = Map.groupBy(visits, (visit) => visit[dimension.name as Name]);
			const rows = [...groups]
				.map(([value, of]) => ({ value, isOther: false, ...toPart(of) }))
				.toSorted((a, b) => b.counts.visitors - a.counts.visitors);
			return {
				dimension: dimension.name,
				rows,
				total: rows.length,
				isUnavailable: false,
				isComparedUnavailable: false,
				lacking: new Set(),
			};
		}),
		meta: { asOf: now, answeredFrom: [], rowsRead: 0, ms: 0, availableFrom: null, imported: null },
	};
}

const now = new Date('2026-11-08T12:40:00.000Z');
const toQuestion = (filter: Filter | null): Question => ({
	website: {
		id: 1,
		zones: toZones([{ from: '0001-01-01', zone: 'UTC' }]),
		rawFrom: null,
		resetAt: null,
		goals: [],
		pathRules: [],
	},
	span: { from: '2026-11-02', to: '2026-11-04', startMs: null, endMs: null },
	compared: null,
	buckets: dates.map((date) => ({
		time: date,
		from: date,
		to: date,
		startMs: null,
		endMs: null,
		isUnfinished: false,
	})),
	comparedBuckets: null,
	metrics: ['visitors', 'visits'],
	filter,
	goal: null,
	breakdowns: names.map((name) => ({
		dimension: { name },
		sort: { by: 'visitors', descending: true },
		search: null,
		offset: 0,
		limit: 10,
	})),
});

function shownOf(
	visits: readonly Visit[],
	filter: Filter | null,
): { answer: StatsAnswer; numbers: Map<string, number> } {
	const question = toQuestion(filter);
	refuseForShares(question);
	const shared = questionsForShare(question, now);
	const answer = hideSmallGroups(
		question,
		shared,
		shared.subsets.map((one) => answerByHand(visits, one)),
	);
	const numbers = new Map<string, number>();
	const add = (name: string, shown: StatsAnswer['totals']) => {
		for (const metric of ['visitors', 'visits'] as const) {
			const value = shown[metric];
			if (typeof value === 'number') numbers.set(`${name} ${metric}`, value);
		}
	};
	add('in all', answer.totals);
	for (const { time, values: shown } of answer.series ?? []) add(time, shown);
	for (const { dimension, rows } of answer.breakdowns)
		for (const { value, values: shown, isOther } of rows) if (!isOther) add(`${dimension} ${value}`, shown);
	return { answer, numbers };
}

function randomFilter(random: Random): Filter {
	const dimension = random.pick(names);
	const test: Filter = {
		kind: 'test',
		dimension: { name: dimension },
		test: 'is',
		values: [random.pick(values[dimension])],
	};
	return random.whole(3) === 0 ? { kind: 'not', part: test } : test;
}

/** With one value more: in a test, or as another test. */
function grow(random: Random, filter: Filter): Filter {
	const inner = filter.kind === 'not' ? filter.part : filter;
	if (inner.kind === 'test' && random.whole(2) === 0) {
		const more = values[inner.dimension.name as Name].find((value) => !inner.values.includes(value));
		const grown: Filter = { ...inner, values: [...inner.values, more ?? ''] };
		return filter.kind === 'not' ? { kind: 'not', part: grown } : grown;
	}
	const other = randomFilter(random);
	if (filter.kind === 'and' || filter.kind === 'or') {
		const [first, ...rest] = filter.parts;
		return { kind: filter.kind, parts: [first ? grow(random, first) : other, ...rest] };
	}
	return { kind: random.pick(['and', 'and', 'or'] as const), parts: [filter, other] };
}

const few = (number: number) => Math.abs(number) === 1 || Math.abs(number) === 2;

test('[C-PUB-4][C-PUB-7][C-PUB-8][T54] no difference of two shown numbers is one or two people', (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const rounds = sample('SHARE_PAIRS', 200, 20_000);
	let shown = 0;
	for (let round = 0; round < rounds; round++) {
		const visits = randomVisits(random);
		const filter = random.whole(2) === 0 ? randomFilter(random) : grow(random, randomFilter(random));
		const grown = filter.kind === 'test' || filter.kind === 'not' ? grow(random, filter) : null;
		const about = () => JSON.stringify([random.seed, round, filter, grown]);
		const all = shownOf(visits, null);
		const asked = [filter, ...(grown ? [grown] : [])].map((one) => shownOf(visits, one));
		for (const { numbers, answer } of asked) {
			for (const [name, number] of numbers) {
				shown++;
				assert.ok(!few(number), `${name} is ${number} ${about()}`);
				const whole = numbers.get(`in all ${name.split(' ').at(-1)}`);
				assert.ok(
					whole !== undefined && !few(whole - number),
					`${name} leaves ${whole} - ${number} ${about()}`,
				);
			}
			const total = answer.totals.visits;
			if (typeof total !== 'number') continue;
			for (const { rows, dimension } of answer.breakdowns) {
				const left = rows.reduce((sum, { counts, isOther }) => (isOther ? sum : sum - counts.visits), total);
				assert.ok(!few(left), `${dimension} leaves ${left} ${about()}`);
			}
			const points = (answer.series ?? []).map(({ values: point }) => point.visits);
			const left = points.reduce<number>(
				(sum, visits) => sum - (typeof visits === 'number' ? visits : 0),
				total,
			);
			assert.ok(!few(left), `points leave ${left} ${about()}`);
		}
		const answers = [all, ...asked];
		for (const [place, { numbers }] of answers.entries())
			for (const other of answers.slice(place + 1))
				for (const [name, number] of numbers) {
					const compared = other.numbers.get(name) ?? number;
					assert.ok(!few(number - compared), `${name}: ${number} and ${compared} ${about()}`);
				}
	}
	t.diagnostic(`${shown} numbers were shown`);
	assert.ok(shown > rounds, 'nothing was shown');
});
