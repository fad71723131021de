/**
 * Who gets which status from each operation of the API: with a key at `/api/v1`, and with a session, a share link or nothing at
 * `/app/api`. Written by hand, so that a change of the rules in the service shows here.
 *
 * A new operation needs one row of `rows`. The routes that only the dashboard uses are in access-matrix-sessions.test.ts, all others
 * (pages, tracker, feeds, MCP, metrics) in access-matrix-public.test.ts.
 */
import type { Client } from '../support/client.ts';
import { freshDomain, type Website } from '../support/contract.ts';
import { makePng } from '../support/images.ts';
import { goodPassword } from '../support/visitor.ts';
import type { World } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';

/**
 * Keys of the account of the website: full, read-only, limited to the website or to another one, with one scope. Then a full key of
 * another account, keys that are no longer or nowhere valid, the cookie of the owner, and a share link of the website.
 */
export const keyCallers = [
	...(['full', 'read', 'limited', 'limitedElsewhere', 'limitedRead'] as const),
	...(['stats', 'events', 'manage', 'export', 'people'] as const),
	'stranger',
	...(['revoked', 'expired', 'fromElsewhere', 'wrong', 'nobody', 'cookie', 'shareLink'] as const),
] as const;
export type KeyCaller = (typeof keyCallers)[number];

/**
 * People with their role on the website; the operator and the stranger have none. Then somebody without a session on public
 * statistics, and the owner's browser with a share link of the website: whole, with a filter, of another website, of a board. Then
 * somebody without a session, with an ended one, and with a full key of the owner.
 */
export const pageCallers = [
	...(['operator', 'owner', 'coOwner', 'admin', 'editor', 'viewer', 'stranger'] as const),
	...(['publicPage', 'link', 'filteredLink', 'linkElsewhere', 'boardLink'] as const),
	...(['nobody', 'ended', 'key'] as const),
] as const;
export type PageCaller = (typeof pageCallers)[number];

/** What a row may need to make a good request. */
export type Setup = { w: World; website: Website; api: Client };

export type GoodRequest = {
	/** Values for the parameters of the path. */
	params?: Record<string, string | number>;
	query?: string;
	json?: unknown;
	/** Sent with a DELETE too. */
	proof?: { password: string };
	body?: Uint8Array;
};

export type Row = {
	keys: Record<KeyCaller, number>;
	/** Undefined: only keys have it. */
	pages: Record<PageCaller, number> | undefined;
	/** A success is one entry of the activity log. */
	isLogged: boolean;
	/** The entry is in the log of another account, without an author. */
	isByOperator?: true;
	/** Where the path does not say it all. */
	request?: (setup: Setup) => GoodRequest | Promise<GoodRequest>;
};

const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
type RoleName = (typeof roles)[number];

/** Public pages and links that have it; `public`: no links, `unfiltered`: only links without a filter. */
type Shared = 'public' | 'links' | 'unfiltered';

const scopeNames = { s: 'stats', e: 'events', m: 'manage', x: 'export', p: 'people' } as const;
type Letter = keyof typeof scopeNames;

/** One letter per scope: s stats, e events, m manage, x export, p people. */
function byScope(done: number, letters: string) {
	// Object.keys forgets the names.
	const all = Object.keys(scopeNames) as Letter[];
	const statuses = all.map((letter) => [scopeNames[letter], letters.includes(letter) ? done : 403]);
	return Object.fromEntries(statuses) as Record<(typeof scopeNames)[Letter], number>;
}
const withoutKey = {
	...{ revoked: 401, expired: 401, fromElsewhere: 401, wrong: 401, nobody: 401 },
	...{ cookie: 401, shareLink: 401 },
};
/** A key is no session. */
const withoutSession = { nobody: 401, ended: 401, key: 401 };
const noLinks = { link: 404, filteredLink: 404, linkElsewhere: 404, boardLink: 404 };

