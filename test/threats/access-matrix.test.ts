import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { z } from 'zod';
import { changeSettingsBody } from '../../api/settings.ts';
import { updateWebsiteBody } from '../../api/websites.ts';
import { makeKey } from '../../server/accounts/keys.ts';
import { type Client, client } from '../support/client.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';

/**
 * Every operation of the committed OpenAPI document and every kind of caller: the status that each must get.
 * A new operation has no row and fails here until somebody decides who may use it.
 */
const w = await world({ after });
// The first account is the operator's.
await w.account({ timezone: 'UTC' });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });

/** Keys that are full, read-only or limited to websites, and callers without a valid key. */
const kinds = [
	'full',
	'read',
	'limited',
	'limitedElsewhere',
	'limitedRead',
	'stranger',
	'revoked',
	'wrong',
	'nobody',
] as const;
type Row = Record<(typeof kinds)[number], number>;
const nobodyAtAll = { revoked: 401, wrong: 401, nobody: 401 };

/** Keys with one scope, and keys that are valid at another time or place. */
const scoped = ['stats', 'events', 'manage', 'export'] as const;
const invalid = ['expired', 'fromElsewhere'] as const;
const columns = [...kinds, ...scoped, ...invalid] as const;
type Column = (typeof columns)[number];

/** What one website is read or changed by: whoever cannot see it is told that it does not exist. */
function readOf(status: number): Row {
	return {
		full: status,
		read: status,
		limited: status,
		limitedElsewhere: 404,
		limitedRead: status,
		stranger: 404,
		...nobodyAtAll,
	};
}
function changeOf(status: number): Row {
	return { ...readOf(status), read: 403, limitedRead: 403 };
}

const everyKey: Row = {
	full: 200,
	read: 200,
	limited: 200,
	limitedElsewhere: 200,
	limitedRead: 200,
	stranger: 200,
	...nobodyAtAll,
};

/** Keys of the account that asks: a key that is less than full must not get at more. */
function byFullKeys(status: number): Row {
	const others = { read: 403, limited: 403, limitedElsewhere: 403, limitedRead: 403 };
	return { full: status, ...others, stranger: status, ...nobodyAtAll };
}
const ofKey: Row = { ...byFullKeys(200), stranger: 404 };

/** To every key of an account, the routes of the operator do not exist. */
const ofOperators: Row = {
	...{ full: 404, read: 404, limited: 404, limitedElsewhere: 404, limitedRead: 404, stranger: 404 },
	...nobodyAtAll,
};
const operatorRoutes = [
	...['GET /operator/accounts', 'POST /operator/accounts', 'GET /operator/accounts/{account_id}'],
	...['PUT', 'PATCH'].map((method) => `${method} /operator/accounts/{account_id}/limits`),
	...['disable', 'enable'].map((change) => `POST /operator/accounts/{account_id}/${change}`),
	...['DELETE /operator/accounts/{account_id}', 'GET /operator/sign-up', 'PUT /operator/sign-up'],
	...['PATCH /operator/sign-up', 'GET /operator/activity', 'GET /operator/activity/export'],
];

/** The collections of a website, and a body that creates one of each or changes it. */
const items: Record<string, Record<string, unknown>> = {
	goals: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	funnels: { name: 'Checkout', steps: [{ page: '/' }, { page: '/thanks' }] },
	segments: { name: 'Germany', filters: ['is', 'country', ['DE']] },
	notes: { date: '2026-11-15', text: 'Launch' },
	alerts: { kind: 'spike', channel: 'slack', url: 'https://hooks.example.com/x' },
	'traffic-rules': { name: 'Office', kind: 'network', values: ['203.0.113.0/24'] },
	'share-links': { name: 'Client' },
};
/** Whoever reads a share link can pass it on. */
const readOfItem = (kind: string) => (kind === 'share-links' ? changeOf(200) : readOf(200));
const ofItems = Object.keys(items).flatMap((kind): [string, Row][] => [
	[`GET /websites/{id}/${kind}`, readOfItem(kind)],
	[`POST /websites/{id}/${kind}`, changeOf(201)],
	[`GET /websites/{id}/${kind}/{item_id}`, readOfItem(kind)],
	[`PUT /websites/{id}/${kind}/{item_id}`, changeOf(200)],
	[`PATCH /websites/{id}/${kind}/{item_id}`, changeOf(200)],
	[`DELETE /websites/{id}/${kind}/{item_id}`, changeOf(200)],
]);

