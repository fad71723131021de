import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Event } from '../../server/ingest/event.ts';
import { send } from '../support/client.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { until } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';
import { readTable } from '../support/tables.ts';

const d = await openDashboard({ after });
const owner = await d.account({ locale: 'en' });

const create = async (fields: Record<string, string> = {}): Promise<Website> =>
	websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC', ...fields } }),
		201,
	);

/** `days` before today, on the calendar of UTC. */
const day = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

type Stored = Partial<Event> & { date: string };
let ids = 1_000;
/** An event of a visitor, at an hour. */
const event = (days: number, hour: number, visitor: number, more: Partial<Event> = {}): Stored => ({
	date: day(days),
	time: `${day(days)} ${String(hour).padStart(2, '0')}:10:00.000`,
	visitor_id: String(visitor),
	event_id: String(++ids),
	...more,
});
const custom = (name: string, more: Partial<Event> = {}): Partial<Event> => ({
	kind: 'custom',
	name,
	...more,
});

type Answer = {
	data: Record<string, unknown>[];
	meta: { total: number; period: { from: string; to: string } };
};
const ask = async ({ id }: Website, path: string): Promise<Answer> =>
	(await owner.api('GET', `/websites/${id}/stats/${path}`)).json as Answer;
const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** A website with some of everything. */
async function fill(website: Website): Promise<Website> {
	const countries = ['DE', 'DE', 'DE', 'DE', 'US', 'US', 'FR', 'BR', 'SG', 'XK'];
	await storeEvents(d.w, website.id, [
		...countries.flatMap((country, n) => [
			event(1 + (n % 3), n * 2, n + 1, { country, path: '/', source: 'Google', browser: 'Firefox' }),
			event(1 + (n % 3), n * 2, n + 1, { country, path: `/page/${n}`, source: 'Google' }),
		]),
		...[1, 2, 3, 4].map((visitor) =>
			event(1 + ((visitor - 1) % 3), (visitor - 1) * 2, visitor, {
				country: 'DE',
				path: '/thanks',
				source: 'Google',
				...custom('Purchase', {
					revenue: '12.5',
					currency: 'EUR',
					properties: { plan: visitor % 2 ? 'pro' : 'free' },
				}),
			}),
		),
	]);
	return website;
}

const shown = await fill(await create());
const goal = (
	await owner.api('POST', `/websites/${shown.id}/goals`, {
		json: { name: 'A purchase', kind: 'event', pattern: 'Purchase' },
	})
).json as { data: { id: number } };

test('the map has the numbers of the service, leads by arrows from country to country, and a press is a filter', async () => {
	const page = await d.open(`/websites/${shown.id}?tabs=map`, owner);
	const rows = await readTable(page, 'Visitors by country');
	const { data } = await ask(shown, 'country?metrics=visitors&per_page=100');
	const names = new Intl.DisplayNames('en', { type: 'region' });
	assert.deepEqual(
		rows,
		data.map(({ value, visitors }) => [names.of(String(value)), String(visitors)]),
	);
	const germany = page.getByRole('link', { name: 'Germany: 4' });
	await germany.focus();
	await panel(page, 'Locations').getByText('Germany 4').waitFor();
	await page.keyboard.press('ArrowRight');
	await page.getByRole('link', { name: 'United States: 2' }).and(page.locator(':focus')).waitFor();
	await page.keyboard.press('Enter');
	await page.waitForURL(/f=is,country,US/);
	await page.getByText('Country is United States').first().waitFor();
});

const tile = (page: Page, name: string): Locator =>
	page.locator('button[aria-pressed]', { has: page.getByText(name, { exact: true }) });

