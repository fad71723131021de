import { askRecipientBody, type RecipientRecord, type RecipientsRecord } from '../../../api/recipients.ts';
import { notFound, requirePermission } from '../../accounts/authorize.ts';
import { AppError } from '../../lib/app-error.ts';
import { mailsToday } from '../../notify/mail/queue.ts';
import {
	askRecipient,
	deleteRecipient,
	type ListedRecipient,
	listRecipients,
	requestBuckets,
	stateOf,
} from '../../notify/mail/recipients.ts';
import { getWebsite } from '../../websites/get-website.ts';
import { json, readId } from '../api/route.ts';
import { ok, parseBody, type SessionRoute } from './session-route.ts';

function toRecord(recipient: ListedRecipient, now: Date): RecipientRecord {
	const { id, address, websiteId, domain, createdAt } = recipient;
	return {
		id,
		email: address,
		website: websiteId === null ? null : { id: websiteId, domain: domain ?? '' },
		state: stateOf(recipient, now),
		created_at: createdAt.toISOString(),
	};
}

/** Recipients of reports and alerts for all websites of an account. Those of one website are part of its settings. */
export const recipientRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/reports/recipients',
		handle: async ({ principal }, { postgres, now, hasMail, quota }) => {
			const { accountId } = principal;
			requirePermission(principal, 'people.read');
			const [recipients, today] = await Promise.all([
				listRecipients(postgres, accountId),
				mailsToday(postgres, now, accountId),
			]);
			const record: RecipientsRecord = {
				can_mail: hasMail,
				recipients: recipients.map((recipient) => toRecord(recipient, now())),
				mails_today: { queued: today.mails, most: quota.perAccount, refused: today.refused },
			};
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/reports/recipients',
		operation: 'askRecipient',
		handle: async (call, { postgres, now, hasMail, quota, links, attempts }) => {
			const { principal } = call;
			const { accountId } = principal;
			requirePermission(principal, 'people.change');
			const { email: address, website_id: websiteId } = parseBody(askRecipientBody, call);
			if (websiteId !== null) {
				// Only the owner of a website gets its reports, so only the owner may add recipients.
				const website = await getWebsite(postgres, principal, 'website.read', websiteId);
				if (website.accountId !== accountId) throw notFound();
			}
			if (!hasMail)
				throw new AppError('unavailable', 'This service has no mail server, so recipients cannot be added.');
			await attempts.take(requestBuckets(accountId, address));
			const recipient = await askRecipient(
				{ postgres, now, links, quota },
				{ accountId, websiteId, address },
			);
			return {
				...json(201, { data: toRecord(recipient, now()) }),
				audited: { websiteId: websiteId ?? undefined },
			};
		},
	},
	{
		methods: ['DELETE'],
		path: '/reports/recipients/:id',
		operation: 'deleteRecipient',
		handle: async (call, { postgres }) => {
			requirePermission(call.principal, 'people.change');
			await deleteRecipient(postgres, call.principal.accountId, readId(call));
			return ok({ deleted: true });
		},
	},
];
