import { z } from 'zod';
import { list, pageParameters } from './envelopes.ts';
import { isStorable, readInteger, readSwitch, readWords, sentFilter } from './fields.ts';

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
	'unique_conversions',
	'conversion_rate',
	'revenue',
] as const;

/** Changes that rows can be sorted by: those of numbers of something. */
export const changeNames = [
	'visitors_change',
	'visits_change',
	'pageviews_change',
	'events_change',
	'conversions_change',
	'unique_conversions_change',
] as const;

export const periodNames = [
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
] as const;

const intervalNames = ['minute', 'hour', 'day', 'week', 'month'] as const;

const comparisons = ['none', 'previous', 'year', 'custom'] as const;

export const oneOf = <const V extends readonly (string | number)[]>(name: string, values: V) =>
	z.literal([...values], { error: `The ${name} parameter must be one of: ${values.join(', ')}.` });

const words = (name: string) =>
	z
		.string({ error: `The ${name} parameter must be a string.` })
		.refine(isStorable, `The ${name} parameter contains characters that are not allowed.`);

const id = (name: string, description: string) =>
	z
		.preprocess(
			readInteger,
			z.int({ error: `The ${name} parameter must be the id of a ${description}.` }).min(1, {
				error: `The ${name} parameter must be the id of a ${description}.`,
			}),
		)
		.optional();

/** `visitors,visits`, or a list of such texts. Which comes first stays first; repeats are dropped. */
export const metrics = z
	.preprocess(
		readWords,
		z.array(oneOf('metrics', metricNames), {
			error: 'The metrics parameter must be names of metrics with commas between them.',
		}),
	)
	.transform((names) => [...new Set(names)])
	.pipe(z.array(z.literal([...metricNames])).min(1, 'The metrics parameter must name at least one metric.'))
	.meta({ description: 'Metrics to return, separated by commas. See `GET /metrics`.' });

export const standardMetrics: (typeof metricNames)[number][] = [
	'visitors',
	'visits',
	'pageviews',
	'bounce_rate',
	'visit_duration',
];

const date = (name: string, description: string) => words(name).optional().meta({ description });

/** Which time. */
export const timeFields = {
	period: oneOf('period', periodNames).default('30d').meta({
		description:
			'Time range, in days of the website’s time zone. Default: `custom` if `from` or `to` is sent, otherwise `30d`, which ends today.',
	}),
	from: date('from', 'First date, such as 2026-11-01. Only with the period `custom`, which it implies.'),
	to: date('to', 'Last date, inclusive. Only with the period `custom`, which it implies.'),
	week_start: oneOf('week_start', ['monday', 'sunday']).default('monday').meta({
		description: 'The first day of a week, for the period `last_week` and the interval `week`.',
	}),
};

/** Into which points it is cut. */
const seriesFields = {
	interval: oneOf('interval', intervalNames).optional().meta({
		description: 'Interval of the time series. Default: hours for up to a day, then days, weeks or months.',
	}),
};

/** The comparison. */
export const comparisonFields = {
	compare: oneOf('compare', comparisons).default('none').meta({
		description: 'Comparison: the previous period, the same period a year ago, or a custom range.',
	}),
	compare_from: date('compare_from', 'First date to compare with. Only with `compare=custom`.'),
	compare_to: date('compare_to', 'Last date to compare with. Only with `compare=custom`.'),
	match_weekdays: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The match_weekdays parameter must be 0 or 1.' }))
		.default(0)
		.meta({ description: '1 matches the day of week in comparisons.' }),
};

const whatFields = {
	metrics: metrics.default(standardMetrics),
	goal: id('goal', 'goal').meta({
		description: 'Id of the goal for conversions, unique conversions and conversion rate.',
	}),
	segment: id('segment', 'segment').meta({
		description: 'Id of a saved filter, applied in addition to `filters`.',
	}),
};

export const filterTexts = z
	.preprocess((input) => [input].flat(), z.array(words('filters')))
	.optional()
	.meta({
		sent: {
			type: 'string',
			contentMediaType: 'application/json',
			contentSchema: sentFilter.sent,
		},
		description:
			'Filter as JSON, such as `["is", "country", ["DE", "AT"]]` or `["and", ["contains", "page", "/blog"], ["is_not", "source", "Google"]]`. If you send several, all of them apply.',
		examples: ['["is","country",["DE"]]'],
	});

const sort = oneOf('sort', ['desc', 'asc']).default('desc').meta({ description: 'Descending or ascending.' });
const sort_by = oneOf('sort_by', [...metricNames, ...changeNames])
	.optional()
	.meta({
		description:
			'The metric to sort by. Default: the first of `metrics`. With a comparison of rows also its change, such as `visitors_change`.',
	});
const search = words('search').optional().meta({
	description: 'Only values that contain this text, case-insensitive. For goals, their names are searched.',
});

/** The parameters of `GET /websites/{id}/stats`. */
export const statsQuery = z.object({
	...timeFields,
	...seriesFields,
	...comparisonFields,
	...whatFields,
	filters: filterTexts,
});

const second = words('by').optional().meta({
	description:
		'A second dimension, except `goal`: rows have a value of both, such as the pages of each source. An event of a row has both values; a dimension of visits is that of its visit. Not in public statistics.',
});

/** The parameters of `GET /websites/{id}/stats/{dimension}`. */
export const breakdownQuery = z.object({
	...timeFields,
	...comparisonFields,
	...whatFields,
	filters: filterTexts,
	by: second,
	sort_by,
	sort,
	search,
	...pageParameters,
});

