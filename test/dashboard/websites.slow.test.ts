import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { buildTracker } from '../../scripts/build-tracker.ts';
import { openBrowser } from '../support/browser.ts';
import { assertStatus, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard, pressLastInMenu } from '../support/dashboard.ts';
import { storeEvents } from '../support/stored-events.ts';
import type { TestAccount } from '../support/world.ts';

await buildTracker('dist/tracker');
// A clock that goes, far from midnight.
const began = Date.now();
const now = () => new Date(Date.parse('2026-11-15T09:30:00.000Z') + Date.now() - began);
const d = await openDashboard({ after }, { now });

const create = async (account: TestAccount, domain: string, about: Record<string, unknown> = {}) =>
	websiteOf(
		await account.api('POST', '/websites', { json: { domain, timezone: 'UTC', privacy: 1, ...about } }),
		201,
	);

const label = async (account: TestAccount, { id }: Website, labels: string[]) =>
	assertStatus(await account.api('PATCH', `/websites/${id}/settings`, { json: { labels } }), 200);

let lastVisitor = 0;
/** So many visitors on each of some days, counted back from today. */
const visitors = async ({ id }: Website, days: Readonly<Record<number, number>>) =>
	storeEvents(
		d.w,
		id,
		Object.entries(days).flatMap(([ago, count]) => {
			const date = new Date(now().getTime() - Number(ago) * 86_400_000).toISOString().slice(0, 10);
			return Array.from({ length: count }, () => {
				const visitor = String(++lastVisitor);
				return { date, time: `${date} 08:00:00.000`, visitor_id: visitor, event_id: visitor };
			});
		}),
	);

const overview = z.object({
	data: z.array(z.object({ domain: z.string(), favorite: z.number(), visitors: z.number().nullable() })),
	meta: z.object({ total: z.number(), totals: z.object({ visitors: z.number(), now: z.number() }) }),
});
const askOverview = async (account: TestAccount, query = '') =>
	overview.parse((await account.api('GET', `/stats${query}`)).json);

/** The favorites of a person, in their order. */
const favoritesOf = async (account: TestAccount): Promise<string[]> =>
	(
		await d.w.sql<{ domain: string }>(
			'SELECT domain FROM favorites JOIN websites ON id = website_id WHERE person_id = $1 ORDER BY position',
			[account.id],
		)
	).map(({ domain }) => domain);

/** A line of the list, by its domain as it is shown. */
const lineOf = (page: Page, domain: string) =>
	page.getByRole('listitem').filter({ has: page.getByRole('link', { name: domain, exact: true }) });

/** The domains in the order in which they stand. */
const shown = (page: Page): Promise<string[]> =>
	page.locator('main ul > li a[href^="/websites/"]:not([href$="/install"])').allTextContents();

async function assertShown(page: Page, domains: readonly string[]): Promise<void> {
	const [first] = domains;
	if (first !== undefined) await page.getByRole('link', { name: first, exact: true }).waitFor();
	for (const end = Date.now() + 30_000; ; ) {
		const found = await shown(page);
		if (found.join() === domains.join() || Date.now() > end) {
			assert.deepEqual(found, domains);
			return;
		}
		// Polled, because an order that changes keeps its lines.
		await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
	}
}

