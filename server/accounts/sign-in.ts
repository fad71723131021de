import { randomUUID } from 'node:crypto';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { hashPassword, isPassword } from '../lib/passwords.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Attempts, Bucket } from './attempts.ts';
import { takeLink } from './links.ts';
import { endSessions } from './sessions.ts';
import type { TwoFactor } from './two-factor.ts';

export type SignInServices = { postgres: Postgres; now: Clock; attempts: Attempts; twoFactor: TwoFactor };

type Credentials = { id: number; passwordHash: string | null; totpSecret: Buffer | null };

const columns = sql`id, password_hash AS "passwordHash", totp_secret AS "totpSecret"`;

const byNetwork = (network: string): Bucket => ({
	name: `sign-in from ${network}`,
	free: 20,
	maxDelaySeconds: 900,
});
const byAccount = (email: string, device: string | undefined): Bucket => ({
	name: `sign-in to ${email.toLowerCase()} on ${device ?? 'any device'}`,
	free: 5,
	maxDelaySeconds: 900,
});

const signInFailed = () => new AppError('sign_in_failed', 'The e-mail address or the password is wrong.');

/** What an unknown account is compared with, so that it takes as long as a known one. */
let nobodysHash: Promise<string> | undefined;

/** The account that an address, a password and, where it has one, a second factor are right for. */
export async function signIn(
	{ postgres, attempts, twoFactor }: SignInServices,
	given: {
		email: string;
		password: string;
		code: string | undefined;
		network: string;
		/** One that is known from an earlier time. */
		device: string | undefined;
	},
): Promise<number> {
	const buckets = [byNetwork(given.network), byAccount(given.email, given.device)] as const;
	await attempts.take(buckets);
	const [account] = await postgres.rows<Credentials>(sql`
		SELECT ${columns} FROM accounts WHERE lower(email) = lower(${value(given.email)}) AND disabled_at IS NULL`);
	nobodysHash ??= hashPassword(randomUUID());
	const isRight = await isPassword(given.password, account?.passwordHash ?? (await nobodysHash));
	if (!account?.passwordHash || !isRight) throw signInFailed();
	if (account.totpSecret) {
		if (given.code === undefined)
			throw new AppError('code_needed', 'This account also needs a code of its app, or a recovery code.');
		if (!(await twoFactor.take(account.id, account.totpSecret, given.code)))
			throw new AppError('code_needed', 'This code is wrong or was used.');
	}
	await attempts.forget(buckets[1]);
	await attempts.giveBack(buckets[0]);
	return account.id;
}

/** For what a signed-in browser may not do by itself: somebody may have left it open. */
export async function demandPassword(
	{ postgres, attempts }: SignInServices,
	accountId: number,
	password: string,
): Promise<void> {
	const bucket: Bucket = { name: `password of ${accountId}`, free: 5, maxDelaySeconds: 900 };
	await attempts.take([bucket]);
	const [account] = await postgres.rows<Credentials>(
		sql`SELECT ${columns} FROM accounts WHERE id = ${value(accountId)}`,
	);
	if (!account?.passwordHash || !(await isPassword(password, account.passwordHash)))
		throw invalid({ password: ['This is not your password.'] });
	await attempts.forget(bucket);
}

/** A new password ends every session and every link of the account. */
export async function setPassword(tx: Queries, accountId: number, passwordHash: string): Promise<void> {
	await tx.run(
		sql`UPDATE accounts SET password_hash = ${value(passwordHash)} WHERE id = ${value(accountId)}`,
	);
	await tx.run(sql`DELETE FROM one_time_links WHERE account_id = ${value(accountId)}`);
	await endSessions(tx, accountId);
}

/** Whoever has the link sets the password. A second factor stays as it is. */
export async function setPasswordByLink(
	{ postgres, now }: SignInServices,
	{ token, password }: { token: string; password: string },
): Promise<{ accountId: number }> {
	const passwordHash = await hashPassword(password);
	return postgres.transaction(async (tx) => {
		const link = await takeLink(tx, now, token);
		await setPassword(tx, link.accountId, passwordHash);
		return link;
	});
}

export async function hasTwoFactor(postgres: Queries, accountId: number): Promise<boolean> {
	const rows = await postgres.rows(
		sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} AND totp_secret IS NOT NULL`,
	);
	return rows.length > 0;
}
