import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { statistics as english } from '../../dashboard/texts/en/statistics.ts';
import type { Event } from '../../server/ingest/event.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, openDashboard } from '../support/dashboard.ts';
import { until } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';
import { readTable } from '../support/tables.ts';

/** Rows of panels: marks, names, menus, actions. A page that asks another host for something fails the file. */
const d = await openDashboard({ after });
const owner = await d.account({ locale: 'en' });

const create = async (): Promise<Website> =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC' } }), 201);

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
let ids = 1_000;
/** An event of a visitor, yesterday. */
const event = (visitor: number, more: Partial<Event> = {}): Partial<Event> & { date: string } => ({
	date: yesterday,
	time: `${yesterday} 03:10:00.000`,
	visitor_id: String(visitor),
	event_id: String(++ids),
	...more,
});
const custom = (name: string, more: Partial<Event> = {}): Partial<Event> => ({
	kind: 'custom',
	name,
	...more,
});
const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The mark before a name: its file, or the letter of its tile. */
const markOf = (row: Locator): Promise<string> =>
	row
		.locator('[aria-hidden=true]')
		.locator('img, [data-letter], svg, [style*=file]')
		.first()
		.evaluate(
			(mark: {
				src?: string;
				style: { getPropertyValue(name: string): string };
				dataset: { letter?: string };
			}) => {
				const file = mark.src || mark.style.getPropertyValue('--file');
				return mark.dataset.letter ?? /(\w+)-[\w-]+\.svg/.exec(file ?? '')?.[1] ?? 'glyph';
			},
		);

test('names have flags and brand marks, unknown ones a letter, pages none; regions have names', async () => {
	const website = await create();
	const places: [country: string, region: string, city: string][] = [
		['DE', 'DE-BY', 'Hof'],
		['GB', 'Cornwall', 'Truro'],
		['QX', 'QX-1', ''],
		['', '', 'Atlantis'],
	];
	const browsers = ['Firefox', 'Edge', 'macOS', ''];
	const sources = ['Google', 'harbor.example', 'Hacker News', ''];
	await storeEvents(
		d.w,
		website.id,
		places.map(([country, region, city], n) =>
			event(n + 1, {
				country,
				region,
				city,
				browser: browsers[n] ?? '',
				source: sources[n] ?? '',
				channel: 'Organic Search',
				referrer: n === 0 ? 'google.de/search' : '',
				path: '/',
			}),
		),
	);
	for (const phone of [false, true]) {
		const page = await d.open(`/websites/${website.id}?tabs=source`, owner, { phone });
		const failed: string[] = [];
		page.on('response', (response) => {
			if (response.url().includes('/assets/') && !response.ok()) failed.push(response.url());
		});
		const marksIn = async (name: string, rows: Record<string, string>) => {
			for (const [text, mark] of Object.entries(rows)) {
				const row = panel(page, name).getByRole('listitem').filter({ hasText: text });
				assert.equal(await markOf(row), mark, `${name}: ${text}`);
			}
		};
		await marksIn('Locations', { Germany: 'DE', 'United Kingdom': 'GB', Unknown: 'glyph', QX: 'Q' });
		await marksIn('Sources', {
			Google: 'google',
			'harbor.example': 'H',
			'Hacker News': 'ycombinator',
			Direct: 'glyph',
		});
		await marksIn('Devices', { Firefox: 'firefox', Edge: 'E', macOS: 'apple' });
		assert.equal(await panel(page, 'Pages').locator('li [aria-hidden=true]').count(), 0);
		await panel(page, 'Locations').getByRole('link', { name: 'Cities' }).click();
		await marksIn('Locations', { 'Hof, Germany': 'DE', 'Truro, United Kingdom': 'GB', Atlantis: 'glyph' });
		await panel(page, 'Locations').getByRole('link', { name: 'Countries' }).click();
		const flag = panel(page, 'Locations').getByRole('listitem').filter({ hasText: 'Germany' }).locator('img');
		await until(
			() => flag.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 0),
			30_000,
			'the flag is drawn',
		);
		await page.goto(`${d.w.base}/websites/${website.id}?tabs=region,channel`);
		await marksIn('Locations', { Bavaria: 'DE', Cornwall: 'glyph', 'QX-1': 'Q' });
		await marksIn('Sources', { 'Organic search': 'glyph' });
		await panel(page, 'Locations')
			.getByRole('link', { name: /Bavaria/ })
			.click();
		await page.getByText('Region is Bavaria').first().waitFor();
		await assertAccessible(page);
		await page.goto(`${d.w.base}/websites/${website.id}?large=region`);
		const row = page.getByRole('dialog').getByRole('row', { name: /Bavaria/ });
		assert.equal(await markOf(row), 'DE');
		assert.deepEqual(failed, []);
		await page.context().close();
	}
});

