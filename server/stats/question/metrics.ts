/**
 * The metrics. Each is computed from counts, which are what is summed, stored and compared: a rate over a week is never an
 * average of seven rates. All counts are additive over days, because visitor ids change daily; none is additive over values,
 * hours or parts of days.
 */
import { type Count, countNames } from '../../derive/counts.ts';
import { identifier, type Sql, sql } from '../../store/sql.ts';

export type CountName = Exclude<Count, 'revenue'>;
/** Revenue is by currency. */
export type Counts = Record<CountName, number> & { revenue: Readonly<Record<string, number>> };

export const counts = countNames.filter((name): name is CountName => name !== 'revenue');

export type Value = number | null | Readonly<Record<string, number>>;

type Formula = {
	/** The counts it is computed from. */
	inputs: readonly Count[];
	value(counts: Counts): Value;
	/** The sort key of rows, over the same counts, in ClickHouse and here; null values are lowest. */
	order: Sql;
	sortKey(counts: Counts): number;
};

type Definition = Formula & {
	label: string;
	definition: string;
	unit: 'count' | 'rate' | 'seconds' | 'percent' | 'number' | 'money';
	/** Requires a goal, or the dimension goal. */
	needsGoal?: true;
};

const sum = (name: CountName): Formula => ({
	inputs: [name],
	value: (c) => c[name],
	order: identifier(name),
	sortKey: (c) => c[name],
});

const per = (numerator: CountName, denominator: CountName, divisor = 1): Formula => ({
	inputs: [numerator, denominator],
	value: (c) => (c[denominator] === 0 ? null : c[numerator] / c[denominator] / divisor),
	order: sql`if(${identifier(denominator)} = 0, -1.0, ${identifier(numerator)} / ${identifier(denominator)})`,
	sortKey: (c) => (c[denominator] === 0 ? -1 : c[numerator] / c[denominator]),
});

const money: Formula = {
	inputs: ['revenue'],
	// A currency whose amounts add up to 0 is omitted, as in the stored sums.
	value: (c) => Object.fromEntries(Object.entries(c.revenue).filter(([, amount]) => amount !== 0)),
	order: sql`arrayMax(mapValues(revenue))`,
	sortKey: (c) => {
		const amounts = Object.values(c.revenue).filter((amount) => amount !== 0);
		return amounts.length === 0 ? 0 : Math.max(...amounts);
	},
};

export const metrics = {
	visitors: {
		label: 'Visitors',
		definition:
			'Distinct browsers per day. The visitors of a week are the sum of its days, because nobody is recognized on the next day.',
		unit: 'count',
		...sum('visitors'),
	},
	visits: {
		label: 'Visits',
		definition:
			'Sequences of page views and events of one visitor with gaps under 30 minutes, within one day in the website’s time zone.',
		unit: 'count',
		...sum('visits'),
	},
	pageviews: {
		label: 'Page views',
		definition: 'Number of pages opened, including repeated views.',
		unit: 'count',
		...sum('views'),
	},
	views_per_visit: {
		label: 'Views per visit',
		definition: 'Average number of page views per visit.',
		unit: 'number',
		...per('visit_views', 'visits'),
	},
	bounce_rate: {
		label: 'Bounce rate',
		definition:
			'Share of visits with one page view, no custom event and less than 10 seconds of engaged time.',
		unit: 'rate',
		...per('bounces', 'visits'),
	},
	visit_duration: {
		label: 'Visit duration',
		definition:
			'Average time from the first to the last page view or event of a visit. It is 0 for a visit with only one.',
		unit: 'seconds',
		...per('seconds', 'visits'),
	},
	engaged_time: {
		label: 'Engaged time',
		definition: 'Average time that a page was visible and in use, over the page views that reported it.',
		unit: 'seconds',
		...per('engaged_ms', 'engaged_views', 1000),
	},
	scroll_depth: {
		label: 'Scroll depth',
		definition:
			'Average share of a page that visitors scrolled through, in percent of its height, over the page views that reported it.',
		unit: 'percent',
		...per('scroll', 'scroll_views'),
	},
	events: {
		label: 'Events',
		definition: 'Number of custom events, such as clicks, downloads and submitted forms.',
		unit: 'count',
		...sum('events'),
	},
	conversions: {
		label: 'Conversions',
		definition: 'Visits that reached the goal.',
		unit: 'count',
		...sum('conversions'),
		needsGoal: true,
	},
	unique_conversions: {
		label: 'Unique conversions',
		definition: 'Visitors who reached the goal. Someone who reaches it in two visits of a day counts once.',
		unit: 'count',
		...sum('converted_visitors'),
		needsGoal: true,
	},
	conversion_rate: {
		label: 'Conversion rate',
		definition: 'Share of visits that reached the goal.',
		unit: 'rate',
		...per('conversions', 'visits'),
		needsGoal: true,
	},
	revenue: {
		label: 'Revenue',
		definition: 'Sum of the revenue of events, separately for each currency.',
		unit: 'money',
		...money,
	},
} as const satisfies Record<string, Definition>;

export type MetricName = keyof typeof metrics;

// Object.keys does not keep the type of the names.
export const metricNames = Object.keys(metrics) as MetricName[];

export const metricOf = (name: MetricName): Definition => metrics[name];

export const noCounts: Counts = {
	...(Object.fromEntries(counts.map((name) => [name, 0])) as Record<CountName, number>),
	revenue: {},
};

export function addCounts(a: Counts, b: Counts): Counts {
	const sum = { ...a };
	for (const name of counts) sum[name] += b[name];
	sum.revenue = addAmounts(a.revenue, b.revenue);
	return sum;
}

export function addAmounts(a: Counts['revenue'], b: Counts['revenue']): Counts['revenue'] {
	const amounts = Object.entries(b);
	if (amounts.length === 0) return a;
	// Amounts have four decimals; sums of floats would have more.
	const added = amounts.map(([currency, amount]): [string, number] => [
		currency,
		Math.round(((a[currency] ?? 0) + amount) * 10_000) / 10_000,
	]);
	return { ...a, ...Object.fromEntries(added) };
}
