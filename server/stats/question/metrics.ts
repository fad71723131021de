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
	/** The sort key of rows, over the same counts; null values are lowest. */
	order: Sql;
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
});

const per = (numerator: CountName, denominator: CountName, divisor = 1): Formula => ({
	inputs: [numerator, denominator],
	value: (c) => (c[denominator] === 0 ? null : c[numerator] / c[denominator] / divisor),
	order: sql`if(${identifier(denominator)} = 0, -1.0, ${identifier(numerator)} / ${identifier(denominator)})`,
});

const money: Formula = {
	inputs: ['revenue'],
	// A currency whose amounts add up to 0 is omitted, as in the stored sums.
	value: (c) => Object.fromEntries(Object.entries(c.revenue).filter(([, amount]) => amount !== 0)),
	order: sql`arrayMax(mapValues(revenue))`,
};

export const metrics = {
	visitors: {
		label: 'Visitors',
		definition:
			'Different browsers, each counted once a day: an identifier lives for one day of the website’s calendar, so the visitors of a week are the sum of its days’.',
		unit: 'count',
		...sum('visitors'),
	},
	visits: {
		label: 'Visits',
		definition:
			'Runs of one visitor’s page views and events with gaps under 30 minutes, within one day of the website’s calendar.',
		unit: 'count',
		...sum('visits'),
	},
	pageviews: {
		label: 'Page views',
		definition: 'Pages that were opened, each time counted.',
		unit: 'count',
		...sum('views'),
	},
	views_per_visit: {
		label: 'Views per visit',
		definition: 'Page views of visits divided by visits.',
		unit: 'number',
		...per('visit_views', 'visits'),
	},
	bounce_rate: {
		label: 'Bounce rate',
		definition:
			'The share of visits with one page view, no event of your own and less than 10 seconds of engaged time.',
		unit: 'rate',
		...per('bounces', 'visits'),
	},
	visit_duration: {
		label: 'Visit duration',
		definition:
			'Seconds from the first to the last page view or event of a visit, on average; a visit of one has 0.',
		unit: 'seconds',
		...per('seconds', 'visits'),
	},
	engaged_time: {
		label: 'Engaged time',
		definition:
			'Seconds that a page was visible and in use, on average over the page views that reported it.',
		unit: 'seconds',
		...per('engaged_ms', 'engaged_views', 1000),
	},
	scroll_depth: {
		label: 'Scroll depth',
		definition:
			'How far down a page was seen, in percent of its height, on average over the page views that reported it.',
		unit: 'percent',
		...per('scroll', 'scroll_views'),
	},
	events: {
		label: 'Events',
		definition: 'Events of your own (clicks, downloads, forms, whatever you send), each time counted.',
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
	conversion_rate: {
		label: 'Conversion rate',
		definition: 'The share of visits that reached the goal.',
		unit: 'rate',
		...per('conversions', 'visits'),
		needsGoal: true,
	},
	revenue: {
		label: 'Revenue',
		definition: 'Money that events carried, by currency; sums of different currencies are never added.',
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
	const revenue: Record<string, number> = { ...a.revenue };
	// Amounts have four decimals; sums of floats would have more.
	for (const [currency, amount] of Object.entries(b.revenue))
		revenue[currency] = Math.round(((revenue[currency] ?? 0) + amount) * 10_000) / 10_000;
	return { ...sum, revenue };
}
