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
import type { Passkeys, SentAssertion } from './passkeys.ts';
import { canSignIn } from './people.ts';
import { endSessions } from './sessions.ts';
import { readSecondFactors, type TwoFactor } from './two-factor.ts';

export type SignInServices = {
	postgres: Postgres;
	now: Clock;
	attempts: Attempts;
	twoFactor: TwoFactor;
	passkeys: Passkeys;
};

type Credentials = { id: number; passwordHash: string | null; totpSecret: Buffer | null };

const columns = sql`id, password_hash AS "passwordHash", totp_secret AS "totpSecret"`;

/** What is sent in addition to the password: a code of an authenticator app or a recovery code, or a passkey. */
export type SecondFactor = { code: string } | { passkey: SentAssertion };

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
const byPerson = (email: string, device: string | undefined): Bucket => ({
	name: `sign-in to ${email.toLowerCase()} on ${device ?? 'any device'}`,
	free: 5,
	maxDelaySeconds: 900,
});

const passkeyFailed = () =>
	new AppError('sign_in_failed', 'This passkey was not accepted. Try again, or use your password.');

const signInFailed = () => new AppError('sign_in_failed', 'The email address or the password is wrong.');

/** Compared for unknown accounts, so that they take as long as known ones. */
let dummyHash: Promise<string> | undefined;

/** Returns the person if the address, the password and, if enabled, the second factor are correct, and whether there was one. */
export async function signIn(
	services: SignInServices,
	credentials: {
		email: string;
		password: string;
		second: SecondFactor | undefined;
		network: string;
		/** The name of a known device. */
		device: string | undefined;
	},
): Promise<{ personId: number; hasSecondFactor: boolean }> {
	const { postgres, attempts } = services;
	const [networks, ofPerson] = [
		byNetworks(credentials.network),
		byPerson(credentials.email, credentials.device),
	];
	const buckets = [...networks, ofPerson];
	await attempts.check(buckets);
	const [person] = await postgres.rows<Credentials>(sql`
		SELECT ${columns} FROM people WHERE lower(email) = lower(${value(credentials.email)}) AND ${canSignIn(sql`people.id`)}`);
	dummyHash ??= hashPassword(randomUUID());
	const hashed = person?.passwordHash ?? (await dummyHash);
	const isRight = await tryPassword(attempts, buckets, credentials.password, hashed);
	if (!person?.passwordHash || !isRight) throw signInFailed();
	const hasSecondFactor = await requireSecondFactor(services, person, credentials.second);
	await attempts.forget(ofPerson);
	for (const bucket of networks) await attempts.giveBack(bucket);
	return { personId: person.id, hasSecondFactor };
}

/** Throws unless a required second factor was sent, and returns whether it was required. `methods` of the error names those that the person has. */
async function requireSecondFactor(
	{ postgres, twoFactor, passkeys }: SignInServices,
	{ id: personId, totpSecret }: Credentials,
	second: SecondFactor | undefined,
): Promise<boolean> {
	const factors = await readSecondFactors(postgres, { personId, rpId: passkeys.relyingParty().id });
	if (!factors.isRequired) return false;
	const refuse = (message: string) =>
		new AppError('code_needed', message, {
			members: {
				methods: [
					...(factors.hasApp ? ['app'] : []),
					...(factors.passkeys > 0 ? ['passkey'] : []),
					'recovery_code',
				],
			},
		});
	if (second === undefined) throw refuse(factors.hasApp ? enterCode : usePasskey);
	if ('code' in second) {
		if (!(await twoFactor.take(personId, totpSecret, second.code)))
			throw refuse('This code is wrong or has already been used.');
	} else if ((await passkeys.verifySignIn(second.passkey)) !== personId)
		throw refuse('This passkey was not accepted. Try again.');
	return true;
}

const enterCode = 'Enter a code from your authenticator app, or a recovery code.';
const usePasskey = 'Use your passkey, or enter a recovery code.';

