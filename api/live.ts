import { z } from 'zod';

const count = z.int().nonnegative();
const rows = z.array(z.object({ value: z.string(), visitors: count }).meta({ id: 'LiveRow' }));

/** What `GET /websites/{id}/live` answers, and each message of its stream. */
export const liveAnswer = z
	.object({
		data: z.object({
			visitors: count.meta({ description: 'Visitors who were active in the last 5 minutes.' }),
			minutes: z
				.array(z.object({ time: z.iso.datetime({ precision: 3 }), visitors: count, pageviews: count }))
				.meta({ description: 'The last half hour, oldest first. For the public in steps of 5 minutes.' }),
			pages: rows.meta({ description: 'Where they were in the last 5 minutes: the first ten.' }),
			sources: rows.meta({ description: 'Where they came from; empty is directly.' }),
			countries: rows,
		}),
		meta: z.object({
			as_of: z.iso.datetime({ precision: 3 }),
			step_minutes: z.literal([1, 5]).meta({ description: 'How long each of `minutes` is.' }),
		}),
	})
	.meta({ id: 'Live' });

/** Neither takes parameters: one that was meant for something would be ignored. */
export const liveQuery = z.object({});
