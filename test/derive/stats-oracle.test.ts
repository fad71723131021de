import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import {
	dimensionNames,
	findDimension,
	findFilterDimension,
} from '../../server/stats/question/dimensions.ts';
import { addCounts, type Counts, counts, noCounts } from '../../server/stats/question/metrics.ts';
import type {
	Breakdown,
	Bucket,
	Filter,
	Goal,
	Question,
	StatsWebsite,
} from '../../server/stats/question/question.ts';
import { dateOf, toZones } from '../../server/websites/zones.ts';
import { seededRandom } from '../support/random.ts';
import { countOf } from '../support/stats-oracle.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';
import { findVisits } from '../support/visits-oracle.ts';

// A Wednesday; `at` is a time of it in UTC.
const day = '2026-06-17';
let ids = 0;

type Told = Partial<Event> & { at?: string };

const tell = (kind: Event['kind'], { at = '10:00:00.000', ...more }: Told): Event => ({
	...blankEvent,
	website_id: 1,
	date: day,
	visitor_id: '7',
	event_id: String(++ids),
	path: '/',
	kind,
	name: kind,
	time: `${more.date ?? day} ${at.padEnd(8, ':00').padEnd(12, '.000')}`,
	...more,
});
const view = (at: string, more: Told = {}) => tell('pageview', { at, ...more });
const custom = (at: string, more: Told = {}) => tell('custom', { at, name: 'signup', ...more });
const engagement = (of: Event, engaged_ms: number, scroll = 0): Event => ({
	...tell('engagement', { date: of.date, visitor_id: of.visitor_id, page_event_id: of.event_id }),
	engaged_ms,
	scroll,
});

const website: StatsWebsite = {
	pathRules: [],
	id: 1,
	zones: toZones([{ from: '0001-01-01', zone: 'UTC' }]),
	rawFrom: null,
	resetAt: null,
	goals: [],
};
const dates = (from: string, to: string) => ({ from, to, startMs: null, endMs: null });
const msOf = (at: string) => Date.parse(`${day}T${at.padEnd(8, ':00')}Z`);
const bucket = (time: string, of: Omit<Bucket, 'time' | 'isUnfinished'>): Bucket => ({
	...of,
	time,
	isUnfinished: false,
});

const ask = (more: Partial<Question> = {}): Question => ({
	website,
	span: dates('2026-06-15', '2026-06-21'),
	compared: null,
	buckets: null,
	comparedBuckets: null,
	metrics: ['visits'],
	filter: null,
	goal: null,
	breakdowns: [],
	...more,
});

const dimensionOf = (name: string) => {
	const dimension = findDimension(name);
	assert.ok(dimension, name);
	return dimension;
};
const by = (dimension: string, more: Partial<Breakdown> = {}): Breakdown => ({
	dimension: dimensionOf(dimension),
	sort: { by: 'pageviews', descending: true },
	search: null,
	offset: 0,
	limit: 100,
	...more,
});
const goalOf = (
	id: number,
	kind: Goal['kind'],
	pattern: string,
	property: Goal['property'] = null,
): Goal => ({
	id,
	revision: 1,
	name: `${kind} ${pattern}`,
	kind,
	pattern,
	property,
});

type Test = Extract<Filter, { kind: 'test' }>;
const is = (dimension: string, ...values: string[]): Filter => testOf('is', dimension, values);
const testOf = (kind: Test['test'], dimension: string, values: string[]): Test => ({
	kind: 'test',
	dimension: findFilterDimension(dimension) ?? assert.fail(dimension),
	test: kind,
	values,
});
const and = (...parts: Filter[]): Filter => ({ kind: 'and', parts });
const or = (...parts: Filter[]): Filter => ({ kind: 'or', parts });
const not = (part: Filter): Filter => ({ kind: 'not', part });

/** Only what is not 0. */
const short = (all: Counts): Record<string, unknown> => ({
	...Object.fromEntries(counts.filter((name) => all[name] !== 0).map((name) => [name, all[name]])),
	...(Object.keys(all.revenue).length === 0 ? {} : { revenue: all.revenue }),
});
const totals = (events: readonly Event[], more: Partial<Question> = {}) =>
	short(countOf(events, ask(more)).totals);
const rows = (events: readonly Event[], breakdown: Breakdown, more: Partial<Question> = {}) =>
	Object.fromEntries(
		countOf(events, ask({ ...more, breakdowns: [breakdown] })).breakdowns[0]?.rows.map(
			({ value, counts: its }) => [value, short(its)],
		) ?? [],
	);
/** The values of a breakdown in their order. */
const listed = (events: readonly Event[], breakdown: Breakdown, more: Partial<Question> = {}) =>
	countOf(events, ask({ ...more, breakdowns: [breakdown] })).breakdowns[0]?.rows.map(({ value }) => value);

