import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { assertProblem, assertStatus, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn, type Visitor } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const w = await world({ after }, { now: () => new Date('2026-11-19T09:00:00.000Z') });

type Person = TestAccount & { browser: Visitor };

async function person(): Promise<Person> {
	const account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	return { ...account, browser: await signedIn(w, account) };
}

const create = async (owner: TestAccount): Promise<Website> =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }), 201);

const proof = { password: goodPassword };
const invitation = z.object({ data: z.object({ id: z.int(), link: z.string() }) });

/** Requests of a page that shows an account. */
const asIn = (account: { id: number }) => ({ headers: { 'tidemark-account': String(account.id) } });

async function inviteOwner(by: Person, email: string, on: { id: number } = by): Promise<string> {
	const answer = await by.browser('POST', '/people/invitations', {
		...asIn(on),
		json: { role: 'owner', email, ...proof },
	});
	assert.equal(answer.status, 201, answer.text);
	return invitation.parse(answer.json).data.link.split('#token=')[1] ?? '';
}

/** A person who owns the account besides its primary owner. */
async function coOwner(of: Person): Promise<Person> {
	const other = await person();
	const token = await inviteOwner(of, other.email);
	assertStatus(await other.browser('POST', '/join', { json: { token } }), 200);
	return other;
}

const sessionSchema = z.object({
	data: z.object({
		person: z.object({ id: z.int() }),
		account: z.object({ id: z.int(), is_primary_owner: z.boolean() }),
		accounts: z.array(z.object({ id: z.int(), websites: z.int() })),
		two_factor: z.boolean(),
	}),
});
const sessionOf = async (who: Person, on?: { id: number }) =>
	sessionSchema.parse((await who.browser('GET', '/session', on ? asIn(on) : {})).json).data;

const peopleSchema = z.object({
	data: z.object({
		owners: z.array(z.object({ id: z.int(), is_primary: z.boolean() })),
		members: z.array(z.object({ id: z.int() })),
	}),
});
async function ownersOf(by: Person, account: { id: number }) {
	const answer = await by.browser('GET', '/people', asIn(account));
	assert.equal(answer.status, 200, answer.text);
	return peopleSchema.parse(answer.json).data.owners.map(({ id, is_primary: isPrimary }) => [id, isPrimary]);
}

const websiteIds = async (who: Person, account: { id: number }, query = ''): Promise<number[]> => {
	const answer = await who.browser('GET', `/websites${query}`, asIn(account));
	assert.equal(answer.status, 200, answer.text);
	return z
		.object({ data: z.array(z.object({ id: z.int() })) })
		.parse(answer.json)
		.data.map(({ id }) => id);
};

test('[C-OWN-1] an owner is invited by address and with proof, and can do what the inviter can', async () => {
	const founder = await person();
	const website = await create(founder);
	const other = await person();
	const ask = (json: Record<string, unknown>, path = '/people/invitations') =>
		founder.browser('POST', path, { json: { role: 'owner', ...json } });
	assertProblem(await ask({ ...proof }), 'validation_failed', ['email']);
	assertProblem(await ask({ email: other.email }), 'validation_failed', ['password']);
	assertProblem(await ask({ email: other.email, password: 'wrong password' }), 'validation_failed', [
		'password',
	]);
	assertProblem(
		await ask({ email: other.email, ...proof }, `/websites/${website.id}/people/invitations`),
		'validation_failed',
		['role'],
	);
	const token = await inviteOwner(founder, other.email);
	assertProblem(await (await person()).browser('POST', '/join', { json: { token } }), 'forbidden');
	assertProblem(await founder.browser('POST', '/join', { json: { token } }), 'validation_failed', ['token']);
	assertStatus(await other.browser('POST', '/join', { json: { token } }), 200);
	assert.deepEqual(await ownersOf(founder, founder), [
		[founder.id, true],
		[other.id, false],
	]);
	assert.deepEqual(await websiteIds(other, founder), [website.id]);
	for (const [method, path, json] of [
		['POST', '/keys', { name: 'Deploy', ...proof }],
		['POST', '/websites', { domain: freshDomain(), privacy: 1 }],
	] as const)
		assertStatus(await other.browser(method, path, { ...asIn(founder), json }), 201);
	for (const path of ['/keys', '/people', '/activity', '/account', '/reports/settings'])
		assertStatus(await other.browser('GET', path, asIn(founder)), 200);
	assertStatus(await other.browser('DELETE', `/websites/${website.id}`), 200);
});

