import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { Finding } from '../../api/doctor.ts';
import {
	type AddressRecord,
	type BrowserRecord,
	changeAccountBody,
	changePasswordBody,
	confirmCodeBody,
	forgottenBody,
	linkBody,
	type PublicAddress,
	provePasswordBody,
	type SessionRecord,
	type SessionWarning,
	setUpBody,
	signInBody,
	usePasswordLinkBody,
} from '../../api/session.ts';
import {
	changeAccount,
	createAccountWithoutKey,
	findAccountByEmail,
	getAccount,
	isFirstAccount,
} from '../accounts/accounts.ts';
import { notFound } from '../accounts/authorize.ts';
import type { KnownDevices } from '../accounts/known-devices.ts';
import { getLink, makeLink } from '../accounts/links.ts';
import { endSession, endSessions, listSessions, openSession, type Session } from '../accounts/sessions.ts';
import { isSetupToken, setPublicAddress, takeSetupToken } from '../accounts/setup.ts';
import {
	demandPassword,
	hasTwoFactor,
	type SignInServices,
	setPassword,
	setPasswordByLink,
	signIn,
} from '../accounts/sign-in.ts';
import { hashPassword } from '../lib/passwords.ts';
import { resetMessage } from '../mail/messages.ts';
import { type MailQuota, queueMail } from '../mail/queue.ts';
import type { MailLinks } from '../mail/unsubscribe.ts';
import type { Queries } from '../store/postgres.ts';
import { type Answer, json, toId } from './call.ts';
import { validate } from './validate.ts';

export type SessionServices = SignInServices & {
	/** The address that links begin with, and whether an operator or the first account has said it. */
	publicAddress: { current(): string; isSet(): boolean; learn(url: string): void };
	tracking: SessionRecord['tracking'];
	warnings(): SessionWarning[];
	knownDevices: KnownDevices;
	/** Whether mail can be sent, what links in it are made of, and how many mails a day. */
	hasMail: boolean;
	links: MailLinks;
	quota: MailQuota;
	/** How the service is. */
	examine(): Promise<Finding[]>;
};

export type SessionCall = {
	/** What was sent, not yet judged. */
	body: Readonly<Record<string, unknown>>;
	params: Readonly<Record<string, string>>;
	/** The query as it came, without the question mark. */
	query: string;
	/** Where it came from, for counting. */
	network: string;
	/** Where it came from, to be told to whoever asks for their own; it is kept nowhere. */
	address: string;
	browser: string;
	os: string;
	/** What it keeps of an earlier time. */
	device: string | undefined;
};

/**
 * `device`: what the browser is known by from now on. `token`: the browser has this session from now on; null: it has none. `accountId`: who did it, where the session does not
 * tell.
 */
export type SessionAnswer = Answer & {
	token?: string | null;
	device?: string;
	accountId?: number;
	/** What was changed, and whose it is, where that is not whoever did it; `what` where the route alone does not say it. */
	about?: { websiteId?: number | undefined; ownerId?: number | undefined; subjectId?: number | undefined };
	what?: string;
};

type Handle<S> = (call: SessionCall & { session: S }, services: SessionServices) => Promise<SessionAnswer>;

/** One row of a list of what only people do: about their session, their members, what was offered to them. */
export type SessionRoute = {
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Below where the list is mounted. */
	path: string;
	/** What is written down when it was done, for all that changes something. */
	what?: string;
} & (
	| { needs: 'session'; handle: Handle<Session> }
	| { needs: 'nothing'; handle: Handle<Session | undefined> }
);

export const read = <T extends z.ZodObject>(schema: T, { body }: SessionCall): z.output<T> =>
	validate(
		schema,
		Object.fromEntries(
			Object.keys(schema.shape)
				.filter((name) => Object.hasOwn(body, name))
				.map((name) => [name, body[name]]),
		),
	);

export const done = (data: Record<string, unknown>, token?: string | null): SessionAnswer => ({
	...json(200, { data }),
	...(token !== undefined && { token }),
});

/** The session that the browser had is over, whatever becomes of the new one. */
export async function renew(
	tx: Queries,
	{ now }: SessionServices,
	{ session, browser, os }: SessionCall & { session: Session | undefined },
	accountId: number,
): Promise<string> {
	if (session) await endSession(tx, session);
	return openSession(tx, now, { accountId, browser, os });
}