/** Reads a website. Whoever cannot see it is told that it does not exist. */
function readOf(
	done: number,
	scopes: string,
	{ least = 'viewer', shared }: { least?: RoleName; shared?: Shared } = {},
): Row {
	const by = (role: RoleName) => (roles.indexOf(role) >= roles.indexOf(least) ? done : 403);
	const [owner, admin, editor, viewer] = [by('owner'), by('admin'), by('editor'), by('viewer')];
	return {
		keys: {
			...{ full: done, read: done, limited: done, limitedElsewhere: 404, limitedRead: done, stranger: 404 },
			...byScope(done, scopes),
			...withoutKey,
		},
		pages: {
			...{ operator: 404, owner, coOwner: owner, admin, editor, viewer, stranger: 404 },
			...noLinks,
			publicPage: shared ? done : 401,
			...(shared && shared !== 'public' && { link: done }),
			...(shared === 'links' && { filteredLink: done }),
			// What may be public looks as if it did not exist; whoever was signed in is asked to sign in again.
			...{ nobody: shared ? 404 : 401, ended: 401, key: shared ? 404 : 401 },
		},
		isLogged: false,
	};
}

/** Changes a website. */
function changeOf(done: number, scopes: string, least: RoleName = 'editor'): Row {
	const row = readOf(done, scopes, { least });
	return { ...row, keys: { ...row.keys, read: 403, limitedRead: 403 }, isLogged: true };
}

/** Of the account that the caller is or works in. `by`: keys that may, besides full ones. */
function ofAccount(done: number, scopes: string, by: 'all' | 'unlimited' | 'full'): Row {
	const ofLimited = by === 'all' ? done : 403;
	return {
		keys: {
			...{ full: done, read: by === 'full' ? 403 : done, stranger: done },
			...{ limited: ofLimited, limitedElsewhere: ofLimited, limitedRead: ofLimited },
			...byScope(done, scopes),
			...withoutKey,
		},
		pages: {
			...{ operator: done, owner: done, coOwner: done, admin: done, editor: done, viewer: done },
			...{ stranger: done, publicPage: 401 },
			...noLinks,
			...withoutSession,
		},
		isLogged: false,
	};
}

const logged = (row: Row): Row => ({ ...row, isLogged: true });
const unlogged = (row: Row): Row => ({ ...row, isLogged: false });
const withRequest = (row: Row, request: Row['request'] & object): Row => ({ ...row, request });

/** A record of the owner's account that its owners and full keys change. */
function ofOwners(done: number, scopes = ''): Row {
	const row = ofAccount(done, scopes, 'full');
	const others = { operator: 404, admin: 404, editor: 404, viewer: 404, stranger: 404 };
	return {
		...row,
		keys: { ...row.keys, stranger: 404 },
		pages: row.pages && { ...row.pages, ...others },
		isLogged: true,
	};
}

const ofKey: Row = withRequest(ofOwners(200), async ({ api }) => {
	const { json } = await api('POST', '/keys', { json: { name: 'One of many' } });
	// The password is for sessions; keys need none.
	return { params: { key_id: idOf(json) }, json: { name: 'x', password: goodPassword } };
});

/** Not for read-only keys. */
const notByReaders = (row: Row): Row => ({ ...row, keys: { ...row.keys, read: 403, limitedRead: 403 } });

/** Also for read-only keys. */
const readToo = (row: Row): Row => unlogged({ ...row, keys: { ...row.keys, read: row.keys.full } });

/** To everyone but operators and operator keys, these routes do not exist. */
function ofOperators(done: number): Row {
	const row = ofAccount(404, 'semxp', 'all');
	return {
		...row,
		pages: row.pages && { ...row.pages, operator: done },
		isLogged: false,
		isByOperator: true,
	};
}
const proof = { password: goodPassword };
const otherAccount = async ({ w }: Setup): Promise<GoodRequest> => ({
	params: { account_id: (await w.account()).id },
});
const limits = async (setup: Setup) => ({ ...(await otherAccount(setup)), json: { website_limit: 5 } });
const provenOnOther = async (setup: Setup) => ({ ...(await otherAccount(setup)), proof });
const newAccount = () => ({
	json: { name: 'New', email: `${freshDomain().replaceAll('.', '-')}@example.test` },
});
const signUpPolicy = () => ({ json: { mode: 'closed' }, proof });

/** The definitions of metrics and dimensions are public. */
function ofEveryone(done: number): Row {
	const row = ofAccount(done, 'semxp', 'all');
	const everyone = Object.fromEntries(pageCallers.map((caller) => [caller, done]));
	return { ...row, pages: everyone as Record<PageCaller, number> };
}

