import type { z } from 'zod';
import { createFunnelBody, updateFunnelBody } from '../../api/funnels.ts';
import { listGoals } from '../stats/question/goals.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Collection } from './items.ts';

type FunnelFields = z.output<typeof createFunnelBody>;

/** The schema of steps whose goals exist on this website. */
async function stepsSchema(tx: Queries, websiteId: number) {
	const goalIds = new Set((await listGoals(tx, websiteId)).map(({ id }) => id));
	return createFunnelBody.shape.steps.superRefine((steps, context) => {
		for (const [index, step] of steps.entries())
			if ('goal' in step && !goalIds.has(step.goal))
				context.addIssue({
					code: 'custom',
					message: `Step ${index + 1} uses the goal ${step.goal}, which this website does not have.`,
				});
	});
}

export const funnels: Collection<FunnelFields> = {
	singular: 'funnel',
	plural: 'funnels',
	changeAction: 'website.update',
	maxPerWebsite: 50,
	columns: sql`name, steps`,
	order: sql`id DESC`,
	createSchema: async (tx, websiteId) => createFunnelBody.extend({ steps: await stepsSchema(tx, websiteId) }),
	updateSchema: async (tx, websiteId) =>
		updateFunnelBody.extend({ steps: (await stepsSchema(tx, websiteId)).optional() }),
	toColumns: ({ name, steps }) => ({
		name: sql`${value(name)}`,
		steps: sql`${value(JSON.stringify(steps))}`,
	}),
};

/** The names of the funnels that use a goal. */
export async function listFunnelsOf(tx: Queries, websiteId: number, goalId: number): Promise<string[]> {
	const rows = await tx.rows<{ name: string }>(sql`
		SELECT name FROM funnels
		WHERE website_id = ${value(websiteId)} AND steps @> ${value(JSON.stringify([{ goal: goalId }]))}::jsonb
		ORDER BY name`);
	return rows.map(({ name }) => name);
}