/** Returns the person whose passkey it is. A passkey is two factors: the device, and the PIN or fingerprint that it asks for. */
export async function signInWithPasskey(
	{ attempts, passkeys }: SignInServices,
	{ sent, network }: { sent: SentAssertion; network: string },
): Promise<number> {
	const networks = byNetworks(network);
	await attempts.take(networks);
	const personId = await passkeys.verifySignIn(sent);
	if (personId === undefined) throw passkeyFailed();
	for (const bucket of networks) await attempts.giveBack(bucket);
	return personId;
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

/**
 * Confirms the identity of a signed-in person: the password, with a code if two-factor authentication is on, or a passkey, which
 * stands for both.
 */
export type Proof = { password: string; code: string | undefined } | { passkey: SentAssertion };

/** For actions that need more than a session, because a session can be stolen. */
export async function requireProof(services: SignInServices, personId: number, proof: Proof): Promise<void> {
	const { attempts, passkeys } = services;
	const bucket: Bucket = { name: `password of ${personId}`, free: 5, maxDelaySeconds: 900 };
	await attempts.check([bucket]);
	if ('password' in proof) await requirePassword(services, personId, { ...proof, bucket });
	else {
		await attempts.take([bucket]);
		if (!(await passkeys.verifyProof(personId, proof.passkey)))
			throw invalid({ passkey: ['This passkey was not accepted. Try again, or use your password.'] });
	}
	await attempts.forget(bucket);
}

async function requirePassword(
	{ postgres, attempts, twoFactor }: SignInServices,
	personId: number,
	{ password, code, bucket }: { password: string; code: string | undefined; bucket: Bucket },
): Promise<void> {
	const [person] = await postgres.rows<Credentials>(
		sql`SELECT ${columns} FROM people WHERE id = ${value(personId)}`,
	);
	if (!person?.passwordHash || !(await tryPassword(attempts, [bucket], password, person.passwordHash)))
		throw invalid({ password: ['This password is not correct.'] });
	const { isRequired, hasApp } = await readSecondFactors(postgres, { personId: personId, rpId: undefined });
	if (!isRequired) return;
	if (code === undefined)
		throw invalid({ code: [hasApp ? enterCode : 'Enter a recovery code, or use your passkey.'] });
	if (!(await twoFactor.take(personId, person.totpSecret, code)))
		throw invalid({ code: ['This code is wrong or has already been used.'] });
}

/** For people who signed in with a provider: their second factor, if they have one. */
export async function requireCode(
	{ postgres, attempts, twoFactor }: SignInServices,
	personId: number,
	code: string | undefined,
): Promise<void> {
	const bucket: Bucket = { name: `second factor of ${personId}`, free: 5, maxDelaySeconds: 900 };
	const [person] = await postgres.rows<Credentials>(
		sql`SELECT ${columns} FROM people WHERE id = ${value(personId)}`,
	);
	const { isRequired } = await readSecondFactors(postgres, { personId, rpId: undefined });
	if (!person || !isRequired) return;
	if (code === undefined) throw invalid({ code: [enterCode] });
	await attempts.take([bucket]);
	if (!(await twoFactor.take(personId, person.totpSecret, code)))
		throw invalid({ code: ['This code is wrong or has already been used.'] });
	await attempts.forget(bucket);
}

/** For people who signed in with a provider: a passkey in place of the code, or of password and code. */
export async function requirePasskey(
	{ attempts, passkeys }: SignInServices,
	personId: number,
	sent: SentAssertion,
): Promise<void> {
	const bucket: Bucket = { name: `second factor of ${personId}`, free: 5, maxDelaySeconds: 900 };
	await attempts.take([bucket]);
	if ((await passkeys.verifySignIn(sent)) !== personId)
		throw invalid({ passkey: ['This passkey was not accepted. Try again.'] });
	await attempts.forget(bucket);
}

/** Sets the password, and ends all sessions and links of the person. */
export async function setPassword(tx: Queries, personId: number, passwordHash: string): Promise<void> {
	await tx.run(sql`UPDATE people SET password_hash = ${value(passwordHash)} WHERE id = ${value(personId)}`);
	await tx.run(sql`DELETE FROM one_time_links WHERE account_id = ${value(personId)}`);
	await endSessions(tx, personId);
}

/**
 * Sets the password with a link. The second factor stays. `isEndOfKeys` revokes the API keys of accounts that the person is the primary owner of. A mailed link also
 * confirms the address. If it was unconfirmed, someone else may have used it, so earlier access is revoked.
 */
export async function setPasswordByLink(
	tx: Queries,
	now: Clock,
	{ token, passwordHash, isEndOfKeys }: { token: string; passwordHash: string; isEndOfKeys: boolean },
): Promise<{ personId: number; hadPassword: boolean }> {
	const { personId, isMailed } = await takeLink(tx, now, token);
	const [before] = await tx.rows<{ hadPassword: boolean }>(sql`
		SELECT password_hash IS NOT NULL AS "hadPassword" FROM people WHERE id = ${value(personId)}`);
	await setPassword(tx, personId, passwordHash);
	if (isEndOfKeys)
		for (const { accountId } of await tx.rows<{ accountId: number }>(sql`
			SELECT account_id AS "accountId" FROM account_owners WHERE person_id = ${value(personId)} AND is_primary`))
			for (const _ of await revokeKeysOf(tx, accountId))
				await recordAudit(tx, now, { by: { kind: 'person', personId, accountId }, what: 'revokeKey' });
	if (isMailed && (await confirmAddress(tx, now, personId))) await revokeEarlierAccess(tx, now, personId);
	return { personId, hadPassword: before?.hadPassword ?? false };
}

export async function hasPassword(postgres: Queries, personId: number): Promise<boolean> {
	const rows = await postgres.rows(
		sql`SELECT 1 FROM people WHERE id = ${value(personId)} AND password_hash IS NOT NULL`,
	);
	return rows.length > 0;
}
