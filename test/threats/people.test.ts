import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { z } from 'zod';
import { dashboardRoutes } from '../../server/http/dashboard-api/routes.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

/**
 * Everything that a session can do, and everybody who may try: the status that each must get. A new row of the list
 * of routes has none here, and fails until somebody decides who may use it.
 */
const w = await world({ after });
const callers = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'nobody', 'key'] as const;
type Caller = (typeof callers)[number];

const accounts = {
	owner: await w.account(),
	admin: await w.account(),
	editor: await w.account(),
	viewer: await w.account(),
	stranger: await w.account(),
};
for (const account of Object.values(accounts)) await givePassword(w, account);
const { owner } = accounts;
const website = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }),
	201,
);
const connection = new pg.Client(w.postgresTarget);
// The service takes its PostgreSQL with it at the end.
connection.on('error', () => undefined);
await connection.connect();
after(() => connection.end());

const addMember = async (memberId: number, role: string): Promise<number> => {
	const { rows } = await connection.query<{ id: string }>(
		`INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())
		ON CONFLICT (owner_id, website_id, member_id) DO UPDATE SET role = excluded.role RETURNING id`,
		[owner.id, website.id, memberId, role],
	);
	return Number(rows[0]?.id);
};

const signIn = async (who: Caller): Promise<Visitor> =>
	who === 'nobody' || who === 'key' ? visitor(() => w.base) : signedIn(w, accounts[who]);
const browsers = new Map<Caller, Visitor>();
for (const who of callers) browsers.set(who, await signIn(who));
const byOwner = browsers.get('owner') ?? visitor(() => w.base);

type Sent = { id?: number; json?: unknown };

async function invite(): Promise<{ id: number; token: string }> {
	const path = `/websites/${website.id}/people/invitations`;
	const answer = await byOwner('POST', path, { json: { role: 'viewer' } });
	const { id, link } = z
		.object({ data: z.object({ id: z.int(), link: z.string() }) })
		.parse(answer.json).data;
	return { id, token: link.split('#token=')[1] ?? '' };
}
async function offer(): Promise<Sent> {
	const { email } = await w.account();
	assert.equal(
		(await byOwner('PUT', `/websites/${website.id}/offer`, { json: { email, password: goodPassword } }))
			.status,
		200,
	);
	return {};
}

/** In the order of `callers`. What is about an account is about the caller's own. */
const everybody = [200, 200, 200, 200, 200, 401, 401];
const admins = [200, 200, 403, 403, 404, 401, 401];
const ownerAlone = [200, 403, 403, 403, 404, 401, 401];
const nobodyOfThem = [404, 404, 404, 404, 404, 401, 401];
const made = (row: number[]) => row.map((status) => (status === 200 ? 201 : status));

type Expectation = { expected: number[]; prepare?: () => Promise<Sent> };

/** Rows of a table that are alike. Ids that are no website's name nothing. */
const rows = (expected: number[], names: readonly string[]): Record<string, Expectation> =>
	Object.fromEntries(
		names.map((name) => [
			name,
			{ expected, prepare: async () => (name.includes('/websites/:id') ? {} : { id: 10 ** 9 }) },
		]),
	);