test('goals have revenue on a line of its own, and names and tabs have room on a phone', async () => {
	const website = await create();
	const name = 'Bought one of the larger plans';
	await storeEvents(d.w, website.id, [
		...[1, 2].map((visitor) =>
			event(visitor, {
				path: '/',
				...custom('Purchase', {
					revenue: visitor === 1 ? '1404725.5' : '20751.25',
					currency: visitor === 1 ? 'EUR' : 'USD',
				}),
			}),
		),
	]);
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name, kind: 'event', pattern: 'Purchase' },
	});
	/** Whether the whole text is visible. */
	const isWhole = (text: Locator) =>
		text.evaluate(
			({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
				scrollWidth <= clientWidth,
		);
	for (const phone of [false, true]) {
		const page = await d.open(`/websites/${website.id}`, owner, { phone });
		const table = panel(page, 'Goals and events').getByRole('table');
		const revenue = table.locator('small');
		assert.equal(await revenue.textContent(), 'Revenue €1,404,726 + $20,751');
		assert.ok(await isWhole(revenue), 'revenue is cut');
		assert.ok(await isWhole(table.getByRole('link')), 'the name is cut');
		const [sum, rate] = [await revenue.boundingBox(), await table.getByText('100%').boundingBox()];
		assert.ok(sum && rate && sum.x + sum.width <= rate.x, 'revenue and rate collide');
		assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['Goal', 'Conversions', 'Rate']);
		const tabs = panel(page, 'Pages').getByRole('navigation');
		const top = async (tab: Locator) => (await tab.boundingBox())?.y;
		assert.equal(await top(tabs.getByRole('link').first()), await top(tabs.getByRole('link').last()));
		assert.equal(await isWhole(tabs), !phone, 'tabs scroll on a phone only');
		await page.goto(`${d.w.base}/websites/${website.id}?tabs=hostname`);
		const chosen = await tabs.getByRole('button', { name: 'Hostnames' }).boundingBox();
		assert.ok(chosen && chosen.x + chosen.width < (phone ? 390 : 1280), 'the selected tab is in view');
		await assertAccessible(page);
		await page.context().close();
	}
});

test('panels have menus for more tabs, nine rows, and a line for visits without a value', async () => {
	const website = await create();
	await storeEvents(
		d.w,
		website.id,
		Array.from({ length: 40 }, (_, n) =>
			event(n + 1, { path: '/', utm_term: n < 11 ? `term ${n}` : '', hostname: website.domain }),
		),
	);
	for (const phone of [false, true]) {
		const page = await d.open(`/websites/${website.id}`, owner, { phone });
		const sources = panel(page, 'Sources');
		await sources.getByRole('button', { name: 'Campaigns' }).click();
		assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), [
			'Campaigns',
			'Campaign sources',
			'Media',
			'Campaign terms',
			'Campaign content',
		]);
		await page.getByRole('menuitem', { name: 'Campaign terms' }).click();
		await page.waitForURL(/tabs=utm_term/);
		await sources.getByRole('link', { name: /^\(not set\)\s*29$/ }).waitFor();
		assert.equal(await sources.getByRole('listitem').count(), 9);
		await sources.getByRole('link', { name: 'All campaign terms' }).waitFor();
		await assertAccessible(page);
		if (!phone) {
			const height = async (name: string) => (await panel(page, name).boundingBox())?.height;
			assert.equal(await height('Sources'), await height('Pages'));
		}
		await sources.getByRole('link', { name: /not set/ }).click();
		await page.getByText('Campaign term is (not set)').first().waitFor();
		await sources.getByText('No data for this period').waitFor();
		for (const [name, tab] of [
			['Pages', 'hostname'],
			['Devices', 'browser_version'],
		] as const) {
			await panel(page, name).getByRole('button', { name: 'More' }).click();
			await page.getByRole('menuitem', { name: english.tabs[tab], exact: true }).click();
			await page.waitForURL(new RegExp(tab));
		}
		await panel(page, 'Pages').getByRole('link', { name: website.domain }).waitFor();
		await page.context().close();
	}
});

