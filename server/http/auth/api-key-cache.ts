/**
 * Identifies callers by API key. Keys are looked up by digest, so no secret is compared byte by byte and all invalid keys
 * take the same time.
 *
 * Keys are cached for a few seconds. A revoked key must stop working at once, so PostgreSQL notifies every process of changes,
 * which clears its cache; while LISTEN is disconnected, nothing is cached. The expiry and the networks of a key are checked for
 * every request, cached or not. So are the networks of policies, whose changes clear the cache too.
 */
import type { BlockList } from 'node:net';
import type { KeyLimits } from '../../accounts/key-limits.ts';
import { digestOf, hasSecret, keysChannel, limitColumns } from '../../accounts/keys.ts';
import { networksOfKeys } from '../../accounts/policies.ts';
import type { KeyPrincipal, OperatorKeyPrincipal } from '../../accounts/principal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { blockListOf, listHas } from '../../lib/networks.ts';
import { findOperatorKey, isOperatorKey } from '../../operator/keys.ts';
import type { Postgres } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';

export type ApiKeyCache = {
	/**
	 * The principal of an Authorization header from an address, or undefined without a key that is valid there and now. Policies do not
	 * limit the networks of servers that only send events.
	 */
	byHeader(
		authorization: string | undefined,
		use: { address: string; isCollecting: boolean },
	): Promise<KeyPrincipal | OperatorKeyPrincipal | undefined>;
	forget(): void;
	close(): Promise<void>;
};

type Found = {
	principal: KeyPrincipal;
	expiresAt: Date | null;
	networks: BlockList | null;
	/** Of the policies of the account and of the service: the address must be in each of them. */
	policyNetworks: BlockList[];
	lastUsedAt: Date | null;
};

const cacheMs = 5_000;
const maxCached = 10_000;
const recordUseEveryMs = 60_000;

export function createApiKeyCache(postgres: Postgres, now: Clock, log: Log): ApiKeyCache {
	const cache = new Map<string, { found: Found; until: number; queriedAt: number }>();
	/** Counts notifications, so that a lookup that ran during one is not cached. */
	let changes = 0;
	const forget = () => {
		changes++;
		cache.clear();
	};
	const listener = postgres.listen(keysChannel, forget);

	async function find(secret: string): Promise<Found | undefined> {
		const name = digestOf(secret).toString('base64');
		const moment = now().getTime();
		const known = cache.get(name);
		if (known && known.until > moment && known.queriedAt > (listener.connectedSince() ?? Infinity))
			return known.found;
		const before = changes;
		const queriedAt = performance.now();
		const [row] = await postgres.rows<KeyRow>(sql`
			SELECT k.*, ${networksOfKeys(sql`k."accountId"`)} AS "policyNetworks" FROM (
				SELECT id AS "keyId", account_id AS "accountId", last_used_at AS "lastUsedAt", ${limitColumns}
				FROM api_keys WHERE ${hasSecret(secret)}
			) k JOIN accounts a ON a.id = k."accountId" AND a.disabled_at IS NULL`);
		if (!row) return undefined;
		const { lastUsedAt, expiresAt, networks, policyNetworks, ...rest } = row;
		const found: Found = {
			principal: { kind: 'key', ...rest },
			expiresAt,
			networks: networks && blockListOf(networks),
			policyNetworks: policyNetworks.map(blockListOf),
			lastUsedAt,
		};
		if (changes === before && listener.connectedSince() !== undefined) {
			if (cache.size >= maxCached) cache.clear();
			cache.set(name, { found, until: moment + cacheMs, queriedAt });
		}
		return found;
	}

	async function identify(
		secret: string,
		{ address, isCollecting }: { address: string; isCollecting: boolean },
	): Promise<KeyPrincipal | undefined> {
		const found = await find(secret);
		if (!found) return undefined;
		const { principal, expiresAt, networks, policyNetworks, lastUsedAt } = found;
		const moment = now();
		if (expiresAt && expiresAt <= moment) return undefined;
		if (networks && !listHas(networks, address)) return undefined;
		if (!isCollecting && !policyNetworks.every((list) => listHas(list, address))) return undefined;
		if (lastUsedAt === null || moment.getTime() - lastUsedAt.getTime() > recordUseEveryMs) {
			found.lastUsedAt = moment;
			recordUse(principal.keyId);
		}
		return principal;
	}

	function recordUse(keyId: number) {
		postgres
			.run(sql`UPDATE api_keys SET last_used_at = ${value(now())} WHERE id = ${value(keyId)}`)
			.catch((error) => log.warn({ error, keyId }, 'could not record the last use of an api key'));
	}

	return {
		byHeader(authorization, use) {
			const secret = readBearer(authorization) ?? '';
			return isOperatorKey(secret)
				? findOperatorKey(postgres, now, secret, use.address)
				: identify(secret, use);
		},
		forget,
		close: () => listener.close(),
	};
}

type KeyRow = Pick<KeyPrincipal, 'keyId' | 'accountId'> &
	KeyLimits & { lastUsedAt: Date | null; policyNetworks: string[][] };

/** `Bearer KEY`, with the scheme in any case. */
function readBearer(authorization: string | undefined): string | undefined {
	return /^bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1];
}