test('visits end at a gap of 30 minutes and at the end of a date, and are of one website', () => {
	const events = [
		// 29:59.999 apart, and 1,799 s: one visit.
		view('10:00'),
		custom('10:29:59.999'),
		view('10:59:59.999'),
		// The next date: another visit, and another visitor.
		view('11:00', { date: '2026-06-18' }),
		view('10:00', { visitor_id: '8' }),
		view('10:00', { website_id: 2 }),
	];
	assert.deepEqual(totals(events), {
		visitors: 3,
		visits: 4,
		bounces: 3,
		seconds: 1_799,
		views: 4,
		visit_views: 4,
		events: 1,
	});
});

test('events of one millisecond are in the order of their ids as numbers', () => {
	const events = [
		view('10:00', { event_id: '10', path: '/second', country: 'NP' }),
		view('10:00', { event_id: '9', path: '/first', country: 'DE' }),
	];
	assert.deepEqual(listed(events, by('entry_page')), ['/first']);
	assert.deepEqual(listed(events, by('exit_page')), ['/second']);
	assert.deepEqual(listed(events, by('country')), ['DE']);
});

test('engaged time is summed and depth the deepest, by website, date, visitor and page view', () => {
	const page = view('10:00');
	// Its id is what those carry that name no page view.
	const unread = view('10:01', { event_id: '0' });
	const clicked = custom('10:02');
	const events = [
		page,
		unread,
		clicked,
		engagement(page, 3_000, 20),
		engagement(page, 4_000, 80),
		{ ...engagement(page, 500, 10), kind: 'vital' as const },
		{ ...engagement(page, 9, 90), visitor_id: '8' },
		{ ...engagement(page, 9, 90), date: '2026-06-18' },
		{ ...engagement(page, 9, 90), website_id: 2 },
		{ ...engagement(page, 9, 90), page_event_id: '0' },
		engagement(clicked, 9, 90),
		// It closes no gap and makes no visit.
		{ ...engagement(unread, 0, 0), time: `${day} 23:00:00.000` },
	];
	assert.deepEqual(totals(events), {
		visitors: 1,
		visits: 1,
		seconds: 120,
		views: 2,
		visit_views: 2,
		events: 1,
		engaged_ms: 7_500,
		engaged_views: 1,
		scroll: 80,
		scroll_views: 1,
	});
});

test('a bounce is one page view, no custom event and less than 10,000 ms', () => {
	const bounces = (...events: Event[]) => totals(events).bounces ?? 0;
	const page = view('10:00');
	assert.equal(bounces(page), 1);
	assert.equal(bounces(page, engagement(page, 9_999)), 1);
	assert.equal(bounces(page, engagement(page, 5_000), engagement(page, 5_000)), 0);
	assert.equal(bounces(page, view('10:01')), 0);
	assert.equal(bounces(page, custom('10:01')), 0);
	assert.equal(bounces(custom('10:01')), 0);
});

test('nobody counts in views, events and revenue, each event for itself', () => {
	const nobody = { visitor_id: '0' };
	const events = [
		view('10:00', { ...nobody, path: '/a', source: 'Google' }),
		custom('10:01', { ...nobody, path: '/b', source: 'Bing', revenue: '5', currency: 'EUR' }),
		view('11:00', { ...nobody, path: '/c' }),
	];
	const [page] = events;
	assert.ok(page);
	const all = [...events, engagement(page, 20_000, 50)];
	const goal = goalOf(1, 'page', '*');
	assert.deepEqual(totals(all, { goal }), { views: 2, events: 1, revenue: { EUR: 5 } });
	assert.deepEqual(rows(all, by('entry_page')), {
		'/a': { views: 1 },
		'/b': { events: 1, revenue: { EUR: 5 } },
		'/c': { views: 1 },
	});
	assert.deepEqual(rows(all, by('hour')), {
		10: { views: 1, events: 1, revenue: { EUR: 5 } },
		11: { views: 1 },
	});
	// One event meets both or none does: these are not of one run.
	assert.deepEqual(totals(all, { filter: and(is('source', 'Google'), is('page', '/b')) }), {});
	assert.deepEqual(totals(all, { filter: and(is('source', 'Google'), is('exit_page', '/a')) }), { views: 1 });
	assert.deepEqual(rows(all, by('goal'), { website: { ...website, goals: [goal] } }), { 1: { views: 2 } });
});

