import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { z } from 'zod';
import { dashboardRoutes } from '../../server/http/dashboard-api/routes.ts';
import { openActivity } from '../support/activity.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { recordMountedRoutes } from '../support/mounted-routes.ts';
import { openPeople } from '../support/people-of-account.ts';
import { createLink, tokenOf } from '../support/share-links.ts';
import { goodPassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';
import { rows as apiRows, mountedAs } from './access-matrix-rows.ts';

/**
 * Every route of `/app/api` besides those of the API (access-matrix-rows.ts), and everybody who may try: the status that each must
 * get. A new route has no row in `table` and fails here until somebody decides who may use it.
 */
const mounted = recordMountedRoutes();
const w = await world({ after });
/**
 * People with their role on the website; the operator and the stranger have none, and the second owner works in the account of
 * the first. Then nobody on a website with public statistics, the owner's browser with a share link of the website or of a board,
 * nobody, and a full key of the owner.
 */
const callers = [
	...(['operator', 'owner', 'coOwner', 'admin', 'editor', 'viewer', 'stranger'] as const),
	...(['publicPage', 'link', 'boardLink', 'nobody', 'key'] as const),
] as const;
type Caller = (typeof callers)[number];

const people = await openPeople(w);
const { owner } = people;
const website = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }),
	201,
);
const publicWebsite = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain() } }),
	201,
);
const activity = await openActivity({ after }, w);

const addMember = async (memberId: number, role: string): Promise<number> => {
	const [row] = await w.sql<{ id: string }>(
		`INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())
		ON CONFLICT (owner_id, website_id, member_id) DO UPDATE SET role = excluded.role RETURNING id`,
		[owner.id, website.id, memberId, role],
	);
	return Number(row?.id);
};

async function resetMembers() {
	for (const name of ['admin', 'editor', 'viewer'] as const) await addMember(people[name].id, name);
	await w.sql('DELETE FROM members WHERE member_id = ANY($1)', [[people.stranger.id, people.operator.id]]);
}
await resetMembers();

const byOwner = owner.browser;
let made = 0;
const created = z.object({ data: z.object({ id: z.int() }) });

async function makeBoard(): Promise<number> {
	const cards = [{ website_id: website.id, view: 'number' }];
	return created.parse((await byOwner('POST', '/boards', { json: { name: 'Clients', cards } })).json).data.id;
}
async function makeBoardLink(board: number) {
	const answer = await byOwner('POST', `/boards/${board}/share-links`, { json: { name: `Link ${++made}` } });
	return z.object({ data: z.object({ id: z.int(), url: z.url() }) }).parse(answer.json).data;
}
const tokens: Partial<Record<Caller, string>> = {
	link: tokenOf(await createLink(owner, website)),
	boardLink: tokenOf(await makeBoardLink(await makeBoard())),
};

type Sent = { id?: number; second?: number; json?: unknown };

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
		(await byOwner('PUT', `/websites/${website.id}/offer`, { json: { email, password } })).status,
		200,
	);
	return {};
}

type Statuses = Record<Caller, number>;

const withoutSession = { publicPage: 401, link: 401, boardLink: 401, nobody: 401, key: 401 };
/** What is about an account is about the caller's own. */
const everybody: Statuses = {
	...{ operator: 200, owner: 200, coOwner: 200, admin: 200, editor: 200, viewer: 200, stranger: 200 },
	...withoutSession,
};
const nobodyOfThem: Statuses = {
	...{ operator: 404, owner: 404, coOwner: 404, admin: 404, editor: 404, viewer: 404, stranger: 404 },
	...withoutSession,
};
const members: Statuses = { ...everybody, operator: 404, stranger: 404 };
const theOperator: Statuses = { ...nobodyOfThem, operator: 200 };
/** Records of the owner's account, of which others are told nothing. */
const ownersAlone: Statuses = { ...nobodyOfThem, owner: 200, coOwner: 200 };
/** Records of the owner in person. */
const theOwner: Statuses = { ...nobodyOfThem, owner: 200 };
/** The same for everyone, with or without a session. */
const anyone = (status: number) => Object.fromEntries(callers.map((caller) => [caller, status])) as Statuses;
/** The same callers succeed, with another status. */
const as = (statuses: Statuses, done: number) =>
	Object.fromEntries(
		callers.map((caller) => [caller, statuses[caller] === 200 ? done : statuses[caller]]),
	) as Statuses;
type Expectation = { expected: Statuses; prepare?: () => Promise<Sent> };

/** Rows of a table that are alike. Ids that are no website's name nothing. */
const rows = (expected: Statuses, names: readonly string[]): Record<string, Expectation> =>
	Object.fromEntries(
		names.map((name) => [
			name,
			{ expected, prepare: async () => (name.includes('/websites/:id') ? {} : { id: 10 ** 9 }) },
		]),
	);

