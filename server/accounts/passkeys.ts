/**
 * Passkeys (WebAuthn). Each one can be used without a name or a password, and asks the person for a PIN, a fingerprint or their
 * face, so one signature is proof of two factors. Everything that it signs contains a challenge of ours, which is bound to a
 * purpose and a browser and works once.
 */
import { hash } from 'node:crypto';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/secrets.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { makeToken } from './keys.ts';
import { canSignIn } from './people.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { endSessions } from './sessions.ts';

/** What `navigator.credentials.get` returned, as JSON. */
export type Assertion = {
	id: string;
	rawId: string;
	type: 'public-key';
	response: {
		clientDataJSON: string;
		authenticatorData: string;
		signature: string;
		userHandle?: string | undefined;
	};
};

/** What `navigator.credentials.create` returned, as JSON. */
export type Attestation = {
	id: string;
	rawId: string;
	type: 'public-key';
	response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined };
};

/** A signature, and the cookie of the browser that sent it. */
export type SentAssertion = { assertion: Assertion; browser: string | undefined };

export type Passkey = {
	id: number;
	name: string;
	rpId: string;
	isBackedUp: boolean;
	createdAt: Date;
	lastUsedAt: Date | null;
};

/** `personId` is null before sign-in. */
type Purpose =
	| { kind: 'signIn'; personId: null }
	| { kind: 'proof'; personId: number }
	| { kind: 'register'; personId: number };

/** Options for the browser, and the token that its cookie has to have when it answers. */
export type Started = { options: object; browser: string };

export type Passkeys = {
	relyingParty(): RelyingParty;
	/** For any passkey of any person, in a browser that nobody is signed in to. */
	startSignIn(browser: string | undefined): Promise<Started>;
	/** For one of the passkeys of a signed-in person. */
	startProof(browser: string | undefined, personId: number): Promise<Started>;
	/** For a new passkey. The caller has checked a proof. */
	startRegistration(
		browser: string | undefined,
		person: { id: number; email: string; name: string },
	): Promise<Started>;
	/** The passkey that a browser created, for `addPasskey`. */
	verifyNew(
		personId: number,
		sent: { attestation: Attestation; browser: string | undefined },
	): Promise<NewPasskey>;
	/** The person whose passkey signed a challenge for signing in, or undefined. */
	verifySignIn(sent: SentAssertion): Promise<number | undefined>;
	/** Whether a passkey of this person signed a challenge that was made for proving their identity. */
	verifyProof(personId: number, sent: SentAssertion): Promise<boolean>;
};

export type NewPasskey = {
	personId: number;
	rpId: string;
	credentialId: Buffer;
	userHandle: Buffer;
	publicKey: Buffer;
	counter: number;
	transports: string[];
	isBackedUp: boolean;
};

const maxPasskeys = 20;
const challengeMs = 5 * 60_000;
/** EdDSA, ES256 and RS256: every runtime can verify these. */
const algorithms = [-8, -7, -257];
const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