/** One table of a statistics page. */
export const queryStatsBreakdown = z
	.object({
		dimension: words('dimension').meta({ description: 'See `GET /dimensions`.' }),
		by: second,
		metrics: metrics.optional().meta({ description: 'Default: the metrics of the request.' }),
		sort_by,
		sort,
		search,
		compare_rows: z.boolean({ error: 'The compare_rows field must be true or false.' }).default(false).meta({
			description:
				'With `compare`, each row has the values of the comparison, and values that occur only there have rows.',
		}),
		limit: z
			.preprocess(readInteger, z.int({ error: 'The limit must be from 1 to 1000.' }))
			.refine((limit) => limit >= 1 && limit <= 1_000, 'The limit must be from 1 to 1000.')
			.default(10)
			.meta({ description: 'Number of rows, 1 to 1000.' }),
	})
	.meta({ id: 'PageBreakdown' });

/** The body of `POST /websites/{id}/stats/query`. */
export const queryStatsBody = z
	.object({
		...timeFields,
		...seriesFields,
		...comparisonFields,
		...whatFields,
		filters: z
			.unknown()
			.optional()
			.meta({
				sent: { anyOf: [sentFilter.sent, { type: 'string' }] },
				description: 'Filter, as JSON or as JSON text: `["is", "country", ["DE"]]`.',
			}),
		breakdowns: z
			.array(queryStatsBreakdown)
			.max(20)
			.default([])
			.meta({ description: 'Breakdowns to return, up to 20.' }),
	})
	.meta({ id: 'StatisticsPage' });

const count = z.int().nonnegative().nullable().optional();
const rate = z.number().min(0).max(1).nullable().optional();
const number = z.number().nonnegative().nullable().optional();

/** The metrics that were asked for. Null is what has no value, or cannot be had for this time any more. */
export const values = {
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
	unique_conversions: count,
	conversion_rate: rate,
	revenue: z
		.record(z.string(), z.number())
		.nullable()
		.optional()
		.meta({ description: 'By currency: `{"EUR": 49.9}`.' }),
} satisfies Record<(typeof metricNames)[number], z.ZodType>;

/** Of statistics that are shown to the public. */
export const fewer_than = z.literal(3).optional().meta({
	description:
		'Only in filtered public statistics: numbers are hidden (null, or no rows) if they, or the remainder, stand for fewer visitors than this.',
});

const totals = z.object({ ...values, fewer_than }).meta({ id: 'MetricValues' });

const change = z.number().nullable().optional();

/** Of a row that is compared: each value minus the compared value. Null where one of them is null. */
export const changes = z
	.object({
		...(Object.fromEntries(metricNames.map((name) => [name, change])) as Record<
			(typeof metricNames)[number],
			typeof change
		>),
		revenue: z.record(z.string(), z.number()).nullable().optional(),
	})
	.meta({ id: 'MetricChanges' });

const point = z
	.object({
		time: z.string().meta({
			description:
				'Start of the interval: `2026-11-01`, or `2026-11-01T13:00:00+01:00` for hours and minutes.',
		}),
		unfinished: z
			.literal(true)
			.optional()
			.meta({ description: 'Present only if true: the interval is not over yet.' }),
		...values,
		fewer_than,
	})
	.meta({ id: 'SeriesPoint' });

const series = z.array(point);

const compared = z
	.object({ from: z.string(), to: z.string(), totals, series })
	.nullable()
	.meta({ description: 'The comparison. Its n-th point belongs to the n-th point of the series.' });

const row = z
	.object({
		value: z.string(),
		by: z
			.string()
			.optional()
			.meta({ description: 'The value of the second dimension, if one was requested.' }),
		name: z.string().optional().meta({ description: 'For goals, whose value is the id.' }),
		country: z.string().optional().meta({
			description:
				'For cities, except in public statistics: the country with most events of this city in the period, if known.',
		}),
		other: z.literal(true).optional().meta({
			description: 'Present only if true: the sum of all values that are not stored separately.',
		}),
		...values,
		compared: totals.nullable().optional().meta({
			description: 'The values of the comparison, if rows are compared. Null if no longer available.',
		}),
		change: changes.optional().meta({
			description:
				'The value minus the compared value of each metric, if rows are compared. Null if one is null.',
		}),
		fewer_than,
	})
	.meta({ id: 'BreakdownRow' });

const howAnswered = {
	timezone: z.string().meta({ description: 'The current time zone of the website.' }),
	as_of: z.iso.datetime({ precision: 3 }).meta({ description: 'Later events are not included yet.' }),
	answered_from: z
		.string()
		.meta({ description: '`totals`, `visits`, `events`, `imported`, or several: `totals+events`.' }),
	rows_read: z.int().nonnegative(),
	ms: z.int().nonnegative(),
	available_from: z.iso.date().nullable().meta({
		description:
			'The date from which the requested data is available, if later than the start of the period. Earlier values are null.',
	}),
	imported: z.object({ from: z.iso.date(), to: z.iso.date(), source: z.string() }).nullable().meta({
		description:
			'Imported dates in the period, and their source: `plausible`, or several, `plausible+umami`.',
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
			.meta({ description: 'The dates of the period.' }),
		compared: z
			.object({ from: z.iso.date(), to: z.iso.date() })
			.optional()
			.meta({ description: 'The dates of the comparison.' }),
		...howAnswered,
		fewer_than,
	}),
});

/** What `POST /websites/{id}/stats/query` answers. */
export const queryStatsAnswer = z.object({
	data: z.object({
		totals,
		series,
		compared,
		breakdowns: z.array(
			z.object({
				dimension: z.string(),
				by: z.string().optional().meta({ description: 'The second dimension.' }),
				rows: z.array(row).nullable().meta({ description: 'Null before `available_from`.' }),
				total: z.int().nonnegative().nullable().meta({ description: 'Total number of rows.' }),
				fewer_than,
			}),
		),
	}),
	meta: statsMeta,
});
