import { randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { decrypt, encrypt } from '../lib/encrypt.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf } from './keys.ts';

/** Two-factor authentication with time-based codes (TOTP, RFC 6238), passkeys, or one of ten recovery codes. */
export type TwoFactor = {
	/** Creates a secret for an authenticator app. It takes effect when `confirm` gets a correct code. */
	begin(person: { id: number; email: string }): Promise<{ secret: string; uri: string }>;
	/** Enables two-factor authentication and returns the recovery codes, which are shown once. */
	confirm(personId: number, code: string): Promise<string[]>;
	/** Enables two-factor authentication for someone who has passkeys, and returns the recovery codes. */
	usePasskeys(personId: number, rpId: string): Promise<string[]>;
	/** Replaces the recovery codes. */
	renewCodes(personId: number): Promise<string[]>;
	/** Uses a code, which works once. Returns false if it is wrong or was used. `encrypted` is null without an authenticator app. */
	take(personId: number, encrypted: Buffer | null, code: string): Promise<boolean>;
	/** Turns it off. Passkeys stay: each of them signs in by itself. */
	remove(personId: number): Promise<void>;
};

const recoveryCodes = 10;
/** How far the clock of a phone may be off. */
const toleranceSeconds = 30;

export function createTwoFactor(postgres: Postgres, now: Clock, key: Buffer): TwoFactor {
	// The context of secrets that were encrypted when people were accounts.
	const contextFor = (personId: number) => `account ${personId}`;

	/** The time step of a code, or undefined if the code is wrong. */
	async function stepOf(personId: number, encrypted: Buffer, code: string): Promise<number | undefined> {
		if (!/^\d{6}$/.test(code)) return undefined;
		const result = await verify({
			secret: decrypt(key, contextFor(personId), encrypted),
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
				UPDATE people SET totp_pending = ${value(encrypt(key, contextFor(id), secret))} WHERE id = ${value(id)}`);
			return { secret, uri: generateURI({ issuer: 'Tidemark', label: email, secret }) };
		},
		async confirm(personId, code) {
			const [person] = await postgres.rows<{ pending: Buffer | null }>(
				sql`SELECT totp_pending AS pending FROM people WHERE id = ${value(personId)}`,
			);
			const step = person?.pending ? await stepOf(personId, person.pending, code) : undefined;
			if (step === undefined)
				throw invalid({
					code: ['This code is wrong. Enter the code that your authenticator app shows now.'],
				});
			return postgres.transaction(async (tx) => {
				await tx.run(sql`
					UPDATE people SET totp_secret = totp_pending, totp_pending = NULL, totp_step = ${value(step)}
					WHERE id = ${value(personId)} AND totp_pending IS NOT NULL`);
				return replaceCodes(tx, personId);
			});
		},
		usePasskeys: (personId, rpId) =>
			postgres.transaction(async (tx) => {
				const enabled = await tx.run(sql`
					UPDATE people SET passkey_second_factor = true WHERE id = ${value(personId)}
						AND EXISTS (SELECT 1 FROM passkeys WHERE person_id = people.id AND rp_id = ${value(rpId)})`);
				if (enabled === 0) throw new AppError('bad_request', 'Add a passkey first.');
				return replaceCodes(tx, personId);
			}),
		renewCodes: (personId) =>
			postgres.transaction(async (tx) => {
				const [person] = await tx.rows(sql`
					SELECT 1 FROM people WHERE id = ${value(personId)} AND (totp_secret IS NOT NULL OR passkey_second_factor) FOR UPDATE`);
				if (!person) throw new AppError('bad_request', 'Turn two-factor authentication on first.');
				return replaceCodes(tx, personId);
			}),
		async take(personId, encrypted, code) {
			const step = encrypted ? await stepOf(personId, encrypted, plain(code)) : undefined;
			const taken =
				step === undefined
					? sql`DELETE FROM recovery_codes
						WHERE account_id = ${value(personId)} AND digest = ${value(digestOf(plain(code)))}`
					: sql`UPDATE people SET totp_step = ${value(step)}
						WHERE id = ${value(personId)} AND totp_step < ${value(step)}`;
			return (await postgres.run(taken)) > 0;
		},
		async remove(personId) {
			await postgres.transaction(async (tx) => {
				await turnOff(tx, personId);
			});
		},
	};
}

async function turnOff(tx: Queries, personId: number): Promise<void> {
	const id = value(personId);
	await tx.run(sql`
		UPDATE people SET totp_secret = NULL, totp_pending = NULL, passkey_second_factor = false WHERE id = ${id}`);
	await tx.run(sql`DELETE FROM recovery_codes WHERE account_id = ${id}`);
	// They sign in again where a policy requires a second factor.
	await tx.run(sql`UPDATE sessions SET second_factor = false WHERE account_id = ${id}`);
}

/** Removes everything besides the password that signs the person in, or that signing in requires. */
export async function removeSecondFactors(tx: Queries, personId: number): Promise<void> {
	await turnOff(tx, personId);
	await tx.run(sql`DELETE FROM passkeys WHERE person_id = ${value(personId)}`);
}

async function replaceCodes(tx: Queries, personId: number): Promise<string[]> {
	const codes = Array.from({ length: recoveryCodes }, makeRecoveryCode);
	await tx.run(sql`DELETE FROM recovery_codes WHERE account_id = ${value(personId)}`);
	const digests = codes.map((made) => digestOf(plain(made)));
	await tx.run(sql`
		INSERT INTO recovery_codes (account_id, digest) SELECT ${value(personId)}, unnest(${value(digests)}::bytea[])`);
	return codes;
}

/** What a person can confirm their identity with, besides the password. */
export type SecondFactors = {
	/** Signing in with the password also requires one of these. */
	isRequired: boolean;
	hasApp: boolean;
	/** Those that work at the current public address. */
	passkeys: number;
	recoveryCodes: number;
};

export async function readSecondFactors(
	postgres: Queries,
	{ personId, rpId }: { personId: number; rpId: string | undefined },
): Promise<SecondFactors> {
	const [factors] = await postgres.rows<SecondFactors>(sql`
		SELECT totp_secret IS NOT NULL OR passkey_second_factor AS "isRequired", totp_secret IS NOT NULL AS "hasApp",
			(SELECT count(*) FROM passkeys WHERE person_id = p.id AND rp_id = ${value(rpId ?? '')}) AS passkeys,
			(SELECT count(*) FROM recovery_codes WHERE account_id = p.id) AS "recoveryCodes"
		FROM people p WHERE id = ${value(personId)}`);
	return factors ?? { isRequired: false, hasApp: false, passkeys: 0, recoveryCodes: 0 };
}

/** The number of people whose second factor is lost if the encryption key is lost. */
export async function countSecondFactors(postgres: Queries): Promise<number> {
	const [row] = await postgres.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM people WHERE totp_secret IS NOT NULL`,
	);
	return row?.count ?? 0;
}

/** 80 random bits as hexadecimal digits in groups. */
const makeRecoveryCode = () =>
	randomBytes(10)
		.toString('hex')
		.replace(/.{5}(?!$)/g, '$&-');

const plain = (code: string) => code.replace(/[\s-]/g, '').toLowerCase();
