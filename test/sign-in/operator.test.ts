import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { z } from 'zod';
import { type Client, client } from '../support/client.ts';
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
const anyone = () => visitor(() => w.base);

type Person = TestAccount & { browser: Visitor };

async function person(about: Parameters<typeof w.account>[0] = {}): Promise<Person> {
	const account = await w.account({ timezone: 'UTC', ...about });
	await givePassword(w, account);
	return { ...account, browser: await signedIn(w, account) };
}

/** The first person of an installation. */
const operator = await person({ name: 'The operator' });
const proof = { password: goodPassword };

const create = async (of: TestAccount, form: Record<string, string> = {}): Promise<Website> =>
	websiteOf(
		await of.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1', ...form } }),
		201,
	);

async function operatorKey(
	rights: { access?: 'full' | 'read'; expiresAt?: string; networks?: string[] } = {},
): Promise<{ id: number; key: string; api: Client }> {
	const { operatorKey: made, secret } = await w.operate('operator.key.create', {
		name: 'Provisioning',
		access: rights.access ?? 'full',
		expiresAt: rights.expiresAt ?? null,
		networks: rights.networks ?? null,
	});
	return { id: made.id, key: secret, api: client(w.base, secret) };
}

const named = z.object({ id: z.int(), name: z.string().nullable() });
const entries = z.object({
	data: z.array(
		z.object({
			id: z.int(),
			what: z.string(),
			by: z.object({ kind: z.string(), id: z.int().optional(), name: z.string().nullable().optional() }),
			account: named.nullable(),
			person: named.nullable(),
			website: z.object({ id: z.int(), domain: z.string().nullable() }).nullable(),
		}),
	),
	meta: z.object({ total: z.int() }),
});
async function logOf(query = ''): Promise<z.output<typeof entries>['data']> {
	const answer = await operator.browser('GET', `/operator/activity?per_page=100${query}`);
	assertStatus(answer, 200);
	return entries.parse(answer.json).data;
}

const accountRecord = z.object({
	id: z.int(),
	name: z.string(),
	owner: z.object({ person_id: z.int(), email: z.string(), is_confirmed: z.boolean() }),
	disabled_at: z.string().nullable(),
	usage: z.object({ websites: z.int(), pageviews_this_month: z.int() }),
	limits: z.object({
		websites: z.int().nullable(),
		pageviews_per_month: z.int().nullable(),
		hits_per_second: z.int().nullable(),
	}),
});
const one = z.object({ data: accountRecord });
const many = z.object({ data: z.array(accountRecord), meta: z.object({ total: z.int() }) });

/** A good request for each route of the operator, about this account. */
const requests = (id: number): [string, string, unknown?][] => [
	['GET', '/operator/accounts'],
	['POST', '/operator/accounts', { name: 'New', email: `n-${id}-${freshDomain()}@example.test` }],
	['GET', `/operator/accounts/${id}`],
	['PUT', `/operator/accounts/${id}/limits`, { website_limit: 500 }],
	['POST', `/operator/accounts/${id}/disable`, proof],
	['POST', `/operator/accounts/${id}/enable`, {}],
	['GET', '/operator/sign-up'],
	['PUT', '/operator/sign-up', { mode: 'open', ...proof }],
	['GET', '/operator/activity'],
	['GET', '/operator/activity/export'],
	['DELETE', `/operator/accounts/${id}`, proof],
];
const bodyOf = (body: unknown) => (body === undefined ? {} : { json: body });

