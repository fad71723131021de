/**
 * What collection knows of websites, kept in memory: a hit must not wait for the database. Changes are heard of through
 * PostgreSQL within milliseconds; should that ear be deaf, what is known is asked for again every second.
 */
import { BlockList } from 'node:net';
import { blockListOf } from '../lib/networks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { websitesChannel } from '../websites/announce.ts';
import { toZones, zonesColumn } from '../websites/zones.ts';
import type { TrackedWebsite } from './hit.ts';

export type TrackedWebsites = {
	find(id: number): Promise<TrackedWebsite | undefined> | TrackedWebsite | undefined;
	/** A change that this process made itself counts at once; other processes hear of it. */
	forget(id: number): void;
	close(): Promise<void>;
};

const keptMs = 60_000;
const keptDeafMs = 1_000;
const maxKept = 200_000;

type Row = {
	id: number;
	domain: string;
	hostnames: string | null;
	excludeBots: boolean;
	excludeParams: string | null;
	excludeIps: string | null;
	honourSignals: boolean;
	zones: { from: string; zone: string }[];
	resetAt: Date | null;
};

export function createTrackedWebsites(postgres: Postgres): TrackedWebsites {
	const known = new Map<number, { website: TrackedWebsite | undefined; askedAt: number }>();
	const asking = new Map<number, Promise<TrackedWebsite | undefined>>();
	const forget = (id: number) => {
		known.delete(id);
		asking.delete(id);
	};
	const listener = postgres.listen(websitesChannel, (id) => forget(Number(id)));

	return {
		find(id) {
			const entry = known.get(id);
			const maxAge = listener.isListening() ? keptMs : keptDeafMs;
			if (entry && performance.now() - entry.askedAt < maxAge) return entry.website;
			let pending = asking.get(id);
			if (!pending) {
				pending = findTracked(postgres, id).then((website) => {
					// A change that was heard of meanwhile has taken our place away: then this answer may be old already.
					if (asking.get(id) === pending) {
						if (known.size >= maxKept) known.clear();
						known.set(id, { website, askedAt: performance.now() });
						asking.delete(id);
					}
					return website;
				});
				pending.catch(() => asking.delete(id));
				asking.set(id, pending);
			}
			// While the database is away, what was known is better than nothing: settings change rarely.
			return entry ? pending.catch(() => entry.website) : pending;
		},
		forget,
		close: () => listener.close(),
	};
}

/** As it is at this moment. */
export async function findTracked(queries: Queries, id: number): Promise<TrackedWebsite | undefined> {
	const [row] = await queries.rows<Row>(sql`
		SELECT id, domain, hostnames, exclude_bots AS "excludeBots", exclude_params AS "excludeParams",
			exclude_ips AS "excludeIps", honour_signals AS "honourSignals",
			${zonesColumn} AS zones,
			(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt"
		FROM websites WHERE id = ${value(id)}`);
	return row && toTracked(row);
}

function toTracked(row: Row): TrackedWebsite {
	const lines = (text: string | null) => (text === null ? [] : text.split('\n'));
	const networks = lines(row.excludeIps);
	return {
		id: row.id,
		domain: row.domain,
		hostnames: lines(row.hostnames),
		excludeBots: row.excludeBots,
		excludeParams: new Set(lines(row.excludeParams)),
		excludeIps: networks.length > 0 ? blockListOf(networks) : noAddresses,
		honourSignals: row.honourSignals,
		zones: toZones(row.zones),
		resetAt: row.resetAt?.getTime() ?? 0,
	};
}

const noAddresses = new BlockList();
