import { z } from 'zod';
import { list, oneOf, pageParameters } from './envelopes.ts';
import { isStorable, readInteger, readSwitch } from './fields.ts';
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
		description: 'Which time, in days of each website’s own calendar. Default: 7d, which ends today.',
	}),
	search: words('search')
		.optional()
		.meta({ description: 'Part of the domain, letter case aside, taken literally.' }),
	favorite: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The favorite parameter must be 0 or 1.' }))
		.optional()
		.meta({ description: '1 gives favorites only, 0 the others.' }),
	websites: z
		.preprocess(
			(input) => (typeof input === 'string' ? input.split(',').map(readInteger) : input),
			z
				.array(z.int({ error: idsOnly }).min(1, idsOnly), { error: idsOnly })
				.max(100, 'The websites parameter must not name more than 100 websites.'),
		)
		.optional()
		.meta({ description: 'Only these of them: ids, separated by commas, 100 at most.' }),
	label: words('label').optional().meta({ description: 'Only websites with this label, letter by letter.' }),
	sort_by: oneOf('sort_by', ['visitors', 'change', 'domain', 'id'], 'visitors').meta({
		description: '`id` is the order of creation. What has no value comes last.',
	}),
	sort: oneOf('sort', ['desc', 'asc'], 'desc').meta({ description: 'Descending or ascending.' }),
	favorites_first: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The favorites_first parameter must be 0 or 1.' }))
		.default(0)
		.meta({ description: '1 puts favorites before all others, each in the order that is asked for.' }),
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
			'Visitors against the time before: 0.5 is half as many more. Null when there is nothing to compare with.',
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
			.meta({ description: 'The last date on which anything was counted; null when nothing ever was.' }),
		now,
		from: z.iso.date().meta({ description: 'The first date of the time, in the calendar of this website.' }),
		to: z.iso.date(),
		...totals,
		sparkline: z
			.array(z.int().nonnegative())
			.meta({ description: 'Visitors, oldest first: of each day, or week or month of a long time.' }),
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
					description: 'Of all of them, by how long ago: each website has its own calendar.',
				}),
			})
			.meta({ description: 'Of all websites that were found, not only those on this page.' }),
		labels: z
			.array(z.string())
			.meta({ description: 'All labels that there are, also of websites that were not found.' }),
		interval: z
			.literal(['day', 'week', 'month'])
			.meta({ description: 'What a number of `sparkline` is of.' }),
		as_of: z.iso.datetime({ precision: 3 }).meta({ description: 'What came later is not counted yet.' }),
		ms: z.int().nonnegative(),
	}),
});
