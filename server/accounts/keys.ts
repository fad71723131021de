/**
 * API keys. A key is `tm_`, 43 characters with 256 random bits, and a checksum of 6 characters, so that secret scanners can
 * recognize it. It is shown once, and only its SHA-256 is stored. A slow hash would add nothing, because 256 random bits
 * cannot be guessed.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

export type Access = 'full' | 'read';

export type ApiKey = {
	id: number;
	accountId: number;
	name: string;
	ending: string;
	access: Access;
	/** null: every website of the account. */
	websiteIds: readonly number[] | null;
	createdAt: Date;
	lastUsedAt: Date | null;
};

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(number: bigint, length: number): string {
	let text = '';
	for (let rest = number; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
	return text;
}

const checksum = (body: string) => base62(BigInt(crc32(body)), 6);

export function makeKey(random: Buffer = randomBytes(32)): string {
	const body = `tm_${base62(BigInt(`0x${random.toString('hex')}`), 43)}`;
	return body + checksum(body);
}

/** Whether a text has the format and the checksum of a key. The key may still not exist. */
export function hasKeyForm(text: string): boolean {
	return /^tm_[0-9A-Za-z]{49}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

/** 256 random bits for a cookie or a link. Only their digest is stored. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

export const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Notifies every process that a key or an account has changed, so that it clears its API key cache. */
export const keysChannel = 'tidemark_keys';

const columns = sql`id, account_id AS "accountId", name, ending, access, website_ids AS "websiteIds",
	created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

export async function createKey(
	postgres: Queries,
	now: Clock,
	key: { accountId: number; name: string; access: Access; websiteIds: readonly number[] | null },
): Promise<{ apiKey: ApiKey; secret: string }> {
	if (key.websiteIds) await checkOwned(postgres, key.accountId, key.websiteIds);
	const secret = makeKey();
	const rows = await postgres.rows<ApiKey>(sql`
		INSERT INTO api_keys (account_id, name, digest, ending, access, website_ids, created_at)
		VALUES (${value(key.accountId)}, ${value(key.name)}, ${value(digestOf(secret))}, ${value(secret.slice(-4))},
			${value(key.access)}, ${value(key.websiteIds)}, ${value(now())})
		RETURNING ${columns}`);
	return { apiKey: only(rows), secret };
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

export async function findKey(
	postgres: Queries,
	{ accountId, id }: { accountId: number; id: number },
): Promise<ApiKey | undefined> {
	const [key] = await postgres.rows<ApiKey>(sql`
		SELECT ${columns} FROM api_keys WHERE account_id = ${value(accountId)} AND id = ${value(id)}`);
	return key;
}

export function listKeys(postgres: Queries, accountId?: number): Promise<ApiKey[]> {
	const where = accountId === undefined ? sql`` : sql`WHERE account_id = ${value(accountId)}`;
	return postgres.rows<ApiKey>(sql`SELECT ${columns} FROM api_keys ${where} ORDER BY id`);
}

export async function revokeKey(postgres: Postgres, id: number): Promise<void> {
	await postgres.transaction(async (tx) => {
		if ((await tx.run(sql`DELETE FROM api_keys WHERE id = ${value(id)}`)) === 0) throw noKey(id);
		await forgetKeys(tx);
	});
}

/** Revokes all keys of an account in the caller's transaction and returns their ids. */
export async function revokeKeysOf(tx: Queries, accountId: number): Promise<number[]> {
	const rows = await tx.rows<{ id: number }>(
		sql`DELETE FROM api_keys WHERE account_id = ${value(accountId)} RETURNING id`,
	);
	await forgetKeys(tx);
	return rows.map(({ id }) => id);
}

/** Replaces the secret of a key; its name, permissions and id stay. The old secret stops working before this returns. */
export async function rotateKey(postgres: Postgres, id: number): Promise<{ apiKey: ApiKey; secret: string }> {
	const secret = makeKey();
	return postgres.transaction(async (tx) => {
		const rows = await tx.rows<ApiKey>(sql`
			UPDATE api_keys SET digest = ${value(digestOf(secret))}, ending = ${value(secret.slice(-4))}, last_used_at = NULL
			WHERE id = ${value(id)} RETURNING ${columns}`);
		if (rows.length === 0) throw noKey(id);
		await forgetKeys(tx);
		return { apiKey: only(rows), secret };
	});
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
