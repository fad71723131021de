import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { DropReason } from './step.ts';

/** To the owner of a website: what each reason means, and what to do if such hits should count. */
export const aboutReasons: Readonly<Record<DropReason, { means: string; advice: string }>> = {
	prefetch: {
		means: 'A browser fetched the page ahead of need, and nobody has seen it.',
		advice: 'Nothing: if the page is shown after all, it is counted then.',
	},
	bot: {
		means: 'The user agent is that of a bot, a tool or a browser without a window.',
		advice: 'Switch off `exclude_bots` of the website to count them.',
	},
	excluded_address: {
		means: 'The address is on the website’s list of addresses and networks that do not count.',
		advice: 'Take it off `exclude_ips` of the website.',
	},
	foreign_hostname: {
		means:
			'The page is on a host that is not the website’s: a copy, a test, or somebody else’s page with your tag.',
		advice: 'If the host is yours, name it in the setting `hostnames`.',
	},
	privacy_signal: {
		means: 'The visitor’s browser asks not to be counted, by Global Privacy Control or Do Not Track.',
		advice: 'Nothing is best; the setting `honour_signals` can count these visitors.',
	},
	bad_url: {
		means:
			'There was no address of a page, or not one of http or https: a saved page, an app, or a faulty call.',
		advice: 'If a server of yours sends them, look at the `url` that it sends.',
	},
	late: {
		means: 'It came when the day that it belongs to could no longer be told apart.',
		advice: 'If a server of yours sends them, let it send events within seven days.',
	},
	erased: {
		means: 'It happened before the statistics were emptied.',
		advice: 'Nothing: what happened since is counted.',
	},
	over_budget: {
		means:
			'More came at once than a website may get. A page sends what was refused up to three times again, so a hit can stand here and be counted later.',
		advice: 'If these are visitors, ask whoever runs the service for a higher limit.',
	},
};

export type DropCount = { date: string; reason: string; count: number };

/** Hits of a website that were not kept, by date and reason, in the order of time. */
export function listDrops(
	queries: Queries,
	websiteId: number,
	{ from, to }: { from: string; to: string },
): Promise<DropCount[]> {
	return queries.rows<DropCount>(sql`
		SELECT date::text AS date, reason, count FROM drops
		WHERE website_id = ${value(websiteId)} AND date BETWEEN ${value(from)}::date AND ${value(to)}::date
		ORDER BY date, reason`);
}

export type ForeignHostname = { hostname: string; count: number };

const maxListedHostnames = 20;

/** Hostnames whose hits were dropped for not being the website's, the most frequent first. */
export function listForeignHostnames(
	queries: Queries,
	websiteId: number,
	{ from, to }: { from: string; to: string },
): Promise<ForeignHostname[]> {
	return queries.rows<ForeignHostname>(sql`
		SELECT hostname, sum(count)::bigint AS count FROM foreign_hostnames
		WHERE website_id = ${value(websiteId)} AND date BETWEEN ${value(from)}::date AND ${value(to)}::date
		GROUP BY hostname ORDER BY count DESC, hostname LIMIT ${value(maxListedHostnames)}`);
}

export async function findFirstDrop(queries: Queries, websiteId: number): Promise<string | null> {
	const [row] = await queries.rows<{ date: string | null }>(
		sql`SELECT min(date)::text AS date FROM drops WHERE website_id = ${value(websiteId)}`,
	);
	return row?.date ?? null;
}
