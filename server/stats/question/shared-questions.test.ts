import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toZones } from '../../websites/zones.ts';
import { resolvePeriod } from './periods.ts';
import type { Question } from './question.ts';
import { readFilter, writeFilter } from './read-filter.ts';
import { questionsForShare, refuseForShares } from './shared-questions.ts';

const zones = toZones([{ from: '0001-01-01', zone: 'Asia/Kathmandu' }]);
// 12:25 on the clock of the website.
const now = new Date('2026-11-08T06:40:00.000Z');

function toQuestion(filter: unknown, asked: Partial<Parameters<typeof resolvePeriod>[1]> = {}): Question {
	const period = resolvePeriod(
		{ zones, firstDate: null, now: now.getTime() },
		{ period: '7d', compare: null, ...asked },
	);
	return {
		...period,
		website: { id: 1, zones, rawFrom: null, resetAt: null, goals: [], pathRules: [] },
		metrics: ['visits'],
		filter: filter === null ? null : readFilter(filter, []),
		goal: null,
		breakdowns: [],
	};
}

const country = ['is', 'country', 'DE'];
const goal = { id: 7, revision: 1, name: 'Buy', kind: 'event', pattern: 'buy', property: null } as const;

test('[C-PUB-1][C-PUB-5][T54] what a share may not ask', () => {
	const refused: [unknown, RegExp][] = [
		[['is', 'city', 'Werder'], /cannot be filtered by city/],
		[['or', country, ['and', ['not', ['is', 'region', 'BB']]]], /cannot be filtered by region/],
		[['contains', 'page', '/'], /not by a part of a value/],
		[['not_contains', 'source', 'G'], /not by a part of a value/],
		[['and', country, ['starts_with', 'title', 'x']], /not by a part of a value/],
		[['ends_with', 'page', '/'], /not by a part of a value/],
		[['wildcard', 'page', '/a'], /not by a part of a value/],
		[['matches', 'page', '^/a$'], /not by a part of a value/],
		[['is', 'country', 'DE', { case_sensitive: false }], /case-sensitively/],
		[['is_not_set', 'source'], /with is, is_not and any_of/],
		[['not', ['is_set', 'property:plan']], /with is, is_not and any_of/],
		[['at_least', 'property:price', 10], /with is, is_not and any_of/],
		[['between', 'revenue', [1, 2]], /with is, is_not and any_of/],
		[
			['and', country, ['is', 'os', 'Linux'], ['is_not', 'hour', 3]],
			/at most 2 filters on visit dimensions.* has 3/,
		],
		[
			['or', country, ['and', ['is', 'os', 'Linux'], ['not', country]]],
			/at most 2 filters on visit dimensions/,
		],
		[['is', 'page', ['/1', '/2', '/3', '/4']], /at most 3 values/],
	];
	for (const [filter, sentence] of refused)
		assert.throws(
			() => refuseForShares(toQuestion(filter)),
			({ errors }: { errors: { filters: string[] } }) => sentence.test(errors.filters[0] ?? ''),
		);
	refuseForShares(toQuestion(['and', country, ['is_not', 'browser', 'Chrome'], ['is', 'page', '/a']]));
	assert.throws(() => refuseForShares({ ...toQuestion(['is', 'page', ['/1', '/2', '/3']]), goal }));
	assert.throws(() => refuseForShares(toQuestion(null, { period: 'today', interval: 'minute' })));
	refuseForShares(toQuestion(null, { period: 'today', interval: 'hour' }));
});

test('[C-PUB-4][T54] a filtered question is asked under each part of its filter', () => {
	const filtersOf = (question: Question) =>
		questionsForShare(question, now).subsets.map(({ filter }) => filter && writeFilter(filter));
	assert.deepEqual(filtersOf(toQuestion(null)), [null]);
	assert.deepEqual(
		filtersOf(toQuestion(['and', ['is', 'country', ['DE', 'AT']], ['is_not', 'os', 'Linux']])),
		[
			null,
			['and', ['is', 'country', ['DE']]],
			['and', ['is', 'country', ['AT']]],
			['and', ['is', 'country', ['DE', 'AT']]],
			['and', ['is_not', 'os', ['Linux']]],
			['and', ['is', 'country', ['DE']], ['is_not', 'os', ['Linux']]],
			['and', ['is', 'country', ['AT']], ['is_not', 'os', ['Linux']]],
			['and', ['is', 'country', ['DE', 'AT']], ['is_not', 'os', ['Linux']]],
		],
	);
	// The goal is one more value, and reached by any event of the visit.
	const withGoal = questionsForShare({ ...toQuestion(country), goal }, now).subsets;
	assert.deepEqual(
		withGoal.map(({ filter, goal, onlyConverted }) => [
			filter && writeFilter(filter),
			goal?.id,
			onlyConverted === true,
		]),
		[
			[null, undefined, false],
			[['is', 'country', ['DE']], 7, false],
			[null, 7, true],
			[['is', 'country', ['DE']], 7, true],
		],
	);
	// All rows are compared, whichever were asked for.
	const dimension = { name: 'page' } as const;
	const sort = { by: 'visits', descending: false } as const;
	const asked = {
		...toQuestion(country),
		breakdowns: [{ dimension, sort, search: 'x', offset: 20, limit: 10 }],
	};
	for (const { breakdowns, metrics } of questionsForShare(asked, now).subsets)
		assert.deepEqual(
			[breakdowns, metrics.includes('visitors')],
			[
				[{ dimension, sort: { by: 'visitors', descending: true }, search: null, offset: 0, limit: 1_000 }],
				true,
			],
		);
});

test('[C-PUB-6][T54] a filtered question ends where the current hour of the website begins', () => {
	const hour = Date.parse('2026-11-08T06:15:00.000Z');
	const today = toQuestion(country, {
		period: 'today',
		interval: 'hour',
		compare: { kind: 'previous', matchWeekdays: false },
	});
	const { subsets, until, withCurrentHour } = questionsForShare(today, now);
	for (const { span, compared, buckets, comparedBuckets } of subsets)
		assert.deepEqual(
			[span.endMs, compared?.endMs, buckets?.length, comparedBuckets?.length],
			[hour, hour - 86_400_000, 12, 12],
		);
	assert.deepEqual(
		[until?.getTime(), withCurrentHour?.span.endMs, withCurrentHour?.filter],
		[hour, null, null],
	);
	const future = toQuestion(country, { period: 'custom', from: '2026-11-01', to: '2026-12-01' });
	assert.deepEqual(questionsForShare(future, now).subsets[0]?.span, {
		from: '2026-11-01',
		to: '2026-11-08',
		startMs: null,
		endMs: hour,
	});
	// What is over, and what is not filtered, stays as it is.
	const past = toQuestion(country, { period: 'custom', from: '2026-11-01', to: '2026-11-07' });
	assert.deepEqual(questionsForShare(past, now).subsets[1], { ...past, metrics: ['visits', 'visitors'] });
	const whole = { ...today, filter: null };
	assert.deepEqual(questionsForShare(whole, now), {
		subsets: [whole],
		withCurrentHour: null,
		until: null,
		others: [],
	});
});
