import { z } from 'zod';
import { fewer_than, statsAnswer, statsQuery } from './stats.ts';

/** The parameters of `GET /websites/{id}/funnels/{item_id}/stats`. */
export const funnelStatsQuery = statsQuery.pick({
	period: true,
	from: true,
	to: true,
	week_start: true,
	segment: true,
	filters: true,
});

const count = z.int().nonnegative().nullable();
const rate = z.number().min(0).max(1).nullable();

/** What it answers. */
export const funnelStatsAnswer = z.object({
	data: z.object({
		id: z.int().positive(),
		name: z.string(),
		steps: z.array(
			z
				.object({
					step: z.int().positive().meta({ description: 'From 1.' }),
					name: z.string().meta({ description: 'The name of the goal, or the page.' }),
					visits: count.meta({ description: 'Visits that reached this step. Null before `available_from`.' }),
					visitors: count,
					drop_off: rate.meta({
						description:
							'The share of visits at the previous step that did not reach this one. Null for the first step.',
					}),
					conversion_rate: rate.meta({
						description: 'The share of visits at the first step that reached this one.',
					}),
					fewer_than,
				})
				.meta({ id: 'FunnelStep' }),
		),
	}),
	meta: statsAnswer.shape.meta.omit({ interval: true }),
});