const columns = sql`id, name, rp_id AS "rpId", is_backed_up AS "isBackedUp", created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

const refused = () => invalid({ passkey: ['This passkey was not accepted. Try again.'] });

export function createPasskeys({
	postgres,
	now,
	key,
	publicAddress,
	onCopied,
}: {
	postgres: Postgres;
	now: Clock;
	/** Derives user handles. */
	key: Buffer;
	publicAddress: { current(): string };
	/** A passkey signed with an older counter than before, so there may be two copies of its key. */
	onCopied(personId: number): Promise<void>;
}): Passkeys {
	const relyingParty = () => relyingPartyOf(publicAddress.current());

	function requireRelyingParty(): { id: string; origin: string } {
		const party = relyingParty();
		if (party.unavailable) throw new AppError('unavailable', unavailableTexts[party.unavailable]);
		return party;
	}

	/** A browser keeps its token, so that its tabs do not disturb each other. */
	async function makeChallenge(browser: string = makeToken(), purpose: Purpose) {
		const challenge = makeToken();
		const moment = now();
		await postgres.run(sql`DELETE FROM passkey_challenges WHERE expires_at <= ${value(moment)}`);
		await postgres.run(sql`
			INSERT INTO passkey_challenges (digest, purpose, browser, person_id, expires_at)
			VALUES (${value(digest(challenge))}, ${value(purpose.kind)}, ${value(digest(browser))}, ${value(purpose.personId)},
				${value(new Date(moment.getTime() + challengeMs))})`);
		return { challenge: Buffer.from(challenge, 'base64url'), browser };
	}

	/** Uses the challenge of a response, whatever comes of it. Returns it, or undefined if it is not ours. */
	async function takeChallenge(
		clientDataJSON: string,
		browser: string | undefined,
		purpose: Purpose,
	): Promise<string | undefined> {
		const { decodeClientDataJSON } = await helpers();
		const clientData = await orUndefined(() => decodeClientDataJSON(clientDataJSON));
		const challenge: unknown = clientData?.challenge;
		// The library accepts a frame in another website's page if the browser does not name that page.
		if (typeof challenge !== 'string' || browser === undefined || clientData?.crossOrigin) return undefined;
		const taken = await postgres.run(sql`
			DELETE FROM passkey_challenges WHERE digest = ${value(digest(challenge))} AND purpose = ${value(purpose.kind)}
				AND browser = ${value(digest(browser))} AND person_id IS NOT DISTINCT FROM ${value(purpose.personId)}
				AND expires_at > ${value(now())}`);
		return taken > 0 ? challenge : undefined;
	}

	/** The person whose passkey made the signature, or undefined. The reason is nobody's business but theirs. */
	async function verify(
		{ assertion, browser }: SentAssertion,
		purpose: Purpose,
	): Promise<number | undefined> {
		const party = relyingParty();
		if (party.unavailable) return undefined;
		const challenge = await takeChallenge(assertion.response.clientDataJSON, browser, purpose);
		if (challenge === undefined) return undefined;
		const [passkey] = await postgres.rows<{
			id: number;
			personId: number;
			publicKey: Buffer;
			userHandle: Buffer;
		}>(sql`
			SELECT p.id, p.person_id AS "personId", p.public_key AS "publicKey", p.user_handle AS "userHandle"
			FROM passkeys p
			WHERE p.credential_id = ${value(Buffer.from(assertion.id, 'base64url'))} AND ${canSignIn(sql`p.person_id`)}`);
		if (!passkey || (purpose.personId !== null && passkey.personId !== purpose.personId)) return undefined;
		const { userHandle } = assertion.response;
		if (userHandle !== undefined && userHandle !== passkey.userHandle.toString('base64url')) return undefined;
		const { verifyAuthenticationResponse } = await library();
		const result = await orUndefined(() =>
			verifyAuthenticationResponse({
				response: { ...assertion, response: without(assertion.response), clientExtensionResults: {} },
				expectedChallenge: challenge,
				expectedOrigin: party.origin,
				expectedRPID: party.id,
				requireUserVerification: true,
				// The library compares counters before it checks the signature. A forged signature must not warn anybody, so we
				// compare them afterwards.
				credential: { id: assertion.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
			}),
		);
		if (!result?.verified) return undefined;
		return (await noteUse(passkey.id, result.authenticationInfo)) ? passkey.personId : undefined;
	}

	/** One statement compares and stores the counter, so that of two equal signatures only one counts. */
	async function noteUse(
		id: number,
		{ newCounter, credentialBackedUp }: { newCounter: number; credentialBackedUp: boolean },
	): Promise<boolean> {
		const used = await postgres.run(sql`
			UPDATE passkeys SET counter = ${value(newCounter)}, is_backed_up = ${value(credentialBackedUp)}, last_used_at = ${value(now())}
			WHERE id = ${value(id)} AND (counter < ${value(newCounter)} OR counter = 0 AND ${value(newCounter)}::bigint = 0)`);
		if (used > 0) return true;
		// No row: it was removed in the meantime.
		const [copied] = await postgres.rows<{ personId: number }>(
			sql`SELECT person_id AS "personId" FROM passkeys WHERE id = ${value(id)}`,
		);
		if (copied) await onCopied(copied.personId);
		return false;
	}

	const descriptorsOf = (personId: number, rpId: string) =>
		postgres
			.rows<{ id: Buffer; transports: string[] }>(sql`
				SELECT credential_id AS id, transports FROM passkeys
				WHERE person_id = ${value(personId)} AND rp_id = ${value(rpId)} ORDER BY id`)
			.then((rows) => rows.map(({ id, transports }) => ({ id: id.toString('base64url'), transports })));

	async function startRequest(
		browser: string | undefined,
		purpose: Purpose,
		allowCredentials: { id: string; transports: string[] }[],
	): Promise<Started> {
		const { id: rpID } = requireRelyingParty();
		const { generateAuthenticationOptions } = await library();
		const started = await makeChallenge(browser, purpose);
		const options = await generateAuthenticationOptions({
			rpID,
			challenge: started.challenge,
			userVerification: 'required',
			timeout: challengeMs,
			allowCredentials,
		});
		return { options, browser: started.browser };
	}

	return {
		relyingParty,
		startSignIn: (browser) => startRequest(browser, { kind: 'signIn', personId: null }, []),
		async startProof(browser, personId) {
			const { id } = requireRelyingParty();
			return startRequest(browser, { kind: 'proof', personId }, await descriptorsOf(personId, id));
		},
		async startRegistration(browser, person) {
			const { id: rpID } = requireRelyingParty();
			const { generateRegistrationOptions } = await library();
			const started = await makeChallenge(browser, { kind: 'register', personId: person.id });
			const options = await generateRegistrationOptions({
				rpName: 'Tidemark',
				rpID,
				userID: new Uint8Array(userHandleOf(key, person.id)),
				userName: person.email,
				userDisplayName: person.name,
				challenge: started.challenge,
				timeout: challengeMs,
				attestationType: 'none',
				excludeCredentials: await descriptorsOf(person.id, rpID),
				authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
				supportedAlgorithmIDs: algorithms,
			});
			return { options, browser: started.browser };
		},
		async verifyNew(personId, { attestation, browser }) {
			const { id: rpId, origin } = requireRelyingParty();
			const { clientDataJSON, attestationObject, transports = [] } = attestation.response;
			const challenge = await takeChallenge(clientDataJSON, browser, { kind: 'register', personId });
			if (challenge === undefined || (await hasCertificate(attestationObject))) throw refused();
			const { verifyRegistrationResponse } = await library();
			const result = await orUndefined(() =>
				verifyRegistrationResponse({
					response: {
						...attestation,
						response: { clientDataJSON, attestationObject },
						clientExtensionResults: {},
					},
					expectedChallenge: challenge,
					expectedOrigin: origin,
					expectedRPID: rpId,
					requireUserVerification: true,
					supportedAlgorithmIDs: algorithms,
				}),
			);
			if (!result?.verified) throw refused();
			const { credential, credentialBackedUp } = result.registrationInfo;
			return {
				personId,
				rpId,
				credentialId: Buffer.from(credential.id, 'base64url'),
				userHandle: userHandleOf(key, personId),
				publicKey: Buffer.from(credential.publicKey),
				counter: credential.counter,
				transports: transports.filter((transport) => knownTransports.includes(transport)),
				isBackedUp: credentialBackedUp,
			};
		},
		verifySignIn: (sent) => verify(sent, { kind: 'signIn', personId: null }),
		verifyProof: async (personId, sent) => (await verify(sent, { kind: 'proof', personId })) !== undefined,
	};
}

const unavailableTexts = {
	ip_address: 'Passkeys need a host name, but the public URL of this server has an IP address.',
	insecure: 'Passkeys need HTTPS, but the public URL of this server starts with http://.',
};

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Stays the same for a person, so that an authenticator replaces their passkey instead of listing two. */
const userHandleOf = (key: Buffer, personId: number): Buffer => keyedHash(key, `person ${personId}`);

/** The library throws for everything that is wrong with what a browser sent, and all of it is refused alike. */
async function orUndefined<Result>(check: () => Result | Promise<Result>): Promise<Result | undefined> {
	try {
		return await check();
	} catch {
		return undefined;
	}
}

/** With `exactOptionalPropertyTypes`, a field that is not there may not be undefined. */
const without = ({ userHandle, ...rest }: Assertion['response']) => ({
	...rest,
	...(userHandle !== undefined && { userHandle }),
});

/**
 * We ask for no attestation. The library would verify one that is sent all the same, and download the revocation lists that its
 * certificates name. Tidemark contacts no host that the operator did not configure.
 */
async function hasCertificate(attestationObject: string): Promise<boolean> {
	const { decodeAttestationObject } = await helpers();
	const decoded = await orUndefined(() =>
		decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))),
	);
	const format = await orUndefined(() => decoded?.get('fmt'));
	if (format === 'none') return false;
	// Some authenticators sign with the new key itself, without a certificate.
	return format !== 'packed' || decoded?.get('attStmt').get('x5c') !== undefined;
}

export async function addPasskey(
	tx: Queries,
	now: Clock,
	passkey: NewPasskey & { name: string },
): Promise<Passkey> {
	const id = value(passkey.personId);
	await lockPerson(tx, passkey.personId);
	const [row] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM passkeys WHERE person_id = ${id}`,
	);
	if ((row?.count ?? 0) >= maxPasskeys)
		throw new AppError('limit_reached', `You can have up to ${maxPasskeys} passkeys. Remove one first.`);
	const [added] = await tx.rows<Passkey>(sql`
		INSERT INTO passkeys (person_id, credential_id, rp_id, user_handle, public_key, counter, transports, is_backed_up, name, created_at)
		VALUES (${id}, ${value(passkey.credentialId)}, ${value(passkey.rpId)}, ${value(passkey.userHandle)}, ${value(passkey.publicKey)},
			${value(passkey.counter)}, ${value(passkey.transports)}, ${value(passkey.isBackedUp)}, ${value(passkey.name)}, ${value(now())})
		ON CONFLICT (credential_id) DO NOTHING
		RETURNING ${columns}`);
	if (!added) throw refused();
	return added;
}

