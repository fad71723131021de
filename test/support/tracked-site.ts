/**
 * A website with the tracker in its pages, seen by a real browser: one loopback server for the pages, one on
 * another port (so of another origin) for the script and the collector, which keeps what it is sent and
 * answers as a test wants it to.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildTracker } from '../../scripts/build-tracker.ts';
import { patience } from './timeout-factor.ts';

export type Hit = Record<string, unknown>;
type Received = { at: number; method: string; path: string; headers: IncomingHttpHeaders; body: string };
/** What the collector does with a request: a status, or no answer. */
type Reply = number | 'silence';

type TestContext = { after: (close: () => unknown) => void };
type PageOptions = {
	/** Attributes of the script's tag. */
	tag?: string;
	head?: string;
	body?: string;
	headers?: Record<string, string>;
	/** Instead of the usual tag. */
	script?: string;
};

export type TrackedSite = {
	/** Where the pages are. */
	origin: string;
	/** Where the script and the collector are. */
	collector: string;
	context: BrowserContext;
	page: Page;
	/** Page errors and console errors. */
	faults: string[];
	received: Received[];
	issued: string[];
	reply: (decide: (request: number) => Reply) => void;
	/** Without the header that lets pages of other origins read the answer. */
	refuseOtherOrigins: () => void;
	/** Closes the connections that wait for an answer. */
	hangUpAll: () => void;
	/** Adds a page with the script in it. */
	add: (path: string, options?: PageOptions) => void;
	/** Adds a page and goes there. */
	open: (path: string, options?: PageOptions) => Promise<void>;
	/** Everything that was sent once there are `count` hits, and nothing more for a while. */
	hits: (count: number) => Promise<Hit[]>;
	/** The same without engagement and vitals. */
	events: (count: number) => Promise<Hit[]>;
	/** A whole page view as it is expected; what is not said has its usual value. */
	pageview: (path: string, members?: Hit) => Hit;
	/** Any other event, likewise. */
	event: (name: string, path: string, members?: Hit) => Hit;
};

const settleMs = 250;
const builtFolder = mkdtempSync(join(tmpdir(), 'tidemark-tracker-'));
process.once('exit', () => rmSync(builtFolder, { recursive: true, force: true }));
export const built = await buildTracker(builtFolder);

export const builtFile = (name: string) => readFileSync(join(builtFolder, name), 'utf8');

export async function trackedSite(t: TestContext, browser: Browser): Promise<TrackedSite> {
	const site = await serveSite(t);
	const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
	t.after(() => context.close());
	const page = await context.newPage();
	const faults: string[] = [];
	page.on('pageerror', (error) => faults.push(String(error)));
	page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
	context.on('request', (request) => site.issued.push(request.postData() ?? ''));
	const open = async (path: string, options?: PageOptions) => {
		site.add(path.split('?')[0] ?? path, options);
		await page.goto(site.origin + path);
	};
	return { ...site, context, page, faults, open };
}

/** A browser with nobody at it: its pages must act by themselves, and nothing keeps them visible or in front. */
export function openUndriven(t: TestContext, address: string): void {
	const profile = mkdtempSync(join(tmpdir(), 'tidemark-browser-'));
	const browser = spawn(
		'/usr/bin/chromium',
		[
			'--headless',
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--disable-popup-blocking',
			'--no-first-run',
			`--user-data-dir=${profile}`,
			address,
		],
		// A group of its own, so that all of its processes can be ended with it.
		{ stdio: 'ignore', detached: true },
	);
	t.after(async () => {
		const gone = new Promise((resolve) => browser.once('exit', resolve));
		if (browser.pid) process.kill(-browser.pid, 'SIGKILL');
		await gone;
		rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	});
}

