import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { signedIn, type Visitor } from '../support/visitor.ts';
import type { TestAccount } from '../support/world.ts';

const now = new Date('2026-11-12T14:32:07Z');
const d = await openDashboard({ after }, { now: () => now });
let owner: TestAccount;
let api: Visitor;
let demo: number;
let quiet: number;
let hidden: { id: number; domain: string };

before(async () => {
	owner = await d.account();
	api = await signedIn(d.w, owner);
	demo = (await d.w.operate('demo', { email: owner.email, domain: 'example.com', days: 8 })).websiteId;
	const create = async (account: TestAccount) =>
		websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }), 201);
	quiet = (await create(owner)).id;
	hidden = await create(await d.account());
});

const cardsOf = (page: Page) => page.locator('main ul > li').filter({ has: page.locator('section') });
const titlesOf = (page: Page) => cardsOf(page).locator('header b').allInnerTexts();

async function makeBoard(name: string, cards: object[]): Promise<number> {
	const answer = await api('POST', '/boards', { json: { name, period: '7d', cards } });
	assert.equal(answer.status, 201, answer.text);
	return (answer.json as { data: { id: number } }).data.id;
}

test('a board is made, filled by hand and saved', async () => {
	const page = await d.open('/websites', owner);
	await page.getByRole('link', { name: 'Boards', exact: true }).click();
	await page.getByRole('link', { name: /^All websites/ }).waitFor();
	await page.getByRole('textbox', { name: 'New board' }).fill('Agency overview');
	await page.getByRole('button', { name: 'Create board' }).click();
	await page.getByRole('heading', { name: 'Agency overview' }).waitFor();
	const add = async (view: string, choose?: (form: ReturnType<Page['getByRole']>) => Promise<unknown>) => {
		await page.getByRole('button', { name: /^\+ Add view/ }).click();
		const form = page.getByRole('dialog', { name: 'Add view' });
		await form.getByLabel('Website').selectOption({ label: 'example.com' });
		await form.getByLabel('View').selectOption({ label: view });
		await choose?.(form);
		await assertAccessible(page);
		await form.getByRole('button', { name: 'Add view' }).click();
		await form.waitFor({ state: 'detached' });
	};
	await add('Number');
	await add('Chart', (form) => form.getByLabel('Metric').selectOption({ label: 'Page views' }));
	await add('Breakdown', (form) => form.getByLabel('Dimension').selectOption({ label: 'Country' }));
	await add('Current visitors');
	await page.getByRole('button', { name: 'Save board' }).click();
	await page.getByRole('button', { name: 'Print' }).waitFor();
	assert.deepEqual(await titlesOf(page), ['Visitors', 'Page views', 'Countries', 'Current visitors']);
	await page.reload();
	await page.getByRole('slider').waitFor();
	assert.deepEqual(await titlesOf(page), ['Visitors', 'Page views', 'Countries', 'Current visitors']);
	// What a card says is what the statistics say.
	const answer = await api('POST', `/websites/${demo}/stats/query`, { json: { period: '30d' } });
	const { visitors } = (answer.json as { data: { totals: { visitors: number } } }).data.totals;
	await cardsOf(page).first().getByText(visitors.toLocaleString('en'), { exact: true }).waitFor();
	// A row leads to the statistics with its filter.
	await cardsOf(page).nth(2).getByRole('link', { name: 'Germany' }).click();
	await page.waitForURL(new RegExp(`/websites/${demo}\\?f=is,country,DE`));
	await page.context().close();
});

test('[C-BOARD-4] one question for all cards of a website and period', async () => {
	const card = { website_id: demo, view: 'number' };
	const id = await makeBoard('Few questions', [
		card,
		{ ...card, metric: 'pageviews', view: 'chart' },
		{ ...card, view: 'breakdown', dimension: 'source' },
		{ ...card, view: 'breakdown', dimension: 'page', metric: 'pageviews' },
		{ ...card, website_id: quiet },
		{ ...card, period: 'today' },
	]);
	const page = await d.open('/boards', owner);
	const asked: string[] = [];
	page.on('request', (request) => {
		if (request.url().includes('/stats/query')) asked.push(new URL(request.url()).pathname);
	});
	await page.getByRole('link', { name: /^Few questions/ }).click();
	await page.waitForURL(`**/boards/${id}`);
	await page.getByRole('slider').waitFor();
	await cardsOf(page).nth(5).locator('strong').waitFor();
	assert.deepEqual(asked.sort(), [
		`/app/api/websites/${demo}/stats/query`,
		`/app/api/websites/${demo}/stats/query`,
		`/app/api/websites/${quiet}/stats/query`,
	]);
	await page.context().close();
});