test('[C-OWN-2] a member who becomes an owner is no longer a member', async () => {
	const founder = await person();
	const member = await person();
	const made = await founder.browser('POST', '/people/invitations', { json: { role: 'viewer' } });
	const token = invitation.parse(made.json).data.link.split('#token=')[1];
	assertStatus(await member.browser('POST', '/join', { json: { token } }), 200);
	const owning = await inviteOwner(founder, member.email);
	assertStatus(await member.browser('POST', '/join', { json: { token: owning } }), 200);
	const { data } = peopleSchema.parse((await founder.browser('GET', '/people')).json);
	assert.deepEqual([data.owners.length, data.members.length], [2, 0]);
});

test('[C-OWN-3] the primary owner stays until they make another owner primary, so an account always has an owner', async () => {
	const founder = await person();
	const other = await coOwner(founder);
	const remove = (by: Person, id: number, json: Record<string, unknown> = proof) =>
		by.browser('DELETE', `/owners/${id}`, { ...asIn(founder), json });
	assertProblem(await remove(other, founder.id), 'forbidden');
	assertProblem(await remove(founder, founder.id), 'forbidden');
	const makePrimary = (by: Person, id: number, json: Record<string, unknown> = proof) =>
		by.browser('PUT', `/owners/${id}/primary`, { ...asIn(founder), json });
	assertProblem(await makePrimary(other, other.id), 'forbidden');
	assertProblem(await makePrimary(founder, other.id, {}), 'validation_failed', ['password']);
	assertProblem(await makePrimary(founder, (await person()).id), 'not_found');
	assertStatus(await makePrimary(founder, other.id), 200);
	assert.deepEqual(await ownersOf(founder, founder), [
		[other.id, true],
		[founder.id, false],
	]);
	const { email } = z
		.object({ data: z.object({ email: z.string() }) })
		.parse((await founder.api('GET', '/account')).json).data;
	assert.equal(email, other.email, 'the address of the account is that of its primary owner');
	assertProblem(await remove(other, founder.id, {}), 'validation_failed', ['password']);
	assertStatus(await remove(other, founder.id), 200);
	assert.deepEqual(await ownersOf(other, founder), [[other.id, true]]);
});

test('[C-OWN-4] concurrent removals and changes leave exactly one primary owner', async () => {
	const founder = await person();
	const [a, b] = [await coOwner(founder), await coOwner(founder)];
	const act = (by: Person, method: string, path: string) =>
		by.browser(method, path, { ...asIn(founder), json: proof });
	await Promise.all([
		act(founder, 'PUT', `/owners/${a.id}/primary`),
		act(founder, 'PUT', `/owners/${b.id}/primary`),
		act(a, 'DELETE', `/owners/${b.id}`),
		act(b, 'DELETE', `/owners/${a.id}`),
	]);
	const rows = await w.sql<{ is_primary: boolean }>(
		'SELECT is_primary FROM account_owners WHERE account_id = $1',
		[founder.id],
	);
	assert.equal(rows.filter(({ is_primary: isPrimary }) => isPrimary).length, 1);
});

test('[C-OWN-5][T123] a removed owner is out at once, with everything that they had begun', async () => {
	const founder = await person();
	const website = await create(founder);
	const other = await coOwner(founder);
	const accomplice = await person();
	const open = invitation
		.parse(
			(
				await other.browser('POST', '/people/invitations', {
					...asIn(founder),
					json: { role: 'owner', email: accomplice.email, ...proof },
				})
			).json,
		)
		.data.link.split('#token=')[1];
	assertStatus(
		await other.browser('PUT', `/websites/${website.id}/offer`, {
			json: { email: accomplice.email, ...proof },
		}),
		200,
	);
	assertStatus(
		await founder.browser('DELETE', `/owners/${other.id}`, { ...asIn(founder), json: proof }),
		200,
	);
	for (const path of ['/websites', '/keys', '/people', '/account', '/activity'])
		assertProblem(await other.browser('GET', path, asIn(founder)), 'account_changed');
	assertStatus(await other.browser('GET', `/websites/${website.id}`), 404);
	assertProblem(await accomplice.browser('POST', '/join', { json: { token: open } }), 'link_dead');
	assertProblem(await accomplice.browser('POST', `/offers/${website.id}/accept`), 'not_found');
	const session = await sessionOf(other);
	assert.deepEqual(
		[session.account.id, session.accounts.map(({ id }) => id)],
		[other.id, [other.id]],
		'they work in their own account',
	);
});