const matrix: Record<string, Row> = {
	'GET /websites': everyKey,
	'POST /websites': {
		full: 201,
		read: 403,
		limited: 403,
		limitedElsewhere: 403,
		limitedRead: 403,
		stranger: 201,
		...nobodyAtAll,
	},
	'GET /websites/{id}': readOf(200),
	'PUT /websites/{id}': changeOf(200),
	'PATCH /websites/{id}': changeOf(200),
	'DELETE /websites/{id}': changeOf(200),
	'PUT /websites/{id}/domain': changeOf(200),
	'PATCH /websites/{id}/domain': changeOf(200),
	'GET /websites/{id}/settings': readOf(200),
	'PUT /websites/{id}/settings': changeOf(200),
	'PATCH /websites/{id}/settings': changeOf(200),
	'GET /websites/{id}/path-groups': readOf(200),
	'PUT /websites/{id}/path-groups': changeOf(200),
	// There is nothing to undo.
	'POST /websites/{id}/path-groups/undo': changeOf(422),
	'POST /websites/{id}/path-groups/preview': readOf(200),
	'GET /websites/{id}/path-groups/proposals': readOf(200),
	'POST /websites/{id}/reset': changeOf(200),
	'POST /websites/{id}/events': changeOf(202),
	'POST /websites/{id}/traffic-rules/preview': readOf(200),
	'GET /websites/{id}/deletions': readOf(200),
	'POST /websites/{id}/deletions/preview': readOf(200),
	// No events match, and there is nothing to undo.
	'POST /websites/{id}/deletions': changeOf(422),
	'POST /websites/{id}/deletions/{item_id}/undo': changeOf(404),
	'GET /websites/{id}/export': readOf(200),
	'GET /websites/{id}/stats': readOf(200),
	'GET /websites/{id}/stats/{dimension}': readOf(200),
	'POST /websites/{id}/stats/query': readOf(200),
	'GET /websites/{id}/what-changed': readOf(200),
	'GET /stats': everyKey,
	'GET /websites/{id}/funnels/{item_id}/stats': readOf(200),
	'GET /websites/{id}/journeys': readOf(200),
	'GET /websites/{id}/vitals': readOf(200),
	'GET /websites/{id}/properties': readOf(200),
	'GET /websites/{id}/live': readOf(200),
	'GET /websites/{id}/live/stream': readOf(200),
	'GET /websites/{id}/live/feed': readOf(200),
	'GET /websites/{id}/drops': readOf(200),
	'GET /metrics': everyKey,
	'GET /dimensions': everyKey,
	...Object.fromEntries(ofItems),
	'GET /websites/{id}/imports': readOf(200),
	'POST /websites/{id}/imports': changeOf(201),
	'GET /websites/{id}/imports/{item_id}': readOf(200),
	'POST /websites/{id}/imports/{item_id}/start': changeOf(200),
	'DELETE /websites/{id}/imports/{item_id}': changeOf(200),
	'POST /websites/{id}/alerts/{item_id}/test': changeOf(200),
	'GET /account': {
		full: 200,
		read: 200,
		limited: 403,
		limitedElsewhere: 403,
		limitedRead: 403,
		stranger: 200,
		...nobodyAtAll,
	},
	'GET /account/activity': byFullKeys(200),
	'GET /account/activity/export': byFullKeys(200),
	...Object.fromEntries(operatorRoutes.map((operation) => [operation, ofOperators])),
	'GET /keys': byFullKeys(200),
	'POST /keys': byFullKeys(201),
	'GET /keys/{key_id}': ofKey,
	'PUT /keys/{key_id}': ofKey,
	'PATCH /keys/{key_id}': ofKey,
	'POST /keys/{key_id}/rotate': ofKey,
	'DELETE /keys/{key_id}': ofKey,
	'GET /openapi.json': {
		full: 200,
		read: 200,
		limited: 200,
		limitedElsewhere: 200,
		limitedRead: 200,
		stranger: 200,
		revoked: 200,
		wrong: 200,
		nobody: 200,
	},
};

