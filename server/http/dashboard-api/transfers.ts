import type { ReceivedOfferRecord } from '../../../api/people.ts';
import { acceptTransfer, declineTransfer, listReceivedTransfers } from '../../websites/transfers.ts';
import { json, readId } from '../api/route.ts';
import { ok, type SessionRoute } from './session-route.ts';

/** Accepting a website from another account, which only people do. */
export const transferRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/offers',
		handle: async ({ session }, { postgres, now }) => {
			const transfers = await listReceivedTransfers(postgres, now, session.personId);
			const records = transfers.map(
				({ websiteId, domain, fromName: name, fromEmail: email, offeredAt }): ReceivedOfferRecord => ({
					website_id: websiteId,
					domain,
					from: { name, email },
					offered_at: offeredAt.toISOString(),
				}),
			);
			return json(200, { data: records });
		},
	},
	{
		// No operation here: `acceptTransfer` writes the audit log of both accounts.
		methods: ['POST'],
		path: '/offers/:id/accept',
		handle: async (call, { postgres, now }) => {
			const { id, domain } = await acceptTransfer(postgres, now, call.principal, readId(call));
			return ok({ website_id: id, domain });
		},
	},
	{
		methods: ['DELETE'],
		path: '/offers/:id',
		operation: 'declineOffer',
		handle: async (call, { postgres, now }) => {
			await declineTransfer(postgres, now, call.principal, readId(call));
			return ok({ declined: true });
		},
	},
];
