/**
 * What collection knows of websites, kept in memory: a hit must not wait for the database. Changes are heard of through
 * PostgreSQL within milliseconds; while that ear is deaf, what is known is asked for again twice a second, and once more when
 * it hears again.
 *
 * Anybody can name websites that do not exist. Those are kept apart, so that they push out none that does, and one question
 * is asked at a time, for all that came while the one before was under way: a flood of names is a few questions.
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
/** With the time it takes to notice that, less than a second. */
const keptDeafMs = 500;
const maxKept = 200_000;
const maxUnknown = 100_000;
const maxAsked = 1_000;

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
	hitLimit: number | null;
};

export function createTrackedWebsites(postgres: Postgres): TrackedWebsites {
	type Entry = { website: TrackedWebsite | undefined; askedAt: number };
	const known = new Map<number, Entry>();
	const unknown = new Map<number, Entry>();
	const asking = new Map<number, Promise<TrackedWebsite | undefined>>();
	const forget = (id: number) => {
		known.delete(id);
		unknown.delete(id);
		asking.delete(id);
	};
	const listener = postgres.listen(websitesChannel, (id) => forget(Number(id)));

	const isFresh = (askedAt: number) => {
		const hearsSince = listener.hearsSince();
		const maxAge = hearsSince !== undefined && askedAt > hearsSince ? keptMs : keptDeafMs;
		return performance.now() - askedAt < maxAge;
	};

	const keep = (id: number, website: TrackedWebsite | undefined, askedAt: number) => {
		const kept = website ? known : unknown;
		(website ? unknown : known).delete(id);
		// A map keeps the order of insertion: the first one was asked for longest ago.
		kept.delete(id);
		if (kept.size >= (website ? maxKept : maxUnknown)) kept.delete(kept.keys().next().value ?? id);
		kept.set(id, { website, askedAt });
	};

	const waiting: {
		id: number;
		resolve(website: TrackedWebsite | undefined): void;
		reject(error: unknown): void;
	}[] = [];
	let isAsking = false;

	const ask = (id: number) =>
		new Promise<TrackedWebsite | undefined>((resolve, reject) => {
			waiting.push({ id, resolve, reject });
			if (!isAsking) void askWaiting();
		});

	async function askWaiting(): Promise<void> {
		isAsking = true;
		while (waiting.length > 0) {
			const some = waiting.splice(0, maxAsked);
			try {
				const found = await findAll(
					postgres,
					some.map(({ id }) => id),
				);
				for (const { id, resolve } of some) resolve(found.get(id));
			} catch (error) {
				for (const { reject } of some) reject(error);
			}
		}
		isAsking = false;
	}

	return {
		find(id) {
			const entry = known.get(id) ?? unknown.get(id);
			if (entry && isFresh(entry.askedAt)) return entry.website;
			let pending = asking.get(id);
			if (!pending) {
				const askedAt = performance.now();
				pending = ask(id).then((website) => {
					// A change that was heard of meanwhile has taken our place away: then this answer may be old already.
					if (asking.get(id) === pending) {
						keep(id, website, askedAt);
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
	return (await findAll(queries, [id])).get(id);
}

async function findAll(queries: Queries, ids: readonly number[]): Promise<Map<number, TrackedWebsite>> {
	const rows = await queries.rows<Row>(sql`
		SELECT id, domain, hostnames, exclude_bots AS "excludeBots", exclude_params AS "excludeParams",
			exclude_ips AS "excludeIps", honour_signals AS "honourSignals",
			${zonesColumn} AS zones,
			(SELECT max(created_at) FROM tombstones WHERE website_id = websites.id AND is_reset) AS "resetAt",
			(SELECT hit_limit FROM accounts WHERE accounts.id = websites.account_id) AS "hitLimit"
		FROM websites WHERE id = ANY(${value(ids)}::bigint[])`);
	return new Map(rows.map((row) => [row.id, toTracked(row)]));
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
		hitLimit: row.hitLimit,
	};
}

const noAddresses = new BlockList();
