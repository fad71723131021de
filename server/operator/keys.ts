/**
 * Operator keys belong to the service and not to an account. Only the command line creates them. They reach the routes of the operator
 * and nothing else.
 */
import { digestOf, makeKey } from '../accounts/keys.ts';
import type { OperatorKeyPrincipal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { blockListOf, listHas } from '../lib/networks.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { recordOperatorAction } from './log.ts';

export type OperatorKey = {
	id: number;
	name: string;
	ending: string;
	access: 'full' | 'read';
	expiresAt: Date | null;
	networks: string[] | null;
	createdAt: Date;
	lastUsedAt: Date | null;
};

const columns = sql`id, name, ending, access, expires_at AS "expiresAt", networks, created_at AS "createdAt",
	last_used_at AS "lastUsedAt"`;

const prefix = 'tmop_';
const noteUseEveryMs = 60_000;

export const isOperatorKey = (secret: string): boolean => secret.startsWith(prefix);

export async function createOperatorKey(
	tx: Queries,
	now: Clock,
	key: Pick<OperatorKey, 'name' | 'access' | 'expiresAt' | 'networks'>,
): Promise<{ operatorKey: OperatorKey; secret: string }> {
	if (key.expiresAt && key.expiresAt <= now())
		throw invalid({ expires_at: ['The expiry must be in the future.'] });
	const secret = makeKey(undefined, prefix);
	const [operatorKey] = await tx.rows<OperatorKey>(sql`
		INSERT INTO operator_keys (name, digest, ending, access, expires_at, networks, created_at)
		VALUES (${value(key.name)}, ${value(digestOf(secret))}, ${value(secret.slice(-4))}, ${value(key.access)},
			${value(key.expiresAt)}, ${value(key.networks)}, ${value(now())})
		RETURNING ${columns}`);
	if (!operatorKey) throw new Error('The key was not inserted.');
	await recordOperatorAction(tx, now, { by: { kind: 'commandLine' }, what: 'createOperatorKey' });
	return { operatorKey, secret };
}

export const listOperatorKeys = (queries: Queries): Promise<OperatorKey[]> =>
	queries.rows<OperatorKey>(sql`SELECT ${columns} FROM operator_keys WHERE revoked_at IS NULL ORDER BY id`);

export async function revokeOperatorKey(tx: Queries, now: Clock, id: number): Promise<void> {
	const revoked = await tx.run(
		sql`UPDATE operator_keys SET revoked_at = ${value(now())} WHERE id = ${value(id)} AND revoked_at IS NULL`,
	);
	if (revoked === 0)
		throw new AppError(
			'not_found',
			`There is no operator key ${id}. Run \`tidemark operator key list\` to see all keys.`,
		);
	await recordOperatorAction(tx, now, { by: { kind: 'commandLine' }, what: 'revokeOperatorKey' });
}

/** The principal of a key that is valid now and at this address. Not cached, because few requests have one. */
export async function findOperatorKey(
	queries: Queries,
	now: Clock,
	secret: string,
	address: string,
): Promise<OperatorKeyPrincipal | undefined> {
	const moment = now();
	const [key] = await queries.rows<Pick<OperatorKey, 'id' | 'access' | 'networks' | 'lastUsedAt'>>(sql`
		SELECT id, access, networks, last_used_at AS "lastUsedAt" FROM operator_keys
		WHERE digest = ${value(digestOf(secret))} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${value(moment)})`);
	if (!key || (key.networks && !listHas(blockListOf(key.networks), address))) return undefined;
	if (key.lastUsedAt === null || moment.getTime() - key.lastUsedAt.getTime() > noteUseEveryMs)
		await queries.run(
			sql`UPDATE operator_keys SET last_used_at = ${value(moment)} WHERE id = ${value(key.id)}`,
		);
	return { kind: 'operatorKey', keyId: key.id, access: key.access };
}
