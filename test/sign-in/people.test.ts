import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { client } from '../support/client.ts';
import {
	assertProblem,
	assertStatus,
	freshDomain,
	listOf,
	type Website,
	websiteOf,
} from '../support/contract.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

let moment = Date.parse('2026-11-15T09:00:00.000Z');
const w = await world({ after }, { now: () => new Date(moment) });
const day = 86_400_000;
const anyone = () => visitor(() => w.base);

type Person = TestAccount & { browser: Visitor };

async function person(about: Parameters<typeof w.account>[0] = {}): Promise<Person> {
	const account = await w.account({ timezone: 'UTC', ...about });
	await givePassword(w, account);
	return { ...account, browser: await signedIn(w, account) };
}

const create = async (of: TestAccount, form: Record<string, string> = {}): Promise<Website> =>
	websiteOf(
		await of.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1', ...form } }),
		201,
	);

const invitation = z.object({
	data: z.object({ id: z.int(), link: z.string(), role: z.string(), email: z.string().nullable() }),
});
const tokenOf = (link: string) => link.split('#token=')[1] ?? '';

/** `on`: a website; else the whole account. */
async function invite(by: Person, role: string, on?: Website, email?: string) {
	const answer = await by.browser('POST', `${on ? `/websites/${on.id}` : ''}/people/invitations`, {
		json: { role, email },
	});
	assert.equal(answer.status, 201, answer.text);
	const { data } = invitation.parse(answer.json);
	return { ...data, token: tokenOf(data.link) };
}

async function join(who: Person, token: string): Promise<void> {
	assertStatus(await who.browser('POST', '/join', { json: { token } }), 200);
}

/** A new person with a role. */
async function member(by: Person, role: string, on?: Website): Promise<Person> {
	const who = await person();
	await join(who, (await invite(by, role, on)).token);
	return who;
}

const peopleSchema = z.object({
	data: z.object({
		owners: z.array(
			z.object({
				id: z.int(),
				person: z.object({ name: z.string(), email: z.string() }),
				is_primary: z.boolean(),
			}),
		),
		members: z.array(
			z.object({ id: z.int(), person: z.object({ email: z.string() }), role: z.string(), of: z.string() }),
		),
		invitations: z.array(z.object({ id: z.int(), role: z.string(), email: z.string().nullable() })),
	}),
});
async function peopleOf(by: Person, on?: Website) {
	const answer = await by.browser('GET', `${on ? `/websites/${on.id}` : ''}/people`);
	assert.equal(answer.status, 200, answer.text);
	return peopleSchema.parse(answer.json).data;
}
async function memberId(by: Person, who: Person, on?: Website): Promise<number> {
	const found = (await peopleOf(by, on)).members.find(({ person: { email } }) => email === who.email);
	assert.ok(found, `${who.email} is a member`);
	return found.id;
}

const changesSchema = z.object({
	data: z.array(
		z.object({
			what: z.string(),
			by: z.object({ person_id: z.int(), email: z.string().nullable() }).nullable(),
			key: z.object({ id: z.int(), name: z.string().nullable() }).nullable(),
			website: z.object({ id: z.int(), domain: z.string().nullable() }).nullable(),
			subject: z.object({ person_id: z.int(), name: z.string().nullable() }).nullable(),
		}),
	),
	meta: z.object({ total: z.int() }),
});
async function changesOf(by: Person, on?: Website, query = '?per_page=100') {
	const answer = await by.browser('GET', `${on ? `/websites/${on.id}` : ''}/activity${query}`);
	assert.equal(answer.status, 200, answer.text);
	return changesSchema.parse(answer.json);
}

const sees = async (who: Person, { id }: Website) => (await who.browser('GET', `/websites/${id}`)).status;
const changes = async (who: Person, { id }: Website) =>
	(await who.browser('PATCH', `/websites/${id}`, { json: { email: 1 } })).status;

