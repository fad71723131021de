/** Signing in with a provider: what happens when the browser comes back, and when the person has proven who they are. */
import type { OidcRefusal } from '../../api/oidc.ts';
import { createConfirmedPerson, hasAccounts } from '../accounts/accounts.ts';
import { confirmAddress } from '../accounts/confirmation.ts';
import { findPersonByEmail, getPerson, isAbleToSignIn } from '../accounts/people.ts';
import type { SignInMethod } from '../accounts/policy-refusals.ts';
import { readSecondFactors } from '../accounts/two-factor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type Claims, explainFault, type OidcClient } from './client.ts';
import { applyGroupRoles, hasMappedGroup } from './group-roles.ts';
import { findPersonByIdentity, linkIdentity, noteUse } from './identities.ts';
import { listProviders, type Provider } from './providers.ts';
import { endProof, keepProof, keepRequest, type OpenProof, takeRequest } from './requests.ts';

export type OidcServices = { postgres: Postgres; now: Clock; log: Log; oidc: OidcClient };

export type Outcome =
	/** `isLinking`: someone who is signed in wanted to link the provider. */
	| { kind: 'refused'; reason: OidcRefusal; isLinking: boolean; returnTo: string | null }
	/** `isNew`: the person was created. */
	| ({ kind: 'signedIn'; personId: number; isNew: boolean; returnTo: string | null } & SignInMethod)
	| { kind: 'linked'; personId: number; label: string }
	/** The person must prove who they are; `token` is the value of the cookie. */
	| { kind: 'proof'; token: string };

/** Returns where to send the browser, and the value of its cookie. */
export async function beginSignIn(
	{ postgres, now, oidc }: OidcServices,
	provider: Provider,
	request: { redirectUri: string; returnTo: string | null; sessionId: number | null },
): Promise<{ url: string; token: string }> {
	const { url, ...handshake } = await oidc.begin(provider, request.redirectUri);
	const { returnTo, sessionId } = request;
	const token = await keepRequest(postgres, now, {
		...handshake,
		providerId: provider.id,
		returnTo,
		sessionId,
	});
	return { url, token };
}

/** The browser comes back from the provider. `session` is the one that it has. */
export async function finishSignIn(
	services: OidcServices,
	returned: {
		providerName: string;
		token: string | undefined;
		redirectUri: string;
		query: string;
		session: { id: number; personId: number } | undefined;
	},
): Promise<Outcome> {
	const { postgres, now, log } = services;
	const request = returned.token === undefined ? undefined : await takeRequest(postgres, now, returned.token);
	const provider = (await listProviders(postgres)).find(({ id }) => id === request?.providerId);
	const refuse = (reason: OidcRefusal): Outcome => ({
		kind: 'refused',
		reason,
		isLinking: request !== undefined && request.sessionId !== null,
		returnTo: request?.returnTo ?? null,
	});
	// The path names the provider, so that the response of one provider is not taken for that of another.
	if (!request || !provider || provider.name !== returned.providerName) return refuse('expired');
	let claims: Claims;
	try {
		claims = await services.oidc.finish(provider, { ...request, ...returned });
	} catch (error) {
		const { reason, detail } = explainFault(error);
		log.warn({ provider: provider.name, reason: detail }, 'sign-in with a provider failed');
		return refuse(reason);
	}
	if (request.sessionId !== null) {
		if (returned.session?.id !== request.sessionId) return refuse('expired');
		return linkToPerson(services, { provider, claims, personId: returned.session.personId, refuse });
	}
	return postgres.transaction((tx) => admit(services, tx, { provider, claims, request, refuse }));
}

async function linkToPerson(
	{ postgres, now }: OidcServices,
	link: { provider: Provider; claims: Claims; personId: number; refuse(reason: OidcRefusal): Outcome },
): Promise<Outcome> {
	const { provider, claims, personId, refuse } = link;
	const refusal = refusalOf(provider, claims);
	if (refusal) return refuse(refusal);
	return postgres.transaction(async (tx) => {
		if (!(await linkIdentity(tx, now, { providerId: provider.id, personId, ...claims })))
			return refuse('taken');
		await applyGroupRoles(tx, now, { providerId: provider.id, personId, groups: claims.groups });
		return { kind: 'linked', personId, label: provider.label };
	});
}