const document: Row = {
	keys: Object.fromEntries(keyCallers.map((caller) => [caller, 200])) as Row['keys'],
	pages: undefined,
	isLogged: false,
};

/** Our own answers: `data` has an id. */
const idOf = (json: unknown): number => (json as { data: { id: number } }).data.id;

/** The collections of a website, and a body that creates one of each or changes it. */
const collections: Record<string, { json: Record<string, unknown>; read: Row; change(done: number): Row }> = {
	goals: {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
		read: readOf(200, 'sm', { shared: 'links' }),
		change: (done) => changeOf(done, 'm'),
	},
	funnels: {
		json: { name: 'Checkout', steps: [{ page: '/' }, { page: '/thanks' }] },
		read: readOf(200, 'sm', { shared: 'links' }),
		change: (done) => changeOf(done, 'm'),
	},
	// Their texts are written for those who see everything.
	segments: {
		json: { name: 'Germany', filters: ['is', 'country', ['DE']] },
		read: readOf(200, 'sm', { shared: 'public' }),
		change: (done) => changeOf(done, 'm'),
	},
	notes: {
		json: { date: '2026-11-15', text: 'Launch' },
		read: readOf(200, 'sm', { shared: 'public' }),
		change: (done) => changeOf(done, 'm'),
	},
	alerts: {
		json: { kind: 'spike', channel: 'slack', url: 'https://hooks.example.com/x' },
		read: readOf(200, 'm'),
		change: (done) => changeOf(done, 'm', 'admin'),
	},
	// They may name addresses of those who work on the website.
	'traffic-rules': {
		json: { name: 'Office', kind: 'network', values: ['203.0.113.0/24'] },
		read: readOf(200, 'm', { least: 'editor' }),
		change: (done) => changeOf(done, 'm'),
	},
	// Whoever reads a share link can pass it on.
	'share-links': {
		json: { name: 'Client' },
		read: unlogged(changeOf(200, '', 'admin')),
		change: (done) => changeOf(done, '', 'admin'),
	},
};

let itemsMade = 0;

const makeItem =
	(kind: string) =>
	async ({ api, website }: Setup): Promise<GoodRequest> => {
		const { json = {} } = collections[kind] ?? {};
		// Names are unique.
		const named = 'name' in json ? { ...json, name: `Item ${++itemsMade}` } : json;
		const created = await api('POST', `/websites/${website.id}/${kind}`, { json: named });
		return { params: { item_id: idOf(created.json) }, json: { ...json, name: `Item ${++itemsMade}` } };
	};

const rowsOfCollections = Object.entries(collections).flatMap(([kind, { json, read, change }]) => {
	const path = `/websites/{id}/${kind}`;
	const ofItem = `${path}/{item_id}`;
	return Object.entries({
		[`GET ${path}`]: read,
		[`POST ${path}`]: withRequest(change(201), () => ({ json })),
		[`GET ${ofItem}`]: withRequest(read, makeItem(kind)),
		[`PUT ${ofItem}`]: withRequest(change(200), makeItem(kind)),
		[`PATCH ${ofItem}`]: withRequest(change(200), makeItem(kind)),
		[`DELETE ${ofItem}`]: withRequest(change(200), makeItem(kind)),
	});
});

/** A file with one day. */
const exportedDay = zipOf([{ name: 'imported_visitors.csv', text: 'date,visitors\n2024-03-01,1' }]);

async function makeImport({ api, website }: Setup): Promise<GoodRequest> {
	const path = `/websites/${website.id}/imports?source=plausible`;
	const { json } = await api('POST', path, { body: exportedDay });
	return { params: { item_id: idOf(json) } };
}

/** There are limits; the newest ones may be in use. */
const keepFew = (w: World, table: string) =>
	w.sql(`DELETE FROM ${table} WHERE id NOT IN (SELECT id FROM ${table} ORDER BY id DESC LIMIT 5)`);

async function makeMember({ w, website }: Setup): Promise<GoodRequest> {
	const { id } = await w.account();
	const [row] = await w.sql<{ id: number }>(
		`INSERT INTO members (owner_id, website_id, member_id, role, created_at)
		SELECT account_id, id, $2, 'editor', now() FROM websites WHERE id = $1 RETURNING id::int`,
		[website.id, id],
	);
	return { params: { member_id: row?.id ?? 0 }, json: { role: 'viewer' } };
}

