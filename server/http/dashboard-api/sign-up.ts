import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { linkBody, signUpBody, signUpRequestBody } from '../../../api/session.ts';
import { hasAccounts } from '../../accounts/accounts.ts';
import { requireStrongPassword } from '../../accounts/password-strength.ts';
import { findPersonByEmail } from '../../accounts/people.ts';
import { setPassword } from '../../accounts/sign-in.ts';
import { AppError } from '../../lib/app-error.ts';
import { hashPassword } from '../../lib/passwords.ts';
import { queueMail } from '../../notify/mail/queue.ts';
import { existingAccountMessage, signUpMessage } from '../../notify/mail/sign-up-messages.ts';
import { isOidcRequired, refuseIfOidcRequired } from '../../oidc/providers.ts';
import {
	findSignUpAddress,
	makeSignUpLink,
	readSignUpPolicy,
	requireSignUp,
	signUp,
} from '../../operator/sign-up.ts';
import type { Queries } from '../../store/postgres.ts';
import { json } from '../api/route.ts';
import {
	ok,
	openSessionFor,
	type PublicRequest,
	parseBody,
	passwordOnly,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

/** Longer than creating a link takes. */
const delayMs = 300;
/** Per day, so that the form does not become a way to send mail to strangers. */
const maxMailsPerAddress = 3;
const maxMailsInAll = 500;
/** In the counts of mails, where an account would be. */
const signUps = -1;

async function isOpen({
	postgres,
	hasMail,
}: Pick<SessionServices, 'postgres' | 'hasMail'>): Promise<boolean> {
	const { mode } = await readSignUpPolicy(postgres);
	return hasMail && mode !== 'closed' && (await hasAccounts(postgres)) && !(await isOidcRequired(postgres));
}

/** Neither the response nor its duration reveals whether the address has an account: only its mailbox learns that. */
async function mailSignUp(
	services: SessionServices,
	{ email, locale, network }: { email: string; locale: string; network: string },
): Promise<void> {
	const { postgres, now, attempts, publicAddress } = services;
	const maxDelaySeconds = 3_600;
	await attempts.take([
		{ name: `sign-up from ${network}`, free: 5, maxDelaySeconds },
		{ name: `sign-up of ${email.toLowerCase()}`, free: 3, maxDelaySeconds },
	]);
	await postgres.transaction(async (tx) => {
		const person = await findPersonByEmail(tx, email);
		const message = person
			? existingAccountMessage(person.locale, `${publicAddress.current()}/sign-in`)
			: signUpMessage(
					locale,
					`${publicAddress.current()}/sign-up#token=${await makeSignUpLink(tx, now, email)}`,
				);
		await queueOneOfFew(tx, services, { to: email, ...message });
	});
}

async function queueOneOfFew(
	tx: Queries,
	{ now, quota }: SessionServices,
	mail: { to: string; subject: string; text: string },
): Promise<void> {
	const day = now().toISOString().slice(0, 10);
	const address = createHash('sha256').update(mail.to.toLowerCase()).digest('base64url');
	const by = {
		accountId: signUps,
		quota: { ...quota, perAccount: Math.min(quota.perAccount, maxMailsInAll) },
	};
	for (let count = 1; count <= maxMailsPerAddress; count++)
		if (await queueMail(tx, now, { key: `sign-up ${address} ${day} ${count}`, mail, by })) return;
}

async function createSignedUp(call: PublicRequest, services: SessionServices) {
	const { postgres, now } = services;
	const { token, password, ...person } = parseBody(signUpBody, call);
	await refuseIfOidcRequired(postgres);
	// Hashing is expensive, so the link is checked first.
	const email = await findSignUpAddress(postgres, now, token);
	await requireStrongPassword(password, { name: person.name, email });
	const passwordHash = await hashPassword(password);
	return postgres.transaction(async (tx) => {
		const { id } = await signUp(tx, now, token, person);
		await setPassword(tx, id, passwordHash);
		const opened = await openSessionFor(tx, services, call, {
			...passwordOnly,
			personId: id,
			isNew: true,
		});
		return { ...ok({ person_id: id }), ...opened };
	});
}

/** Creating an account without an invitation, where the operator allows it. */
export const signUpRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/session/sign-up',
		isPublic: true,
		handle: async (_call, services) => json(200, { data: { is_open: await isOpen(services) } }),
	},
	{
		methods: ['POST'],
		path: '/session/sign-up',
		isPublic: true,
		handle: async (call, services) => {
			const { email, locale = 'en' } = parseBody(signUpRequestBody, call);
			await refuseIfOidcRequired(services.postgres);
			// Depends on the policy only, and not on who has an account.
			await requireSignUp(services.postgres, email);
			if (!services.hasMail)
				throw new AppError('unavailable', 'This service has no mail server, so nobody can sign up.');
			await Promise.all([mailSignUp(services, { email, locale, network: call.network }), pause(delayMs)]);
			return ok({ mailed: true });
		},
	},
	{
		methods: ['POST'],
		path: '/session/sign-up/link',
		isPublic: true,
		handle: async (call, { postgres, now }) =>
			ok({ email: await findSignUpAddress(postgres, now, parseBody(linkBody, call).token) }),
	},
	{
		methods: ['PUT'],
		path: '/session/sign-up',
		operation: 'signUp',
		isPublic: true,
		handle: createSignedUp,
	},
];