test('hours are those of the zone that holds, weekdays those of the date', () => {
	const zones = toZones([
		{ from: '0001-01-01', zone: 'Europe/Berlin' },
		{ from: '2026-06-18', zone: 'Asia/Kathmandu' },
	]);
	const events = [
		// 00:15 in Berlin, and a visit that goes on into the next hour.
		view('22:15', { date: '2026-06-16' }),
		view('22:40', { date: '2026-06-16' }),
		view('23:05', { date: '2026-06-16' }),
		// 09:45 in Kathmandu, on the last day of a week.
		view('04:00', { date: '2026-06-21', visitor_id: '8' }),
	];
	// The date is stored, and theirs is the Berliner's Wednesday.
	for (const event of events.slice(0, 3)) event.date = day;
	const more = { website: { ...website, zones } };
	assert.deepEqual(listed(events, by('hour'), more), ['0', '9']);
	assert.deepEqual(listed(events, by('weekday'), more), ['3', '7']);
});

test('entry and exit are the first and last page view, or event where there is none', () => {
	const mixed = [
		custom('10:00', { path: '/x', source: 'Bing' }),
		view('10:01', { path: '/a', source: 'Google' }),
		view('10:02', { path: '/b' }),
		custom('10:03', { path: '/y' }),
	];
	const without = [custom('10:00', { path: '/x', source: 'Bing' }), custom('10:03', { path: '/y' })];
	const found = (events: Event[]) =>
		['entry_page', 'exit_page', 'source'].map((name) => listed(events, by(name))?.join());
	assert.deepEqual(found(mixed), ['/a', '/b', 'Google']);
	assert.deepEqual(found(without), ['/x', '/y', 'Bing']);
});

test('an event has its values: a title only a page view, a name only a custom event, a property who carries it', () => {
	const events = [
		view('10:00', { hostname: 'h', title: 'Home', properties: { plan: '' } }),
		view('10:01', { hostname: 'h', title: '' }),
		custom('10:02', {
			hostname: 'i',
			path: '/b',
			title: 'Not a title',
			properties: { plan: 'pro', toString: 'x' },
		}),
	];
	const visit = { visitors: 1, visits: 1, seconds: 120 };
	const one = { ...visit, views: 1, visit_views: 1 };
	assert.deepEqual(rows(events, by('title')), { Home: one, '': one });
	assert.deepEqual(rows(events, by('event')), { signup: { ...visit, events: 1 } });
	assert.deepEqual(rows(events, by('hostname')), {
		h: { ...visit, views: 2, visit_views: 2 },
		i: { ...visit, events: 1 },
	});
	assert.deepEqual(listed(events, by('page')), ['/', '/b']);
	assert.deepEqual(rows(events, by('property:plan')), { '': one, pro: { ...visit, events: 1 } });
	assert.deepEqual(listed(events, by('property:toString')), ['x']);
	assert.deepEqual(listed(events, by('property:none')), []);
	assert.deepEqual(listed(events, by('city')), ['']);
});

test('a goal is met by its pattern, letter by letter, and its property', () => {
	const meets = (event: Event, kind: Goal['kind'], pattern: string, property: Goal['property'] = null) =>
		totals([event], { goal: goalOf(1, kind, pattern, property) }).conversions === 1;
	const page = view('10:00', { path: '/a.b/100%\n(ü)', properties: { plan: 'pro' } });
	for (const pattern of ['*', '/a.b/*', '/a.b/100%\n(ü)', '*.b/*%*', '/a.b/100%\n(ü)*', '***'])
		assert.ok(meets(page, 'page', pattern), pattern);
	for (const pattern of ['', '/a*b', '/A.b/*', '/aXb/*', '/a.b', '.b*', '/a.b/*%', '/a_b/*', '/*b/*b/*'])
		assert.ok(!meets(page, 'page', pattern), pattern);
	assert.ok(meets(page, 'page', '/a*', { name: 'plan', value: 'pro' }));
	assert.ok(!meets(page, 'page', '/a*', { name: 'plan', value: 'Pro' }));
	assert.ok(!meets(page, 'page', '/a*', { name: 'constructor', value: '' }));
	assert.ok(!meets(page, 'event', '*'));
	assert.ok(meets(custom('10:00'), 'event', 'sign*'));
	assert.ok(!meets(custom('10:00'), 'page', '*'));
});

test('a goal’s rows count the visits that reached it as conversions; elsewhere it is the goal asked about', () => {
	const goals = [goalOf(1, 'page', '/a*'), goalOf(12, 'event', '*'), goalOf(3, 'page', '/none')];
	const [first = null, second = null] = goals;
	const events = [
		view('10:00', { path: '/a', country: 'DE' }),
		view('11:00', { path: '/ab' }),
		custom('11:01'),
	];
	const asked = { website: { ...website, goals } };
	assert.deepEqual(rows(events, by('goal'), { ...asked, goal: second }), {
		1: {
			visitors: 1,
			visits: 2,
			bounces: 1,
			seconds: 60,
			views: 2,
			visit_views: 2,
			conversions: 2,
			converted_visitors: 1,
		},
		12: { visitors: 1, visits: 1, seconds: 60, events: 1, conversions: 1, converted_visitors: 1 },
	});
	const conversions = (goal: Goal | null) =>
		countOf(events, ask({ ...asked, goal, breakdowns: [by('country')] })).breakdowns[0]?.rows.map(
			({ value, counts: its }) => [value, its.conversions],
		);
	assert.deepEqual(conversions(first), [
		['', 1],
		['DE', 1],
	]);
	assert.deepEqual(conversions(second), [
		['', 1],
		['DE', 0],
	]);
	assert.deepEqual(conversions(null), [
		['', 0],
		['DE', 0],
	]);
	// Reached anywhere in the visit, whatever the filter counts of it.
	assert.equal(totals(events, { goal: second, filter: is('page', '/ab') }).conversions, 1);
	assert.deepEqual(totals(events, { ...asked, filter: is('goal', '12') }), {
		visitors: 1,
		visits: 1,
		seconds: 60,
		events: 1,
	});
});

