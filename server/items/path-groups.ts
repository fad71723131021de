/** The rules that group the pages of a website: one list that is changed as a whole, and the list before the last change. */
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalid } from '../lib/app-error.ts';
import type { PathRule } from '../stats/page-groups/rules.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/get-website.ts';
import type { ItemContext } from './items.ts';

export type PathGroups = {
	rules: readonly PathRule[];
	previous: readonly PathRule[];
	updatedAt: Date | null;
};

/** The caller checks that the principal may read the website. */
export async function readPathGroups(queries: Queries, websiteId: number): Promise<PathGroups> {
	const [stored] = await queries.rows<PathGroups>(
		sql`SELECT rules, previous, updated_at AS "updatedAt" FROM path_groups WHERE website_id = ${value(websiteId)}`,
	);
	return stored ?? { rules: [], previous: [], updatedAt: null };
}

/** Stores what `change` makes of the list. `isExpected`: whether the list is the one that the caller knows. */
export async function updatePathGroups(
	{ postgres, now, principal, websiteId }: ItemContext,
	isExpected: (stored: PathGroups) => boolean,
	change: (stored: PathGroups) => readonly PathRule[],
): Promise<PathGroups> {
	return postgres.transaction(async (tx) => {
		await getWebsite(tx, principal, 'website.update', websiteId, sql`FOR NO KEY UPDATE`);
		const stored = await readPathGroups(tx, websiteId);
		if (!isExpected(stored))
			throw new AppError(
				'precondition_failed',
				'The rules have changed since you read them. Read them again and repeat the request.',
			);
		return storeRules(tx, { now, websiteId }, stored, change(stored));
	});
}

/** Replaces the rules of a website that the caller has locked. */
export const replacePathGroups = async (
	tx: Queries,
	context: Pick<ItemContext, 'now' | 'websiteId'>,
	rules: readonly PathRule[],
): Promise<PathGroups> => storeRules(tx, context, await readPathGroups(tx, context.websiteId), rules);

async function storeRules(
	tx: Queries,
	{ now, websiteId }: Pick<ItemContext, 'now' | 'websiteId'>,
	stored: PathGroups,
	rules: readonly PathRule[],
): Promise<PathGroups> {
	if (isDeepStrictEqual(rules, stored.rules)) return stored;
	const updatedAt = new Date(Math.max(now().getTime(), (stored.updatedAt?.getTime() ?? 0) + 1));
	await tx.run(sql`
		INSERT INTO path_groups (website_id, rules, previous, updated_at)
		VALUES (${value(websiteId)}, ${value(JSON.stringify(rules))}, ${value(JSON.stringify(stored.rules))}, ${value(updatedAt)})
		ON CONFLICT (website_id) DO UPDATE SET rules = excluded.rules, previous = excluded.previous, updated_at = excluded.updated_at`);
	return { rules, previous: stored.rules, updatedAt };
}

/** The list before the last change. Undoing twice restores the list. */
export function undoneRules({ previous, updatedAt }: PathGroups): readonly PathRule[] {
	if (updatedAt === null) throw invalid({ rules: ['There is no change to undo.'] });
	return previous;
}