/** Decides who the claims stand for. */
async function admit(
	{ now }: OidcServices,
	tx: Queries,
	{
		provider,
		claims,
		request: { returnTo },
		refuse,
	}: {
		provider: Provider;
		claims: Claims;
		request: { returnTo: string | null };
		refuse(reason: OidcRefusal): Outcome;
	},
): Promise<Outcome> {
	const providerId = provider.id;
	// Someone who has a second factor here proves it first, unless the provider asks for one.
	const method: SignInMethod = { hasSecondFactor: provider.hasSecondFactor, providerId };
	const refusal = refusalOf(provider, claims);
	if (refusal) return refuse(refusal);
	const known = await findPersonByIdentity(tx, providerId, claims);
	const personId =
		known ?? (claims.email === undefined ? undefined : (await findPersonByEmail(tx, claims.email))?.id);
	if (personId !== undefined) {
		if (!(await isAbleToSignIn(tx, personId))) return refuse('disabled');
		// An address alone is not enough: whoever signs in with a new provider must also be the person who is here already.
		const needsProof =
			known === undefined ||
			(!provider.hasSecondFactor && (await readSecondFactors(tx, { personId, rpId: undefined })).isRequired);
		if (needsProof)
			return {
				kind: 'proof',
				token: await keepProof(tx, now, {
					...{ ...claims, providerId, personId, returnTo },
					address: known === undefined ? (claims.email ?? null) : null,
				}),
			};
		await noteUse(tx, now, providerId, claims);
		await applyGroupRoles(tx, now, { providerId, personId, groups: claims.groups });
		return { kind: 'signedIn', personId, isNew: false, returnTo, ...method };
	}
	if (claims.email === undefined) return refuse('unverified');
	// The first account is made with the link that the service prints, and is the operator's.
	const isAllowed =
		(await hasAccounts(tx)) && (await isAdmitted(tx, now, provider, { ...claims, email: claims.email }));
	if (!isAllowed) return refuse('unknown');
	const created = await createConfirmedPerson(tx, now, { ...toNewPerson(claims), email: claims.email });
	await linkIdentity(tx, now, { providerId, personId: created.id, ...claims });
	await applyGroupRoles(tx, now, { providerId, personId: created.id, groups: claims.groups });
	return { kind: 'signedIn', personId: created.id, isNew: true, returnTo, ...method };
}

function refusalOf({ allowedDomains }: Provider, { email }: Claims): OidcRefusal | undefined {
	if (allowedDomains.length === 0) return undefined;
	if (email === undefined) return 'unverified';
	return allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
		? undefined
		: 'domain';
}

/** Whether the provider may bring someone who has no account. */
async function isAdmitted(
	tx: Queries,
	now: Clock,
	{ id: providerId, admits }: Provider,
	{ email, groups }: { email: string; groups: readonly string[] },
): Promise<boolean> {
	if (admits === 'everyone') return true;
	if (admits === 'groups' && (await hasMappedGroup(tx, { providerId, groups }))) return true;
	const invited = await tx.rows(sql`
		SELECT 1 FROM invitations WHERE lower(email) = lower(${value(email)}) AND expires_at > ${value(now())} LIMIT 1`);
	return invited.length > 0;
}

/** Claims that are not valid here are left out, because the person can change them later. */
function toNewPerson({ name, email, locale, timezone }: Claims) {
	return {
		name: name ?? email?.split('@', 1)[0] ?? '',
		locale: locale !== undefined && /^[a-z]{2}(-[A-Z]{2})?$/.test(locale) ? locale : undefined,
		timezone: findTimezone(timezone ?? ''),
	};
}

/**
 * The person has proven who they are: links the identity if it is new, and confirms their address if the provider has verified it.
 * Returns false if the identity cannot be linked, or was unlinked meanwhile.
 */
export async function completeProof(
	tx: Queries,
	now: Clock,
	{ token, ...proof }: OpenProof & { token: string },
): Promise<boolean> {
	const { personId, providerId, groups, address } = proof;
	if (!(await endProof(tx, token))) return false;
	if (address === null) {
		if ((await findPersonByIdentity(tx, providerId, proof)) !== personId) return false;
	} else {
		if (!(await linkIdentity(tx, now, proof))) return false;
		const { email } = await getPerson(tx, personId);
		if (email.toLowerCase() === address.toLowerCase()) await confirmAddress(tx, now, personId);
	}
	await noteUse(tx, now, providerId, proof);
	await applyGroupRoles(tx, now, { providerId, personId, groups });
	return true;
}
