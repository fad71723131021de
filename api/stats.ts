import { z } from 'zod';
import { list, pageParameters } from './envelopes.ts';
import { isStorable, readInteger, readSwitch } from './fields.ts';

/** What can be counted; `GET /metrics` says what each means. */
export const metricNames = [
	'visitors',
	'visits',
	'pageviews',
	'views_per_visit',
	'bounce_rate',
	'visit_duration',
	'engaged_time',
	'scroll_depth',
	'events',
	'conversions',
	'conversion_rate',
	'revenue',
] as const;

const periodNames = [
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
] as const;

const intervalNames = ['minute', 'hour', 'day', 'week', 'month'] as const;

const comparisons = ['none', 'previous', 'year', 'custom'] as const;

const oneOf = <const V extends readonly (string | number)[]>(name: string, values: V) =>
	z.literal([...values], { error: `The ${name} parameter must be one of: ${values.join(', ')}.` });

const words = (name: string) =>
	z
		.string({ error: `The ${name} parameter must be a text.` })
		.refine(isStorable, `The ${name} parameter contains characters that no value has.`);

const id = (name: string, of: string) =>
	z
		.preprocess(
			readInteger,
			z.int({ error: `The ${name} parameter must be the id of a ${of}.` }).min(1, {
				error: `The ${name} parameter must be the id of a ${of}.`,
			}),
		)
		.optional();

/** `visitors,visits`, or a list of the names. Which comes first stays first; repeats are dropped. */
const metrics = z
	.preprocess(
		(input) => (typeof input === 'string' ? input.split(',').map((name) => name.trim()) : input),
		z.array(oneOf('metrics', metricNames), {
			error: 'The metrics parameter must be names of metrics with commas between them.',
		}),
	)
	.transform((names) => [...new Set(names)])
	.pipe(z.array(z.literal([...metricNames])).min(1, 'The metrics parameter must name at least one metric.'))
	.meta({ description: 'What to count: names of metrics, with commas between them. See `GET /metrics`.' });

const standardMetrics: (typeof metricNames)[number][] = [
	'visitors',
	'visits',
	'pageviews',
	'bounce_rate',
	'visit_duration',
];

const date = (name: string, description: string) => words(name).optional().meta({ description });

/** Which time. */
export const timeFields = {
	period: oneOf('period', periodNames)
		.default('30d')
		.meta({ description: 'Which time, in days of the website’s calendar. Default: 30d, which ends today.' }),
	from: date('from', 'First date, such as 2026-11-01. With the period `custom` alone.'),
	to: date('to', 'Last date, included. With the period `custom` alone.'),
};

/** Into which points it is cut, and what stands beside it. */
const seriesFields = {
	interval: oneOf('interval', intervalNames).optional().meta({
		description: 'Into what the series is cut. Default: hours up to a day, then days, weeks, months.',
	}),
	compare: oneOf('compare', comparisons).default('none').meta({
		description: 'What to compare with: the time before, the same time a year before, or dates of your own.',
	}),
	compare_from: date('compare_from', 'First date to compare with. With `compare=custom` alone.'),
	compare_to: date('compare_to', 'Last date to compare with. With `compare=custom` alone.'),
	match_weekdays: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The match_weekdays parameter must be 0 or 1.' }))
		.default(0)
		.meta({ description: '1 moves what is compared so that weekday stands beside weekday.' }),
};

const whatFields = {
	metrics: metrics.default(standardMetrics),
	goal: id('goal', 'goal').meta({ description: 'The goal that conversions and their rate are about.' }),
	segment: id('segment', 'segment').meta({ description: 'A saved filter; it holds beside `filters`.' }),
};

const filterText = words('filters')
	.optional()
	.meta({
		description:
			'Which visits: JSON such as `["is", "country", ["DE", "AT"]]` or `["and", ["contains", "page", "/blog"], ["is_not", "source", "Google"]]`.',
		examples: ['["is","country",["DE"]]'],
	});

const sort = oneOf('sort', ['desc', 'asc']).default('desc').meta({ description: 'Descending or ascending.' });
const sort_by = oneOf('sort_by', metricNames)
	.optional()
	.meta({ description: 'The metric to sort by. Default: the first of `metrics`.' });
const search = words('search').optional().meta({
	description:
		'Only values that contain this text, letter case aside, taken literally; of goals, their names.',
});

/** The parameters of `GET /websites/{id}/stats`. */
export const statsQuery = z.object({ ...timeFields, ...seriesFields, ...whatFields, filters: filterText });

/** The parameters of `GET /websites/{id}/stats/{dimension}`. */
export const breakdownQuery = z.object({
	...timeFields,
	...whatFields,
	filters: filterText,
	sort_by,
	sort,
	search,
	...pageParameters,
});

/** One table of a statistics page. */
export const pageBreakdown = z
	.object({
		dimension: words('dimension').meta({ description: 'See `GET /dimensions`.' }),
		metrics: metrics.optional().meta({ description: 'Default: those of the page.' }),
		sort_by,
		sort,
		search,
		limit: z
			.preprocess(readInteger, z.int({ error: 'The limit must be from 1 to 1000.' }))
			.refine((limit) => limit >= 1 && limit <= 1_000, 'The limit must be from 1 to 1000.')
			.default(10)
			.meta({ description: 'How many rows, from 1 to 1000.' }),
	})
	.meta({ id: 'PageBreakdown' });