test('[C-OWN-6] an owner leaves without proof, and who owns nothing else gets an empty account', async () => {
	const founder = await person();
	const other = await coOwner(founder);
	// The operator deletes the account that they came with.
	await w.sql('DELETE FROM accounts WHERE id = $1', [other.id]);
	assert.equal((await sessionOf(other)).account.id, founder.id);
	assertStatus(await other.browser('DELETE', `/owners/${other.id}`, asIn(founder)), 200);
	const { account, accounts } = await sessionOf(other);
	assert.equal(accounts.length, 1);
	assert.ok(account.id !== founder.id && account.is_primary_owner);
	assertProblem(
		await other.browser('POST', '/websites', { json: { domain: freshDomain() } }),
		'limit_reached',
		['domain'],
	);
});

test('[C-OWN-7] a page works in the account that it names, whatever other windows work in', async () => {
	const founder = await person();
	const website = await create(founder);
	const other = await coOwner(founder);
	const own = await create(other);
	assert.equal(
		(await sessionOf(other)).account.id,
		founder.id,
		'a new owner starts in the account they joined',
	);
	const switchTo = (id: number) =>
		other.browser('PUT', '/session/working-account', { json: { account_id: id } });
	assertStatus(await switchTo(other.id), 200);
	assert.equal((await sessionOf(other)).account.id, other.id);
	assert.deepEqual(await websiteIds(other, founder), [website.id], 'the older window');
	assert.deepEqual(await websiteIds(other, other), [own.id]);
	const created = await other.browser('POST', '/websites', {
		...asIn(founder),
		json: { domain: freshDomain() },
	});
	assert.ok((await websiteIds(founder, founder)).includes(websiteOf(created, 201).id));
	for (const id of [(await person()).id, 10 ** 9]) assertProblem(await switchTo(id), 'not_found');
	assertProblem(await other.browser('GET', '/websites', asIn(await person())), 'account_changed');
});

test('[C-OWN-8] password, second factor and sessions are those of the person in whichever account they work', async () => {
	const founder = await person();
	const other = await coOwner(founder);
	assertStatus(await other.browser('POST', '/session/two-factor', { ...asIn(founder), json: proof }), 200);
	assert.equal((await sessionOf(founder)).two_factor, false);
	const next = 'another good password';
	assertStatus(
		await other.browser('PUT', '/session/password', {
			...asIn(founder),
			json: { ...proof, new_password: next },
		}),
		200,
	);
	assertStatus(await founder.browser('GET', '/session'), 200);
	await assert.rejects(signedIn(w, other), 'the old password');
	await signedIn(w, founder);
	const browsers = await other.browser('GET', '/session/browsers', asIn(founder));
	assert.equal(z.object({ data: z.array(z.unknown()) }).parse(browsers.json).data.length, 1);
});

test('[C-OWN-9] a disabled account is closed to all its owners, who keep their other accounts', async () => {
	const founder = await person();
	const website = await create(founder);
	const other = await coOwner(founder);
	const own = await create(other);
	await w.sql('UPDATE accounts SET disabled_at = now() WHERE id = $1', [founder.id]);
	assertProblem(await founder.browser('GET', '/session'), 'unauthenticated');
	assertProblem(
		await founder.browser('POST', '/session', { json: { email: founder.email, password: goodPassword } }),
		'sign_in_failed',
	);
	assertProblem(await other.browser('GET', '/websites', asIn(founder)), 'account_changed');
	assertStatus(await other.browser('GET', `/websites/${website.id}`), 404);
	const session = await sessionOf(other);
	assert.deepEqual([session.account.id, session.accounts.length], [other.id, 1]);
	assert.deepEqual(await websiteIds(other, other), [own.id]);
});

