import type { z } from 'zod';
import type { Finding } from '../../../api/doctor.ts';
import type { SessionRecord, SessionWarning } from '../../../api/session.ts';
import type { KnownDevices } from '../../accounts/known-devices.ts';
import { listOwnedAccounts } from '../../accounts/owners.ts';
import { getPerson } from '../../accounts/people.ts';
import type { SignInMethod } from '../../accounts/policy-refusals.ts';
import type { PersonPrincipal } from '../../accounts/principal.ts';
import { endSession, openSession, type Session } from '../../accounts/sessions.ts';
import type { Proof, SignInServices } from '../../accounts/sign-in.ts';
import type { ShareLinkVault } from '../../items/share-links.ts';
import type { Log } from '../../lib/log.ts';
import type { AccountNotices } from '../../notify/mail/account-notices.ts';
import type { MailQuota } from '../../notify/mail/queue.ts';
import type { MailLinks } from '../../notify/mail/unsubscribe.ts';
import type { OidcClient } from '../../oidc/client.ts';
import type { Queries } from '../../store/postgres.ts';
import type { Scope } from '../../websites/members.ts';
import { type ApiRequest, type ApiResponse, json, type Route } from '../api/route.ts';
import type { Fields } from '../request/read-body.ts';
import { readProof, readProven } from '../request/read-proof.ts';
import { validate } from '../request/validate.ts';

export type SessionServices = SignInServices & {
	/** The URL that links begin with, and whether the operator or the first account has set it. */
	publicAddress: { current(): string; isSet(): boolean; learn(url: string): void };
	tracking: SessionRecord['tracking'];
	warnings(): SessionWarning[];
	knownDevices: KnownDevices;
	hasMail: boolean;
	links: MailLinks;
	/** How many mails may be sent per day. */
	quota: MailQuota;
	/** Security notices to people. */
	notices: AccountNotices;
	/** Clears the API key cache of this process at once, without waiting for the notification from PostgreSQL. */
	forgetKeys(): void;
	/** Conversations with identity providers. */
	oidc: OidcClient;
	log: Log;
	shareLinks: ShareLinkVault;
	/** Runs the health checks. */
	examine(): Promise<Finding[]>;
};

/** A request to a route that works without a session. */
export type PublicRequest = Pick<ApiRequest, 'params' | 'query' | 'mountedAt'> & {
	/** The JSON body, not yet validated. */
	body: Readonly<Fields>;
	session: Session | undefined;
	/** The network it came from, for rate limits. */
	network: string;
	/** The full IP address, which is only shown to the person who sent the request and never stored. */
	address: string;
	browser: string;
	os: string;
	/** The cookie that identifies a known browser. */
	device: string | undefined;
	/** The cookie of a browser that was sent a challenge for a passkey. */
	passkeyBrowser: string | undefined;
	/** The cookie that binds a sign-in with a provider to this browser. */
	oidc: string | undefined;
};

export type SessionRequest = PublicRequest & {
	session: Session;
	principal: PersonPrincipal;
};

export type SessionResponse = ApiResponse & {
	/** The token of the new session; null signs the browser out. */
	token?: string | null;
	/** Makes the browser a known one. */
	device?: string;
	/** Lets the browser answer a challenge for a passkey. */
	passkeyBrowser?: string;
	/** The cookie of a sign-in with a provider; null removes it. */
	oidc?: string | null;
	/** Who acted, where there was no session. */
	author?: { personId: number; accountId: number };
	/** Replaces the operation of the route in the audit log. */
	operation?: string;
};

/**
 * What a route can be used for by a session that does not meet a policy. `always`: to see that, and to leave. `own`: the person's own data,
 * which is no account's. `factors` and `providers`: to get what a policy requires. Without one, such a session is refused.
 */
export type Reach = 'always' | 'own' | 'factors' | 'providers';

/** A route of the dashboard that API keys cannot use. */
export type SessionRoute = {
	/** The name in the audit log, for routes that change something. */
	operation?: string;
	reach?: Reach;
} & (
	| (Route<SessionRequest, SessionServices, SessionResponse> & { isPublic?: never })
	| (Route<PublicRequest, SessionServices, SessionResponse> & { isPublic: true })
);

/** Fields that the schema does not have are ignored. */
export const parseBody = <T extends z.ZodObject>(schema: T, { body }: PublicRequest): z.output<T> =>
	validate(
		schema,
		Object.fromEntries(
			Object.keys(schema.shape)
				.filter((name) => Object.hasOwn(body, name))
				.map((name) => [name, body[name]]),
		),
	);

export const ok = (data: Record<string, unknown>, token?: string | null): SessionResponse => ({
	...json(200, { data }),
	...(token !== undefined && { token }),
});

/** The proof in the body of a request. */
export const parseProof = ({ body, passkeyBrowser }: PublicRequest): Proof => readProof(body, passkeyBrowser);

/** The fields of a body that also has a proof. */
export const parseProven = <T extends z.ZodObject>(
	schema: T,
	call: PublicRequest,
): { values: z.output<T>; proof: Proof } =>
	readProven(call.body, call.passkeyBrowser, () => parseBody(schema, call));

/** Adds the owner, the website and the affected member to the audit log. */
export const audited = (
	response: SessionResponse,
	{ ownerId, websiteId, memberId }: Scope & { memberId?: number },
): SessionResponse => ({
	...response,
	audited: { ownerId, websiteId: websiteId ?? undefined, subjectId: memberId },
});

/** The author of an entry in the audit log of a person without a session: it belongs to the account that a session would work in. */
export async function authorOf(
	queries: Queries,
	personId: number,
): Promise<{ personId: number; accountId: number }> {
	const [first] = await listOwnedAccounts(queries, personId);
	return { personId, accountId: first?.id ?? personId };
}

/** Of people who sign in with a password and have no second factor. */
export const passwordOnly: SignInMethod = { hasSecondFactor: false, providerId: null };

/** Opens a session and ends the one that the browser had. */
export async function replaceSession(
	tx: Queries,
	{ now }: SessionServices,
	{ session, browser, os }: PublicRequest,
	{ personId, hasSecondFactor, providerId }: SignInMethod & { personId: number },
): Promise<string> {
	if (session) await endSession(tx, session);
	return openSession(tx, now, { personId, hasSecondFactor, providerId, browser, os });
}

/** Signs a person in who has proven who they are. `isNew`: they were created just now, and know about it. */
export async function openSessionFor(
	tx: Queries,
	services: SessionServices,
	call: PublicRequest,
	{ personId, isNew = false, ...method }: SignInMethod & { personId: number; isNew?: boolean },
): Promise<Pick<SessionResponse, 'token' | 'device' | 'author'>> {
	const { knownDevices, notices } = services;
	const { browser, os } = call;
	const { email } = await getPerson(tx, personId);
	const isKnown = knownDevices.find(email, call.device) !== undefined;
	if (!isKnown && !isNew) await notices.queue(tx, personId, { kind: 'signIn', browser, os });
	return {
		token: await replaceSession(tx, services, call, { personId, ...method }),
		author: await authorOf(tx, personId),
		...(!isKnown && { device: knownDevices.make(email) }),
	};
}
