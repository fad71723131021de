import { z } from 'zod';
import { createSegmentBody, updateSegmentBody } from '../../api/segments.ts';
import { AppError } from '../lib/app-error.ts';
import { listGoals } from '../stats/question/goals.ts';
import type { Filter } from '../stats/question/question.ts';
import { type FilterJson, readFilter, writeFilter } from '../stats/question/read-filter.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Collection } from './items.ts';

type SegmentFields = { name: string; filters: FilterJson };

/** The schema of filters that are valid on this website; it returns their canonical form. */
async function filtersSchema(tx: Queries, websiteId: number) {
	const goals = await listGoals(tx, websiteId);
	return createSegmentBody.shape.filters.transform((json, context) => {
		try {
			return writeFilter(readFilter(json, goals));
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			context.addIssue({ code: 'custom', message: error.message });
			return z.NEVER;
		}
	});
}

export const segments: Collection<SegmentFields> = {
	singular: 'segment',
	plural: 'segments',
	changeAction: 'website.update',
	maxPerWebsite: 100,
	columns: sql`name, filters`,
	order: sql`id DESC`,
	createSchema: async (tx, websiteId) =>
		createSegmentBody.extend({ filters: await filtersSchema(tx, websiteId) }),
	updateSchema: async (tx, websiteId) =>
		updateSegmentBody.extend({ filters: (await filtersSchema(tx, websiteId)).optional() }),
	toColumns: ({ name, filters }) => ({
		name: sql`${value(name)}`,
		filters: sql`${value(JSON.stringify(filters))}`,
	}),
};

/** The names of the segments that use a goal. */
export async function listSegmentsOf(tx: Queries, websiteId: number, goalId: number): Promise<string[]> {
	const goals = await listGoals(tx, websiteId);
	const rows = await tx.rows<{ name: string; filters: unknown }>(
		sql`SELECT name, filters FROM segments WHERE website_id = ${value(websiteId)} ORDER BY name`,
	);
	return rows
		.filter(({ filters }) => testsGoal(readFilter(filters, goals), String(goalId)))
		.map(({ name }) => name);
}

function testsGoal(filter: Filter, goalId: string): boolean {
	switch (filter.kind) {
		case 'test':
			return filter.dimension.name === 'goal' && filter.values.includes(goalId);
		case 'and':
		case 'or':
			return filter.parts.some((part) => testsGoal(part, goalId));
		case 'not':
			return testsGoal(filter.part, goalId);
	}
}
