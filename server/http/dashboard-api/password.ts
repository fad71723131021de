import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { changePasswordBody, forgottenBody, linkBody, usePasswordLinkBody } from '../../../api/session.ts';
import { getLink, makeLink } from '../../accounts/links.ts';
import { requireStrongPassword } from '../../accounts/password-strength.ts';
import { findPersonByEmail, getPerson, isAbleToSignIn } from '../../accounts/people.ts';
import { requireProof, setPassword, setPasswordByLink } from '../../accounts/sign-in.ts';
import { hashPassword } from '../../lib/passwords.ts';
import { queueToUnconfirmed } from '../../notify/mail/confirm-address.ts';
import { resetMessage } from '../../notify/mail/messages.ts';
import { queueMail } from '../../notify/mail/queue.ts';
import { json } from '../api/route.ts';
import {
	authorOf,
	ok,
	parseBody,
	parseProven,
	replaceSession,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

/** Longer than creating a link takes. */
const resetDelayMs = 300;

/** Mails a reset link if there is such an account. The link of the previous mail stops working. */
async function mailReset(
	{ postgres, now, attempts, hasMail, publicAddress, quota }: SessionServices,
	{ email, network }: { email: string; network: string },
): Promise<void> {
	if (!hasMail) return;
	const maxDelaySeconds = 3_600;
	await attempts.take([
		{ name: `reset from ${network}`, free: 5, maxDelaySeconds },
		{ name: `reset of ${email.toLowerCase()}`, free: 3, maxDelaySeconds },
	]);
	await postgres.transaction(async (tx) => {
		const person = await findPersonByEmail(tx, email);
		if (!person || !(await isAbleToSignIn(tx, person.id))) return;
		const token = await makeLink(tx, now, { personId: person.id, purpose: 'reset', isMailed: true });
		const message = resetMessage(person.locale, `${publicAddress.current()}/password#token=${token}`);
		if (!person.confirmedAt) await queueToUnconfirmed(tx, now, quota, person, message);
		else await queueMail(tx, now, { key: `reset ${randomUUID()}`, mail: { to: person.email, ...message } });
	});
}

/** Changing the password, and setting a new one through a link. */
export const passwordRoutes: readonly SessionRoute[] = [
	{
		methods: ['PUT'],
		path: '/session/password',
		operation: 'changePassword',
		handle: async (call, services) => {
			const { personId } = call.session;
			const {
				values: { new_password: newPassword },
				proof,
			} = parseProven(changePasswordBody, call);
			await requireProof(services, personId, proof);
			await requireStrongPassword(newPassword, await getPerson(services.postgres, personId), 'new_password');
			const passwordHash = await hashPassword(newPassword);
			const token = await services.postgres.transaction(async (tx) => {
				await setPassword(tx, personId, passwordHash);
				await services.notices.queue(tx, personId, { kind: 'password' });
				return replaceSession(tx, services, call, call.session);
			});
			return ok({ changed: true }, token);
		},
	},
	{
		methods: ['GET'],
		path: '/session/forgotten',
		isPublic: true,
		handle: async (_call, { hasMail }) => json(200, { data: { can_mail: hasMail } }),
	},
	{
		methods: ['POST'],
		path: '/session/forgotten',
		operation: 'askForReset',
		isPublic: true,
		handle: async (call, services) => {
			const { email } = parseBody(forgottenBody, call);
			// Neither the response nor its duration reveals whether the account exists.
			await Promise.all([mailReset(services, { email, network: call.network }), pause(resetDelayMs)]);
			return ok({ can_mail: services.hasMail });
		},
	},
	{
		methods: ['POST'],
		path: '/session/link',
		isPublic: true,
		handle: async (call, { postgres, now }) => {
			const { purpose, email } = await getLink(postgres, now, parseBody(linkBody, call).token);
			return ok({ purpose, email });
		},
	},
	{
		methods: ['PUT'],
		path: '/session/link',
		operation: 'setPasswordByLink',
		isPublic: true,
		handle: async (call, services) => {
			const { token, password, revoke_keys: isEndOfKeys = false } = parseBody(usePasswordLinkBody, call);
			const { email, name } = await getLink(services.postgres, services.now, token);
			await requireStrongPassword(password, { email, name });
			const passwordHash = await hashPassword(password);
			const personId = await services.postgres.transaction(async (tx) => {
				const result = await setPasswordByLink(tx, services.now, { token, passwordHash, isEndOfKeys });
				if (result.hadPassword) await services.notices.queue(tx, result.personId, { kind: 'password' });
				return result.personId;
			});
			if (isEndOfKeys) services.forgetKeys();
			// Only the owner of the mailbox or the operator has the link, so the next sign-in needs no notice.
			return {
				...ok({ changed: true }, null),
				author: await authorOf(services.postgres, personId),
				device: services.knownDevices.make(email),
			};
		},
	},
];