test('a test is met by one of its values, in the same case', () => {
	const events = [
		view('10:00', { path: '/blog/a', country: 'DE' }),
		view('11:00', { path: '/Blog', country: '' }),
		view('12:00', { path: '/shop/blog', country: 'NP' }),
	];
	const paths = (filter: Filter) => listed(events, by('page'), { filter })?.join(' ');
	assert.equal(paths(is('page', '/Blog', '/none', '/blog/a')), '/Blog /blog/a');
	assert.equal(paths(is('page')), '');
	assert.equal(paths(testOf('contains', 'page', ['log/', 'shop'])), '/blog/a /shop/blog');
	assert.equal(paths(testOf('starts_with', 'page', ['/bl', 'Blog'])), '/blog/a');
	assert.equal(paths(is('country', '')), '/Blog');
	assert.equal(paths(testOf('starts_with', 'country', ['D', 'N'])), '/blog/a /shop/blog');
	assert.equal(paths(is('hour', '12', '1')), '/shop/blog');
});

test('tests of texts without regard to case, by wildcards and by expressions', () => {
	const events = [
		view('10:00', { path: '/Blog/a.PDF', source: 'Straße' }),
		view('11:00', { path: '/blog\n', source: 'STRAẞE' }),
		view('12:00', { path: '/shop/blog', source: 'STRASSE' }),
		view('13:00', { path: '', source: '' }),
	];
	const paths = (filter: Filter) => listed(events, by('page'), { filter });
	const [a, b, c] = events.map(({ path }) => path);
	const ignoring = (...of: Parameters<typeof testOf>): Filter => ({ ...testOf(...of), ignoresCase: true });
	assert.deepEqual(paths(testOf('ends_with', 'page', ['.pdf', 'blog'])), [c]);
	assert.deepEqual(paths(ignoring('ends_with', 'page', ['.pdf'])), [a]);
	assert.deepEqual(paths(ignoring('is', 'source', ['straße'])), [b, a].toSorted());
	assert.deepEqual(paths(ignoring('contains', 'page', ['BLOG/'])), [a]);
	assert.deepEqual(paths(testOf('wildcard', 'page', ['/*blog'])), [c]);
	assert.deepEqual(paths(ignoring('wildcard', 'page', ['/b*g*'])), [b, a].toSorted());
	assert.deepEqual(paths(testOf('matches', 'page', ['^/b.{4}$'])), [b]);
	assert.deepEqual(paths(ignoring('matches', 'page', ['^/B.*[a-z]$', 'nothing'])), [a]);
	assert.deepEqual(paths(not(testOf('is_set', 'page', []))), ['']);
	assert.deepEqual(paths(testOf('is_set', 'source', []))?.length, 3);
});

test('a property is set even if it is empty, and only numbers are compared', () => {
	const sizes = ['', '9', '10', '10.0', '0010.5', '-11', '1e2', ' 12', 'large'];
	const events = [
		view('09:00', { path: 'none' }),
		...sizes.map((size, hour) => view(`${10 + hour}:00`, { path: size, properties: { size } })),
	];
	const found = (filter: Filter) => listed(events, by('page'), { filter })?.toSorted();
	assert.deepEqual(found(testOf('is_set', 'property:size', [])), sizes.toSorted());
	assert.deepEqual(found(not(testOf('is_set', 'property:size', []))), ['none']);
	assert.deepEqual(found(testOf('greater_than', 'property:size', ['10'])), ['0010.5']);
	assert.deepEqual(found(testOf('at_least', 'property:size', ['10'])), ['0010.5', '10', '10.0']);
	assert.deepEqual(found(testOf('less_than', 'property:size', ['9'])), ['-11']);
	assert.deepEqual(found(testOf('at_most', 'property:size', ['9.00'])), ['-11', '9']);
	assert.deepEqual(found(testOf('between', 'property:size', ['9', '10'])), ['10', '10.0', '9']);
});

