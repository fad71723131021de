/**
 * One worker against two, on the cores that there are: acknowledged hits a second, what each process takes of a core meanwhile, and
 * the ratio. Databases and load share the cores with the workers, so the ratio on two cores says what is left for a second one;
 * hits for each second of a worker's time say what workers cost.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../test/support/client.ts';
import { processesBelow } from '../test/support/package.ts';
import { startServing } from './serving.ts';
import { median, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 15);
const rounds = Number(process.argv[3] ?? 3);
const connections = 64;

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
	const service = await startServing(folder, { TIDEMARK_WORKERS: String(workers) });
	try {
		const created = await client(service.base, service.key)('POST', '/websites', {
			form: { domain: 'example.com' },
		});
		// The answer of create, whose shape the contract fixes.
		const { id } = (created.json as { data: { id: number } }).data;
		await send(service.base, id, 3);
		const before = cpuOf(service.pid);
		const own = process.cpuUsage();
		const began = performance.now();
		const acknowledged = await send(service.base, id, seconds);
		const took = (performance.now() - began) / 1000;
		const cpu = new Map<string, number>();
		for (const [pid, { share, used }] of cpuOf(service.pid))
			cpu.set(share, (cpu.get(share) ?? 0) + (used - (before.get(pid)?.used ?? 0)) / took);
		const { user, system } = process.cpuUsage(own);
		cpu.set('load generator', (user + system) / 1e6 / took);
		return { perSecond: acknowledged / took, cpu };
	} finally {
		await service.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Seconds of a core, by process. */
function cpuOf(pid: number): Map<number, { share: string; used: number }> {
	return new Map(
		processesBelow(pid).map(({ pid: workerPid, name }) => {
			const fields = readFileSync(`/proc/${workerPid}/stat`, 'utf8')
				.replace(/^.*\) /s, '')
				.split(' ');
			const used = (Number(fields[11]) + Number(fields[12])) / 100;
			const share = / worker$/.test(name)
				? 'workers'
				: / engine$/.test(name)
					? 'statistics engine'
					: /postgres/.test(name)
						? 'PostgreSQL'
						: 'service';
			return [workerPid, { share, used }];
		}),
	);
}

/**
 * As fast as answers come, on connections that stay open. Written by hand on bare sockets: a client that parses answers would take
 * as much of the cores as the workers do.
 */
async function send(base: string, websiteId: number, duration: number): Promise<number> {
	const { hostname, port } = new URL(base);
	const until = performance.now() + duration * 1000;
	let acknowledged = 0;
	let next = BigInt(Date.now()) * 1_000_000n;
	const hit = () => {
		next++;
		const agent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100n + (next % 40n)}.0.${next % 200n}.0 Safari/537.36`;
		const body = `{"w":${websiteId},"i":"${next.toString(16).padStart(16, '0')}","u":"https://example.com/page/${next % 500n}?utm_source=news","r":"https://www.google.com/","t":"A page","x":1440}`;
		return `POST /tm HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nUser-Agent: ${agent}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
	};
	await Promise.all(
		Array.from(
			{ length: connections },
			() =>
				new Promise<void>((resolve, reject) => {
					const socket = connect(Number(port), hostname, () => socket.write(hit()));
					socket.setNoDelay(true).setEncoding('latin1');
					socket.on('error', reject);
					// An answer to a hit has no body and comes in one piece.
					socket.on('data', (text: string) => {
						if (!text.startsWith('HTTP/1.1 202')) return reject(new Error(`Not acknowledged: ${text}`));
						acknowledged++;
						if (performance.now() < until) return socket.write(hit());
						socket.destroy();
						resolve();
					});
				}),
		),
	);
	return acknowledged;
}