/** Counting and changing must not interleave with another request of the same person. */
const lockPerson = (tx: Queries, personId: number) =>
	tx.rows(sql`SELECT 1 FROM people WHERE id = ${value(personId)} FOR UPDATE`);

export const listPasskeys = (postgres: Queries, personId: number): Promise<Passkey[]> =>
	postgres.rows<Passkey>(sql`SELECT ${columns} FROM passkeys WHERE ${isOf(personId)} ORDER BY id`);

const isOf = (personId: number, id?: number): Sql =>
	sql`person_id = ${value(personId)} ${id === undefined ? sql`` : sql`AND id = ${value(id)}`}`;

/** Returns undefined if the person has no such passkey. */
export async function renamePasskey(
	postgres: Queries,
	{ personId, id, name }: { personId: number; id: number; name: string },
): Promise<Passkey | undefined> {
	const [passkey] = await postgres.rows<Passkey>(
		sql`UPDATE passkeys SET name = ${value(name)} WHERE ${isOf(personId, id)} RETURNING ${columns}`,
	);
	return passkey;
}

/**
 * Removes a passkey and ends all sessions of the person, because one of them may have been opened with it. Returns false if the
 * person has no such passkey. The last way to sign in cannot be removed, nor can the only second factor.
 */
export async function removePasskey(
	tx: Queries,
	{ personId, id, rpId }: { personId: number; id: number; rpId: string | undefined },
): Promise<boolean> {
	await lockPerson(tx, personId);
	const [removed] = await tx.rows<{ rpId: string }>(sql`
		DELETE FROM passkeys WHERE ${isOf(personId, id)} RETURNING rp_id AS "rpId"`);
	if (!removed) return false;
	// A passkey of another host name signs in nowhere.
	if (removed.rpId !== rpId) return true;
	const [left] = await tx.rows<{ canSignIn: boolean; needsPasskey: boolean }>(sql`
		SELECT password_hash IS NOT NULL OR EXISTS (
			SELECT 1 FROM oidc_identities WHERE person_id = people.id) AS "canSignIn", passkey_second_factor AND totp_secret IS NULL AS "needsPasskey"
		FROM people WHERE id = ${value(personId)} AND NOT EXISTS (
			SELECT 1 FROM passkeys WHERE person_id = people.id AND rp_id = ${value(rpId)})`);
	if (left && !left.canSignIn)
		throw new AppError('bad_request', 'This passkey is your only way to sign in. Set a password first.');
	if (left?.needsPasskey)
		throw new AppError(
			'bad_request',
			'This passkey is your only second factor. Turn two-factor authentication off first, or set up an authenticator app.',
		);
	await endSessions(tx, personId);
	return true;
}
