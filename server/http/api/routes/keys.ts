import type { z } from 'zod';
import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	createKeyBody,
	deletedKey,
	type KeyRecord,
	keyLists,
	keyRecord,
	listKeysQuery,
	networksField,
	shownKey,
	updateKeyBody,
} from '../../../../api/keys.ts';
import { anyProofBody } from '../../../../api/passkeys.ts';
import { accountOf, notFound } from '../../../accounts/authorize.ts';
import {
	changeLimits,
	exceededParts,
	type KeyLimits,
	type LimitsChange,
	unlimited,
} from '../../../accounts/key-limits.ts';
import {
	type ApiKey,
	createKey,
	findKey,
	listKeys,
	maxKeys,
	requireKeySlot,
	revokeKey,
	rotateKey,
	updateKey,
} from '../../../accounts/keys.ts';
import { holdOwnership } from '../../../accounts/owners.ts';
import type { Principal } from '../../../accounts/principal.ts';
import { AppError, invalid } from '../../../lib/app-error.ts';
import { isNetwork } from '../../../lib/networks.ts';
import type { Queries } from '../../../store/postgres.ts';
import { sql } from '../../../store/sql.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { readProof, readProven } from '../../request/read-proof.ts';
import { validate } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, type ApiRequest, json, readId, type Services } from '../route.ts';

const networks = networksField(isNetwork).optional();
const newKeyBody = createKeyBody.extend({ networks });
const newFields = knownFields(newKeyBody, keyLists);
/** A key outlives the session that creates it, so a session must send a proof. A full key needs none. */
const provenFields = knownFields(newKeyBody.extend(anyProofBody.shape), keyLists);
const proofFields = knownFields(anyProofBody, []);
const changedKeyBody = updateKeyBody.extend({ networks });
const changedFields = knownFields(changedKeyBody, keyLists);

type KeyChange = z.output<typeof changedKeyBody>;

function toRecord(key: ApiKey): KeyRecord {
	return {
		id: key.id,
		name: key.name,
		ending: key.ending,
		access: key.access,
		scopes: key.scopes && [...key.scopes],
		website_ids: key.websiteIds && [...key.websiteIds],
		expires_at: key.expiresAt?.toISOString() ?? null,
		networks: key.networks && [...key.networks],
		created_at: key.createdAt.toISOString(),
		last_used_at: key.lastUsedAt?.toISOString() ?? null,
	};
}

const toChange = ({ website_ids, expires_at, ...change }: Omit<KeyChange, 'name'>): LimitsChange => ({
	...change,
	websiteIds: website_ids,
	expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : expires_at,
});

/** The key of the request, as it is now. A session has none. */
const callingKey = async (tx: Queries, principal: Principal): Promise<ApiKey | undefined> =>
	principal.kind === 'key' ? findKey(tx, { accountId: principal.accountId, id: principal.keyId }) : undefined;

/** A key must not make a key that can do more than itself, lasts longer or works elsewhere. */
async function requireWithinCaller(tx: Queries, principal: Principal, limits: KeyLimits): Promise<void> {
	if (principal.kind !== 'key') return;
	const caller = await callingKey(tx, principal);
	const exceeded = caller ? exceededParts(limits, caller) : ['access'];
	if (exceeded.length === 0) return;
	const message =
		'A key cannot have more permissions, a later expiry or other networks than the key that sends the request.';
	throw invalid(Object.fromEntries(exceeded.map((part) => [part, [message]])));
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
			prepare: () => readNewKey(call, services),
			async run(tx, { name, ...sent }) {
				await holdOwnership(tx, call.principal);
				await requireKeySlot(tx, accountId);
				const caller = await callingKey(tx, call.principal);
				const { expiresAt, networks } = caller ?? unlimited;
				const limits = changeLimits({ ...unlimited, expiresAt, networks }, toChange(sent));
				await requireWithinCaller(tx, call.principal, limits);
				const created = await createKey(tx, services.now, { accountId, name, ...limits });
				await services.notices.queueToOwners(tx, accountId, {
					kind: 'newKey',
					ending: created.apiKey.ending,
				});
				return { ...showOnce(201, created, `${call.mountedAt}/keys/${created.apiKey.id}`), hasSecret: true };
			},
		},
	);
};