test('a goal that is filtered by is selected: tiles, chart and rows have its conversions', async () => {
	for (const look of [{}, { phone: true }]) {
		const page = await d.open(
			`/websites/${shown.id}?period=7d&tabs=source&f=is,goal,${goal.data.id}`,
			owner,
			look,
		);
		await page.getByRole('slider', { name: 'Conversions over time' }).waitFor();
		for (const [name, value] of [
			['Conversions', '4'],
			['Unique conversions', '4'],
			['Conversion rate', '40%'],
			['Revenue', '€50.00'],
		] as const)
			assert.equal(await tile(page, name).locator('strong').textContent(), value, name);
		assert.equal(await tile(page, 'Page views').count(), 0);
		assert.equal(await page.getByRole('list', { name: 'Filters' }).getByRole('listitem').count(), 1);
		// Of all visits of the row, not of those that reached the goal.
		const rows = await panel(page, 'Sources').getByRole('listitem').allInnerTexts();
		assert.deepEqual(rows[0]?.split('\n').slice(-2), ['4', '40%']);
		await tile(page, 'Revenue').click();
		await page.getByRole('slider', { name: 'Revenue over time' }).waitFor();
		await assertAccessible(page);
		await assertFits(page);
		await page.getByRole('button', { name: 'Remove filter: Goal is A purchase' }).click();
		await page.getByRole('slider', { name: 'Visitors over time' }).waitFor();
		assert.equal(await tile(page, 'Page views').locator('strong').textContent(), '20');
	}
});

test('under a filter by event, metrics of page views have no value and say why', async () => {
	for (const look of [{}, { phone: true }]) {
		const page = await d.open(
			`/websites/${shown.id}?period=7d&metric=pageviews&f=is,event,Purchase`,
			owner,
			look,
		);
		// The chart shows the first metric that has a meaning.
		await page.getByRole('slider', { name: 'Visitors over time' }).waitFor();
		for (const name of ['Page views', 'Views per visit', 'Bounce rate'])
			assert.equal(await tile(page, name).locator('strong').textContent(), '–', name);
		assert.equal(await tile(page, 'Visits').locator('strong').textContent(), '4');
		await tile(page, 'Page views').focus();
		await tile(page, 'Page views').hover();
		await page.getByText('No value: the filter matches events, and no page views.').first().waitFor();
		await assertAccessible(page);
		await assertFits(page);
	}
});

test('the hours are those of the service, weekday by weekday', async () => {
	const page = await d.open(`/websites/${shown.id}`, owner);
	const rows = await readTable(page, /^Visits by day of week and hour/);
	assert.equal(rows.length, 7);
	for (const [index, [, ...hours]] of rows.entries()) {
		const filters = encodeURIComponent(JSON.stringify(['is', 'weekday', [index + 1]]));
		const { data } = await ask(shown, `hour?metrics=visits&filters=${filters}&per_page=100`);
		const expected = Array.from({ length: 24 }, () => 0);
		for (const { value, visits } of data) expected[Number(value)] = Number(visits);
		assert.deepEqual(hours.map(Number), expected, `weekday ${index + 1}`);
	}
	const weekday = ((new Date(day(1)).getUTCDay() + 6) % 7) + 1;
	// A panel above that is drawn between the two halves of a click moves this one away from under it.
	await page.waitForLoadState('networkidle');
	await panel(page, 'Hours')
		.getByRole('table')
		.getByRole('button')
		.nth(weekday - 1)
		.click();
	await page.waitForURL(new RegExp(`f=is,weekday,${weekday}`));
});