async function current(
	{ session }: { session: Session },
	{ postgres, now, publicAddress, tracking, warnings }: SessionServices,
): Promise<SessionAnswer> {
	const { id, name, email, locale, timezone } = await getAccount(postgres, now, session.accountId);
	const record: SessionRecord = {
		account: { id, name, email, locale, timezone },
		is_first: await isFirstAccount(postgres, id),
		session_id: session.id,
		two_factor: await hasTwoFactor(postgres, id),
		public_address: addressOf(publicAddress),
		tracking,
		warnings: warnings(),
	};
	return json(200, { data: record });
}

const addressOf = ({ current, isSet }: SessionServices['publicAddress']): PublicAddress => ({
	url: current(),
	is_set: isSet(),
});

function toBrowser(session: Session, own: Session): BrowserRecord {
	return {
		id: session.id,
		browser: session.browser,
		os: session.os,
		created_at: session.createdAt.toISOString(),
		last_used_at: session.lastUsedAt.toISOString(),
		current: session.id === own.id,
	};
}

async function setUp(
	call: SessionCall & { session: Session | undefined },
	services: SessionServices,
): Promise<SessionAnswer> {
	const { postgres, now, publicAddress } = services;
	const { token, password, public_address: address, ...account } = read(setUpBody, call);
	// Nobody without the link makes us hash anything.
	if (!(await isSetupToken(postgres, token))) throw notFound();
	const passwordHash = await hashPassword(password);
	const made = await postgres.transaction(async (tx) => {
		await takeSetupToken(tx, token);
		const { id } = await createAccountWithoutKey(tx, now, account);
		await setPassword(tx, id, passwordHash);
		if (address !== undefined) await setPublicAddress(tx, address);
		return { id, token: await renew(tx, services, call, id) };
	});
	if (address !== undefined) publicAddress.learn(address);
	return { ...done({ account_id: made.id }, made.token), accountId: made.id };
}

/** Longer than a link takes to make. */
const quietMs = 300;

/** A link by mail, to the account if there is one. The link of the mail before is dead then. */
async function mailReset(
	{ postgres, now, attempts, hasMail, publicAddress }: SessionServices,
	{ email, network }: { email: string; network: string },
): Promise<void> {
	if (!hasMail) return;
	const anHour = { free: 5, maxDelaySeconds: 3_600 };
	await attempts.take([
		{ name: `reset from ${network}`, ...anHour },
		{ name: `reset of ${email.toLowerCase()}`, ...anHour, free: 3 },
	]);
	await postgres.transaction(async (tx) => {
		const account = await findAccountByEmail(tx, email);
		if (!account || account.disabledAt) return;
		const token = await makeLink(tx, now, { accountId: account.id, purpose: 'reset' });
		const message = resetMessage(account.locale, `${publicAddress.current()}/password#token=${token}`);
		await queueMail(tx, now, { key: `reset ${randomUUID()}`, mail: { to: account.email, ...message } });
	});
}

