import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { DropReason } from './steps/step.ts';

/** For the owner of a website: what each reason means, and what to do if such hits should be counted. */
export const aboutReasons: Readonly<Record<DropReason, { means: string; advice: string }>> = {
	prefetch: {
		means: 'The browser prefetched the page, and it was not shown.',
		advice: 'No action needed. If the page is shown later, it is counted then.',
	},
	bot: {
		means: 'The user agent is that of a bot, a tool or a headless browser.',
		advice: 'Turn off `exclude_bots` to count such traffic.',
	},
	excluded_address: {
		means: 'The IP address is on the list of ignored addresses and networks of the website.',
		advice: 'Remove it from `exclude_ips` to count it.',
	},
	foreign_hostname: {
		means:
			'The hostname of the page does not belong to the website: a copy, a test, or another site with your script tag.',
		advice: 'If the hostname is yours, add it to the setting `hostnames`.',
	},
	privacy_signal: {
		means: 'The browser of the visitor sends Global Privacy Control or Do Not Track.',
		advice: 'We recommend to respect it. Turn off `honour_signals` to count these visitors.',
	},
	bad_url: {
		means: 'The page has no URL, or not an http or https URL: a saved page, an app, or a faulty call.',
		advice: 'If your server sends these events, check the `url` it sends.',
	},
	late: {
		means: 'It arrived too late to be matched to a visitor.',
		advice: 'If your server sends these events, send them within seven days.',
	},
	erased: {
		means: 'It happened before the statistics were reset.',
		advice: 'No action needed. Everything since the reset is counted.',
	},
	over_budget: {
		means:
			'The website was over its rate limit. A page retries a refused hit up to three times, so the hit may have been counted later.',
		advice: 'If this is real traffic, ask the operator of the service for a higher limit.',
	},
	rule: {
		means: 'A traffic rule of the website matched it.',
		advice: 'Change or disable the rule. `rules` has the number of hits that each rule dropped.',
	},
};

export type DropCount = { date: string; reason: string; count: number };

/** Dropped hits of a website by date and reason, oldest first. */
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

/** Hostnames of hits that were dropped as foreign, most frequent first. */
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

export type RuleDrops = { id: number; name: string; count: number };

/** Rules that dropped hits, most frequent first. */
export function listRuleDrops(
	queries: Queries,
	websiteId: number,
	{ from, to }: { from: string; to: string },
): Promise<RuleDrops[]> {
	return queries.rows<RuleDrops>(sql`
		SELECT id, name, sum(count)::bigint AS count FROM traffic_rules JOIN rule_drops ON rule_id = id
		WHERE website_id = ${value(websiteId)} AND date BETWEEN ${value(from)}::date AND ${value(to)}::date
		GROUP BY id ORDER BY count DESC, id`);
}

export async function findFirstDrop(queries: Queries, websiteId: number): Promise<string | null> {
	const [row] = await queries.rows<{ date: string | null }>(
		sql`SELECT min(date)::text AS date FROM drops WHERE website_id = ${value(websiteId)}`,
	);
	return row?.date ?? null;
}
