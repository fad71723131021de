import { askRecipientBody, type RecipientRecord, type RecipientsRecord } from '../../api/recipients.ts';
import { demand, notFound } from '../accounts/authorize.ts';
import { AppError } from '../lib/app-error.ts';
import { mailsToday } from '../mail/queue.ts';
import { askRecipient, deleteRecipient, type ListedRecipient, listRecipients } from '../mail/recipients.ts';
import { getWebsite } from '../websites/websites.ts';
import { json, toId } from './call.ts';
import { done, read, type SessionRoute } from './session-routes.ts';

function toRecord(
	{ id, address, websiteId, domain, ...times }: ListedRecipient,
	moment: Date,
): RecipientRecord {
	const { createdAt, expiresAt, confirmedAt, unsubscribedAt } = times;
	const open = expiresAt > moment ? 'asked' : 'expired';
	return {
		id,
		email: address,
		website: websiteId === null ? null : { id: websiteId, domain: domain ?? '' },
		state: unsubscribedAt ? 'unsubscribed' : confirmedAt ? 'confirmed' : open,
		created_at: createdAt.toISOString(),
	};
}

/** Whom reports and alerts go to: people of the account decide it, not keys. */
export const recipientRoutes: readonly SessionRoute[] = [
	{
		method: 'GET',
		path: '/reports/recipients',
		needs: 'session',
		handle: async ({ session: { accountId } }, { postgres, now, hasMail, quota }) => {
			demand({ kind: 'account', accountId }, 'people.read');
			const [found, today] = await Promise.all([
				listRecipients(postgres, accountId),
				mailsToday(postgres, now, accountId),
			]);
			const record: RecipientsRecord = {
				can_mail: hasMail,
				recipients: found.map((recipient) => toRecord(recipient, now())),
				mails_today: { queued: today.mails, most: quota.perAccount, refused: today.refused },
			};
			return json(200, { data: record });
		},
	},
	{
		method: 'POST',
		path: '/reports/recipients',
		what: 'askRecipient',
		needs: 'session',
		handle: async (call, { postgres, now, hasMail, quota, links, attempts }) => {
			const { accountId } = call.session;
			demand({ kind: 'account', accountId }, 'people.change');
			const { email: address, website_id: websiteId } = read(askRecipientBody, call);
			if (websiteId !== null) {
				// Reports go to whoever owns the website, so only they name others.
				const website = await getWebsite(postgres, { kind: 'account', accountId }, 'website.read', websiteId);
				if (website.accountId !== accountId) throw notFound();
			}
			if (!hasMail)
				throw new AppError('unavailable', 'This service has no mail server, so nobody can be asked.');
			// Nobody sends mail to the world in our name, and nobody is asked by all accounts at once.
			await attempts.take([
				{ name: `recipients of ${accountId}`, free: 50, maxDelaySeconds: 3_600 },
				{ name: `recipient ${address.toLowerCase()}`, free: 5, maxDelaySeconds: 3_600 },
			]);
			const asked = await askRecipient({ postgres, now, links, quota }, { accountId, websiteId, address });
			return { ...json(201, { data: toRecord(asked, now()) }), about: { websiteId: websiteId ?? undefined } };
		},
	},
	{
		method: 'DELETE',
		path: '/reports/recipients/:id',
		what: 'deleteRecipient',
		needs: 'session',
		handle: async ({ session: { accountId }, params }, { postgres }) => {
			demand({ kind: 'account', accountId }, 'people.change');
			await deleteRecipient(postgres, accountId, toId(params.id));
			return done({ deleted: true });
		},
	},
];