/** Share links show statistics, which the scope manage does not read. */
function scopesOfItems(kind: string, want: 'read' | 'change'): string {
	if (kind === 'share-links') return '';
	return want === 'change' || ['alerts', 'traffic-rules'].includes(kind) ? 'm' : 'sm';
}

/**
 * Which scopes an operation takes: s stats, e events, m manage, x export. Everything else is 403, whatever the request is. Written by
 * hand, so that a change of the rules in the service shows here.
 */
const scopesOf: Record<string, string> = {
	'GET /websites': 'sm',
	'POST /websites': 'm',
	'GET /websites/{id}': 'sm',
	'PUT /websites/{id}': 'm',
	'PATCH /websites/{id}': 'm',
	'DELETE /websites/{id}': 'm',
	'PUT /websites/{id}/domain': 'm',
	'PATCH /websites/{id}/domain': 'm',
	'GET /websites/{id}/settings': 'm',
	'PUT /websites/{id}/settings': 'm',
	'PATCH /websites/{id}/settings': 'm',
	'GET /websites/{id}/path-groups': 'm',
	'PUT /websites/{id}/path-groups': 'm',
	'POST /websites/{id}/path-groups/undo': 'm',
	'POST /websites/{id}/path-groups/preview': 'm',
	'GET /websites/{id}/path-groups/proposals': 'm',
	'POST /websites/{id}/reset': 'm',
	'POST /websites/{id}/events': 'e',
	'POST /websites/{id}/traffic-rules/preview': 'm',
	'GET /websites/{id}/deletions': 'm',
	'POST /websites/{id}/deletions/preview': 'm',
	'POST /websites/{id}/deletions': 'm',
	'POST /websites/{id}/deletions/{item_id}/undo': 'm',
	'GET /websites/{id}/export': 'x',
	'GET /websites/{id}/stats': 's',
	'GET /websites/{id}/stats/{dimension}': 's',
	'POST /websites/{id}/stats/query': 's',
	'GET /websites/{id}/what-changed': 's',
	'GET /stats': 's',
	'GET /websites/{id}/funnels/{item_id}/stats': 's',
	'GET /websites/{id}/journeys': 's',
	'GET /websites/{id}/vitals': 's',
	'GET /websites/{id}/properties': 's',
	'GET /websites/{id}/live': 's',
	'GET /websites/{id}/live/stream': 's',
	'GET /websites/{id}/live/feed': 's',
	'GET /websites/{id}/drops': 'sm',
	'GET /metrics': 'semx',
	'GET /dimensions': 'semx',
	'GET /websites/{id}/imports': 'm',
	'POST /websites/{id}/imports': 'm',
	'GET /websites/{id}/imports/{item_id}': 'm',
	'POST /websites/{id}/imports/{item_id}/start': 'm',
	'DELETE /websites/{id}/imports/{item_id}': 'm',
	'POST /websites/{id}/alerts/{item_id}/test': 'm',
	'GET /account': '',
	'GET /account/activity': '',
	'GET /account/activity/export': '',
	// Not even forbidden.
	...Object.fromEntries(operatorRoutes.map((operation) => [operation, 'semx'])),
	'GET /keys': '',
	'POST /keys': '',
	'GET /keys/{key_id}': '',
	'PUT /keys/{key_id}': '',
	'PATCH /keys/{key_id}': '',
	'POST /keys/{key_id}/rotate': '',
	'DELETE /keys/{key_id}': '',
	...Object.fromEntries(
		Object.keys(items).flatMap((kind) => [
			...['', '/{item_id}'].map((path) => [`GET /websites/{id}/${kind}${path}`, scopesOfItems(kind, 'read')]),
			[`POST /websites/{id}/${kind}`, scopesOfItems(kind, 'change')],
			...['PUT', 'PATCH', 'DELETE'].map((method) => [
				`${method} /websites/{id}/${kind}/{item_id}`,
				scopesOfItems(kind, 'change'),
			]),
		]),
	),
};
const letters = { stats: 's', events: 'e', manage: 'm', export: 'x' } as const;

