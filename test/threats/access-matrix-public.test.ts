import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { z } from 'zod';
import { type Call, send } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { makePng } from '../support/images.ts';
import { recordMountedRoutes } from '../support/mounted-routes.ts';
import { openPeople } from '../support/people-of-account.ts';
import { createLink, tokenOf } from '../support/share-links.ts';
import { sessionOf } from '../support/visitor.ts';
import { world } from '../support/world.ts';

/**
 * Every route outside of `/api/v1` and `/app/api`: pages and their files, the tracker and its hits, feeds, links in mails, MCP,
 * metrics, health. Most are the same for everyone, whatever a request is sent with; the table has a row for each, and a new
 * route fails here until it has one.
 */
const mounted = recordMountedRoutes();
const metricsToken = randomBytes(33).toString('base64url');
const w = await world({ after }, { settings: { TIDEMARK_METRICS_TOKEN: metricsToken } });
const { operator, owner } = await openPeople(w);
const website = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }),
	201,
);
const feed = z
	.object({ data: z.object({ url: z.url() }) })
	.parse((await owner.browser('POST', `/websites/${website.id}/feed`)).json).data.url;
const logo = z.object({ data: z.object({ logo: z.object({ url: z.string() }) }) }).parse(
	(
		await owner.api('PUT', '/account/branding/logo', {
			body: makePng(),
			headers: { 'content-type': 'application/octet-stream' },
		})
	).json,
).data.logo.url;
const link = tokenOf(await createLink(owner, website));

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const keyOf = async (rights: Parameters<typeof w.key>[1]) => bearer((await w.key(owner, rights)).key);
const expired = await w.key(owner, { access: 'read', expiresAt: new Date(Date.now() + 3_600_000) });
await w.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [expired.id]);

/** What a request is sent with. */
const callers = {
	nobody: {},
	owner: { cookie: `__Host-tidemark=${sessionOf(owner.browser)}` },
	operator: { cookie: `__Host-tidemark=${sessionOf(operator.browser)}` },
	full: bearer(owner.key),
	read: await keyOf({ access: 'read' }),
	stats: await keyOf({ scopes: ['stats'] }),
	events: await keyOf({ scopes: ['events'] }),
	manage: await keyOf({ scopes: ['manage'] }),
	export: await keyOf({ scopes: ['export'] }),
	expired: bearer(expired.key),
	elsewhere: await keyOf({ access: 'read', networks: ['203.0.113.0/24'] }),
	link: { 'x-share-link': link },
	metrics: bearer(metricsToken),
} satisfies Record<string, Record<string, string>>;
type Caller = keyof typeof callers;
type Statuses = Record<Caller, number>;
// Object.keys forgets the names.
const names = Object.keys(callers) as Caller[];

type Row = { path?: string; call?: Call; expected: Statuses };

const everyone = (status: number) => Object.fromEntries(names.map((name) => [name, status])) as Statuses;
const packageFolder = join(import.meta.dirname, '../..');
/** In a checkout that nobody has built, files and pages are 503. */
const built = (file: string) => everyone(existsSync(join(packageFolder, 'dist', file)) ? 200 : 503);

/** Assistants have read-only keys, or those with the scope `stats` alone. */
const assistants = (status: number): Statuses => ({
	...everyone(401),
	...{ full: 403, events: 403, manage: 403, export: 403 },
	...{ read: status, stats: status },
});
const listTools = {
	json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
	headers: { accept: 'application/json, text/event-stream' },
};

