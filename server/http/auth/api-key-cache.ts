/**
 * Identifies callers by API key. Keys are looked up by digest, so no secret is compared byte by byte and all invalid keys
 * take the same time.
 *
 * Keys are cached for a few seconds. A revoked key must stop working at once, so PostgreSQL notifies every process of changes,
 * which clears its cache; while LISTEN is disconnected, nothing is cached.
 */
import { digestOf, keysChannel } from '../../accounts/keys.ts';
import type { Principal } from '../../accounts/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Postgres } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';

export type KeyPrincipal = Extract<Principal, { kind: 'key' }>;

export type ApiKeyCache = {
	/** The principal of an Authorization header, or undefined without a valid key. */
	byHeader(authorization: string | undefined): Promise<KeyPrincipal | undefined>;
	forget(): void;
	close(): Promise<void>;
};

const cacheMs = 5_000;
const maxCached = 10_000;
const recordUseEveryMs = 60_000;

export function createApiKeyCache(postgres: Postgres, now: Clock, log: Log): ApiKeyCache {
	const cache = new Map<string, { principal: KeyPrincipal; until: number; queriedAt: number }>();
	/** Counts notifications, so that a lookup that ran during one is not cached. */
	let changes = 0;
	const forget = () => {
		changes++;
		cache.clear();
	};
	const listener = postgres.listen(keysChannel, forget);

	async function find(digest: Buffer): Promise<KeyPrincipal | undefined> {
		const name = digest.toString('base64');
		const moment = now().getTime();
		const known = cache.get(name);
		if (known && known.until > moment && known.queriedAt > (listener.connectedSince() ?? Infinity))
			return known.principal;
		const before = changes;
		const queriedAt = performance.now();
		const [row] = await postgres.rows<KeyRow>(sql`
			SELECT k.id AS "keyId", k.account_id AS "accountId", k.access, k.website_ids AS "websiteIds",
				k.last_used_at AS "lastUsedAt"
			FROM api_keys k JOIN accounts a ON a.id = k.account_id AND a.disabled_at IS NULL
			WHERE k.digest = ${value(digest)}`);
		if (!row) return undefined;
		const { lastUsedAt, ...rest } = row;
		const principal: KeyPrincipal = { kind: 'key', ...rest };
		if (changes === before && listener.connectedSince() !== undefined) {
			if (cache.size >= maxCached) cache.clear();
			cache.set(name, { principal, until: moment + cacheMs, queriedAt });
		}
		if (lastUsedAt === null || moment - lastUsedAt.getTime() > recordUseEveryMs) recordUse(row.keyId);
		return principal;
	}

	function recordUse(keyId: number) {
		postgres
			.run(sql`UPDATE api_keys SET last_used_at = ${value(now())} WHERE id = ${value(keyId)}`)
			.catch((error) => log.warn({ error, keyId }, 'could not record the last use of an api key'));
	}

	return {
		byHeader: (authorization) => find(digestOf(readBearer(authorization) ?? '')),
		forget,
		close: () => listener.close(),
	};
}

type KeyRow = Omit<KeyPrincipal, 'kind'> & { lastUsedAt: Date | null };

/** `Bearer KEY`, with the scheme in any case. */
function readBearer(authorization: string | undefined): string | undefined {
	return /^bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1];
}