/** Everything about a session, in the order that people meet it. */
export const sessionRoutes: readonly SessionRoute[] = [
	{
		method: 'POST',
		path: '/set-up/link',
		needs: 'nothing',
		handle: async (call, { postgres, publicAddress }) => {
			if (!(await isSetupToken(postgres, read(linkBody, call).token))) throw notFound();
			return done({ public_address: addressOf(publicAddress) });
		},
	},
	{ method: 'POST', path: '/set-up', what: 'setUp', needs: 'nothing', handle: setUp },
	{
		method: 'POST',
		path: '/',
		what: 'signIn',
		needs: 'nothing',
		handle: async (call, services) => {
			const { email, password, code } = read(signInBody, call);
			const device = services.knownDevices.find(email, call.device);
			const accountId = await signIn(services, { email, password, code, network: call.network, device });
			const token = await services.postgres.transaction((tx) => renew(tx, services, call, accountId));
			return {
				...done({ account_id: accountId }, token),
				accountId,
				...(device === undefined && { device: services.knownDevices.make(email) }),
			};
		},
	},
	{ method: 'GET', path: '/', needs: 'session', handle: current },
	{
		method: 'GET',
		path: '/address',
		needs: 'session',
		handle: async ({ address, network }) => {
			const record: AddressRecord = { address, network };
			return json(200, { data: record });
		},
	},
	{
		method: 'DELETE',
		path: '/',
		what: 'signOut',
		needs: 'nothing',
		handle: async ({ session }, { postgres }) => {
			if (session) await endSession(postgres, session);
			return done({ signed_out: true }, null);
		},
	},
	{
		method: 'PUT',
		path: '/account',
		what: 'changeAccount',
		needs: 'session',
		handle: async (call, services) => {
			await changeAccount(services.postgres, call.session.accountId, read(changeAccountBody, call));
			return current(call, services);
		},
	},
	{
		method: 'GET',
		path: '/browsers',
		needs: 'session',
		handle: async ({ session }, { postgres, now }) => {
			const sessions = await listSessions(postgres, now, session.accountId);
			return json(200, { data: sessions.map((one) => toBrowser(one, session)) });
		},
	},
	{
		method: 'DELETE',
		path: '/browsers',
		what: 'endOtherSessions',
		needs: 'session',
		handle: async ({ session }, { postgres }) => {
			await endSessions(postgres, session.accountId, session.id);
			return done({ ended: true });
		},
	},
	{
		method: 'DELETE',
		path: '/browsers/:id',
		what: 'endSession',
		needs: 'session',
		handle: async ({ session, params }, { postgres }) => {
			const id = toId(params.id);
			if (!(await endSession(postgres, { accountId: session.accountId, id }))) throw notFound();
			return done({ ended: true }, id === session.id ? null : undefined);
		},
	},
	{
		method: 'PUT',
		path: '/password',
		what: 'changePassword',
		needs: 'session',
		handle: async (call, services) => {
			const { accountId } = call.session;
			const { password, new_password: next } = read(changePasswordBody, call);
			await demandPassword(services, accountId, password);
			const passwordHash = await hashPassword(next);
			const token = await services.postgres.transaction(async (tx) => {
				await setPassword(tx, accountId, passwordHash);
				return renew(tx, services, call, accountId);
			});
			return done({ changed: true }, token);
		},
	},
	{
		method: 'POST',
		path: '/two-factor',
		what: 'showSecondFactor',
		needs: 'session',
		handle: async (call, services) => {
			const { accountId } = call.session;
			await demandPassword(services, accountId, read(provePasswordBody, call).password);
			const account = await getAccount(services.postgres, services.now, accountId);
			return done(await services.twoFactor.begin(account));
		},
	},
	{
		method: 'PUT',
		path: '/two-factor',
		what: 'confirmSecondFactor',
		needs: 'session',
		handle: async (call, services) => {
			const { accountId } = call.session;
			const codes = await services.twoFactor.confirm(accountId, read(confirmCodeBody, call).code);
			// Whoever signed in without the second factor must come again with it.
			const token = await services.postgres.transaction(async (tx) => {
				await endSessions(tx, accountId);
				return renew(tx, services, call, accountId);
			});
			return done({ recovery_codes: codes }, token);
		},
	},
	{
		method: 'DELETE',
		path: '/two-factor',
		what: 'removeSecondFactor',
		needs: 'session',
		handle: async (call, services) => {
			const { accountId } = call.session;
			await demandPassword(services, accountId, read(provePasswordBody, call).password);
			await services.twoFactor.remove(accountId);
			const token = await services.postgres.transaction((tx) => renew(tx, services, call, accountId));
			return done({ removed: true }, token);
		},
	},
	{
		method: 'GET',
		path: '/forgotten',
		needs: 'nothing',
		handle: async (_call, { hasMail }) => json(200, { data: { can_mail: hasMail } }),
	},
	{
		method: 'POST',
		path: '/forgotten',
		what: 'askForReset',
		needs: 'nothing',
		handle: async (call, services) => {
			const { email } = read(forgottenBody, call);
			// It takes as long whether or not there is such an account, and says nothing of it.
			await Promise.all([mailReset(services, { email, network: call.network }), pause(quietMs)]);
			return done({ can_mail: services.hasMail });
		},
	},
	{
		method: 'POST',
		path: '/link',
		needs: 'nothing',
		handle: async (call, { postgres, now }) => done(await getLink(postgres, now, read(linkBody, call).token)),
	},
	{
		method: 'PUT',
		path: '/link',
		what: 'setPasswordByLink',
		needs: 'nothing',
		handle: async (call, services) => {
			const given = read(usePasswordLinkBody, call);
			await getLink(services.postgres, services.now, given.token);
			const { accountId } = await setPasswordByLink(services, given);
			return { ...done({ changed: true }, null), accountId };
		},
	},
];
