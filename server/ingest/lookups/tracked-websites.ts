/**
 * A cache of website settings, because a hit must not wait for the database. PostgreSQL notifies it of changes within milliseconds.
 * While LISTEN is disconnected, entries expire after 500 ms; entries from before a reconnect are loaded again.
 *
 * Anyone can send ids of websites that do not exist. Those are cached separately, so that they do not evict existing ones. One query
 * runs at a time and loads all ids that came during the previous one, so a flood of ids causes few queries.
 */
import { blockListOf } from '../../lib/networks.ts';
import type { Postgres, Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import { websitesChannel } from '../../websites/announce.ts';
import { toZones, zonesColumn } from '../../websites/zones.ts';
import type { TrackedWebsite } from '../hit.ts';
import { compileRules, type RuleRow, type TrafficRules } from './traffic-rules.ts';

export type TrackedWebsites = {
	find(id: number): Promise<TrackedWebsite | undefined> | TrackedWebsite | undefined;
	/** Applies a change of this process at once; other processes are notified. */
	forget(id: number): void;
	close(): Promise<void>;
};

const maxAgeMs = 60_000;
/** Less than a second together with the time to notice a disconnect. */
const maxAgeWhileDisconnectedMs = 500;
const maxKnown = 200_000;
const maxUnknown = 100_000;
const maxPerQuery = 1_000;

/** A row of PostgreSQL. Unlike a TrackedWebsite, it can be sent to another process. */
export type TrackedRow = {
	id: number;
	domain: string;
	hostnames: string | null;
	excludeBots: boolean;
	excludeParams: string | null;
	excludeIps: string | null;
	honourSignals: boolean;
	zones: { from: string; zone: string }[];
	resetAt: Date | null;
	hitLimit: number | null;
	/** Changes with every change of an enabled rule; null without any. */
	rulesVersion: string | null;
};

export function createTrackedWebsites(postgres: Postgres): TrackedWebsites {
	type Entry = { website: TrackedWebsite | undefined; loadedAt: number };
	const known = new Map<number, Entry>();
	const unknown = new Map<number, Entry>();
	const loading = new Map<number, Promise<TrackedWebsite | undefined>>();
	const forget = (id: number) => {
		known.delete(id);
		unknown.delete(id);
		loading.delete(id);
	};
	const listener = postgres.listen(websitesChannel, (id) => forget(Number(id)));

	const isFresh = (loadedAt: number) => {
		const connectedSince = listener.connectedSince();
		const maxAge =
			connectedSince !== undefined && loadedAt > connectedSince ? maxAgeMs : maxAgeWhileDisconnectedMs;
		return performance.now() - loadedAt < maxAge;
	};

	const store = (id: number, website: TrackedWebsite | undefined, loadedAt: number) => {
		const cache = website ? known : unknown;
		(website ? unknown : known).delete(id);
		// A Map keeps insertion order: the first entry is the oldest.
		cache.delete(id);
		if (cache.size >= (website ? maxKnown : maxUnknown)) cache.delete(cache.keys().next().value ?? id);
		cache.set(id, { website, loadedAt });
	};

	const queue: {
		id: number;
		resolve(website: TrackedWebsite | undefined): void;
		reject(error: unknown): void;
	}[] = [];
	let isQuerying = false;

	const load = (id: number) =>
		new Promise<TrackedWebsite | undefined>((resolve, reject) => {
			queue.push({ id, resolve, reject });
			if (!isQuerying) void runQueries();
		});

	async function runQueries(): Promise<void> {
		isQuerying = true;
		while (queue.length > 0) {
			const requests = queue.splice(0, maxPerQuery);
			try {
				const websites = await findAll(
					postgres,
					requests.map(({ id }) => id),
					(id) => known.get(id)?.website?.rules,
				);
				for (const { id, resolve } of requests) resolve(websites.get(id));
			} catch (error) {
				for (const { reject } of requests) reject(error);
			}
		}
		isQuerying = false;
	}

	return {
		find(id) {
			const entry = known.get(id) ?? unknown.get(id);
			if (entry && isFresh(entry.loadedAt)) return entry.website;
			let pending = loading.get(id);
			if (!pending) {
				const loadedAt = performance.now();
				pending = load(id).then((website) => {
					// A notification meanwhile has removed this request: the result may be outdated.
					if (loading.get(id) === pending) {
						store(id, website, loadedAt);
						loading.delete(id);
					}
					return website;
				});
				pending.catch(() => loading.delete(id));
				loading.set(id, pending);
			}
			// While the database is unreachable, an expired entry is better than none: settings change rarely.
			return entry ? pending.catch(() => entry.website) : pending;
		},
		forget,
		close: () => listener.close(),
	};
}

/** Reads the current row. */
export async function findTrackedRow(queries: Queries, id: number): Promise<TrackedRow | undefined> {
	return (await readRows(queries, [id]))[0];
}

/** Entries expire every minute. Rules can be many, so those that have not changed since are neither read nor compiled again. */
async function findAll(
	queries: Queries,
	ids: readonly number[],
	compiledOf: (id: number) => TrafficRules | undefined,
): Promise<Map<number, TrackedWebsite>> {
	const rows = await readRows(queries, ids);
	const isCurrent = ({ id, rulesVersion }: TrackedRow) => compiledOf(id)?.version === rulesVersion;
	const changed = rows.filter((row) => row.rulesVersion !== null && !isCurrent(row));
	const rules = await readRules(
		queries,
		changed.map(({ id }) => id),
	);
	return new Map(
		rows.map((row) => {
			const { id, rulesVersion } = row;
			if (rulesVersion === null) return [id, toTracked(row)];
			const current = isCurrent(row) ? compiledOf(id) : compileRules(rules.get(id) ?? [], rulesVersion);
			return [id, toTracked(row, current)];
		}),
	);
}

async function readRules(queries: Queries, ids: readonly number[]): Promise<Map<number, RuleRow[]>> {
	if (ids.length === 0) return new Map();
	const rows = await queries.rows<RuleRow & { websiteId: number }>(sql`
		SELECT website_id AS "websiteId", id, kind, test, entries AS values FROM traffic_rules
		WHERE website_id = ANY(${value(ids)}::bigint[]) AND enabled ORDER BY id`);
	return Map.groupBy(rows, ({ websiteId }) => websiteId);
}

const readRows = (queries: Queries, ids: readonly number[]): Promise<TrackedRow[]> =>
	queries.rows<TrackedRow>(sql`
		SELECT id, domain, hostnames, exclude_bots AS "excludeBots", exclude_params AS "excludeParams",
			exclude_ips AS "excludeIps", honour_signals AS "honourSignals",
			${zonesColumn} AS zones,
			(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt",
			(SELECT hit_limit FROM accounts WHERE accounts.id = websites.account_id) AS "hitLimit",
			(SELECT md5(string_agg(id || ' ' || updated_at, ',' ORDER BY id)) FROM traffic_rules
				WHERE website_id = websites.id AND enabled HAVING count(*) > 0) AS "rulesVersion"
		FROM websites WHERE id = ANY(${value(ids)}::bigint[])`);

/** Imports have no rules: those apply to new traffic. */
export function toTracked(row: TrackedRow, rules?: TrafficRules): TrackedWebsite {
	const lines = (text: string | null) => (text === null ? [] : text.split('\n'));
	const networks = lines(row.excludeIps);
	return {
		id: row.id,
		domain: row.domain,
		hostnames: lines(row.hostnames),
		excludeBots: row.excludeBots,
		excludeParams: new Set(lines(row.excludeParams)),
		excludeIps: networks.length > 0 ? blockListOf(networks) : undefined,
		honourSignals: row.honourSignals,
		zones: toZones(row.zones),
		resetAt: row.resetAt?.getTime() ?? 0,
		hitLimit: row.hitLimit,
		rules,
	};
}