test('[C-OPER-1] [T148] to account keys and to owners who are no operators, the routes do not exist', async () => {
	const owner = await person({ limits: { websites: 3 } });
	const website = await create(owner);
	const keys = await Promise.all([
		w.key(owner),
		w.key(owner, { access: 'read' }),
		w.key(owner, { websites: [website.id] }),
		...(['stats', 'events', 'manage', 'export'] as const).map((scope) => w.key(owner, { scopes: [scope] })),
		// Not even a full key of the account that an operator owns.
		w.key(operator),
	]);
	const before = await w.sql('SELECT * FROM accounts ORDER BY id');
	for (const [method, path, body] of requests(owner.id)) {
		const unknown = await owner.api('GET', '/no-such-path');
		for (const { key } of keys) {
			const answer = await client(w.base, key)(method, path, bodyOf(body));
			assert.equal(answer.status, 404, `${method} ${path}`);
			assert.equal(answer.text, unknown.text, `${method} ${path} looks like an unknown path`);
		}
		assert.equal((await owner.browser(method, path, bodyOf(body))).text, unknown.text, `${method} ${path}`);
		assert.equal((await anyone()(method, path, bodyOf(body))).status, 401);
		assert.equal((await client(w.base)(method, path, bodyOf(body))).status, 401);
	}
	assert.deepEqual(await w.sql('SELECT * FROM accounts ORDER BY id'), before, 'nothing has changed');
	assert.deepEqual(await w.sql('SELECT * FROM sign_up_policy'), []);
});

test('[T148] who is no longer an operator loses the routes with the next request', async () => {
	const second = await person();
	await w.operate('account.operator', { email: second.email, isOperator: true });
	assertStatus(await second.browser('GET', '/operator/accounts'), 200);
	await w.operate('account.operator', { email: second.email, isOperator: false });
	assertProblem(await second.browser('GET', '/operator/accounts'), 'not_found');
});

