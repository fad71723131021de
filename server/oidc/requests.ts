/**
 * What the service keeps of a sign-in between its steps, for minutes. The browser has a random cookie, of which PostgreSQL has the
 * digest. Each row is used once.
 */
import { digestOf, makeToken } from '../accounts/keys.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Handshake } from './client.ts';
import type { Identity } from './identities.ts';

const lifetimeMs = 10 * 60_000;

/** A browser that was sent to a provider. `sessionId` is set to link an identity to the person of that session. */
export type SentRequest = Handshake & {
	providerId: number;
	returnTo: string | null;
	sessionId: number | null;
};

/** Returns the value of the cookie. */
export async function keepRequest(tx: Queries, now: Clock, request: SentRequest): Promise<string> {
	const token = makeToken();
	await tx.run(sql`DELETE FROM oidc_requests WHERE expires_at <= ${value(now())}`);
	await tx.run(sql`
		INSERT INTO oidc_requests (digest, provider_id, state, nonce, code_verifier, return_to, session_id, expires_at)
		VALUES (${value(digestOf(token))}, ${value(request.providerId)}, ${value(request.state)}, ${value(request.nonce)},
			${value(request.codeVerifier)}, ${value(request.returnTo)}, ${value(request.sessionId)}, ${value(endOf(now))})`);
	return token;
}

/** The request of a browser that comes back. Of two concurrent uses, one succeeds. */
export async function takeRequest(
	queries: Queries,
	now: Clock,
	token: string,
): Promise<SentRequest | undefined> {
	const [request] = await queries.rows<SentRequest>(sql`
		DELETE FROM oidc_requests WHERE digest = ${value(digestOf(token))} AND expires_at > ${value(now())}
		RETURNING provider_id AS "providerId", state, nonce, code_verifier AS "codeVerifier", return_to AS "returnTo",
			session_id AS "sessionId"`);
	return request;
}

/** Someone whom a provider has confirmed, and who must still prove to be the person. */
export type OpenProof = Identity & {
	providerId: number;
	personId: number;
	groups: string[];
	/** The verified address that found the person; null for an identity that is linked already. */
	address: string | null;
	returnTo: string | null;
};

/** Returns the value of the cookie. */
export async function keepProof(tx: Queries, now: Clock, proof: OpenProof): Promise<string> {
	const token = makeToken();
	await tx.run(sql`DELETE FROM oidc_proofs WHERE expires_at <= ${value(now())}`);
	await tx.run(sql`
		INSERT INTO oidc_proofs (digest, provider_id, person_id, issuer, subject, groups, address, return_to, expires_at)
		VALUES (${value(digestOf(token))}, ${value(proof.providerId)}, ${value(proof.personId)}, ${value(proof.issuer)},
			${value(proof.subject)}, ${value(proof.groups)}::text[], ${value(proof.address)}, ${value(proof.returnTo)}, ${value(endOf(now))})`);
	return token;
}

export type ShownProof = OpenProof & { label: string; email: string };

/** It stays until the person has proven who they are, because a password may be mistyped. */
export async function findProof(
	queries: Queries,
	now: Clock,
	token: string,
): Promise<ShownProof | undefined> {
	const [proof] = await queries.rows<ShownProof>(sql`
		SELECT f.provider_id AS "providerId", f.person_id AS "personId", f.issuer, f.subject, f.groups, f.address,
			f.return_to AS "returnTo", p.label, o.email
		FROM oidc_proofs f JOIN oidc_providers p ON p.id = f.provider_id JOIN people o ON o.id = f.person_id
		WHERE f.digest = ${value(digestOf(token))} AND f.expires_at > ${value(now())}`);
	return proof;
}

/** Returns false if it was used meanwhile. */
export const endProof = async (tx: Queries, token: string): Promise<boolean> =>
	(await tx.run(sql`DELETE FROM oidc_proofs WHERE digest = ${value(digestOf(token))}`)) > 0;

const endOf = (now: Clock) => new Date(now().getTime() + lifetimeMs);
