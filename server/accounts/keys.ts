/**
 * API keys. A key is `tm_`, 43 characters with 256 random bits, and a checksum of 6 characters, so that secret scanners can
 * recognize it. It is shown once, and only its SHA-256 is stored. A slow hash would add nothing, because 256 random bits
 * cannot be guessed.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/durations.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { KeyLimits } from './key-limits.ts';

export type ApiKey = KeyLimits & {
	id: number;
	accountId: number;
	name: string;
	ending: string;
	createdAt: Date;
	lastUsedAt: Date | null;
};

export type NewKey = KeyLimits & { accountId: number; name: string };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(number: bigint, length: number): string {
	let text = '';
	for (let rest = number; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
	return text;
}

const checksum = (body: string) => base62(BigInt(crc32(body)), 6);

export function makeKey(random: Buffer = randomBytes(32), prefix: 'tm_' | 'tmop_' = 'tm_'): string {
	const body = `${prefix}${base62(BigInt(`0x${random.toString('hex')}`), 43)}`;
	return body + checksum(body);
}

/** Whether a text has the format and the checksum of a key. The key may still not exist. */
export function hasKeyForm(text: string): boolean {
	return /^tm_[0-9A-Za-z]{49}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** 256 random bits for a cookie or a link. Only their digest is stored. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

export const digestOf = (secret: string | Buffer): Buffer => hash('sha256', secret, 'buffer');

/** Notifies every process that a key or an account has changed, so that it clears its API key cache. */
export const keysChannel = 'tidemark_keys';

export const limitColumns = sql`CASE WHEN scopes IS NULL THEN access ELSE 'scoped' END AS access, scopes,
	website_ids AS "websiteIds", expires_at AS "expiresAt", networks`;

const columns = sql`id, account_id AS "accountId", name, ending, ${limitColumns},
	created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/**
 * A key with limits that the previous version does not know is stored under another digest, so that a process of that version does
 * not find it (docs/decisions/0033-key-scopes.md).
 */
const digestsOf = (digest: Sql, isRestricted: Sql) => sql`
	CASE WHEN ${isRestricted} THEN sha256(${digest}) ELSE ${digest} END,
	CASE WHEN ${isRestricted} THEN ${digest} END`;

const isRestricted = ({ scopes, expiresAt, networks }: KeyLimits): boolean =>
	scopes !== null || expiresAt !== null || networks !== null;

const storedAccess = ({ access }: KeyLimits) => (access === 'scoped' ? 'read' : access);

/** The condition that a key has this secret. */
export function hasSecret(secret: string): Sql {
	const digest = digestOf(secret);
	return sql`digest IN (${value(digest)}, ${value(digestOf(digest))}) AND coalesce(restricted_digest, digest) = ${value(digest)}`;
}

const maxLifetimeDays = 5 * 366;

function checkExpiry(now: Date, expiresAt: Date | null) {
	if (expiresAt === null) return;
	if (expiresAt <= now) throw invalid({ expires_at: ['The expires_at field must be in the future.'] });
	if (expiresAt.getTime() > now.getTime() + maxLifetimeDays * dayMs)
		throw invalid({ expires_at: ['The expires_at field must be within five years.'] });
}

/** How many days before the expiry the account's owner is warned. */
export const expiryWarningDays = [7, 1] as const;

/** The warning that is due or was given by now: whoever chooses an expiry or a new secret needs no warning for the same period. */
export const dueWarning = (now: Date, expiresAt: Date | null): number | null =>
	expiresAt === null
		? null
		: (expiryWarningDays.findLast((days) => expiresAt.getTime() - now.getTime() <= days * dayMs) ?? null);

export async function createKey(
	postgres: Queries,
	now: Clock,
	key: NewKey,
): Promise<{ apiKey: ApiKey; secret: string }> {
	checkExpiry(now(), key.expiresAt);
	if (key.websiteIds) await checkOwned(postgres, key.accountId, key.websiteIds);
	const secret = makeKey();
	const digests = digestsOf(
		sql`${value(digestOf(secret))}::bytea`,
		sql`${value(isRestricted(key))}::boolean`,
	);
	const rows = await postgres.rows<ApiKey>(sql`
		INSERT INTO api_keys (account_id, name, digest, restricted_digest, ending, access, scopes, website_ids, expires_at,
			networks, expiry_warned_days, created_at)
		VALUES (${value(key.accountId)}, ${value(key.name)}, ${digests}, ${value(secret.slice(-4))},
			${value(storedAccess(key))}, ${value(key.scopes)}, ${value(key.websiteIds)}, ${value(key.expiresAt)},
			${value(key.networks)}, ${value(dueWarning(now(), key.expiresAt))}, ${value(now())})
		RETURNING ${columns}`);
	return { apiKey: only(rows), secret };
}

/** Replaces the name and the limits of a key, which the caller has locked. */
export async function updateKey(
	tx: Queries,
	now: Clock,
	before: ApiKey,
	after: KeyLimits & { name: string },
): Promise<ApiKey> {
	const isNewExpiry = before.expiresAt?.getTime() !== after.expiresAt?.getTime();
	// An expired key can still be renamed.
	if (isNewExpiry) checkExpiry(now(), after.expiresAt);
	const added = after.websiteIds?.filter((id) => !before.websiteIds?.includes(id)) ?? [];
	if (added.length > 0) await checkOwned(tx, before.accountId, added);
	const rows = await tx.rows<ApiKey>(sql`
		UPDATE api_keys SET name = ${value(after.name)}, access = ${value(storedAccess(after))}, scopes = ${value(after.scopes)},
			website_ids = ${value(after.websiteIds)}, expires_at = ${value(after.expiresAt)}, networks = ${value(after.networks)},
			expiry_warned_days = CASE WHEN ${value(isNewExpiry)}::boolean THEN ${value(dueWarning(now(), after.expiresAt))}::smallint
				ELSE expiry_warned_days END,
			(digest, restricted_digest) = (SELECT ${digestsOf(
				sql`coalesce(restricted_digest, digest)`,
				sql`${value(isRestricted(after))}::boolean`,
			)})
		WHERE id = ${value(before.id)} RETURNING ${columns}`);
	await forgetKeys(tx);
	return only(rows);
}

async function checkOwned(postgres: Queries, accountId: number, websiteIds: readonly number[]) {
	const owned = await postgres.rows<{ id: number }>(sql`
		SELECT id FROM websites WHERE account_id = ${value(accountId)} AND id = ANY(${value(websiteIds)})`);
	const missing = websiteIds.filter((id) => !owned.some((website) => website.id === id));
	if (missing.length > 0)
		throw invalid({ website_ids: [`The account has no website ${missing.join(', ')}.`] });
}

/** Keeps the list of keys readable. The operator can create more. */
export const maxKeys = 100;

/** Runs in the transaction that creates a key. The lock serializes the creates of an account. */
export async function requireKeySlot(tx: Queries, accountId: number): Promise<void> {
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	const [held] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM api_keys WHERE account_id = ${value(accountId)}`,
	);
	if ((held?.count ?? 0) < maxKeys) return;
	const message = `The account has reached its limit of ${maxKeys} API keys.`;
	throw new AppError('limit_reached', message, { errors: { name: [message] } });
}