test('[C-PEOPLE-1][T79] an invitation is a link that is shown once and stored as a digest', async () => {
	const owner = await person();
	const website = await create(owner);
	const made = await invite(owner, 'editor', website, 'Bo@Example.test');
	assert.match(made.link, /^https:\/\/stats\.example\.test\/join#token=[\w-]{43}$/);
	assert.deepEqual([made.role, made.email], ['editor', 'Bo@Example.test']);
	const listed = await owner.browser('GET', `/websites/${website.id}/people`);
	assert.ok(!listed.text.includes(made.token), 'it is not shown again');
	const stored = await w.sql('SELECT * FROM invitations');
	assert.ok(!JSON.stringify(stored).includes(made.token));
	const looked = await anyone()('POST', '/join/look', { json: { token: made.token } });
	assert.deepEqual(looked.json, {
		data: {
			role: 'editor',
			invited_by: 'A test account',
			owner: 'A test account',
			website: { id: website.id, domain: website.domain },
			email: 'Bo@Example.test',
			expires_at: new Date(moment + 7 * day).toISOString(),
		},
	});
	const elsewhere = await owner.browser('POST', '/people/invitations', {
		json: { role: 'viewer' },
		headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
	});
	assert.ok(!elsewhere.text.includes('evil'), 'no word of a request is in a link');
	for (const json of [
		{},
		{ role: 'owner' },
		{ role: ['admin'] },
		{ role: 'viewer', email: 'nobody' },
		{ role: 'viewer', email: 'a\0@example.test' },
	])
		assert.equal((await owner.browser('POST', '/people/invitations', { json })).status, 422);
	await w.sql(
		`INSERT INTO invitations (digest, owner_id, role, invited_by, created_at, expires_at)
		SELECT sha256(n::text::bytea), $1, 'viewer', $1, now(), 'infinity' FROM generate_series(1, 98) n`,
		[owner.id],
	);
	const refused = await owner.browser('POST', '/people/invitations', { json: { role: 'viewer' } });
	assertProblem(refused, 'limit_reached');
	await w.sql(`DELETE FROM invitations WHERE expires_at = 'infinity'`);
});

test('[C-PEOPLE-2][T79] an invitation is good once, for seven days, and until it is withdrawn', async () => {
	const owner = await person();
	const website = await create(owner);
	const dead = async (token: string, why: string) => {
		for (const path of ['/join/look', '/join/account'])
			assertProblem(
				await anyone()('POST', path, {
					json: { token, name: 'X', email: 'x@example.test', password: goodPassword },
				}),
				'link_dead',
			);
		const someone = await person();
		assertProblem(await someone.browser('POST', '/join', { json: { token } }), 'link_dead');
		assert.equal(await sees(someone, website), 404, why);
	};
	const used = await invite(owner, 'viewer', website);
	const [first, second] = [await person(), await person()];
	const answers = await Promise.all(
		[first, second].map(({ browser }) => browser('POST', '/join', { json: { token: used.token } })),
	);
	assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410], 'of two at once one succeeds');
	await dead(used.token, 'used');
	const withdrawn = await invite(owner, 'viewer', website);
	assertStatus(await owner.browser('DELETE', `/invitations/${withdrawn.id}`), 200);
	assertProblem(await owner.browser('DELETE', `/invitations/${withdrawn.id}`), 'not_found');
	await dead(withdrawn.token, 'withdrawn');
	const old = await invite(owner, 'viewer', website);
	const admin = await member(owner, 'admin', website);
	const byAdmin = await invite(admin, 'viewer', website);
	assertStatus(
		await owner.browser('PUT', `/members/${await memberId(owner, admin, website)}`, {
			json: { role: 'editor' },
		}),
		200,
	);
	await dead(byAdmin.token, 'made by somebody who is no longer admin');
	const disabled = await member(owner, 'admin', website);
	const byDisabled = await invite(disabled, 'viewer', website);
	await w.operate('account.disable', { email: disabled.email, disabled: true });
	await dead(byDisabled.token, 'made by somebody who is disabled');
	moment += 7 * day;
	owner.browser = await signedIn(w, owner);
	await dead(old.token, 'too old');
	await dead('x'.repeat(43), 'never was');
	assert.deepEqual((await peopleOf(owner, website)).invitations, []);
});

test('[C-PEOPLE-3] whoever accepts has the role; a better one stays; a named address is the only one', async () => {
	const owner = await person();
	const website = await create(owner);
	const admin = await member(owner, 'admin', website);
	await join(admin, (await invite(owner, 'viewer', website)).token);
	assert.equal((await peopleOf(owner, website)).members[0]?.role, 'admin', 'the better one');
	const viewer = await member(owner, 'viewer', website);
	await join(viewer, (await invite(owner, 'editor', website)).token);
	assert.equal(await changes(viewer, website), 200);
	const own = await owner.browser('POST', '/join', {
		json: { token: (await invite(owner, 'viewer', website)).token },
	});
	assert.equal(own.status, 422);
	const named = await invite(owner, 'viewer', website, viewer.email.toUpperCase());
	const other = await person();
	assertProblem(await other.browser('POST', '/join', { json: { token: named.token } }), 'forbidden');
	assert.equal(await sees(other, website), 404);
	await join(viewer, named.token);
});

