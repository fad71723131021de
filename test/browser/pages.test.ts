import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

/** A page that notes which hosts it asked and what went wrong on it. */
async function openPage(): Promise<{ page: Page; hosts: Set<string>; faults: string[] }> {
	const page = await browser.newPage();
	const hosts = new Set<string>();
	const faults: string[] = [];
	page.on('request', (request) => hosts.add(new URL(request.url()).host));
	page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
	page.on('pageerror', (error) => faults.push(String(error)));
	return { page, hosts, faults };
}

test('[T107] the API page shows every operation, tries a call, and asks no other host', async () => {
	const account = await w.account();
	const { page, hosts, faults } = await openPage();
	await page.goto(`${w.base}/docs/api/`);
	const { paths }: { paths: Record<string, object> } = JSON.parse(readFileSync('api/openapi.json', 'utf8'));
	const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
	// Of a long document, the page draws what is scrolled to.
	await page.waitForSelector('.opblock');
	const shown = new Set<string>();
	const isEnd = () => page.evaluate<boolean>('scrollY + innerHeight >= document.body.scrollHeight - 1');
	const scroll = async (isDone: () => Promise<boolean>) => {
		await page.evaluate('scrollTo(0, 0)');
		while (!(await isDone())) {
			await page.evaluate('scrollBy(0, innerHeight / 2)');
			await page.waitForTimeout(100);
		}
	};
	await scroll(async () => {
		const ids = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
		for (const id of ids) shown.add(id);
		return isEnd();
	});
	assert.equal(shown.size, operations.length);
	await page.evaluate('scrollTo(0, 0)');
	await page.click('.btn.authorize');
	await page.fill('.auth-container input', account.key);
	await page.click('.auth-btn-wrapper .authorize');
	await page.click('.btn-done');
	const operation = page.locator('#operations-account-getAccount');
	await scroll(async () => (await operation.count()) > 0 || isEnd());
	await operation.locator('.opblock-summary').click();
	await operation.locator('.execute').click();
	const answer = operation.locator('.live-responses-table .response');
	await answer.waitFor();
	assert.match((await answer.textContent()) ?? '', /^200/);
	assert.match((await answer.textContent()) ?? '', new RegExp(account.email));
	const create = page.locator('#operations-websites-createWebsite');
	await scroll(async () => (await create.count()) > 0 || isEnd());
	await create.locator('.opblock-summary').click();
	await create.locator('.model-example .tabitem').last().click();
	await create.locator('.model-box').first().waitFor();
	assert.deepEqual([...hosts], [new URL(w.base).host]);
	assert.deepEqual(faults, []);
});
