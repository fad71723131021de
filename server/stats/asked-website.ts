import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/websites.ts';
import { toZones, zonesColumn } from '../websites/zones.ts';
import { listGoals } from './goals.ts';
import type { AskedWebsite, Goal } from './question.ts';

export type Asked = {
	website: AskedWebsite;
	domain: string;
	/** The first with an event, here or where it was counted before. */
	firstDate: string | null;
};

/** What `askedColumns` give. */
export type AskedRow = {
	zones: { from: string; zone: string }[];
	rawFrom: string | null;
	resetAt: Date | null;
	firstDate: string | null;
	hiddenImports?: number[] | null;
};

/** Of a SELECT over `websites`. */
export const askedColumns = sql`${zonesColumn} AS zones, raw_from::text AS "rawFrom",
	(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt",
	least(
		(SELECT min(date) FROM days WHERE website_id = websites.id),
		(SELECT min(date) FROM imported_days WHERE website_id = websites.id)
	)::text AS "firstDate",
	(SELECT json_agg(id) FROM imports WHERE website_id = websites.id AND kind = 'events' AND state <> 'done') AS "hiddenImports"`;

export const toAskedWebsite = (
	id: number,
	{ zones, rawFrom, resetAt, hiddenImports }: AskedRow,
	goals: readonly Goal[],
): AskedWebsite => ({
	id,
	zones: toZones(zones),
	rawFrom,
	resetAt: resetAt?.getTime() ?? null,
	...(hiddenImports && { hiddenImports }),
	goals,
});

/** What a question must know of the website that it is about, if the principal may ask. */
export async function getAskedWebsite(queries: Queries, principal: Principal, id: number): Promise<Asked> {
	const { domain } = await getWebsite(queries, principal, 'stats.read', id);
	const [rows, goals] = await Promise.all([
		queries.rows<AskedRow>(sql`SELECT ${askedColumns} FROM websites WHERE id = ${value(id)}`),
		listGoals(queries, id),
	]);
	const [row] = rows;
	// Deleted since we looked.
	if (!row) throw notFound();
	return { website: toAskedWebsite(id, row, goals), domain, firstDate: row.firstDate };
}

/** The filter of a saved segment as it was written, or undefined. That its website may be asked is for the caller to know. */
export async function findSegment(queries: Queries, websiteId: number, id: number): Promise<unknown> {
	const [segment] = await queries.rows<{ filters: unknown }>(
		sql`SELECT filters FROM segments WHERE website_id = ${value(websiteId)} AND id = ${value(id)}`,
	);
	return segment?.filters;
}