test('revenue of an event, in one currency or in any', () => {
	const events = [
		view('10:00', { path: 'nothing' }),
		custom('11:00', { path: 'ten', revenue: '10', currency: 'EUR' }),
		custom('12:00', { path: 'more', revenue: '10.0001', currency: 'USD' }),
		custom('13:00', { path: 'back', revenue: '-10', currency: 'EUR' }),
		custom('14:00', { path: 'free', revenue: '0', currency: 'EUR' }),
	];
	const found = (test: Test['test'], name: string, ...values: string[]) =>
		listed(events, by('page'), { filter: testOf(test, name, values) })?.toSorted();
	assert.deepEqual(found('at_least', 'revenue', '10'), ['more', 'ten']);
	assert.deepEqual(found('greater_than', 'revenue', '10'), ['more']);
	assert.deepEqual(found('at_least', 'revenue:EUR', '10'), ['ten']);
	assert.deepEqual(found('less_than', 'revenue', '1'), ['back', 'free']);
	assert.deepEqual(found('is_set', 'revenue:USD'), ['more']);
	assert.deepEqual(found('is_set', 'revenue'), ['back', 'free', 'more', 'ten']);
});

/** Two visits: on /a then signing up as pro on /b, from DE; on /b then signing up as free on /a, from NP. */
const two = [
	view('10:00', { path: '/a', country: 'DE', visitor_id: '1' }),
	custom('10:01', { path: '/b', properties: { plan: 'pro' }, visitor_id: '1' }),
	view('10:00', { path: '/b', country: 'NP', visitor_id: '2' }),
	custom('10:02', { path: '/a', properties: { plan: 'free' }, visitor_id: '2' }),
];
const ofFirst = { visitors: 1, visits: 1, seconds: 60 };
const ofSecond = { visitors: 1, visits: 1, seconds: 120 };
const ofBoth = { visitors: 2, visits: 2, seconds: 180 };
const aView = { views: 1, visit_views: 1 };

const filterCases: Record<string, [filter: Filter, expected: Record<string, unknown>][]> = {
	'one event meets all event conditions of an and-group, and only events that match are counted': [
		[is('page', '/a'), { ...ofBoth, ...aView, events: 1 }],
		[and(is('page', '/a'), is('event', 'signup')), { ...ofSecond, events: 1 }],
		[and(is('page', '/a'), is('country', 'DE')), { ...ofFirst, ...aView }],
		[and(is('page', '/a'), or(is('property:plan', 'free'), is('title', 'x'))), { ...ofSecond, events: 1 }],
	],
	'an and-group within an and-group is one with it': [
		[
			and(is('page', '/a'), and(is('country', 'NP', 'DE'), is('event', 'signup'))),
			{ ...ofSecond, events: 1 },
		],
		[and(and(is('page', '/a'), is('country', 'DE')), and(is('event', 'signup'))), {}],
	],
	'of an or-group one part selects': [
		[or(is('page', '/none'), is('country', 'DE')), { ...ofFirst, ...aView, events: 1 }],
		[
			or(and(is('page', '/a'), is('country', 'DE')), is('property:plan', 'free')),
			{ ...ofBoth, ...aView, events: 1 },
		],
		// An or-group with a country in it is no event condition, so another event than that on /a may sign up: both visits
		// are selected. Of the first, no event is on /a and signs up.
		[
			and(is('page', '/a'), or(is('country', 'NP'), is('event', 'signup'))),
			{ ...ofBoth, visitors: 1, events: 1 },
		],
	],
	'not means that no event does': [
		[not(is('page', '/a')), {}],
		[not(is('property:plan', 'pro')), { ...ofSecond, ...aView, events: 1 }],
		[not(and(is('page', '/a'), is('event', 'signup'))), { ...ofFirst, ...aView, events: 1 }],
		[not(is('country', 'DE')), { ...ofSecond, ...aView, events: 1 }],
		// Beside an event condition it is asked of the whole visit, and of the events that are counted.
		[and(is('page', '/a'), not(is('property:plan', 'pro'))), { ...ofSecond, events: 1 }],
		[and(is('page', '/a'), not(is('event', 'signup'))), {}],
		// Twice, it selects as the test does, and is no event condition.
		[and(is('page', '/a'), not(not(is('page', '/b')))), { visits: 2, seconds: 180 }],
	],
};

for (const [rule, cases] of Object.entries(filterCases))
	test(rule, () => {
		for (const [filter, expected] of cases)
			assert.deepEqual(totals(two, { filter }), expected, JSON.stringify(filter));
	});

test('a filter leaves a visit its bounce, and a nobody is selected like a visit', () => {
	const events = [
		view('10:00'),
		view('10:00', { visitor_id: '0', path: '/a' }),
		view('12:00', { path: '/a' }),
	];
	const bounce = { visitors: 1, visits: 1, bounces: 1, ...aView };
	assert.deepEqual(totals(events, { filter: is('page', '/a') }), { ...bounce, views: 2 });
	assert.deepEqual(totals(events, { filter: not(is('page', '/a')) }), bounce);
});

