import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { z } from 'zod';
import { assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';

const d = await openDashboard({ after });
const { websiteId: id } = await d.w.operate('demo', {
	email: (await d.account({ email: 'demo@example.test' })).email,
	domain: 'example.com',
	days: 14,
});
const allPages = [
	`/websites/${id}`,
	`/websites/${id}/live`,
	`/websites/${id}/journeys`,
	'/websites/new',
	...['general', 'sharing', 'exclusions'].map((room) => `/websites/${id}/settings/${room}`),
	...['security', 'people'].map((room) => `/account/${room}`),
];

/** Each language is seen on some of them, others each time, or with TEST_MORE=1 on all. */
const first = Math.floor(Math.random() * 3);
const pagesFor = (language: number) =>
	process.env.TEST_MORE ? allPages : allPages.filter((_, page) => (page + language + first) % 3 === 0);

/** By its folder: what is written there is compiled for browsers, not for this program. */
const languages = readdirSync('dashboard/texts', { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);
const coreTexts = z.object({ core: z.object({ common: z.object({ account: z.string() }) }) });

/** What would be shown if a text were missing, or a word to fill in were not filled in. */
const raw = ['{{', ...(await keysOf('core')), ...(await keysOf('pages'))];

async function keysOf(half: 'core' | 'pages'): Promise<string[]> {
	const walk = (tree: object, path: string): string[] =>
		Object.entries(tree).flatMap(([name, part]) => {
			const key = path === '' ? name : `${path}.${name}`;
			return typeof part === 'object' ? walk(part, key) : [key];
		});
	return walk(await readTexts('en', half), '');
}

async function readTexts(language: string, half: 'core' | 'pages'): Promise<object> {
	const { [half]: texts }: Record<string, object> = await import(
		`../../dashboard/texts/${language}/${half}.ts`
	);
	return texts ?? {};
}

/** Every text of a language that has nothing to fill in. */
async function sentencesOf(language: string): Promise<Set<string>> {
	const walk = (tree: object): string[] =>
		Object.values(tree).flatMap((part) => (typeof part === 'object' ? walk(part) : [String(part)]));
	const texts = [...walk(await readTexts(language, 'core')), ...walk(await readTexts(language, 'pages'))];
	return new Set(texts.filter((text) => !text.includes('{{')));
}

for (const [index, language] of languages.entries())
	test(`${language}: pages speak it, and fit a phone`, async () => {
		const account = await d.account({ locale: language });
		await d.w.sql('UPDATE websites SET account_id = $1 WHERE id = $2', [account.id, id]);
		const page = await d.open('/websites', account, { phone: true, language });
		await page.locator(`html[lang=${language}]`).waitFor();
		const { common } = coreTexts.parse(await import(`../../dashboard/texts/${language}/core.ts`)).core;
		await page.getByRole('button', { name: common.account }).waitFor();
		for (const path of pagesFor(index)) {
			await page.goto(d.w.base + path);
			await page.locator('main h1, main h2, header h1').first().waitFor({ state: 'attached' });
			await page.waitForLoadState('networkidle');
			await assertFits(page);
			const text = (await page.locator('body').textContent()) ?? '';
			assert.deepEqual(
				raw.filter((key) => text.includes(key)),
				[],
				path,
			);
			assert.equal(await page.evaluate('document.documentElement.lang'), language);
		}
		await page.context().close();
	});

/** Goals of the demo, which have their names in every language. */
const goalNames = new Set(['Download', 'Signup', 'Purchase', 'Pricing viewed']);
const everyPage = [
	'/websites',
	'/websites/new',
	'/boards',
	`/websites/${id}`,
	`/websites/${id}/live`,
	`/websites/${id}/journeys`,
	`/websites/${id}/install`,
	`/websites/${id}/reports`,
	...[...['general', 'goals', 'sharing', 'exclusions', 'drops', 'alerts', 'reports', 'people', 'data']].map(
		(tab) => `/websites/${id}/settings/${tab}`,
	),
	...['profile', 'security', 'keys', 'mail', 'people'].map((tab) => `/account/${tab}`),
];
for (const language of ['en', 'de', 'ja'])
	test(`${language}: every page is accessible, fits and is translated, in both themes, on a desk and on a phone`, async () => {
		const account = await d.account({ locale: language });
		await d.w.sql('UPDATE websites SET account_id = $1 WHERE id = $2', [account.id, id]);
		const own = await sentencesOf(language);
		const foreign = [...(await sentencesOf('en'))].filter(
			(text) => !own.has(text) && !goalNames.has(text) && text.length > 2,
		);
		const page = await d.open('/websites', account, { language });
		for (const path of everyPage) {
			await page.goto(d.w.base + path);
			await page.locator('main h1, main h2, header h1').first().waitFor({ state: 'attached' });
			await page.waitForLoadState('networkidle');
			assert.equal(new URL(page.url()).pathname, path, 'the page exists');
			await assertGoodInAllLooks(page);
			const shown = await page.evaluate<string[]>(`(() => {
				const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
				const texts = [];
				while (walker.nextNode()) texts.push(walker.currentNode.textContent.trim());
				return texts;
			})()`);
			const untranslated = new Set(foreign);
			assert.deepEqual(
				shown.filter((text) => untranslated.has(text)),
				[],
				`English on ${path}`,
			);
		}
		await page.context().close();
	});
