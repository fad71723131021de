import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { z } from 'zod';
import type { queryStatsAnswer } from '../../api/stats.ts';
import { panels, rowsShown, visibleBreakdowns } from '../../dashboard/stats/breakdowns.ts';
import { statistics as english } from '../../dashboard/texts/en/statistics.ts';
import { formatDate } from '../../presentation/format.ts';
import { formatMetric } from '../../presentation/metrics.ts';
import { pageBodyOf, parseViewQuery, type TileMetric, tileMetrics } from '../../presentation/view-query.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import type { TestAccount } from '../support/world.ts';

type PageAnswer = z.output<typeof queryStatsAnswer>;

/** The clock of the service stands still, so that two questions have one answer. */
const now = new Date('2026-11-12T14:32:07Z');
const d = await openDashboard({ after }, { now: () => now });
let owner: TestAccount;
let api: Visitor;
let id: number;

before(async () => {
	owner = await d.account();
	api = await signedIn(d.w, owner);
	const demo = await d.w.operate('demo', { email: owner.email, domain: 'example.com', days: 15 });
	id = demo.websiteId;
	// The first question finds the days that are over still unsealed; pages ask the second.
	await api('POST', `/websites/${id}/stats/query`, { json: { period: 'all', compare: 'previous' } });
});

/** The page, once its numbers are there. */
async function open(query = '', as: TestAccount | undefined = owner, look = {}): Promise<Page> {
	const page = await d.open(`/websites/${id}${query}`, as, { ...look });
	await chartOf(page).waitFor();
	return page;
}

const chartOf = (page: Page): Locator => page.getByRole('slider');
const panelOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const tileOf = (page: Page, metric: TileMetric): Locator =>
	page.locator('button[aria-pressed]', { hasText: new RegExp(`^${english.metrics[metric].label}`) });
const chipsOf = (page: Page): Promise<string[]> =>
	page.getByRole('list', { name: 'Filters' }).getByRole('listitem').allInnerTexts();

async function answerOf(page: Page): Promise<PageAnswer> {
	const query = parseViewQuery(new URL(page.url()).search);
	const body = pageBodyOf(query, visibleBreakdowns(query));
	const answer = await api('POST', `/websites/${id}/stats/query`, { json: body });
	assert.equal(answer.status, 200, answer.text);
	// The contract's own tests judge its shape.
	return answer.json as PageAnswer;
}

/** Every number in sight is that of the service's answer to what the address asks. */
async function assertNumbers(page: Page): Promise<void> {
	const { data, meta } = await answerOf(page);
	const query = parseViewQuery(new URL(page.url()).search);
	await eventually(async () => {
		for (const metric of tileMetrics)
			assert.equal(
				await tileOf(page, metric).locator('strong').textContent(),
				formatMetric(metric, data.totals[metric], 'en'),
				metric,
			);
		const table = await page.evaluate<string[][]>(chartTable);
		const cells = table.slice(0, data.series.length);
		// The hours of today that are to come.
		for (const [, value] of table.slice(data.series.length)) assert.equal(value, '–');
		assert.deepEqual(
			cells.map((row) => row[1]),
			data.series.map(
				(point) =>
					formatMetric(query.metric, point[query.metric], 'en') + (point.unfinished ? ' so far' : ''),
			),
		);
		if (data.compared)
			assert.deepEqual(
				cells.map((row) => row[3]),
				data.series.map((_, index) =>
					formatMetric(query.metric, data.compared?.series[index]?.[query.metric], 'en'),
				),
			);
		for (const breakdown of data.breakdowns) await assertRows(page, breakdown, data.totals.visitors ?? 0);
		assert.equal(await page.locator('footer time').getAttribute('datetime'), meta.as_of);
	});
}

/** The table that stands for the chart, by cells. */
const chartTable = `[...document.querySelector('[role=slider]').parentElement.nextElementSibling.querySelectorAll('tbody tr')]
	.map((row) => [...row.cells].map((cell) => cell.textContent))`;

