import { randomUUID } from 'node:crypto';
import { changeAddressBody, type DeletionRecord, deletePersonBody } from '../../../api/session.ts';
import { cancelAddressChange, makeAddressChange } from '../../accounts/address-change.ts';
import { getPerson } from '../../accounts/people.ts';
import { readPersonalData } from '../../accounts/personal-data.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { AppError } from '../../lib/app-error.ts';
import { newAddressMessage } from '../../notify/mail/messages.ts';
import { queueMail } from '../../notify/mail/queue.ts';
import { deletePerson, planDeletion } from '../../websites/delete-person.ts';
import { json } from '../api/route.ts';
import {
	ok,
	parseProven,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

/** Mails a link to the new address, which is used with `PUT /session/confirmation`. */
async function askForAddress(call: SessionRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now, attempts, hasMail, publicAddress, quota } = services;
	const { personId } = call.session;
	const {
		values: { email },
		proof,
	} = parseProven(changeAddressBody, call);
	if (!hasMail)
		throw new AppError(
			'unavailable',
			'This service has no mail server. Ask its operator to change your email address.',
		);
	await requireProof(services, personId, proof);
	await attempts.take([{ name: `address of ${personId}`, free: 5, maxDelaySeconds: 3_600 }]);
	await postgres.transaction(async (tx) => {
		const { locale } = await getPerson(tx, personId);
		const token = await makeAddressChange(tx, now, { personId, email });
		const url = `${publicAddress.current()}/confirm-address#token=${token}`;
		const queued = await queueMail(tx, now, {
			key: `address ${randomUUID()}`,
			mail: { to: email, ...newAddressMessage(locale, url) },
			by: { accountId: call.session.accountId, quota },
		});
		if (!queued)
			throw new AppError('too_many_requests', 'The daily email limit is reached. Try again tomorrow.', {
				retryAfterSeconds: 86_400,
			});
	});
	return ok({ mailed: true });
}

/** What people do with their own sign-in: change its address, download their data, delete it. */
export const ownDataRoutes: readonly SessionRoute[] = [
	{ methods: ['POST'], path: '/session/address', operation: 'askForAddress', handle: askForAddress },
	{
		methods: ['DELETE'],
		path: '/session/address',
		operation: 'cancelAddress',
		handle: async ({ session }, { postgres }) => {
			await cancelAddressChange(postgres, session.personId);
			return ok({ canceled: true });
		},
	},
	{
		methods: ['GET'],
		path: '/session/data',
		reach: 'own',
		handle: async ({ session }, { postgres }) => {
			const data = await readPersonalData(postgres, session.personId);
			return json(200, data, { 'content-disposition': 'attachment; filename="tidemark-personal-data.json"' });
		},
	},
	{
		methods: ['GET'],
		path: '/session/deletion',
		reach: 'own',
		handle: async ({ session }, { postgres }) => {
			const { accounts, blockedBy } = await planDeletion(postgres, session.personId);
			const record: DeletionRecord = { accounts, blocked_by: blockedBy };
			return json(200, { data: record });
		},
	},
	{
		// The account that the entry would belong to may be deleted too; `deletePerson` records it in the others.
		methods: ['DELETE'],
		path: '/session/person',
		reach: 'own',
		handle: async (call, services) => {
			const { personId } = call.session;
			const { values, proof } = parseProven(deletePersonBody, call);
			await requireProof(services, personId, proof);
			const { account_ids: accountIds } = values;
			await services.postgres.transaction((tx) => deletePerson(tx, services.now, { personId, accountIds }));
			services.forgetKeys();
			return ok({ deleted: true }, null);
		},
	},
];
