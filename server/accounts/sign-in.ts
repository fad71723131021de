import { randomUUID } from 'node:crypto';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { widerNetworkOf } from '../lib/networks.ts';
import { hashPassword, withPasswordSlot } from '../lib/passwords.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Attempts, Bucket } from './attempts.ts';
import { recordAudit } from './audit-log.ts';
import { confirmAddress, revokeEarlierAccess } from './confirmation.ts';
import { revokeKeysOf } from './keys.ts';
import { takeLink } from './links.ts';
import { endSessions } from './sessions.ts';
import type { TwoFactor } from './two-factor.ts';

export type SignInServices = { postgres: Postgres; now: Clock; attempts: Attempts; twoFactor: TwoFactor };

type Credentials = { id: number; passwordHash: string | null; totpSecret: Buffer | null };

const columns = sql`id, password_hash AS "passwordHash", totp_secret AS "totpSecret"`;

/** Who can take a new /64 of IPv6 for each attempt is still held up by the /48 that they are all in. */
const byNetworks = (network: string): Bucket[] => {
	const bucketOf = (name: string, free: number) => ({
		name: `sign-in from ${name}`,
		free,
		maxDelaySeconds: 900,
	});
	const wider = widerNetworkOf(network);
	return [bucketOf(network, 20), ...(wider === undefined ? [] : [bucketOf(wider, 200)])];
};
const byAccount = (email: string, device: string | undefined): Bucket => ({
	name: `sign-in to ${email.toLowerCase()} on ${device ?? 'any device'}`,
	free: 5,
	maxDelaySeconds: 900,
});

const signInFailed = () => new AppError('sign_in_failed', 'The email address or the password is wrong.');

/** Compared for unknown accounts, so that they take as long as known ones. */
let dummyHash: Promise<string> | undefined;

/** Returns the account if the address, the password and, if enabled, the second factor are correct. */
export async function signIn(
	{ postgres, attempts, twoFactor }: SignInServices,
	credentials: {
		email: string;
		password: string;
		code: string | undefined;
		network: string;
		/** The name of a known device. */
		device: string | undefined;
	},
): Promise<number> {
	const [networks, ofAccount] = [
		byNetworks(credentials.network),
		byAccount(credentials.email, credentials.device),
	];
	const buckets = [...networks, ofAccount];
	await attempts.check(buckets);
	const [account] = await postgres.rows<Credentials>(sql`
		SELECT ${columns} FROM accounts WHERE lower(email) = lower(${value(credentials.email)}) AND disabled_at IS NULL`);
	dummyHash ??= hashPassword(randomUUID());
	const hashed = account?.passwordHash ?? (await dummyHash);
	const isRight = await tryPassword(attempts, buckets, credentials.password, hashed);
	if (!account?.passwordHash || !isRight) throw signInFailed();
	if (account.totpSecret) {
		if (credentials.code === undefined)
			throw new AppError('code_needed', 'Enter a code from your authenticator app, or a recovery code.');
		if (!(await twoFactor.take(account.id, account.totpSecret, credentials.code)))
			throw new AppError('code_needed', 'This code is wrong or has already been used.');
	}
	await attempts.forget(ofAccount);
	for (const bucket of networks) await attempts.giveBack(bucket);
	return account.id;
}

/** Waits for a hashing slot, counts the attempt and compares the password. */
const tryPassword = (
	attempts: Attempts,
	buckets: readonly Bucket[],
	password: string,
	hashed: string,
): Promise<boolean> =>
	withPasswordSlot(async (turn) => {
		await attempts.take(buckets);
		return turn.matches(password, hashed);
	});

/** Confirms the identity of a signed-in user. `code` is required with two-factor authentication. */
export type Proof = { password: string; code?: string | undefined };

/** For actions that need more than a session, because a session can be stolen. */
export async function requireProof(
	{ postgres, attempts, twoFactor }: SignInServices,
	accountId: number,
	{ password, code }: Proof,
): Promise<void> {
	const bucket: Bucket = { name: `password of ${accountId}`, free: 5, maxDelaySeconds: 900 };
	await attempts.check([bucket]);
	const [account] = await postgres.rows<Credentials>(
		sql`SELECT ${columns} FROM accounts WHERE id = ${value(accountId)}`,
	);
	if (!account?.passwordHash || !(await tryPassword(attempts, [bucket], password, account.passwordHash)))
		throw invalid({ password: ['This password is not correct.'] });
	if (account.totpSecret) {
		if (code === undefined)
			throw invalid({ code: ['Enter a code from your authenticator app, or a recovery code.'] });
		if (!(await twoFactor.take(accountId, account.totpSecret, code)))
			throw invalid({ code: ['This code is wrong or has already been used.'] });
	}
	await attempts.forget(bucket);
}

/** Sets the password, and ends all sessions and links of the account. */
export async function setPassword(tx: Queries, accountId: number, passwordHash: string): Promise<void> {
	await tx.run(
		sql`UPDATE accounts SET password_hash = ${value(passwordHash)} WHERE id = ${value(accountId)}`,
	);
	await tx.run(sql`DELETE FROM one_time_links WHERE account_id = ${value(accountId)}`);
	await endSessions(tx, accountId);
}

/**
 * Sets the password with a link. The second factor stays, and so do the API keys unless `isEndOfKeys` is set. A mailed link also
 * confirms the address. If the account was unconfirmed, someone else may have used it, so earlier access is revoked.
 */
export async function setPasswordByLink(
	tx: Queries,
	now: Clock,
	{ token, passwordHash, isEndOfKeys }: { token: string; passwordHash: string; isEndOfKeys: boolean },
): Promise<{ accountId: number; hadPassword: boolean }> {
	const { accountId, isMailed } = await takeLink(tx, now, token);
	const [before] = await tx.rows<{ hadPassword: boolean }>(sql`
		SELECT password_hash IS NOT NULL AS "hadPassword" FROM accounts WHERE id = ${value(accountId)}`);
	await setPassword(tx, accountId, passwordHash);
	if (isEndOfKeys)
		for (const _ of await revokeKeysOf(tx, accountId))
			await recordAudit(tx, now, { by: { kind: 'account', accountId }, what: 'revokeKey' });
	if (isMailed && (await confirmAddress(tx, now, accountId))) await revokeEarlierAccess(tx, accountId);
	return { accountId, hadPassword: before?.hadPassword ?? false };
}

export async function hasTwoFactor(postgres: Queries, accountId: number): Promise<boolean> {
	const rows = await postgres.rows(
		sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} AND totp_secret IS NOT NULL`,
	);
	return rows.length > 0;
}
