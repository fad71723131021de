import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { buildDashboardIfOld } from '../../scripts/build-dashboard.ts';
import type { Clock } from '../../server/lib/clock.ts';
import { openBrowser } from './browser.ts';
import { freePort } from './free-port.ts';
import { until } from './service.ts';
import { patience } from './timeout-factor.ts';
import { givePassword, sessionOf, signedIn } from './visitor.ts';
import { type TestAccount, world } from './world.ts';

/** What a page is looked at with. */
export type Look = { theme?: 'light' | 'dark'; phone?: boolean; language?: string };

/** Both themes, a desk and a phone: each with one of the others, or with TEST_MORE=1 with both. */
export const looks: readonly Look[] = [
	{ theme: 'light' },
	{ theme: 'dark', phone: true },
	...(process.env.TEST_MORE ? ([{ theme: 'dark' }, { theme: 'light', phone: true }] as const) : []),
];

/** A service with its pages, and a browser. Whatever a page logs as an error, or asks of another host, fails the file. */
export async function openDashboard(
	t: { after(work: () => Promise<void>): void },
	options: {
		settings?: Record<string, string>;
		now?: Clock;
		host?: string;
		/** Other hosts that pages may lead to. */
		hosts?: readonly string[];
	} = {},
) {
	await buildDashboardIfOld();
	const browser: Browser = await openBrowser();
	const faults: string[] = [];
	// Before the service stops: its pages would complain of that.
	t.after(async () => {
		await browser.close();
		assert.deepEqual(faults, [], 'what pages logged, threw, or asked of other hosts');
	});
	const port = String(await freePort());
	const base = `http://${options.host ?? '127.0.0.1'}:${port}`;
	const w = await world(t, {
		...options,
		settings: { TIDEMARK_PORT: port, TIDEMARK_BASE_URL: base, ...options.settings },
	});
	// What a test has opened is shut with it: pages ask for news as long as they are open. Before the first test they are for all.
	let ofTest: BrowserContext[] = [];
	beforeEach(() => {
		ofTest = [];
	});
	afterEach(async () => {
		for (const context of ofTest) await context.close();
	});
	return {
		w,
		/** The public address. */
		base,
		browser,
		/** A page in a browser of its own, signed in as the account if one is given. */
		async open(path: string, as?: TestAccount, look: Look = {}): Promise<Page> {
			const settings: BrowserContextOptions = {
				colorScheme: look.theme ?? 'light',
				locale: look.language ?? 'en-GB',
				timezoneId: 'Europe/Berlin',
				...(look.phone
					? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
					: { viewport: { width: 1280, height: 900 } }),
			};
			const context = await browser.newContext(settings);
			ofTest.push(context);
			// As long as the slowest machine may take: what comes sooner is not waited for.
			context.setDefaultTimeout(30_000 * patience);
			if (as) {
				const value = sessionOf(await signedIn(w, as));
				await context.addCookies([{ name: 'tidemark', value, url: base, httpOnly: true }]);
			}
			const page = await context.newPage();
			page.on('pageerror', (error) => faults.push(`${path}: ${error}`));
			page.on('console', (message) => {
				// The browser itself notes refusals, which pages expect.
				if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
					faults.push(`${path}: ${message.text()}`);
			});
			page.on('request', (request) => {
				const { host, protocol } = new URL(request.url());
				const isAllowed = host === new URL(base).host || options.hosts?.includes(host);
				if (/^http/.test(protocol) && !isAllowed) faults.push(`${path} asked ${host}`);
			});
			await page.goto(base + path);
			return page;
		},
		/** An account that can sign in. */
		async account(about: Parameters<typeof w.account>[0] = {}): Promise<TestAccount> {
			const account = await w.account({ timezone: 'Europe/Berlin', locale: 'en', ...about });
			await givePassword(w, account);
			return account;
		},
	};
}

/** What floats takes the focus a moment after it is there; keys that are pressed before go elsewhere. */
export const focusIn = (page: Page, role: 'menu' | 'dialog') =>
	page.locator(`[role=${role}]:focus-within`).waitFor();

/** The last thing of the menu that has just been opened by a key. */
export async function pressLastInMenu(page: Page): Promise<void> {
	await focusIn(page, 'menu');
	await page.keyboard.press('End');
	await page.locator('[role=menu] [role^=menuitem]').last().and(page.locator(':focus')).waitFor();
	await page.keyboard.press('Enter');
}

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** Every rule of axe, on the page as it stands. */
export async function assertAccessible(page: Page): Promise<void> {
	// What waits for its next answer, or fades in, is paler for that time.
	await until(
		() =>
			page.evaluate<boolean>(`!document.querySelector('[aria-busy=true]') &&
				document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity)`),
		30_000,
		'the page rests',
	);
	// The policy of the page allows no foreign script; the tool comes in by the debugger, which is not asked.
	await page.evaluate(axe);
	const found = await page.evaluate<
		string[]
	>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
		violations.map(({ id, help, nodes }) => id + ': ' + help + '\\n' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join('\\n')))`);
	assert.deepEqual(found, [], `axe on ${page.url()}`);
}

/** Nothing sticks out at the side: a phone can be scrolled up and down alone. */
export async function assertFits(page: Page): Promise<void> {
	const [content, view] = await page.evaluate<[number, number]>(
		'[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
	);
	assert.ok(content <= view, `${page.url()} is ${content} wide in a window of ${view}`);
}

/** Axe and the width in all looks, without opening the page anew. */
export async function assertGoodInAllLooks(page: Page): Promise<void> {
	const before = page.viewportSize();
	for (const { theme = 'light', phone } of looks) {
		// Without motion nothing is between two colours when it is looked at.
		await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
		await page.setViewportSize(phone ? { width: 390, height: 844 } : { width: 1280, height: 900 });
		await page.locator(`html[data-theme=${theme}]`).waitFor();
		await assertAccessible(page);
		await assertFits(page);
	}
	await page.emulateMedia({ colorScheme: null, reducedMotion: null });
	if (before) await page.setViewportSize(before);
}
