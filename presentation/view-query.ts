/**
 * The state of the statistics page ⇄ the query string of its URL. The URL is the only place where it is kept, so reload, back
 * and a shared link show the same page. Defaults are omitted; invalid values are ignored, because a URL that was edited by
 * hand should still open. Pure.
 */
import type { z } from 'zod';
import type { metricNames, queryStatsBody } from '../api/stats.ts';

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
export const tests = ['is', 'is_not', 'contains', 'not_contains', 'starts_with'] as const;
export type Test = (typeof tests)[number];

/** The metrics of the tiles. */
export const tileMetrics = [
	'visitors',
	'visits',
	'pageviews',
	'views_per_visit',
	'bounce_rate',
	'visit_duration',
] as const satisfies readonly MetricName[];
export type TileMetric = (typeof tileMetrics)[number];

/** One filter chip: visits whose dimension has (or does not have) one of the values. Chips are combined with `and`. */
export type Filter = { test: Test; dimension: string; values: readonly string[] };

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
	matchWeekdays: boolean;
	filters: readonly Filter[];
	/** Ids. */
	segment?: number | undefined;
	goal?: number | undefined;
	/** The metric of the chart. */
	metric: TileMetric;
	/** Ids of the selected tabs, where it is not the first of its panel (dashboard/stats/breakdowns.ts). */
	tabs: readonly string[];
	/** The tab that is open in the large panel. */
	large?: string | undefined;
};

export const defaults: ViewQuery = {
	period: '30d',
	compare: 'previous',
	matchWeekdays: false,
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
		matchWeekdays: sent.get('weekdays') === '1' && (compare ?? 'previous') !== 'none' && !compareDates,
		filters: sent.getAll('f').flatMap((text) => readFilter(text) ?? []),
		segment: readId(sent.get('segment')),
		goal: readId(sent.get('goal')),
		metric: oneOf(tileMetrics, sent.get('metric')) ?? defaults.metric,
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
		['weekdays', state.matchWeekdays ? '1' : undefined],
		...state.filters.map((filter) => ['f', writeFilter(filter)] as const),
		['segment', state.segment?.toString()],
		['goal', state.goal?.toString()],
		['metric', state.metric === defaults.metric ? undefined : state.metric],
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

/** `is,country,DE,AT`; a comma within a part is `%2C`, a percent sign `%25`, before the URL encodes it again. */
function writeFilter({ test, dimension, values }: Filter): string {
	const part = (text: string) => text.replaceAll('%', '%25').replaceAll(',', '%2C');
	return [test, part(dimension), ...values.map(part)].join(',');
}

function readFilter(text: string): Filter | undefined {
	const [word, dimension, ...values] = text
		.split(',')
		.map((part) => part.replaceAll('%2C', ',').replaceAll('%25', '%'));
	const test = oneOf(tests, word ?? null);
	if (!test || !dimension || values.length === 0) return undefined;
	return { test, dimension, values };
}

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

const oneOf = <V extends string>(values: readonly V[], text: string | null): V | undefined =>
	values.find((value) => value === text);

/** The filters in the API's format. */
export const filterOf = (filters: readonly Filter[]): unknown[] | undefined => {
	const parts = filters.map(({ test, dimension, values }) => [test, dimension, values]);
	return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : ['and', ...parts];
};

/** The period and filters, which all requests of the page share. */
function scopeOf(
	state: ViewQuery,
): Pick<PageBody, 'period' | 'from' | 'to' | 'filters'> & { segment?: number } {
	const filters = filterOf(state.filters);
	return {
		period: state.period,
		...(state.period === 'custom' && { from: state.from, to: state.to }),
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

/** The request for all panels of the page. */
export function pageBodyOf(state: ViewQuery, breakdowns: readonly BreakdownRequest[]): PageBody {
	return {
		...scopeOf(state),
		...(state.interval && { interval: state.interval }),
		compare: state.compare,
		...(state.compare === 'custom' && { compare_from: state.compareFrom, compare_to: state.compareTo }),
		...(state.matchWeekdays && { match_weekdays: 1 }),
		...(state.goal !== undefined && { goal: state.goal }),
		metrics: [...tileMetrics],
		breakdowns: [...breakdowns],
	};
}

/** Adds a chip; values of the same dimension and test are merged into one. */
export function addFilter(filters: readonly Filter[], { test, dimension, values }: Filter): Filter[] {
	const same = filters.find((filter) => filter.dimension === dimension && filter.test === test);
	if (!same) return [...filters, { test, dimension, values }];
	const joined = { ...same, values: [...new Set([...same.values, ...values])] };
	return filters.map((filter) => (filter === same ? joined : filter));
}

export const hasValue = (filters: readonly Filter[], dimension: string, value: string): boolean =>
	filters.some(
		(filter) => filter.dimension === dimension && filter.test === 'is' && filter.values.includes(value),
	);

/** Removes a value from the `is` chip of a dimension, and the chip with its last value. */
export function removeValue(filters: readonly Filter[], dimension: string, value: string): Filter[] {
	return filters.flatMap((filter) => {
		if (filter.dimension !== dimension || filter.test !== 'is') return [filter];
		const values = filter.values.filter((other) => other !== value);
		return values.length === 0 ? [] : [{ ...filter, values }];
	});
}
