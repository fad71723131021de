import { z } from 'zod';
import { timeFields } from './stats.ts';

/** The parameters of `GET /websites/{id}/drops`. */
export const dropsQuery = z.object(timeFields);

const count = z.int().nonnegative();

/** What `GET /websites/{id}/drops` answers. */
export const dropsAnswer = z.object({
	data: z.object({
		total: count,
		reasons: z
			.array(
				z
					.object({
						reason: z.string().meta({ examples: ['bot'] }),
						count,
						means: z.string().meta({ description: 'What the reason means.' }),
						advice: z.string().meta({ description: 'What to do if you want to count such hits.' }),
					})
					.meta({ id: 'DropReason' }),
			)
			.meta({ description: 'All reasons, the most frequent first.' }),
		days: z
			.array(
				z.object({
					date: z.iso.date(),
					total: count,
					reasons: z
						.record(z.string(), count)
						.meta({ description: 'Only reasons that occurred: `{"bot": 12}`.' }),
				}),
			)
			.meta({ description: 'Every date of the period.' }),
		foreign_hostnames: z.array(z.object({ hostname: z.string(), count })).meta({
			description:
				'Hostnames that do not belong to the website, the most frequent first, at most 20. Tidemark keeps at most 20 per day, for 90 days.',
		}),
		rules: z.array(z.object({ id: z.int().positive(), name: z.string(), count })).meta({
			description:
				'Traffic rules that dropped hits, the most frequent first. A hit that several rules match counts at one of them. Tidemark keeps these counts for 90 days.',
		}),
	}),
	meta: z.object({
		from: z.iso.date(),
		to: z.iso.date(),
		timezone: z.string().meta({ description: 'The current time zone of the website.' }),
		as_of: z.iso.datetime({ precision: 3 }),
	}),
});