/** `lock`: for a change in the same transaction. */
export async function findKey(
	postgres: Queries,
	{ accountId, id }: { accountId: number; id: number },
	lock = sql``,
): Promise<ApiKey | undefined> {
	const [key] = await postgres.rows<ApiKey>(sql`
		SELECT ${columns} FROM api_keys WHERE account_id = ${value(accountId)} AND id = ${value(id)} ${lock}`);
	return key;
}

export function listKeys(postgres: Queries, accountId?: number): Promise<ApiKey[]> {
	const where = accountId === undefined ? sql`` : sql`WHERE account_id = ${value(accountId)}`;
	return postgres.rows<ApiKey>(sql`SELECT ${columns} FROM api_keys ${where} ORDER BY id`);
}

export async function revokeKey(tx: Queries, id: number): Promise<void> {
	if ((await tx.run(sql`DELETE FROM api_keys WHERE id = ${value(id)}`)) === 0) throw noKey(id);
	await forgetKeys(tx);
}

/** Revokes all keys of an account in the caller's transaction and returns their ids. */
export async function revokeKeysOf(tx: Queries, accountId: number): Promise<number[]> {
	const rows = await tx.rows<{ id: number }>(
		sql`DELETE FROM api_keys WHERE account_id = ${value(accountId)} RETURNING id`,
	);
	await forgetKeys(tx);
	return rows.map(({ id }) => id);
}

/** Replaces the secret of a key; its name, limits and id stay. The old secret stops working with the commit. */
export async function rotateKey(
	tx: Queries,
	now: Clock,
	{ id, expiresAt }: Pick<ApiKey, 'id' | 'expiresAt'>,
): Promise<{ apiKey: ApiKey; secret: string }> {
	const secret = makeKey();
	const digests = digestsOf(sql`${value(digestOf(secret))}::bytea`, sql`restricted_digest IS NOT NULL`);
	const rows = await tx.rows<ApiKey>(sql`
		UPDATE api_keys SET (digest, restricted_digest) = (SELECT ${digests}), ending = ${value(secret.slice(-4))},
			last_used_at = NULL, expiry_warned_days = ${value(dueWarning(now(), expiresAt))}
		WHERE id = ${value(id)} RETURNING ${columns}`);
	await forgetKeys(tx);
	return { apiKey: only(rows), secret };
}

export async function getKey(tx: Queries, id: number, lock = sql``): Promise<ApiKey> {
	const [key] = await tx.rows<ApiKey>(sql`SELECT ${columns} FROM api_keys WHERE id = ${value(id)} ${lock}`);
	if (!key) throw noKey(id);
	return key;
}

export async function forgetKeys(tx: Queries): Promise<void> {
	await tx.run(sql`SELECT pg_notify(${value(keysChannel)}, '')`);
}

const noKey = (id: number) =>
	new AppError('not_found', `There is no API key ${id}. Run \`tidemark key list\` to see all keys.`);

function only<T>(rows: readonly T[]): T {
	const [row] = rows;
	if (row === undefined) throw new Error('The statement returned no row.');
	return row;
}
