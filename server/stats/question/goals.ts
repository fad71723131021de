import { patternToLike } from '../../derive/text-tests.ts';
import type { CountedGoal } from '../../derive/totals.ts';
import type { Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import type { Goal } from './question.ts';

/** The condition of a goal, as columns of a SELECT over `goals`. */
export const goalColumns = sql`name, kind, pattern,
	CASE WHEN property_name IS NOT NULL
		THEN json_strip_nulls(json_build_object('name', property_name, 'value', property_value, 'test', property_test))
		END AS property`;

/** All goals of a website, oldest first. The caller checks that the principal may read the website. */
export async function listGoals(queries: Queries, websiteId: number): Promise<Goal[]> {
	return queries.rows<Goal>(
		sql`SELECT id, revision, ${goalColumns} FROM goals WHERE website_id = ${value(websiteId)} ORDER BY id`,
	);
}

/** The goals of several websites, in the form that totals are counted with. */
export async function listCountedGoals(
	queries: Queries,
	websiteIds: readonly number[],
): Promise<CountedGoal[]> {
	const goals = await queries.rows<Goal & { websiteId: number }>(sql`
		SELECT website_id AS "websiteId", id, revision, ${goalColumns} FROM goals
		WHERE website_id = ANY(${value(websiteIds)}::bigint[]) ORDER BY id`);
	return goals.map(({ websiteId, ...goal }) => toCountedGoal(websiteId, goal));
}

export const toCountedGoal = (
	websiteId: number,
	{ revision, kind, pattern, property }: Goal,
): CountedGoal => ({
	websiteId,
	revision,
	kind,
	pattern: patternToLike(pattern),
	property: property?.test === 'wildcard' ? { ...property, value: patternToLike(property.value) } : property,
});