test('[C-OPER-2] [T148] an operator key reaches the routes of the operator and nothing else', async () => {
	const { id, key, api } = await operatorKey();
	assert.match(key, /^tmop_[0-9A-Za-z]{49}$/);
	const stored = JSON.stringify(await w.sql('SELECT * FROM operator_keys'));
	assert.ok(!stored.includes(key) && !stored.includes(key.slice(5)));
	assert.ok(!w.log().includes(key));
	assertStatus(await api('GET', '/operator/accounts'), 200);
	const website = await create(operator);
	for (const path of [
		'/account',
		'/activity',
		'/websites',
		`/websites/${website.id}`,
		`/websites/${website.id}/stats`,
		'/stats',
		'/keys',
		'/metrics',
	])
		assertProblem(await api('GET', path), 'not_found');
	assertProblem(await api('POST', '/websites', { form: { domain: freshDomain() } }), 'not_found');
	assertProblem(await api('POST', '/keys', { json: { name: 'x' } }), 'not_found');
	const mcp = await fetch(`${w.base}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
	assert.equal(mcp.status, 403);

	const reader = await operatorKey({ access: 'read' });
	assertStatus(await reader.api('GET', '/operator/sign-up'), 200);
	assertProblem(await reader.api('PUT', '/operator/sign-up', { json: { mode: 'open' } }), 'forbidden');
	const elsewhere = await operatorKey({ networks: ['203.0.113.0/24'] });
	assertProblem(await elsewhere.api('GET', '/operator/accounts'), 'unauthenticated');
	const short = await operatorKey({ expiresAt: new Date(moment + 1_000).toISOString() });
	assertStatus(await short.api('GET', '/operator/accounts'), 200);
	moment += 1_000;
	assertProblem(await short.api('GET', '/operator/accounts'), 'unauthenticated');
	await w.operate('operator.key.revoke', { id });
	assertProblem(await api('GET', '/operator/accounts'), 'unauthenticated');
	const [row] = await w.sql<{ last_used_at: Date }>('SELECT last_used_at FROM operator_keys WHERE id = $1', [
		id,
	]);
	assert.ok(row?.last_used_at);
	assert.ok(!(await w.operate('operator.key.list', {})).some((listed) => listed.id === id));
});

test('[C-OPER-3] accounts are listed with usage and limits, and can be searched', async () => {
	const found = await person({ name: 'Northwind 100%', limits: { websites: 7 } });
	await create(found);
	const { api } = await operatorKey({ access: 'read' });
	const read = async (query: string) => many.parse((await api('GET', `/operator/accounts${query}`)).json);
	const all = await read('?per_page=100');
	assert.equal(all.meta.total, all.data.length);
	assert.deepEqual(
		all.data.map(({ id }) => id),
		all.data.map(({ id }) => id).toSorted((a, b) => b - a),
	);
	for (const search of ['northwind', '100%25', encodeURIComponent(found.email.slice(2))]) {
		const { data } = await read(`?search=${search}`);
		assert.deepEqual(
			data.map(({ id }) => id),
			[found.id],
			search,
		);
	}
	assert.deepEqual((await read('?search=%25%25')).data, []);
	const { data } = one.parse((await api('GET', `/operator/accounts/${found.id}`)).json);
	assert.equal(data.owner.email, found.email);
	assert.deepEqual(data.usage, { websites: 1, pageviews_this_month: 0 });
	assert.deepEqual(data.limits, { websites: 7, pageviews_per_month: null, hits_per_second: null });
	assert.ok(!JSON.stringify(data).includes(found.key));
	assertProblem(await api('GET', '/operator/accounts?state=gone'), 'validation_failed', ['state']);
	for (const id of ['0', '01', '999999', 'x'])
		assertProblem(await api('GET', `/operator/accounts/${id}`), 'not_found');
});

test('[C-OPER-4] a new account has a link that sets its password, and no key', async () => {
	const { api } = await operatorKey();
	const email = 'new-customer@example.test';
	const sent = { name: 'Customer', email, locale: 'de', timezone: 'Europe/Berlin', website_limit: 2 };
	const answer = await api('POST', '/operator/accounts', { json: sent });
	assertStatus(answer, 201);
	const { data } = z
		.object({ data: accountRecord.extend({ invitation_link: z.string() }) })
		.parse(answer.json);
	assert.equal(answer.headers.location, `${w.publicUrl}/api/v1/operator/accounts/${data.id}`);
	assert.equal(data.limits.websites, 2);
	assert.deepEqual(await w.sql('SELECT 1 FROM api_keys WHERE account_id = $1', [data.id]), []);
	const [, token = ''] =
		/^https:\/\/stats\.example\.test\/password#token=([\w-]{43})$/.exec(data.invitation_link) ?? [];
	const set = await anyone()('PUT', '/session/link', { json: { token, password: goodPassword } });
	assertStatus(set, 200);
	assertProblem(await api('POST', '/operator/accounts', { json: sent }), 'validation_failed', ['email']);
	assertProblem(
		await api('POST', '/operator/accounts', { json: { name: '', email: 'x' } }),
		'validation_failed',
		['email', 'name'],
	);
});

test('[C-OPER-5] [T148] an operator changes limits, and no account changes its own', async () => {
	const owner = await person({ limits: { websites: 1 } });
	const { api } = await operatorKey();
	const path = `/operator/accounts/${owner.id}/limits`;
	const limits = async () => one.parse((await api('GET', `/operator/accounts/${owner.id}`)).json).data.limits;
	assertStatus(await api('PUT', path, { json: { pageview_limit: 1000, hit_limit: '5' } }), 200);
	assert.deepEqual(await limits(), { websites: 1, pageviews_per_month: 1000, hits_per_second: 5 });
	assertStatus(await operator.browser('PATCH', path, { json: { pageview_limit: null } }), 200);
	assert.deepEqual(await limits(), { websites: 1, pageviews_per_month: null, hits_per_second: 5 });
	assertProblem(await api('PUT', path, { json: { website_limit: -1, hit_limit: 0 } }), 'validation_failed', [
		'hit_limit',
		'website_limit',
	]);
	await create(owner);
	const wider = { website_limit: 9, websiteLimit: 9, limits: { websites: 9 }, name: 'A', timezone: 'UTC' };
	await owner.browser('PUT', '/session/account', { json: wider });
	await owner.browser('PUT', '/session/person', { json: { ...wider, locale: 'en', is_operator: true } });
	assertProblem(await owner.browser('PUT', path, { json: wider }), 'not_found');
	assertProblem(await owner.api('PUT', path, { json: wider }), 'not_found');
	assert.equal((await limits()).websites, 1);
	assert.equal((await owner.api('POST', '/websites', { form: { domain: freshDomain() } })).status, 422);
	assertProblem(await owner.browser('GET', '/operator/accounts'), 'not_found');
});

test('[C-OPER-6] [T84] a disabled account: what stops, also for members, and what goes on', async () => {
	const owner = await person();
	const website = await create(owner, { privacy: '0' });
	const member = await person();
	await w.sql("INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, 'admin', now())", [
		owner.id,
		member.id,
	]);
	const page = `/websites/${website.id}`;
	const domains = async () =>
		listOf(await member.browser('GET', '/websites')).data.map(({ domain }) => domain);
	const states = async () => ({
		key: (await owner.api('GET', page)).status,
		session: (await owner.browser('GET', page)).status,
		member: (await member.browser('GET', page)).status,
		memberChange: (await member.browser('PATCH', page, { json: { email: 1 } })).status,
		memberList: (await domains()).includes(website.domain),
		memberRoles: (await member.browser('GET', '/roles')).text.includes(`"website_id":${website.id},`),
		public: (await anyone()('GET', `${page}/stats`)).status,
	});
	assert.deepEqual(await states(), {
		key: 200,
		session: 200,
		member: 200,
		memberChange: 200,
		memberList: true,
		memberRoles: true,
		public: 200,
	});
	const path = `/operator/accounts/${owner.id}`;
	const disabled = await operator.browser('POST', `${path}/disable`, { json: proof });
	assert.equal(one.parse(disabled.json).data.disabled_at, new Date(moment).toISOString());
	assert.deepEqual(await states(), {
		key: 401,
		session: 401,
		member: 404,
		memberChange: 404,
		memberList: false,
		memberRoles: false,
		public: 404,
	});
	const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
	const hit = await fetch(`${w.base}/tm`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'user-agent': agent },
		body: JSON.stringify({
			w: website.id,
			i: '0f3a9c5be2d17468',
			n: 'pageview',
			u: `https://${website.domain}/`,
		}),
	});
	assert.equal(hit.status, 202, 'hits are still counted');
	const { data } = many.parse((await operator.browser('GET', '/operator/accounts?state=disabled')).json);
	assert.deepEqual(
		data.map(({ id }) => id),
		[owner.id],
	);
	assertStatus(await operator.browser('POST', `${path}/enable`), 200);
	const { session: _, ...others } = await states();
	assert.deepEqual(others, {
		key: 200,
		member: 200,
		memberChange: 200,
		memberList: true,
		memberRoles: true,
		public: 200,
	});
});

