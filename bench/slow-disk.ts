/**
 * Hits at a steady rate while every sync of PostgreSQL takes so much longer: how many a second are acknowledged, and how long
 * that takes in syncs. A hit waits for the commit that is under way and for its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callControl } from '../server/control/call.ts';
import { slowDisk } from '../test/support/slow-disk.ts';
import { startServing } from './serving.ts';
import { sendSteadily } from './steady-hits.ts';
import { percentile, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 15);
const perSecond = Number(process.argv[3] ?? 300);
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const service = await startServing(folder);
try {
	const rows = Array.from({ length: 100 }, (_, n) => ({ domain: `w${n}.example` }));
	const made = await callControl(
		service.control,
		'website.create',
		{ email: 'bench@example.test', rows },
		() => undefined,
	);
	const send = () =>
		sendSteadily({ base: service.base, websites: made?.result ?? [], perSecond, seconds, sockets: 4_096 });
	await send();
	const table: (string | number)[][] = [];
	for (const delay of [0, 50, 100, 200, 500]) {
		const mend = delay > 0 ? slowDisk(folder, delay) : async () => undefined;
		const began = performance.now();
		const { times, statuses } = await send();
		const took = (performance.now() - began) / 1000;
		await mend();
		const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
		const inSyncs = (ms: number) => (delay > 0 ? (ms / delay).toFixed(1) : '');
		table.push([
			...[delay, Math.round((statuses[202] ?? 0) / took), times.length - (statuses[202] ?? 0)],
			...[p50.toFixed(1), p99.toFixed(1), inSyncs(p50), inSyncs(p99)],
		]);
	}
	printTable(
		[
			...['a sync takes longer by ms', 'acknowledged a second', 'refused'],
			...['p50 ms', 'p99 ms', 'p50 in syncs', 'p99 in syncs'],
		],
		table,
	);
} finally {
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}
