import { z } from 'zod';

const oneOf = <const V extends readonly string[]>(name: string, values: V) =>
	z.literal([...values], { error: `The ${name} parameter must be one of: ${values.join(', ')}.` });

/** The parameters of `GET /app/api/websites/{id}/badge.svg`. */
export const badgeQuery = z.object({
	period: oneOf('period', ['today', '7d', '30d', 'all']).default('30d'),
	theme: oneOf('theme', ['light', 'dark']).default('light'),
	look: oneOf('look', ['badge', 'counter']).default('badge'),
});