test('goals have conversions, a rate and revenue, and properties are offered by their names', async () => {
	const page = await d.open(`/websites/${shown.id}`, owner);
	assert.deepEqual(await readTable(page, 'Goals and conversions'), [
		['A purchaseRevenue €50.00', '4', '40%'],
	]);
	const { data } = await ask(shown, 'goal?metrics=conversions,conversion_rate,revenue');
	assert.deepEqual(
		data.map(({ conversions, conversion_rate, revenue }) => [conversions, conversion_rate, revenue]),
		[[4, 0.4, { EUR: 50 }]],
	);
	await page.getByRole('link', { name: 'Filter by A purchase' }).click();
	await page.waitForURL(new RegExp(`f=is,goal,${goal.data.id}`));

	await panel(page, 'Goals and events').getByRole('link', { name: 'Properties' }).click();
	// The one that came most often is shown without being asked for.
	const values = [
		['free', '2', '2', '€25.00'],
		['pro', '2', '2', '€25.00'],
	];
	assert.deepEqual(await readTable(page, 'Values of property plan'), values);
	const choice = page.getByRole('combobox', { name: 'Property', exact: true });
	assert.deepEqual(await choice.locator('option').allTextContents(), ['plan (4)', 'Other property…']);
	await choice.selectOption('Other property…');
	await page.getByLabel('Property name').fill('nothing like it');
	await page.getByRole('button', { name: 'Show', exact: true }).click();
	await page.waitForURL(/property=nothing/);
	await page.getByText('No events or page views in this period have this property').waitFor();
	await choice.selectOption('plan (4)');
	await page.waitForURL(/property=plan/);
	await page.reload();
	await page.getByRole('link', { name: 'Filter by pro' }).waitFor();
	assert.deepEqual(await readTable(page, 'Values of property plan'), values);
});

const vital = (n: number, more: Partial<Event>): Stored =>
	event(1, 3, n + 1, { kind: 'vital', name: 'vital', cls: -1, country: 'DE', ...more });

test('web vitals are shown where they are sent, in numbers and in words, as the service tells them', async () => {
	const website = await fill(await create());
	await storeEvents(d.w, website.id, [
		...[1800, 2100, 2300, 4700].map((ms, n) => vital(n, { lcp_ms: ms, cls: 0.3, path: '/' })),
		...[900, 5200].map((ms, n) => vital(n, { lcp_ms: ms, path: '/slow', country: 'FR' })),
	]);
	const page = await d.open(`/websites/${website.id}?period=7d`, owner);
	await page.getByText('Updated at').first().waitFor();
	const vitals = panel(page, 'Web Vitals');
	assert.equal(await vitals.count(), 0, 'nothing of it is loaded before it comes into sight');
	await page.locator('main footer').last().scrollIntoViewIfNeeded();
	const table = await readTable(page, /^Web Vitals: /);
	const answer = await owner.api('GET', `/websites/${website.id}/vitals?period=7d`);
	const { data } = answer.json as { data: { name: string; p75: number | null; samples: number }[] };
	assert.deepEqual(
		data.map(({ name, p75, samples }) => [name, p75, samples]),
		[
			['lcp', 4700, 6],
			['inp', null, 0],
			['cls', 0.3, 4],
		],
	);
	assert.deepEqual(table, [
		['Largest Contentful Paint', '4.70s', '67%', '0%', '33%', '6'],
		['Cumulative Layout Shift', '0.300', '0%', '0%', '100%', '4'],
	]);
	const paint = vitals.getByRole('link', { name: /Largest Contentful Paint/ });
	assert.match((await paint.textContent()) ?? '', /4\.70s\s*Poor/);
	assert.deepEqual(await readTable(page, 'Largest Contentful Paint by page'), [
		['/', '2.30s', 'Good', '4'],
		['/slow', '5.20s', 'Poor', '2'],
	]);
	await paint.focus();
	await page.keyboard.press('Tab');
	await page.keyboard.press('Shift+Tab');
	await page.getByRole('tooltip', { name: /Good up to 2\.50s, poor above 4\.00s/ }).waitFor();
	await vitals.getByRole('link', { name: /Cumulative Layout Shift/ }).click();
	await page.waitForURL(/vital=cls/);
	await readTable(page, 'Cumulative Layout Shift by page');
	await vitals.getByRole('link', { name: 'Filter by /' }).click();
	await page.waitForURL(/f=is,page,/);
	await vitals.getByText('0.300').first().waitFor();
	const saving = page.waitForEvent('download');
	await vitals.getByRole('button', { name: 'Export CSV' }).click();
	assert.match(readFileSync(await (await saving).path(), 'utf8'), /^vital,page,samples,p75,/);
	await assertGoodInAllLooks(page);
	// What a whole visit has cannot be asked of a page view.
	await page.goto(`${d.w.base}/websites/${website.id}?period=7d&f=is,source,Google`);
	await page.getByText('Updated at').first().waitFor();
	await page.locator('main footer').last().scrollIntoViewIfNeeded();
	await page.getByText('Web Vitals can only be filtered by').waitFor();
	await page.context().close();
});