async function makeInvitation({ w, website, api }: Setup): Promise<GoodRequest> {
	await keepFew(w, 'invitations');
	const path = `/websites/${website.id}/people/invitations`;
	return { params: { invitation_id: idOf((await api('POST', path, { json: { role: 'viewer' } })).json) } };
}

async function makeRecipient({ w, website }: Setup): Promise<GoodRequest> {
	const [row] = await w.sql<{ id: number }>(
		`INSERT INTO report_recipients (account_id, address, locale, expires_at, created_at)
		SELECT account_id, 'r' || clock_timestamp() || '@example.test', 'en', now(), now() FROM websites WHERE id = $1
		RETURNING id::int`,
		[website.id],
	);
	return { params: { recipient_id: row?.id ?? 0 } };
}

/** A board of the account, and a link to it. */
async function makeBoard({ w, api }: Setup): Promise<GoodRequest> {
	await keepFew(w, 'boards');
	const id = idOf((await api('POST', '/boards', { json: { name: `Board ${++itemsMade}` } })).json);
	const link = idOf((await api('POST', `/boards/${id}/share-links`, { json: { name: 'Client' } })).json);
	return { params: { board_id: id, link_id: link }, json: { name: `Board ${++itemsMade}` } };
}

const invited = async ({ w }: Setup) => {
	await keepFew(w, 'invitations');
	return { json: { role: 'viewer' } };
};
/** The password is for sessions; keys need none. */
const offered = () => ({ json: { email: 'new@example.test', password: goodPassword } });
/** It takes a website away from the account, so it is for keys that can do everything. */
function ofOffer(request: Row['request'] & object): Row {
	const row = changeOf(200, '', 'owner');
	return withRequest({ ...row, keys: { ...row.keys, limited: 403 } }, request);
}

async function makeWebhook({ w, api }: Setup): Promise<GoodRequest> {
	await keepFew(w, 'webhooks');
	const id = idOf((await api('POST', '/webhooks', { json: webhook })).json);
	const [delivery] = await w.sql<{ id: number }>(
		`INSERT INTO outbox (kind, key, webhook_id, content, next_at, created_at)
		VALUES ('event', $1::bigint || ' a test', $1::bigint, '{"id": "a", "type": "test"}', now(), now()) RETURNING id::int`,
		[id],
	);
	return { params: { webhook_id: id, delivery_id: delivery?.id ?? 0 }, json: { name: 'x' } };
}
const webhook = { name: 'Hook', url: 'https://hooks.example.com/x', events: ['day.sealed'] };

async function makeTemplate({ w, api }: Setup): Promise<GoodRequest> {
	await keepFew(w, 'website_templates');
	const { json } = await api('POST', '/website-templates', { json: { name: `Template ${++itemsMade}` } });
	return { params: { template_id: idOf(json) }, json: { name: `Template ${++itemsMade}` } };
}
const manyWebsites = ({ website }: Setup) => ({
	json: { website_ids: [website.id], website: { exclude_bots: 1 } },
});

const renamed = () => ({ json: { domain: freshDomain() } });
const email = () => ({ json: { email: '1' } });
const noRules = () => ({ json: { rules: [] } });
const conditions = () => ({ json: { conditions: [{ field: 'path', values: ['/a'] }] } });

