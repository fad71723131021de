import { z } from 'zod';
import { list, oneOf, pageParameters } from './envelopes.ts';
import { isStorable, readInteger, readSwitch, readWords } from './fields.ts';
import { labelParameter } from './settings.ts';
import {
	changeNames,
	changes,
	comparisonFields,
	filterTexts,
	metricNames,
	metrics,
	standardMetrics,
	timeFields,
	values,
} from './stats.ts';

const words = (name: string) =>
	z
		.string({ error: `The ${name} parameter must be a string.` })
		.refine(isStorable, `The ${name} parameter contains characters that are not allowed.`);

const idsOnly = 'The websites parameter must be ids of websites, separated by commas.';

/** The parameters of `GET /stats`. */
export const overviewQuery = z.object({
	...timeFields,
	period: timeFields.period.unwrap().default('7d').meta({
		description:
			'Time range, in days of each website’s time zone. Default: `custom` if `from` or `to` is sent, otherwise `7d`, which ends today.',
	}),
	...comparisonFields,
	compare: comparisonFields.compare.unwrap().default('previous').meta({
		description:
			'Comparison: the previous period (the default), the same period a year ago, a custom range, or none.',
	}),
	metrics: metrics.default(standardMetrics),
	goal: words('goal').optional().meta({
		description:
			'Name of the goal for conversions, unique conversions and conversion rate. Each website counts its own goal with this name; they are null for websites without one.',
	}),
	filters: filterTexts.meta({
		description:
			'Filter as JSON, such as `["is", "country", ["DE", "AT"]]`, for all websites. If you send several, all of them apply. Goals, segments and page groups belong to one website and cannot be used.',
	}),
	search: words('search').optional().meta({ description: 'Part of the domain, case-insensitive.' }),
	favorite: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The favorite parameter must be 0 or 1.' }))
		.optional()
		.meta({ description: '1: only favorites. 0: only others.' }),
	websites: z
		.preprocess(
			(input) => {
				const ids = readWords(input);
				return Array.isArray(ids) ? ids.map(readInteger) : ids;
			},
			z
				.array(z.int({ error: idsOnly }).min(1, idsOnly), { error: idsOnly })
				.max(1_000, 'The websites parameter must not name more than 1000 websites.'),
		)
		.optional()
		.meta({ description: 'Only websites with these ids, separated by commas, at most 1000.' }),
	label: labelParameter,
	sort_by: oneOf(
		'sort_by',
		[
			'visitors',
			'change',
			'domain',
			'id',
			...metricNames.filter((name) => name !== 'visitors'),
			...changeNames,
		],
		'visitors',
	).meta({
		description:
			'A metric, its change such as `visits_change`, the relative `change` in visitors, the domain, or `id`, the order of creation. Websites without a value come last.',
	}),
	sort: oneOf('sort', ['desc', 'asc'], 'desc').meta({ description: 'Descending or ascending.' }),
	favorites_first: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The favorites_first parameter must be 0 or 1.' }))
		.default(0)
		.meta({ description: '1 lists favorites first.' }),
	...pageParameters,
	per_page: z
		.preprocess(readInteger, oneOf('per_page', [10, 25, 50, 100, 250, 500, 1_000], 10))
		.meta({ description: 'Records per page.' }),
});

const numbers = {
	...values,
	change: z.number().min(-1).nullable().meta({
		description:
			'Relative change in visitors from the comparison: 0.5 means 50 % more. Null if there is nothing to compare with.',
	}),
};

const changesFrom = changes.nullable().meta({
	description: 'Each value minus the compared value. Null without a comparison.',
});

const now = z.int().nonnegative().meta({ description: 'Visitors who were active in the last 5 minutes.' });

const line = z
	.object({
		id: z.int().positive(),
		domain: z.string(),
		favorite: z.literal([0, 1]),
		labels: z.array(z.string()),
		timezone: z.string(),
		privacy: z.literal([0, 1, 2]),
		last_date: z.iso
			.date()
			.nullable()
			.meta({ description: 'The last date with data. Null if there is none.' }),
		now,
		from: z.iso.date().meta({ description: 'The first date of the period, in the website’s time zone.' }),
		to: z.iso.date(),
		...numbers,
		compared: z
			.object({ from: z.iso.date(), to: z.iso.date(), ...values })
			.nullable()
			.meta({ description: 'The comparison, with the same metrics. Null without one.' }),
		changes: changesFrom,
		sparkline: z.array(z.int().nonnegative()).meta({
			description:
				'Visitors per day, week or month, oldest first. Empty if part of the period is no longer available.',
		}),
	})
	.meta({ id: 'WebsiteOverview' });

/** What `GET /stats` answers. */
export const overviewAnswer = list(line).extend({
	meta: list(line).shape.meta.extend({
		totals: z
			.object({
				...numbers,
				compared: z.object(values).nullable(),
				changes: changesFrom,
				now,
				sparkline: z.array(z.int().nonnegative()).meta({
					description:
						'For all websites, by distance from today, because websites have different time zones.',
				}),
			})
			.meta({ description: 'For all matching websites, not only those on this page.' }),
		goal: z
			.object({ name: z.string(), websites: z.int().nonnegative() })
			.optional()
			.meta({ description: 'The requested goal, and the number of matching websites that have it.' }),
		labels: z
			.array(z.string())
			.meta({ description: 'All labels, including those of websites that do not match.' }),
		interval: z.literal(['day', 'week', 'month']).meta({ description: 'The interval of `sparkline`.' }),
		as_of: z.iso.datetime({ precision: 3 }).meta({ description: 'Later events are not included yet.' }),
		ms: z.int().nonnegative(),
	}),
});