/** Somebody's websites: one server for all their names, and a browser that finds it by any of them. */
const heads = new Map<string, string>();
const server = createServer((request, response) => {
	response.setHeader('content-type', 'text/html');
	response.end(
		`<!doctype html><title>A page</title>${heads.get(request.headers.host ?? '') ?? ''}<body>Hello`,
	);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const port = z.object({ port: z.number() }).parse(server.address()).port;
const visitorsBrowser = await openBrowser('light', '--host-resolver-rules=MAP *.example 127.0.0.1');
after(async () => {
	await visitorsBrowser.close();
	server.closeAllConnections();
	server.close();
});

/** Opens a page that has this in its head, as a person does, until a hit was taken. */
async function visit(
	host: string,
	path: string,
	head: string,
	then?: (page: Page) => Promise<void>,
): Promise<void> {
	heads.set(`${host}:${port}`, head);
	const context = await visitorsBrowser.newContext({
		userAgent:
			'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
	});
	const page = await context.newPage();
	const sent = page.waitForResponse((answer) => answer.url() === `${d.w.base}/tm`);
	await page.goto(`http://${host}:${port}${path}`);
	await then?.(page);
	assert.equal((await sent).status(), 202);
	await context.close();
}

test('a website is added, its line put into a page, and the first visit seen to arrive', async () => {
	const account = await d.account();
	const page = await d.open('/websites', account);
	await page.getByRole('heading', { name: 'Add your first website' }).waitFor();
	await assertAccessible(page);
	await page.getByRole('link', { name: 'Add website' }).click();
	await page.getByRole('heading', { level: 1, name: 'Add website' }).waitFor();
	assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Berlin');
	assert.ok(await page.getByRole('radio', { name: /^Private/ }).isChecked());
	await page.getByLabel('Domain').fill('https://www.Harbour-Books.example/');
	await page.keyboard.press('Enter');
	await page
		.getByRole('heading', { level: 1, name: 'Install the snippet on harbour-books.example' })
		.waitFor();
	const id = Number(/websites\/(\d+)\/install$/.exec(page.url())?.[1]);
	const made = websiteOf(await account.api('GET', `/websites/${id}`), 200);
	assert.deepEqual([made.domain, made.timezone, made.privacy], ['harbour-books.example', 'Europe/Berlin', 1]);
	await page.getByText('Waiting for data').waitFor();

	const snippet = await page.getByLabel('Snippet', { exact: true }).inputValue();
	assert.equal(snippet, `<script defer data-website="${id}" src="${d.w.base}/tm.js"></script>`);
	await visit('harbour-books.example', '/welcome', snippet);
	await page.getByText('Receiving data', { exact: true }).waitFor();
	await page.getByText('The first visit has arrived.').waitFor();
	await assertAccessible(page);
	await page.getByRole('link', { name: 'Tidemark' }).click();
	const line = lineOf(page, 'harbour-books.example');
	await line.waitFor();
	await line.getByText('1', { exact: true }).first().waitFor();
	await page.getByText('Current visitors').waitFor();
	const { data, meta } = await askOverview(account);
	assert.equal(data[0]?.visitors, 1);
	assert.equal(meta.totals.now, 1);
	await page.context().close();
});

test('what is wrong stands at its field, and a website that is there already is a press away', async () => {
	const account = await d.account();
	const there = await create(account, 'there.example');
	const page = await d.open('/websites/new', account);
	const send = page.getByRole('button', { name: 'Add website' });
	await send.click();
	await page.getByRole('alert').first().waitFor();
	assert.equal(await page.getByLabel('Domain').getAttribute('aria-invalid'), 'true');
	await page.getByLabel('Domain').fill('not a domain');
	await send.click();
	await page.getByText(/must not contain spaces/).waitFor();
	await page.getByLabel('Domain').fill('there.example');
	await send.click();
	await page.getByText('You already have this website.').waitFor();
	await assertAccessible(page);
	assert.equal(
		await page.getByRole('link', { name: 'Open website' }).getAttribute('href'),
		`/websites/${there.id}`,
	);
	await page.getByLabel('Domain').fill('Bücher.example');
	await page.getByRole('radio', { name: /^Password/ }).check();
	await send.click();
	await page.getByText('Enter a password or choose another visibility.').waitFor();
	await page.getByLabel('Password for shared statistics').fill('high tide');
	await page.getByLabel('Time zone').fill('Somewhere/Else');
	await send.click();
	await page.getByRole('alert').getByText(/zone/i).waitFor();
	await page.getByLabel('Time zone').fill('Asia/Kathmandu');
	await send.click();
	await page.getByRole('heading', { level: 1, name: 'Install the snippet on bücher.example' }).waitFor();
	const { data } = z
		.object({
			data: z.array(
				z.object({
					domain: z.string(),
					privacy: z.number(),
					has_password: z.boolean(),
					timezone: z.string(),
				}),
			),
		})
		.parse((await account.api('GET', '/websites?search=bücher')).json);
	assert.deepEqual(data, [
		{ domain: 'xn--bcher-kva.example', privacy: 2, has_password: true, timezone: 'Asia/Kathmandu' },
	]);
	await page.context().close();
});

test('a pasted URL becomes its hostname, localhost is explained and offered, and the zone is that of the account', async () => {
	const account = await d.account({ timezone: 'America/Lima' });
	for (const look of looks) {
		const page = await d.open('/websites/new', account, look);
		const domain = page.getByLabel('Domain');
		assert.equal(await page.getByLabel('Time zone').inputValue(), 'America/Lima');
		await domain.fill(`https://www.pasted-${look.theme}.example/path?x=1#y`);
		await domain.blur();
		assert.equal(await domain.inputValue(), `www.pasted-${look.theme}.example`);
		assert.equal(await page.getByRole('switch', { name: 'Also count localhost' }).count(), 0);
		await domain.fill('http://localhost:3000');
		await page.getByText('A website needs a public domain').waitFor();
		await assertAccessible(page);
		await assertFits(page);
		await page.getByRole('button', { name: 'Add website' }).click();
		await page.getByRole('alert').getByText('A website needs a public domain').waitFor();
		await domain.fill(`http://local-${look.theme}.example:8080/`);
		assert.ok(await page.getByRole('switch', { name: 'Also count localhost' }).isChecked());
		await page.getByRole('button', { name: 'Add website' }).click();
		await page
			.getByRole('heading', { level: 1, name: `Install the snippet on local-${look.theme}.example` })
			.waitFor();
		const [id = ''] = /\d+(?=\/install$)/.exec(page.url()) ?? [];
		const { text } = await account.api('GET', `/websites/${id}/settings`);
		assert.match(text, /"hostnames":"localhost"/);
		assert.equal(websiteOf(await account.api('GET', `/websites/${id}`), 200).timezone, 'America/Lima');
	}
});

test('whoever tries it on localhost is told why it is not counted', async () => {
	const account = await d.account();
	const website = await create(account, 'local.example');
	const page = await d.open(`/websites/${website.id}/install`, account);
	await page.getByText('Waiting for data').waitFor();
	await page.getByText('Why is localhost not counted?').click();
	await page.getByText(/usually come from development/).waitFor();
	const snippet = await page.getByLabel('Snippet', { exact: true }).inputValue();
	await visit('localhost', '/', snippet);
	await page.getByText(/It came from localhost, not local\.example/).waitFor();
	await assertAccessible(page);
	// The tracker and the check were both right: nothing is counted.
	assert.equal((await askOverview(account)).meta.totals.visitors, 0);
	await page.getByRole('button', { name: 'Allow localhost' }).click();
	await page.getByText('localhost is now counted in addition to your domain.', { exact: false }).waitFor();
	await visit('shop.local.example', '/', snippet);
	await page.getByText('Receiving data', { exact: true }).waitFor();
	assert.equal(await page.getByText(/It came from localhost/).count(), 0);
	await visit('localhost', '/', snippet);
	await d.w.drain();
	const path = `/websites/${website.id}/stats/hostname?period=today`;
	const { data } = (await account.api('GET', path)).json as { data: { value: string }[] };
	assert.deepEqual(data.map(({ value }) => value).sort(), ['localhost', 'shop.local.example']);
	await page.context().close();
});

test('every guide has its address, and what it gives out counts', async () => {
	const account = await d.account();
	const website = await create(account, 'guides.example');
	const page = await d.open(`/websites/${website.id}/install`, account);
	for (const [name, what] of [
		['HTML', 'page head'],
		['WordPress', 'functions.php'],
		['Next, React', 'layout.tsx'],
		['Vue, Nuxt', 'nuxt.config.ts'],
		['Shopify', 'theme.liquid'],
		['Ghost', 'Site header'],
		['Tag Manager', 'Custom HTML'],
		['Consent manager', 'after consent'],
		['Proxy: nginx', 'nginx.conf'],
		['Proxy: Caddy', 'Caddyfile'],
		['Proxy: Cloudflare', 'Worker'],
	] as const) {
		const link = page.getByRole('link', { name, exact: true });
		await link.click();
		assert.ok((await page.getByLabel(`Code to copy: ${what}`).first().inputValue()).length > 10, name);
		assert.equal(await link.getAttribute('aria-current'), 'page');
	}
	await page.goto(`${d.w.base}/websites/${website.id}/install?guide=gtm`);
	const tagManager = await page.getByLabel('Code to copy: Custom HTML').inputValue();
	await page.goto(`${d.w.base}/websites/${website.id}/install?guide=consent`);
	const consent = await page.getByLabel('Code to copy: page head').inputValue();
	const start = await page.getByLabel('Code to copy: after consent').inputValue();
	const paths = async () => {
		const answer = await account.api('GET', `/websites/${website.id}/stats/page?period=today`);
		const schema = z.object({ data: z.array(z.object({ value: z.string() })) });
		return schema.parse(answer.json).data.map(({ value }) => value);
	};
	await visit('guides.example', '/managed', tagManager);
	await visit('guides.example', '/asked', consent, async (asked) => {
		await asked.waitForFunction('typeof tidemark === "function" && !tidemark.q');
		await asked.evaluate(start);
	});
	await d.w.drain();
	assert.deepEqual((await paths()).sort(), ['/asked', '/managed']);
	await page.context().close();
});

test('the address keeps search, order, label, period and page', async () => {
	const account = await d.account();
	const north = await create(account, 'north.example');
	const south = await create(account, 'south.example');
	const east = await create(account, 'east.example', { privacy: 0 });
	await label(account, north, ['Client']);
	await label(account, south, ['Client', 'Berlin']);
	await visitors(north, { 0: 1, 1: 4, 8: 10 });
	await visitors(south, { 0: 3, 8: 1 });
	await visitors(east, { 0: 2, 20: 9 });
	const page = await d.open('/websites', account);
	await assertShown(page, ['north.example', 'south.example', 'east.example']);
	const pick = async (menu: string, item: string) => {
		await page.getByRole('button', { name: menu }).click();
		await page.getByRole('menuitemcheckbox', { name: item, exact: true }).click();
	};
	await pick('Sort by: Most visitors', 'Domain');
	await assertShown(page, ['east.example', 'north.example', 'south.example']);
	assert.equal(page.url(), `${d.w.base}/websites?sort=domain`);
	await pick('Sort by: Domain', 'Highest growth');
	await assertShown(page, ['south.example', 'north.example', 'east.example']);
	await pick('Sort by: Highest growth', 'Newest');
	await assertShown(page, ['east.example', 'south.example', 'north.example']);
	await pick('Period: 7 days', '30 days');
	await pick('Sort by: Newest', 'Most visitors');
	await assertShown(page, ['north.example', 'east.example', 'south.example']);
	await lineOf(page, 'east.example').getByText('11', { exact: true }).waitFor();
	await pick('Label: All labels', 'Client');
	await assertShown(page, ['north.example', 'south.example']);
	assert.equal(page.url(), `${d.w.base}/websites?label=Client&period=30d`);
	await page.reload();
	await assertShown(page, ['north.example', 'south.example']);
	await pick('Period: 30 days', 'Today');
	await assertShown(page, ['south.example', 'north.example']);
	// Seven days stand beside today all the same.
	await lineOf(page, 'north.example').getByText('5', { exact: true }).waitFor();

	await page.keyboard.press('/');
	await page.keyboard.type('SOUTH');
	await assertShown(page, ['south.example']);
	assert.equal(page.url(), `${d.w.base}/websites?search=SOUTH&label=Client&period=today`);
	await page.keyboard.type('x');
	await page.getByRole('heading', { name: 'No websites found' }).waitFor();
	await assertAccessible(page);
	await page.getByRole('button', { name: 'Show all websites' }).click();
	await assertShown(page, ['south.example', 'east.example', 'north.example']);
	assert.equal(await page.getByRole('searchbox').inputValue(), '');
	await page.goBack();
	await page.locator('[type=search][value=SOUTHx]').waitFor();
	await page.context().close();
});

test('websites are compared with the year before, and all of them saved as a table', async () => {
	const account = await d.account();
	const north = await create(account, 'north.example');
	await visitors(north, { 0: 3, 8: 1, 365: 2 });
	await visitors(await create(account, 'south.example'), { 1: 1, 9: 4 });
	const page = await d.open('/websites', account);
	await lineOf(page, 'north.example').getByText('200% more than in the previous period').waitFor();
	await page.getByRole('button', { name: 'vs. previous period' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Previous year' }).click();
	await lineOf(page, 'north.example').getByText('50% more than a year earlier').waitFor();
	assert.equal(page.url(), `${d.w.base}/websites?compare=year`);
	await assertAccessible(page);
	const saving = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Export CSV' }).click();
	const saved = await saving;
	assert.equal(saved.suggestedFilename(), 'websites.csv');
	const lines = readFileSync(await saved.path(), 'utf8')
		.trim()
		.split('\r\n');
	assert.match(lines[0] ?? '', /^id,domain,from,to,visitors,.*compared_visitors,.*change_visitors/);
	assert.match(lines[1] ?? '', /^\d+,north\.example,/);
	assert.equal(lines.length, 3);
	await page.context().close();
});

test('a star is set at once, kept, and first the next time; one that is refused goes back', async () => {
	const account = await d.account();
	await visitors(await create(account, 'large.example'), { 0: 5 });
	await visitors(await create(account, 'small.example'), { 0: 1 });
	const page = await d.open('/websites', account);
	await assertShown(page, ['large.example', 'small.example']);
	const star = page.getByRole('button', { name: 'Favorite: small.example' });
	const kept = page.waitForResponse((answer) => answer.url().endsWith('/favorite'));
	const { promise: seen, resolve: see } = Promise.withResolvers<void>();
	await page.route('**/app/api/websites/*/favorite', async (route) => {
		await seen;
		await route.continue();
	});
	await star.click();
	// At once: the service has not heard of it yet.
	await star.and(page.locator('[aria-pressed=true]')).waitFor();
	see();
	await kept;
	await page.unroute('**/app/api/websites/*/favorite');
	assert.deepEqual(await favoritesOf(account), ['small.example']);
	await page.reload();
	await assertShown(page, ['small.example', 'large.example']);

	await page.route('**/app/api/websites/*/favorite', (route) => route.abort());
	const other = page.getByRole('button', { name: 'Favorite: large.example' });
	await other.click();
	await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
	await other.and(page.locator('[aria-pressed=false]')).waitFor();
	assert.deepEqual(await favoritesOf(account), ['small.example']);
	await page.context().close();
});

test('a star that is pressed while another order is on its way does not hold that up', async () => {
	const account = await d.account();
	await visitors(await create(account, 'first.example'), { 0: 5 });
	await visitors(await create(account, 'last.example'), { 0: 1 });
	const page = await d.open('/websites', account);
	await assertShown(page, ['first.example', 'last.example']);
	const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
	await page.route('**/app/api/stats?*sort_by=id*', async (route) => {
		await pressed;
		await route.continue();
	});
	await page.getByRole('button', { name: 'Sort by: Most visitors' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Newest' }).click();
	await page.waitForURL(/sort=newest/);
	const star = page.getByRole('button', { name: 'Favorite: last.example' });
	await star.click();
	press();
	await assertShown(page, ['last.example', 'first.example']);
	await star.and(page.locator('[aria-pressed=true]')).waitFor();
	await page.context().close();
});

test('a line tells what matters: letters of a name, who is there, that nothing comes any more', async () => {
	const account = await d.account();
	const idn = await create(account, 'müller.example', { privacy: 0 });
	const stopped = await create(account, 'stopped.example', { privacy: 2, password: 'tide' });
	await create(account, 'waiting.example');
	await visitors(idn, { 0: 1, 1: 2 });
	await storeEvents(d.w, idn.id, [
		{
			date: '2026-11-15',
			time: new Date(now().getTime() - 30_000).toISOString().replace('T', ' ').slice(0, -1),
			visitor_id: String(++lastVisitor),
			event_id: String(lastVisitor),
		},
	]);
	await visitors(stopped, { 4: 6, 5: 3 });
	const page = await d.open('/websites', account);
	const [first, second, third] = [
		lineOf(page, 'müller.example'),
		lineOf(page, 'stopped.example'),
		lineOf(page, 'waiting.example'),
	];
	await first.getByText('xn--mller-kva.example').waitFor();
	await first.getByText('public').waitFor();
	// Today is not over.
	assert.equal(await first.locator('svg path[data-unfinished]').count(), 1);
	assert.match((await first.textContent()) ?? '', /Live:\s*1/);
	await second.getByText(/No data since (Nov 11|11 Nov)/).waitFor();
	await second.getByText('password').waitFor();
	await third.getByRole('link', { name: 'Waiting for data' }).click();
	await page.getByRole('heading', { level: 1, name: 'Install the snippet on waiting.example' }).waitFor();
	await page.goBack();
	await first.getByRole('link', { name: 'müller.example' }).click();
	await page.waitForURL(`${d.w.base}/websites/${idn.id}`);
	await page.context().close();
});

test('400 websites on a phone: a page of them, quickly, and all can be reached', async () => {
	const account = await d.account();
	const ids: number[] = [];
	for (let begin = 0; begin < 400; begin += 20)
		await Promise.all(
			Array.from({ length: 20 }, async (_, index) => {
				const number = String(begin + index).padStart(3, '0');
				ids.push((await create(account, `site-${number}.example`)).id);
			}),
		);
	await d.w.sql(
		`INSERT INTO favorites (person_id, website_id, position)
			SELECT account_id, id, 1 FROM websites WHERE domain = 'site-250.example' AND account_id = $1`,
		[account.id],
	);
	const page = await d.open('/websites?sort=domain', account, { phone: true });
	await page.getByPlaceholder('Search 400 websites').waitFor();
	assert.deepEqual((await shown(page)).slice(0, 3), [
		'site-250.example',
		'site-000.example',
		'site-001.example',
	]);
	assert.equal((await shown(page)).length, 25);
	await assertFits(page);
	await page.getByRole('link', { name: 'Page 16' }).scrollIntoViewIfNeeded();
	await page.getByRole('link', { name: 'Page 16' }).tap();
	await page.getByText('376–400 of 400').waitFor();
	assert.equal((await shown(page)).at(-1), 'site-399.example');
	assert.match(page.url(), /page=16/);
	await page.reload();
	await page.getByText('376–400 of 400').waitFor();
	await page.getByLabel('Per page').selectOption('100');
	await page.getByText('1–100 of 400').waitFor();
	assert.equal((await shown(page)).length, 100);
	await assertFits(page);
	await page.getByRole('link', { name: 'Next' }).tap();
	await page.getByText('101–200 of 400').waitFor();
	assert.equal(await page.evaluate('scrollY'), 0);
	await page.getByRole('searchbox').fill('site-3');
	await page.getByText('1–100 of 100').waitFor();
	// What a thumb presses is large enough.
	const small = await page.evaluate<
		string[]
	>(`[...document.querySelectorAll('main button, main select, main nav a, main ul li')]
		.filter((one) => one.getBoundingClientRect().height < 40).map((one) => one.outerHTML.slice(0, 120))`);
	assert.deepEqual(small, []);
	await page.context().close();
});

test('without a way to the service the page says so, and mends itself', async () => {
	const account = await d.account();
	await create(account, 'away.example');
	const page = await d.open('/sign-in', account);
	// So that what the page does after some seconds is not waited for.
	await page.clock.install();
	await page.route('**/app/api/stats**', (route) => route.abort());
	await page.goto(`${d.w.base}/websites`);
	await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
	await assertAccessible(page);
	await page.unroute('**/app/api/stats**');
	await page.getByRole('button', { name: 'Try again' }).click();
	await assertShown(page, ['away.example']);
	// What is shown stays when the next look fails, and says from when it is.
	const kept = page.waitForResponse((answer) => answer.url().endsWith('/favorite'));
	await page.getByRole('button', { name: 'Favorite: away.example' }).click();
	await kept;
	await page.route('**/app/api/stats**', (route) => route.fulfill({ status: 503, body: 'Away' }));
	// As when somebody comes back to the tab: what a change has made old is asked for again.
	await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
	await page.getByText(/^Last updated at/).waitFor();
	await assertShown(page, ['away.example']);
	await assertAccessible(page);
	await page.unroute('**/app/api/stats**');
	await page.clock.fastForward(8_000);
	await page.getByText(/^Updated at/).waitFor();
	// What was never had cannot be shown; it comes with the way.
	await page.context().setOffline(true);
	await page.getByRole('button', { name: 'Sort by: Most visitors' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Newest' }).click();
	await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
	const banner = page.getByText(/^Connection lost since \d\d:\d\d\. Retrying\.$/);
	await banner.waitFor();
	await assertAccessible(page);
	await page.context().setOffline(false);
	await page.clock.fastForward(8_000);
	await banner.waitFor({ state: 'detached' });
	await assertShown(page, ['away.example']);
	assert.match(page.url(), /sort=newest/);
	await page.context().close();
});

test('a search that was just typed does not lead back from the next page', async () => {
	const account = await d.account();
	await create(account, 'quick.example');
	const page = await d.open('/websites', account);
	await assertShown(page, ['quick.example']);
	// The file of the next page takes longer than the pause after which a search is applied.
	await page.route(/StatisticsPage-.*\.js/, async (route) => {
		await sleep(600);
		await route.continue();
	});
	const loaded = page.waitForResponse(/StatisticsPage-.*\.js/);
	await page.getByRole('searchbox', { name: 'Search websites' }).fill('quick');
	await page.getByRole('link', { name: 'quick.example' }).press('Enter');
	await loaded;
	await sleep(200);
	assert.match(page.url(), /\/websites\/\d+$/);
	await page.context().close();
});

test('everything can be done without a mouse', async () => {
	const account = await d.account();
	await create(account, 'keys.example');
	const page = await d.open('/websites', account);
	await assertShown(page, ['keys.example']);
	const focused = () =>
		page.evaluate<string>(
			'document.activeElement.getAttribute("aria-label") || document.activeElement.textContent.trim()',
		);
	const tabTo = async (name: RegExp) => {
		for (let presses = 0; presses < 30; presses++) {
			if (name.test(await focused())) return;
			await page.keyboard.press('Tab');
		}
		assert.fail(`The key Tab does not lead to ${name}.`);
	};
	await page.keyboard.press('/');
	assert.equal(await focused(), 'Search websites');
	await page.keyboard.type('keys');
	await tabTo(/^Sort by/);
	await page.keyboard.press('Enter');
	await pressLastInMenu(page);
	await page.waitForURL(/sort=newest/);
	await tabTo(/^Favorite: keys/);
	const kept = page.waitForResponse((answer) => answer.url().endsWith('/favorite'));
	await page.keyboard.press('Space');
	assert.equal((await kept).status(), 200);
	await page.keyboard.press('Tab');
	assert.equal(await focused(), 'keys.example');
	// A ring shows where one is.
	const ring = await page.evaluate<string>(
		'getComputedStyle(document.activeElement, "::after").outlineStyle',
	);
	assert.equal(ring, 'solid');
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/websites\/\d+$/);
	await page.goto(`${d.w.base}/websites/new`);
	await page.getByRole('heading', { level: 1, name: 'Add website' }).waitFor();
	// The field has the focus.
	await page.keyboard.type('second.example');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Tab');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowDown');
	assert.ok(await page.getByRole('radio', { name: /^Public/ }).isChecked());
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { level: 1, name: 'Install the snippet on second.example' }).waitFor();
	assert.deepEqual(await favoritesOf(account), ['keys.example']);
	await page.context().close();
});

test('every page is for everybody, in both themes, on a desk and on a phone, in both languages', async () => {
	const account = await d.account();
	const website = await create(account, 'museum-am-hafen-von-bremerhaven.example');
	await label(account, website, ['Client', 'A label that is longer than most of them']);
	await visitors(website, { 0: 12, 3: 1 });
	await create(account, 'empty.example', { privacy: 0 });
	for (const look of looks)
		for (const [path, heading, last] of [
			['/websites', 'Websites', '1–2 of 2'],
			['/websites/new', 'Add website', 'Anyone with the link, without signing in.'],
			[`/websites/${website.id}/install?guide=nginx`, /^Install the snippet on museum/, '12 visitors today.'],
		] as const) {
			const page = await d.open(path, account, look);
			await page.getByRole('heading', { level: 1, name: heading }).waitFor();
			await page.getByText(last).waitFor();
			await assertAccessible(page);
			await assertFits(page);
			await page.context().close();
		}
	const german = await d.account({ locale: 'de' });
	const page = await d.open('/websites', german, { phone: true, language: 'de-DE' });
	await page.getByRole('heading', { name: 'Füge deine erste Website hinzu' }).waitFor();
	await page.getByRole('link', { name: 'Website hinzufügen' }).click();
	await page.getByLabel('Domain').fill('gezählt.example');
	await page.getByRole('button', { name: 'Website hinzufügen' }).click();
	await page.getByRole('heading', { level: 1, name: 'Snippet auf gezählt.example installieren' }).waitFor();
	await page.getByText('Warten auf Daten').waitFor();
	await assertFits(page);
	await page.context().close();
});

test('a website of somebody else is not there', async () => {
	const [owner, other] = [await d.account(), await d.account()];
	const website = await create(owner, 'private.example');
	const page = await d.open(`/websites/${website.id}/install`, other);
	await page.getByText('Page not found').first().waitFor();
	await page.goto(`${d.w.base}/websites`);
	await page.getByRole('heading', { name: 'Add your first website' }).waitFor();
	await page.context().close();
});