async function readNewKey({ principal, body, passkeyBrowser }: ApiRequest, { prove }: Services) {
	if (principal.kind !== 'person') return validate(newKeyBody, readFields(body, newFields));
	const fields = readFields(body, provenFields);
	const { values, proof } = readProven(fields, passkeyBrowser, () => validate(newKeyBody, fields));
	await prove(principal.personId, proof);
	return values;
}

/** Narrowing and renaming need no password: whoever has the session can revoke the key as well. */
const update: AccountRoute['handle'] = async (call, services) => {
	const { principal, body } = call;
	const { postgres, now, notices, forgetKeys, prove } = services;
	const { id, accountId, ...stored } = await keyOf(call, services);
	const { name, ...sent } = validate(changedKeyBody, readFields(body, changedFields));
	const change = toChange(sent);
	const isWider = (before: KeyLimits) => exceededParts(changeLimits(before, change), before).length > 0;
	const isProven = principal.kind === 'person' && isWider(stored);
	if (isProven)
		await prove(principal.personId, readProof(readFields(body, proofFields), call.passkeyBrowser));
	const updated = await postgres.transaction(async (tx) => {
		await holdOwnership(tx, principal);
		const before = await findKey(tx, { accountId, id }, sql`FOR NO KEY UPDATE`);
		if (!before) throw notFound();
		const limits = changeLimits(before, change);
		const widens = isWider(before);
		if (widens) {
			await requireWithinCaller(tx, principal, limits);
			// The key was narrowed while the password was checked.
			if (principal.kind === 'person' && !isProven)
				throw invalid({ password: ['The password field is required.'] });
		}
		const apiKey = await updateKey(tx, now, before, { name: name ?? before.name, ...limits });
		if (widens) await notices.queueToOwners(tx, accountId, { kind: 'widerKey', ending: apiKey.ending });
		return apiKey;
	});
	forgetKeys();
	return json(200, { data: toRecord(updated) });
};

const rotate: AccountRoute['handle'] = async (call, services) => {
	const { postgres, now, notices, forgetKeys, prove } = services;
	const { id, accountId } = await keyOf(call, services);
	if (call.principal.kind === 'person')
		await prove(call.principal.personId, readProof(readFields(call.body, proofFields), call.passkeyBrowser));
	const rotated = await postgres.transaction(async (tx) => {
		await holdOwnership(tx, call.principal);
		const apiKey = await findKey(tx, { accountId, id }, sql`FOR NO KEY UPDATE`);
		if (!apiKey) throw notFound();
		const caller = await callingKey(tx, call.principal);
		if (call.principal.kind === 'key' && (!caller || exceededParts(apiKey, caller).length > 0))
			throw new AppError(
				'forbidden',
				'This API key cannot rotate a key with more permissions, a later expiry or other networks.',
			);
		const result = await rotateKey(tx, now, apiKey);
		await notices.queueToOwners(tx, accountId, { kind: 'newKey', ending: result.apiKey.ending });
		return result;
	});
	forgetKeys();
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
		errors: ['validation_failed'],
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
		errors: ['not_found'],
		handle: async (call, services) => json(200, { data: toRecord(await keyOf(call, services)) }),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/keys/:key_id',
		action: 'keys.change',
		operationId: 'updateKey',
		summary: 'Update an API key',
		description:
			'Changes the fields that you send. A key cannot give itself or another key more permissions, a later expiry or other networks than it has.',
		body: updateKeyBody,
		response: { status: 200, schema: singleRecord(keyRecord), description: 'The updated key.' },
		errors: ['bad_request', 'not_found', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
		handle: update,
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
		errors: ['not_found'],
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
		errors: ['not_found'],
		handle: async (call, services) => {
			const { id } = await keyOf(call, services);
			await services.postgres.transaction((tx) => revokeKey(tx, id));
			services.forgetKeys();
			return json(200, { data: { id, object: 'key', deleted: true } });
		},
	},
];