function statusOf(operation: string, column: Column): number {
	const row = matrix[operation];
	if (!row) throw new Error(`${operation} has no row.`);
	if (column in row) return row[column as keyof Row];
	// Everyone can read the document.
	if (operation === 'GET /openapi.json') return 200;
	if (!(column in letters)) return 401;
	return scopesOf[operation]?.includes(letters[column as keyof typeof letters]) ? row.full : 403;
}

async function callerOf(column: Column, website: Website, elsewhere: Website): Promise<Client> {
	const keyed = async (rights: Parameters<typeof w.key>[1]) =>
		client(w.base, (await w.key(owner, rights)).key);
	switch (column) {
		case 'full':
			return owner.api;
		case 'read':
			return keyed({ access: 'read' });
		case 'limited':
			return keyed({ websites: [website.id] });
		case 'limitedElsewhere':
			return keyed({ websites: [elsewhere.id] });
		case 'limitedRead':
			return keyed({ access: 'read', websites: [website.id] });
		case 'stranger':
			return stranger.api;
		case 'revoked': {
			const revoked = await w.key(owner, {});
			await w.revokeKey(revoked.id);
			return client(w.base, revoked.key);
		}
		case 'wrong':
			return client(w.base, makeKey());
		case 'nobody':
			return client(w.base);
		case 'expired': {
			const { id, key } = await w.key(owner, { expiresAt: new Date(Date.now() + 3_600_000) });
			await w.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
			return client(w.base, key);
		}
		case 'fromElsewhere':
			return keyed({ networks: ['203.0.113.0/24'] });
		default:
			return keyed({ scopes: [column] });
	}
}

const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const elsewhere = await create();

async function makeItem(website: Website, kind: string): Promise<number> {
	const answer = await owner.api('POST', `/websites/${website.id}/${kind}`, { json: items[kind] });
	return z.object({ data: z.object({ id: z.int() }) }).parse(answer.json).data.id;
}

/** A file with one day. */
const imported = zipOf([{ name: 'imported_visitors.csv', text: 'date,visitors\n2024-03-01,1' }]);
const bodyOfImport = (path: string): { body?: Uint8Array; headers?: Record<string, string> } =>
	path.endsWith('/imports')
		? { body: imported, headers: { 'content-type': 'application/octet-stream' } }
		: {};

async function makeImport(website: Website): Promise<number> {
	const { json } = await owner.api('POST', `/websites/${website.id}/imports?source=plausible`, {
		body: imported,
	});
	return z.object({ data: z.object({ id: z.int() }) }).parse(json).data.id;
}

/** The other tests leave more keys behind than an account may make. */
const makeRoomForKeys = () => w.sql(`DELETE FROM api_keys WHERE name = 'A test key'`);

/** A good request for an operation, on this website. */
async function requestOf(operation: string, website: Website) {
	const [method = '', path = ''] = operation.split(' ');
	const kind = Object.keys(items).find((name) => path.includes(`/${name}`));
	const isImport = path.startsWith('/websites/{id}/imports');
	const item =
		kind && path.includes('{item_id}')
			? await makeItem(website, kind)
			: isImport && path.includes('{item_id}')
				? await makeImport(website)
				: undefined;
	const where = path
		.replace(/imports$/, 'imports?source=plausible')
		.replace('{id}', String(website.id))
		.replace('{item_id}', String(item))
		.replace('{account_id}', String(stranger.id))
		.replace('{key_id}', String(path.includes('{key_id}') && (await w.key(owner)).id))
		.replace('{dimension}', 'country');
	if (isImport && method === 'GET') return { method, where: where.replace(/\?.*$/, ''), kind, call: {} };
	return { method, where, kind, call: isImport ? bodyOfImport(path) : bodyFor(method, path, website, kind) };
}