test('[C-OPER-7] deleting an account deletes its websites and statistics', async () => {
	const owner = await person();
	const website = await create(owner);
	const path = `/operator/accounts/${owner.id}`;
	const answer = await operator.browser('DELETE', path, { json: proof });
	assert.deepEqual(answer.json, { data: { id: owner.id, object: 'account', deleted: true } });
	assertProblem(await operator.browser('GET', path), 'not_found');
	assertProblem(await operator.browser('DELETE', path, { json: proof }), 'not_found');
	assert.equal((await owner.api('GET', '/account')).status, 401);
	const tombs = await w.sql('SELECT 1 FROM tombstones WHERE website_id = $1 AND NOT is_reset', [website.id]);
	assert.equal(tombs.length, 1);
});

test('[C-OPER-8] [T148] a stolen session of an operator cannot disable, delete or open sign-up', async () => {
	const owner = await person();
	const path = `/operator/accounts/${owner.id}`;
	for (const [method, target, body] of [
		['POST', `${path}/disable`, {}],
		['DELETE', path, {}],
		['PUT', '/operator/sign-up', { mode: 'open' }],
	] as const) {
		assertProblem(await operator.browser(method, target, { json: body }), 'validation_failed', ['password']);
		const wrong = await operator.browser(method, target, { json: { ...body, password: 'not the password' } });
		assertProblem(wrong, 'validation_failed', ['password']);
	}
	assert.equal(one.parse((await operator.browser('GET', path)).json).data.disabled_at, null);
	assert.deepEqual(await w.sql('SELECT * FROM sign_up_policy'), []);
	// Their own account, which they could not enable again.
	for (const [method, target] of [
		['POST', `/operator/accounts/${operator.id}/disable`],
		['DELETE', `/operator/accounts/${operator.id}`],
	] as const)
		assertProblem(await operator.browser(method, target, { json: proof }), 'forbidden');
	const { api } = await operatorKey();
	assertStatus(await api('POST', `${path}/disable`), 200);
	assertStatus(await api('DELETE', path), 200);
});

