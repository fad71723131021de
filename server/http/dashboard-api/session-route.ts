import type { z } from 'zod';
import type { Finding } from '../../../api/doctor.ts';
import type { SessionRecord, SessionWarning } from '../../../api/session.ts';
import type { KnownDevices } from '../../accounts/known-devices.ts';
import type { AccountPrincipal } from '../../accounts/principal.ts';
import { endSession, openSession, type Session } from '../../accounts/sessions.ts';
import type { SignInServices } from '../../accounts/sign-in.ts';
import type { AccountNotices } from '../../notify/mail/account-notices.ts';
import type { MailQuota } from '../../notify/mail/queue.ts';
import type { MailLinks } from '../../notify/mail/unsubscribe.ts';
import type { Queries } from '../../store/postgres.ts';
import type { Scope } from '../../websites/members.ts';
import { type ApiRequest, type ApiResponse, json, type Route } from '../api/route.ts';
import type { Fields } from '../request/read-body.ts';
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
	/** Security notices to the owner of an account. */
	notices: AccountNotices;
	/** Clears the API key cache of this process at once, without waiting for the notification from PostgreSQL. */
	forgetKeys(): void;
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
};

export type SessionRequest = PublicRequest & {
	session: Session;
	principal: AccountPrincipal;
};

export type SessionResponse = ApiResponse & {
	/** The token of the new session; null signs the browser out. */
	token?: string | null;
	/** Makes the browser a known one. */
	device?: string;
	/** The account that acted, where there was no session. */
	accountId?: number;
	/** What the audit log records beyond the operation: the website, its owner if it is not the caller, and the affected account. */
	audited?: { websiteId?: number | undefined; ownerId?: number | undefined; subjectId?: number | undefined };
	/** Replaces the operation of the route in the audit log. */
	operation?: string;
};

/** A route of the dashboard that API keys cannot use. */
export type SessionRoute = {
	/** The name in the audit log, for routes that change something. */
	operation?: string;
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

/** Adds the owner, the website and the affected member to the audit log. */
export const audited = (
	response: SessionResponse,
	{ ownerId, websiteId, memberId }: Scope & { memberId?: number },
): SessionResponse => ({
	...response,
	audited: { ownerId, websiteId: websiteId ?? undefined, subjectId: memberId },
});

/** Opens a session and ends the one that the browser had. */
export async function replaceSession(
	tx: Queries,
	{ now }: SessionServices,
	{ session, browser, os }: PublicRequest,
	accountId: number,
): Promise<string> {
	if (session) await endSession(tx, session);
	return openSession(tx, now, { accountId, browser, os });
}