/** What concerns nobody but the caller, or happens without a caller. */
const unlogged = [
	...['/session/passkey/challenge', '/session/passkeys/challenge'],
	...['/join/look', '/session/working-account', '/favorites', '/websites/:id/favorite'],
];
const role = { role: 'viewer' };
let joined = 0;
const table: Record<string, Expectation> = {
	'GET /people': { expected: everybody },
	'POST /people/invitations': { expected: made(everybody), prepare: async () => ({ json: role }) },
	'GET /websites/:id/people': { expected: admins },
	'POST /websites/:id/people/invitations': { expected: made(admins), prepare: async () => ({ json: role }) },
	'DELETE /invitations/:id': { expected: admins, prepare: async () => ({ id: (await invite()).id }) },
	'PUT /members/:id': {
		expected: admins,
		prepare: async () => ({ id: await addMember((await w.account()).id, 'editor'), json: role }),
	},
	'DELETE /members/:id': {
		expected: admins,
		prepare: async () => ({ id: await addMember((await w.account()).id, 'admin') }),
	},
	'GET /memberships': { expected: everybody },
	'GET /roles': { expected: everybody },
	'POST /join/look': {
		expected: callers.map(() => 200),
		prepare: async () => ({ json: { token: (await invite()).token } }),
	},
	'POST /join': {
		expected: [422, 200, 200, 200, 200, 401, 401],
		prepare: async () => ({ json: { token: (await invite()).token } }),
	},
	'POST /join/account': {
		expected: callers.map(() => 200),
		prepare: async () => ({
			json: {
				token: (await invite()).token,
				name: 'New',
				email: `new-${++joined}@example.test`,
				password: goodPassword,
			},
		}),
	},
	'GET /websites/:id/offer': { expected: ownerAlone },
	'PUT /websites/:id/offer': {
		expected: ownerAlone,
		prepare: async () => ({ json: { email: 'somebody@example.test', password: goodPassword } }),
	},
	'DELETE /websites/:id/offer': { expected: ownerAlone, prepare: offer },
	'GET /offers': { expected: everybody },
	'POST /offers/:id/accept': { expected: nobodyOfThem, prepare: offer },
	'DELETE /offers/:id': { expected: nobodyOfThem, prepare: offer },
	'GET /websites/:id/feed': { expected: ownerAlone },
	'POST /websites/:id/feed': { expected: made(ownerAlone) },
	'DELETE /websites/:id/feed': { expected: ownerAlone },
	// The owner is the operator: the first account of this service.
	'GET /doctor': { expected: [200, 404, 404, 404, 404, 401, 401] },
	'GET /changes': { expected: everybody },
	...rows(everybody, [
		...['GET /session', 'GET /session/address', 'GET /session/browsers', 'GET /session/data'],
		'GET /session/oidc/linked',
		...['GET /session/deletion', 'GET /boards', 'GET /reports/settings', 'GET /reports/recipients'],
		...['POST /session/confirmation', 'DELETE /session/address', 'DELETE /session/browsers'],
		...['PATCH /reports/settings', 'GET /session/passkeys', 'POST /session/passkeys/challenge'],
	]),
	// Their own, but the body is missing.
	...rows(
		everybody.map((status) => (status === 200 ? 422 : status)),
		[
			...['PUT /session/person', 'PUT /session/account', 'PUT /session/working-account'],
			...['PUT /session/confirmation', 'POST /session/address', 'DELETE /session/person'],
			...['PUT /session/password', 'POST /session/two-factor', 'PUT /session/two-factor'],
			...['DELETE /session/two-factor', 'POST /boards', 'PUT /boards/:id', 'PUT /favorites'],
			'POST /boards/:id/share-links',
			...['POST /session/passkeys/options', 'POST /session/passkeys', 'PATCH /session/passkeys/:id'],
			...['DELETE /session/passkeys/:id', 'POST /session/two-factor/passkeys'],
			'POST /session/recovery-codes',
			...['POST /session/oidc/:name/link', 'DELETE /session/oidc/:name/link'],
			...['PUT /owners/:id/primary', 'DELETE /owners/:id', 'POST /reports/recipients'],
		],
	),
	// There is none with this id.
	...rows(nobodyOfThem, [
		...['DELETE /session/browsers/:id', 'DELETE /reports/recipients/:id'],
		...['GET /boards/:id', 'DELETE /boards/:id', 'GET /websites/:id/reports/:report_id'],
		...['GET /boards/:id/share-links', 'DELETE /boards/:id/share-links/:link_id'],
	]),
	...rows(
		callers.map(() => 200),
		[
			...['GET /session/set-up', 'DELETE /session', 'GET /session/forgotten', 'GET /session/oidc'],
			...['GET /session/passkey', 'POST /session/passkey/challenge', 'GET /session/sign-up'],
		],
	),
	...rows(
		callers.map(() => 422),
		[
			'POST /session/passkey',
			...['POST /session/set-up/link', 'POST /session/set-up', 'POST /session'],
			...['POST /session/forgotten', 'POST /session/link', 'PUT /session/link'],
			...['POST /session/sign-up', 'POST /session/sign-up/link', 'PUT /session/sign-up'],
		],
	),
	// No provider has this name, and no sign-in with one has begun.
	...rows(
		callers.map(() => 404),
		['POST /session/oidc/:name/start'],
	),
	...rows(
		callers.map(() => 303),
		['GET /session/oidc/callback/:name'],
	),
	...rows(
		callers.map(() => 410),
		['GET /session/oidc/proof', 'POST /session/oidc/proof'],
	),
	...rows(
		[200, 200, 200, 200, 404, 401, 401],
		['GET /websites/:id/reports', 'PUT /websites/:id/favorite', 'DELETE /websites/:id/favorite'],
	),
	'GET /websites/:id/changes': { expected: admins },
};

test('[T11] the table has a row for everything that people do about people', () => {
	assert.deepEqual(
		dashboardRoutes.map(({ methods: [method], path }) => `${method} ${path}`).sort(),
		Object.keys(table).sort(),
	);
});

const countChanges = async () =>
	Number((await connection.query('SELECT count(*) FROM changes')).rows[0]?.count);

for (const {
	methods: [method],
	path,
	isPublic,
} of dashboardRoutes)
	test(`[T11][T80] ${method} ${path}: who may, and what is written down`, async () => {
		const { expected = [], prepare = async (): Promise<Sent> => ({}) } = table[`${method} ${path}`] ?? {};
		for (const [index, who] of callers.entries()) {
			// Somebody may have joined as less than they are.
			for (const name of ['admin', 'editor', 'viewer'] as const) await addMember(accounts[name].id, name);
			await connection.query('DELETE FROM members WHERE member_id = $1', [accounts.stranger.id]);
			// Whoever makes an account is signed in with that one.
			const signsOut = method === 'DELETE' && path === '/session';
			const browser =
				(path === '/join/account' || signsOut ? undefined : browsers.get(who)) ?? visitor(() => w.base);
			const { id = website.id, json } = await prepare();
			const before = await countChanges();
			const answer = await browser(
				method,
				path.replace(':id', String(id)).replace(':report_id', '999').replace(':link_id', '999'),
				{
					...(json !== undefined && { json }),
					...(who === 'key' && { headers: { authorization: `Bearer ${owner.key}` } }),
				},
			);
			assert.equal(answer.status, expected[index], `${who}: ${answer.text}`);
			const isChange = method !== 'GET' && !unlogged.includes(path) && !signsOut && answer.status < 400;
			assert.equal((await countChanges()) - before, isChange ? 1 : 0, `${who}: what is written down`);
			if (answer.status === 404 && !isPublic)
				assert.match(answer.text, /"There is nothing here\."/, 'as what does not exist');
		}
		assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 200, 'it is still the owner’s');
	});