function bodyFor(
	method: string,
	path: string,
	website: Website,
	kind: string | undefined,
): { json?: unknown } {
	const hasBody = method !== 'GET' && method !== 'DELETE' && !/\/(reset|test|undo)$/.test(path);
	if (!hasBody) return {};
	if (kind) return { json: { ...items[kind], text: 'x', name: 'x' } };
	if (path.endsWith('/events')) return { json: { url: `https://${website.domain}/` } };
	if (path.endsWith('/stats/query')) return { json: {} };
	if (path.includes('/path-groups')) return { json: { rules: [] } };
	if (path.includes('/deletions')) return { json: { conditions: [{ field: 'path', values: ['/a'] }] } };
	// The password is for sessions; keys need none.
	if (path.startsWith('/keys')) return { json: { name: 'x', password: goodPassword } };
	return { json: { domain: freshDomain(), email: '1' } };
}

/** The same operations for people: signed in with a role on the website, and without any. */
const people = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'share', 'ended', 'anyone'] as const;

await Promise.all([owner, stranger].map((account) => givePassword(w, account)));
const member = {
	admin: await w.account({ timezone: 'UTC' }),
	editor: await w.account({ timezone: 'UTC' }),
	viewer: await w.account({ timezone: 'UTC' }),
};
for (const role of ['admin', 'editor', 'viewer'] as const) {
	await givePassword(w, member[role]);
	await w.sql('INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, $3, now())', [
		owner.id,
		member[role].id,
		role,
	]);
}
const connection = new pg.Client(w.postgresTarget);
// The service takes its PostgreSQL with it at the end.
connection.on('error', () => undefined);
await connection.connect();
after(() => connection.end());
const ended = await signedIn(w, owner);
const browsers: Record<(typeof people)[number], Visitor> = {
	owner: await signedIn(w, owner),
	admin: await signedIn(w, member.admin),
	editor: await signedIn(w, member.editor),
	viewer: await signedIn(w, member.viewer),
	stranger: await signedIn(w, stranger),
	share: visitor(() => w.base),
	ended: visitor(() => w.base),
	anyone: visitor(() => w.base),
};
for (const [name, cookie] of ended.cookies) browsers.ended.cookies.set(name, cookie);
await ended('DELETE', '/session');

for (const operation of Object.keys(matrix))
	for (const column of columns)
		test(`[T07][T11][T133] ${operation} by ${column} is ${statusOf(operation, column)}`, async () => {
			const website = await create();
			if (operation === 'POST /keys') await makeRoomForKeys();
			const api = await callerOf(column, website, elsewhere);
			const { method, where, kind, call } = await requestOf(operation, website);
			const before = kind && (await owner.api('GET', `/websites/${website.id}/${kind}`)).text;
			const answer = await api(method, where, call);
			assert.equal(answer.status, statusOf(operation, column), answer.text);
			// Whoever was refused has changed nothing.
			if (answer.status < 400) return;
			assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
			if (kind) assert.equal((await owner.api('GET', `/websites/${website.id}/${kind}`)).text, before);
		});

/** What cannot be undone, and what decides who sees a website or where its data goes. */
const isForAdmins = (method: string, path: string) =>
	/\/(domain|reset|export)$/.test(path) ||
	path.includes('/share-links') ||
	(method === 'DELETE' && path === '/websites/{id}') ||
	(method !== 'GET' && /\/(imports|alerts)(\/|$)/.test(path)) ||
	(method !== 'GET' && /\/deletions(\/\{item_id\}\/undo)?$/.test(path));

