/**
 * What the statistics page is asked ⇄ the query of its address. The address is the only place where it is kept: reload,
 * back and a sent link show the same page. Defaults are left out; what cannot be read is ignored, because an address that
 * somebody shortened by hand should still open. Pure.
 */
import type { z } from 'zod';
import type { metricNames, pageBody } from '../api/stats.ts';

export type MetricName = (typeof metricNames)[number];
export type Period = Question['period'];
export type Interval = NonNullable<Question['interval']>;
export type Comparison = Question['compare'];
type Question = z.output<typeof pageBody>;
/** The body of `POST /websites/{id}/stats/page`. */
export type PageBody = z.input<typeof pageBody>;
export type AskedBreakdown = NonNullable<PageBody['breakdowns']>[number];

export const periods = [
	'today',
	'24h',
	'7d',
	'30d',
	'month',
	'last_month',
	'year',
	'12months',
	'all',
	'custom',
] as const satisfies readonly Period[];
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const satisfies readonly Interval[];
export const comparisons = ['previous', 'year', 'custom', 'none'] as const satisfies readonly Comparison[];
export const tests = ['is', 'is_not', 'contains', 'not_contains', 'starts_with'] as const;
export type Test = (typeof tests)[number];

/** The tiles. */
export const tileMetrics = [
	'visitors',
	'visits',
	'pageviews',
	'views_per_visit',
	'bounce_rate',
	'visit_duration',
] as const satisfies readonly MetricName[];
export type TileMetric = (typeof tileMetrics)[number];

/** One chip: the visits of which the dimension has one of the values (or has not). All chips hold together. */
export type Filter = { test: Test; dimension: string; values: readonly string[] };

export type Asked = {
	period: Period;
	/** With the period `custom` alone. */
	from?: string | undefined;
	to?: string | undefined;
	/** Undefined: as the service finds fit for the period. */
	interval?: Interval | undefined;
	compare: Comparison;
	/** With `custom` alone. */
	compareFrom?: string | undefined;
	compareTo?: string | undefined;
	matchWeekdays: boolean;
	filters: readonly Filter[];
	/** Ids. */
	segment?: number | undefined;
	goal?: number | undefined;
	/** What the chart shows. */
	metric: TileMetric;
	/** The tabs that were chosen in place of the first of their panel, by their ids (panels/breakdowns.ts). */
	tabs: readonly string[];
	/** The tab that is open large. */
	large?: string | undefined;
};

export const defaults: Asked = {
	period: '30d',
	compare: 'previous',
	matchWeekdays: false,
	filters: [],
	metric: 'visitors',
	tabs: [],
};

