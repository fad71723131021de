import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { createLink, linkPage, tokenOf } from '../support/share-links.ts';
import { storeEvents } from '../support/stored-events.ts';
import { givePassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const moment = Date.parse('2026-11-08T12:40:00.000Z');
const w = await world({ after }, { now: () => new Date(moment) });
const owner = await w.account({ timezone: 'UTC' });
await givePassword(w, owner);
const browser = await signedIn(w, owner);

async function create(account = owner): Promise<Website> {
	const form = { domain: freshDomain('b'), privacy: '1' };
	const website = websiteOf(await account.api('POST', '/websites', { form }), 201);
	await storeEvents(
		w,
		website.id,
		Array.from({ length: 15 }, (_, n) => ({
			date: '2026-11-07',
			country: n < 10 ? 'DE' : 'AT',
			path: n < 6 ? '/blog' : '/',
		})),
	);
	return website;
}

type BoardLink = { id: number; name: string; url: string; used_count: number; has_password: boolean };
async function share(by: Visitor, cards: object[], fields: object = {}) {
	const board = await by('POST', '/boards', { json: { name: 'Clients', period: '7d', cards } });
	assert.equal(board.status, 201, board.text);
	const { id } = (board.json as { data: { id: number } }).data;
	const made = await by('POST', `/boards/${id}/share-links`, { json: { name: 'All', ...fields } });
	assert.equal(made.status, 201, made.text);
	const link = (made.json as { data: BoardLink }).data;
	return { id, link, page: linkPage(() => w.base, link) };
}
const totalOf = async (page: ReturnType<typeof linkPage>, index: number) => {
	const answer = await page('GET', `/share-link/cards/${index}`);
	assert.equal(answer.status, 200, answer.text);
	return (answer.json as { data: { totals: { visitors: number | null } } }).data.totals.visitors;
};

test('[C-LINK-14] a link of a board shows its name and the answers of its cards', async () => {
	const website = await create();
	const goals = await owner.api('POST', `/websites/${website.id}/funnels`, {
		json: { name: 'Read', steps: [{ page: '/blog' }, { page: '/' }] },
	});
	const funnel = (goals.json as { data: { id: number } }).data.id;
	const cards = [
		{ website_id: website.id, view: 'number' },
		{ website_id: website.id, view: 'breakdown', dimension: 'country' },
		{
			website_id: website.id,
			view: 'chart',
			filters: [{ test: 'is', dimension: 'country', values: ['DE'] }],
		},
		{ website_id: website.id, view: 'funnel', funnel_id: funnel },
		{ website_id: website.id, view: 'live' },
	];
	const { page, link, id } = await share(browser, cards);
	const opened = await page('POST', '/share-link');
	const { data } = opened.json as { data: { board: { name: string; cards: { index: number }[] } } };
	assert.deepEqual(
		[data.board.name, data.board.cards.map(({ index }) => index)],
		['Clients', [0, 1, 2, 3, 4]],
	);
	assert.equal(await totalOf(page, 0), 15);
	const rows = (await page('GET', '/share-link/cards/1')).json as {
		data: { breakdowns: { rows: { value: string; visitors: number }[] }[] };
	};
	assert.deepEqual(rows.data.breakdowns[0]?.rows, [
		{ value: 'DE', visitors: 10 },
		{ value: 'AT', visitors: 5 },
	]);
	assert.equal(await totalOf(page, 2), 10);
	const steps = (await page('GET', '/share-link/cards/3')).json as {
		data: { steps: { visitors: number }[] };
	};
	assert.equal(steps.data.steps[0]?.visitors, 6);
	assert.deepEqual((await page('GET', '/share-link/cards/4')).json, { data: { visitors: 0 } });
	const listed = await browser('GET', `/boards/${id}/share-links`);
	assert.deepEqual(
		(listed.json as { data: BoardLink[] }).data.map(({ name, used_count: uses }) => [name, uses]),
		[['All', 1]],
	);
	assert.equal((await browser('DELETE', `/boards/${id}/share-links/${link.id}`)).status, 200);
	assertProblem(await page('GET', '/share-link/cards/0'), 'not_found');
});

test('[C-LINK-15][T165] a link of a board answers no other question about its websites', async () => {
	const website = await create();
	const { page } = await share(browser, [
		{
			website_id: website.id,
			view: 'number',
			filters: [{ test: 'is', dimension: 'country', values: ['DE'] }],
		},
	]);
	for (const path of ['stats', 'stats/country', 'vitals', 'live', 'goals', 'funnels', 'properties', 'share'])
		assert.equal((await page('GET', `/websites/${website.id}/${path}`)).status, 404, path);
	assertProblem(await page('POST', `/websites/${website.id}/stats/query`, { json: {} }), 'not_found');
	for (const index of ['1', '99', '-1', '00000', 'x', '0x0'])
		assertProblem(await page('GET', `/share-link/cards/${index}`), 'not_found');
	// Parameters change nothing.
	const more = new URLSearchParams({ period: 'all', filters: '["is","country",["AT"]]', metrics: 'visits' });
	const plain = (await page('GET', '/share-link/cards/0')).json as { data: { totals: object } };
	const sent = (await page('GET', `/share-link/cards/0?${more}`)).json as { data: { totals: object } };
	assert.deepEqual([plain.data.totals, sent.data.totals], [{ visitors: 10 }, { visitors: 10 }]);
	// The link of a website has no cards.
	const other = linkPage(() => w.base, await createLink(owner, website));
	assertProblem(await other('GET', '/share-link/cards/0'), 'not_found');
	const { data } = (await browser('GET', '/boards')).json as { data: { id: number }[] };
	const stranger = await w.account({ timezone: 'UTC' });
	await givePassword(w, stranger);
	const others = await signedIn(w, stranger);
	for (const [method, path] of [
		['GET', ''],
		['POST', ''],
		['DELETE', '/1'],
	] as const)
		assertProblem(
			await others(
				method,
				`/boards/${data[0]?.id}/share-links${path}`,
				method === 'POST' ? { json: { name: 'x' } } : {},
			),
			'not_found',
		);
});

test('[C-LINK-15][T165] a card shows nothing while the owner of the board may not share its website', async () => {
	const member = await w.account({ timezone: 'UTC' });
	await givePassword(w, member);
	const theirs = await signedIn(w, member);
	const website = await create();
	const own = await create(member);
	const role = async (name?: string) => {
		await w.sql('DELETE FROM members');
		if (name)
			await w.sql(
				'INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
				[owner.id, website.id, member.id, name],
			);
	};
	const { page } = await share(theirs, [
		{ website_id: website.id, view: 'number' },
		{ website_id: own.id, view: 'number' },
	]);
	const shown = async () => {
		const { data } = (await page('GET', '/share-link')).json as {
			data: { board: { cards: { index: number }[]; websites: { domain: string }[] } };
		};
		const answers = await Promise.all([0, 1].map((n) => page('GET', `/share-link/cards/${n}`)));
		return [
			data.board.cards.map(({ index }) => index),
			data.board.websites.map(({ domain }) => domain),
			answers.map(({ status }) => status),
		];
	};
	const hidden = [[1], [own.domain], [404, 200]];
	for (const name of [undefined, 'viewer', 'editor']) {
		await role(name);
		assert.deepEqual(await shown(), hidden, name);
	}
	await role('admin');
	assert.deepEqual(await shown(), [
		[0, 1],
		[website.domain, own.domain],
		[200, 200],
	]);
	await w.operate('account.disable', { email: owner.email, disabled: true });
	assert.deepEqual(await shown(), hidden);
	await w.operate('account.disable', { email: owner.email, disabled: false });
	await w.operate('account.disable', { email: member.email, disabled: true });
	assertProblem(await page('GET', '/share-link'), 'not_found');
	await w.operate('account.disable', { email: member.email, disabled: false });
	await role();
	assert.deepEqual(await shown(), hidden);
});

test('[C-LINK-14][T166] thresholds apply to cards, and filters that cannot be fixed are refused', async () => {
	const website = await create();
	await storeEvents(w, website.id, [
		{ date: '2026-11-07', visitor_id: '99', event_id: '99', country: 'CH', path: '/blog' },
	]);
	const card = (...filters: object[]) => ({ website_id: website.id, view: 'number', filters });
	const { page } = await share(await signedIn(w, owner), [
		card({ test: 'is', dimension: 'country', values: ['CH'] }),
		card({ test: 'is', dimension: 'country', values: ['A', 'B', 'C', 'D'] }),
		card({ test: 'is', dimension: 'page_group', values: ['/blog'] }),
		card({ test: 'starts_with', dimension: 'page', values: ['/'] }),
	]);
	assert.equal(await totalOf(page, 0), null);
	for (const index of [1, 2])
		assertProblem(await page('GET', `/share-link/cards/${index}`), 'validation_failed', ['filters']);
	assert.equal(await totalOf(page, 3), 16);
});

test('[C-LINK-14] a card without a filter is shown whatever the other cards filter by', async () => {
	const website = await create();
	const filtered = Array.from({ length: 12 }, (_, n) => ({
		website_id: website.id,
		view: 'number',
		filters: [{ test: 'is', dimension: 'page', values: [`/${n}`] }],
	}));
	const { page } = await share(await signedIn(w, owner), [
		{ website_id: website.id, view: 'number' },
		...filtered,
	]);
	assert.equal(await totalOf(page, 0), 15);
	// More filters than can be compared.
	assertProblem(await page('GET', '/share-link/cards/1'), 'not_found');
});

test('[C-LINK-14] a password protects the cards, and the origins of all websites may embed the board', async () => {
	const [first, second] = [await create(), await create()];
	const again = await signedIn(w, owner);
	const cards = [first, second].map(({ id }) => ({ website_id: id, view: 'number' }));
	const locked = await share(again, cards, { password: 'low tide 7' });
	assert.deepEqual((await locked.page('POST', '/share-link')).json, { data: { access: 'password' } });
	assertProblem(await locked.page('GET', '/share-link/cards/0'), 'password_needed');
	const opened = linkPage(() => w.base, locked.link, { browser: visitor(() => w.base) });
	assert.equal(
		(await opened('POST', '/share-link/unlock', { json: { password: 'low tide 7' } })).status,
		200,
	);
	assert.equal(await totalOf(opened, 0), 15);
	const { link } = await share(again, cards);
	const ancestors = async (of: { url: string }) => {
		const answer = await fetch(`${w.base}/s/${tokenOf(of)}?embed=1`, { headers: { accept: 'text/html' } });
		return /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];
	};
	const allow = ({ id }: Website, origins: string) =>
		owner.api('PATCH', `/websites/${id}/settings`, { json: { embed_origins: origins } });
	await allow(first, 'https://a.example\nhttps://b.example');
	assert.equal(await ancestors(link), "'none'");
	await allow(second, 'https://b.example');
	assert.equal(await ancestors(link), 'https://b.example');
	assert.equal(await ancestors(locked.link), "'none'");
});
