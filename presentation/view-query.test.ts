import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryStatsBody } from '../api/stats.ts';
import { chooseTab, findTab, panels, tabOf, visibleBreakdowns } from '../dashboard/stats/breakdowns.ts';
import { readFilter } from '../server/stats/question/read-filter.ts';
import {
	addFilter,
	type Filter,
	filterOf,
	hasValue,
	numberTests,
	removeValue,
	setTests,
	textTests,
} from './filter-chips.ts';
import {
	chartMetrics,
	defaults,
	formatViewQuery,
	goalOf,
	goalRevenueBodyOf,
	matchesWeekdays,
	pageBodyOf,
	parametersOf,
	parseViewQuery,
	rowParametersOf,
	tilesOf,
	type ViewQuery,
} from './view-query.ts';

const queryOf = (change: Partial<ViewQuery>): ViewQuery => ({ ...defaults, ...change });

/** As JSON, where what is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const addresses: readonly [query: string, change: Partial<ViewQuery>][] = [
	['', {}],
	['period=7d', { period: '7d' }],
	['from=2026-10-01&to=2026-10-05', { period: 'custom', from: '2026-10-01', to: '2026-10-05' }],
	['by=hour', { interval: 'hour' }],
	['compare=none', { compare: 'none' }],
	['weekdays=0', { matchWeekdays: false }],
	['second=pageviews', { second: 'pageviews' }],
	['metric=revenue&second=conversion_rate', { metric: 'revenue', second: 'conversion_rate' }],
	['compare=year&weekdays=1', { compare: 'year', matchWeekdays: true }],
	[
		'compare_from=2025-10-01&compare_to=2025-10-05',
		{ compare: 'custom', compareFrom: '2025-10-01', compareTo: '2025-10-05' },
	],
	['f=is,country,DE,AT', { filters: [{ test: 'is', dimension: 'country', values: ['DE', 'AT'] }] }],
	[
		'f=contains,page,/blog&f=is_not,source,',
		{
			filters: [
				{ test: 'contains', dimension: 'page', values: ['/blog'] },
				{ test: 'is_not', dimension: 'source', values: [''] },
			],
		},
	],
	[
		'f=is,property:a%252Cb,100%2525%252C%20%26%20more%3F',
		{ filters: [{ test: 'is', dimension: 'property:a,b', values: ['100%, & more?'] }] },
	],
	['segment=3&goal=4&metric=bounce_rate', { segment: 3, goal: 4, metric: 'bounce_rate' }],
	['tabs=source,exit_page&large=source', { tabs: ['source', 'exit_page'], large: 'source' }],
];

test('a query is written as an address, and read from it again', () => {
	for (const [query, change] of addresses) {
		assert.equal(formatViewQuery(queryOf(change)), query);
		assert.deepEqual(plain(parseViewQuery(`?${query}`)), plain(queryOf(change)), query);
	}
});

test('a browser that escapes more than it must is understood', () => {
	for (const [query, change] of addresses) {
		const escaped = new URLSearchParams(query).toString();
		assert.deepEqual(plain(parseViewQuery(escaped)), plain(queryOf(change)), escaped);
	}
});

test('what cannot be read is ignored', () => {
	for (const query of [
		'period=tomorrow',
		'period=custom',
		'from=2026-10-05&to=2026-10-01',
		'from=2026-13-01&to=2026-13-05',
		'to=2026-10-01',
		'by=second&compare=with&compare_from=2026-10-01&weekdays=yes',
		'f=is,country&f=equals,country,DE&f=&f=is,,DE',
		'segment=0&goal=one&metric=events&second=scroll_depth&tabs=&large=',
		'compare=custom',
	])
		assert.deepEqual(plain(parseViewQuery(query)), plain(defaults), query);
});

test('what belongs to others stays in the address', () => {
	assert.equal(
		formatViewQuery(queryOf({ period: 'today' }), '?theme=dark&period=7d&f=is,page,/'),
		'period=today&theme=dark',
	);
});

test('the service takes every question', () => {
	for (const [query, change] of addresses) {
		const body = pageBodyOf(queryOf(change), visibleBreakdowns(queryOf(change)));
		assert.equal(queryStatsBody.strict().safeParse(body).success, true, query);
	}
	assert.deepEqual(
		plain(
			pageBodyOf(
				queryOf({
					...{ period: 'custom', from: '2026-10-01', to: '2026-10-05' },
					...{ interval: 'day', compare: 'year', matchWeekdays: true, segment: 3 },
					filters: [
						{ test: 'is', dimension: 'country', values: ['DE'] },
						{ test: 'not_contains', dimension: 'page', values: ['/blog'] },
					],
				}),
				[{ dimension: 'page', limit: 2 }],
			),
		),
		{
			...{ period: 'custom', from: '2026-10-01', to: '2026-10-05', segment: 3 },
			filters: ['and', ['is', 'country', ['DE']], ['not_contains', 'page', ['/blog']]],
			...{ interval: 'day', compare: 'year', match_weekdays: 1 },
			metrics: ['visitors', 'visits', 'pageviews', 'views_per_visit', 'bounce_rate', 'visit_duration'],
			breakdowns: [{ dimension: 'page', limit: 2 }],
		},
	);
	assert.deepEqual(
		plain(parametersOf(queryOf({ segment: 3 }), [{ test: 'is', dimension: 'event', values: ['404'] }])),
		{ period: '30d', segment: '3', filters: '["is","event",["404"]]' },
	);
});

test('every test is in the address and in the question', () => {
	const filters: Filter[] = [
		{ test: 'contains:i', dimension: 'page', values: ['/blog', 'a,b%2C'] },
		{ test: 'not_matches:i', dimension: 'title', values: ['^a{2,3}$'] },
		{ test: 'is_set', dimension: 'property:a,b', values: [] },
		{ test: 'is_not_set', dimension: 'source', values: [] },
		{ test: 'between', dimension: 'revenue:EUR', values: ['1', '2.5'] },
		{ test: 'at_least', dimension: 'property:price', values: ['-3'] },
	];
	const address = formatViewQuery(queryOf({ filters }));
	assert.deepEqual(parseViewQuery(address).filters, filters);
	assert.match(address, /f=contains:i,page,\/blog,.*f=is_not_set,source&f=between,revenue:EUR,1,2\.5&/);
	assert.deepEqual(filterOf(filters), [
		'and',
		['contains', 'page', ['/blog', 'a,b%2C'], { case_sensitive: false }],
		['not_matches', 'title', ['^a{2,3}$'], { case_sensitive: false }],
		['is_set', 'property:a,b'],
		['is_not_set', 'source'],
		['between', 'revenue:EUR', ['1', '2.5']],
		['at_least', 'property:price', ['-3']],
	]);
	for (const text of [
		'is_set,page,x',
		'between,revenue,1',
		'at_least,revenue,1,2',
		'is,page',
		'at_least:i,revenue,1',
	])
		assert.deepEqual(parseViewQuery(`f=${text}`).filters, [], text);
});

test('the service takes every test of a chip', () => {
	const goals = [{ id: 1, revision: 1, name: 'x', kind: 'page', pattern: '/', property: null } as const];
	for (const [tests, dimension, values] of [
		[textTests, 'page', ['1']],
		[setTests, 'page', []],
		[numberTests.filter((name) => name !== 'between'), 'revenue', ['1']],
		[['between'], 'property:x', ['1', '2']],
	] as const)
		for (const test of tests) readFilter(filterOf([{ test, dimension, values }]), goals);
	for (const name of textTests)
		readFilter(filterOf([{ test: `${name}:i`, dimension: 'page', values: ['1'] }]), goals);
});

test('values of one dimension are one chip', () => {
	const country = addFilter([], { test: 'is', dimension: 'country', values: ['DE'] });
	const two = addFilter(country, { test: 'is', dimension: 'country', values: ['AT', 'DE'] });
	const other = addFilter(two, { test: 'is_not', dimension: 'country', values: ['CH'] });
	assert.deepEqual(other, [
		{ test: 'is', dimension: 'country', values: ['DE', 'AT'] },
		{ test: 'is_not', dimension: 'country', values: ['CH'] },
	]);
	assert.equal(hasValue(other, 'country', 'AT'), true);
	assert.equal(hasValue(other, 'country', 'CH'), false);
	assert.deepEqual(removeValue(removeValue(other, 'country', 'AT'), 'country', 'DE'), [
		{ test: 'is_not', dimension: 'country', values: ['CH'] },
	]);
});

test('a panel has one tab chosen, and each tab has a name of its own', () => {
	const ids = panels.flatMap(({ tabs }) => tabs.map(({ id }) => id));
	assert.equal(new Set(ids).size, ids.length);
	const [sources] = panels;
	assert.ok(sources);
	const chosen = chooseTab(sources, 'source', ['exit_page', 'utm_campaign']);
	assert.deepEqual(chosen, ['exit_page', 'source']);
	assert.equal(tabOf(sources, chosen).id, 'source');
	assert.deepEqual(chooseTab(sources, 'channel', chosen), ['exit_page']);
	assert.deepEqual(
		visibleBreakdowns({ tabs: ['exit_page', 'not_found', 'nothing'] }).map(({ dimension }) => dimension),
		['channel', 'exit_page', 'country', 'browser'],
	);
	assert.equal(findTab('city')?.dimension, 'city');
});

test('one goal that is filtered by is selected: its conversions are counted among all visits', () => {
	const goal = { test: 'is', dimension: 'goal', values: ['4'] } as const;
	const country = { test: 'is', dimension: 'country', values: ['DE'] } as const;
	const selected = queryOf({ filters: [country, goal] });
	assert.equal(goalOf(selected), 4);
	assert.deepEqual(tilesOf(selected), ['conversions', 'unique_conversions', 'conversion_rate', 'revenue']);
	const body = pageBodyOf(selected, []);
	assert.deepEqual([body.goal, body.filters], [4, ['is', 'country', ['DE']]]);
	assert.equal(rowParametersOf(selected).filters, '["is","country",["DE"]]');
	// The other panels have no conversions, and show the visits that reached it.
	assert.equal(parametersOf(selected).filters, '["and",["is","country",["DE"]],["is","goal",["4"]]]');
	const revenue = goalRevenueBodyOf(selected);
	assert.equal(queryStatsBody.strict().safeParse(revenue).success, true);
	assert.deepEqual(revenue?.filters, [
		'and',
		['is', 'country', ['DE']],
		['not', ['not', ['is', 'goal', ['4']]]],
	]);
	for (const filters of [
		[],
		[{ ...goal, values: ['4', '5'] }],
		[{ ...goal, test: 'is_not' as const }],
		[goal, { ...goal, test: 'is_not' as const, values: ['5'] }],
	]) {
		assert.equal(goalOf(queryOf({ filters })), undefined);
		assert.equal(goalRevenueBodyOf(queryOf({ filters })), undefined);
	}
	assert.deepEqual(chartMetrics(selected), { first: 'conversions', second: undefined });
	assert.deepEqual(chartMetrics({ ...selected, metric: 'revenue', second: 'conversions' }), {
		first: 'revenue',
		second: 'conversions',
	});
	assert.deepEqual(chartMetrics(queryOf({ metric: 'visits', second: 'visits' })), {
		first: 'visits',
		second: undefined,
	});
});

test('7 and 30 days are compared by weekday, unless the reader chose otherwise', () => {
	const matched = (change: Partial<ViewQuery>) => matchesWeekdays(queryOf(change));
	assert.deepEqual([matched({}), matched({ period: '7d' }), matched({ period: '90d' })], [true, true, false]);
	assert.deepEqual(
		[matched({ matchWeekdays: false }), matched({ period: '90d', matchWeekdays: true })],
		[false, true],
	);
	assert.equal(matched({ compare: 'none' }), false);
	assert.equal(matched({ compare: 'year' }), true);
});