/** The two servers without a browser. */
export async function serveSite(t: TestContext) {
	const received: Received[] = [];
	/** Bodies in the order in which the browser sent them: on several connections they can overtake each other. */
	const issued: string[] = [];
	let decide: (request: number) => Reply = () => 202;
	const pages = new Map<string, { html: string; headers: Record<string, string> }>();

	let isOpenToOthers = true;
	const unanswered = new Set<ServerResponse>();

	const collector = await listen(t, (request, body, response) => {
		if (isOpenToOthers) response.setHeader('access-control-allow-origin', '*');
		const file = /^\/(tm|tm-vitals)\.js$/.exec(request.path)?.[0];
		if (file) {
			response.setHeader('content-type', 'text/javascript');
			response.end(builtFile(file));
			return;
		}
		received.push({ ...request, at: performance.now(), body });
		const reply = decide(received.length);
		if (reply === 'silence') unanswered.add(response);
		else response.writeHead(reply).end();
	});

	const askedFor = new Set<string>();
	const origin = await listen(t, (request, _body, response) => {
		askedFor.add(request.path);
		const found = pages.get(request.path);
		if (!found) response.writeHead(request.path === '/favicon.ico' ? 204 : 404).end();
		else response.writeHead(200, { 'content-type': 'text/html', ...found.headers }).end(found.html);
	});

	const add = (path: string, { tag = '', head = '', body = '', headers = {}, script }: PageOptions = {}) => {
		const usual = `<script defer data-website="42" ${tag} src="${collector}/tm.js"></script>`;
		const html = `<!doctype html><meta charset="utf-8"><title>Title of ${path}</title>${head}${script ?? usual}<body>${body}`;
		pages.set(path, { html, headers });
	};

	const asked = async (path: string) => {
		const deadline = Date.now() + 15_000 * patience;
		while (!askedFor.has(path)) {
			if (Date.now() > deadline) throw new Error(`Nobody asked for ${path}.`);
			await pause(20);
		}
	};

	const gather = async (count: number, isWanted: (hit: Hit) => boolean) => {
		const gathered = () =>
			inOrder(
				received.filter(({ method }) => method === 'POST').map(({ body }) => body),
				issued,
			).map((body): Hit => JSON.parse(body));
		const deadline = Date.now() + 5_000 * patience;
		while (gathered().filter(isWanted).length < count && Date.now() < deadline) await pause(20);
		await pause(settleMs);
		return withoutChance(gathered().filter(isWanted));
	};

	const event = (name: string, path: string, members: Hit = {}): Hit => ({
		w: 42,
		i: '#1',
		n: name,
		u: origin + path,
		r: '',
		t: `Title of ${path}`,
		x: 1280,
		...members,
	});

	return {
		origin,
		collector,
		received,
		issued,
		add,
		/** Something else than a page. */
		addText: (path: string, text: string) =>
			pages.set(path, { html: text, headers: { 'content-type': 'text/plain' } }),
		/** Resolves when a page asked its own server for this. */
		asked,
		refuseOtherOrigins: () => {
			isOpenToOthers = false;
		},
		hangUpAll: () => {
			for (const response of unanswered) response.destroy();
		},
		reply: (next: (request: number) => Reply) => {
			decide = next;
		},
		hits: (count: number) => gather(count, () => true),
		events: (count: number) => gather(count, (hit) => hit.k === undefined),
		event,
		pageview: (path: string, members?: Hit) => event('pageview', path, members),
	};
}

/** Bodies as the browser sent them. It does not tell what a page sends while it is left: that is where it arrived. */
function inOrder(arrived: readonly string[], issued: readonly string[]): string[] {
	let latest = 0;
	return arrived
		.map((body) => {
			const place = issued.indexOf(body);
			latest = Math.max(latest, place);
			return { body, place: place < 0 ? latest + 0.5 : place };
		})
		.sort((a, b) => a.place - b.place)
		.map(({ body }) => body);
}

/** Ids become #1, #2, … in the order of their first appearance, so that whole hits can be compared. */
function withoutChance(hits: readonly Hit[]): Hit[] {
	const names = new Map<unknown, string>();
	const nameOf = (id: unknown) => {
		if (typeof id !== 'string' || !/^[0-9a-f]{16}$/.test(id)) return id;
		if (!names.has(id)) names.set(id, `#${names.size + 1}`);
		return names.get(id);
	};
	return hits.map((hit) => {
		const named: Hit = { ...hit, i: nameOf(hit.i) };
		if ('o' in hit) named.o = nameOf(hit.o);
		return named;
	});
}

type Request = Pick<Received, 'method' | 'path' | 'headers'>;

async function listen(
	t: TestContext,
	answer: (request: Request, body: string, response: ServerResponse) => void,
): Promise<string> {
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () =>
			answer(
				{
					method: request.method ?? '',
					path: (request.url ?? '').split('?')[0] ?? '',
					headers: request.headers,
				},
				Buffer.concat(parts).toString(),
				response,
			),
		);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	// A server that listens on a port has one.
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
