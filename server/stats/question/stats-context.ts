import { notFound } from '../../accounts/authorize.ts';
import type { Principal, ShareLimits } from '../../accounts/principal.ts';
import { type HiddenEvents, hiddenColumn } from '../../derive/hidden-events.ts';
import type { Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import type { Website } from '../../websites/get-website.ts';
import { toZones, zonesColumn } from '../../websites/zones.ts';
import type { PathRule } from '../page-groups/rules.ts';
import { listGoals } from './goals.ts';
import type { Goal, StatsWebsite } from './question.ts';

export type StatsContext = {
	website: StatsWebsite;
	domain: string;
	/** The first date with data, own or imported. */
	firstDate: string | null;
	/** Of a share link: `parseQuestion` applies them. */
	limits?: ShareLimits | undefined;
};

/** A row of `statsContextColumns`. */
export type StatsContextRow = {
	zones: { from: string; zone: string }[];
	rawFrom: string | null;
	resetAt: Date | null;
	firstDate: string | null;
	hiddenImports?: number[] | null;
	hidden?: HiddenEvents | null;
	pathRules?: PathRule[] | null;
};

/** Columns of a SELECT over `websites`. */
export const statsContextColumns = sql`${zonesColumn} AS zones, raw_from::text AS "rawFrom",
	(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt",
	least(
		(SELECT min(date) FROM days WHERE website_id = websites.id),
		(SELECT min(date) FROM imported_days WHERE website_id = websites.id)
	)::text AS "firstDate",
	(SELECT json_agg(id) FROM imports WHERE website_id = websites.id AND kind = 'events' AND state <> 'done') AS "hiddenImports",
	${hiddenColumn} AS hidden,
	(SELECT rules FROM path_groups WHERE website_id = websites.id) AS "pathRules"`;

export const toStatsWebsite = (
	id: number,
	{ zones, rawFrom, resetAt, hiddenImports, hidden, pathRules }: StatsContextRow,
	goals: readonly Goal[],
): StatsWebsite => ({
	id,
	zones: toZones(zones),
	rawFrom,
	resetAt: resetAt?.getTime() ?? null,
	...(hiddenImports && { hiddenImports }),
	...(hidden && { hidden }),
	goals,
	pathRules: pathRules ?? [],
});

/** What a question of a principal needs of its website. The caller checks that the principal may read the statistics. */
export async function getStatsContext(
	queries: Queries,
	principal: Principal,
	{ id, domain }: Pick<Website, 'id' | 'domain'>,
): Promise<StatsContext> {
	const [rows, goals] = await Promise.all([
		queries.rows<StatsContextRow>(sql`SELECT ${statsContextColumns} FROM websites WHERE id = ${value(id)}`),
		listGoals(queries, id),
	]);
	const [row] = rows;
	// Deleted meanwhile.
	if (!row) throw notFound();
	return {
		website: toStatsWebsite(id, row, goals),
		domain,
		firstDate: row.firstDate,
		limits: principal.kind === 'share' ? principal.limits : undefined,
	};
}

/** The stored filter of a segment, or undefined. The caller checks that the principal may read the website. */
export async function findSegment(queries: Queries, websiteId: number, id: number): Promise<unknown> {
	const [segment] = await queries.rows<{ filters: unknown }>(
		sql`SELECT filters FROM segments WHERE website_id = ${value(websiteId)} AND id = ${value(id)}`,
	);
	return segment?.filters;
}