test('[C-OPER-9] [T148] every change is recorded, whoever made it, without addresses and secrets', async () => {
	const owner = await person({ name: 'Watched' });
	const website = await create(owner);
	const receiver = await person({ name: 'Receiver' });
	const { id: keyId, key, api } = await operatorKey();
	const path = `/operator/accounts/${owner.id}`;
	await operator.browser('PUT', `${path}/limits`, { json: { website_limit: 5 } });
	await api('POST', `${path}/disable`);
	await w.operate('account.disable', { email: owner.email, disabled: false });
	const made = await w.key(owner, {});
	await w.rotateKey(made.id);
	await w.revokeKey(made.id);
	await w.operate('account.reset', { email: owner.email, removesSecondFactors: true });
	await w.operate('account.address', { email: owner.email, newEmail: 'watched@example.test' });
	await w.operate('website.move', { id: website.id, email: receiver.email });
	await w.operate('account.owner', { account: String(owner.id), email: receiver.email });
	const log = await logOf(`&account_id=${owner.id}`);
	assert.deepEqual(
		log.map(({ what, by }) => [what, by.kind]),
		[
			['makePrimaryOwner', 'command_line'],
			['moveWebsite', 'command_line'],
			['changeAddress', 'command_line'],
			['makeResetLink', 'command_line'],
			['removeSecondFactors', 'command_line'],
			['revokeKey', 'command_line'],
			['rotateKey', 'command_line'],
			['createKey', 'command_line'],
			['enableAccount', 'command_line'],
			['disableAccount', 'operator_key'],
			['setLimits', 'person'],
			['makeResetLink', 'command_line'],
			['createAccount', 'command_line'],
		],
	);
	const byKey = log.find(({ what }) => what === 'disableAccount');
	assert.deepEqual(byKey?.by, { kind: 'operator_key', id: keyId, name: 'Provisioning' });
	const byPerson = log.find(({ what }) => what === 'setLimits');
	assert.deepEqual(byPerson?.by, { kind: 'person', id: operator.id, name: 'The operator' });
	assert.deepEqual(byPerson?.account, { id: owner.id, name: 'Watched' });
	assert.equal(log.find(({ what }) => what === 'moveWebsite')?.website?.id, website.id);

	await operator.browser('DELETE', path, { json: proof });
	await operator.browser('PUT', '/operator/sign-up', { json: { mode: 'closed', ...proof } });
	await w.operate('signup.set', { mode: 'closed' });
	await w.operate('account.operator', { email: receiver.email, isOperator: true });
	await w.operate('account.operator', { email: receiver.email, isOperator: false });
	await w.operate('operator.key.revoke', { id: keyId });
	assert.deepEqual(
		(await logOf()).slice(0, 6).map(({ what, by, account }) => [what, by.kind, account?.name]),
		[
			['revokeOperatorKey', 'command_line', undefined],
			['removeOperator', 'command_line', undefined],
			['makeOperator', 'command_line', undefined],
			['setSignUpPolicy', 'command_line', undefined],
			['setSignUpPolicy', 'person', undefined],
			// Its entries stay, without its name.
			['deleteAccount', 'person', null],
		],
	);
	const stored = JSON.stringify(await w.sql('SELECT * FROM operator_log'));
	for (const secret of ['@example.test', key, made.key, 'Watched'])
		assert.ok(!stored.includes(secret), secret);
	for (const statement of ['DELETE FROM operator_log', "UPDATE operator_log SET what = 'x'"])
		await assert.rejects(w.sql(statement), /stays as it is/);
});

