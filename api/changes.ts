import { z } from 'zod';
import { isStorable, readInteger } from './fields.ts';
import { metricNames, oneOf, statsAnswer, statsQuery } from './stats.ts';

const languages = ['en', 'de', 'fr', 'es', 'zh', 'ja', 'pl', 'pt', 'it'] as const;

const { metrics: _metrics, interval: _interval, ...shared } = statsQuery.shape;

/** The parameters of `GET /websites/{id}/what-changed`. */
export const changesQuery = z.object({
	...shared,
	compare: oneOf('compare', ['previous', 'year', 'custom']).default('previous').meta({
		description: 'Comparison: the previous period, the same period a year ago, or a custom range.',
	}),
	metric: oneOf('metric', metricNames).default('visits').meta({ description: 'The metric to explain.' }),
	currency: z
		.string()
		.regex(/^[A-Z]{3}$/, 'The currency parameter must be three capital letters, such as EUR.')
		.refine(isStorable)
		.optional()
		.meta({ description: 'Currency of the metric revenue. Default: the one with the largest amount.' }),
	limit: z
		.preprocess(readInteger, z.int({ error: 'The limit must be from 1 to 100.' }))
		.refine((limit) => limit >= 1 && limit <= 100, 'The limit must be from 1 to 100.')
		.default(10)
		.meta({ description: 'Number of rows of each dimension, 1 to 100.' }),
	language: oneOf('language', languages).default('en').meta({ description: 'Language of the sentence.' }),
});

const amount = z.number();
const amounts = {
	current: amount.meta({ description: 'In the period.' }),
	compared: amount.meta({ description: 'In the comparison.' }),
	difference: amount.meta({ description: '`current` minus `compared`.' }),
};
const unknownAmounts = {
	current: amount.nullable(),
	compared: amount.nullable(),
	difference: amount.nullable().meta({ description: 'Null if one of the two is not available.' }),
};

const changedValue = z.object({ value: z.string(), ...amounts }).meta({ id: 'ChangedValue' });

const changedDimension = z
	.object({
		dimension: z.string(),
		score: z.number().min(0).max(1).nullable().meta({
			description:
				'How well one value explains the difference: its share of all movements of the dimension, minus its share of the comparison.',
		}),
		rows: z.array(changedValue).nullable().meta({
			description:
				'The values, those that changed most in the direction of the total first. Null before `available_from`.',
		}),
		rest: z.object(amounts).nullable().meta({
			description:
				'The total minus the rows: all other values; for visitors, minus those who are counted in several rows. Null if the rows are the total.',
		}),
	})
	.meta({ id: 'ChangedDimension' });

const caused = { dimension: z.string(), value: z.string(), ...amounts };

/** What `GET /websites/{id}/what-changed` answers. */
export const changesAnswer = z.object({
	data: z.object({
		metric: z.literal([...metricNames]),
		currency: z.string().nullable().meta({ description: 'Only for revenue.' }),
		...unknownAmounts,
		sentence: z.string().meta({ description: 'The change in one sentence, in `language`.' }),
		cause: z
			.object({
				...caused,
				within: z.object(caused).nullable().meta({
					description: 'The value of a second dimension that stands for most of the cause.',
				}),
			})
			.nullable()
			.meta({ description: 'The value that stands for most of the difference. Null if there is none.' }),
		counts: z
			.array(
				z
					.object({
						count: z.string().meta({
							description: 'For a ratio first the numerator, then the denominator: `bounces` and `visits`.',
						}),
						...unknownAmounts,
						dimensions: z
							.array(changedDimension)
							.meta({ description: 'The one that explains the difference best first.' }),
					})
					.meta({ id: 'ChangedCount' }),
			)
			.meta({ description: 'What the metric is computed from, divided by each dimension.' }),
	}),
	meta: statsAnswer.shape.meta.omit({ interval: true }).extend({
		compared: z
			.object({ from: z.iso.date(), to: z.iso.date() })
			.nullable()
			.meta({ description: 'The dates of the comparison. Null if there is nothing before the period.' }),
	}),
});
