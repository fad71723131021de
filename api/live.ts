import { z } from 'zod';

const count = z.int().nonnegative();
const rows = z.array(z.object({ value: z.string(), visitors: count }).meta({ id: 'LiveRow' }));

/** What `GET /websites/{id}/live` answers, and each message of its stream. */
export const liveAnswer = z
	.object({
		data: z.object({
			visitors: count.meta({ description: 'Visitors who were active in the last 5 minutes.' }),
			minutes: z
				.array(
					z.object({ time: z.iso.datetime({ precision: 3 }), visitors: count, pageviews: count.nullable() }),
				)
				.meta({
					description:
						'The last 30 minutes, oldest first. Public statistics use steps of 5 minutes, and page views of 1 or 2 visitors are null.',
				}),
			pages: rows.meta({ description: 'The top ten pages of the last 5 minutes.' }),
			sources: rows.meta({ description: 'The sources of these visitors. Empty: direct.' }),
			countries: rows,
		}),
		meta: z.object({
			as_of: z.iso.datetime({ precision: 3 }),
			step_minutes: z.literal([1, 5]).meta({ description: 'The length of each step in `minutes`.' }),
		}),
	})
	.meta({ id: 'Live' });

/** What `GET /websites/{id}/live/feed` answers. */
export const liveFeedAnswer = z
	.object({
		data: z.object({
			events: z
				.array(
					z
						.object({
							time: z.iso.datetime({ precision: 3 }).meta({ description: 'The minute of the event.' }),
							name: z.string().nullable().meta({ description: 'The custom event. Null: a page view.' }),
							page: z.string(),
							source: z.string().nullable().meta({
								description: 'The source of a visit that begins here; empty: direct. Otherwise null.',
							}),
						})
						.meta({ id: 'LiveEvent' }),
				)
				.meta({
					description:
						'Up to 50 events of the last 30 minutes, newest first. Nothing in them identifies a visitor or links two events to one.',
				}),
			current_pages: rows.meta({
				description: 'Current visitors by the page of their last event. A visitor counts once.',
			}),
			devices: rows.meta({ description: 'Current visitors by device.' }),
		}),
		meta: z.object({ as_of: z.iso.datetime({ precision: 3 }) }),
	})
	.meta({ id: 'LiveFeed' });

/** None takes parameters: one that was meant for something would be ignored. */
export const liveQuery = z.object({});
