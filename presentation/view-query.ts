/**
 * The state of the statistics page ⇄ the query string of its URL. The URL is the only place where it is kept, so reload, back
 * and a shared link show the same page. Defaults are omitted; invalid values are ignored, because a URL that was edited by
 * hand should still open. Pure.
 */
import type { z } from 'zod';
import type { metricNames, queryStatsBody } from '../api/stats.ts';
import { type Filter, filterOf, readFilter, writeFilter } from './filter-chips.ts';
import { oneOf } from './one-of.ts';

export type MetricName = (typeof metricNames)[number];
export type Period = Question['period'];
export type Interval = NonNullable<Question['interval']>;
export type Comparison = Question['compare'];
type Question = z.output<typeof queryStatsBody>;
/** The body of `POST /websites/{id}/stats/query`. */
export type PageBody = z.input<typeof queryStatsBody>;
export type BreakdownRequest = NonNullable<PageBody['breakdowns']>[number];

export const periods = [
	'today',
	'yesterday',
	'24h',
	'7d',
	'28d',
	'30d',
	'90d',
	'last_week',
	'month',
	'last_month',
	'quarter',
	'year',
	'6months',
	'12months',
	'all',
	'custom',
] as const satisfies readonly Period[];
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const satisfies readonly Interval[];
export const comparisons = ['previous', 'year', 'custom', 'none'] as const satisfies readonly Comparison[];
/** The metrics of the tiles without a goal. */
export const tileMetrics = [
	'visitors',
	'visits',
	'pageviews',
	'views_per_visit',
	'bounce_rate',
	'visit_duration',
] as const satisfies readonly MetricName[];

/** The metrics of the tiles when a goal is selected. */
export const goalMetrics = [
	'conversions',
	'unique_conversions',
	'conversion_rate',
	'revenue',
] as const satisfies readonly MetricName[];
export type TileMetric = (typeof tileMetrics)[number] | (typeof goalMetrics)[number];
const allTileMetrics: readonly TileMetric[] = [...tileMetrics, ...goalMetrics];

export type ViewQuery = {
	period: Period;
	/** Only with the period `custom`. */
	from?: string | undefined;
	to?: string | undefined;
	/** Undefined: the default of the period. */
	interval?: Interval | undefined;
	compare: Comparison;
	/** Only with `custom`. */
	compareFrom?: string | undefined;
	compareTo?: string | undefined;
	/** Undefined: the default of the period (`matchesWeekdays`). */
	matchWeekdays?: boolean | undefined;
	filters: readonly Filter[];
	/** Ids. */
	segment?: number | undefined;
	goal?: number | undefined;
	/** The metric of the chart. It may belong to other tiles than the current ones: see `chartMetrics`. */
	metric: TileMetric;
	/** A second one, on the right axis. */
	second?: TileMetric | undefined;
	/** The reader's preference, which is not in the URL. */
	weekStart?: PageBody['week_start'];
	/** Ids of the selected tabs, where it is not the first of its panel (dashboard/stats/breakdowns.ts). */
	tabs: readonly string[];
	/** The tab that is open in the large panel. */
	large?: string | undefined;
};

export const defaults: ViewQuery = {
	period: '30d',
	compare: 'previous',
	filters: [],
	metric: 'visitors',
	tabs: [],
};

/** Our query parameters. Others are kept. */
const ownParameters = [
	'period',
	'from',
	'to',
	'by',
	'compare',
	'compare_from',
	'compare_to',
	'weekdays',
	'f',
	'segment',
	'goal',
	'metric',
	'second',
	'tabs',
	'large',
];

