/** What a key does to people: it gives nobody more than it can do, and no more mail than a person could send. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { z } from 'zod';
import type { Scope } from '../../server/accounts/key-limits.ts';
import { type Client, client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { startMailServer } from '../support/mail-server.ts';
import { linkPage } from '../support/share-links.ts';
import { givePassword, goodPassword, signedIn, type Visitor } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const server = await startMailServer({ after });
const start = Date.parse('2026-11-15T09:00:00.000Z');
let moment = start;
const w = await world(
	{ after },
	{
		now: () => new Date(moment),
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(server.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
beforeEach(async () => {
	moment = start;
	await w.sql('DELETE FROM attempts');
});

type Person = TestAccount & { browser: Visitor };
async function person(): Promise<Person> {
	const account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	return { ...account, browser: await signedIn(w, account) };
}
const create = async (of: TestAccount): Promise<Website> =>
	websiteOf(await of.api('POST', '/websites', { form: { domain: freshDomain('k'), privacy: '1' } }), 201);
const keyed = async (of: TestAccount, rights: Parameters<typeof w.key>[1]) => {
	const { id, key } = await w.key(of, rights);
	return { id, api: client(w.base, key) };
};

const shown = z.object({ data: z.object({ id: z.int(), link: z.string(), role: z.string() }) });
async function invite(api: Client, path: string, role: string) {
	const answer = await api('POST', `${path}/people/invitations`, { json: { role } });
	assertStatus(answer, 201);
	const { id, link } = shown.parse(answer.json).data;
	return { id, token: link.split('#token=')[1] ?? '' };
}
const join = (who: Person, token: string) => who.browser('POST', '/join', { json: { token } });
const memberOf = async (owner: TestAccount, website: Website | undefined, who: Person, role: string) => {
	const [row] = await w.sql(
		`INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())
		RETURNING id`,
		[owner.id, website?.id ?? null, who.id, role],
	);
	return Number(row?.id);
};

test('[T155][C-BYKEY-2] a key gives nobody a role that includes more than it can do', async () => {
	const owner = await person();
	const website = await create(owner);
	const someone = await person();
	const member = await memberOf(owner, website, someone, 'viewer');
	const enough: [string, Scope[]][] = [
		['viewer', ['people', 'stats']],
		['editor', ['people', 'stats', 'events', 'manage']],
		['admin', ['people', 'stats', 'events', 'manage', 'export']],
	];
	for (const [role, scopes] of enough) {
		for (const left of scopes) {
			const fewer = scopes.filter((scope) => scope !== left);
			const { api } = await keyed(owner, { scopes: fewer });
			for (const path of ['', `/websites/${website.id}`])
				assertProblem(await api('POST', `${path}/people/invitations`, { json: { role } }), 'forbidden');
			assertProblem(await api('PUT', `/members/${member}`, { json: { role } }), 'forbidden');
		}
		const { api } = await keyed(owner, { scopes });
		await invite(api, '', role);
		await invite(api, `/websites/${website.id}`, role);
		assertStatus(await api('PUT', `/members/${member}`, { json: { role } }), 200);
	}
	const { api } = await keyed(owner, { scopes: ['stats', 'events', 'manage', 'export', 'people'] });
	for (const by of [api, owner.api]) {
		const json = { role: 'owner', email: someone.email, password: goodPassword };
		assertProblem(await by('POST', '/people/invitations', { json }), 'forbidden');
		assertProblem(await by('PUT', `/members/${member}`, { json: { role: 'owner' } }), 'validation_failed', [
			'role',
		]);
	}
});

test('[T155][C-BYKEY-3] a key for some websites acts on these alone, whatever it names', async () => {
	const owner = await person();
	const [website, other] = [await create(owner), await create(owner)];
	const stranger = await person();
	const foreign = await create(stranger);
	const { api } = await keyed(owner, { websites: [website.id] });
	const everywhere = await memberOf(owner, undefined, await person(), 'viewer');
	const elsewhere = await memberOf(owner, other, await person(), 'viewer');
	const abroad = await memberOf(stranger, foreign, await person(), 'viewer');
	const role = { json: { role: 'admin' } };
	assertProblem(await api('PUT', `/members/${everywhere}`, role), 'forbidden');
	assertProblem(await api('DELETE', `/members/${everywhere}`), 'forbidden');
	for (const id of [elsewhere, abroad, 999_999]) {
		assertProblem(await api('PUT', `/members/${id}`, role), 'not_found');
		assertProblem(await api('DELETE', `/members/${id}`), 'not_found');
	}
	for (const { id } of [other, foreign])
		assertProblem(await api('POST', `/websites/${id}/people/invitations`, role), 'not_found');
	assertProblem(await api('POST', '/people/invitations', role), 'forbidden');
	const ofAccount = await invite(owner.api, '', 'viewer');
	const ofOther = await invite(owner.api, `/websites/${other.id}`, 'viewer');
	assertProblem(await api('DELETE', `/invitations/${ofAccount.id}`), 'forbidden');
	assertProblem(await api('DELETE', `/invitations/${ofOther.id}`), 'not_found');
	// What it may.
	const own = await invite(api, `/websites/${website.id}`, 'admin');
	const guest = await person();
	assertStatus(await join(guest, own.token), 200);
	const roles = (await guest.browser('GET', '/roles')).json as { data: { website_id: number }[] };
	assert.deepEqual(
		roles.data.map(({ website_id }) => website_id),
		[website.id],
	);
});

test('[T155][C-BYKEY-4] an invitation ends with its key, or with what the key could do', async () => {
	const owner = await person();
	const website = await create(owner);
	const other = await create(owner);
	const guest = await person();
	const ends: [string, (id: number) => Promise<unknown>][] = [
		['revoked', (id) => w.revokeKey(id)],
		['read-only', (id) => owner.api('PUT', `/keys/${id}`, { json: { access: 'read' } })],
		['fewer scopes', (id) => owner.api('PUT', `/keys/${id}`, { json: { scopes: ['people', 'stats'] } })],
		['other websites', (id) => owner.api('PUT', `/keys/${id}`, { json: { website_ids: [other.id] } })],
	];
	for (const [title, end] of ends) {
		const { id, api } = await keyed(owner, {});
		const { token } = await invite(api, `/websites/${website.id}`, 'admin');
		const before = await guest.browser('POST', '/join/look', { json: { token } });
		assertStatus(before, 200);
		assert.match(before.text, /"invited_by":"A test account"/);
		await end(id);
		assertProblem(await join(guest, token), 'link_dead');
		assertProblem(await guest.browser('POST', '/join/look', { json: { token } }), 'link_dead');
		assert.equal((await guest.browser('GET', `/websites/${website.id}`)).status, 404, title);
	}
	const { api } = await keyed(owner, { expiresAt: new Date(start + 86_400_000) });
	const { token } = await invite(api, '', 'viewer');
	moment += 86_400_000;
	const later = { ...guest, browser: await signedIn(w, guest) };
	assertProblem(await join(later, token), 'link_dead');
	// Rotating replaces the secret of the same key.
	const kept = await keyed(owner, {});
	const stays = await invite(kept.api, '', 'viewer');
	await w.rotateKey(kept.id);
	assertStatus(await join(later, stays.token), 200);
});

test('[T156][C-BYKEY-1] addresses of people are read by full keys and with the scope people alone', async () => {
	const owner = await person();
	const website = await create(owner);
	const guest = await person();
	await memberOf(owner, website, guest, 'viewer');
	const paths = [
		...['/people', '/activity', '/reports/recipients'],
		...[`/websites/${website.id}/people`, `/websites/${website.id}/activity`],
	];
	const refused: Parameters<typeof w.key>[1][] = [
		{ access: 'read' },
		{ access: 'read', websites: [website.id] },
		{ scopes: ['stats', 'events', 'manage', 'export'] },
	];
	for (const rights of refused) {
		const { api } = await keyed(owner, rights);
		for (const path of paths) {
			const answer = await api('GET', path);
			assertProblem(answer, 'forbidden');
			assert.ok(!answer.text.includes('@'), path);
		}
	}
	for (const rights of [{}, { scopes: ['people'] as const }]) {
		const { api } = await keyed(owner, rights);
		for (const path of paths) assertStatus(await api('GET', path), 200);
		assert.ok((await api('GET', `/websites/${website.id}/people`)).text.includes(guest.email));
	}
});

test('[T157][C-BYKEY-5] a key offers a website, and only a person takes it; limited keys do not', async () => {
	const owner = await person();
	const website = await create(owner);
	const path = `/websites/${website.id}/offer`;
	const receiver = await person();
	const json = { email: receiver.email };
	for (const rights of [
		{ access: 'read' as const },
		{ websites: [website.id] },
		{ scopes: ['stats', 'events', 'manage', 'export', 'people'] as const },
	]) {
		const { api } = await keyed(owner, rights);
		for (const method of ['GET', 'PUT', 'DELETE'])
			assertProblem(await api(method, path, method === 'PUT' ? { json } : {}), 'forbidden');
	}
	const offered = async () =>
		((await receiver.browser('GET', '/offers')).json as { data: { website_id: number }[] }).data.length;
	for (const end of [
		(id: number) => w.revokeKey(id),
		(id: number) => owner.api('PUT', `/keys/${id}`, { json: { access: 'read' } }),
		(id: number) => owner.api('PUT', `/keys/${id}`, { json: { website_ids: [website.id] } }),
	]) {
		const { id, api } = await keyed(owner, {});
		assertStatus(await api('PUT', path, { json }), 200);
		assert.equal(await offered(), 1);
		await end(id);
		assert.equal(await offered(), 0);
		assertProblem(await receiver.browser('POST', `/offers/${website.id}/accept`), 'not_found');
	}
	assertStatus(await owner.api('PUT', path, { json }), 200);
	// Not even the key of the receiver.
	for (const api of [owner.api, receiver.api])
		for (const below of ['/offers', `/offers/${website.id}/accept`])
			assertProblem(await api(below === '/offers' ? 'GET' : 'POST', below), 'not_found');
	assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 200);
	assertStatus(await receiver.browser('POST', `/offers/${website.id}/accept`), 200);
	assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 404);
});

test('[T158][C-BYKEY-6] more keys send no more mail', async () => {
	const owner = await person();
	const keys = [];
	for (let n = 0; n < 4; n++) keys.push((await keyed(owner, {})).api);
	const statuses: number[] = [];
	for (let n = 0; n < 24; n++) {
		const api = keys[n % keys.length] ?? owner.api;
		const json = { role: 'viewer', email: `guest-${n}@example.test` };
		statuses.push((await api('POST', '/people/invitations', { json })).status);
	}
	assert.ok(statuses.slice(0, 20).every((status) => status === 201));
	assert.ok(statuses.slice(20).includes(429), statuses.join());
	// An address is asked for consent as often by keys as by people.
	const ask = (by: Client | Visitor) =>
		by('POST', '/reports/recipients', { json: { email: 'reader@example.test' } });
	assertStatus(await ask(owner.api), 201);
	for (const by of [owner.api, owner.browser, (await keyed(owner, {})).api])
		assertProblem(await ask(by), 'too_many_requests');
	await w.sql('UPDATE people SET confirmed_at = NULL WHERE id = $1', [owner.id]);
	const json = { role: 'viewer', email: 'late@example.test' };
	await w.sql('DELETE FROM attempts');
	const unmailed = await owner.api('POST', '/people/invitations', { json });
	assert.match(unmailed.text, /"mailed":false/);
	assertProblem(
		await owner.api('POST', '/reports/recipients', { json: { email: 'new@example.test' } }),
		'address_unconfirmed',
	);
});

test('[T159][C-BYKEY-8] a board of an account shows websites of the account alone, and none of its keys sees those of people', async () => {
	const owner = await person();
	const website = await create(owner);
	const stranger = await person();
	const foreign = await create(stranger);
	// One of the owners is also an admin there.
	await memberOf(stranger, foreign, owner, 'admin');
	const cards = [foreign, website].map(({ id }) => ({ website_id: id, view: 'number' }));
	const made = await owner.api('POST', '/boards', { json: { name: 'Clients', cards } });
	assertStatus(made, 201);
	const { id } = (made.json as { data: { id: number } }).data;
	const link = await owner.api('POST', `/boards/${id}/share-links`, { json: { name: 'All' } });
	assertStatus(link, 201);
	const page = linkPage(() => w.base, (link.json as { data: { url: string } }).data);
	const opened = await page('GET', '/share-link');
	const { board } = (opened.json as { data: { board: { cards: { index: number }[] } } }).data;
	assert.deepEqual(
		board.cards.map(({ index }) => index),
		[1],
	);
	assert.ok(!opened.text.includes(foreign.domain));
	assertProblem(await page('GET', '/share-link/cards/0'), 'not_found');
	assertStatus(await page('GET', '/share-link/cards/1'), 200);

	const personal = await owner.browser('POST', '/boards', { json: { name: 'Private', cards: [] } });
	const { id: own } = (personal.json as { data: { id: number } }).data;
	assert.doesNotMatch((await owner.api('GET', '/boards')).text, /Private/);
	for (const [method, path] of [
		['GET', ''],
		['PUT', ''],
		['DELETE', ''],
		['GET', '/share-links'],
		['POST', '/share-links'],
	] as const)
		assertProblem(
			await owner.api(method, `/boards/${own}${path}`, method.startsWith('P') ? { json: { name: 'x' } } : {}),
			'not_found',
		);
	for (const by of [stranger.api, stranger.browser])
		assertProblem(await by('GET', `/boards/${id}`), 'not_found');
	// Links are for those who could share everything else.
	const reading = (await keyed(owner, { access: 'read' })).api;
	assertStatus(await reading('GET', `/boards/${id}`), 200);
	assertProblem(await reading('GET', `/boards/${id}/share-links`), 'forbidden');
	await w.sql('UPDATE accounts SET disabled_at = now() WHERE id = $1', [owner.id]);
	assertProblem(await page('GET', '/share-link'), 'not_found');
});