/** The names in the address. What else stands there belongs to others and is kept. */
const ours = [
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

export function readAsked(search: string): Asked {
	const sent = new URLSearchParams(search);
	const dates = readDates(sent, 'from', 'to');
	const named = oneOf(periods, sent.get('period'));
	const compareDates = readDates(sent, 'compare_from', 'compare_to');
	const compare = oneOf(comparisons, sent.get('compare'));
	const isOwn = dates !== undefined && (named === undefined || named === 'custom');
	return {
		period: isOwn ? 'custom' : named === undefined || named === 'custom' ? defaults.period : named,
		...(isOwn && dates),
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

/** Behind the `?`, without it. `kept` is the query as it is: what is not ours in it stays. */
export function writeAsked(asked: Asked, kept = ''): string {
	const isOwn = asked.period === 'custom';
	const isComparedWithOwn = asked.compare === 'custom';
	const pairs: readonly (readonly [string, string | undefined])[] = [
		['period', isOwn || asked.period === defaults.period ? undefined : asked.period],
		['from', isOwn ? asked.from : undefined],
		['to', isOwn ? asked.to : undefined],
		['by', asked.interval],
		['compare', isComparedWithOwn || asked.compare === defaults.compare ? undefined : asked.compare],
		['compare_from', isComparedWithOwn ? asked.compareFrom : undefined],
		['compare_to', isComparedWithOwn ? asked.compareTo : undefined],
		['weekdays', asked.matchWeekdays ? '1' : undefined],
		...asked.filters.map((filter) => ['f', writeFilter(filter)] as const),
		['segment', asked.segment?.toString()],
		['goal', asked.goal?.toString()],
		['metric', asked.metric === defaults.metric ? undefined : asked.metric],
		['tabs', asked.tabs.join(',') || undefined],
		['large', asked.large],
	];
	const others = [...new URLSearchParams(kept)].filter(([name]) => !ours.includes(name));
	return [...pairs, ...others]
		.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(value)}`]))
		.join('&');
}

/** Only what an address cannot hold is escaped: `f=is,page,/blog` stays readable. */
const encode = (text: string): string =>
	encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');

/** `is,country,DE,AT`; a comma within a part is `%2C`, a percent sign `%25`, before the address escapes it once more. */
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

/** The id of something, where a text of the address is one. */
export function readId(text: string | null | undefined): number | undefined {
	return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

const oneOf = <V extends string>(values: readonly V[], text: string | null): V | undefined =>
	values.find((value) => value === text);

/** As the service takes it. */
export const filterOf = (filters: readonly Filter[]): unknown[] | undefined => {
	const parts = filters.map(({ test, dimension, values }) => [test, dimension, values]);
	return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : ['and', ...parts];
};

/** Which time and which visits: what every question about the page has in common. */
function scopeOf(asked: Asked): Pick<PageBody, 'period' | 'from' | 'to' | 'filters'> & { segment?: number } {
	const filters = filterOf(asked.filters);
	return {
		period: asked.period,
		...(asked.period === 'custom' && { from: asked.from, to: asked.to }),
		...(asked.segment !== undefined && { segment: asked.segment }),
		...(filters && { filters }),
	};
}

/** The same as parameters of an address, for `GET /websites/{id}/stats/{dimension}` and its CSV. */
export function parametersOf(asked: Asked, more: readonly Filter[] = []): Record<string, string | undefined> {
	const { segment, filters, ...rest } = scopeOf({ ...asked, filters: [...asked.filters, ...more] });
	return {
		...rest,
		segment: segment?.toString(),
		filters: filters === undefined ? undefined : JSON.stringify(filters),
	};
}

/** One question for all of the page. */
export function pageBodyOf(asked: Asked, breakdowns: readonly AskedBreakdown[]): PageBody {
	return {
		...scopeOf(asked),
		...(asked.interval && { interval: asked.interval }),
		compare: asked.compare,
		...(asked.compare === 'custom' && { compare_from: asked.compareFrom, compare_to: asked.compareTo }),
		...(asked.matchWeekdays && { match_weekdays: 1 }),
		...(asked.goal !== undefined && { goal: asked.goal }),
		metrics: [...tileMetrics],
		breakdowns: [...breakdowns],
	};
}

/** A value of a row becomes a chip; values of the same dimension and test join one. */
export function addFilter(filters: readonly Filter[], { test, dimension, values }: Filter): Filter[] {
	const same = filters.find((one) => one.dimension === dimension && one.test === test);
	if (!same) return [...filters, { test, dimension, values }];
	const joined = { ...same, values: [...new Set([...same.values, ...values])] };
	return filters.map((one) => (one === same ? joined : one));
}

export const hasValue = (filters: readonly Filter[], dimension: string, value: string): boolean =>
	filters.some((one) => one.dimension === dimension && one.test === 'is' && one.values.includes(value));

/** Takes a value out of the `is` of a dimension, and the chip with its last. */
export function removeValue(filters: readonly Filter[], dimension: string, value: string): Filter[] {
	return filters.flatMap((one) => {
		if (one.dimension !== dimension || one.test !== 'is') return [one];
		const values = one.values.filter((other) => other !== value);
		return values.length === 0 ? [] : [{ ...one, values }];
	});
}
