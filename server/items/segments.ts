import { z } from 'zod';
import { createSegmentBody, updateSegmentBody } from '../../api/segments.ts';
import { AppError } from '../lib/app-error.ts';
import { listGoals } from '../stats/goals.ts';
import type { Filter } from '../stats/question.ts';
import { type FilterJson, readFilter, writeFilter } from '../stats/read-filter.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Collection } from './items.ts';

type SegmentAbout = { name: string; filters: FilterJson };

/** A filter that can be asked on this website, in its one spelling. */
async function filtersOn(tx: Queries, websiteId: number) {
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

export const segments: Collection<SegmentAbout> = {
	one: 'segment',
	many: 'segments',
	most: 100,
	columns: sql`name, filters`,
	order: sql`id DESC`,
	newRules: async (tx, websiteId) => createSegmentBody.extend({ filters: await filtersOn(tx, websiteId) }),
	changeRules: async (tx, websiteId) =>
		updateSegmentBody.extend({ filters: (await filtersOn(tx, websiteId)).optional() }),
	write: ({ name, filters }) => ({
		name: sql`${value(name)}`,
		filters: sql`${value(JSON.stringify(filters))}`,
	}),
};

/** The names of the segments that test for a goal. */
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