test('a website that sends no web vitals has no such panel', async () => {
	const page = await d.open(`/websites/${shown.id}`, owner);
	await page.getByText('Updated at').first().waitFor();
	const asked = page.waitForResponse((response) => response.url().includes('/vitals'));
	await page.locator('main footer').last().scrollIntoViewIfNeeded();
	await asked;
	assert.equal(await panel(page, 'Web Vitals').count(), 0);
	await page.close();
});

test('what numbers mean can be read with a finger', async () => {
	const page = await d.open(`/websites/${shown.id}?tabs=properties&property=plan`, owner, { phone: true });
	await page.getByText('Updated at').first().waitFor();
	await page.getByRole('button', { name: 'About Bounce rate' }).tap();
	await page.getByRole('dialog', { name: 'About Bounce rate' }).getByText(/visit/i).waitFor();
	assert.doesNotMatch(page.url(), /bounce/, 'the chart stays what it was');
	await page.keyboard.press('Escape');
	await panel(page, 'Goals and events').getByRole('button', { name: 'Visitors', exact: true }).tap();
	await page.getByRole('dialog', { name: 'Visitors' }).waitFor();
	await page.context().close();
});

test('a funnel is made, read, changed and deleted', async () => {
	const website = await fill(await create());
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Bought', kind: 'event', pattern: 'Purchase' },
	});
	const page = await d.open(`/websites/${website.id}?tabs=funnels`, owner);
	await page.getByRole('button', { name: 'Add funnel' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name').fill('To the till');
	await dialog.getByLabel('Path of step 1').fill('/');
	await dialog.getByLabel('Step 2', { exact: true }).selectOption('goal');
	await dialog.getByLabel('Goal of step 2').selectOption({ label: 'Bought' });
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.waitFor({ state: 'detached' });
	assert.deepEqual(await readTable(page, 'Steps of To the till'), [
		['1 /', '', '10', '100%'],
		['2 Bought', '−60%', '4', '40%'],
	]);
	const { data: funnels } = (await owner.api('GET', `/websites/${website.id}/funnels`)).json as Answer;
	const [funnel] = funnels;
	const { data: read } = (
		await owner.api('GET', `/websites/${website.id}/funnels/${funnel?.id}/stats?period=30d`)
	).json as { data: { steps: { visits: number; drop_off: number | null }[] } };
	assert.deepEqual(
		read.steps.map(({ visits, drop_off }) => [visits, drop_off]),
		[
			[10, null],
			[4, 0.6],
		],
	);

	await page.getByRole('button', { name: 'Edit', exact: true }).click();
	await dialog.getByLabel('Path of step 1').fill('no path');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByRole('alert').getByText('Step 1 must be').waitFor();
	await dialog.getByLabel('Path of step 1').fill('/page/*');
	await dialog.getByRole('button', { name: 'Add step', exact: false }).filter({ hasText: '+' }).click();
	await dialog.getByLabel('Path of step 3').fill('/nowhere');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.waitFor({ state: 'detached' });
	await page.getByRole('row', { name: /nowhere/ }).waitFor();

	await page.getByRole('button', { name: 'Edit', exact: true }).click();
	await dialog.getByRole('button', { name: 'Delete' }).click();
	await dialog.getByRole('button', { name: 'Confirm deletion' }).click();
	await page.getByText('No funnels yet').waitFor();
	assert.deepEqual(((await owner.api('GET', `/websites/${website.id}/funnels`)).json as Answer).data, []);
});