test('a visit belongs to the instant of its start, an event to its own', () => {
	const page = view('10:20', { revenue: '3', currency: 'EUR' });
	const events = [
		view('09:55'),
		page,
		engagement(page, 12_000, 40),
		custom('10:40'),
		view('10:59', { visitor_id: '8' }),
	];
	const between = (start: string | null, end: string | null, more: Partial<Question> = {}) =>
		totals(events, {
			...more,
			span: {
				...dates(day, day),
				startMs: start === null ? null : msOf(start),
				endMs: end === null ? null : msOf(end),
			},
		});
	const engaged = { engaged_ms: 12_000, engaged_views: 1, scroll: 40, scroll_views: 1, revenue: { EUR: 3 } };
	assert.deepEqual(between('10:20', '10:40'), { visitors: 1, ...aView, ...engaged });
	assert.deepEqual(between(null, '10:20'), { visitors: 1, visits: 1, seconds: 2_700, ...aView });
	assert.deepEqual(between('09:55', '10:20', { goal: goalOf(1, 'event', '*') }), {
		visitors: 1,
		visits: 1,
		seconds: 2_700,
		...aView,
		conversions: 1,
		converted_visitors: 1,
	});
	assert.deepEqual(between('10:20:01', null), { visitors: 2, visits: 1, bounces: 1, ...aView, events: 1 });
	// What selects a visit may lie outside; what is counted of it may not.
	assert.deepEqual(between(null, '10:20', { filter: is('event', 'signup') }), { visits: 1, seconds: 2_700 });
	// Dates hold too.
	assert.deepEqual(
		totals(events, { span: { ...dates('2026-06-18', '2026-06-19'), startMs: 0, endMs: null } }),
		{},
	);
});

test('buckets count by date or by instant, within the span', () => {
	const events = [
		view('23:00', { date: '2026-06-14' }),
		view('10:50', { date: '2026-06-16' }),
		view('10:50'),
		view('11:10'),
		custom('11:20', { visitor_id: '8' }),
	];
	const hour = (from: string, to: string) =>
		bucket(from, { from: day, to: day, startMs: msOf(from), endMs: msOf(to) });
	const series = (more: Partial<Question>) => countOf(events, ask(more)).series?.map(short);
	const bounce = { visitors: 1, visits: 1, bounces: 1, ...aView };
	assert.deepEqual(
		series({
			span: dates('2026-06-15', day),
			buckets: [
				bucket('2026-06-08', dates('2026-06-08', '2026-06-16')),
				bucket(day, dates(day, '2026-06-30')),
			],
		}),
		[bounce, { visitors: 2, visits: 2, seconds: 1_200, views: 2, visit_views: 2, events: 1 }],
	);
	const hours = [hour('10:00', '11:00'), hour('11:00', '12:00'), hour('12:00', '13:00')];
	assert.deepEqual(series({ buckets: hours }), [
		{ visitors: 1, visits: 1, seconds: 1_200, ...aView },
		{ visitors: 2, visits: 1, ...aView, events: 1 },
		{},
	]);
	assert.deepEqual(
		series({ buckets: hours, span: { ...dates(day, day), startMs: msOf('11:00'), endMs: msOf('11:15') } }),
		[{}, { visitors: 1, ...aView }, {}],
	);
	const answer = countOf(
		events,
		ask({
			span: dates(day, day),
			compared: { ...dates('2026-06-16', '2026-06-16'), startMs: null, endMs: msOf('10:55') - 86_400_000 },
			buckets: hours,
			comparedBuckets: [
				bucket('2026-06-16', dates('2026-06-14', '2026-06-16')),
				bucket(day, dates(day, day)),
			],
		}),
	);
	assert.deepEqual(short(answer.compared ?? noCounts), bounce);
	assert.deepEqual(answer.comparedSeries?.map(short), [bounce, {}]);
	assert.equal(countOf(events, ask()).compared, null);
	assert.equal(countOf(events, ask()).series, null);
	assert.equal(countOf(events, ask()).comparedSeries, null);
});

test('a visitor is counted once a date, span, bucket and value', () => {
	const events = [
		view('08:00'),
		view('10:00', { path: '/a' }),
		view('12:00'),
		view('12:00', { date: '2026-06-18' }),
	];
	assert.equal(totals(events).visitors, 2);
	assert.deepEqual(
		Object.entries(rows(events, by('page'))).map(([value, its]) => [value, its.visitors, its.visits]),
		[
			['/', 2, 3],
			['/a', 1, 1],
		],
	);
});

