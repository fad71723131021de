import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { changeSettingsBody } from '../../api/settings.ts';
import { updateWebsiteBody } from '../../api/websites.ts';
import { openActivity } from '../support/activity.ts';
import { type Call, client, send } from '../support/client.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { recordMountedRoutes } from '../support/mounted-routes.ts';
import { addMember, openPeople } from '../support/people-of-account.ts';
import { createLink, tokenOf } from '../support/share-links.ts';
import { signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';
import {
	hasChanged,
	mountedAs,
	type PageCaller,
	pageCallers,
	requestOf,
	rows,
} from './access-matrix-rows.ts';

/** Every operation of the API for people and share links, as pages call it: the status that each caller must get. */
const mounted = recordMountedRoutes();
const w = await world({ after });
const people = await openPeople(w);
const { owner } = people;
for (const role of ['admin', 'editor', 'viewer'] as const) await addMember(w, owner, people[role], role);
const activity = await openActivity({ after }, w);

const create = async (privacy = '1'): Promise<Website> =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy } }), 201);
/** For requests that change nothing. */
const standing = { private: await create(), public: await create('0') };

const filters = ['is', 'country', ['DE']];
const card = { website_id: standing.private.id, view: 'number' };
const board = await owner.browser('POST', '/boards', { json: { name: 'Clients', cards: [card] } });
const boardLink = await owner.browser(
	'POST',
	`/boards/${z.object({ data: z.object({ id: z.int() }) }).parse(board.json).data.id}/share-links`,
	{ json: { name: 'Client' } },
);
const tokens = {
	link: tokenOf(await createLink(owner, standing.private)),
	filteredLink: tokenOf(await createLink(owner, standing.private, { filters })),
	linkElsewhere: tokenOf(await createLink(owner, await create())),
	boardLink: tokenOf(z.object({ data: z.object({ url: z.url() }) }).parse(boardLink.json).data),
};

const ended = visitor(() => w.base);
const other = await signedIn(w, owner);
for (const [name, cookie] of other.cookies) ended.cookies.set(name, cookie);
await other('DELETE', '/session');

const nobody = visitor(() => w.base);

async function ask(caller: PageCaller, method: string, path: string, call: Call) {
	const answer = await askOnce(caller, method, path, call);
	// Statistics for the public have five seconds, which a busy machine may exceed.
	return answer.status === 503 ? askOnce(caller, method, path, call) : answer;
}

function askOnce(caller: PageCaller, method: string, path: string, call: Call) {
	const headers = { 'sec-fetch-site': 'same-origin', ...call.headers };
	switch (caller) {
		case 'link':
		case 'filteredLink':
		case 'linkElsewhere':
		case 'boardLink':
			return owner.browser(method, path, {
				...call,
				headers: { ...headers, 'x-share-link': tokens[caller] },
			});
		case 'key':
			return send(w.base, method, `/app/api${path}`, { ...call, headers, key: owner.key });
		case 'ended':
			return ended(method, path, call);
		case 'publicPage':
		case 'nobody':
			return nobody(method, path, call);
		default:
			return people[caller].browser(method, path, call);
	}
}

/** The operations leave more keys behind than an account may have. */
const makeRoomForKeys = () => w.sql(`DELETE FROM api_keys WHERE name IN ('x', 'One of many')`);

for (const [operation, { pages: expected, isLogged, isByOperator }] of Object.entries(rows)) {
	if (!expected) continue;
	test(`[T11][T80][T160] ${operation} by people and share links`, async () => {
		await makeRoomForKeys();
		const isChange = isLogged && !operation.startsWith('GET ');
		const refused = pageCallers.filter((caller) => expected[caller] >= 400);
		const succeeding = pageCallers.filter((caller) => expected[caller] < 400);
		const statuses: Partial<Record<PageCaller, number>> = {};
		const onPrivate = await requestOf(operation, { w, website: standing.private, api: owner.api });
		const onPublic = await requestOf(operation, { w, website: standing.public, api: owner.api });
		const before = await activity();
		const askAs = async (caller: PageCaller) => {
			const { method, path, call } = caller === 'publicPage' ? onPublic : onPrivate;
			statuses[caller] = (await ask(caller, method, path, call)).status;
		};
		await Promise.all(refused.map(askAs));
		// One after the other: a website has one export at a time.
		if (!isChange) for (const caller of succeeding) await askAs(caller);
		assert.deepEqual(await activity(), before, 'nothing is recorded of reads and refusals');
		for (const caller of isChange ? succeeding : []) {
			const website = await create();
			const { method, path, call } = await requestOf(operation, { w, website, api: owner.api });
			const earlier = await activity();
			const { status, text } = await ask(caller, method, path, call);
			statuses[caller] = status;
			const author = isByOperator ? undefined : people[caller as keyof typeof people]?.id;
			const later = hasChanged(text) ? { count: earlier.count + 1, author } : earlier;
			assert.deepEqual(await activity(), later, `${caller}: the activity log`);
		}
		assert.deepEqual(statuses, expected);
	});
}

test('[T11] the table has a row for every route of the API at /app/api', () => {
	const all = mounted();
	for (const [operation, { pages }] of Object.entries(rows))
		assert.equal(all.includes(mountedAs(operation, '/app/api')), pages !== undefined, operation);
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
			const { status } = await people[who].browser('PUT', `/websites/${website.id}${at}`, { json });
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
			.parse((await people.editor.browser('GET', path)).json);
		assert.equal((await people.editor.browser('PUT', path, { json: data })).status, 200, path);
		assert.deepEqual((await people.editor.browser('GET', path)).json, { data });
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
		const one = await people[who].browser('GET', `/websites/${website.id}`);
		assert.equal(read.parse(one.json).data.exclude_ips, expected, who);
		const all = listed.parse((await people[who].browser('GET', '/websites?per_page=10')).json).data;
		assert.equal(all.find(({ id }) => id === website.id)?.exclude_ips, expected, `${who}, in a list`);
	}
	const readBy = async (rights: Parameters<typeof w.key>[1]) => {
		const { key } = await w.key(owner, rights);
		const one = await client(w.base, key)('GET', `/websites/${website.id}`);
		return read.parse(one.json).data.exclude_ips;
	};
	const websites = [website.id];
	for (const rights of [
		{},
		{ websites },
		{ access: 'read' as const, websites },
		{ scopes: ['manage'] as const },
	])
		assert.equal(await readBy(rights), exclude_ips, JSON.stringify(rights));
	assert.equal(await readBy({ scopes: ['stats'] }), null, 'stats');
});
