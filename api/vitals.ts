import { z } from 'zod';
import { fewer_than, statsAnswer, statsQuery, timeFields } from './stats.ts';

/** The parameters of `GET /websites/{id}/vitals`. */
export const vitalsQuery = statsQuery.pick({
	period: true,
	from: true,
	to: true,
	week_start: true,
	segment: true,
	filters: true,
});

/** The parameters of `GET /websites/{id}/properties`. */
export const propertiesQuery = z.object(timeFields);

const meta = statsAnswer.shape.meta.omit({ interval: true }).extend({
	available_from: z.iso.date().nullable().meta({
		description: 'The first date with data, if events of earlier dates were deleted.',
	}),
});

const share = z.number().min(0).max(1).nullable();

/** What `GET /websites/{id}/vitals` answers. Times are milliseconds; shifts are a score. */
export const vitalsAnswer = z.object({
	data: z.array(
		z
			.object({
				name: z.enum(['lcp', 'inp', 'cls']).meta({
					description:
						'Largest contentful paint and interaction to next paint, in milliseconds; cumulative layout shift, a score.',
				}),
				samples: z.int().nonnegative().meta({ description: 'Number of measured page views.' }),
				p75: z.number().nonnegative().nullable().meta({
					description: 'The exact 75th percentile.',
				}),
				good: share.meta({ description: 'The share of samples up to `thresholds.good`.' }),
				needs_improvement: share.meta({ description: 'The share of samples between the thresholds.' }),
				poor: share.meta({ description: 'The share above `thresholds.poor`.' }),
				thresholds: z.object({ good: z.number(), poor: z.number() }),
				pages: z
					.array(z.object({ page: z.string(), samples: z.int().positive(), p75: z.number().nonnegative() }))
					.meta({ description: 'The ten pages with the most samples.' }),
				fewer_than,
			})
			.meta({ id: 'Vital' }),
	),
	meta,
});

/** What `GET /websites/{id}/properties` answers. */
export const propertiesAnswer = z.object({
	data: z.array(
		z
			.object({
				name: z.string(),
				events: z
					.int()
					.positive()
					.meta({ description: 'Number of events and page views with this property.' }),
			})
			.meta({ id: 'PropertyName' }),
	),
	meta,
});
