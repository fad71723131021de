import type { CountedGoal } from '../derive/totals.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Goal } from './question.ts';

/** What a goal can see of an event. */
export type GoalEvent = {
	kind: 'pageview' | 'custom';
	name: string;
	path: string;
	properties: Readonly<Record<string, string>>;
};

/** A page is reached by viewing it, not by an event of one's own that happens on it. */
export function matchesGoal(goal: Goal, event: GoalEvent): boolean {
	const isMet =
		goal.kind === 'page'
			? event.kind === 'pageview' && matchesPattern(goal.pattern, event.path)
			: event.kind === 'custom' && matchesPattern(goal.pattern, event.name);
	return isMet && (goal.property === null || event.properties[goal.property.name] === goal.property.value);
}

/**
 * The whole text, letter by letter; `*` stands for any characters, also none. Each part is looked for from where the one
 * before it was found, and never again from further on, so no pattern takes longer than the text times its own length.
 */
export function matchesPattern(pattern: string, text: string): boolean {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first)) return false;
	let at = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, at);
		if (found < 0) return false;
		at = found + part.length;
	}
	return text.length - last.length >= at && text.endsWith(last);
}

/** The same for LIKE of ClickHouse, whose own signs lose their meaning; `match()` would take patterns of any cost. */
export const patternToLike = (pattern: string): string =>
	pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');

/** What a goal looks at, as columns of a SELECT over `goals`. */
export const goalColumns = sql`name, kind, pattern,
	CASE WHEN property_name IS NOT NULL
		THEN json_build_object('name', property_name, 'value', property_value) END AS property`;

/** All goals of a website, oldest first. That it may be read is for the caller to know. */
export async function listGoals(queries: Queries, websiteId: number): Promise<Goal[]> {
	return queries.rows<Goal>(
		sql`SELECT id, revision, ${goalColumns} FROM goals WHERE website_id = ${value(websiteId)} ORDER BY id`,
	);
}

/** The goals of several websites, as totals count them. */
export async function listCountedGoals(
	queries: Queries,
	websiteIds: readonly number[],
): Promise<CountedGoal[]> {
	const goals = await queries.rows<Goal & { websiteId: number }>(sql`
		SELECT website_id AS "websiteId", id, revision, ${goalColumns} FROM goals
		WHERE website_id = ANY(${value(websiteIds)}::bigint[]) ORDER BY id`);
	return goals.map(({ websiteId, revision, kind, pattern, property }) => ({
		...{ websiteId, revision, kind, pattern: patternToLike(pattern), property },
	}));
}