export function parseViewQuery(search: string): ViewQuery {
	const sent = new URLSearchParams(search);
	const dates = readDates(sent, 'from', 'to');
	const named = oneOf(periods, sent.get('period'));
	const compareDates = readDates(sent, 'compare_from', 'compare_to');
	const compare = oneOf(comparisons, sent.get('compare'));
	const isCustom = dates !== undefined && (named === undefined || named === 'custom');
	return {
		period: isCustom ? 'custom' : named === undefined || named === 'custom' ? defaults.period : named,
		...(isCustom && dates),
		interval: oneOf(intervals, sent.get('by')),
		...(compareDates
			? { compare: 'custom', compareFrom: compareDates.from, compareTo: compareDates.to }
			: { compare: compare === undefined || compare === 'custom' ? defaults.compare : compare }),
		matchWeekdays: compare === 'none' || compareDates ? undefined : readSwitch(sent.get('weekdays')),
		filters: sent.getAll('f').flatMap((text) => readFilter(text) ?? []),
		segment: readId(sent.get('segment')),
		goal: readId(sent.get('goal')),
		metric: oneOf(allTileMetrics, sent.get('metric')) ?? defaults.metric,
		second: oneOf(allTileMetrics, sent.get('second')),
		tabs: (sent.get('tabs') ?? '').split(',').filter((id) => id !== ''),
		large: sent.get('large') || undefined,
	};
}