test('[T148] a refused change leaves no entry, and a recorded one is in the transaction of the change', async () => {
	const owner = await person();
	const path = `/operator/accounts/${owner.id}`;
	const before = (await logOf()).length;
	await operator.browser('POST', `${path}/disable`, { json: {} });
	await operator.browser('PUT', `${path}/limits`, { json: { website_limit: 'x' } });
	await operator.browser('DELETE', '/operator/accounts/999999', { json: proof });
	assert.equal((await logOf()).length, before);
	await w.sql('ALTER TABLE operator_log ADD CONSTRAINT broken CHECK (id < 0) NOT VALID');
	assert.equal((await operator.browser('POST', `${path}/disable`, { json: proof })).status, 500);
	await assert.rejects(w.operate('account.disable', { email: owner.email, disabled: true }));
	await assert.rejects(w.operate('account.delete', { email: owner.email }));
	await w.sql('ALTER TABLE operator_log DROP CONSTRAINT broken');
	assert.equal(one.parse((await operator.browser('GET', path)).json).data.disabled_at, null);
});

const activity = z.object({
	data: z.array(z.object({ what: z.string(), by: z.object({ person_id: z.int() }).nullable() })),
});

test('[C-OPER-10] [C-OPER-12] owners see what an operator did to their account, and full keys can read the log', async () => {
	const owner = await person();
	const website = await create(owner);
	await operator.browser('PUT', `/operator/accounts/${owner.id}/limits`, { json: { website_limit: 5 } });
	const answer = await owner.api('GET', '/activity');
	const { data } = activity.parse(answer.json);
	assert.deepEqual(
		data.slice(0, 2).map(({ what, by }) => [what, by?.person_id]),
		[
			['setLimits', undefined],
			['createWebsite', owner.id],
		],
	);
	assert.ok(!answer.text.includes(operator.email), 'not the address of the operator');
	assert.ok(!answer.text.includes('The operator'), 'not who the operator is');
	assertStatus(await owner.browser('GET', '/activity?from=2026-11-15'), 200);
	assert.equal(activity.parse((await owner.api('GET', '/activity?to=2026-11-14')).json).data.length, 0);
	for (const rights of [{ access: 'read' }, { websites: [website.id] }, { scopes: ['manage'] }] as const) {
		const { key } = await w.key(owner, rights as Parameters<typeof w.key>[1]);
		assertProblem(await client(w.base, key)('GET', '/activity'), 'forbidden');
		assertProblem(await client(w.base, key)('GET', '/activity/export'), 'forbidden');
	}
	const stranger = await person();
	assert.ok(!(await stranger.api('GET', '/activity')).text.includes('setLimits'));
});

test('[C-OPER-11] both logs are exported as NDJSON, oldest first, however long they are', async () => {
	const owner = await person();
	// More than one page.
	await w.sql(
		`INSERT INTO changes (at, account_id, what, owner_id)
		SELECT timestamptz '2026-01-01T00:00:00Z' + n * interval '1 hour', $1, 'signIn', $1 FROM generate_series(0, 1199) n`,
		[owner.id],
	);
	const linesOf = (text: string) =>
		text
			.trimEnd()
			.split('\n')
			.map((line) => z.object({ id: z.int(), at: z.string(), what: z.string() }).parse(JSON.parse(line)));
	const whole = await owner.api('GET', '/activity/export');
	assert.equal(whole.status, 200);
	assert.equal(whole.headers['content-type'], 'application/x-ndjson');
	assert.match(whole.headers['content-disposition'] ?? '', /filename="activity\.ndjson"/);
	const lines = linesOf(whole.text);
	assert.ok(lines.length >= 1_200);
	assert.deepEqual(
		lines.map(({ id }) => id),
		lines.map(({ id }) => id).toSorted((a, b) => a - b),
	);
	assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length);
	const day = linesOf((await owner.browser('GET', '/activity/export?from=2026-01-02&to=2026-01-03')).text);
	assert.equal(day.length, 48);
	assert.equal(day[0]?.at, '2026-01-02T00:00:00.000Z');
	assert.equal(day.at(-1)?.at, '2026-01-03T23:00:00.000Z');
	assertProblem(await owner.api('GET', '/activity/export?form=2026-01-02'), 'validation_failed');
	const { api } = await operatorKey({ access: 'read' });
	const log = linesOf((await api('GET', '/operator/activity/export')).text);
	assert.equal(log.length, entries.parse((await api('GET', '/operator/activity')).json).meta.total);
	const about = await api('GET', `/operator/activity/export?account_id=${owner.id}`);
	assert.ok(linesOf(about.text).every(({ what }) => ['createAccount', 'makeResetLink'].includes(what)));
});

