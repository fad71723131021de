import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addDays } from '../../server/lib/local-dates.ts';
import { build } from '../../server/stats/answer/build.ts';
import { type PlannedDay, plan, withoutUnavailable } from '../../server/stats/answer/plan.ts';
import { buildPropertyNames } from '../../server/stats/answer/property-names.ts';
import { buildVitals } from '../../server/stats/answer/vitals.ts';
import { findDimension } from '../../server/stats/question/dimensions.ts';
import type { MetricName } from '../../server/stats/question/metrics.ts';
import {
	parseQuestion,
	type RawBreakdown,
	type RawComparison,
	type RawQuestion,
} from '../../server/stats/question/parse-question.ts';
import type { Question, StatsWebsite } from '../../server/stats/question/question.ts';
import { render, type Sql } from '../../server/store/sql.ts';
import { toZones } from '../../server/websites/zones.ts';

/**
 * Typical questions, and the statements that they become: for people to read, and to see what a change does to them. A
 * Sunday morning in Berlin; everything up to yesterday is sealed, but for the tenth, to which something came late.
 */
const now = new Date('2026-11-15T10:30:00Z');
const website: StatsWebsite = {
	id: 42,
	zones: toZones([{ from: '0001-01-01', zone: 'Europe/Berlin' }]),
	rawFrom: null,
	resetAt: null,
	pathRules: [
		{ pattern: '/blog/**', target: '/blog/:article' },
		{ pattern: '/*/product/*', target: '/$1/product/:id' },
	],
	goals: [
		{ id: 3, revision: 5, name: 'Signed up', kind: 'event', pattern: 'signup', property: null },
		{
			id: 4,
			revision: 9,
			name: 'Bought',
			kind: 'page',
			pattern: '/thanks*',
			property: { name: 'plan', value: 'pro' },
		},
	],
};

const day = (date: string): PlannedDay => ({
	date,
	isSealed: date !== '2026-11-15' && date !== '2026-11-10',
	generation: Number(date.replaceAll('-', '')) % 10_000,
	capped: date === '2026-11-12' ? ['page'] : [],
	goalRevision: 9,
	size: 1_000,
	provisional: null,
	imported: null,
});

type Golden = {
	about: string;
	days?: (day: PlannedDay) => PlannedDay;
	website?: Partial<StatsWebsite>;
	/** For questions that no plan is made for. */
	build?: (question: Question) => Sql[];
	ask: Partial<Omit<RawQuestion, 'filters' | 'breakdowns'>> & {
		filters?: unknown;
		breakdowns?: (Partial<Omit<RawBreakdown, 'dimension'>> & { dimension: string })[];
	};
};

const series: RawQuestion['series'] = { interval: undefined };
const comparison: RawComparison = {
	compare: 'previous',
	compareFrom: undefined,
	compareTo: undefined,
	matchWeekdays: false,
};
const five: MetricName[] = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'];
const sealed = { period: 'custom', from: '2026-11-01', to: '2026-11-07' } as const;
const by = (...dimensions: string[]) => dimensions.map((dimension) => ({ dimension }));

const importedWithoutSources = {
	isSealed: false,
	generation: 0,
	imported: { importId: 8, source: 'plausible', suppliedCounts: { '': ['visitors'] } },
} as const satisfies Partial<PlannedDay>;