test('[C-PEOPLE-4] an invitation makes an account that is signed in and a member', async () => {
	const owner = await person();
	const website = await create(owner);
	const named = await invite(owner, 'viewer', website, 'invited@example.test');
	const browser = anyone();
	const about = { name: 'Ina', password: goodPassword, locale: 'de', timezone: 'Europe/Berlin' };
	const short = await browser('POST', '/join/account', {
		json: { ...about, token: named.token, password: 'x' },
	});
	assert.equal(short.status, 422);
	const made = await browser('POST', '/join/account', {
		json: { ...about, token: named.token, email: 'another@example.test' },
	});
	assertStatus(made, 200);
	const { person: account } = z
		.object({ data: z.object({ person: z.object({ id: z.int(), email: z.string(), locale: z.string() }) }) })
		.parse((await browser('GET', '/session')).json).data;
	assert.deepEqual(
		[account.email, account.locale],
		['invited@example.test', 'de'],
		'the invitation names it',
	);
	assert.equal((await browser('GET', `/websites/${website.id}`)).status, 200);
	const open = await invite(owner, 'viewer', website);
	const taken = await anyone()('POST', '/join/account', {
		json: { ...about, token: open.token, email: 'Invited@example.test' },
	});
	assert.equal(taken.status, 422);
	assert.equal(taken.headers['set-cookie'], undefined);
	const without = await anyone()('POST', '/join/account', { json: { ...about, token: open.token } });
	assert.equal(without.status, 422, 'an address is needed');
	const good = await anyone()('POST', '/join/account', {
		json: { ...about, token: open.token, email: 'open@example.test' },
	});
	assertStatus(good, 200);
	assert.deepEqual((await peopleOf(owner, website)).members.map(({ person: { email } }) => email).sort(), [
		'invited@example.test',
		'open@example.test',
	]);
});

test('[T02] an invitation does not serve to ask for many addresses', async () => {
	const owner = await person();
	const { token } = await invite(owner, 'viewer');
	const statuses: number[] = [];
	for (let n = 0; n < 14; n++) {
		const answer = await anyone()('POST', '/join/account', {
			json: { token, name: 'X', email: owner.email, password: goodPassword },
		});
		statuses.push(answer.status);
	}
	assert.deepEqual([...new Set(statuses)], [422, 429]);
	assert.ok(statuses.filter((status) => status === 422).length <= 11);
});

test('[C-PEOPLE-5][T11] what each role may do about people', async () => {
	const owner = await person();
	const website = await create(owner);
	const [viewer, editor, admin] = await Promise.all(
		['viewer', 'editor', 'admin'].map((role) => member(owner, role, website)),
	);
	const everywhere = await member(owner, 'admin');
	const stranger = await person();
	assert.ok(viewer && editor && admin);
	const victim = await member(owner, 'viewer', website);
	const id = await memberId(owner, victim, website);
	const pending = await invite(owner, 'viewer', website);
	const requests = [
		['GET', `/websites/${website.id}/people`],
		['POST', `/websites/${website.id}/people/invitations`, { role: 'viewer' }],
		['PUT', `/members/${id}`, { role: 'admin' }],
		['DELETE', `/members/${id}`],
		['DELETE', `/invitations/${pending.id}`],
		['GET', `/websites/${website.id}/activity`],
	] as const;
	for (const [who, status] of [
		[viewer, 403],
		[editor, 403],
		[stranger, 404],
	] as const)
		for (const [method, path, json] of requests) {
			const answer = await who.browser(method, path, json ? { json } : {});
			assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
		}
	for (const [method, path, json] of requests) {
		const answer = await anyone()(method, path, json ? { json } : {});
		assert.equal(answer.status, 401, `${method} ${path} by nobody`);
	}
	assert.equal(await changes(viewer, website), 403);
	assert.equal(await changes(editor, website), 200);
	const rename = (who: Person) =>
		who.browser('PATCH', `/websites/${website.id}/domain`, { json: { domain: freshDomain() } });
	assert.equal((await rename(editor)).status, 403);
	assert.equal((await rename(admin)).status, 200);
	// An admin decides about members of the website, and no further.
	assert.equal((await admin.browser('PUT', `/members/${id}`, { json: { role: 'admin' } })).status, 200);
	assert.equal((await admin.browser('PUT', `/members/${id}`, { json: { role: 'owner' } })).status, 422);
	const wide = await memberId(owner, everywhere, website);
	for (const method of ['PUT', 'DELETE'])
		assertProblem(
			await admin.browser(method, `/members/${wide}`, method === 'PUT' ? { json: { role: 'viewer' } } : {}),
			'not_found',
		);
	const seen = await peopleOf(admin, website);
	assert.equal(seen.owners[0]?.person.email, owner.email);
	assert.ok(!seen.members.some(({ person: { email } }) => email === owner.email), 'the owner is no member');
	assert.equal(seen.members.find((one) => one.id === wide)?.of, 'account');
	for (const who of [admin, everywhere]) {
		const offer = await who.browser('PUT', `/websites/${website.id}/offer`, { json: { email: who.email } });
		assertProblem(offer, 'forbidden');
	}
	// Their own account is all that they can invite to as a whole.
	const { token } = await invite(admin, 'viewer');
	const guest = await person();
	await join(guest, token);
	assert.equal(await sees(guest, website), 404);
});