export const rows: Readonly<Record<string, Row>> = {
	'GET /websites': ofAccount(200, 'sm', 'all'),
	'POST /websites': withRequest(logged(ofAccount(201, 'm', 'full')), renamed),
	'GET /websites/{id}': readOf(200, 'sm'),
	'PUT /websites/{id}': withRequest(changeOf(200, 'm'), email),
	'PATCH /websites/{id}': withRequest(changeOf(200, 'm'), email),
	'DELETE /websites/{id}': changeOf(200, 'm', 'admin'),
	'PUT /websites/{id}/domain': withRequest(changeOf(200, 'm', 'admin'), renamed),
	'PATCH /websites/{id}/domain': withRequest(changeOf(200, 'm', 'admin'), renamed),
	'GET /websites/{id}/settings': readOf(200, 'm'),
	'PUT /websites/{id}/settings': withRequest(changeOf(200, 'm'), email),
	'PATCH /websites/{id}/settings': withRequest(changeOf(200, 'm'), email),
	'POST /websites/{id}/reset': changeOf(200, 'm', 'admin'),
	'POST /websites/{id}/events': withRequest(unlogged(changeOf(202, 'e')), ({ website }) => ({
		json: { url: `https://${website.domain}/` },
	})),
	'GET /websites/{id}/export': readOf(200, 'x', { least: 'admin' }),
	'GET /websites/{id}/path-groups': readOf(200, 'm'),
	'PUT /websites/{id}/path-groups': withRequest(changeOf(200, 'm'), noRules),
	// There is nothing to undo.
	'POST /websites/{id}/path-groups/undo': changeOf(422, 'm'),
	'POST /websites/{id}/path-groups/preview': withRequest(readOf(200, 'm'), noRules),
	'GET /websites/{id}/path-groups/proposals': readOf(200, 'm'),
	...Object.fromEntries(rowsOfCollections),
	'POST /websites/{id}/alerts/{item_id}/test': withRequest(changeOf(200, 'm', 'admin'), makeItem('alerts')),
	'POST /websites/{id}/traffic-rules/preview': withRequest(readOf(200, 'm', { least: 'editor' }), () => ({
		json: collections['traffic-rules']?.json,
	})),
	'GET /websites/{id}/deletions': readOf(200, 'm', { least: 'editor' }),
	'POST /websites/{id}/deletions/preview': withRequest(readOf(200, 'm', { least: 'editor' }), conditions),
	// No events match, and there is nothing to undo.
	'POST /websites/{id}/deletions': withRequest(changeOf(422, 'm', 'admin'), conditions),
	'POST /websites/{id}/deletions/{item_id}/undo': withRequest(changeOf(404, 'm', 'admin'), () => ({
		params: { item_id: 10 ** 9 },
	})),
	'GET /websites/{id}/imports': readOf(200, 'm'),
	'POST /websites/{id}/imports': withRequest(changeOf(201, 'm', 'admin'), () => ({
		query: 'source=plausible',
		body: exportedDay,
	})),
	'GET /websites/{id}/imports/{item_id}': withRequest(readOf(200, 'm'), makeImport),
	'POST /websites/{id}/imports/{item_id}/start': withRequest(changeOf(200, 'm', 'admin'), makeImport),
	'DELETE /websites/{id}/imports/{item_id}': withRequest(changeOf(200, 'm', 'admin'), makeImport),
	'GET /websites/{id}/stats': readOf(200, 's', { shared: 'links' }),
	'GET /websites/{id}/stats/{dimension}': withRequest(readOf(200, 's', { shared: 'links' }), () => ({
		params: { dimension: 'country' },
	})),
	'POST /websites/{id}/stats/query': withRequest(readOf(200, 's', { shared: 'links' }), () => ({ json: {} })),
	'GET /websites/{id}/funnels/{item_id}/stats': withRequest(
		readOf(200, 's', { shared: 'links' }),
		makeItem('funnels'),
	),
	'GET /websites/{id}/vitals': readOf(200, 's', { shared: 'unfiltered' }),
	'GET /websites/{id}/properties': readOf(200, 's', { shared: 'unfiltered' }),
	'GET /websites/{id}/live': readOf(200, 's', { shared: 'unfiltered' }),
	'GET /websites/{id}/live/stream': readOf(200, 's', { shared: 'unfiltered' }),
	// Single events, the paths of visits and explanations are not for the public.
	'GET /websites/{id}/live/feed': readOf(200, 's'),
	'GET /websites/{id}/journeys': readOf(200, 's'),
	'GET /websites/{id}/what-changed': readOf(200, 's'),
	'GET /websites/{id}/drops': readOf(200, 'sm'),
	'GET /stats': ofAccount(200, 's', 'all'),
	'GET /metrics': ofEveryone(200),
	'GET /dimensions': ofEveryone(200),
	'GET /account': ofAccount(200, '', 'unlimited'),
	'GET /account/branding': ofAccount(200, '', 'full'),
	'PUT /account/branding': withRequest(logged(ofAccount(200, '', 'full')), () => ({
		json: { name: 'Agency' },
	})),
	'PATCH /account/branding': withRequest(logged(ofAccount(200, '', 'full')), () => ({
		json: { name: 'Agency' },
	})),
	'PUT /account/branding/logo': withRequest(logged(ofAccount(200, '', 'full')), () => ({ body: makePng() })),
	'DELETE /account/branding/logo': logged(ofAccount(200, '', 'full')),
	'GET /keys': ofAccount(200, '', 'full'),
	'POST /keys': withRequest(logged(ofAccount(201, '', 'full')), () => ({
		json: { name: 'x', password: goodPassword },
	})),
	'GET /keys/{key_id}': unlogged(ofKey),
	'PUT /keys/{key_id}': ofKey,
	'PATCH /keys/{key_id}': ofKey,
	'POST /keys/{key_id}/rotate': ofKey,
	'DELETE /keys/{key_id}': ofKey,
	// To give the role of a viewer, a key needs the scopes people and stats.
	'GET /people': ofAccount(200, 'p', 'full'),
	'POST /people/invitations': withRequest(logged(ofAccount(201, '', 'full')), invited),
	'GET /websites/{id}/people': unlogged(changeOf(200, 'p', 'admin')),
	'POST /websites/{id}/people/invitations': withRequest(changeOf(201, '', 'admin'), invited),
	'DELETE /invitations/{invitation_id}': withRequest(changeOf(200, 'p', 'admin'), makeInvitation),
	'PUT /members/{member_id}': withRequest(changeOf(200, '', 'admin'), makeMember),
	'PATCH /members/{member_id}': withRequest(changeOf(200, '', 'admin'), makeMember),
	'DELETE /members/{member_id}': withRequest(changeOf(200, 'p', 'admin'), makeMember),
	'GET /activity': ofAccount(200, 'p', 'full'),
	'GET /activity/export': ofAccount(200, 'p', 'full'),
	'GET /websites/{id}/activity': unlogged(changeOf(200, 'p', 'admin')),
	'GET /websites/{id}/offer': unlogged(ofOffer(() => ({}))),
	'PUT /websites/{id}/offer': ofOffer(offered),
	'DELETE /websites/{id}/offer': ofOffer(async ({ api, website }) => {
		await api('PUT', `/websites/${website.id}/offer`, offered());
		return {};
	}),
	'GET /reports/settings': ofAccount(200, 'm', 'unlimited'),
	'PATCH /reports/settings': withRequest(logged(ofAccount(200, 'm', 'full')), () => ({
		json: { schedule: 'week' },
	})),
	'GET /reports/recipients': ofAccount(200, 'p', 'full'),
	// Without a mail server, nobody can be asked.
	'POST /reports/recipients': withRequest(ofAccount(503, 'p', 'full'), () => ({
		json: { email: 'somebody@example.test' },
	})),
	'DELETE /reports/recipients/{recipient_id}': withRequest(ofOwners(200, 'p'), makeRecipient),
	'GET /websites/{id}/reports': readOf(200, 's'),
	// No report has been made.
	'GET /websites/{id}/reports/{report_id}': withRequest(readOf(404, 's'), () => ({
		params: { report_id: 1 },
	})),
	'GET /websites/{id}/feed': unlogged(changeOf(200, '', 'owner')),
	'POST /websites/{id}/feed': changeOf(201, '', 'owner'),
	'DELETE /websites/{id}/feed': changeOf(200, '', 'owner'),
	'GET /boards': ofAccount(200, 's', 'unlimited'),
	'POST /boards': withRequest(logged(ofAccount(201, '', 'full')), () => ({ json: { name: 'Clients' } })),
	'GET /boards/{board_id}': withRequest(readToo(ofOwners(200, 's')), makeBoard),
	'PUT /boards/{board_id}': withRequest(ofOwners(200), makeBoard),
	'DELETE /boards/{board_id}': withRequest(ofOwners(200), makeBoard),
	'GET /boards/{board_id}/share-links': withRequest(unlogged(ofOwners(200)), makeBoard),
	'POST /boards/{board_id}/share-links': withRequest(ofOwners(201), makeBoard),
	'DELETE /boards/{board_id}/share-links/{link_id}': withRequest(ofOwners(200), makeBoard),
	// A webhook sends data of the whole account elsewhere.
	'GET /webhooks': ofAccount(200, '', 'full'),
	'POST /webhooks': withRequest(logged(ofAccount(201, '', 'full')), () => ({ json: webhook })),
	'GET /webhooks/{webhook_id}': withRequest(unlogged(ofOwners(200)), makeWebhook),
	'PUT /webhooks/{webhook_id}': withRequest(ofOwners(200), makeWebhook),
	'PATCH /webhooks/{webhook_id}': withRequest(ofOwners(200), makeWebhook),
	'DELETE /webhooks/{webhook_id}': withRequest(ofOwners(200), makeWebhook),
	'POST /webhooks/{webhook_id}/rotate': withRequest(ofOwners(200), makeWebhook),
	'POST /webhooks/{webhook_id}/test': withRequest(ofOwners(200), makeWebhook),
	'GET /webhooks/{webhook_id}/deliveries': withRequest(unlogged(ofOwners(200)), makeWebhook),
	'POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay': withRequest(ofOwners(200), makeWebhook),
	'POST /bulk/websites': withRequest(logged(ofAccount(200, 'm', 'full')), () => ({
		json: { websites: [{ domain: freshDomain() }] },
	})),
	// Each website has a result of its own.
	'PUT /bulk/websites': withRequest(notByReaders(logged(ofAccount(200, 'm', 'all'))), manyWebsites),
	'PATCH /bulk/websites': withRequest(notByReaders(logged(ofAccount(200, 'm', 'all'))), manyWebsites),
	// They contain addresses, and belong to no single website.
	'GET /website-templates': ofAccount(200, 'm', 'unlimited'),
	'POST /website-templates': withRequest(logged(ofAccount(201, 'm', 'full')), () => ({
		json: { name: freshDomain() },
	})),
	'GET /website-templates/{template_id}': withRequest(readToo(ofOwners(200, 'm')), makeTemplate),
	'PUT /website-templates/{template_id}': withRequest(ofOwners(200, 'm'), makeTemplate),
	'PATCH /website-templates/{template_id}': withRequest(ofOwners(200, 'm'), makeTemplate),
	'DELETE /website-templates/{template_id}': withRequest(ofOwners(200, 'm'), makeTemplate),
	'GET /operator/accounts': ofOperators(200),
	'POST /operator/accounts': withRequest(ofOperators(201), newAccount),
	'GET /operator/accounts/{account_id}': withRequest(ofOperators(200), otherAccount),
	'PUT /operator/accounts/{account_id}/limits': withRequest(logged(ofOperators(200)), limits),
	'PATCH /operator/accounts/{account_id}/limits': withRequest(logged(ofOperators(200)), limits),
	'POST /operator/accounts/{account_id}/disable': withRequest(logged(ofOperators(200)), provenOnOther),
	'POST /operator/accounts/{account_id}/enable': withRequest(logged(ofOperators(200)), otherAccount),
	'DELETE /operator/accounts/{account_id}': withRequest(ofOperators(200), provenOnOther),
	'GET /operator/sign-up': ofOperators(200),
	'PUT /operator/sign-up': withRequest(ofOperators(200), signUpPolicy),
	'PATCH /operator/sign-up': withRequest(ofOperators(200), signUpPolicy),
	'GET /operator/activity': ofOperators(200),
	'GET /operator/activity/export': ofOperators(200),
	'GET /openapi.json': document,
};

/** A request about many websites succeeds even if it may not change any of them. */
export const hasChanged = (text: string): boolean => !text.includes('"succeeded":0');

/** A good request for an operation: `{id}` is the website. */
export async function requestOf(operation: string, setup: Setup) {
	const [method = '', path = ''] = operation.split(' ');
	const { params = {}, query, json, proof, body } = (await rows[operation]?.request?.(setup)) ?? {};
	const values: Record<string, string | number> = { id: setup.website.id, ...params };
	const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
	return {
		method,
		path: query === undefined ? filled : `${filled}?${query}`,
		call: {
			...(json !== undefined && method !== 'GET' && method !== 'DELETE' && { json }),
			...(proof && { json: { ...(json as object), ...proof } }),
			...(body && { body, headers: { 'content-type': 'application/octet-stream' } }),
		},
	};
}

/** The same path in Fastify's notation, below its mount. */
export const mountedAs = (operation: string, prefix: string): string =>
	operation.replace(' ', ` ${prefix}`).replaceAll(/\{(\w+)\}/g, ':$1');