/** By the name of their file. */
const goldens: Record<string, Golden> = {
	'week-sealed': { about: 'A week of sealed days, by day: sums of totals.', ask: { ...sealed, series } },
	'7d': { about: 'The last seven days: sealed ones, a late one and today.', ask: { period: '7d', series } },
	today: { about: 'Today by hour.', ask: { period: 'today', series } },
	'today-compared': {
		about: 'Today by hour, and yesterday up to the same time of day.',
		ask: { period: 'today', series, comparison },
	},
	'24h': { about: 'The last 24 hours: yesterday is cut.', ask: { period: '24h', series } },
	minutes: {
		about: 'A sealed day by minute.',
		ask: {
			period: 'custom',
			from: '2026-11-07',
			to: '2026-11-07',
			series: { ...series, interval: 'minute' },
		},
	},
	'month-compared': {
		about: 'This month and the one before up to the same time of its fifteenth.',
		ask: { period: 'month', series, comparison },
	},
	'rows-compared': {
		about: 'Sources of a sealed week and the one before.',
		ask: { ...sealed, comparison, breakdowns: [{ dimension: 'source', isCompared: true }] },
	},
	'rows-compared-in-part': {
		about:
			'Sources of a sealed week, whose comparison has them only on its last days: rows of the period alone.',
		days: (of) => (of.date < '2026-10-28' ? { ...of, ...importedWithoutSources } : of),
		ask: { ...sealed, comparison, breakdowns: [{ dimension: 'source', isCompared: true }] },
	},
	'rows-compared-searched': {
		about: 'Pages of a sealed week that contain a text, those that grew most first.',
		ask: {
			...sealed,
			comparison,
			breakdowns: [{ dimension: 'page', isCompared: true, sortBy: 'visitors_change', search: 'blog' }],
		},
	},
	'year-by-month': {
		about: 'A year by month.',
		ask: { period: 'year', series, metrics: ['visitors', 'revenue'] },
	},
	'all-metrics': {
		about: 'Every metric that needs no goal, of a sealed week.',
		ask: {
			...sealed,
			series,
			metrics: [...five, 'views_per_visit', 'engaged_time', 'scroll_depth', 'events', 'revenue'],
		},
	},
	'by-page': { about: 'Top pages of a sealed week.', ask: { ...sealed, breakdowns: by('page') } },
	'by-page-capped': {
		about: 'Top pages of days of which one had too many: that one is counted from its visits.',
		ask: { period: 'custom', from: '2026-11-11', to: '2026-11-13', breakdowns: by('page') },
	},
	'by-page-today': { about: 'Top pages of today.', ask: { period: 'today', breakdowns: by('page') } },
	'by-source-second-page': {
		about: 'The second page of sources, by bounce rate upwards.',
		ask: {
			...sealed,
			breakdowns: [{ dimension: 'source', sortBy: 'bounce_rate', descending: false, offset: 10, limit: 10 }],
		},
	},
	'by-city-searched': {
		about: 'Cities that contain a text.',
		ask: { ...sealed, breakdowns: [{ dimension: 'city', search: "l'Hay_%" }] },
	},
	'by-hour': { about: 'Hours of the day.', ask: { ...sealed, breakdowns: by('hour') } },
	'by-title': { about: 'Titles of the last seven days.', ask: { period: '7d', breakdowns: by('title') } },
	'by-two-of-visits': {
		about: 'Sources and countries of a sealed week.',
		ask: { ...sealed, breakdowns: [{ dimension: 'source', by: { name: 'country' } }] },
	},
	'by-two-of-events': {
		about: 'Pages and events of a sealed week and today.',
		ask: { period: '7d', breakdowns: [{ dimension: 'page', by: { name: 'event' } }] },
	},
	'by-source-and-page': {
		about: 'Sources and pages of a sealed week: those that grew most.',
		ask: {
			...sealed,
			comparison,
			breakdowns: [
				{
					dimension: 'source',
					by: { name: 'page' },
					isCompared: true,
					sortBy: 'visitors_change',
					search: 'g',
				},
			],
		},
	},
	'by-event-with-revenue': {
		about: 'Events and what they brought.',
		ask: {
			...sealed,
			breakdowns: [{ dimension: 'event', metrics: ['events', 'revenue'], sortBy: 'revenue' }],
		},
	},
	'by-property': {
		about: 'A property, whose name is a value.',
		ask: { ...sealed, breakdowns: by("property:it's {p0:String}") },
	},
	'by-goal': {
		about: 'Goals and their conversions.',
		ask: { ...sealed, breakdowns: [{ dimension: 'goal', metrics: ['conversions', 'conversion_rate'] }] },
	},
	'by-goal-of-an-old-seal': {
		about: 'Goals, of days that were sealed before the newest one was made.',
		days: (of) => ({ ...of, goalRevision: 5 }),
		ask: { ...sealed, breakdowns: [{ dimension: 'goal', metrics: ['conversions'], search: 'Sign' }] },
	},
	'by-goal-with-tests': {
		about: 'Goals that test the value of a property.',
		website: {
			goals: (
				[
					{ name: 'plan', value: 'p*_1', test: 'wildcard' },
					{ name: 'price', value: '10', test: 'at_least' },
				] as const
			).map((property, index) => ({
				id: 5 + index,
				revision: 11 + index,
				name: property.test,
				kind: 'event',
				pattern: 'order',
				property,
			})),
		},
		days: (of) => ({ ...of, goalRevision: 4 }),
		ask: { ...sealed, breakdowns: [{ dimension: 'goal', metrics: ['conversions'] }] },
	},
	conversions: {
		about: 'How many visits reached a goal, as a whole and by source.',
		ask: {
			...sealed,
			series,
			goal: 4,
			metrics: ['visits', 'conversions', 'conversion_rate'],
			breakdowns: [{ dimension: 'source', metrics: ['visits', 'conversions'] }],
		},
	},
	'filter-country': {
		about: 'Visits from two countries.',
		ask: { ...sealed, series, filters: ['is', 'country', ['DE', 'AT']] },
	},
	'filter-page': {
		about: 'Visits that saw a page: only what happened on it counts as page views.',
		ask: { ...sealed, series, filters: ['is', 'page', '/pricing'], breakdowns: by('page', 'source') },
	},
	'filter-not-page': {
		about: 'Visits that never saw any page of the blog.',
		ask: { ...sealed, series, filters: ['not_contains', 'page', '/blog'] },
	},
	'filter-nested': {
		about: 'One event on a page with a property, of visits from a search engine or from nowhere.',
		ask: {
			...sealed,
			series,
			filters: [
				'and',
				['starts_with', 'page', '/shop'],
				['is', 'property:plan', ['pro', 'team']],
				['or', ['is', 'channel', 'Organic search'], ['is', 'source', '']],
				['not', ['is', 'goal', 3]],
			],
		},
	},
	'filter-texts': {
		about: 'Tests of parts of a text, without regard to case, by wildcards and by a regular expression.',
		ask: {
			...sealed,
			series,
			filters: [
				'and',
				['is', 'utm_medium', ['Email', 'news'], { case_sensitive: false }],
				['ends_with', 'page', ['.pdf', '.zip', '.docx']],
				['not_wildcard', 'page', ['/shop/*/cart'], { case_sensitive: false }],
				['or', ['matches', 'title', ['^Caf(é|e)s?$']], ['is_set', 'property:plan'], ['is_not_set', 'source']],
			],
		},
	},
	'filter-numbers': {
		about: 'Visits with an event that is worth more than an amount, and one of a price.',
		ask: {
			...sealed,
			series,
			filters: [
				'or',
				['greater_than', 'revenue:EUR', '19.99'],
				['and', ['between', 'property:price', [10, 20]], ['is_set', 'revenue']],
			],
		},
	},
	'filter-hours': {
		about: 'A filter, by hour, over a change of the clock.',
		ask: {
			period: 'custom',
			from: '2026-10-25',
			to: '2026-10-25',
			series,
			filters: ['is', 'device', 'mobile'],
		},
	},
	'page-of-everything': {
		about: 'A statistics page: the whole, a series, what it is compared with and eleven tables.',
		ask: {
			period: '7d',
			series,
			comparison,
			breakdowns: by(
				'page',
				'entry_page',
				'exit_page',
				'source',
				'channel',
				'utm_campaign',
				'country',
				'browser',
				'os',
				'device',
				'event',
			),
		},
	},
	'page-filtered': {
		about: 'The same with a filter.',
		ask: {
			period: '7d',
			series,
			filters: ['is', 'source', 'Google'],
			breakdowns: by('page', 'country', 'event', 'goal', 'property:plan'),
		},
	},
	'after-retention': {
		about: 'Days whose visits are gone: totals alone, also where they are capped.',
		website: { rawFrom: '2026-11-14' },
		ask: { period: 'custom', from: '2026-11-11', to: '2026-11-14', series, breakdowns: by('page', 'title') },
	},
	'large-today': {
		about: 'A day with too many events to be counted anew: from its provisional totals.',
		days: (of) => ({
			...of,
			size: 5_000_000,
			provisional: { generation: 77, at: now, capped: [], goalRevision: 9 },
		}),
		ask: { period: 'today', series: { ...series, interval: 'day' }, breakdowns: by('source') },
	},
	imported: {
		about: 'A week whose first days were counted elsewhere: those from the import, the others from totals.',
		days: (of) =>
			of.date < '2026-11-04'
				? {
						...of,
						isSealed: false,
						generation: 0,
						imported: {
							importId: 8,
							source: 'plausible',
							suppliedCounts: { '': ['visitors', 'views'], page: ['visitors'] },
						},
					}
				: of,
		ask: { ...sealed, series, breakdowns: by('page') },
	},
	vitals: {
		about: 'Web vitals of some pages, as the public is shown them: from the events themselves.',
		website: { rawFrom: '2026-11-03' },
		build: (question) => buildVitals(question, { least: 3, maxPages: 10 }),
		ask: {
			...sealed,
			filters: ['and', ['starts_with', 'page', '/shop'], ['not', ['is', 'device', ['mobile']]]],
		},
	},
	'property-names': {
		about:
			'The names of properties of the last 24 hours, since the statistics were emptied, without an import that runs.',
		website: { resetAt: Date.parse('2026-11-15T08:00:00Z'), hiddenImports: [9] },
		build: (question) => [buildPropertyNames(question, 1)],
		ask: { period: '24h' },
	},
};

