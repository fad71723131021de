import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { decrypt, encrypt } from '../lib/encrypt.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf } from './keys.ts';

/** Two-factor authentication with time-based codes (TOTP, RFC 6238) or one of ten recovery codes. */
export type TwoFactor = {
	/** Creates a secret for an authenticator app. It takes effect when `confirm` gets a correct code. */
	begin(account: { id: number; email: string }): Promise<{ secret: string; uri: string }>;
	/** Enables two-factor authentication and returns the recovery codes, which are shown once. */
	confirm(accountId: number, code: string): Promise<string[]>;
	/** Uses a code, which works once. Returns false if it is wrong or was used. */
	take(accountId: number, encrypted: Buffer, code: string): Promise<boolean>;
	remove(accountId: number): Promise<void>;
};

const recoveryCodes = 10;
/** How far the clock of a phone may be off. */
const toleranceSeconds = 30;

export function createTwoFactor(postgres: Postgres, now: Clock, key: Buffer): TwoFactor {
	const contextFor = (accountId: number) => `account ${accountId}`;

	/** The time step of a code, or undefined if the code is wrong. */
	async function stepOf(accountId: number, encrypted: Buffer, code: string): Promise<number | undefined> {
		if (!/^\d{6}$/.test(code)) return undefined;
		const result = await verify({
			secret: decrypt(key, contextFor(accountId), encrypted),
			token: code,
			epoch: Math.floor(now().getTime() / 1000),
			epochTolerance: toleranceSeconds,
		});
		return result.valid && 'timeStep' in result ? result.timeStep : undefined;
	}

	return {
		async begin({ id, email }) {
			const secret = generateSecret();
			await postgres.run(sql`
				UPDATE accounts SET totp_pending = ${value(encrypt(key, contextFor(id), secret))} WHERE id = ${value(id)}`);
			return { secret, uri: generateURI({ issuer: 'Tidemark', label: email, secret }) };
		},
		async confirm(accountId, code) {
			const [account] = await postgres.rows<{ pending: Buffer | null }>(
				sql`SELECT totp_pending AS pending FROM accounts WHERE id = ${value(accountId)}`,
			);
			const step = account?.pending ? await stepOf(accountId, account.pending, code) : undefined;
			if (step === undefined)
				throw invalid({
					code: ['This code is wrong. Enter the code that your authenticator app shows now.'],
				});
			const codes = Array.from({ length: recoveryCodes }, makeRecoveryCode);
			await postgres.transaction(async (tx) => {
				await tx.run(sql`
					UPDATE accounts SET totp_secret = totp_pending, totp_pending = NULL, totp_step = ${value(step)}
					WHERE id = ${value(accountId)} AND totp_pending IS NOT NULL`);
				await tx.run(sql`DELETE FROM recovery_codes WHERE account_id = ${value(accountId)}`);
				const digests = codes.map((made) => digestOf(plain(made)));
				await tx.run(sql`
					INSERT INTO recovery_codes (account_id, digest) SELECT ${value(accountId)}, unnest(${value(digests)}::bytea[])`);
			});
			return codes;
		},
		async take(accountId, encrypted, code) {
			const step = await stepOf(accountId, encrypted, plain(code));
			const taken =
				step === undefined
					? sql`DELETE FROM recovery_codes
						WHERE account_id = ${value(accountId)} AND digest = ${value(digestOf(plain(code)))}`
					: sql`UPDATE accounts SET totp_step = ${value(step)}
						WHERE id = ${value(accountId)} AND totp_step < ${value(step)}`;
			return (await postgres.run(taken)) > 0;
		},
		async remove(accountId) {
			await postgres.transaction(async (tx) => {
				await tx.run(sql`
					UPDATE accounts SET totp_secret = NULL, totp_pending = NULL WHERE id = ${value(accountId)}`);
				await tx.run(sql`DELETE FROM recovery_codes WHERE account_id = ${value(accountId)}`);
			});
		},
	};
}

/** The number of accounts whose second factor is lost if the encryption key is lost. */
export async function countSecondFactors(postgres: Queries): Promise<number> {
	const [row] = await postgres.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM accounts WHERE totp_secret IS NOT NULL`,
	);
	return row?.count ?? 0;
}

/** 80 random bits as hexadecimal digits in groups. */
const makeRecoveryCode = () =>
	randomBytes(10)
		.toString('hex')
		.replace(/.{5}(?!$)/g, '$&-');

const plain = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();