/** `website` is private but for the share; what everybody may know needs nobody's rights. */
function byPeople(operation: string): Record<(typeof people)[number], number> {
	const [method = '', path = ''] = operation.split(' ');
	const { full: done } = matrix[operation] ?? { full: 0 };
	const isOfService = path === '/metrics' || path === '/dimensions';
	const isOfWebsite = path.startsWith('/websites/{id}');
	// Reading every event is for those who rule.
	const isRead = (method === 'GET' && !path.endsWith('/export')) || /\/(stats\/query|preview)$/.test(path);
	const isStatistics =
		isRead &&
		isOfWebsite &&
		!path.endsWith('/live/feed') &&
		/\/(stats|vitals|properties|live|goals|funnels|segments|notes)(\/|$)/.test(path);
	const isOwn = !isOfWebsite && !path.includes('{key_id}');
	const others = isOwn ? done : 404;
	// They may name addresses of those who work on the website.
	const isOfEditors = /\/(traffic-rules|deletions)/.test(path);
	return {
		owner: done,
		admin: isOfWebsite ? done : others,
		editor: isOfWebsite ? (isForAdmins(method, path) ? 403 : done) : others,
		viewer: isOfWebsite ? (isRead && !isOfEditors && !isForAdmins(method, path) ? done : 403) : others,
		stranger: others,
		share: isStatistics || isOfService ? done : 401,
		ended: isOfService ? done : 401,
		anyone: isOfService ? done : isStatistics ? 404 : 401,
	};
}

const accountIds: Partial<Record<(typeof people)[number], number>> = {
	owner: owner.id,
	admin: member.admin.id,
	editor: member.editor.id,
	viewer: member.viewer.id,
	stranger: stranger.id,
};
/** How many changes were written down, and who made the last. */
async function newestChange() {
	const { rows } = await connection.query<{ count: string; account_id: string | null }>(`
		SELECT count(*)::text AS count, (SELECT account_id::text FROM changes ORDER BY id DESC LIMIT 1) AS account_id
		FROM changes`);
	const [row] = rows;
	return row ?? { count: '0', account_id: null };
}

for (const operation of Object.keys(matrix).filter((name) => !name.endsWith('/openapi.json')))
	test(`[T11][T80] ${operation} by people`, async () => {
		const expected = byPeople(operation);
		if (operation === 'POST /keys') await makeRoomForKeys();
		for (const who of people) {
			const website = await create();
			if (who !== 'share') await owner.api('PUT', `/websites/${website.id}`, { form: { privacy: '1' } });
			const { method, where, call } = await requestOf(operation, website);
			const before = await newestChange();
			const answer = await browsers[who](method, where, call);
			const isChange =
				answer.status < 400 && method !== 'GET' && !/\/(events|stats\/query|preview)$/.test(where);
			const after = await newestChange();
			assert.equal(
				Number(after.count) - Number(before.count),
				isChange ? 1 : 0,
				`${who}: what was written down`,
			);
			if (isChange) assert.equal(after.account_id, String(accountIds[who]));
			assert.equal(answer.status, expected[who], `${who}: ${answer.text.slice(0, 200)}`);
		}
	});

/** One value of each field that an update takes, and who may send it. */
type Field = { at: '' | '/settings'; value: unknown; least: 'editor' | 'admin' | 'owner' };
const fields: Record<string, Field> = {
	privacy: { at: '', value: 0, least: 'admin' },
	password: { at: '', value: 'high water', least: 'admin' },
	email: { at: '', value: 1, least: 'editor' },
	exclude_bots: { at: '', value: 0, least: 'editor' },
	exclude_params: { at: '', value: 'ref', least: 'editor' },
	exclude_ips: { at: '', value: '203.0.113.9', least: 'editor' },
	favorite: { at: '', value: 1, least: 'editor' },
	timezone: { at: '', value: 'Europe/Rome', least: 'editor' },
	hostnames: { at: '/settings', value: 'shop.example.com', least: 'editor' },
	honour_signals: { at: '/settings', value: 0, least: 'editor' },
	labels: { at: '/settings', value: 'blog', least: 'editor' },
	retention_months: { at: '/settings', value: 1, least: 'admin' },
	indexable: { at: '/settings', value: 1, least: 'admin' },
	embed_origins: { at: '/settings', value: 'https://example.com', least: 'admin' },
	recipients: { at: '/settings', value: ['somebody@example.com'], least: 'owner' },
};