function statementsOf({ ask, days: change = (of) => of, website: more, build: own }: Golden): Sql[] {
	const asked = { ...website, ...more };
	const { filters, breakdowns = [], metrics = ask.series ? five : [], ...rest } = ask;
	const { question } = parseQuestion(
		{ website: asked, domain: 'example.com', firstDate: '2026-01-01' },
		{
			period: '30d',
			from: undefined,
			to: undefined,
			series: null,
			goal: undefined,
			...rest,
			metrics,
			filters: filters === undefined ? [] : [{ field: 'filters', json: filters }],
			breakdowns: breakdowns.map(({ dimension, ...breakdown }) => ({
				dimension: findDimension(dimension) ?? { name: 'page' },
				metrics: ['visitors', 'pageviews'],
				sortBy: undefined,
				descending: true,
				search: undefined,
				offset: 0,
				limit: 10,
				prefix: '',
				...breakdown,
			})),
		},
		now,
	);
	if (own) return own(question);
	const dates: string[] = [];
	for (let date = '2026-09-01'; date <= '2026-11-15'; date = addDays(date, 1)) dates.push(date);
	const spans = [question.span, ...(question.compared ? [question.compared] : [])];
	const within = dates.filter((date) => spans.some(({ from, to }) => date >= from && date <= to));
	const open = new Map(dates.map((date, index) => [date, { generation: BigInt(index + 1) << 22n, at: now }]));
	const planned = plan(
		question,
		within.map((date) => change(day(date))),
	);
	const { reads, ranked } = build(withoutUnavailable(question, planned), planned, open, new Set());
	return [...reads, ...ranked].map(({ sql }) => sql);
}