/** The path, if it is not that of the route. Several rows: several requests. */
const table: Record<string, readonly Row[]> = {
	'POST /tm': [
		{ call: { json: { w: website.id, u: `https://${website.domain}/` } }, expected: everyone(202) },
	],
	'OPTIONS /tm': [{ expected: everyone(204) }],
	'GET /tm.gif': [{ path: `/tm.gif?w=${website.id}`, expected: everyone(200) }],
	'GET /tm.js': [{ expected: built('tracker/tm.js') }],
	'GET /tm-vitals.js': [{ expected: built('tracker/tm-vitals.js') }],
	'GET /assets/:name': [{ path: '/assets/none.js', expected: everyone(404) }],
	'GET /feeds/:name': [
		{ path: new URL(feed).pathname, expected: everyone(200) },
		{ path: '/feeds/none.atom', expected: everyone(404) },
	],
	'GET /brands/:name': [
		{ path: logo, expected: everyone(200) },
		{ path: '/brands/none.png', expected: everyone(404) },
	],
	'GET /confirm/:token': [{ path: '/confirm/none', expected: everyone(410) }],
	'POST /confirm/:token': [{ path: '/confirm/none', expected: everyone(410) }],
	'GET /unsubscribe/:token': [{ path: '/unsubscribe/none', expected: everyone(404) }],
	'POST /unsubscribe/:token': [{ path: '/unsubscribe/none', expected: everyone(404) }],
	'POST /mcp': [{ call: listTools, expected: assistants(200) }],
	'GET /mcp': [{ expected: assistants(405) }],
	'DELETE /mcp': [{ expected: assistants(405) }],
	// The operator has not set a contact.
	'GET /.well-known/security.txt': [{ expected: everyone(404) }],
	'GET /health/live': [{ expected: everyone(200) }],
	'GET /health/ready': [{ expected: everyone(200) }],
	'GET /metrics': [{ expected: { ...everyone(404), metrics: 200 } }],
	'GET /docs/api': [{ expected: everyone(200) }],
	'GET /docs/api/json': [{ expected: everyone(200) }],
	'GET /docs/api/yaml': [{ expected: everyone(200) }],
	'GET /docs/api/static/*': [{ path: '/docs/api/static/none.js', expected: everyone(404) }],
	'GET /docs/api/static/index.html': [{ expected: everyone(302) }],
	...Object.fromEntries(
		['swagger-initializer.js', 'theme/tidemark.css', 'theme/mark.svg'].map((file): [string, Row[]] => [
			`GET /docs/api/static/${file}`,
			[{ expected: everyone(200) }],
		]),
	),
	// One file for all: pages ask for what they show.
	...Object.fromEntries(
		[
			...['/', '/sign-in', '/sign-up', '/set-up', '/password', '/forgotten', '/join', '/confirm-address'],
			...['/websites', '/websites/new', '/websites/:id', '/websites/:id/install', '/websites/:id/journeys'],
			...[
				'/websites/:id/live',
				'/websites/:id/reports',
				'/websites/:id/settings',
				'/operator',
				'/operator/:tab',
			],
			...['/websites/:id/settings/:tab', '/account', '/account/:tab', '/doctor', '/boards', '/boards/:id'],
			'/s/:token',
		].map((path): [string, Row[]] => [
			`GET ${path}`,
			[
				{
					path: path.replace(':id', String(website.id)).replace(':tab', 'keys').replace(':token', link),
					expected: built('pages/index.html'),
				},
			],
		]),
	),
};

test('[T11] the table has a row for every route outside of the API, and for nothing else', () => {
	assert.deepEqual(
		mounted().filter((route) => !/ \/(app\/)?api(\/|$)/.test(route)),
		Object.keys(table).sort(),
	);
});

for (const [route, requests] of Object.entries(table))
	for (const { path, call = {}, expected } of requests)
		test(`[T11] ${route}${path === undefined ? '' : ` as ${path.replace(/[\w-]{20,}/, '…')}`}`, async () => {
			const [method = '', url = ''] = route.split(' ');
			const answers = await Promise.all(
				names.map(async (name) => {
					const headers = { ...call.headers, ...callers[name] };
					return { name, ...(await send(w.base, method, path ?? url, { ...call, headers })) };
				}),
			);
			assert.deepEqual(Object.fromEntries(answers.map(({ name, status }) => [name, status])), expected);
			// Whoever gets something gets the same.
			const texts = answers.filter(({ status }) => status < 400).map(({ text }) => text);
			assert.ok(new Set(texts).size <= 1, texts.join('\n').slice(0, 2_000));
		});