test('[C-PEOPLE-6] members see what is shared in their lists, keys do not', async () => {
	const owner = await person();
	const other = await person();
	const shared = [await create(owner, { domain: 'b-shared.example' }), await create(owner)];
	const single = await create(other, { domain: 'c-single.example' });
	await create(other);
	const who = await person();
	const own = await create(who, { domain: 'a-own.example' });
	await create(await person(), { domain: 'd-strange.example' });
	await join(who, (await invite(owner, 'viewer')).token);
	await join(who, (await invite(other, 'editor', single)).token);
	await join(who, (await invite(owner, 'admin', shared[0])).token);
	const later = await create(owner, { domain: 'b-shared-too.example' });
	const expected = [own, ...shared, single, later].map(({ id }) => id).sort((a, b) => a - b);
	const list = async (query: string) => {
		const answer = await who.browser('GET', `/websites?${query}`);
		assert.equal(answer.status, 200, answer.text);
		return z
			.object({
				data: z.array(z.object({ id: z.int(), domain: z.string() })),
				meta: z.object({ total: z.int() }),
			})
			.parse(answer.json);
	};
	const all = await list('sort=asc&sort_by=id');
	assert.deepEqual(
		all.data.map(({ id }) => id),
		expected,
	);
	assert.equal(all.meta.total, expected.length);
	const byDomain = (await list('sort=asc&sort_by=domain')).data.map(({ domain }) => domain);
	assert.deepEqual(byDomain, byDomain.toSorted());
	assert.deepEqual(
		(await list('search=b-shared')).data.map(({ id }) => id).sort((a, b) => a - b),
		[shared[0]?.id, later.id],
	);
	const overview = z
		.object({ data: z.array(z.object({ id: z.int() })), meta: z.object({ total: z.int() }) })
		.parse((await who.browser('GET', '/stats?period=7d&per_page=100')).json);
	assert.deepEqual(
		overview.data.map(({ id }) => id).sort((a, b) => a - b),
		expected,
	);
	const roles = z
		.object({ data: z.array(z.object({ website_id: z.int(), role: z.string() })) })
		.parse((await who.browser('GET', '/roles')).json).data;
	assert.deepEqual(
		roles.map(({ website_id: id, role }) => [id, role]).sort(),
		[
			[shared[0]?.id, 'admin'],
			[shared[1]?.id, 'viewer'],
			[single.id, 'editor'],
			[later.id, 'viewer'],
		].sort(),
	);
	const roleOn = async ({ id }: Website) =>
		z
			.object({ data: z.object({ role: z.string() }) })
			.parse((await who.browser('GET', `/websites/${id}/share`)).json).data.role;
	assert.deepEqual([await roleOn(own), await roleOn(single)], ['owner', 'editor']);
	const ids = (answer: Parameters<typeof listOf>[0]) => listOf(answer).data.map(({ id }) => id);
	assert.deepEqual(ids(await who.api('GET', '/websites')), [own.id], 'a key is for its own account');
	assert.equal((await who.api('GET', `/websites/${single.id}`)).status, 404);
	assert.deepEqual(
		z.object({ data: z.array(z.object({ id: z.int() })) }).parse((await who.api('GET', '/stats')).json).data,
		[{ id: own.id }],
	);
});

test('[C-PEOPLE-6] a list of many accounts is cut into pages without a gap or a double', async () => {
	const owners = [await person(), await person(), await person()];
	const who = await person();
	for (const owner of owners) {
		for (let n = 0; n < 9; n++) await create(owner, { domain: `same-${n}.example` });
		await join(who, (await invite(owner, 'viewer')).token);
	}
	for (const sort of ['asc', 'desc']) {
		const seen: number[] = [];
		for (const page of [1, 2, 3]) {
			const answer = await who.browser('GET', `/websites?sort_by=domain&sort=${sort}&page=${page}`);
			seen.push(
				...z
					.object({ data: z.array(z.object({ id: z.int() })) })
					.parse(answer.json)
					.data.map(({ id }) => id),
			);
		}
		assert.equal(new Set(seen).size, 27, sort);
	}
});

