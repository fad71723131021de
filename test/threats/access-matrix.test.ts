import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeKey } from '../../server/accounts/keys.ts';
import { openActivity } from '../support/activity.ts';
import { client, send } from '../support/client.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { recordMountedRoutes } from '../support/mounted-routes.ts';
import { createLink, tokenOf } from '../support/share-links.ts';
import { givePassword, sessionOf, signedIn } from '../support/visitor.ts';
import { world } from '../support/world.ts';
import { hasChanged, type KeyCaller, keyCallers, mountedAs, requestOf, rows } from './access-matrix-rows.ts';

/** Every operation of the API and every kind of key: the status that each must get. */
const mounted = recordMountedRoutes();
const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const activity = await openActivity({ after }, w);
await givePassword(w, owner);
const cookie = `__Host-tidemark=${sessionOf(await signedIn(w, owner))}`;

const create = async (): Promise<Website> =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
/** For requests that must not change anything. */
const standing = await create();
const elsewhere = await create();
const link = tokenOf(await createLink(owner, standing));

async function keyOf(caller: KeyCaller, website: Website): Promise<string | undefined> {
	const make = async (rights: Parameters<typeof w.key>[1] = {}) => (await w.key(owner, rights)).key;
	switch (caller) {
		case 'full':
			return owner.key;
		case 'read':
			return make({ access: 'read' });
		case 'limited':
			return make({ websites: [website.id] });
		case 'limitedElsewhere':
			return make({ websites: [elsewhere.id] });
		case 'limitedRead':
			return make({ access: 'read', websites: [website.id] });
		case 'stranger':
			return stranger.key;
		case 'revoked': {
			const { id, key } = await w.key(owner, {});
			await w.revokeKey(id);
			return key;
		}
		case 'expired': {
			const { id, key } = await w.key(owner, { expiresAt: new Date(Date.now() + 3_600_000) });
			await w.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
			return key;
		}
		case 'fromElsewhere':
			return make({ networks: ['203.0.113.0/24'] });
		case 'wrong':
			return makeKey();
		case 'nobody':
		case 'cookie':
		case 'shareLink':
			return undefined;
		default:
			return make({ scopes: [caller] });
	}
}

const keys = new Map<KeyCaller, string | undefined>();
for (const caller of keyCallers) keys.set(caller, await keyOf(caller, standing));

async function callerOf(caller: KeyCaller, website: Website) {
	const isOfWebsite = website !== standing && caller.startsWith('limited');
	const key = isOfWebsite ? await keyOf(caller, website) : keys.get(caller);
	if (caller !== 'cookie' && caller !== 'shareLink') return client(w.base, key);
	const headers = {
		...(caller === 'cookie' ? { cookie } : { 'x-share-link': link }),
		'sec-fetch-site': 'same-origin',
	};
	return (...[method, path, call]: Parameters<ReturnType<typeof client>>) =>
		send(w.base, method, `/api/v1${path}`, { ...call, headers: { ...call?.headers, ...headers } });
}

/** The operations leave more keys behind than an account may have. */
const makeRoomForKeys = () =>
	w.sql(
		`DELETE FROM api_keys WHERE name IN ('x', 'One of many') OR (name = 'A test key' AND NOT (id = ANY($1)))`,
		[standingKeys],
	);
const standingKeys = (await w.sql<{ id: string }>('SELECT id FROM api_keys')).map(({ id }) => id);

/** What a refused request could have changed: the website, and its items or keys. */
async function stateOf(operation: string, { id }: Website) {
	const [, path = ''] = operation.split(' ');
	const [list = ''] = /^\/websites\/\{id\}\/[a-z-]+|^\/keys/.exec(path) ?? [];
	const paths = ['/websites/{id}', ...(rows[operation]?.isLogged && `GET ${list}` in rows ? [list] : [])];
	const answers = await Promise.all(paths.map((one) => owner.api('GET', one.replace('{id}', String(id)))));
	return { texts: answers.map(({ text }) => text), changes: (await activity()).count };
}

for (const [operation, { keys: expected, isLogged }] of Object.entries(rows))
	test(`[T07][T11][T80][T133] ${operation} with every kind of key`, async () => {
		await makeRoomForKeys();
		const isChange = isLogged && !operation.startsWith('GET ');
		const succeeding = keyCallers.filter((caller) => expected[caller] < 400);
		const refused = keyCallers.filter((caller) => expected[caller] >= 400);
		const statuses: Partial<Record<KeyCaller, number>> = {};
		const { method, path, call } = await requestOf(operation, { w, website: standing, api: owner.api });
		const before = await stateOf(operation, standing);
		await Promise.all(
			refused.map(async (caller) => {
				statuses[caller] = (await (await callerOf(caller, standing))(method, path, call)).status;
			}),
		);
		assert.deepEqual(await stateOf(operation, standing), before, 'a refused request changes nothing');
		for (const caller of succeeding) {
			const website = isChange ? await create() : standing;
			const good = isChange
				? await requestOf(operation, { w, website, api: owner.api })
				: { method, path, call };
			const api = await callerOf(caller, website);
			const { count } = await activity();
			const { status, text } = await api(good.method, good.path, good.call);
			statuses[caller] = status;
			const entries = isChange && hasChanged(text) ? 1 : 0;
			assert.equal((await activity()).count - count, entries, `${caller}: the activity log`);
		}
		assert.deepEqual(statuses, expected);
	});

test('[T07][T11] the table has a row for every operation of the committed document, and for nothing else', () => {
	const file = join(import.meta.dirname, '../../api/openapi.json');
	// Our own document: `paths` holds objects by path and method.
	const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
		paths: Record<string, Record<string, unknown>>;
	};
	const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
	const operations = Object.entries(paths).flatMap(([path, item]) =>
		Object.keys(item)
			.filter((method) => methods.includes(method))
			.map((method) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`),
	);
	// The document does not describe itself.
	assert.deepEqual(Object.keys(rows).sort(), [...operations, 'GET /openapi.json'].sort());
});

test('[T07][T11] the table has a row for every route at /api/v1, and for nothing else', () => {
	assert.deepEqual(
		mounted().filter((route) => / \/api(\/|$)/.test(route)),
		Object.keys(rows)
			.map((operation) => mountedAs(operation, '/api/v1'))
			.sort(),
	);
});