/** The query string without `?`. `kept` is the current one, whose other parameters are preserved. */
export function formatViewQuery(state: ViewQuery, kept = ''): string {
	const isCustom = state.period === 'custom';
	const isCustomComparison = state.compare === 'custom';
	const pairs: readonly (readonly [string, string | undefined])[] = [
		['period', isCustom || state.period === defaults.period ? undefined : state.period],
		['from', isCustom ? state.from : undefined],
		['to', isCustom ? state.to : undefined],
		['by', state.interval],
		['compare', isCustomComparison || state.compare === defaults.compare ? undefined : state.compare],
		['compare_from', isCustomComparison ? state.compareFrom : undefined],
		['compare_to', isCustomComparison ? state.compareTo : undefined],
		['weekdays', state.matchWeekdays === undefined ? undefined : state.matchWeekdays ? '1' : '0'],
		...state.filters.map((filter) => ['f', writeFilter(filter)] as const),
		['segment', state.segment?.toString()],
		['goal', state.goal?.toString()],
		['metric', state.metric === defaults.metric ? undefined : state.metric],
		['second', state.second],
		['tabs', state.tabs.join(',') || undefined],
		['large', state.large],
	];
	const others = [...new URLSearchParams(kept)].filter(([name]) => !ownParameters.includes(name));
	return [...pairs, ...others]
		.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(value)}`]))
		.join('&');
}

/** Escapes only what is necessary: `f=is,page,/blog` stays readable. */
const encode = (text: string): string =>
	encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');

const isDate = (text: string | null): text is string =>
	text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

function readDates(sent: URLSearchParams, first: string, last: string) {
	const [from, to] = [sent.get(first), sent.get(last)];
	return isDate(from) && isDate(to) && from <= to ? { from, to } : undefined;
}

/** Parses an id from the URL. */
export function readId(text: string | null | undefined): number | undefined {
	return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

const readSwitch = (text: string | null): boolean | undefined =>
	text === '1' ? true : text === '0' ? false : undefined;

const isGoalChip = ({ dimension }: Filter): boolean => dimension === 'goal';

/** The selected goal: that of the URL, or the only one that is filtered by. */
export function goalOf({ goal, filters }: Pick<ViewQuery, 'goal' | 'filters'>): number | undefined {
	if (goal !== undefined) return goal;
	const [chip, ...others] = filters.filter(isGoalChip);
	return chip?.test === 'is' && chip.values.length === 1 && others.length === 0
		? readId(chip.values[0])
		: undefined;
}

/** The tiles: with a goal its conversions, because a filter by it leaves little of the other metrics. */
export const tilesOf = (state: Pick<ViewQuery, 'goal' | 'filters'>): readonly TileMetric[] =>
	goalOf(state) === undefined ? tileMetrics : goalMetrics;

/** The metrics that the chart shows. A metric without a tile gives way to the first one. */
export function chartMetrics(
	state: Pick<ViewQuery, 'goal' | 'filters' | 'metric' | 'second'>,
	tiles: readonly TileMetric[] = tilesOf(state),
): { first: TileMetric; second: TileMetric | undefined } {
	const first = tiles.includes(state.metric) ? state.metric : (tiles[0] ?? defaults.metric);
	const hasSecond = state.second !== undefined && tiles.includes(state.second) && state.second !== first;
	return { first, second: hasSecond ? state.second : undefined };
}

/** Whether Mondays are compared with Mondays. By default for the periods that people read as weeks. */
export const matchesWeekdays = ({
	period,
	compare,
	matchWeekdays,
}: Pick<ViewQuery, 'period' | 'compare' | 'matchWeekdays'>): boolean =>
	(compare === 'previous' || compare === 'year') && (matchWeekdays ?? (period === '7d' || period === '30d'));

/** Conversions are counted among all visits: the filter by the selected goal is not applied to them. */
function withoutGoal(state: ViewQuery): ViewQuery {
	const goal = String(goalOf(state));
	const isSelected = (filter: Filter) =>
		isGoalChip(filter) && filter.test === 'is' && filter.values.join() === goal;
	return { ...state, filters: state.filters.filter((filter) => !isSelected(filter)) };
}

/** The period and filters, which all requests of the page share. */
function scopeOf(
	state: ViewQuery,
): Pick<PageBody, 'period' | 'from' | 'to' | 'week_start' | 'filters'> & { segment?: number } {
	const filters = filterOf(state.filters);
	return {
		period: state.period,
		...(state.period === 'custom' && { from: state.from, to: state.to }),
		...(state.weekStart === 'sunday' && { week_start: state.weekStart }),
		...(state.segment !== undefined && { segment: state.segment }),
		...(filters && { filters }),
	};
}

/** The same as query parameters, for `GET /websites/{id}/stats/{dimension}` and its CSV. */
export function parametersOf(
	state: ViewQuery,
	more: readonly Filter[] = [],
): Record<string, string | undefined> {
	const { segment, filters, ...rest } = scopeOf({ ...state, filters: [...state.filters, ...more] });
	return {
		...rest,
		segment: segment?.toString(),
		filters: filters === undefined ? undefined : JSON.stringify(filters),
	};
}

/** The same for rows with the conversions of the selected goal. */
export const rowParametersOf = (state: ViewQuery, more: readonly Filter[] = []) =>
	parametersOf(withoutGoal(state), more);

/** A request with these metrics and rows, in which a goal among the filters is a filter like others. */
export const viewBodyOf = (
	state: ViewQuery,
	metrics: readonly MetricName[],
	breakdowns: readonly BreakdownRequest[],
): PageBody => ({
	...scopeOf(state),
	...seriesOf(state),
	metrics: [...metrics],
	breakdowns: [...breakdowns],
});

/** The request for all panels of the page. */
export function pageBodyOf(state: ViewQuery, breakdowns: readonly BreakdownRequest[]): PageBody {
	const goal = goalOf(state);
	return {
		...scopeOf(withoutGoal(state)),
		...seriesOf(state),
		...(goal !== undefined && { goal }),
		metrics: [
			...tileMetrics,
			...(goal === undefined ? [] : goalMetrics.filter((name) => name !== 'revenue')),
		],
		breakdowns: [...breakdowns],
	};
}

const seriesOf = (state: ViewQuery) => ({
	...(state.interval && { interval: state.interval }),
	...comparisonOf(state),
});

/** What the period is compared with. */
export const comparisonOf = (state: ViewQuery) => ({
	compare: state.compare,
	...(state.compare === 'custom' && { compare_from: state.compareFrom, compare_to: state.compareTo }),
	...(matchesWeekdays(state) && { match_weekdays: 1 }),
});

/**
 * The request for the revenue of the selected goal, of the same visits. A negation is about the visit: the goal may be reached
 * by another event than the one that meets the other filters.
 */
export function goalRevenueBodyOf(state: ViewQuery): PageBody | undefined {
	const goal = goalOf(state);
	if (goal === undefined) return undefined;
	const { filters, ...scope } = scopeOf(withoutGoal(state));
	const reached = ['not', ['not', ['is', 'goal', [String(goal)]]]];
	return {
		...scope,
		...seriesOf(state),
		filters: filters === undefined ? reached : ['and', filters, reached],
		metrics: ['revenue'],
	};
}

/** The request for all hours of the day that today is compared with. */
export function wholeDayBodyOf(state: ViewQuery, date: string, metrics: readonly TileMetric[]): PageBody {
	const goal = goalOf(state);
	return {
		...scopeOf({ ...withoutGoal(state), period: 'custom', from: date, to: date }),
		interval: 'hour',
		...(goal !== undefined && { goal }),
		metrics: metrics.filter((name) => name !== 'revenue'),
	};
}