test('the large table has shares and changes, also of values that are gone, and sorts by change', async () => {
	const website = await create();
	const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
	const views = (days: number, path: string, visitors: number) =>
		Array.from({ length: visitors }, () =>
			event(ids, { date: day(days), time: `${day(days)} 03:10:00.000`, path }),
		);
	await storeEvents(d.w, website.id, [
		...views(3, '/a', 4),
		...views(3, '/b', 2),
		...views(3, '/c', 2),
		...views(2, '/a', 6),
		...views(2, '/b', 1),
		...views(2, '/new', 1),
	]);
	for (const phone of [false, true]) {
		const page = await d.open(
			`/websites/${website.id}?period=custom&from=${day(2)}&to=${day(2)}&large=page`,
			owner,
			{ phone },
		);
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('columnheader', { name: 'Change' }).waitFor();
		assert.deepEqual(
			(await readTable(dialog, 'Pages')).map((cells) => cells.slice(0, 4)),
			[
				['/a', '6', '75%', '+2 (+50%)'],
				['/b', '1', '13%', '−1 (−50%)'],
				['/new', '1', '13%', '+1 (new)'],
				['/c', '0', '0%', '−2 (−100%)'],
			],
		);
		await assertAccessible(page);
		for (const [order, values] of [
			['descending', ['/a', '/new', '/b', '/c']],
			['ascending', ['/c', '/b', '/new', '/a']],
		] as const) {
			await dialog.getByRole('button', { name: 'Change' }).click();
			await dialog.locator(`th[aria-sort="${order}"]`, { hasText: 'Change' }).waitFor();
			await dialog.locator('table[aria-busy="false"]').waitFor();
			assert.deepEqual(
				(await readTable(dialog, 'Pages')).map(([value]) => value),
				values,
			);
		}
		// A running period is compared up to this time of day.
		await page.goto(`${d.w.base}/websites/${website.id}?period=7d&large=page`);
		await dialog.getByRole('columnheader', { name: 'Change' }).waitFor();
		await page.context().close();
	}
});

