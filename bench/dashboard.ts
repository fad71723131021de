/**
 * The statistics page on the demo data, in a browser that has never seen it: size and time of the first load, time of a changed
 * filter, layout shift. Headless Chromium on this machine, one page at a time.
 *
 * The limit is the same page whose API requests are answered inside the browser, at once, with the recorded answers: it is the time of
 * the browser alone. Rounds of both take turns.
 *
 * npm run bench -- dashboard [rounds, 15 unless said otherwise]
 */
import type { Page } from 'playwright-core';
import { openDashboard } from '../test/support/dashboard.ts';
import { median, percentile, printTable } from './table.ts';
import { untilSealed } from './until-sealed.ts';

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

const keyOf = (method: string, path: string, body: string | null) => `${method} ${path} ${body ?? ''}`;

/** The API's answers by request. */
const recorded = new Map<string, { status: number; type: string; body: string }>();

function record(page: Page): void {
	page.on('response', async (response) => {
		const request = response.request();
		const { pathname, search } = new URL(request.url());
		if (!pathname.startsWith('/app/api/')) return;
		recorded.set(keyOf(request.method(), pathname + search, request.postData()), {
			status: response.status(),
			type: response.headers()['content-type'] ?? '',
			body: await response.text(),
		});
	});
}

/** Runs in the page: requests with a recorded answer never leave it. */
const answerFromRecords = () => `
	const recorded = new Map(${JSON.stringify([...recorded])});
	const request = window.fetch;
	window.unrecorded = [];
	window.fetch = (input, options = {}) => {
		const { pathname, search } = new URL(input, location.href);
		const key = (options.method ?? 'GET') + ' ' + pathname + search + ' ' + (options.body ?? '');
		const known = recorded.get(key);
		if (known === undefined) {
			window.unrecorded.push(key);
			return request(input, options);
		}
		return Promise.resolve(new Response(known.body || null, { status: known.status, headers: { 'content-type': known.type } }));
	};
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

const createResults = () => ({ loads: [] as Awaited<ReturnType<typeof load>>[], changes: [] as number[] });
type Results = ReturnType<typeof createResults>;

try {
	const account = await d.account();
	const { websiteId } = await d.w.operate('demo', { email: account.email, domain: 'example.com', days: 90 });
	await untilSealed(d.w, websiteId);
	const address = `/websites/${websiteId}`;
	// The first round warms the service, and its answers are recorded. It is not counted.
	const first = await d.open('/health/live', account);
	record(first);
	await load(first, d.w.base + address);
	await changeFilter(first);
	await first.context().close();
	const measured = { service: createResults(), limit: createResults() };
	for (let round = 0; round < rounds; round++)
		for (const side of ['service', 'limit'] as const) {
			// A new browser context without files in its cache.
			const page = await d.open('/health/live', account);
			if (side === 'limit') await page.addInitScript(answerFromRecords());
			measured[side].loads.push(await load(page, d.w.base + address));
			measured[side].changes.push(await changeFilter(page));
			if (side === 'limit') {
				const unrecorded = await page.evaluate<string[]>('window.unrecorded');
				if (unrecorded.length > 0) throw new Error(`No answer was recorded for ${unrecorded.join(', ')}.`);
			}
			await page.context().close();
		}
	const { service, limit } = measured;
	const compare = (of: (results: Results) => number[], digits = 0) => {
		const [ours, bare] = [of(service), of(limit)];
		return [
			median(ours).toFixed(digits),
			percentile(ours, 0.95).toFixed(digits),
			median(bare).toFixed(digits),
			percentile(bare, 0.95).toFixed(digits),
		];
	};
	printTable(
		['statistics page, demo data', 'median', 'p95', 'limit, median', 'limit, p95', 'goal'],
		[
			['first paint, ms', ...compare(({ loads }) => loads.map(({ paint }) => paint)), ''],
			['all panels, ms', ...compare(({ loads }) => loads.map(({ all }) => all)), 'median 1,000'],
			['a changed filter, ms', ...compare(({ changes }) => changes), 'p95 300'],
			[
				'first load, bytes over the wire',
				...compare(({ loads }) => loads.map(({ bytes }) => bytes)),
				'184,320',
			],
			['requests to the API', ...compare(({ loads }) => loads.map(({ calls }) => calls)), ''],
			['layout shift', ...compare(({ loads }) => loads.map(({ shift }) => shift), 4), '0.02'],
		],
	);
} finally {
	for (const close of closing.reverse()) await close();
}
