/**
 * One worker against two, on the cores that there are: acknowledged hits a second, what each process takes of a core meanwhile, and
 * the ratio. Databases and load share the cores with the workers, so the ratio on two cores says what is left for a second one;
 * hits for each second of a worker's time say what workers cost.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../test/support/client.ts';
import { cpuSeconds } from './cpu.ts';
import { behindProxy, makeHits } from './mixed-hits.ts';
import { sendAtFullSpeed } from './send-hits.ts';
import { startServing } from './serving.ts';
import { median, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 15);
const rounds = Number(process.argv[3] ?? 3);

type Run = { perSecond: number; cpu: Map<string, number> };

const runs = new Map<number, Run[]>();
for (let round = 0; round < rounds; round++) {
	for (const workers of [1, 2]) runs.set(workers, [...(runs.get(workers) ?? []), await measure(workers)]);
}
const shares = ['workers', 'service', 'statistics engine', 'PostgreSQL', 'load generator'];
const shown = (group: readonly Run[], share: string) =>
	median(group.map(({ cpu }) => cpu.get(share) ?? 0)).toFixed(2);
printTable(
	['workers', 'hits/s', ...shares.map((share) => `${share}, cores`), 'hits for a second of a worker'],
	[...runs].map(([workers, group]) => [
		workers,
		Math.round(median(group.map(({ perSecond }) => perSecond))),
		...shares.map((share) => shown(group, share)),
		Math.round(median(group.map(({ perSecond, cpu }) => perSecond / (cpu.get('workers') ?? 1)))),
	]),
);
const ratios = (runs.get(2) ?? []).map(
	({ perSecond }, round) => perSecond / (runs.get(1)?.[round]?.perSecond ?? Number.NaN),
);
console.log(
	`\ntwo workers against one: ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}); ` +
		`${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`,
);

async function measure(workers: number): Promise<Run> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
	const service = await startServing(folder, {
		TIDEMARK_WORKERS: String(workers),
		...behindProxy,
	});
	try {
		const created = await client(service.base, service.key)('POST', '/websites', {
			form: { domain: 'example.com' },
		});
		// The answer of create, whose shape the contract fixes.
		const { id } = (created.json as { data: { id: number } }).data;
		const load = { base: service.base, hits: makeHits([{ id, domain: 'example.com' }]) };
		await sendAtFullSpeed({ ...load, seconds: 3 });
		const before = cpuSeconds(service.pid);
		const own = process.cpuUsage();
		const { acknowledged, perSecond } = await sendAtFullSpeed({ ...load, seconds });
		const took = acknowledged / perSecond;
		const cpu = new Map<string, number>();
		for (const [share, used] of cpuSeconds(service.pid))
			cpu.set(share, (used - (before.get(share) ?? 0)) / took);
		const { user, system } = process.cpuUsage(own);
		cpu.set('load generator', (user + system) / 1e6 / took);
		return { perSecond, cpu };
	} finally {
		await service.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}
