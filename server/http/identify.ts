/**
 * Who is calling with a key. A key is looked up by its digest, so no secret is ever compared byte by byte, and
 * every wrong key takes the same way to the same answer.
 *
 * What was found is kept for a few seconds. A revoked key must be dead at once: every process hears of a change
 * through PostgreSQL and forgets all keys; while it cannot hear, it keeps nothing.
 */
import { digestOf, keysChannel } from '../accounts/keys.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

export type KeyPrincipal = Extract<Principal, { kind: 'key' }>;

export type Identify = {
	/** The principal behind an Authorization header, or undefined for all that is no valid key. */
	byHeader(authorization: string | undefined): Promise<KeyPrincipal | undefined>;
	forget(): void;
	close(): Promise<void>;
};

const keepMs = 5_000;
const maxKept = 10_000;
const noteUseEveryMs = 60_000;

export function createIdentify(postgres: Postgres, now: Clock, log: Log): Identify {
	const kept = new Map<string, { principal: KeyPrincipal; until: number; askedAt: number }>();
	/** Counts the changes heard of, so that an answer that was under way during one is not kept. */
	let changes = 0;
	const forget = () => {
		changes++;
		kept.clear();
	};
	const listener = postgres.listen(keysChannel, forget);

	async function look(digest: Buffer): Promise<KeyPrincipal | undefined> {
		const name = digest.toString('base64');
		const moment = now().getTime();
		const known = kept.get(name);
		if (known && known.until > moment && known.askedAt > (listener.hearsSince() ?? Infinity))
			return known.principal;
		const before = changes;
		const askedAt = performance.now();
		const [row] = await postgres.rows<KeyRow>(sql`
			SELECT k.id AS "keyId", k.account_id AS "accountId", k.access, k.website_ids AS "websiteIds",
				k.last_used_at AS "lastUsedAt"
			FROM api_keys k JOIN accounts a ON a.id = k.account_id AND a.disabled_at IS NULL
			WHERE k.digest = ${value(digest)}`);
		if (!row) return undefined;
		const { lastUsedAt, ...rest } = row;
		const principal: KeyPrincipal = { kind: 'key', ...rest };
		if (changes === before && listener.hearsSince() !== undefined) {
			if (kept.size >= maxKept) kept.clear();
			kept.set(name, { principal, until: moment + keepMs, askedAt });
		}
		if (lastUsedAt === null || moment - lastUsedAt.getTime() > noteUseEveryMs) noteUse(row.keyId);
		return principal;
	}

	function noteUse(keyId: number) {
		postgres
			.run(sql`UPDATE api_keys SET last_used_at = ${value(now())} WHERE id = ${value(keyId)}`)
			.catch((error) => log.warn({ error, keyId }, 'the last use of a key could not be noted'));
	}

	return {
		byHeader: (authorization) => look(digestOf(readBearer(authorization) ?? '')),
		forget,
		close: () => listener.close(),
	};
}

type KeyRow = Omit<KeyPrincipal, 'kind'> & { lastUsedAt: Date | null };

/** `Bearer KEY`, the scheme in any case, one or more blanks between. */
function readBearer(authorization: string | undefined): string | undefined {
	return /^bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1];
}