async function assertRows(
	page: Page,
	{ dimension, rows }: PageAnswer['data']['breakdowns'][number],
	visitors: number,
): Promise<void> {
	const panel = panels.find(({ tabs }) => tabs.some((tab) => tab.dimension === dimension));
	assert.ok(panel);
	const shown = await panelOf(page, english.panels[panel.id]).getByRole('listitem').allInnerTexts();
	const numbers = shown.map((text) => text.split('\n').slice(-2));
	const isOfVisitors = dimension !== 'event';
	assert.deepEqual(
		numbers,
		(rows ?? [])
			.filter(({ value }) => !(value === '' && dimension.startsWith('utm_')))
			.slice(0, rowsShown)
			.map((row) =>
				isOfVisitors
					? [
							formatMetric('visitors', row.visitors, 'en'),
							formatMetric('bounce_rate', (row.visitors ?? 0) / visitors, 'en'),
						]
					: [formatMetric('events', row.events, 'en'), formatMetric('visitors', row.visitors, 'en')],
			),
		dimension,
	);
}

/** Tries until it holds; what is wrong after half a minute is wrong. */
async function eventually(holds: () => Promise<void>): Promise<void> {
	const end = Date.now() + 30_000;
	for (;;) {
		try {
			return await holds();
		} catch (error) {
			if (Date.now() > end) throw error;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}
}

const queryOf = (page: Page): string => decodeURIComponent(new URL(page.url()).search);

test('every number is that of the service', async () => {
	const page = await open('?period=7d');
	await assertNumbers(page);
	await page.getByText('Time zone: Europe/Berlin').waitFor();
	await page.getByText('Updated at 15:32:07').waitFor();
	const change = tileOf(page, 'visitors').locator('em');
	const { data } = await answerOf(page);
	const grown = (data.totals.visitors ?? 0) / (data.compared?.totals.visitors ?? 1) - 1;
	assert.match((await change.textContent()) ?? '', grown > 0 ? /^▲ \d+/ : /^▼ \d+/);
	await page.close();
});

test('a row is a filter: it is shown, told in the address, kept by a reload, and taken back', async () => {
	const page = await open('?period=7d');
	const places = panelOf(page, 'Locations');
	await places.getByRole('link', { name: /Germany/ }).click();
	await page.waitForURL(/f=is,country,DE/);
	await assertNumbers(page);
	assert.deepEqual(await chipsOf(page), ['Country is Germany\n×']);
	await panelOf(page, 'Devices')
		.getByRole('link', { name: /Safari/ })
		.click();
	await page.waitForURL(/f=is,browser,Safari/);
	await assertNumbers(page);
	await page.reload();
	await chartOf(page).waitFor();
	await assertNumbers(page);
	assert.equal((await chipsOf(page)).length, 2);

	await page.getByRole('button', { name: 'Remove filter: Country is Germany' }).click();
	await page.waitForURL((url) => !url.search.includes('country'));
	await assertNumbers(page);
	await page.goBack();
	await page.waitForURL(/country/);
	await assertNumbers(page);
	assert.equal((await chipsOf(page)).length, 2);
	await page.getByRole('button', { name: 'Clear all' }).click();
	await page.waitForURL((url) => !url.search.includes('f='));
	await assertNumbers(page);
	assert.deepEqual(await chipsOf(page), []);
	await page.close();
});

test('a filter is made and changed in words, with the values that there were', async () => {
	const page = await open('?period=7d');
	await page.getByRole('button', { name: 'Filter', exact: true }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Dimension', { exact: true }).selectOption('country');
	await dialog.getByLabel('Operator').selectOption('is_not');
	await dialog.getByLabel('Values').fill('germ');
	await dialog.getByRole('checkbox', { name: /Germany/ }).check();
	await dialog.getByRole('checkbox', { name: /Austria/ }).check();
	await dialog.getByRole('button', { name: 'Apply filter' }).click();
	await page.waitForURL((url) => decodeURIComponent(url.search).includes('f=is_not,country,DE,AT'));
	await assertNumbers(page);
	assert.deepEqual(await chipsOf(page), ['Country is not Germany or Austria\n×']);

	await page.getByRole('button', { name: /^Edit filter/ }).click();
	await dialog.getByLabel('Dimension', { exact: true }).selectOption('page');
	await dialog.getByLabel('Operator').selectOption('contains');
	await dialog.getByLabel('Values').fill('/blog, "tides" & 100%');
	await dialog.getByRole('button', { name: 'Apply filter' }).click();
	await page.getByText('No visitors in this period').waitFor();
	await page.reload();
	await page.getByText('No visits match all filters.').waitFor();
	assert.deepEqual(parseViewQuery(new URL(page.url()).search).filters, [
		{ test: 'contains', dimension: 'page', values: ['/blog, "tides" & 100%'] },
	]);
	await page.close();
});

test('a filter tests parts of values, expressions, numbers and whether there is a value', async () => {
	const page = await open('?period=7d');
	const dialog = page.getByRole('dialog');
	const add = async (dimension: string, test: string) => {
		await page.getByRole('button', { name: 'Filter', exact: true }).click();
		await dialog.getByLabel('Dimension', { exact: true }).selectOption(dimension);
		await dialog.getByLabel('Operator').selectOption(test);
	};
	const apply = () => dialog.getByRole('button', { name: 'Apply filter' }).click();

	await add('page', 'matches');
	await dialog.getByLabel('Values').fill('^/(?=x)');
	await apply();
	const fault = dialog.getByRole('alert');
	await fault.waitFor();
	assert.match(
		(await fault.textContent()) ?? '',
		/"\^\/\(\?=x\)" is not valid in RE2 syntax: invalid or unsupported Perl syntax/,
	);
	await dialog.getByLabel('Values').fill('^/[A-Z]*');
	await dialog.getByRole('switch', { name: 'Ignore case' }).click();
	await apply();
	await page.waitForURL((url) => decodeURIComponent(url.search).includes('f=matches:i,page,^/[A-Z]*'));
	await assertNumbers(page);

	await add('country', 'is_set');
	assert.equal(await dialog.getByLabel('Values').count(), 0);
	await apply();
	await page.waitForURL(/f=is_set,country/);
	await assertNumbers(page);
	assert.deepEqual(await chipsOf(page), [
		'Page matches regex ^/[A-Z]* (ignoring case)\n×',
		'Country is set\n×',
	]);
	await page.getByRole('button', { name: 'Clear all' }).click();

	await add('revenue', 'between');
	await dialog.getByLabel('Currency').fill('eur');
	await dialog.getByLabel('From').fill('5');
	await dialog.getByLabel('To', { exact: true }).fill('x');
	await apply();
	assert.match((await fault.textContent()) ?? '', /must be a number such as 10/);
	await dialog.getByLabel('To', { exact: true }).fill('500,50');
	await apply();
	await page.waitForURL(/f=between,revenue:EUR,5,500\.50/);
	assert.deepEqual(await chipsOf(page), ['Revenue (EUR) is between 5 and 500.50\n×']);
	await page.getByRole('button', { name: /^Edit filter/ }).click();
	assert.equal(await dialog.getByLabel('Currency').inputValue(), 'EUR');
	assert.equal(await dialog.getByLabel('To', { exact: true }).inputValue(), '500.50');
	assert.deepEqual(await dialog.getByLabel('Operator').locator('option').allInnerTexts(), [
		'is greater than',
		'is at least',
		'is less than',
		'is at most',
		'is between',
		'is set',
		'is not set',
	]);
	await page.close();
});

test('tiles choose what the chart shows, and say what they mean', async () => {
	const page = await open('?period=7d');
	await tileOf(page, 'bounce_rate').click();
	await page.waitForURL(/metric=bounce_rate/);
	await page.getByRole('slider', { name: 'Bounce rate over time' }).waitFor();
	await assertNumbers(page);
	await tileOf(page, 'visits').hover();
	await page.getByRole('tooltip').getByText(english.metrics.visits.definition).waitFor();
	const { json } = await api('GET', '/metrics');
	// The contract's own tests judge its shape.
	for (const { name, label, definition } of (
		json as { data: { name: TileMetric; label: string; definition: string }[] }
	).data)
		assert.deepEqual(english.metrics[name], { label, definition });
	await page.goBack();
	await page.getByRole('slider', { name: 'Visitors over time' }).waitFor();
	await page.close();
});

test('a second metric is a thin line on the right axis, and the tooltip has all tiles', async () => {
	for (const look of [{}, { phone: true }]) {
		const page = await open('?period=7d', owner, look);
		const { data } = await answerOf(page);
		await page.getByRole('button', { name: 'Add metric' }).click();
		await page.getByRole('menuitem', { name: 'Page views' }).click();
		await page.waitForURL(/second=pageviews/);
		await page.reload();
		await page.getByText('Page views, right axis').waitFor();
		const cells = await page.evaluate<string[][]>(chartTable);
		assert.deepEqual(
			cells.map((row) => row.at(-1)),
			data.series.map(({ pageviews }) => formatMetric('pageviews', pageviews, 'en')),
		);
		await chartOf(page).focus();
		await page.keyboard.press('Home');
		const tip = chartOf(page).locator('xpath=following-sibling::div');
		for (const metric of tileMetrics) {
			const row = tip.locator('p', { has: page.getByText(english.metrics[metric].label, { exact: true }) });
			assert.equal(
				await row.locator('b').textContent(),
				formatMetric(metric, data.series[0]?.[metric], 'en'),
			);
		}
		if (!('phone' in look)) await tip.getByText('Click to add a note, drag to zoom').waitFor();
		assert.match((await chartOf(page).getAttribute('aria-valuetext')) ?? '', /; Page views: [\d,]+$/);
		await assertAccessible(page);
		await assertFits(page);
		await page.getByRole('button', { name: 'Remove Page views from the chart' }).click();
		await page.waitForURL((url) => !url.search.includes('second'));
		await page.close();
	}
});

test('today has an axis of 24 hours, with all of yesterday', async () => {
	const page = await open('?period=today');
	const yesterday = await api('POST', `/websites/${id}/stats/query`, {
		json: { period: 'yesterday', interval: 'hour', metrics: ['visitors'] },
	});
	const { data } = yesterday.json as PageAnswer;
	await eventually(async () => {
		const cells = await page.evaluate<string[][]>(chartTable);
		assert.equal(cells.length, 24);
		// The clock of the service says 15:32 in Berlin; the hour that has begun is compared up to the same minute.
		assert.deepEqual(
			cells.map((row) => row[3]).toSpliced(15, 1),
			data.series.map(({ visitors }) => formatMetric('visitors', visitors, 'en')).toSpliced(15, 1),
		);
		assert.deepEqual(
			cells.slice(16).map((row) => row[1]),
			Array.from({ length: 8 }, () => '–'),
		);
	});
	assert.match((await chartOf(page).getAttribute('aria-valuetext')) ?? '', /15:00–16:00: .* so far;/);
	await page.close();
});

test('what is compared with can be chosen', async () => {
	const page = await open('?period=7d');
	await page.getByRole('button', { name: 'vs. previous period · by weekday' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Match day of week', checked: true }).click();
	await page.waitForURL(/weekdays=0/);
	await page.getByRole('button', { name: 'vs. previous period', exact: true }).click();
	await page.getByRole('menuitemcheckbox', { name: 'No comparison' }).click();
	await page.waitForURL(/compare=none/);
	await assertNumbers(page);
	assert.equal((await tileOf(page, 'visitors').locator('em').textContent())?.trim(), '');
	await page.getByRole('button', { name: 'No comparison' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Custom range' }).click();
	await page
		.getByRole('dialog')
		.getByRole('button', { name: /2 November 2026|November 2, 2026/ })
		.click();
	await page
		.getByRole('dialog')
		.getByRole('button', { name: /4 November 2026|November 4, 2026/ })
		.click();
	await page.waitForURL(/compare_from=2026-11-02&compare_to=2026-11-04/);
	await assertNumbers(page);
	await page.goBack();
	await page.waitForURL(/compare=none/);
	await assertNumbers(page);
	await page.close();
});

test('periods are chosen by name, by the calendar and by arrows', async () => {
	const page = await open('?period=7d');
	await page.getByRole('button', { name: /^Last 7 days/ }).click();
	await page.getByRole('button', { name: /November 3, 2026/ }).click();
	await page.getByRole('button', { name: /November 5, 2026/ }).click();
	await page.waitForURL(/from=2026-11-03&to=2026-11-05/);
	await assertNumbers(page);
	await page.getByRole('button', { name: 'Next period' }).click();
	await page.waitForURL(/from=2026-11-06&to=2026-11-08/);
	await assertNumbers(page);
	await page.getByRole('button', { name: 'Previous period', exact: true }).click();
	await page.waitForURL(/from=2026-11-03&to=2026-11-05/);
	await page.getByRole('button', { name: /^Nov 3 – 5, 2026/ }).click();
	await page.getByRole('button', { name: 'Today', exact: true }).click();
	await page.waitForURL(/period=today/);
	await eventually(async () =>
		assert.equal(await page.getByRole('button', { name: 'Next period' }).isDisabled(), true),
	);
	await assertNumbers(page);
	await page.getByRole('button', { name: 'Hour' }).click();
	await page.getByRole('menuitemcheckbox', { name: 'Minute' }).click();
	await page.waitForURL(/by=minute/);
	await assertNumbers(page);
	await page.close();
});

test('a range is typed, or read over two months', async () => {
	for (const look of [{}, { phone: true }]) {
		const page = await open('?period=7d', owner, look);
		await page.getByRole('button', { name: /^Last 7 days/ }).click();
		const popover = page.getByRole('dialog', { name: 'Period' });
		await popover.getByLabel('From').waitFor();
		assert.equal(await popover.getByRole('grid').count(), 'phone' in look ? 1 : 2);
		// The week up to today is selected.
		assert.equal(await popover.getByLabel('From').inputValue(), '2026-11-06');
		await assertAccessible(page);
		await assertFits(page);
		await popover.getByLabel('From').fill('2026-11-02');
		await popover.getByLabel('To', { exact: true }).fill('2026-11-04');
		await popover.getByRole('button', { name: 'Apply range' }).click();
		await page.waitForURL(/from=2026-11-02&to=2026-11-04/);
		await assertNumbers(page);
		await page.close();
	}
});

test('weeks begin on the day that the reader prefers', async () => {
	for (const look of [{}, { phone: true }]) {
		const reader = await d.account();
		await d.w.sql(
			`INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, 'viewer', now())`,
			[owner.id, id, reader.id],
		);
		const page = await d.open('/account', reader, look);
		await page.getByLabel('First day of the week').selectOption('Sunday');
		await page.getByRole('button', { name: 'Save changes' }).click();
		await page.getByText('Saved', { exact: true }).waitFor();
		await page.goto(`${d.w.base}/websites/${id}?period=last_week`);
		await chartOf(page).waitFor();
		const cells = await page.evaluate<string[][]>(chartTable);
		assert.deepEqual([cells[0]?.[0], cells.at(-1)?.[0]], ['Sunday, November 1', 'Saturday, November 7']);
		await page.getByRole('button', { name: /^Last week/ }).click();
		const weekdays = page.getByRole('dialog', { name: 'Period' }).getByRole('grid').first().locator('th');
		await eventually(async () => assert.equal(await weekdays.first().textContent(), 'Sun'));
		await page.keyboard.press('Escape');
		assert.equal(await panelOf(page, 'Hours').locator('tbody th').first().textContent(), 'Sun');
		await page.close();
	}
});

test('a stretch of the chart is drawn with the pointer and becomes the period', async () => {
	const page = await open('?period=7d');
	const box = await chartOf(page).boundingBox();
	assert.ok(box);
	const { data } = await answerOf(page);
	const at = (index: number) => ({
		x: box.x + 40 + ((box.width - 52) * index) / (data.series.length - 1),
		y: box.y + 120,
	});
	await page.mouse.move(at(1).x, at(1).y);
	await page.mouse.down();
	await page.mouse.move(at(2).x, at(2).y);
	await page.mouse.move(at(3).x, at(3).y, { steps: 3 });
	await page.mouse.up();
	await page.waitForURL(`**/websites/${id}?from=${data.series[1]?.time}&to=${data.series[3]?.time}`);
	await assertNumbers(page);
	await page.goBack();
	await page.waitForURL(/period=7d/);
	await assertNumbers(page);
	await page.close();
});

test('the chart is walked by keys, and says each point with what it is compared with', async () => {
	const page = await open('?period=7d');
	const { data } = await answerOf(page);
	const chart = chartOf(page);
	await tileOf(page, 'visit_duration').focus();
	// What changed, the second metric, the interval, the chart.
	for (let tab = 0; tab < 4; tab++) await page.keyboard.press('Tab');
	await eventually(async () => assert.equal(await page.evaluate('document.activeElement.role'), 'slider'));
	await page.keyboard.press('Home');
	const said = await chart.getAttribute('aria-valuetext');
	const first = formatDate(data.series[0]?.time ?? '', 'en', {
		weekday: 'long',
		day: 'numeric',
		month: 'long',
	});
	assert.ok(
		said?.startsWith(`${first}: ${formatMetric('visitors', data.series[0]?.visitors, 'en')}; `),
		said ?? '',
	);
	assert.ok(
		said?.endsWith(`: ${formatMetric('visitors', data.compared?.series[0]?.visitors, 'en')}`),
		said ?? '',
	);
	await page.keyboard.press('ArrowRight');
	assert.notEqual(await chart.getAttribute('aria-valuetext'), said);
	await page.keyboard.press('End');
	assert.match((await chart.getAttribute('aria-valuetext')) ?? '', / so far;/);
	await page.keyboard.press('Home');
	await page.keyboard.press('Enter');
	await page.getByRole('button', { name: 'Zoom in on this day' }).click();
	await page.waitForURL(new RegExp(`from=${data.series[0]?.time}&to=${data.series[0]?.time}`));
	await assertNumbers(page);
	await page.close();
});

test('a note is pinned to a day, changed and taken away', async () => {
	const page = await open('?period=7d');
	const { data } = await answerOf(page);
	const day = data.series[2]?.time;
	const notes = async () => {
		const { json } = await api('GET', `/websites/${id}/notes`);
		return (json as { data: { date: string; text: string }[] }).data.map(({ date, text }) => ({
			date,
			text,
		}));
	};
	const walk = async () => {
		await chartOf(page).focus();
		await page.keyboard.press('Home');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('ArrowRight');
		await page.keyboard.press('Enter');
	};
	const before = await notes();
	await walk();
	await page.getByRole('button', { name: 'Add note' }).click();
	await page.getByRole('textbox', { name: 'Note' }).fill('The newsletter went out');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	assert.deepEqual(await notes(), [{ date: day, text: 'The newsletter went out' }, ...before]);
	await walk();
	await page.getByText('◆ The newsletter went out').waitFor();
	await page.getByRole('button', { name: /^Edit note/ }).click();
	await page.getByRole('textbox', { name: 'Note' }).fill('The newsletter, at last');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	assert.deepEqual(await notes(), [{ date: day, text: 'The newsletter, at last' }, ...before]);
	await walk();
	await page.getByRole('button', { name: /^Edit note/ }).click();
	await page.getByRole('button', { name: 'Delete note' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	assert.deepEqual(await notes(), before);
	await page.close();
});

test('filters are saved as a segment, which holds for all', async () => {
	const page = await open('?period=7d&f=is,device,mobile&f=is,country,DE');
	const { data: filtered } = await answerOf(page);
	await page.getByRole('button', { name: 'Segments' }).click();
	await page.getByRole('menuitem', { name: 'Save filters as segment' }).click();
	await page.getByLabel('Name').fill('Phones in Germany');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.waitForURL(/segment=\d+/);
	assert.doesNotMatch(queryOf(page), /f=/);
	await assertNumbers(page);
	const { data } = await answerOf(page);
	assert.deepEqual(data, filtered);
	assert.deepEqual(await chipsOf(page), ['Segment: Phones in Germany\n×']);
	await page.getByRole('button', { name: 'Segments' }).click();
	await page.getByRole('menuitem', { name: 'Delete segment Phones in Germany' }).click();
	await page.waitForURL((url) => !url.search.includes('segment'));
	await assertNumbers(page);
	await page.close();
});

test('tabs are addresses, also the one of pages that were not found', async () => {
	const page = await open('?period=7d');
	await panelOf(page, 'Pages').getByRole('link', { name: 'Exit pages' }).click();
	await panelOf(page, 'Sources').getByRole('link', { name: 'Sources' }).click();
	await page.waitForURL(/tabs=exit_page,source/);
	await assertNumbers(page);
	await panelOf(page, 'Sources')
		.getByRole('link', { name: /^Direct/ })
		.click();
	await page.waitForURL(/f=is,source,/);
	assert.deepEqual(await chipsOf(page), ['Source is Direct\n×']);
	await assertNumbers(page);
	await page.goto(`${d.w.base}/websites/${id}?period=7d&tabs=not_found`);
	const filters = JSON.stringify(['is', 'event', ['404']]);
	const { json } = await api(
		'GET',
		`/websites/${id}/stats/page?${new URLSearchParams({ period: '7d', filters, metrics: 'events,visitors' })}`,
	);
	const { data } = json as { data: { value: string; events: number; visitors: number }[] };
	assert.ok(data.length > 0);
	await eventually(async () => {
		const shown = await panelOf(page, 'Pages').getByRole('listitem').allInnerTexts();
		assert.deepEqual(
			shown.map((text) => text.split('\n')),
			data
				.slice(0, rowsShown)
				.map(({ value, events, visitors }) => [value, String(events), String(visitors)]),
		);
	});
	await page.close();
});

test('who may only look changes nothing; whoever is nobody sees what is shared', async () => {
	assert.equal((await api('PATCH', `/websites/${id}`, { json: { privacy: 1 } })).status, 200);
	const closed = await d.open(`/websites/${id}`);
	await closed.getByText('Page not found').first().waitFor();
	await closed.close();
	assert.equal((await api('PATCH', `/websites/${id}`, { json: { privacy: 0 } })).status, 200);
	const page = await d.open(`/websites/${id}?period=7d`);
	await chartOf(page).waitFor();
	await assertNumbers(page);
	assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
	await chartOf(page).focus();
	await page.keyboard.press('Enter');
	await page.getByRole('button', { name: 'Zoom in on this day' }).waitFor();
	assert.equal(await page.getByRole('button', { name: 'Add note' }).count(), 0);
	await assertAccessible(page);
	await page.close();
	assert.equal((await api('PATCH', `/websites/${id}`, { json: { privacy: 1 } })).status, 200);
});

test('a website that has counted nothing leads to its snippet', async () => {
	const made = await owner.api('POST', '/websites', { form: { domain: 'new.example' } });
	const { data } = made.json as { data: { id: number } };
	const page = await d.open(`/websites/${data.id}`, owner);
	await page.getByText('Waiting for data').waitFor();
	const link = page.getByRole('link', { name: 'Install snippet' });
	assert.equal(await link.getAttribute('href'), `/websites/${data.id}/install`);
	await assertAccessible(page);
	await page.getByRole('button', { name: 'new.example: select a website' }).click();
	await page.getByRole('menuitem', { name: 'example.com', exact: true }).click();
	await page.waitForURL(`${d.w.base}/websites/${id}`);
	await chartOf(page).waitFor();
	await page.close();
});

test('it is good to look at and to listen to in every look and both languages', async () => {
	for (const look of looks) {
		const page = await open('?period=7d&f=is_not,country,US&f=is,device,mobile,desktop', owner, look);
		await assertAccessible(page);
		await assertFits(page);
		await page.getByRole('button', { name: 'Filter', exact: true }).click();
		await page.getByRole('checkbox').first().waitFor();
		await assertAccessible(page);
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: /^Last 7 days/ }).click();
		await page.getByRole('grid').first().waitFor();
		await assertAccessible(page);
		await assertFits(page);
		await page.close();
	}
	const german = await d.account({ locale: 'de' });
	const made = await d.w.operate('demo', { email: german.email, domain: 'beispiel.example', days: 2 });
	const page = await d.open(`/websites/${made.websiteId}`, german, { language: 'de', phone: true });
	await page.getByRole('slider', { name: 'Besucher im Lauf der Zeit' }).waitFor();
	await page.getByText('Letzte 30 Tage').waitFor();
	await assertFits(page);
	await page.close();
});

test('a wide screen has three panels in a row, a desk two, a phone one', async () => {
	for (const [width, count] of [
		[1920, 3],
		[1280, 2],
		[390, 1],
	] as const) {
		const page = await open('?period=7d');
		await page.setViewportSize({ width, height: 1000 });
		const tops = await Promise.all(
			['Sources', 'Pages', 'Locations', 'Devices'].map(
				async (name) => (await panelOf(page, name).boundingBox())?.y,
			),
		);
		assert.equal(tops.filter((top) => top === tops[0]).length, count, `${width} px: ${tops}`);
		await assertFits(page);
		await page.close();
	}
});

test('the first load is light', async (t) => {
	const page = await open('?period=7d');
	const readFiles = () =>
		page.evaluate<[string, number][]>(
			`performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
			.map(({ name, encodedBodySize }) => [name.replace(/.*assets./, ''), encodedBodySize])`,
		);
	// On a busy machine the network also rests before the marks are loaded.
	await eventually(async () => {
		assert.ok((await readFiles()).filter(([name]) => name.endsWith('.svg')).length > 10);
	});
	await page.waitForLoadState('networkidle');
	const files = await readFiles();
	const sum = (some: typeof files) => some.reduce((total, [, bytes]) => total + bytes, 0) / 1024;
	const marks = files.filter(([name]) => name.endsWith('.svg') || name.startsWith('MarkImage'));
	const kilobytes = sum(files) - sum(marks);
	for (const [name, bytes] of files.filter(([, size]) => size > 2_000)) t.diagnostic(`${bytes} ${name}`);
	t.diagnostic(`${kilobytes.toFixed(1)} KB gzipped in ${files.length - marks.length} files`);
	t.diagnostic(`${sum(marks).toFixed(1)} KB of marks in ${marks.length} files`);
	assert.ok(kilobytes > 50 && kilobytes <= 180, `${kilobytes} KB`);
	assert.ok(marks.length > 10 && sum(files) <= 230, `${sum(files)} KB with marks`);
	assert.ok(!files.some(([name]) => name.startsWith('region-list')), 'no region is shown');
	await page.close();
});
