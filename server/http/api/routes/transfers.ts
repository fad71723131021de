import { singleRecord } from '../../../../api/envelopes.ts';
import { anyProofBody } from '../../../../api/passkeys.ts';
import { deletedOffer, type OfferRecord, offerBody, offerRecord } from '../../../../api/people.ts';
import { offerTransfer, readTransfer, type Transfer, withdrawTransfer } from '../../../websites/transfers.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { readProven } from '../../request/read-proof.ts';
import { validate } from '../../request/validate.ts';
import { json, type Services, type WebsiteRequest, type WebsiteRoute } from '../route.ts';
import { bodyErrors } from './items.ts';

const toOffer = (transfer: Transfer): OfferRecord => ({
	website_id: transfer.websiteId,
	domain: transfer.domain,
	email: transfer.email,
	offered_at: transfer.offeredAt.toISOString(),
});

const offerFields = knownFields(offerBody);
const provenFields = knownFields(offerBody.extend(anyProofBody.shape));

/** A website that was given away does not come back, so a session sends a proof. */
async function readOffer({ principal, body, passkeyBrowser }: WebsiteRequest, { prove }: Services) {
	if (principal.kind !== 'person') return validate(offerBody, readFields(body, offerFields));
	const fields = readFields(body, provenFields);
	const { values, proof } = readProven(fields, passkeyBrowser, () => validate(offerBody, fields));
	await prove(principal.personId, proof);
	return values;
}

/** Offering a website to another account. Only a signed-in person accepts it (dashboard-api/transfers.ts). */
export const transferRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/offer',
		tag: 'websites',
		action: 'offer.read',
		operationId: 'getOffer',
		summary: 'Get the pending transfer of a website',
		description: 'Returns whom the website was offered to, or null.',
		response: { status: 200, schema: singleRecord(offerRecord.nullable()), description: 'The offer.' },
		errors: ['not_found'],
		handle: async ({ principal, website }, { postgres }) => {
			const transfer = await readTransfer(postgres, principal, website.id);
			return json(200, { data: transfer ? toOffer(transfer) : null });
		},
	},
	{
		methods: ['PUT'],
		path: '/websites/:id/offer',
		tag: 'websites',
		action: 'website.move',
		operationId: 'offerWebsite',
		summary: 'Offer a website to another account',
		description:
			'Nothing changes until the person with this address signs in and accepts. The response does not reveal whether the address has an account. Requires a key with full access to all websites.',
		body: offerBody,
		response: { status: 200, schema: singleRecord(offerRecord), description: 'The offer.' },
		errors: bodyErrors,
		handle: async (call, services) => {
			const { email } = await readOffer(call, services);
			const { postgres, now } = services;
			const transfer = await offerTransfer(postgres, now, call.principal, { id: call.website.id, email });
			return json(200, { data: toOffer(transfer) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/websites/:id/offer',
		tag: 'websites',
		action: 'website.move',
		operationId: 'withdrawOffer',
		summary: 'Withdraw the offer of a website',
		description: 'Ends the pending transfer.',
		response: { status: 200, schema: singleRecord(deletedOffer), description: 'It was withdrawn.' },
		errors: ['not_found'],
		handle: async ({ principal, website }, { postgres }) => {
			await withdrawTransfer(postgres, principal, website.id);
			return json(200, { data: { id: website.id, object: 'offer', deleted: true } });
		},
	},
];
