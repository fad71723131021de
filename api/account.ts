import { z } from 'zod';

const limit = z.int().nonnegative().nullable();

/** The account that a key belongs to (spec 4.6). */
export const accountRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		email: z.string(),
		locale: z.string(),
		timezone: z.string(),
		created_at: z.iso.datetime({ precision: 3 }),
		usage: z.object({
			websites: z.int().nonnegative(),
			pageviews_this_month: z
				.int()
				.nonnegative()
				.meta({ description: 'Page views since the first of the month, UTC.' }),
		}),
		limits: z
			.object({ websites: limit, pageviews_per_month: limit })
			.meta({ description: 'Null: no limit.' }),
	})
	.meta({ id: 'Account' });

export type AccountRecord = z.output<typeof accountRecord>;
