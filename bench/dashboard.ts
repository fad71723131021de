/**
 * The statistics page as a browser meets it, on the demo data: what the first load weighs and takes, how soon a changed filter
 * is on the screen, how much the page moves. Headless Chromium on this machine, one page at a time.
 *
 * npm run bench -- dashboard [rounds, 15 unless said otherwise]
 */
import type { Page } from 'playwright-core';
import { openDashboard } from '../test/support/dashboard.ts';
import { median, percentile, printTable } from './table.ts';

const rounds = Number(process.argv[2] ?? 15);
const closing: (() => Promise<void>)[] = [];
const d = await openDashboard({ after: (work) => void closing.push(work) });

/** Everything that the page asks for has come, and nothing is a skeleton or of the question before any more. */
const isComplete = `!document.querySelector('[class*=skeleton], [aria-busy=true]') && document.querySelector('main [role=slider] svg') !== null`;
/** Runs in the page from its beginning: a page may not evaluate texts, so it looks by itself. */
const observe = `
	window.shift = 0;
	new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
		.observe({ type: 'layout-shift', buffered: true });
	window.completed = new Promise((resolve) => {
		const look = () => (${isComplete}) ? resolve(performance.now()) : requestAnimationFrame(look);
		requestAnimationFrame(look);
	});
`;

async function load(page: Page, address: string) {
	let bytes = 0;
	let calls = 0;
	page.on('response', (response) => {
		if (response.url().includes('/app/api/')) calls++;
	});
	const sizes: Promise<number>[] = [];
	page.on('requestfinished', (request) => {
		if (!request.url().includes('/app/api/'))
			sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
	});
	await page.addInitScript(observe);
	await page.goto(address);
	const all = await page.evaluate<number>('window.completed');
	const paint = await page.evaluate<number>(
		`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
	);
	const callsAtFirst = calls;
	await page.waitForLoadState('networkidle');
	const shift = await page.evaluate<number>('window.shift');
	for (const size of await Promise.all(sizes)) bytes += size;
	return { all, paint, shift, bytes, calls: callsAtFirst };
}

/** Presses a row, which filters; the page is done when the answer with the filter is drawn. */
async function changeFilter(page: Page): Promise<number> {
	const took = await page.evaluate<number>(`new Promise((resolve) => {
		const began = performance.now();
		let hasBegun = false;
		const look = () => {
			hasBegun ||= document.querySelector('[aria-busy=true]') !== null;
			if (hasBegun && ${isComplete}) resolve(performance.now() - began);
			else requestAnimationFrame(look);
		};
		document.querySelector('main li a[href*="f=is,"]').click();
		look();
	})`);
	await page.goBack();
	await page.waitForLoadState('networkidle');
	return took;
}

try {
	const account = await d.account();
	const { websiteId } = await d.w.operate('demo', { email: account.email, domain: 'example.com', days: 90 });
	const address = `/websites/${websiteId}`;
	const loads: Awaited<ReturnType<typeof load>>[] = [];
	const changes: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const page = await d.open('/sign-in', account);
		loads.push(await load(page, d.w.base + address));
		changes.push(await changeFilter(page));
		await page.context().close();
	}
	const summarize = (values: number[]) => [Math.round(median(values)), Math.round(percentile(values, 0.95))];
	printTable(
		['statistics page, demo data', 'median', 'p95', 'wanted'],
		[
			['first paint, ms', ...summarize(loads.map(({ paint }) => paint)), 800],
			['all panels, ms', ...summarize(loads.map(({ all }) => all)), 1_500],
			['a changed filter, ms', ...summarize(changes), 400],
			['first load, bytes over the wire', ...summarize(loads.map(({ bytes }) => bytes)), 184_320],
			['calls of the API', ...summarize(loads.map(({ calls }) => calls)), ''],
			[
				'layout shift',
				median(loads.map(({ shift }) => shift)).toFixed(4),
				percentile(
					loads.map(({ shift }) => shift),
					0.95,
				).toFixed(4),
				0.02,
			],
		],
	);
} finally {
	for (const close of closing.reverse()) await close();
}