test('a row of an event’s dimension has the whole visits, and only its own events', () => {
	const page = view('10:05', { path: '/b' });
	const events = [
		view('10:00', { path: '/a' }),
		page,
		engagement(page, 4_000, 70),
		view('10:10', { path: '/a' }),
	];
	const visit = { visitors: 1, visits: 1, seconds: 600 };
	const onB = { ...aView, engaged_ms: 4_000, engaged_views: 1, scroll: 70, scroll_views: 1 };
	assert.deepEqual(rows(events, by('page')), {
		'/a': { ...visit, views: 2, visit_views: 2 },
		'/b': { ...visit, ...onB },
	});
	// Only of events that the filter leaves.
	assert.deepEqual(rows(events, by('page'), { filter: is('page', '/b') }), { '/b': { ...visit, ...onB } });
	// A visit that began in the span has its row, though the event with the value came later; one that began before has none.
	const cut = (startMs: number | null, endMs: number | null) =>
		rows(events, by('page'), { span: { ...dates(day, day), startMs, endMs } });
	assert.deepEqual(cut(null, msOf('10:01')), {
		'/a': { ...visit, ...aView },
		'/b': { visits: 1, seconds: 600 },
	});
	assert.deepEqual(cut(msOf('10:01'), msOf('10:06')), { '/b': { visitors: 1, ...onB } });
});

test('rows are sorted by value and then by bytes, null lowest, and found and paged', () => {
	const events = [
		view('10:00', { path: '/ﬁ', country: 'A' }),
		custom('10:01', { path: '/ﬁ' }),
		view('10:00', { path: '/😀', visitor_id: '8' }),
		view('10:00', { path: '/Z', visitor_id: '9' }),
		view('10:01', { path: '/Z', visitor_id: '9' }),
		// It has no visits, so what is divided by visits is null.
		view('10:00', { path: '/z', visitor_id: '0' }),
	];
	const sorted = (metric: Breakdown['sort']['by'], descending: boolean, more: Partial<Breakdown> = {}) =>
		listed(events, by('page', { ...more, sort: { by: metric, descending } }));
	assert.deepEqual(sorted('pageviews', true), ['/Z', '/z', '/ﬁ', '/😀']);
	assert.deepEqual(sorted('pageviews', false), ['/z', '/ﬁ', '/😀', '/Z']);
	assert.deepEqual(sorted('bounce_rate', true), ['/😀', '/Z', '/ﬁ', '/z']);
	assert.deepEqual(sorted('bounce_rate', false), ['/z', '/Z', '/ﬁ', '/😀']);
	assert.deepEqual(sorted('pageviews', true, { search: 'Z' }), ['/Z', '/z']);
	assert.deepEqual(sorted('pageviews', true, { offset: 1, limit: 2 }), ['/z', '/ﬁ']);
	const page = (more: Partial<Breakdown>) =>
		countOf(events, ask({ breakdowns: [by('page', more)] })).breakdowns[0];
	assert.equal(page({ limit: 1 })?.total, 4);
	assert.deepEqual(page({ search: 'z', offset: 5 }), { total: 2, rows: [] });

	const goals = [goalOf(1, 'page', '/Z'), goalOf(2, 'event', '*')];
	assert.deepEqual(listed(events, by('goal', { search: 'EVENT' }), { website: { ...website, goals } }), [
		'2',
	]);
});

test('revenue is exact, by currency, and sorted by its largest amount', () => {
	const sold = (path: string, revenue: string, currency = 'EUR') =>
		custom('10:00', { path, revenue, currency });
	const events = [
		sold('/a', '0.1'),
		sold('/a', '0.2'),
		sold('/a', '-40', 'USD'),
		sold('/b', '19.99'),
		sold('/b', '-19.99'),
		sold('/c', '99999999.9999', 'JPY'),
		sold('/c', '99999999.9999', 'JPY'),
		sold('/d', '-5.5'),
		sold('/e', '7', ''),
	];
	assert.deepEqual(totals(events).revenue, { EUR: -5.2, USD: -40, JPY: 199999999.9998 });
	const descending = by('page', { sort: { by: 'revenue', descending: true } });
	assert.deepEqual(listed(events, descending), ['/c', '/a', '/b', '/e', '/d']);
	const found = rows(events, descending);
	assert.deepEqual(
		['/a', '/b', '/e'].map((path) => found[path]?.revenue),
		[{ EUR: 0.3, USD: -40 }, { EUR: 0 }, undefined],
	);
});

test('what is older than the reset does not exist', () => {
	const before = view('10:00', { path: '/a' });
	const after = view('10:10', { path: '/b' });
	const late = { ...engagement(after, 50_000), time: `${day} 10:05:00.000` };
	const events = [before, after, late, { ...engagement(before, 50_000), time: `${day} 10:20:00.000` }];
	const emptied = { website: { ...website, resetAt: msOf('10:10') } };
	assert.deepEqual(rows(events, by('entry_page'), emptied), {
		'/b': { visitors: 1, visits: 1, bounces: 1, ...aView },
	});
});

