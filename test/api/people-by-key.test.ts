/** Members, transfers, reports and boards with an API key. What keys must not do is in test/threats/people-by-key.test.ts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { givePassword, signedIn } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
await givePassword(w, owner);
const browser = await signedIn(w, owner);
const { api } = owner;
const website = websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const dataOf = <T>(answer: { json: unknown }) => (answer.json as { data: T }).data;

test('[C-BYKEY-1] an invitation by key is accepted by a person; the member is listed, changed and removed by key', async () => {
	const guest = await w.account({ timezone: 'UTC' });
	await givePassword(w, guest);
	const theirs = await signedIn(w, guest);
	const path = `/websites/${website.id}/people`;
	const made = await api('POST', `${path}/invitations`, { form: { role: 'viewer' } });
	assertStatus(made, 201);
	assert.equal(made.headers['cache-control'], 'no-store');
	const { link, mailed, ...invitation } = dataOf<{ id: number; link: string; mailed: boolean }>(made);
	assert.deepEqual([mailed, link.startsWith(`${w.publicUrl}/join#token=`)], [false, true]);
	type People = { owners: object[]; members: { id: number; role: string }[]; invitations: object[] };
	const listed = await api('GET', path);
	assert.deepEqual(dataOf<People>(listed).invitations, [invitation]);
	assert.ok(!listed.text.includes(link.split('=')[1] ?? ''));
	const joined = await theirs('POST', '/join', { json: { token: link.split('#token=')[1] } });
	assertStatus(joined, 200);
	const { owners, members, invitations } = dataOf<People>(await api('GET', path));
	assert.deepEqual([owners.length, members.length, invitations.length], [1, 1, 0]);
	const [member] = members;
	for (const method of ['PUT', 'PATCH']) {
		const changed = await api(method, `/members/${member?.id}`, { json: { role: 'editor' } });
		assert.deepEqual(dataOf(changed), { ...member, role: 'editor' });
	}
	assertProblem(await api('PUT', `/members/${member?.id}`, { json: { role: 'king' } }), 'validation_failed', [
		'role',
	]);
	assert.deepEqual(dataOf(await api('DELETE', `/members/${member?.id}`)), {
		...{ id: member?.id, object: 'member', deleted: true },
	});
	assert.equal((await theirs('GET', `/websites/${website.id}`)).status, 404);
	type Change = { what: string; key: { name: string } | null; website: { id: number } | null };
	const log = dataOf<(Change & { subject: { person_id: number } | null })[]>(
		await api('GET', `/websites/${website.id}/activity`),
	);
	assert.deepEqual(
		log.slice(0, 3).map(({ what, key, subject }) => [what, key !== null, subject?.person_id]),
		[
			['removeMember', true, guest.id],
			['changeRole', true, guest.id],
			['changeRole', true, guest.id],
		],
	);
	assert.deepEqual(
		log.map(({ what }) => what).filter((what) => what === 'invite' || what === 'join'),
		['join', 'invite'],
	);
});

test('[C-BYKEY-7] a retry with the same Idempotency-Key returns the same invitation, and only to the same API key', async () => {
	const headers = { 'idempotency-key': 'onboarding-1' };
	const ask = (by: typeof api) => by('POST', '/people/invitations', { json: { role: 'viewer' }, headers });
	const first = await ask(api);
	assertStatus(first, 201);
	assert.equal((await ask(api)).text, first.text);
	const other = client(w.base, (await w.key(owner)).key);
	assertProblem(await ask(other), 'idempotency_conflict');
	const { id } = dataOf<{ id: number }>(first);
	assertStatus(await api('DELETE', `/invitations/${id}`), 200);
	assertProblem(await api('DELETE', `/invitations/${id}`), 'not_found');
});

test('[C-BYKEY-5] the offer of a website is read and withdrawn by key', async () => {
	const path = `/websites/${website.id}/offer`;
	assert.equal(dataOf(await api('GET', path)), null);
	const offered = await api('PUT', path, { form: { email: 'buyer@example.test' } });
	assertStatus(offered, 200);
	assert.deepEqual(dataOf(await api('GET', path)), dataOf(offered));
	assert.deepEqual(dataOf(await api('DELETE', path)), { id: website.id, object: 'offer', deleted: true });
	assertProblem(await api('DELETE', path), 'not_found');
});

test('[C-BYKEY-9] the schedule, the reports and the feed are there for keys as for people', async () => {
	const changed = await api('PATCH', '/reports/settings', { form: { schedule: 'month', digest: 'true' } });
	assertStatus(changed, 200);
	assert.deepEqual((await browser('GET', '/reports/settings')).json, changed.json);
	assert.deepEqual(dataOf(changed), { schedule: 'month', digest: true, can_mail: false });
	const reports = await api('GET', `/websites/${website.id}/reports`);
	assertStatus(reports, 200);
	assert.deepEqual(dataOf(reports), []);
	const feed = `/websites/${website.id}/feed`;
	assert.equal(dataOf(await api('GET', feed)), null);
	const made = await api('POST', feed);
	assertStatus(made, 201);
	const { url, created_at } = dataOf<{ url: string; created_at: string }>(made);
	assert.deepEqual(dataOf(await api('GET', feed)), { created_at });
	assert.equal((await fetch(url.replace(w.publicUrl, w.base))).status, 200);
	assertStatus(await api('DELETE', feed), 200);
	assert.equal((await fetch(url.replace(w.publicUrl, w.base))).status, 404);
	const stats = client(w.base, (await w.key(owner, { scopes: ['stats'] })).key);
	assertStatus(await stats('GET', `/websites/${website.id}/reports`), 200);
	assertProblem(await stats('GET', feed), 'forbidden');
	assertProblem(await stats('GET', '/reports/settings'), 'forbidden');
});

test('[C-BYKEY-8] boards by key belong to the account: its owners have them besides their own', async () => {
	const cards = [{ website_id: website.id, view: 'number' }];
	const made = await api('POST', '/boards', { json: { name: 'Agency', cards } });
	assertStatus(made, 201);
	const board = dataOf<{ id: number; of: string; cards: object[] }>(made);
	assert.deepEqual([board.of, board.cards.length], ['account', 1]);
	const personal = dataOf<{ id: number; of: string }>(
		await browser('POST', '/boards', { json: { name: 'Mine', cards: [] } }),
	);
	const shared = dataOf<{ id: number; of: string }>(
		await browser('POST', '/boards', { json: { name: 'Ours', cards: [], of: 'account' } }),
	);
	type Listed = { name: string; of: string; cards: number }[];
	const namesOf = async (by: typeof api) =>
		dataOf<Listed>(await by('GET', '/boards?per_page=100')).map(({ name, of }) => [name, of]);
	assert.deepEqual(await namesOf(api), [
		['Agency', 'account'],
		['Ours', 'account'],
	]);
	assert.deepEqual(await namesOf(browser), [
		['Agency', 'account'],
		['Mine', 'person'],
		['Ours', 'account'],
	]);
	assert.deepEqual([personal.of, shared.of], ['person', 'account']);
	// Another owner has the boards of the account, and not those of this person.
	const other = await w.account();
	await givePassword(w, other);
	await w.sql(
		'INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES ($1, $2, false, now())',
		[owner.id, other.id],
	);
	const theirs = await signedIn(w, other);
	const inAccount = { headers: { 'tidemark-account': String(owner.id) } };
	const replaced = await theirs('PUT', `/boards/${board.id}`, {
		...inAccount,
		json: { name: 'Agency 2', cards },
	});
	assertStatus(replaced, 200);
	assertProblem(await theirs('GET', `/boards/${personal.id}`, inAccount), 'not_found');
	await w.sql('DELETE FROM account_owners WHERE account_id = $1 AND person_id = $2', [owner.id, other.id]);
	assertProblem(await theirs('GET', `/boards/${board.id}`), 'not_found');
	const links = `/boards/${board.id}/share-links`;
	const link = await api('POST', links, { form: { name: 'Client', password: 'high water' } });
	assertStatus(link, 201);
	const { id } = dataOf<{ id: number }>(link);
	assert.deepEqual(dataOf(await browser('GET', links)), [dataOf(link)]);
	assert.deepEqual(dataOf(await api('DELETE', `${links}/${id}`)), {
		id,
		object: 'share_link',
		deleted: true,
	});
	assert.deepEqual(dataOf(await api('DELETE', `/boards/${board.id}`)), {
		...{ id: board.id, object: 'board', deleted: true },
	});
	assertProblem(await browser('GET', `/boards/${board.id}`), 'not_found');
	assertProblem(await api('POST', '/boards', { json: { name: 'x', of: 'team' } }), 'validation_failed', [
		'of',
	]);
	await w.sql(
		`INSERT INTO boards (owner_id, name, period, cards, created_at, updated_at)
		SELECT $1, 'Board', '30d', '[]', now(), now() FROM generate_series(1, 98)`,
		[owner.id],
	);
	const answers = await Promise.all(
		Array.from({ length: 4 }, () => api('POST', '/boards', { json: { name: 'x' } })),
	);
	assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422]);
});
