import { queries } from '../../queries.ts';

/** The goals of a website, without their conversions. */
export const goalsKey = (website: number) => ['goals', website, 'list'] as const;

/** Asks again for the goals of a website and for their conversions. */
export const refreshGoals = (website: number) =>
	Promise.all([
		queries.invalidateQueries({ queryKey: ['goals', website] }),
		// A goal is also a row of panels and a tile.
		queries.invalidateQueries({ queryKey: ['stats', website] }),
	]);
