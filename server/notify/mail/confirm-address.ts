import { makeConfirmation } from '../../accounts/confirmation.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queries } from '../../store/postgres.ts';
import { confirmAddressMessage, type Message } from './messages.ts';
import { type MailQuota, tryToQueue } from './queue.ts';
import type { MailLinks } from './unsubscribe.ts';

type Unconfirmed = { id: number; email: string; locale: string };

/** Until the address is confirmed or the outbox forgets them: the address may belong to someone else. */
const maxMails = 5;

/** Emails the link that confirms the address of an account. False if the limit is reached. */
export async function queueConfirmation(
	tx: Queries,
	now: Clock,
	{ links, quota }: { links: MailLinks; quota: MailQuota },
	account: Unconfirmed,
): Promise<boolean> {
	const token = await makeConfirmation(tx, now, account.id);
	const url = `${links.baseUrl()}/confirm-address#token=${token}`;
	return queueToUnconfirmed(tx, now, quota, account, confirmAddressMessage(account.locale, url));
}

/** Only for emails that let the owner of the address confirm it or take over the account. */
export async function queueToUnconfirmed(
	tx: Queries,
	now: Clock,
	quota: MailQuota,
	{ id, email }: Pick<Unconfirmed, 'id' | 'email'>,
	message: Message,
): Promise<boolean> {
	for (let count = 1; count <= maxMails; count++) {
		const queued = await tryToQueue(tx, now, {
			key: `unconfirmed ${id} ${count}`,
			mail: { to: email, ...message },
			by: { accountId: id, quota },
		});
		if (queued !== 'duplicate') return queued === 'queued';
	}
	return false;
}