/** The body of `POST /websites/{id}/stats/page`. */
export const pageBody = z
	.object({
		...timeFields,
		...seriesFields,
		...whatFields,
		filters: z
			.unknown()
			.optional()
			.meta({ description: 'Which visits: `["is", "country", ["DE"]]`, as JSON or as a text of JSON.' }),
		breakdowns: z
			.array(pageBreakdown)
			.max(20)
			.default([])
			.meta({ description: 'Tables of the page, at most 20.' }),
	})
	.meta({ id: 'StatisticsPage' });

const count = z.int().nonnegative().nullable().optional();
const rate = z.number().min(0).max(1).nullable().optional();
const number = z.number().nonnegative().nullable().optional();

/** The metrics that were asked for. Null is what has no value, or cannot be had for this time any more. */
const values = {
	visitors: count,
	visits: count,
	pageviews: count,
	views_per_visit: number,
	bounce_rate: rate,
	visit_duration: number.meta({ description: 'Seconds.' }),
	engaged_time: number.meta({ description: 'Seconds.' }),
	scroll_depth: number.meta({ description: 'Percent.' }),
	events: count,
	conversions: count,
	conversion_rate: rate,
	revenue: z
		.record(z.string(), z.number())
		.nullable()
		.optional()
		.meta({ description: 'By currency: `{"EUR": 49.9}`.' }),
} satisfies Record<(typeof metricNames)[number], z.ZodType>;

const totals = z.object(values).meta({ id: 'MetricValues' });

const point = z
	.object({
		time: z.string().meta({
			description: 'Where it begins: `2026-11-01`, or `2026-11-01T13:00:00+01:00` for hours and minutes.',
		}),
		unfinished: z
			.literal(true)
			.optional()
			.meta({ description: 'There only where it is true: now lies in it, more is to come.' }),
		...values,
	})
	.meta({ id: 'SeriesPoint' });

const series = z.array(point);

const compared = z
	.object({ from: z.string(), to: z.string(), totals, series })
	.nullable()
	.meta({ description: 'What it is compared with; the n-th point stands beside the n-th.' });

const row = z
	.object({
		value: z.string(),
		name: z.string().optional().meta({ description: 'Of a goal, whose value is its id.' }),
		other: z.literal(true).optional().meta({
			description: 'There only where it is true: everything beyond the values that are told apart.',
		}),
		...values,
	})
	.meta({ id: 'BreakdownRow' });

const howAnswered = {
	timezone: z.string().meta({ description: 'The zone of the website’s calendar now.' }),
	as_of: z.iso.datetime({ precision: 3 }).meta({ description: 'What came later is not counted yet.' }),
	answered_from: z
		.string()
		.meta({ description: '`totals`, `visits`, `events`, `imported`, or several: `totals+events`.' }),
	rows_read: z.int().nonnegative(),
	ms: z.int().nonnegative(),
	available_from: z.iso.date().nullable().meta({
		description: 'Set when something was asked that cannot be had for earlier dates: it is null then.',
	}),
	imported: z.object({ from: z.iso.date(), to: z.iso.date(), source: z.string() }).nullable().meta({
		description:
			'Dates of the time asked about that were counted elsewhere, and by whom: `plausible`, or several, `plausible+umami`.',
	}),
};

const statsMeta = z.object({
	from: z.iso.date(),
	to: z.iso.date(),
	interval: z.literal([...intervalNames]),
	...howAnswered,
});

/** What `GET /websites/{id}/stats` answers. */
export const statsAnswer = z.object({ data: z.object({ totals, series, compared }), meta: statsMeta });

/** What `GET /websites/{id}/stats/{dimension}` answers: a page of rows, and how it came about. */
export const breakdownAnswer = list(row).extend({
	meta: list(row).shape.meta.extend({
		period: z
			.object({ from: z.iso.date(), to: z.iso.date() })
			.meta({ description: 'The dates asked about.' }),
		...howAnswered,
	}),
});

/** What `POST /websites/{id}/stats/page` answers. */
export const pageAnswer = z.object({
	data: z.object({
		totals,
		series,
		compared,
		breakdowns: z.array(
			z.object({
				dimension: z.string(),
				rows: z.array(row).nullable().meta({ description: 'Null before `available_from`.' }),
				total: z.int().nonnegative().nullable().meta({ description: 'How many rows there are.' }),
			}),
		),
	}),
	meta: statsMeta,
});

export const metricDefinitions = z.object({
	data: z.array(
		z
			.object({
				name: z.literal([...metricNames]),
				label: z.string(),
				definition: z.string(),
				unit: z.enum(['count', 'rate', 'seconds', 'percent', 'number', 'money']),
				needs_goal: z.boolean().meta({ description: 'It can only be asked with a goal, or by goal.' }),
			})
			.meta({ id: 'Metric' }),
	),
});

export const dimensionDefinitions = z.object({
	data: z.array(
		z
			.object({
				name: z.string(),
				label: z.string(),
				definition: z.string(),
				scope: z.enum(['visit', 'event']).meta({
					description:
						'A visit has one value of a visit’s dimension; of an event’s it has those of its events.',
				}),
			})
			.meta({ id: 'Dimension' }),
	),
});