/** What concerns nobody but the caller, happens without a caller, or counts the use of a share link. */
const unlogged = [
	...[
		'POST /session/passkey/challenge',
		'POST /session/passkeys/challenge',
		'POST /session/passkeys/options',
	],
	...['POST /session/set-up/link', 'POST /session/link', 'POST /join/look'],
	...['POST /session/sign-up', 'POST /session/sign-up/link'],
	...['POST /share-link', 'POST /share-link/unlock', 'POST /websites/:id/unlock'],
	...['PUT /websites/:id/favorite', 'DELETE /websites/:id/favorite', 'PUT /favorites'],
	...['PUT /session/working-account', 'POST /session/oidc/:name/start', 'POST /session/oidc/:name/link'],
];
/** Their entries belong to another account than the caller's, or to several; or depend on what happened. */
const loggedElsewhere = ['POST /offers/:id/accept', 'DELETE /session/person', 'POST /session/oidc/proof'];

const password = goodPassword;

async function addOwner(): Promise<number> {
	const { id } = await w.account();
	await w.sql(
		'INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES ($1, $2, false, now())',
		[owner.id, id],
	);
	return id;
}

async function openOtherBrowser(): Promise<number> {
	const other = await signedIn(w, owner);
	const sessions = z.object({ data: z.array(z.object({ id: z.int(), current: z.boolean() })) });
	const { data } = sessions.parse((await other('GET', '/session/browsers')).json);
	return data.find(({ current }) => current)?.id ?? 0;
}

async function insert(statement: string): Promise<number> {
	const [row] = await w.sql<{ id: string }>(`${statement} RETURNING id`, [owner.id, randomBytes(16)]);
	return Number(row?.id);
}
const addPasskey = () =>
	insert(`INSERT INTO passkeys (person_id, credential_id, rp_id, user_handle, public_key, counter, transports, is_backed_up, name,
		created_at) VALUES ($1, $2, 'example.test', $2, $2, 0, '{}', false, 'Phone', now())`);

const table: Record<string, Expectation> = {
	// Only the primary owner makes another one primary.
	'PUT /owners/:id/primary': {
		expected: { ...ownersAlone, coOwner: 403 },
		prepare: async () => {
			await w.sql('UPDATE account_owners SET is_primary = false WHERE account_id = $1', [owner.id]);
			await w.sql('UPDATE account_owners SET is_primary = true WHERE account_id = $1 AND person_id = $1', [
				owner.id,
			]);
			return { id: await addOwner(), json: { password } };
		},
	},
	'DELETE /owners/:id': {
		expected: ownersAlone,
		prepare: async () => ({ id: await addOwner(), json: { password } }),
	},
	'GET /memberships': { expected: everybody },
	'GET /roles': { expected: everybody },
	'POST /join/look': {
		expected: anyone(200),
		prepare: async () => ({ json: { token: (await invite()).token } }),
	},
	'POST /join': {
		expected: { ...everybody, owner: 422, coOwner: 422 },
		prepare: async () => ({ json: { token: (await invite()).token } }),
	},
	'POST /join/account': {
		expected: anyone(200),
		prepare: async () => ({
			json: {
				token: (await invite()).token,
				name: 'New',
				email: `new-${++made}@example.test`,
				password,
			},
		}),
	},
	'GET /offers': { expected: everybody },
	'POST /offers/:id/accept': { expected: nobodyOfThem, prepare: offer },
	'DELETE /offers/:id': { expected: nobodyOfThem, prepare: offer },
	'GET /doctor': { expected: theOperator },
	...rows(members, ['PUT /websites/:id/favorite', 'DELETE /websites/:id/favorite']),
	'PUT /favorites': { expected: everybody, prepare: async () => ({ json: { website_ids: [website.id] } }) },
	'PUT /session/person': {
		expected: everybody,
		prepare: async () => ({ json: { name: 'Somebody', locale: 'en' } }),
	},
	'PUT /session/account': {
		expected: everybody,
		prepare: async () => ({ json: { name: 'Agency', timezone: 'UTC' } }),
	},
	'PUT /session/working-account': {
		expected: ownersAlone,
		prepare: async () => ({ json: { account_id: owner.id } }),
	},
	'DELETE /session/browsers/:id': {
		expected: theOwner,
		prepare: async () => ({ id: await openOtherBrowser() }),
	},
	'PATCH /session/passkeys/:id': {
		expected: theOwner,
		prepare: async () => ({ id: await addPasskey(), json: { name: 'Key ring' } }),
	},
	'DELETE /session/passkeys/:id': {
		expected: theOwner,
		prepare: async () => ({ id: await addPasskey(), json: { password } }),
	},
	'POST /session/passkeys/options': { expected: everybody, prepare: async () => ({ json: { password } }) },
	...rows(everybody, [
		...['GET /session', 'GET /session/address', 'GET /session/browsers', 'GET /session/data'],
		...['GET /session/oidc/linked', 'GET /session/deletion', 'GET /policy'],
		...['POST /session/confirmation', 'DELETE /session/address'],
		...['DELETE /session/browsers', 'GET /session/passkeys'],
		'POST /session/passkeys/challenge',
	]),
	// Their own, but the body is missing.
	...rows(as(everybody, 422), [
		...['PUT /session/confirmation', 'POST /session/address', 'DELETE /session/person', 'PUT /policy'],
		...['PUT /session/password', 'POST /session/two-factor', 'PUT /session/two-factor'],
		...['DELETE /session/two-factor', 'POST /session/two-factor/passkeys', 'POST /session/recovery-codes'],
		'POST /session/passkeys',
		...['POST /session/oidc/:name/link', 'DELETE /session/oidc/:name/link'],
	]),
	...rows(anyone(200), [
		...['GET /session/set-up', 'DELETE /session', 'GET /session/forgotten', 'GET /session/oidc'],
		...['GET /session/passkey', 'POST /session/passkey/challenge', 'GET /session/sign-up'],
	]),
	...rows(anyone(422), [
		...['POST /session/passkey', 'POST /session/set-up/link', 'POST /session/set-up', 'POST /session'],
		...['POST /session/forgotten', 'POST /session/link', 'PUT /session/link'],
		...['POST /session/sign-up', 'POST /session/sign-up/link', 'PUT /session/sign-up'],
	]),
	// No provider has this name, and no sign-in with one has begun.
	...rows(anyone(404), ['POST /session/oidc/:name/start']),
	...rows(anyone(303), ['GET /session/oidc/callback/:name']),
	...rows(anyone(410), ['GET /session/oidc/proof', 'POST /session/oidc/proof']),
	// The statistics are private, or public without a password.
	'GET /websites/:id/share': { expected: { ...members, publicPage: 200, nobody: 404, key: 404 } },
	'POST /websites/:id/unlock': { expected: anyone(404), prepare: async () => ({ json: { password } }) },
	'GET /websites/:id/badge.svg': { expected: { ...anyone(404), publicPage: 200 } },
	'GET /share-link': { expected: { ...anyone(404), link: 200, boardLink: 200 } },
	'POST /share-link': { expected: { ...anyone(404), link: 200, boardLink: 200 } },
	'POST /share-link/unlock': { expected: anyone(404), prepare: async () => ({ json: { password } }) },
	'GET /share-link/cards/:index': { expected: { ...anyone(404), boardLink: 200 } },
};

