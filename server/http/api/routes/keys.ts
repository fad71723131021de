import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	createKeyBody,
	deletedKey,
	type KeyRecord,
	keyRecord,
	listKeysQuery,
	shownKey,
} from '../../../../api/keys.ts';
import { proofBody } from '../../../../api/session.ts';
import { accountOf, notFound } from '../../../accounts/authorize.ts';
import {
	type ApiKey,
	createKey,
	findKey,
	listKeys,
	maxKeys,
	requireKeySlot,
	revokeKey,
	rotateKey,
} from '../../../accounts/keys.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, type ApiRequest, json, readId, type Services } from '../route.ts';

const newFields = knownFields(createKeyBody, ['website_ids']);
/** A key outlives the session that creates it, so a session must send the password again. A full key needs no proof. */
const provenKeyBody = createKeyBody.extend(proofBody.shape);
const provenFields = knownFields(provenKeyBody, ['website_ids']);
const proofFields = knownFields(proofBody, []);

function toRecord(key: ApiKey): KeyRecord {
	return {
		id: key.id,
		name: key.name,
		ending: key.ending,
		access: key.access,
		website_ids: key.websiteIds === null ? null : [...key.websiteIds],
		created_at: key.createdAt.toISOString(),
		last_used_at: key.lastUsedAt?.toISOString() ?? null,
	};
}

const showOnce = (
	status: number,
	{ apiKey, secret }: { apiKey: ApiKey; secret: string },
	location?: string,
) =>
	json(
		status,
		{ data: { ...toRecord(apiKey), key: secret } },
		{ 'cache-control': 'no-store', ...(location !== undefined && { location }) },
	);

async function keyOf(call: ApiRequest, { postgres }: Services): Promise<ApiKey> {
	const accountId = accountOf(call.principal);
	const key = await findKey(postgres, { accountId, id: readId(call, 'key_id') });
	if (!key) throw notFound();
	return key;
}

const createKeyOnce: AccountRoute['handle'] = async (call, services) => {
	const accountId = accountOf(call.principal);
	return createOnce(
		call,
		services,
		{ path: '/keys\n' },
		{
			prepare: () => readNewKey(call, services, accountId),
			async run(tx, { name, access = 'full', website_ids: ids }) {
				const websiteIds = ids === undefined ? null : [...new Set(ids)];
				await requireKeySlot(tx, accountId);
				const created = await createKey(tx, services.now, { accountId, name, access, websiteIds });
				await services.notices.queue(tx, accountId, { kind: 'newKey', ending: created.apiKey.ending });
				return { ...showOnce(201, created, `${call.mountedAt}/keys/${created.apiKey.id}`), hasSecret: true };
			},
		},
	);
};

async function readNewKey({ principal, body }: ApiRequest, { prove }: Services, accountId: number) {
	if (principal.kind !== 'account') return validate(createKeyBody, readFields(body, newFields));
	const { password, code, ...key } = validate(provenKeyBody, readFields(body, provenFields));
	await prove(accountId, { password, code });
	return key;
}

const rotate: AccountRoute['handle'] = async (call, services) => {
	const { postgres, notices, forgetKeys, prove } = services;
	const { id, accountId } = await keyOf(call, services);
	if (call.principal.kind === 'account')
		await prove(accountId, validate(proofBody, readFields(call.body, proofFields)));
	const rotated = await rotateKey(postgres, id);
	forgetKeys();
	await postgres.transaction((tx) =>
		notices.queue(tx, accountId, { kind: 'newKey', ending: rotated.apiKey.ending }),
	);
	return showOnce(200, rotated);
};

export const keyRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/keys',
		action: 'keys.read',
		operationId: 'listKeys',
		summary: 'List API keys',
		description:
			'Returns the API keys of the account in the order of creation, without the secret keys, which are not stored.',
		query: listKeysQuery,
		response: { status: 200, schema: list(keyRecord), description: 'A page of keys.' },
		errors: ['forbidden', 'validation_failed'],
		handle: async (call, { postgres }) => {
			const accountId = accountOf(call.principal);
			return paginate(call, '/keys', listKeysQuery, async ({ page, per_page: perPage }) => {
				const keys = await listKeys(postgres, accountId);
				const first = (page - 1) * perPage;
				return { records: keys.slice(first, first + perPage).map(toRecord), total: keys.length };
			});
		},
	},
	{
		methods: ['POST'],
		path: '/keys',
		action: 'keys.change',
		operationId: 'createKey',
		summary: 'Create an API key',
		description: `Creates an API key, which is shown only once. An account can have up to ${maxKeys}.`,
		body: createKeyBody,
		response: { status: 201, schema: singleRecord(shownKey), description: 'The new key.' },
		errors: [
			'bad_request',
			'forbidden',
			'idempotency_conflict',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: createKeyOnce,
	},
	{
		methods: ['GET'],
		path: '/keys/:key_id',
		action: 'keys.read',
		operationId: 'getKey',
		summary: 'Get an API key',
		description: 'Returns an API key without its secret.',
		response: { status: 200, schema: singleRecord(keyRecord), description: 'The key.' },
		errors: ['forbidden', 'not_found'],
		handle: async (call, services) => json(200, { data: toRecord(await keyOf(call, services)) }),
	},
	{
		methods: ['POST'],
		path: '/keys/:key_id/rotate',
		action: 'keys.change',
		operationId: 'rotateKey',
		summary: 'Rotate an API key',
		description:
			'Replaces the secret of an API key. The new one is shown only once, and the old one stops working immediately.',
		response: { status: 200, schema: singleRecord(shownKey), description: 'The key with its new secret.' },
		errors: ['forbidden', 'not_found'],
		handle: rotate,
	},
	{
		methods: ['DELETE'],
		path: '/keys/:key_id',
		action: 'keys.change',
		operationId: 'revokeKey',
		summary: 'Revoke an API key',
		description: 'Deletes an API key. It stops working immediately.',
		response: { status: 200, schema: singleRecord(deletedKey), description: 'The key was revoked.' },
		errors: ['forbidden', 'not_found'],
		handle: async (call, services) => {
			const { id } = await keyOf(call, services);
			await revokeKey(services.postgres, id);
			services.forgetKeys();
			return json(200, { data: { id, object: 'key', deleted: true } });
		},
	},
];