test('[C-BRK-14] rows of the large table open into a second dimension, which can also be columns', async () => {
	const website = await create();
	const visits = (count: number, more: Partial<Event>) =>
		Array.from({ length: count }, () => event(ids, more));
	await storeEvents(d.w, website.id, [
		...visits(3, { path: '/a', country: 'DE' }),
		...visits(2, { path: '/a', country: 'FR' }),
		...visits(4, { path: '/b', country: 'FR' }),
	]);
	for (const phone of [false, true]) {
		const page = await d.open(`/websites/${website.id}?period=7d&compare=none&large=page`, owner, { phone });
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('button', { name: 'Split by' }).click();
		await page.getByRole('menuitemcheckbox', { name: 'Country' }).click();
		await dialog.getByRole('button', { name: 'Split by: Country' }).waitFor();
		await dialog.getByRole('button', { name: 'Split /a by Country' }).click();
		await dialog.getByRole('rowheader', { name: 'Germany' }).waitFor();
		const shown = async () =>
			(await readTable(dialog, 'Pages')).map(([value, count, share]) => [value, count, share]);
		assert.deepEqual(await shown(), [
			['/a', '5', '56%'],
			['Germany', '3', '33%'],
			['France', '2', '22%'],
			['/b', '4', '44%'],
		]);
		await assertAccessible(page);
		await dialog.getByRole('button', { name: 'Split /a by Country', expanded: true }).click();
		await dialog.getByRole('rowheader', { name: 'Germany' }).waitFor({ state: 'detached' });
		await dialog.getByRole('button', { name: 'As columns' }).click();
		await dialog.getByRole('columnheader', { name: 'Germany' }).waitFor();
		assert.deepEqual(await dialog.getByRole('columnheader').allInnerTexts(), [
			'Page',
			'All',
			'France',
			'Germany',
		]);
		assert.deepEqual(await readTable(dialog, 'Visitors'), [
			['/a', '5', '2', '3'],
			['/b', '4', '4', '0'],
		]);
		await assertAccessible(page);
		// A link to it shows the same.
		await page.reload();
		await dialog.getByRole('columnheader', { name: 'Germany' }).waitFor();
		const saved = page.waitForEvent('download');
		await dialog.getByRole('button', { name: 'Export CSV' }).click();
		assert.match((await saved).suggestedFilename(), /-page-country-/);
		await page.context().close();
	}
});

test('rows offer to open a page, to copy a value and to create a goal', async () => {
	const website = await create();
	await storeEvents(d.w, website.id, [
		event(1, { path: '/pricing' }),
		event(1, { path: '/pricing', ...custom('outbound') }),
		event(1, { path: '/pricing', ...custom('signup') }),
	]);
	const page = await d.open(`/websites/${website.id}?tabs=event`, owner);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await panel(page, 'Pages').getByRole('link', { name: '/pricing' }).hover();
	const open = page.getByRole('link', { name: 'Open page: /pricing' });
	assert.equal(await open.getAttribute('href'), `https://${website.domain}/pricing`);
	assert.equal(await open.getAttribute('rel'), 'noopener noreferrer');
	await page.getByRole('button', { name: 'Copy: /pricing' }).click();
	await page.getByRole('button', { name: 'Copied: /pricing' }).waitFor();
	assert.equal(await page.evaluate('navigator.clipboard.readText()'), '/pricing');

	// By keyboard: the row, then its actions.
	const events = panel(page, 'Goals and events');
	await events.getByRole('link', { name: /^Outbound links/ }).waitFor();
	await events.getByRole('link', { name: /^signup/ }).focus();
	await events.getByRole('button', { name: 'Create goal: signup' }).waitFor();
	await assertAccessible(page);
	await page.keyboard.press('Tab');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog', { name: 'Create goal' });
	await dialog.getByText('Counts visits that trigger the event signup.').waitFor();
	await assertAccessible(page);
	await page.mouse.move(5, 5);
	await dialog.getByLabel('Name').fill('Sign-ups');
	await dialog.getByRole('button', { name: 'Create goal' }).click();
	await dialog.waitFor({ state: 'detached' });
	await events.getByRole('link', { name: 'Goals' }).click();
	assert.deepEqual(await readTable(page, 'Goals and conversions'), [['Sign-ups', '1', '100%']]);
	const { data } = (await owner.api('GET', `/websites/${website.id}/goals`)).json as {
		data: Record<string, unknown>[];
	};
	assert.deepEqual(
		data.map(({ name, kind, pattern }) => [name, kind, pattern]),
		[['Sign-ups', 'event', 'signup']],
	);
	// Touch devices have no room for them.
	const phone = await d.open(`/websites/${website.id}`, owner, { phone: true });
	await panel(phone, 'Pages').getByRole('link', { name: '/pricing' }).tap();
	await phone.waitForURL(/f=is,page/);
	assert.equal(await phone.getByRole('button', { name: /^Copy/ }).count(), 0);
});
