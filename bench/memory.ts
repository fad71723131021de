/**
 * Whether memory reaches a plateau: a steady rate of hits to several websites while dashboards poll, and every 15 seconds what
 * each process holds. At the end it compares the middle third with the last third, because caches fill during the first.
 *
 * npm run bench -- memory [minutes, 60] [hits per second, 200] [dashboards, 4]
 */
import { fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../server/control/call.ts';
import { client } from '../test/support/client.ts';
import { partOf, processesBelow } from '../test/support/package.ts';
import { startServing } from './serving.ts';
import { dimensions, metrics } from './statistics-page.ts';
import { median, printTable } from './table.ts';

const minutes = Number(process.argv[2] ?? 60);
const perSecond = Number(process.argv[3] ?? 200);
const dashboards = Number(process.argv[4] ?? 4);
const sampleEveryMs = 15_000;
const pollEveryMs = 5_000;

type Sample = { minute: number; engine: number; service: number; postgres: number; parts: number };

const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const service = await startServing(folder);
const samples: Sample[] = [];
try {
	const email = 'bench@example.test';
	const demo = { email, domain: 'demo.example', days: 30 };
	await callControl(service.control, 'demo', demo, () => undefined);
	const rows = Array.from({ length: 20 }, (_, n) => ({ domain: `w${n}.example` }));
	const made = await callControl(service.control, 'website.create', { email, rows }, () => undefined);
	const websites = made?.result ?? [];
	const began = performance.now();
	const isOver = () => performance.now() - began > minutes * 60_000;
	const results = await Promise.all([
		sendHits(websites, isOver),
		...websites.slice(0, dashboards).map(({ id }) => poll(id, isOver)),
		watch(began, isOver),
	]);
	console.log(`hits answered: ${JSON.stringify(results[0])}`);
	const third = Math.floor(samples.length / 3);
	const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
	printTable(
		['proportional set size, MB', 'middle third', 'last third', 'MB per minute between them', 'highest'],
		(['engine', 'service', 'postgres'] as const).map((name) => {
			const medianOf = (some: Sample[]) => median(some.map((sample) => sample[name]));
			return [
				...[
					name,
					medianOf(middle),
					medianOf(last),
					((medianOf(last) - medianOf(middle)) / (minutes / 3)).toFixed(2),
				],
				Math.max(...samples.map((sample) => sample[name])),
			];
		}),
	);
	console.log(`load average: ${loadavg()[0]?.toFixed(1)}`);
} finally {
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

/** In a process of its own, so that the measuring process stays idle. */
async function sendHits(
	websites: { id: number; domain: string }[],
	isOver: () => boolean,
): Promise<Record<number, number>> {
	const all: Record<number, number> = {};
	while (!isOver()) {
		const child = fork(join(import.meta.dirname, 'steady-hits.ts'));
		const answered = new Promise<Record<number, number>>((resolve, reject) => {
			// Its only message: how many answers had which status.
			child.once('message', (statuses) => resolve(statuses as Record<number, number>));
			child.once('exit', () => reject(new Error('The load generator ended early.')));
		});
		child.send({ base: service.base, websites, perSecond, seconds: 60 });
		for (const [status, times] of Object.entries(await answered))
			all[Number(status)] = (all[Number(status)] ?? 0) + times;
	}
	return all;
}

/** A dashboard that is open: all panels of today and of 30 days, and the current visitors. */
async function poll(id: number, isOver: () => boolean): Promise<void> {
	const api = client(service.base, service.key);
	for (let count = 0; !isOver(); count += 1) {
		const { status, text } = await api('POST', `/websites/${id}/stats/query`, {
			json: {
				...{ period: count % 2 === 0 ? 'today' : '30d', compare: 'previous' },
				metrics,
				breakdowns: dimensions.map((dimension) => ({ dimension })),
				...(count % 5 === 4 && { filters: ['is', 'page', [`/page/${count % 50}`]] }),
			},
		});
		if (status !== 200) console.log(`a dashboard was answered ${status}: ${text.slice(0, 200)}`);
		await api('GET', `/websites/${id}/live`);
		await sleep(pollEveryMs);
	}
}

async function watch(began: number, isOver: () => boolean): Promise<void> {
	console.log('minute\tengine\tservice\tpostgres\tparts');
	while (!isOver()) {
		const sample = { minute: (performance.now() - began) / 60_000, ...weigh(), parts: countParts() };
		samples.push(sample);
		const { minute, engine, service: own, postgres, parts } = sample;
		console.log([minute.toFixed(2), engine, own, postgres, parts].join('\t'));
		await sleep(sampleEveryMs);
	}
}

function weigh(): { engine: number; service: number; postgres: number } {
	const sums = { engine: 0, service: 0, postgres: 0 };
	for (const { name, pssMb } of processesBelow(service.pid)) sums[partOf(name)] += pssMb;
	return sums;
}

/** Parts of all tables: the engine keeps a description of each in memory. */
function countParts(): number {
	const namesIn = (path: string) => readdirSync(path).map((name) => join(path, name));
	return namesIn(join(folder, 'clickhouse', 'store'))
		.flatMap(namesIn)
		.flatMap((table) => readdirSync(table))
		.filter((name) => /^[^_]+_\d+_\d+_\d+/.test(name)).length;
}
