import { spawn } from 'node:child_process';
import { once } from 'node:events';
import puppeteer from 'puppeteer-core';
import { Builder, By, until as untilDriver } from 'selenium-webdriver';
import { freePort } from './free-port.ts';
import { until } from './service.ts';
import { patience } from './timeout-factor.ts';

const timeoutMs = 30_000 * patience;
/** React may replace or move a row between finding and clicking it. */
const passing = new Set(['StaleElementReferenceError', 'ElementClickInterceptedError']);

/** A page in another engine than Chromium. Elements are named by XPath, which both protocols know. */
export type EnginePage = {
	go(url: string): Promise<void>;
	waitFor(xpath: string): Promise<void>;
	click(xpath: string): Promise<void>;
	fill(xpath: string, text: string): Promise<void>;
	/** The value of an expression in the page. */
	evaluate<T>(expression: string): Promise<T>;
	setWidth(pixels: number): Promise<void>;
	/** Signs out without the page. */
	clearCookies(): Promise<void>;
};
export type EngineBrowser = { version: string; page: EnginePage; close(): Promise<void> };

/** Debian's Firefox, over WebDriver BiDi. */
export async function openFirefox(): Promise<EngineBrowser> {
	const browser = await puppeteer.launch({
		browser: 'firefox',
		executablePath: '/usr/bin/firefox-esr',
		headless: true,
		timeout: 3 * timeoutMs,
	});
	const page = await browser.newPage();
	page.setDefaultTimeout(timeoutMs);
	await page.setViewport({ width: 1280, height: 900 });
	const find = async (xpath: string) => {
		const element = await page.waitForSelector(`xpath/${xpath}`, { visible: true });
		if (!element) throw new Error(`${xpath} is not there.`);
		return element;
	};
	return {
		version: await browser.version(),
		page: {
			go: async (url) => void (await page.goto(url)),
			waitFor: async (xpath) => void (await find(xpath)),
			click: async (xpath) => (await find(xpath)).click(),
			fill: async (xpath, text) => (await find(xpath)).type(text),
			evaluate: async <T>(expression: string) => (await page.evaluate(expression)) as T,
			setWidth: (width) => page.setViewport({ width, height: 844 }),
			clearCookies: async () => {
				const context = browser.defaultBrowserContext();
				await context.deleteCookie(...(await context.cookies()));
			},
		},
		close: () => browser.close(),
	};
}

/** Debian's WebKitGTK: its MiniBrowser on a display that nobody sees. */
export async function openWebKit(): Promise<EngineBrowser> {
	const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
		stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
	});
	const told = screen.stdio[3];
	if (!told) throw new Error('Xvfb has no pipe for the number of its display.');
	const [display] = await once(told, 'data');
	const port = await freePort();
	const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
		stdio: 'ignore',
		env: { ...process.env, DISPLAY: `:${String(display).trim()}`, LIBGL_ALWAYS_SOFTWARE: '1' },
	});
	const server = `http://127.0.0.1:${port}`;
	const end = () => {
		driver.kill();
		screen.kill();
	};
	try {
		await until(
			() =>
				fetch(`${server}/status`).then(
					({ ok }) => ok,
					() => false,
				),
			timeoutMs,
			'WebKitWebDriver listens',
		);
		const browser = await new Builder()
			.usingServer(server)
			.withCapabilities({
				browserName: 'MiniBrowser',
				'webkitgtk:browserOptions': {
					binary: '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
					args: ['--automation'],
				},
			})
			.build();
		const capabilities = await browser.getCapabilities();
		const find = async (xpath: string) => {
			const element = await browser.wait(untilDriver.elementLocated(By.xpath(xpath)), timeoutMs);
			await browser.wait(untilDriver.elementIsVisible(element), timeoutMs);
			return element;
		};
		const resize = (width: number, height: number) =>
			browser.manage().window().setRect({ x: 0, y: 0, width, height });
		await resize(1280, 900);
		return {
			version: `WebKitGTK ${capabilities.get('browserVersion')}`,
			page: {
				go: (url) => browser.get(url),
				waitFor: async (xpath) => void (await find(xpath)),
				click: async (xpath) => {
					await until(
						async () => {
							try {
								const element = await find(xpath);
								await browser.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
								await element.click();
								return true;
							} catch (error) {
								if (error instanceof Error && passing.has(error.name)) return false;
								throw error;
							}
						},
						timeoutMs,
						`${xpath} is clicked`,
					);
				},
				fill: async (xpath, text) => (await find(xpath)).sendKeys(text),
				evaluate: <T>(expression: string) => browser.executeScript<T>(`return (${expression})`),
				setWidth: async (width) => void (await resize(width, 844)),
				clearCookies: () => browser.manage().deleteAllCookies(),
			},
			close: async () => {
				await browser.quit();
				end();
			},
		};
	} catch (error) {
		end();
		throw error;
	}
}
