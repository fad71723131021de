/**
 * Collection on one box with writer and engine running: acknowledged events a second, p99, nothing lost, and memory; then
 * the same load against a bare Fastify route that parses the body and answers 202, interleaved five times, as a ratio.
 * The load generator takes its share of the cores in both.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { client } from '../test/support/client.ts';
import { processesBelow } from '../test/support/package.ts';
import { startServing } from './serving.ts';
import { median, printTable } from './table.ts';

const agents = Array.from(
	{ length: 200 },
	(_, n) =>
		`Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (n % 40)}.0.${n}.0 Safari/537.36`,
);
const referrers = [
	'',
	'https://www.google.com/',
	'https://news.ycombinator.com/item?id=1',
	'https://chatgpt.com/',
];

const seconds = Number(process.argv[2] ?? 60);
const connections = 64;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const service = await startServing(folder);
const bare = await startBare();
try {
	const api = client(service.base, service.key);
	const created = await api('POST', '/websites', { form: { domain: 'example.com' } });
	// The answer of create, whose shape the contract fixes.
	const websiteId = (created.json as { data: { id: number } }).data.id;

	await load(`${service.base}/tm`, websiteId, 5);
	const before = await settle(api);
	const run = await load(`${service.base}/tm`, websiteId, seconds);
	const peak = processesBelow(service.pid);
	const counted = (await settle(api)) - before;
	printTable(
		[`load for ${seconds} s`, 'figure'],
		[
			['acknowledged events a second', Math.round(run.perSecond)],
			['p50 ms', run.p50],
			['p99 ms', run.p99],
			['acknowledged', run.acknowledged],
			['page views counted', counted],
			['lost or doubled', counted - run.acknowledged],
		],
	);
	if (counted !== run.acknowledged) process.exitCode = 1;
	printTable(
		['process after the load', 'resident MB'],
		peak.map(({ name, rssMb }) => [name.replaceAll(folder, '.').slice(0, 60), rssMb]),
	);

	const ratios: number[] = [];
	const rows: (string | number)[][] = [];
	for (let round = 1; round <= 5; round++) {
		const theirs = await load(`${bare.base}/tm`, websiteId, 5);
		const ours = await load(`${service.base}/tm`, websiteId, 5);
		ratios.push(ours.perSecond / theirs.perSecond);
		rows.push([
			round,
			Math.round(ours.perSecond),
			ours.p99,
			Math.round(theirs.perSecond),
			theirs.p99,
			(ours.perSecond / theirs.perSecond).toFixed(2),
		]);
	}
	printTable(['round', 'Tidemark, events/s', 'p99 ms', 'bare Fastify, hits/s', 'p99 ms', 'ratio'], rows);
	console.log(`\nmedian ratio ${median(ratios).toFixed(2)}`);
} finally {
	bare.stop();
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

async function load(url: string, websiteId: number, duration: number) {
	let next = 0;
	const clients: autocannon.Client[] = [];
	let open = connections;
	let endedAt = 0;
	// At the end autocannon hangs up on what is in flight, which is then counted and was never acknowledged. A client that
	// has made all its requests waits for its last answer first; so at the end each is told that it has.
	const stop = setTimeout(() => {
		// Not in its types: the number of requests after which a client is done.
		for (const client of clients) Object.assign(client, { responseMax: 1 });
	}, duration * 1000);
	const began = performance.now();
	const result = await autocannon({
		url,
		connections,
		// Only for a client that never ends: a missing answer is an error after 10 s.
		duration: duration + 30,
		setupClient: (client) => {
			clients.push(client);
			const emitter: EventEmitter = client; // Its own types do not know 'done'.
			emitter.on('done', () => {
				if (--open === 0) endedAt = performance.now();
			});
		},
		requests: [
			{
				method: 'POST',
				setupRequest: (request) => {
					const n = next++;
					const id = (BigInt(Date.now()) * 1_000_000n + BigInt(n)).toString(16).padStart(16, '0').slice(-16);
					return {
						...request,
						headers: {
							'content-type': 'text/plain',
							'user-agent': agents[n % agents.length] ?? '',
							'accept-language': 'de-DE,de;q=0.9',
						},
						body: JSON.stringify({
							w: websiteId,
							i: id,
							n: 'pageview',
							u: `https://example.com/page/${n % 500}?utm_source=news&x=${n % 7}`,
							r: referrers[n % referrers.length],
							t: 'A page',
							x: 1440,
						}),
					};
				},
			},
		],
	});
	clearTimeout(stop);
	if (endedAt === 0) throw new Error('autocannon did not wait for the last answers.');
	if (result.errors > 0 || result.non2xx > 0)
		console.log(`${result.errors} errors, ${result.non2xx} answers were not 2xx`);
	return {
		perSecond: (result['2xx'] * 1000) / (endedAt - began),
		p50: result.latency.p50,
		p99: result.latency.p99,
		acknowledged: result['2xx'],
	};
}

/** The count, once it has stood still for three seconds: the writer has nothing left to do. */
async function settle(api: ReturnType<typeof client>): Promise<number> {
	for (let last = -1; ; ) {
		const count = await countEvents(api);
		if (count === last) return count;
		last = count;
		await sleep(3_000);
	}
}

async function countEvents(api: ReturnType<typeof client>): Promise<number> {
	const { json } = await api('GET', '/account');
	// The account, whose shape the contract fixes.
	return (json as { data: { usage: { pageviews_this_month: number } } }).data.usage.pageviews_this_month;
}

async function startBare(): Promise<{ base: string; stop(): void }> {
	const child: ChildProcess = fork(join(import.meta.dirname, 'bare-collector.ts'));
	const base = await new Promise<string>((resolve) =>
		child.once('message', (message) => resolve(String(message))),
	);
	return { base, stop: () => child.kill() };
}