test('[C-OPER-11] [T148] an export goes on while its caller may read it, and breaks off when not', async () => {
	const second = await person();
	await w.operate('account.operator', { email: second.email, isOperator: true });
	const connection = new pg.Client(w.postgresTarget);
	// The service takes its PostgreSQL with it at the end.
	connection.on('error', () => undefined);
	await connection.connect();
	/** Longer than the time after which the caller is checked again. */
	const slowly = async (run: () => Promise<unknown>, meanwhile: () => Promise<unknown>) => {
		await connection.query('BEGIN; LOCK TABLE changes, operator_log');
		const answer = run();
		answer.catch(() => undefined);
		await new Promise((resolve) => setTimeout(resolve, 1_300));
		await meanwhile();
		await connection.query('COMMIT');
		return answer;
	};
	try {
		const nothing = async () => undefined;
		await slowly(() => second.api('GET', '/activity/export'), nothing);
		const path = '/operator/activity/export';
		await slowly(() => second.browser('GET', path), nothing);
		await assert.rejects(
			slowly(
				() => second.browser('GET', path),
				() => w.sql('UPDATE people SET is_operator = false WHERE email = $1', [second.email]),
			),
		);
	} finally {
		await connection.end();
	}
});

test('[C-OPER-13] the sign-up policy is closed by default, and is set by page, API and command', async () => {
	const { api } = await operatorKey();
	await w.sql('DELETE FROM sign_up_policy');
	const closed = { mode: 'closed', domains: [], website_limit: 10, pageview_limit: null, can_mail: false };
	assert.deepEqual((await api('GET', '/operator/sign-up')).json, { data: closed });
	assertProblem(await api('PUT', '/operator/sign-up', { json: { mode: 'domains' } }), 'validation_failed', [
		'domains',
	]);
	assertProblem(
		await api('PUT', '/operator/sign-up', { json: { mode: 'all', domains: ['x y'] } }),
		'validation_failed',
		['mode'],
	);
	assertProblem(await api('PUT', '/operator/sign-up', { json: { domains: ['x y'] } }), 'validation_failed', [
		'domains',
	]);
	const changed = await operator.browser('PUT', '/operator/sign-up', {
		json: { mode: 'domains', domains: ['Example.test'], website_limit: 3, ...proof },
	});
	assert.deepEqual(changed.json, {
		data: { ...closed, mode: 'domains', domains: ['example.test'], website_limit: 3 },
	});
	await w.operate('signup.set', { mode: 'open', websiteLimit: null, pageviewLimit: 50_000 });
	assert.deepEqual((await operator.browser('GET', '/operator/sign-up')).json, {
		data: { ...closed, mode: 'open', domains: ['example.test'], website_limit: null, pageview_limit: 50_000 },
	});
	// Without a mail server, nobody can sign up all the same.
	assert.deepEqual((await anyone()('GET', '/session/sign-up')).json, { data: { is_open: false } });
	const asked = await anyone()('POST', '/session/sign-up', { json: { email: 'a@example.test' } });
	assertProblem(asked, 'unavailable');
});
