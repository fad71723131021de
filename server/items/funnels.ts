import type { z } from 'zod';
import { createFunnelBody, updateFunnelBody } from '../../api/funnels.ts';
import { listGoals } from '../stats/goals.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Collection } from './items.ts';

type FunnelAbout = z.output<typeof createFunnelBody>;

/** Steps whose goals are there. */
async function stepsOn(tx: Queries, websiteId: number) {
	const goalIds = new Set((await listGoals(tx, websiteId)).map(({ id }) => id));
	return createFunnelBody.shape.steps.superRefine((steps, context) => {
		for (const [index, step] of steps.entries())
			if ('goal' in step && !goalIds.has(step.goal))
				context.addIssue({
					code: 'custom',
					message: `Step ${index + 1} names the goal ${step.goal}, which this website does not have.`,
				});
	});
}

export const funnels: Collection<FunnelAbout> = {
	one: 'funnel',
	many: 'funnels',
	most: 50,
	columns: sql`name, steps`,
	order: sql`id DESC`,
	newRules: async (tx, websiteId) => createFunnelBody.extend({ steps: await stepsOn(tx, websiteId) }),
	changeRules: async (tx, websiteId) =>
		updateFunnelBody.extend({ steps: (await stepsOn(tx, websiteId)).optional() }),
	write: ({ name, steps }) => ({
		name: sql`${value(name)}`,
		steps: sql`${value(JSON.stringify(steps))}`,
	}),
};

/** The names of the funnels that have a goal for a step. */
export async function listFunnelsOf(tx: Queries, websiteId: number, goalId: number): Promise<string[]> {
	const rows = await tx.rows<{ name: string }>(sql`
		SELECT name FROM funnels
		WHERE website_id = ${value(websiteId)} AND steps @> ${value(JSON.stringify([{ goal: goalId }]))}::jsonb
		ORDER BY name`);
	return rows.map(({ name }) => name);
}