/** Text and values apart, as they go to ClickHouse. */
function write(statement: Sql): string {
	const { query, query_params } = render(statement);
	const lines = query.split('\n').filter((line) => line.trim() !== '');
	const least = Math.min(...lines.slice(1).map((line) => /^\t*/.exec(line)?.[0].length ?? 0));
	const text = lines.map((line, index) => (index === 0 ? line.trim() : line.slice(least)).trimEnd());
	const values = Object.entries(query_params).map(
		([name, value]) =>
			`-- ${name} = ${JSON.stringify(value, (_, of: unknown) => (typeof of === 'bigint' ? `${of}` : of))}`,
	);
	return `${[...text, ...values].join('\n')}\n`;
}

const folder = join(import.meta.dirname, '../golden/sql');

export type GoldenSql = { name: string; file: string; statements: Sql[]; text: string };

export function goldenSql(): GoldenSql[] {
	return Object.entries(goldens).map(([name, golden]) => {
		const statements = statementsOf(golden);
		return {
			name,
			file: join(folder, `${name}.sql`),
			statements,
			text: [`-- ${golden.about}\n`, ...statements.map(write)].join('\n'),
		};
	});
}

/** What is committed, by name. */
export const committedSql = (): Record<string, string> =>
	Object.fromEntries(
		globSync('*.sql', { cwd: folder }).map((file) => [
			basename(file, '.sql'),
			readFileSync(join(folder, file), 'utf8'),
		]),
	);
