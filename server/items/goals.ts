import { isDeepStrictEqual } from 'node:util';
import { createGoalBody, isPagePattern, updateGoalBody } from '../../api/goals.ts';
import { invalid } from '../lib/app-error.ts';
import { goalColumns } from '../stats/question/goals.ts';
import type { Goal } from '../stats/question/question.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { listFunnelsOf } from './funnels.ts';
import type { Collection } from './items.ts';
import { listSegmentsOf } from './segments.ts';

type GoalFields = Pick<Goal, 'name' | 'kind' | 'pattern' | 'property'>;

const needsSlash = {
	path: ['pattern'],
	error: 'The pattern field of a page must begin with / or *.',
	// Reported together with errors of other fields.
	when: () => true,
};

function fits(goal: { kind?: unknown; pattern?: unknown }): boolean {
	return goal.kind !== 'page' || typeof goal.pattern !== 'string' || isPagePattern(goal.pattern);
}

/** Everything but the name. */
const conditionOf = ({ kind, pattern, property }: GoalFields) => ({ kind, pattern, property });

export const newGoalFields = createGoalBody
	.refine(fits, needsSlash)
	.transform(({ property = null, ...goal }) => ({ ...goal, property }));

export const goals: Collection<GoalFields> = {
	singular: 'goal',
	plural: 'goals',
	changeAction: 'website.update',
	maxPerWebsite: 200,
	columns: goalColumns,
	order: sql`id DESC`,
	createSchema: async () => newGoalFields,
	updateSchema: async (_tx, _websiteId, { kind, pattern }) =>
		updateGoalBody.refine((goal) => fits({ kind, pattern, ...goal }), needsSlash),
	toColumns: (wanted, stored) => ({
		name: sql`${value(wanted.name)}`,
		kind: sql`${value(wanted.kind)}`,
		pattern: sql`${value(wanted.pattern)}`,
		property_name: sql`${value(wanted.property?.name ?? null)}`,
		property_value: sql`${value(wanted.property?.value ?? null)}`,
		property_test: sql`${value(wanted.property?.test ?? null)}`,
		...(!(stored && isDeepStrictEqual(conditionOf(wanted), conditionOf(stored))) && {
			revision: sql`nextval('goal_revisions')`,
		}),
	}),
	release: refuseWhileUsed,
};

async function refuseWhileUsed(tx: Queries, websiteId: number, id: number): Promise<void> {
	const users = [
		...(await listFunnelsOf(tx, websiteId, id)).map((name) => `the funnel "${name}"`),
		...(await listSegmentsOf(tx, websiteId, id)).map((name) => `the segment "${name}"`),
	];
	if (users.length > 0)
		throw invalid({ goal: [`The goal is used by ${users.join(', ')}. Change or delete them first.`] });
}
