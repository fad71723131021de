/**
 * Statistics beside collection, on one box: the statistics page alone, 2,000 hits a second alone, and both at once; and how
 * soon an event shows in today's statistics while all of it goes on.
 *
 * npm run bench -- together [seconds of each part, 40 unless said otherwise] [hits a second, 2000]
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { readConfig } from '../server/config.ts';
import { callControl, controlPath } from '../server/control/call.ts';
import { client } from '../test/support/client.ts';
import { startServing } from './serving.ts';
import { dimensions, metrics } from './statistics-page.ts';
import { median, percentile, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 40);
const rate = Number(process.argv[3] ?? 2_000);
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const service = await startServing(folder);
const api = client(service.base, service.key);
try {
	const path = controlPath(readConfig({ TIDEMARK_DATA: folder }));
	const demo = await callControl(
		path,
		'demo',
		{ email: 'bench@example.test', domain: 'demo.example', days: 90 },
		() => undefined,
	);
	if (!demo) throw new Error('The service is not running.');
	const { websiteId } = demo.result;
	const created = await api('POST', '/websites', { form: { domain: 'example.com' } });
	// The answer of create, whose shape the contract fixes.
	const busyId = (created.json as { data: { id: number } }).data.id;
	await askPages(websiteId, 5);

	const idle = await askPages(websiteId, seconds);
	const alone = await load(busyId, seconds);
	const [concurrent, both, seen] = await Promise.all([
		askPages(websiteId, seconds),
		load(busyId, seconds),
		watchEvents(websiteId, 'demo.example', seconds),
	]);
	printTable(
		['', 'alone p95/p99 ms', 'together ms', 'ratio', 'wanted'],
		[
			[
				`statistics page, p95 of ${idle.length} and ${concurrent.length}`,
				...compare(idle, concurrent, 0.95),
				'< 2',
			],
			[
				`collection at ${Math.round(both.perSecond)} a second, p99`,
				alone.p99,
				both.p99,
				(both.p99 / alone.p99).toFixed(2),
				'< 2',
			],
		],
	);
	printTable(
		[`an event shows in today's statistics (${seen.length} of them)`, 'ms'],
		[
			['median', Math.round(median(seen))],
			['p95, wanted 3,000', Math.round(percentile(seen, 0.95))],
		],
	);
} finally {
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

function compare(aloneMs: number[], togetherMs: number[], part: number): (string | number)[] {
	const [alone, together] = [percentile(aloneMs, part), percentile(togetherMs, part)];
	return [Math.round(alone), Math.round(together), (together / alone).toFixed(2)];
}

/** One page after another, half a second apart, as people ask. */
async function askPages(id: number, forSeconds: number): Promise<number[]> {
	const times: number[] = [];
	for (const end = performance.now() + forSeconds * 1000; performance.now() < end; await sleep(500)) {
		const began = performance.now();
		const { status, text } = await api('POST', `/websites/${id}/stats/query`, {
			json: {
				...{ period: '30d', compare: 'previous' },
				metrics,
				breakdowns: dimensions.map((dimension) => ({ dimension })),
			},
		});
		if (status !== 200) throw new Error(text);
		times.push(performance.now() - began);
	}
	return times;
}

async function load(id: number, forSeconds: number) {
	let next = 0;
	const result = await autocannon({
		url: `${service.base}/tm`,
		connections: 32,
		duration: forSeconds,
		overallRate: rate,
		requests: [
			{
				method: 'POST',
				setupRequest: (request) => ({
					...request,
					headers: { 'content-type': 'text/plain', 'user-agent': agent },
					body: JSON.stringify({
						...{ w: id, i: randomBytes(8).toString('hex'), n: 'pageview' },
						u: `https://example.com/page/${next++ % 500}`,
					}),
				}),
			},
		],
	});
	if (result.non2xx > 0) console.log(`${result.non2xx} answers were not 2xx`);
	return { perSecond: result['2xx'] / forSeconds, p99: result.latency.p99 };
}

/** From the 202 of a page view until its page is in the statistics of today. */
async function watchEvents(id: number, domain: string, forSeconds: number): Promise<number[]> {
	const times: number[] = [];
	for (const end = performance.now() + forSeconds * 1000; performance.now() < end; ) {
		const page = `/seen/${randomBytes(6).toString('hex')}`;
		const hit = await fetch(`${service.base}/tm`, {
			method: 'POST',
			headers: { 'content-type': 'text/plain', 'user-agent': agent },
			body: JSON.stringify({
				...{ w: id, i: randomBytes(8).toString('hex'), n: 'pageview' },
				u: `https://${domain}${page}`,
			}),
		});
		if (hit.status !== 202) throw new Error(`A hit was answered ${hit.status}.`);
		const began = performance.now();
		for (;;) {
			const { text } = await api('GET', `/websites/${id}/stats/page?period=today&search=${page}`);
			if (text.includes(page)) break;
			await sleep(50);
		}
		times.push(performance.now() - began);
	}
	return times;
}