test('[C-PEOPLE-7][T14] a role that is changed or taken away holds at the next request', async () => {
	const owner = await person();
	const website = await create(owner);
	const who = await member(owner, 'viewer', website);
	const id = await memberId(owner, who, website);
	assert.equal(await changes(who, website), 403);
	assertStatus(await owner.browser('PUT', `/members/${id}`, { json: { role: 'editor' } }), 200);
	assert.equal(await changes(who, website), 200);
	const stream = await fetch(`${w.base}/app/api/websites/${website.id}/live/stream`, {
		headers: { cookie: [...who.browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ') },
	});
	assert.equal(stream.status, 200);
	const reader = stream.body?.getReader();
	assert.ok(reader);
	await reader.read();
	assertStatus(await owner.browser('DELETE', `/members/${id}`), 200);
	assert.equal(await sees(who, website), 404);
	assert.equal(await changes(who, website), 404);
	assert.deepEqual(
		z.object({ data: z.array(z.unknown()) }).parse((await who.browser('GET', '/websites')).json).data,
		[],
	);
	assertProblem(await owner.browser('DELETE', `/members/${id}`), 'not_found');
	const [removed, , changed] = (await changesOf(owner)).data;
	assert.deepEqual(
		[removed?.what, removed?.subject?.person_id, changed?.what, changed?.subject?.person_id],
		['removeMember', who.id, 'changeRole', who.id],
	);
	// The next thing that would be told ends the stream instead.
	const url = `https://${website.domain}/`;
	assert.equal((await owner.api('POST', `/websites/${website.id}/events`, { json: { url } })).status, 202);
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		assert.doesNotMatch(Buffer.from(value).toString(), /^data:/, 'nothing is told any more');
	}
});

test('[C-PEOPLE-7] a member leaves, and the owner sees who did', async () => {
	const owner = await person();
	const website = await create(owner);
	const who = await member(owner, 'admin');
	const memberships = z
		.object({
			data: z.array(z.object({ id: z.int(), role: z.string(), owner: z.object({ email: z.string() }) })),
		})
		.parse((await who.browser('GET', '/memberships')).json).data;
	assert.deepEqual([memberships.length, memberships[0]?.owner.email], [1, owner.email]);
	assertStatus(await who.browser('DELETE', `/members/${memberships[0]?.id}`), 200);
	assert.equal(await sees(who, website), 404);
	const [left] = (await changesOf(owner)).data;
	assert.deepEqual([left?.what, left?.by?.email], ['leave', who.email]);
});

test('[T87][C-PEOPLE-8] a session offers a website with the password, and not by itself', async () => {
	const [owner, receiver] = [await person(), await person()];
	const website = await create(owner);
	for (const proof of [{}, { password: 'wrong' }]) {
		const json = { email: receiver.email, ...proof };
		const refused = await owner.browser('PUT', `/websites/${website.id}/offer`, { json });
		assertProblem(refused, 'validation_failed', ['password']);
	}
	assertProblem(await receiver.browser('POST', `/offers/${website.id}/accept`), 'not_found');
});

async function offer(by: Person, website: Website, email: string) {
	return by.browser('PUT', `/websites/${website.id}/offer`, { json: { email, password: goodPassword } });
}

test('[C-PEOPLE-8] a website that was offered and accepted is whole, and the former owner is out', async () => {
	const owner = await person();
	const receiver = await person();
	const website = await create(owner, { timezone: 'Europe/Berlin' });
	const goal = await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	assert.equal(goal.status, 201);
	await owner.api('PUT', `/websites/${website.id}`, { form: { favorite: '1' } });
	const url = `https://${website.domain}/thanks`;
	assert.equal((await owner.api('POST', `/websites/${website.id}/events`, { json: { url } })).status, 202);
	await w.drain();
	const statistics = z.object({ data: z.object({ totals: z.object({ pageviews: z.int() }) }) });
	const pageviews = async (who: Person) => {
		const answer = await who.browser('GET', `/websites/${website.id}/stats?period=today&metrics=pageviews`);
		return statistics.parse(answer.json).data.totals.pageviews;
	};
	assert.equal(await pageviews(owner), 1);
	const viewer = await member(owner, 'viewer', website);
	const pending = await invite(owner, 'viewer', website);
	const elsewhere = await create(owner);
	const limited = await w.key(owner, { websites: [website.id, elsewhere.id] });
	const alone = await w.key(owner, { websites: [website.id] });
	const stranger = await person();

	assertStatus(await offer(owner, website, receiver.email.toUpperCase()), 200);
	assert.equal(await sees(receiver, website), 404, 'nothing has changed yet');
	for (const who of [owner, viewer, stranger])
		assertProblem(await who.browser('POST', `/offers/${website.id}/accept`), 'not_found');
	const offers = z
		.object({
			data: z.array(
				z.object({ website_id: z.int(), domain: z.string(), from: z.object({ email: z.string() }) }),
			),
		})
		.parse((await receiver.browser('GET', '/offers')).json).data;
	assert.deepEqual(offers, [
		{ website_id: website.id, domain: website.domain, from: { email: owner.email } },
	]);
	assertStatus(await receiver.browser('POST', `/offers/${website.id}/accept`), 200);

	const record = websiteOf(await receiver.api('GET', `/websites/${website.id}`));
	assert.deepEqual([record.domain, record.timezone, record.favorite], [website.domain, 'Europe/Berlin', 0]);
	assert.equal(await pageviews(receiver), 1);
	const goals = await receiver.api('GET', `/websites/${website.id}/goals`);
	assert.match(goals.text, /Thanks/);
	for (const who of [owner, viewer, stranger]) assert.equal(await sees(who, website), 404);
	assertProblem(await anyone()('POST', '/join/look', { json: { token: pending.token } }), 'link_dead');
	for (const { key } of [limited, alone])
		assert.equal((await client(w.base, key)('GET', `/websites/${website.id}`)).status, 404);
	assert.equal((await client(w.base, limited.key)('GET', `/websites/${elsewhere.id}`)).status, 200);
	assert.deepEqual(listOf(await client(w.base, alone.key)('GET', '/websites')).data, [], 'a key for nothing');
	const usage = async (who: Person) =>
		z
			.object({ data: z.object({ usage: z.object({ websites: z.int() }) }) })
			.parse((await who.api('GET', '/account')).json).data.usage.websites;
	assert.deepEqual([await usage(owner), await usage(receiver)], [1, 1]);
	for (const who of [owner, receiver]) {
		const [moved] = (await changesOf(who)).data;
		assert.deepEqual(
			[moved?.what, moved?.by?.email, moved?.website?.id],
			['moveWebsite', receiver.email, website.id],
		);
	}
	assert.equal((await owner.api('POST', `/websites/${website.id}/events`, { json: { url } })).status, 404);
	assert.equal((await receiver.api('POST', `/websites/${website.id}/events`, { json: { url } })).status, 202);
});

test('[C-PEOPLE-9] limits and domains of the receiver count, and an offer tells nothing of accounts', async () => {
	const owner = await person();
	const website = await create(owner);
	const full = await person({ limits: { websites: 0 } });
	assertStatus(await offer(owner, website, full.email), 200);
	assertProblem(await full.browser('POST', `/offers/${website.id}/accept`), 'limit_reached');
	await w.setLimits(full, { websites: 1 });
	const same = await create(full, { domain: website.domain });
	await w.setLimits(full, { websites: null });
	const taken = await full.browser('POST', `/offers/${website.id}/accept`);
	assert.deepEqual(assertProblem(taken, 'domain_taken'), assertProblem(taken, 'domain_taken'));
	assert.match(taken.text, new RegExp(`"website_id":${same.id}`));
	assert.equal(await sees(owner, website), 200);
	// Withdrawn and declined.
	assertStatus(await owner.browser('DELETE', `/websites/${website.id}/offer`), 200);
	assertProblem(await full.browser('POST', `/offers/${website.id}/accept`), 'not_found');
	const receiver = await person();
	await offer(owner, website, receiver.email);
	assertStatus(await receiver.browser('DELETE', `/offers/${website.id}`), 200);
	assertProblem(await receiver.browser('POST', `/offers/${website.id}/accept`), 'not_found');
	assert.deepEqual((await owner.browser('GET', `/websites/${website.id}/offer`)).json, { data: null });
	// To nobody, and to oneself.
	const known = await offer(owner, website, receiver.email);
	const unknown = await offer(owner, website, 'later@example.test');
	assert.equal(unknown.status, 200);
	assert.equal(unknown.text.replace('later@example.test', receiver.email), known.text);
	const later = await person({ email: 'later@example.test' });
	assertProblem(await later.browser('POST', `/offers/${website.id}/accept`), 'not_found');
	assert.equal((await offer(owner, website, owner.email)).status, 422);
	assert.equal((await offer(owner, website, 'nobody')).status, 422);
});

test('[T84] [C-PEOPLE-8] a transfer clears the password of shared statistics', async () => {
	const owner = await person();
	const receiver = await person();
	const locked = await create(owner, { privacy: '2', password: 'low tide 7' });
	const open = await create(owner, { privacy: '0', password: 'low tide 7' });
	const visiting = anyone();
	const unlocked = await visiting('POST', `/websites/${locked.id}/unlock`, {
		json: { password: 'low tide 7' },
	});
	assertStatus(unlocked, 200);
	for (const website of [locked, open]) {
		await offer(owner, website, receiver.email);
		assertStatus(await receiver.browser('POST', `/offers/${website.id}/accept`), 200);
	}
	assert.deepEqual(
		await w.sql('SELECT privacy, password_hash FROM websites WHERE id = ANY($1) ORDER BY id', [
			[locked.id, open.id],
		]),
		[
			{ privacy: 1, password_hash: null },
			{ privacy: 0, password_hash: null },
		],
	);
	assertProblem(await visiting('GET', `/websites/${locked.id}/stats`), 'not_found');
	const again = await receiver.api('PUT', `/websites/${locked.id}`, { form: { privacy: '2' } });
	assert.equal(again.status, 422, 'it needs a password of the new owner');
});

test('[T81] [C-PEOPLE-13] whoever was invited has no websites of their own until the operator raises the limit, and no transfers while unconfirmed', async () => {
	const owner = await person({ limits: { websites: 1 } });
	const website = await create(owner);
	const { token } = await invite(owner, 'viewer');
	const email = 'stranger@example.test';
	const browser = anyone();
	const json = { token, name: 'Not the stranger', email, password: goodPassword };
	assertStatus(await browser('POST', '/join/account', { json }), 200);
	const domain = freshDomain();
	assertProblem(await browser('POST', '/websites', { json: { domain } }), 'limit_reached');
	await w.operate('account.limit', { email, websites: 2 });
	assert.equal((await browser('POST', '/websites', { json: { domain } })).status, 201);
	// A transfer that is meant for the stranger.
	assertStatus(await offer(owner, website, email), 200);
	assert.deepEqual(JSON.parse((await browser('GET', '/offers')).text).data, []);
	for (const [method, path] of [
		['POST', `/offers/${website.id}/accept`],
		['DELETE', `/offers/${website.id}`],
	] as const)
		assertProblem(await browser(method, path), 'not_found');
	await assert.rejects(w.operate('website.move', { id: website.id, email }), /unconfirmed/);
	assertProblem(await browser('POST', '/session/confirmation'), 'unavailable');
	await w.operate('account.confirm', { email });
	assertStatus(await browser('POST', `/offers/${website.id}/accept`), 200);
});

test('[T02] looking at an invitation tells nothing of accounts', async () => {
	const owner = await person();
	const known = await person();
	const look = async (email: string) =>
		(
			await anyone()('POST', '/join/look', {
				json: { token: (await invite(owner, 'viewer', undefined, email)).token },
			})
		).text;
	const unknown = await look('nobody-at-all@example.test');
	assert.equal((await look(known.email)).replaceAll(known.email, 'nobody-at-all@example.test'), unknown);
	assert.doesNotMatch(unknown, /has_account/);
});

test('[T02] many invitations do not serve to ask for many addresses', async () => {
	const owner = await person();
	const statuses: number[] = [];
	for (let n = 0; n < 24; n++) {
		const { token } = await invite(owner, 'viewer');
		const json = { token, name: 'X', email: owner.email, password: goodPassword };
		statuses.push((await anyone()('POST', '/join/account', { json })).status);
	}
	assert.ok(statuses.includes(429), statuses.join());
	moment += 2 * 3_600_000;
});

test('[C-PEOPLE-10] the operator moves a website at once', async () => {
	const owner = await person();
	const receiver = await person();
	const website = await create(owner);
	await offer(owner, website, (await person()).email);
	const moved = await w.operate('website.move', { id: website.id, email: receiver.email });
	assert.deepEqual([moved.domain, moved.from.email, moved.to], [website.domain, owner.email, receiver.email]);
	assert.deepEqual([await sees(owner, website), await sees(receiver, website)], [404, 200]);
	for (const who of [owner, receiver]) {
		const [change] = (await changesOf(who)).data;
		assert.deepEqual([change?.what, change?.by], ['moveWebsite', null]);
	}
	await assert.rejects(w.operate('website.move', { id: website.id, email: receiver.email }), /already/);
	await assert.rejects(w.operate('website.move', { id: 987654, email: receiver.email }), /no website 987654/);
	await assert.rejects(w.operate('website.move', { id: website.id, email: 'x@example.test' }), /no account/);
});

test('[C-PEOPLE-11][T80] the owner sees who changed what, also what members and keys did', async () => {
	const owner = await person({ name: 'Olga' });
	const website = await create(owner);
	const admin = await member(owner, 'admin', website);
	await admin.browser('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	const { id: keyId } = await w.key(owner);
	await admin.browser('DELETE', `/websites/${website.id}`);
	const { data, meta } = await changesOf(owner);
	assert.deepEqual(
		data.map(({ what }) => what),
		[
			'deleteWebsite',
			'createKey',
			'createGoal',
			'join',
			'invite',
			'createWebsite',
			'signIn',
			'setPasswordByLink',
			'makeResetLink',
		],
	);
	assert.equal(meta.total, 9);
	const [deleted, byOperator, , joined, invited, created] = data;
	assert.deepEqual([byOperator?.by, byOperator?.key], [null, null]);
	assert.deepEqual([deleted?.by?.email, deleted?.website], [admin.email, { id: website.id, domain: null }]);
	assert.equal(joined?.by?.email, admin.email);
	assert.deepEqual([invited?.by?.email, invited?.key, invited?.website?.id], [owner.email, null, website.id]);
	assert.equal(created?.key?.name, 'First key');
	assert.notEqual(created?.key?.id, keyId);
	const theirs = (await changesOf(admin)).data.map(({ what }) => what);
	assert.deepEqual(
		theirs,
		['signIn', 'setPasswordByLink', 'makeResetLink'],
		'what a member does is told to the owner',
	);
	const pages = [1, 2].map((page) => owner.browser('GET', `/activity?per_page=10&page=${page}`));
	const [first, second] = (await Promise.all(pages)).map(({ json }) => changesSchema.parse(json));
	assert.deepEqual([first?.data.length, second?.data.length], [9, 0]);
	assert.equal((await owner.browser('GET', '/activity?per_page=7')).status, 422);
});

test("[C-PEOPLE-11] admins see the changes of their website, since it is its owner's", async () => {
	const owner = await person();
	const [website, another] = [await create(owner), await create(owner)];
	const admin = await member(owner, 'admin', website);
	await owner.browser('PATCH', `/websites/${another.id}`, { json: { email: 1 } });
	await owner.browser('PATCH', `/websites/${website.id}`, { json: { email: 1 } });
	const seen = (await changesOf(admin, website)).data;
	assert.deepEqual(
		seen.map(({ what }) => what),
		['updateWebsite', 'join', 'invite', 'createWebsite'],
	);
	assert.equal((await admin.browser('GET', `/websites/${another.id}/activity`)).status, 404);
	const receiver = await person();
	await w.operate('website.move', { id: website.id, email: receiver.email });
	assert.deepEqual(
		(await changesOf(receiver, website)).data.map(({ what }) => what),
		['moveWebsite'],
	);
	assert.equal((await changesOf(owner)).data.find(({ what }) => what === 'join')?.website?.domain, null);
});

test('[C-PEOPLE-12][T12][T17] no key does what is about its person, none does anything here, and no other page does', async () => {
	const owner = await person();
	const website = await create(owner);
	const ofPerson: [string, string, unknown?][] = [
		['GET', '/memberships'],
		['GET', '/roles'],
		['GET', '/offers'],
		['POST', `/offers/${website.id}/accept`],
		['DELETE', `/offers/${website.id}`],
		['POST', '/join', { token: 'x' }],
		['PUT', `/owners/${owner.id}/primary`],
		['DELETE', `/owners/${owner.id}`],
	];
	for (const [method, path, json] of ofPerson)
		assert.equal((await owner.api(method, path, json === undefined ? {} : { json })).status, 404, path);
	const paths: [string, string, unknown?][] = [
		...ofPerson,
		['GET', '/people'],
		['GET', '/activity'],
		['GET', `/websites/${website.id}/people`],
		['GET', `/websites/${website.id}/activity`],
		['GET', `/websites/${website.id}/offer`],
		['POST', '/people/invitations', { role: 'viewer' }],
		['POST', `/websites/${website.id}/people/invitations`, { role: 'admin' }],
		['PUT', `/websites/${website.id}/offer`, { email: 'a@example.test' }],
	];
	for (const [method, path, json] of paths) {
		const sent = json === undefined ? {} : { json };
		const keyed = await anyone()(method, path, {
			...sent,
			headers: { authorization: `Bearer ${owner.key}` },
		});
		assert.equal(keyed.status, 401, `${method} ${path} with a key at the door of people`);
		if (method !== 'GET')
			for (const site of ['cross-site', 'same-site', 'none'])
				assert.equal(
					(await owner.browser(method, path, { ...sent, headers: { 'sec-fetch-site': site } })).status,
					403,
				);
	}
	const { token } = await invite(owner, 'viewer', website);
	const asReset = await anyone()('PUT', '/session/link', { json: { token, password: goodPassword } });
	assertProblem(asReset, 'link_dead');
	const reset = await w.operate('account.reset', { email: owner.email });
	assertProblem(await anyone()('POST', '/join/look', { json: { token: reset.token } }), 'link_dead');
	assert.equal((await peopleOf(owner)).invitations.length, 0);
});
