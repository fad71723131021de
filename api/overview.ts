import { z } from 'zod';
import { list, oneOf, pageParameters } from './envelopes.ts';
import { isStorable, readInteger, readSwitch, readWords } from './fields.ts';
import { labelParameter } from './settings.ts';
import { timeFields } from './stats.ts';

const words = (name: string) =>
	z
		.string({ error: `The ${name} parameter must be a text.` })
		.refine(isStorable, `The ${name} parameter contains characters that no value has.`);

const idsOnly = 'The websites parameter must be ids of websites, separated by commas.';

/** The parameters of `GET /stats`. */
export const overviewQuery = z.object({
	...timeFields,
	period: timeFields.period.unwrap().default('7d').meta({
		description:
			'Time range, in days of each website’s time zone. Default: `custom` if `from` or `to` is sent, otherwise `7d`, which ends today.',
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
				.max(100, 'The websites parameter must not name more than 100 websites.'),
		)
		.optional()
		.meta({ description: 'Only websites with these ids, separated by commas, at most 100.' }),
	label: labelParameter,
	sort_by: oneOf('sort_by', ['visitors', 'change', 'domain', 'id'], 'visitors').meta({
		description: '`id` is the order of creation. Websites without a value come last.',
	}),
	sort: oneOf('sort', ['desc', 'asc'], 'desc').meta({ description: 'Descending or ascending.' }),
	favorites_first: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The favorites_first parameter must be 0 or 1.' }))
		.default(0)
		.meta({ description: '1 lists favorites first.' }),
	...pageParameters,
});

const count = z.int().nonnegative().nullable();

const totals = {
	visitors: count,
	visits: count,
	pageviews: count,
	bounce_rate: z.number().min(0).max(1).nullable(),
	visit_duration: z.number().nonnegative().nullable().meta({ description: 'Seconds.' }),
	change: z.number().min(-1).nullable().meta({
		description:
			'Change in visitors from the previous period: 0.5 means 50 % more. Null if there is nothing to compare with.',
	}),
};

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
		...totals,
		sparkline: z
			.array(z.int().nonnegative())
			.meta({ description: 'Visitors per day, week or month, oldest first.' }),
	})
	.meta({ id: 'WebsiteOverview' });

/** What `GET /stats` answers. */
export const overviewAnswer = list(line).extend({
	meta: list(line).shape.meta.extend({
		totals: z
			.object({
				...totals,
				now,
				sparkline: z.array(z.int().nonnegative()).meta({
					description:
						'For all websites, by distance from today, because websites have different time zones.',
				}),
			})
			.meta({ description: 'For all matching websites, not only those on this page.' }),
		labels: z
			.array(z.string())
			.meta({ description: 'All labels, including those of websites that do not match.' }),
		interval: z.literal(['day', 'week', 'month']).meta({ description: 'The interval of `sparkline`.' }),
		as_of: z.iso.datetime({ precision: 3 }).meta({ description: 'Later events are not included yet.' }),
		ms: z.int().nonnegative(),
	}),
});