test('a panel opens large: search, pages, order, columns, and a table as a file', async () => {
	const website = await create();
	const count = 60;
	await storeEvents(
		d.w,
		website.id,
		Array.from({ length: count }, (_, n) =>
			event(1, n % 24, n + 1, { path: n === 7 ? '/=HYPERLINK("x")' : `/page/${String(n).padStart(2, '0')}` }),
		),
	);
	const page = await d.open(`/websites/${website.id}`, owner);
	await page.getByRole('link', { name: 'All pages' }).click();
	const dialog = page.getByRole('dialog');
	const table = () => readTable(dialog, 'Pages');
	assert.equal((await table()).length, 25);
	await dialog.getByText('1–25 of 60').waitFor();
	await dialog.getByRole('button', { name: 'Next' }).click();
	await dialog.getByText('26–50 of 60').waitFor();
	await page.waitForURL(/n=2/);
	const second = await ask(
		website,
		'page?metrics=visitors,pageviews,visits,bounce_rate,visit_duration&per_page=25&page=2',
	);
	await dialog.locator('table[aria-busy=false]').waitFor();
	assert.deepEqual(
		(await table()).map(([path, visitors]) => [path, Number(visitors)]),
		second.data.map(({ value, visitors }) => [value, visitors]),
	);
	await page.reload();
	await dialog.getByText('26–50 of 60').waitFor();

	await dialog.getByLabel('Search').fill('page/1');
	await dialog.getByText('1–10 of 10').waitFor();
	assert.ok((await table()).every(([path]) => path?.startsWith('/page/1')));
	await dialog.getByRole('button', { name: 'Page views' }).click();
	await dialog.locator('th[aria-sort=descending]', { hasText: 'Page views' }).waitFor();
	await dialog.getByRole('button', { name: 'Page views' }).click();
	await dialog.locator('th[aria-sort=ascending]', { hasText: 'Page views' }).waitFor();
	await dialog.getByRole('button', { name: 'Columns' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Scroll depth' }).click();
	await dialog.getByRole('columnheader', { name: 'Scroll depth' }).waitFor();
	await dialog.locator('table[aria-busy=false]').waitFor();
	await assertAccessible(page);

	await dialog.getByLabel('Search').fill('HYPERLINK');
	await dialog.getByText('1–1 of 1').waitFor();
	const saving = page.waitForEvent('download');
	await dialog.getByRole('button', { name: 'Export CSV' }).click();
	const file = await saving;
	const { from, to } = second.meta.period;
	assert.equal(file.suggestedFilename(), `${website.domain}-page-${from}-${to}.csv`);
	const text = readFileSync(await file.path(), 'utf8');
	assert.match(text, /^value,visitors,/);
	assert.match(text, /\r\n"?\/=HYPERLINK\(""x""\)"?,1,/);
	assert.equal(text.trim().split('\r\n').length, 2);

	await dialog.getByLabel('Search').fill('nothing of this kind');
	await dialog.getByText('No matches.').waitFor();
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	assert.equal(new URL(page.url()).search, '');
});

test('a line tells when many hits were left out because browsers ask for it', async () => {
	const website = await create();
	const hit = (gpc: boolean, version: number) =>
		send(d.w.base, 'POST', '/tm', {
			body: JSON.stringify({
				w: website.id,
				i: `${++ids}`,
				n: 'pageview',
				u: `https://${website.domain}/`,
			}),
			headers: {
				'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/${version}.0`,
				...(gpc && { 'sec-gpc': '1' }),
			},
		});
	for (const version of [128, 129, 130]) await hit(false, version);
	await hit(true, 131);
	await d.w.drain();
	await until(
		async () => {
			const { data } = (await owner.api('GET', `/websites/${website.id}/drops`)).json as {
				data: { total: number };
			};
			return data.total === 1;
		},
		30_000,
		'the one that was left out is counted',
	);
	const page = await d.open(`/websites/${website.id}?period=today`, owner);
	await page.getByText('25% of hits in this period were excluded').waitFor();
	const link = page.getByText('25% of hits').getByRole('link');
	assert.equal(await link.getAttribute('href'), `/websites/${website.id}/settings/exclusions`);
});

test('one key each: periods, filter, search, tiles, live, and the list of all; none while somebody writes', async () => {
	const page = await d.open(`/websites/${shown.id}`, owner);
	await page.getByRole('button', { name: 'Keyboard shortcuts' }).waitFor();
	for (const [key, period] of [
		['t', 'today'],
		['w', '7d'],
		['y', 'year'],
		['a', 'all'],
	] as const) {
		await page.keyboard.press(key);
		await page.waitForURL((url) => url.searchParams.get('period') === period);
	}
	await page.keyboard.press('m');
	await page.waitForURL((url) => url.searchParams.get('period') === null);
	await page.keyboard.press('3');
	await page.waitForURL(/metric=pageviews/);
	await page.keyboard.press('ArrowLeft');
	await page.waitForURL(/from=/);
	await page.keyboard.press('Control+t');
	await page.keyboard.press('f');
	const dialog = page.getByRole('dialog');
	await dialog.waitFor();
	const before = page.url();
	await page.keyboard.press('t');
	await page.keyboard.press('l');
	assert.equal(page.url(), before, 'a dialog has the keys for itself');
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	await page.keyboard.press('/');
	await dialog.getByLabel('Search').and(page.locator(':focus')).waitFor();
	await page.keyboard.type('twm?');
	assert.equal(await dialog.getByLabel('Search').inputValue(), 'twm?');
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	await page.keyboard.press('?');
	await dialog.getByText('Last 7 days').waitFor();
	await assertAccessible(page);
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	await page.keyboard.press('l');
	await page.waitForURL(/\/live$/);
	await page.getByRole('button', { name: 'Keyboard shortcuts' }).waitFor();
	await page.keyboard.press('s');
	await page.waitForURL((url) => url.pathname === `/websites/${shown.id}`);
});

/** A page of somebody else that shows ours in a frame. */
async function serveFrame(address: string): Promise<{ origin: string; close(): void }> {
	const server = createServer((_request, reply) => {
		reply.setHeader('content-type', 'text/html');
		reply.end(
			`<!doctype html><title>Theirs</title><iframe src="${address}" width="1000" height="1400"></iframe>`,
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const bound = server.address();
	if (bound === null || typeof bound === 'string') throw new Error('A port has no number.');
	return { origin: `http://127.0.0.1:${bound.port}`, close: () => server.close() };
}

test('[C-EMB-2] [T45] a page in a frame shows on origins of the list only, sends no session and changes nothing', async () => {
	const website = await fill(await create({ privacy: '0' }));
	const frame = await serveFrame(`${d.w.base}/websites/${website.id}?embed=1&theme=dark`);
	const other = await serveFrame(`${d.w.base}/websites/${website.id}?embed=1&theme=dark`);
	after(() => {
		frame.close();
		other.close();
	});
	// `127.0.0.1` is no name that a domain can have, but an address is one.
	await owner.api('PATCH', `/websites/${website.id}/settings`, { json: { embed_origins: frame.origin } });
	// Of the same site, so that the browser would send the session if it were asked to.
	const page = await d.open('/websites', owner);
	const context = page.context();
	const theirs = await context.newPage();
	const withSession: string[] = [];
	theirs.on('request', async (request) => {
		const { cookie } = await request.allHeaders().catch(() => ({ cookie: undefined }));
		if (request.url().includes('/app/api/') && cookie) withSession.push(request.url());
	});
	await theirs.goto(frame.origin);
	const inside = theirs.frameLocator('iframe');
	await inside.getByText('Cookieless statistics by Tidemark').waitFor();
	await inside.getByRole('link', { name: '/page/1' }).waitFor();
	assert.equal(await inside.locator('html').getAttribute('data-theme'), 'dark');
	for (const name of ['Settings', 'Account', 'Add funnel', 'Edit'])
		assert.equal(await inside.getByText(name, { exact: true }).count(), 0, name);
	await inside.getByRole('link', { name: '/page/1' }).click();
	await inside.getByText('Page is /page/1').first().waitFor();
	assert.deepEqual(withSession, []);
	await theirs.goto(other.origin);
	await theirs.waitForLoadState('load');
	assert.equal(await theirs.frameLocator('iframe').locator('#root').count(), 0);
	await context.close();
});

test('a public website offers its frame and its badge among the settings', async () => {
	const website = await create({ privacy: '0' });
	const page = await d.open(`/websites/${website.id}/settings/privacy`, owner);
	const origins = page.getByLabel('Allowed origins');
	const save = page.getByRole('button', { name: 'Save changes' });
	await origins.fill('example.com');
	await save.click();
	await page.getByText('is not an origin such as https://example.com').waitFor();
	await origins.fill('https://example.com\nhttps://*.example.org');
	await save.click();
	await page.getByText('Saved', { exact: true }).waitFor();
	const { data } = (await owner.api('GET', `/websites/${website.id}/settings`)).json as {
		data: { embed_origins: string };
	};
	assert.equal(data.embed_origins, 'https://example.com\nhttps://*.example.org');
	assert.match(await page.getByLabel('Embed code').inputValue(), /\?embed=1&amp;theme=light"/);
	const picture = page.getByRole('img', { name: 'Badge' });
	await until(
		() => picture.evaluate((image: { naturalHeight: number }) => image.naturalHeight === 28),
		30_000,
		'the picture is drawn',
	);
	await assertGoodInAllLooks(page);
});

const polyglots = [
	`"'><img src=x onerror=window.__hit=1><svg/onload=window.__hit=1>`,
	`javascript:window.__hit=1//\`\${window.__hit=1}{{constructor.constructor('window.__hit=1')()}}`,
	`</title></script><script>window.__hit=1</script>$t(common.close)%s`,
	`=cmd|'/c calc'!A1`,
];

test('[T38] [T40] [T41] hostile texts are text in every panel, tooltip, dialog and file, and no link leads elsewhere', async () => {
	const website = await create();
	await storeEvents(
		d.w,
		website.id,
		polyglots.flatMap((text, n) => {
			const about = {
				path: `/${text}`,
				title: text,
				referrer: text,
				source: text,
				utm_campaign: text,
				browser: text,
				os: text,
				city: text,
				region: text,
				country: n === 0 ? '<b' : 'DE',
				screen: text,
				device: text,
				channel: text,
			};
			return [
				event(1, n, n + 1, about),
				event(1, n, n + 1, { ...about, ...custom(text, { properties: { [text]: text, plan: text } }) }),
				vital(n, { path: n === 3 ? text : `/${text}`, lcp_ms: 900 }),
			];
		}),
	);
	for (const text of polyglots) {
		await owner.api('POST', `/websites/${website.id}/goals`, {
			json: { name: text.slice(0, 100), kind: 'event', pattern: '*' },
		});
		await owner.api('POST', `/websites/${website.id}/funnels`, {
			json: { name: text.slice(0, 100), steps: [{ page: '/*' }, { page: `/${text.replaceAll('*', '')}` }] },
		});
	}
	const page = await d.open('/websites', owner);
	for (const query of [
		'',
		'?tabs=source,entry_page,region,os,event',
		'?tabs=utm_campaign,exit_page,city,device,funnels',
		'?tabs=map,screen,properties&property=plan',
		`?property=${encodeURIComponent(polyglots[0] ?? '')}&tabs=properties`,
		'?large=page',
		'?large=goals',
		'?large=event',
		`?f=${encodeURIComponent(`is,page,/${polyglots[1]?.replaceAll('%', '%25').replaceAll(',', '%2C')}`)}`,
		`?large=${encodeURIComponent(polyglots[0] ?? '')}&q=${encodeURIComponent(polyglots[2] ?? '')}`,
	]) {
		await page.goto(`${d.w.base}/websites/${website.id}${query}`);
		await page.getByText('Updated at').first().waitFor();
		await page.locator('[class*=skeleton]').first().waitFor({ state: 'detached' });
		if (!query.includes('large')) await page.locator('main footer').last().scrollIntoViewIfNeeded();
		await page.evaluate(
			"for (const one of document.querySelectorAll('a, td, th, [title], svg *')) one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))",
		);
		assert.equal(await page.evaluate('window.__hit'), undefined, query);
		// Flags are files of the dashboard.
		assert.equal(await page.locator('#root img:not([src^="/assets/"]), #root script').count(), 0, query);
		assert.equal(await page.locator('[role=dialog] img:not([src^="/assets/"])').count(), 0, query);
		const links = await page.evaluate<string[]>(
			"[...document.querySelectorAll('a')].map((link) => new URL(link.getAttribute('href'), location.href).href)",
		);
		// Opening a page leads to the website itself.
		const own = [`${d.w.base}/`, `https://${website.domain}/`];
		for (const href of links)
			assert.ok(
				own.some((start) => href.startsWith(start)),
				`${query}: ${href}`,
			);
	}
	const save = async (button: Locator) => {
		const saving = page.waitForEvent('download');
		await button.click();
		return readFileSync(await (await saving).path(), 'utf8');
	};
	const csv = { name: 'Export CSV' };
	for (const tab of ['event', 'source']) {
		await page.goto(`${d.w.base}/websites/${website.id}?large=${tab}`);
		assert.match(await save(page.getByRole('dialog').getByRole('button', csv)), /\r\n'=cmd\|/, tab);
	}
	await page.goto(`${d.w.base}/websites/${website.id}`);
	await page.getByText('Updated at').first().waitFor();
	await page.locator('main footer').last().scrollIntoViewIfNeeded();
	assert.match(await save(panel(page, 'Web Vitals').getByRole('button', csv)), /\r\nlcp,'=cmd\|/);
});

test('[T48] nothing about a website may be kept by a cache, and no page tells others its address', async () => {
	for (const path of ['stats', 'stats/page', 'live', 'share', 'goals', 'funnels']) {
		const answer = await send(d.w.base, 'GET', `/app/api/websites/${shown.id}/${path}`);
		assert.match(answer.headers['cache-control'] ?? '', /^(no-store|private, no-cache)$/, path);
		assert.match(answer.headers.vary ?? '', /Cookie/, path);
	}
	const page = await send(d.w.base, 'GET', `/websites/${shown.id}`);
	assert.equal(page.headers['referrer-policy'], 'same-origin');
	assert.equal(page.headers['cache-control'], 'no-cache');
	assert.doesNotMatch(page.text, new RegExp(shown.domain));
});

test('all panels are accessible and fit in all looks, and print without buttons', async () => {
	await owner.api('POST', `/websites/${shown.id}/funnels`, {
		json: { name: 'Way', steps: [{ page: '/' }, { page: '/page/1' }] },
	});
	for (const query of ['?tabs=map,funnels', '?tabs=properties&property=plan', '?large=page']) {
		const page = await d.open(`/websites/${shown.id}${query}`, owner);
		await page.getByText('Updated at').first().waitFor();
		await page.locator('[class*=skeleton]').first().waitFor({ state: 'detached' });
		await assertGoodInAllLooks(page);
		if (query.startsWith('?tabs=map')) {
			await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
			assert.equal(await page.getByRole('button', { name: 'Keyboard shortcuts' }).isVisible(), false);
			assert.equal(await page.getByRole('link', { name: 'Settings' }).isVisible(), false);
			assert.equal(
				await page.evaluate('getComputedStyle(document.body).backgroundColor'),
				'rgb(255, 255, 255)',
			);
		}
		await page.context().close();
	}
});