test('cards are moved and resized by keyboard and by mouse, and stay so', async () => {
	const card = { website_id: demo, view: 'number', width: 4 };
	const id = await makeBoard('To arrange', [
		card,
		{ ...card, metric: 'visits' },
		{ ...card, metric: 'pageviews' },
	]);
	const page = await d.open(`/boards/${id}`, owner);
	await page.getByRole('button', { name: 'Edit' }).click();
	await page.getByRole('button', { name: 'Move example.com: Visitors' }).focus();
	await page.keyboard.press('ArrowRight');
	assert.deepEqual(await titlesOf(page), ['Visits', 'Visitors', 'Page views']);
	await page
		.getByRole('status')
		.filter({ hasText: 'moved to position 2 of 3' })
		.waitFor({ state: 'attached' });
	// The focus follows the card.
	await page.keyboard.press('ArrowRight');
	assert.deepEqual(await titlesOf(page), ['Visits', 'Page views', 'Visitors']);
	await page.keyboard.press('Shift+ArrowRight');
	await page.getByRole('status').filter({ hasText: 'Half' }).waitFor({ state: 'attached' });
	await cardsOf(page).first().dragTo(cardsOf(page).nth(1));
	assert.deepEqual(await titlesOf(page), ['Page views', 'Visits', 'Visitors']);
	await page.getByRole('button', { name: 'Save board' }).click();
	await page.getByRole('button', { name: 'Print' }).waitFor();
	await page.reload();
	await cardsOf(page).nth(2).locator('strong').waitFor();
	assert.deepEqual(await titlesOf(page), ['Page views', 'Visits', 'Visitors']);
	const saved = (await api('GET', `/boards/${id}`)).json as { data: { cards: { width: number }[] } };
	assert.deepEqual(
		saved.data.cards.map(({ width }) => width),
		[4, 4, 6],
	);
	await page.context().close();
});

test('[C-BOARD-3][T110] a card of a website that the viewer cannot read says so, and the others are shown', async () => {
	const id = await makeBoard('Partly hidden', [
		{ website_id: hidden.id, view: 'number' },
		{ website_id: demo, view: 'number' },
	]);
	const page = await d.open(`/boards/${id}`, owner);
	await page.getByText('You do not have access to this website.').waitFor();
	await cardsOf(page).nth(1).locator('strong').waitFor();
	assert.ok(!(await page.content()).includes(hidden.domain));
	await page.context().close();
	const stranger = await d.open(`/boards/${id}`, await d.account());
	await stranger.getByText('Page not found').waitFor();
	await stranger.context().close();
});

test('a period that is looked at changes the cards, not the board', async () => {
	const id = await makeBoard('Periods', [{ website_id: demo, view: 'number' }]);
	const page = await d.open(`/boards/${id}`, owner);
	const number = cardsOf(page).first().locator('strong');
	await number.waitFor();
	const week = await number.textContent();
	await page.getByLabel('Period').selectOption({ label: 'Today' });
	await number.filter({ hasNotText: week ?? '' }).waitFor();
	assert.equal(await page.getByRole('button', { name: 'Save board' }).count(), 0);
	await page.reload();
	await number.waitFor();
	assert.equal(await number.textContent(), week);
	await page.context().close();
});

test('a view of the statistics page is added to a board, with its period and filters', async () => {
	const page = await d.open(`/websites/${demo}?period=7d&f=is,country,DE`, owner);
	await page.getByRole('slider').waitFor();
	await page.getByRole('button', { name: 'Add to board' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add to board' });
	await dialog.getByLabel('View').selectOption({ label: 'Bounce rate' });
	await dialog.getByLabel('Board', { exact: true }).selectOption({ label: 'New board' });
	await dialog.getByLabel('Name of the board').fill('Pinned');
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Add to board' }).click();
	await dialog.getByRole('link', { name: 'Open board' }).click();
	await page.getByText('Country is Germany').waitFor();
	assert.deepEqual(await titlesOf(page), ['Bounce rate']);
	const list = (await api('GET', '/boards')).json as { data: { id: number; name: string }[] };
	const id = list.data.find(({ name }) => name === 'Pinned')?.id;
	const saved = (await api('GET', `/boards/${id}`)).json as { data: { cards: object[] } };
	assert.deepEqual(saved.data.cards, [
		{
			website_id: demo,
			view: 'chart',
			metric: 'bounce_rate',
			dimension: null,
			funnel_id: null,
			period: '7d',
			filters: [{ test: 'is', dimension: 'country', values: ['DE'] }],
			segment_id: null,
			width: 8,
		},
	]);
	await page.context().close();
});

test('a board is deleted after a question', async () => {
	const id = await makeBoard('To delete', []);
	const page = await d.open(`/boards/${id}`, owner);
	await page.getByText('This board is empty').waitFor();
	await page.getByRole('button', { name: 'Add view' }).click();
	await page.getByRole('button', { name: 'Delete board' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Delete board' }).click();
	await page.waitForURL('**/boards');
	await page.getByRole('link', { name: /^All websites/ }).waitFor();
	assert.equal(await page.getByRole('link', { name: /^To delete/ }).count(), 0);
	await page.context().close();
});

test('boards are for everybody: in both themes, on a desk and on a phone, and on paper', async () => {
	const card = { website_id: demo, view: 'number' };
	const id = await makeBoard('Looks', [
		{ ...card, width: 3 },
		{ ...card, view: 'live', width: 3 },
		{ ...card, metric: 'bounce_rate', width: 6 },
		{ ...card, view: 'chart', width: 8 },
		{
			...card,
			view: 'breakdown',
			dimension: 'source',
			width: 4,
			filters: [{ test: 'is', dimension: 'country', values: ['DE'] }],
		},
		{ website_id: hidden.id, view: 'chart', width: 12 },
	]);
	for (const path of ['/boards', `/boards/${id}`]) {
		const page = await d.open(path, owner);
		await (path === '/boards'
			? page.getByRole('link', { name: /^Looks/ })
			: page.getByRole('slider')
		).waitFor();
		await assertGoodInAllLooks(page);
		await page.emulateMedia({ media: 'print' });
		assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0, 'controls are not printed');
		await page.context().close();
	}
	const page = await d.open(`/boards/${id}?edit`, owner, { phone: true });
	await page.getByRole('slider').waitFor();
	await assertAccessible(page);
	await assertFits(page);
	await page.context().close();
});
