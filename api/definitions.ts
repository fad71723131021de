import { z } from 'zod';
import { metricNames } from './stats.ts';

export const metricDefinitions = z.object({
	data: z.array(
		z
			.object({
				name: z.literal([...metricNames]),
				label: z.string(),
				definition: z.string(),
				unit: z.enum(['count', 'rate', 'seconds', 'percent', 'number', 'money']),
				needs_goal: z.boolean().meta({ description: 'Requires a goal, or the dimension `goal`.' }),
			})
			.meta({ id: 'Metric' }),
	),
});

export const dimensionDefinitions = z.object({
	data: z.array(
		z
			.object({
				name: z.string(),
				label: z.string(),
				definition: z.string(),
				scope: z.enum(['visit', 'event']).meta({
					description: '`visit`: a visit has one value. `event`: a visit has the values of its events.',
				}),
			})
			.meta({ id: 'Dimension' }),
	),
});