/** Every dimension that the random events have values of. */
const everyDimension = [...dimensionNames, 'property:plan', 'property:size', 'property:an "odd" \\ näme'];

test('a row is the question with its value as the filter', (t) => {
	const { seed } = seededRandom();
	t.diagnostic(`SEED=${seed}`);
	let compared = 0;
	for (let round = 0; round < 12; round++) {
		const random = seededRandom(seed + round);
		const { events, asked } = randomStatsEvents(random, { websiteIds: [10, 11] });
		for (const { website: one, about } of asked) {
			const question: Question = {
				...randomQuestion(random, one, about),
				filter: null,
				breakdowns: everyDimension.map((name) => by(name)),
			};
			const { breakdowns } = countOf(events, question);
			for (const [index, breakdown] of breakdowns.entries())
				for (const { value, counts: its } of breakdown.rows) {
					const name = everyDimension[index] ?? '';
					const goal =
						name === 'goal' ? (about.goals.find(({ id }) => String(id) === value) ?? null) : question.goal;
					const { totals: alone } = countOf(events, {
						...question,
						goal,
						filter: is(name, value),
						breakdowns: [],
					});
					// A page or a group of pages has the revenue of its own events; a filter by it that of the visits (C-STAT-20).
					const revenue = ['page', 'page_group', 'hostname', 'title'].includes(name)
						? its.revenue
						: alone.revenue;
					assert.deepEqual(its, { ...alone, revenue }, `${name} ${value} SEED=${seed + round}`);
					compared++;
				}
		}
	}
	t.diagnostic(`${compared} rows`);
	assert.ok(compared > 500);
});

test('of random events there are as many visits as a count of visits finds, and days add up', (t) => {
	const { seed } = seededRandom();
	t.diagnostic(`SEED=${seed}`);
	for (let round = 0; round < 20; round++) {
		const random = seededRandom(seed + round);
		const { events, asked } = randomStatsEvents(random, { websiteIds: [10, 11] });
		for (const { website: one, about } of asked) {
			const [from = '', to = ''] = [about.dates[0], about.dates.at(-1)];
			const question: Question = {
				...randomQuestion(random, { ...one, resetAt: null }, about),
				span: dates(from, to),
				buckets: about.dates.map((date) => bucket(date, dates(date, date))),
			};
			const { totals: sum, series } = countOf(events, question);
			assert.deepEqual(series?.reduce(addCounts, noCounts), sum, `SEED=${seed + round}`);

			const visits = findVisits(events).filter(({ website_id }) => website_id === one.id);
			const { totals: all } = countOf(events, { ...question, filter: null });
			assert.deepEqual(
				[all.visits, all.seconds, all.visit_views, all.engaged_ms],
				[
					visits.length,
					visits.reduce((seconds, visit) => seconds + Number(visit.seconds), 0),
					visits.reduce((views, visit) => views + Number(visit.views), 0),
					visits.reduce((ms, visit) => ms + Number(visit.engaged_ms), 0),
				],
				`SEED=${seed + round}`,
			);
		}
	}
});

test('random questions are about whole runs of dates and instants, with buckets that meet', (t) => {
	const { seed } = seededRandom();
	t.diagnostic(`SEED=${seed}`);
	const kinds = new Set<string>();
	for (let round = 0; round < 40; round++) {
		const random = seededRandom(seed + round);
		const { asked } = randomStatsEvents(random, { websiteIds: [10] });
		for (const { website: one, about } of asked)
			for (let left = 10; left > 0; left--) {
				const { span, compared, buckets, comparedBuckets } = randomQuestion(random, one, about);
				for (const { from, to } of compared ? [span, compared] : [span]) assert.ok(from <= to);
				assert.equal(comparedBuckets?.length ?? buckets?.length, buckets?.length);
				for (const [index, next] of (buckets ?? []).slice(1).entries()) {
					const before = buckets?.[index];
					assert.ok(before && before.to <= next.from && before.endMs === next.startMs);
				}
				for (const { from, to, startMs, endMs } of [...(buckets ?? []), ...(comparedBuckets ?? [])]) {
					if (startMs === null || endMs === null) continue;
					assert.equal(dateOf(one.zones, startMs).date, from, `SEED=${seed + round}`);
					assert.equal(dateOf(one.zones, endMs - 1).date, to, `SEED=${seed + round}`);
				}
				const [first] = buckets ?? [];
				kinds.add(first?.startMs == null ? 'dates' : `${(first.endMs ?? 0) - first.startMs}`);
			}
	}
	assert.ok(['dates', '60000', '3600000'].every((kind) => kinds.has(kind)));
});
