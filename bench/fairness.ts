/**
 * 10,000 websites get hits at once; one of them gets ten times its budget for a minute. How long the others' hits take before,
 * during and after it; that none of them is lost; and that what was refused is told. The flood comes from a process of its own
 * that takes its share of the same cores: how much of the difference is that, the same flood at a bare Fastify route shows.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../server/control/call.ts';
import { client } from '../test/support/client.ts';
import { processesBelow } from '../test/support/package.ts';
import { startServing } from './serving.ts';
import { type SteadyHits, sendSteadily } from './steady-hits.ts';
import { median, percentile, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 60);
const limit = Number(process.argv[3] ?? 100);
const perSecond = Number(process.argv[4] ?? 300);
const websiteCount = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const service = await startServing(folder, { TIDEMARK_WEBSITE_HIT_LIMIT: String(limit) });
const bare = fork(join(import.meta.dirname, 'bare-collector.ts'));
try {
	const bareBase = String(await messageOf(bare));
	const rows = Array.from({ length: websiteCount }, (_, n) => ({ domain: `w${n}.example` }));
	const email = 'bench@example.test';
	const made = await callControl(service.control, 'website.create', { email, rows }, () => undefined);
	const [viral, ...others] = made?.result ?? [];
	if (!viral || others.length !== websiteCount - 1) throw new Error('The websites were not made.');
	const api = client(service.base, service.key);

	const send = (during: number) =>
		sendSteadily({ base: service.base, websites: others, perSecond, seconds: during });
	const flood = (base: string, during: number) =>
		floodFrom({ base, websites: [viral], perSecond: 10 * limit, seconds: during });
	// Every website once: what is known of it is in memory then.
	const warm = await send(Math.ceil(websiteCount / perSecond));
	const idle = rssOf(service.pid);
	const before = await send(seconds / 2);
	const [during, refusals] = await Promise.all([send(seconds), flood(service.base, seconds)]);
	const afterwards = await send(seconds / 2);
	const [control] = await Promise.all([send(seconds / 2), flood(bareBase, seconds / 2)]);

	const p99Of = (hits: SteadyHits) => median(hits.windows.map((window) => percentile(window, 0.99)));
	// Before and after differ too: by so much nothing can be told.
	const quiet = (p99Of(before) + p99Of(afterwards)) / 2;
	const row = (what: string, hits: SteadyHits) => [
		...[what, percentile(hits.times, 0.5).toFixed(1), p99Of(hits).toFixed(1)],
		...[(p99Of(hits) / quiet).toFixed(2), percentile(hits.times, 0.99).toFixed(1)],
		describe(hits.statuses),
	];
	printTable(
		[
			`${perSecond} hits/s to ${others.length} websites`,
			'p50 ms',
			'p99 ms, median of 5 s',
			'to that before and after',
			'p99 ms of all',
			'answers',
		],
		[
			row('before', before),
			row(`one more gets ${10 * limit}/s for ${seconds} s, its budget is ${limit}`, during),
			row('after', afterwards),
			row('the same flood at a bare Fastify route', control),
		],
	);
	const acknowledged = [warm, before, during, afterwards, control].reduce(
		(sum, { statuses }) => sum + (statuses[202] ?? 0),
		0,
	);
	const counted = await settle(api);
	const told = await overBudget(api, viral.id);
	printTable(
		['what became of them', 'figure'],
		[
			['the one: answers', describe(refusals)],
			['the one: refusals that its owner is told', told],
			['acknowledged in all', acknowledged + (refusals[202] ?? 0)],
			['page views counted in all', counted],
			['service, resident MB: before the load, after it', `${idle}, ${rssOf(service.pid)}`],
			['load average', loadavg()[0]?.toFixed(1) ?? ''],
		],
	);
	if (counted !== acknowledged + (refusals[202] ?? 0) || told !== refusals[429]) process.exitCode = 1;
} finally {
	bare.kill();
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

function messageOf(child: ChildProcess): Promise<unknown> {
	return new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('exit', () => reject(new Error('A process of the bench ended early.')));
	});
}

async function floodFrom(options: Parameters<typeof sendSteadily>[0]): Promise<SteadyHits['statuses']> {
	const child = fork(join(import.meta.dirname, 'steady-hits.ts'));
	child.send(options);
	// What the other end of the file sends.
	return (await messageOf(child)) as SteadyHits['statuses'];
}

function describe(statuses: SteadyHits['statuses']): string {
	return Object.entries(statuses)
		.map(([status, times]) => `${status}: ${times}`)
		.join(', ');
}

function rssOf(pid: number): number {
	return processesBelow(pid).find((process) => process.pid === pid)?.rssMb ?? 0;
}

async function settle(api: ReturnType<typeof client>): Promise<number> {
	for (let last = -1; ; ) {
		const { json } = await api('GET', '/account');
		// The account, whose shape the contract fixes.
		const count = (json as { data: { usage: { pageviews_this_month: number } } }).data.usage
			.pageviews_this_month;
		if (count === last) return count;
		last = count;
		await sleep(3_000);
	}
}

async function overBudget(api: ReturnType<typeof client>, websiteId: number): Promise<number> {
	const { json } = await api('GET', `/websites/${websiteId}/drops`);
	// As above.
	const { reasons } = (json as { data: { reasons: { reason: string; count: number }[] } }).data;
	return reasons.find(({ reason }) => reason === 'over_budget')?.count ?? 0;
}
