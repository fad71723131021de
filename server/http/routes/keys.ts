import { list, one } from '../../../api/envelopes.ts';
import {
	createKeyBody,
	deletedKey,
	type KeyRecord,
	keyRecord,
	listKeysQuery,
	shownKey,
} from '../../../api/keys.ts';
import { type Action, demand, notFound } from '../../accounts/authorize.ts';
import {
	type ApiKey,
	createKey,
	demandRoomForKey,
	findKey,
	listKeys,
	maxKeys,
	revokeKey,
	rotateKey,
} from '../../accounts/keys.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { answerList } from '../list.ts';
import { readFields, wanted } from '../read-body.ts';
import { validate } from '../validate.ts';

const newFields = wanted(createKeyBody, []);

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

/** Keys belong to an account, and who may do this is decided for the one that asks. */
function accountOf({ principal }: Call, action: Action): number {
	demand(principal, action);
	if (principal.kind !== 'key' && principal.kind !== 'account') throw notFound();
	return principal.accountId;
}

async function keyOf(call: Call, { postgres }: Services, action: Action): Promise<ApiKey> {
	const accountId = accountOf(call, action);
	const key = await findKey(postgres, { accountId, id: readId(call, 'key_id') });
	if (!key) throw notFound();
	return key;
}

async function createAnswer(call: Call, { postgres, now }: Services): Promise<Answer> {
	const accountId = accountOf(call, 'keys.change');
	const {
		name,
		access = 'full',
		website_ids: ids,
	} = validate(createKeyBody, readFields(call.body, newFields));
	const websiteIds = ids === undefined ? null : [...new Set(ids)];
	const made = await postgres.transaction(async (tx) => {
		await demandRoomForKey(tx, accountId);
		return createKey(tx, now, { accountId, name, access, websiteIds });
	});
	return showOnce(201, made, `${call.mountedAt}/keys/${made.apiKey.id}`);
}

export const keyRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/keys',
		tag: 'account',
		action: 'keys.read',
		operationId: 'listKeys',
		summary: 'List keys',
		about: 'The API keys of the account, in the order they were made. The keys themselves are not stored.',
		query: listKeysQuery,
		answer: { status: 200, schema: list(keyRecord), about: 'A page of keys.' },
		errors: ['forbidden', 'validation_failed'],
		handle: async (call, { postgres }) => {
			const accountId = accountOf(call, 'keys.read');
			return answerList(call, '/keys', listKeysQuery, async ({ page, per_page: perPage }) => {
				const keys = await listKeys(postgres, accountId);
				const first = (page - 1) * perPage;
				return { records: keys.slice(first, first + perPage).map(toRecord), total: keys.length };
			});
		},
	},
	{
		methods: ['POST'],
		path: '/keys',
		tag: 'account',
		action: 'keys.change',
		operationId: 'createKey',
		summary: 'Create a key',
		about: `Makes a key, which is shown this once. An account has at most ${maxKeys}.`,
		body: createKeyBody,
		answer: { status: 201, schema: one(shownKey), about: 'The new key.' },
		errors: ['bad_request', 'forbidden', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
		handle: createAnswer,
	},
	{
		methods: ['GET'],
		path: '/keys/:key_id',
		tag: 'account',
		action: 'keys.read',
		operationId: 'getKey',
		summary: 'Get a key',
		about: 'One key, without the key itself.',
		answer: { status: 200, schema: one(keyRecord), about: 'The key.' },
		errors: ['forbidden', 'not_found'],
		handle: async (call, services) => json(200, { data: toRecord(await keyOf(call, services, 'keys.read')) }),
	},
	{
		methods: ['POST'],
		path: '/keys/:key_id/rotate',
		tag: 'account',
		action: 'keys.change',
		operationId: 'rotateKey',
		summary: 'Rotate a key',
		about: 'Gives a key another secret, shown this once; the old one stops working at once.',
		answer: { status: 200, schema: one(shownKey), about: 'The key with its new secret.' },
		errors: ['forbidden', 'not_found'],
		handle: async (call, services) => {
			const { id } = await keyOf(call, services, 'keys.change');
			const rotated = await rotateKey(services.postgres, id);
			services.forgetKeys();
			return showOnce(200, rotated);
		},
	},
	{
		methods: ['DELETE'],
		path: '/keys/:key_id',
		tag: 'account',
		action: 'keys.change',
		operationId: 'revokeKey',
		summary: 'Revoke a key',
		about: 'Ends a key; it stops working at once.',
		answer: { status: 200, schema: one(deletedKey), about: 'It is gone.' },
		errors: ['forbidden', 'not_found'],
		handle: async (call, services) => {
			const { id } = await keyOf(call, services, 'keys.change');
			await revokeKey(services.postgres, id);
			services.forgetKeys();
			return json(200, { data: { id, object: 'key', deleted: true } });
		},
	},
];