test('[T85] an editor may not publish a website, change its password or embed origins, or shorten its retention', async () => {
	const known = [...Object.keys(updateWebsiteBody.shape), ...Object.keys(changeSettingsBody.shape)];
	assert.deepEqual(Object.keys(fields).sort(), known.sort(), 'every field of an update has a row');
	const website = await create();
	await owner.api('PUT', `/websites/${website.id}`, { form: { privacy: '1' } });
	const stored = async () => [
		(await owner.api('GET', `/websites/${website.id}`)).json,
		(await owner.api('GET', `/websites/${website.id}/settings`)).json,
	];
	for (const [name, { at, value, least }] of Object.entries(fields))
		for (const who of ['viewer', 'editor', 'admin'] as const) {
			const before = await stored();
			const json = { [name]: value };
			const { status } = await browsers[who]('PUT', `/websites/${website.id}${at}`, { json });
			const isAllowed = least !== 'owner' && (who === 'admin' || (who === 'editor' && least === 'editor'));
			assert.equal(status, isAllowed ? 200 : 403, `${name} by ${who}`);
			if (!isAllowed) assert.deepEqual(await stored(), before, `${name} by ${who} has changed nothing`);
		}
});

test('[T85] an editor may send back what was read: it changes nothing that is for admins', async () => {
	const website = await create();
	await owner.api('PUT', `/websites/${website.id}/settings`, {
		json: { retention_months: 12, embed_origins: 'https://example.com' },
	});
	for (const path of [`/websites/${website.id}`, `/websites/${website.id}/settings`]) {
		const { data } = z
			.object({ data: z.record(z.string(), z.unknown()) })
			.parse((await browsers.editor('GET', path)).json);
		assert.equal((await browsers.editor('PUT', path, { json: data })).status, 200, path);
		assert.deepEqual((await browsers.editor('GET', path)).json, { data });
	}
});

test('[T89] viewers are not told which addresses are excluded; editors, admins, the owner and keys are', async () => {
	const website = await create();
	const exclude_ips = '203.0.113.7\n10.0.0.0/8';
	await owner.api('PUT', `/websites/${website.id}`, { form: { exclude_ips } });
	const record = z.object({ id: z.int(), exclude_ips: z.string().nullable() });
	const read = z.object({ data: record });
	const listed = z.object({ data: z.array(record) });
	for (const who of ['owner', 'admin', 'editor', 'viewer'] as const) {
		const expected = who === 'viewer' ? null : exclude_ips;
		const one = await browsers[who]('GET', `/websites/${website.id}`);
		assert.equal(read.parse(one.json).data.exclude_ips, expected, who);
		const all = listed.parse((await browsers[who]('GET', '/websites?per_page=10')).json).data;
		assert.equal(all.find(({ id }) => id === website.id)?.exclude_ips, expected, `${who}, in a list`);
	}
	for (const kind of ['full', 'read', 'limited', 'limitedRead', 'manage'] as const) {
		const one = await (await callerOf(kind, website, elsewhere))('GET', `/websites/${website.id}`);
		assert.equal(read.parse(one.json).data.exclude_ips, exclude_ips, kind);
	}
	const one = await (await callerOf('stats', website, elsewhere))('GET', `/websites/${website.id}`);
	assert.equal(read.parse(one.json).data.exclude_ips, null, 'stats');
});

test('[T07][T11] the table has a row for every operation of the committed document', () => {
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
	assert.ok(operations.length >= 8);
	assert.deepEqual(
		operations.filter((operation) => matrix[operation] === undefined),
		[],
	);
	assert.deepEqual(
		operations.filter((operation) => scopesOf[operation] === undefined),
		[],
	);
});
