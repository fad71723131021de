import { type OfferRecord, offerBody, type ReceivedOfferRecord } from '../../../api/people.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { getWebsite } from '../../websites/get-website.ts';
import {
	acceptTransfer,
	declineTransfer,
	listReceivedTransfers,
	offerTransfer,
	readTransfer,
	type Transfer,
	withdrawTransfer,
} from '../../websites/transfers.ts';
import { json, readId } from '../api/route.ts';
import { ok, parseProven, type SessionRoute } from './session-route.ts';

const toOffer = (transfer: Transfer): OfferRecord => ({
	website_id: transfer.websiteId,
	domain: transfer.domain,
	email: transfer.email,
	offered_at: transfer.offeredAt.toISOString(),
});

/** Transferring a website to another account. */
export const transferRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/offer',
		handle: async (call, { postgres }) => {
			const transfer = await readTransfer(postgres, call.principal, readId(call));
			return json(200, { data: transfer ? toOffer(transfer) : null });
		},
	},
	{
		methods: ['PUT'],
		path: '/websites/:id/offer',
		operation: 'offerWebsite',
		handle: async (call, services) => {
			const { postgres, now } = services;
			const id = readId(call);
			await getWebsite(postgres, call.principal, 'website.move', id);
			const {
				values: { email },
				proof,
			} = parseProven(offerBody, call);
			await requireProof(services, call.session.personId, proof);
			const transfer = await offerTransfer(postgres, now, call.principal, { id, email });
			return { ...json(200, { data: toOffer(transfer) }), audited: { websiteId: id } };
		},
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/offer',
		operation: 'withdrawOffer',
		handle: async (call, { postgres }) => {
			const id = readId(call);
			await withdrawTransfer(postgres, call.principal, id);
			return { ...ok({ withdrawn: true }), audited: { websiteId: id } };
		},
	},
	{
		methods: ['GET'],
		path: '/offers',
		handle: async ({ session }, { postgres }) => {
			const transfers = await listReceivedTransfers(postgres, session.personId);
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
		handle: async (call, { postgres }) => {
			await declineTransfer(postgres, call.principal, readId(call));
			return ok({ declined: true });
		},
	},
];