test('[C-OWN-10] favorites and their order belong to a person; the API has one value per website', async () => {
	const founder = await person();
	const other = await coOwner(founder);
	const [a, b, c] = [await create(founder), await create(founder), await create(founder)];
	for (const { id } of [a, b]) assertStatus(await founder.browser('PUT', `/websites/${id}/favorite`), 200);
	assertStatus(await other.browser('PUT', `/websites/${c.id}/favorite`), 200);
	const favorites = (who: Person) => websiteIds(who, founder, '?favorite=1&sort=asc');
	assert.deepEqual(await favorites(founder), [a.id, b.id]);
	assert.deepEqual(await favorites(other), [c.id]);
	const first = async (who: Person) => {
		const answer = await who.browser(
			'GET',
			'/stats?period=7d&favorites_first=1&sort_by=id&sort=asc',
			asIn(founder),
		);
		return z
			.object({ data: z.array(z.object({ id: z.int(), favorite: z.int() })) })
			.parse(answer.json)
			.data.map(({ id, favorite }) => [id, favorite]);
	};
	assert.deepEqual(await first(founder), [
		[a.id, 1],
		[b.id, 1],
		[c.id, 0],
	]);
	assertStatus(
		await founder.browser('PUT', '/favorites', { json: { website_ids: [b.id, c.id, a.id] } }),
		200,
	);
	assert.deepEqual(await first(founder), [
		[b.id, 1],
		[a.id, 1],
		[c.id, 0],
	]);
	assert.deepEqual(await first(other), [
		[c.id, 1],
		[a.id, 0],
		[b.id, 0],
	]);
	const record = websiteOf(await founder.api('GET', `/websites/${a.id}`));
	assert.equal(record.favorite, 0, 'a key does not see the favorites of people');
	assert.equal(
		websiteOf(await founder.api('PUT', `/websites/${a.id}`, { form: { favorite: '1' } })).favorite,
		1,
	);
	// A page that changes the record changes the favorite of its person.
	const changed = await founder.browser('PATCH', `/websites/${a.id}`, { json: { favorite: 0 } });
	const seen = websiteOf(changed);
	assert.deepEqual([seen.favorite, seen.updated_at === record.updated_at], [0, false]);
	assert.equal(websiteOf(await founder.api('GET', `/websites/${a.id}`)).favorite, 1);
	assertStatus(await other.browser('DELETE', `/websites/${c.id}/favorite`), 200);
	assert.deepEqual(await favorites(other), []);
	assertStatus(await (await person()).browser('PUT', `/websites/${a.id}/favorite`), 404);
});

test('[C-OWN-11] the activity log names the person, and belongs to the account', async () => {
	const founder = await person();
	const other = await coOwner(founder);
	assertStatus(
		await other.browser('PUT', '/session/account', {
			...asIn(founder),
			json: { name: 'Agency', timezone: 'UTC' },
		}),
		200,
	);
	const log = async (who: Person, account: { id: number }) =>
		z
			.object({
				data: z.array(z.object({ what: z.string(), by: z.object({ person_id: z.int() }).nullable() })),
			})
			.parse((await who.browser('GET', '/activity', asIn(account))).json).data;
	const [newest] = await log(founder, founder);
	assert.deepEqual([newest?.what, newest?.by?.person_id], ['changeAccount', other.id]);
	assert.ok((await log(other, other)).every(({ what }) => what !== 'changeAccount'));
});

test('[C-OWN-12] websites that are offered to a person go to the account that they work in', async () => {
	const [founder, seller] = [await person(), await person()];
	const other = await coOwner(founder);
	const website = await create(seller);
	assertStatus(
		await seller.browser('PUT', `/websites/${website.id}/offer`, { json: { email: other.email, ...proof } }),
		200,
	);
	assertStatus(await other.browser('POST', `/offers/${website.id}/accept`, asIn(founder)), 200);
	assert.deepEqual(await websiteIds(founder, founder), [website.id]);
});

test('[C-OWN-13][T123] no key and no member can add, remove or appoint owners', async () => {
	const founder = await person();
	const other = await coOwner(founder);
	const admin = await person();
	const made = await founder.browser('POST', '/people/invitations', { json: { role: 'admin' } });
	const token = invitation.parse(made.json).data.link.split('#token=')[1];
	assertStatus(await admin.browser('POST', '/join', { json: { token } }), 200);
	for (const [method, path] of [
		['PUT', `/owners/${other.id}/primary`],
		['DELETE', `/owners/${other.id}`],
		['POST', '/people/invitations'],
	] as const) {
		const json = { ...proof, role: 'owner', email: admin.email };
		const isRoute = path === '/people/invitations';
		assertProblem(await founder.api(method, path, { json }), isRoute ? 'forbidden' : 'not_found');
		assertProblem(await admin.browser(method, path, { ...asIn(founder), json }), 'account_changed');
	}
	// In their own account there is no such owner.
	assertProblem(await admin.browser('DELETE', `/owners/${other.id}`, { json: proof }), 'not_found');
	assert.deepEqual(await ownersOf(founder, founder), [
		[founder.id, true],
		[other.id, false],
	]);
});