test('[T11] the tables have a row for every route at /app/api, and for nothing else', () => {
	const ofApi = Object.entries(apiRows).filter(([, { pages }]) => pages);
	assert.deepEqual(
		mounted().filter((route) => / \/app\/api(\/|$)/.test(route)),
		[
			...ofApi.map(([operation]) => mountedAs(operation, '/app/api')),
			...Object.keys(table).map((route) => route.replace(' ', ' /app/api')),
		].sort(),
	);
});

test('[T80] every route that changes something names its operation, or is listed here', () => {
	const names = dashboardRoutes
		.filter(({ operation, methods: [method] }) => operation === undefined && method !== 'GET')
		.map(({ methods: [method], path }) => `${method} ${path}`);
	assert.deepEqual(
		names.filter((name) => !unlogged.includes(name) && !loggedElsewhere.includes(name)),
		[],
	);
});

for (const [route, { expected, prepare = async (): Promise<Sent> => ({}) }] of Object.entries(table)) {
	const [method = '', path = ''] = route.split(' ');
	test(`[T11][T80][T160] ${route}: who may, and what is written down`, async () => {
		const isPublic = expected.nobody < 400 || expected.nobody === expected.stranger;
		// Whoever makes an account is signed in with that one.
		const endsSession = path === '/join/account' || route === 'DELETE /session';
		const statuses: Partial<Statuses> = {};
		for (const who of callers) {
			const token = tokens[who];
			const person = who in people ? people[who as keyof typeof people] : undefined;
			const ownBrowser = token === undefined ? person?.browser : byOwner;
			const browser = (endsSession ? undefined : ownBrowser) ?? visitor(() => w.base);
			const {
				id = who === 'publicPage' ? publicWebsite.id : website.id,
				second = 999,
				json,
			} = await prepare();
			const { count } = await activity();
			const answer = await browser(
				method,
				path
					.replace(':id', String(id))
					.replace(/:(report_id|link_id)/, String(second))
					.replace(':index', '0'),
				{
					...(json !== undefined && { json }),
					...(who === 'key' && { headers: { authorization: `Bearer ${owner.key}` } }),
					...(token !== undefined && { headers: { 'x-share-link': token } }),
				},
			);
			statuses[who] = answer.status;
			const isChange =
				method !== 'GET' && !unlogged.includes(route) && route !== 'DELETE /session' && answer.status < 400;
			// Somebody may have joined as less than they are.
			if (path.startsWith('/join')) await resetMembers();
			assert.equal((await activity()).count - count, isChange ? 1 : 0, `${who}: what is written down`);
			if (answer.status === 404 && !isPublic)
				assert.match(answer.text, /"There is nothing here\."/, 'as what does not exist');
		}
		assert.deepEqual(statuses, expected);
		assert.equal((await owner.api('GET', `/websites/${website.id}`)).status, 200, 'it is still the owner’s');
	});
}
