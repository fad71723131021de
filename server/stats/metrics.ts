/**
 * The metrics. Each is made of counts, which are what is summed, stored and compared: a rate over a week is never an
 * average of seven rates. All counts are additive over days, because a visitor's id does not outlive one; none is
 * additive over values, hours or parts of days.
 */

/** Numbers that can be summed over days. */
export const counts = [
	'visitors',
	'visits',
	'bounces',
	'seconds',
	'views',
	/** Page views within visits: those of nobody (visitor 0) are views, and belong to no visit. */
	'visit_views',
	'events',
	'engaged_ms',
	/** Page views that reported engaged time. */
	'engaged_views',
	'scroll',
	/** Page views that reported a depth. */
	'scroll_views',
	'conversions',
] as const;

export type CountName = (typeof counts)[number];
export type Counts = Record<CountName, number> & { revenue: Readonly<Record<string, number>> };

type Definition = {
	label: string;
	definition: string;
	unit: 'count' | 'rate' | 'seconds' | 'percent' | 'number' | 'money';
	/** The counts it is made of. */
	of: readonly (CountName | 'revenue')[];
	/** It can only be asked with a goal, or by goal. */
	needsGoal?: true;
	value(counts: Counts): number | null | Readonly<Record<string, number>>;
};

const per = (sum: number, count: number, divisor = 1): number | null =>
	count === 0 ? null : sum / count / divisor;

export const metrics = {
	visitors: {
		label: 'Visitors',
		definition:
			'Different browsers, each counted once a day: an identifier lives for one day of the website’s calendar, so the visitors of a week are the sum of its days’.',
		unit: 'count',
		of: ['visitors'],
		value: (c) => c.visitors,
	},
	visits: {
		label: 'Visits',
		definition:
			'Runs of one visitor’s page views and events with gaps under 30 minutes, within one day of the website’s calendar.',
		unit: 'count',
		of: ['visits'],
		value: (c) => c.visits,
	},
	pageviews: {
		label: 'Page views',
		definition: 'Pages that were opened, each time counted.',
		unit: 'count',
		of: ['views'],
		value: (c) => c.views,
	},
	views_per_visit: {
		label: 'Views per visit',
		definition: 'Page views of visits divided by visits.',
		unit: 'number',
		of: ['visit_views', 'visits'],
		value: (c) => per(c.visit_views, c.visits),
	},
	bounce_rate: {
		label: 'Bounce rate',
		definition:
			'The share of visits with one page view, no event of your own and less than 10 seconds of engaged time.',
		unit: 'rate',
		of: ['bounces', 'visits'],
		value: (c) => per(c.bounces, c.visits),
	},
	visit_duration: {
		label: 'Visit duration',
		definition:
			'Seconds from the first to the last page view or event of a visit, on average; a visit of one has 0.',
		unit: 'seconds',
		of: ['seconds', 'visits'],
		value: (c) => per(c.seconds, c.visits),
	},
	engaged_time: {
		label: 'Engaged time',
		definition:
			'Seconds that a page was visible and in use, on average over the page views that reported it.',
		unit: 'seconds',
		of: ['engaged_ms', 'engaged_views'],
		value: (c) => per(c.engaged_ms, c.engaged_views, 1000),
	},
	scroll_depth: {
		label: 'Scroll depth',
		definition:
			'How far down a page was seen, in percent of its height, on average over the page views that reported it.',
		unit: 'percent',
		of: ['scroll', 'scroll_views'],
		value: (c) => per(c.scroll, c.scroll_views),
	},
	events: {
		label: 'Events',
		definition: 'Events of your own (clicks, downloads, forms, whatever you send), each time counted.',
		unit: 'count',
		of: ['events'],
		value: (c) => c.events,
	},
	conversions: {
		label: 'Conversions',
		definition: 'Visits that reached the goal.',
		unit: 'count',
		of: ['conversions'],
		needsGoal: true,
		value: (c) => c.conversions,
	},
	conversion_rate: {
		label: 'Conversion rate',
		definition: 'The share of visits that reached the goal.',
		unit: 'rate',
		of: ['conversions', 'visits'],
		needsGoal: true,
		value: (c) => per(c.conversions, c.visits),
	},
	revenue: {
		label: 'Revenue',
		definition: 'Money that events carried, by currency; sums of different currencies are never added.',
		unit: 'money',
		of: ['revenue'],
		value: (c) => c.revenue,
	},
} as const satisfies Record<string, Definition>;

export type MetricName = keyof typeof metrics;

// Object.keys forgets that the names are those of the table.
export const metricNames = Object.keys(metrics) as MetricName[];

export const metricOf = (name: MetricName): Definition => metrics[name];

export const isMetric = (name: string): name is MetricName => Object.hasOwn(metrics, name);

export const noCounts: Counts = {
	...(Object.fromEntries(counts.map((name) => [name, 0])) as Record<CountName, number>),
	revenue: {},
};

export function addCounts(a: Counts, b: Counts): Counts {
	const sum = { ...a };
	for (const name of counts) sum[name] += b[name];
	const revenue: Record<string, number> = { ...a.revenue };
	for (const [currency, amount] of Object.entries(b.revenue))
		// Amounts have four decimals; sums of floats would show others.
		revenue[currency] = Math.round(((revenue[currency] ?? 0) + amount) * 10_000) / 10_000;
	return { ...sum, revenue };
}
