/**
 * The packed tarball in an empty folder: what each package takes on disk, how long the phases of a start take, and what each
 * process keeps in memory when idle. Starts with node_modules/.bin/tidemark, because npx would stay in memory.
 *
 * npm run bench -- start [later starts, 5]
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackage, partOf, processesBelow, serveThere } from '../test/support/package.ts';
import { median, printTable } from './table.ts';

const starts = Number(process.argv[2] ?? 5);
/** The second one is after the jobs of a minute have run. */
const idleSeconds = [10, 90];
const smallMb = 5;

/** Log messages that end a phase of the start. */
const phases = {
	'service is starting': 'program loaded',
	'PostgreSQL is ready': 'PostgreSQL ready',
	'the engine is ready': 'engine ready',
	'databases are migrated': 'databases migrated',
	ready: 'ready',
};

const afterwards: (() => void)[] = [];
const folder = installPackage({ after: (work) => afterwards.push(work) });
try {
	printSizes();
	const rows: number[][] = [];
	for (let round = 0; round <= starts; round++) {
		const startedAt = Date.now();
		const service = await serveThere(folder, {
			command: [join(folder, 'node_modules', '.bin', 'tidemark')],
			env: { ...process.env, TIDEMARK_LOG_LEVEL: 'debug' },
		});
		if (round === starts) await printMemory(service.pid);
		await service.stop();
		rows.push(readPhases(service.output(), startedAt));
	}
	const [first = [], ...later] = rows;
	const columns = Object.values(phases);
	printTable(
		['ms since the command', ...columns],
		[
			['first start', ...first],
			...later.map((row, index) => [`later start ${index + 1}`, ...row]),
			[
				'median of the later starts',
				...columns.map((_, index) => median(later.map((row) => row[index] ?? 0))),
			],
		],
	);
} finally {
	for (const work of afterwards) work();
}

function readPhases(output: string, startedAt: number): number[] {
	const lines = output.split('\n').filter((line) => line.startsWith('{'));
	const entries: { msg: string; time: string }[] = lines.map((line) => JSON.parse(line));
	return Object.keys(phases).map((message) => {
		const entry = entries.find(({ msg }) => msg === message);
		return entry === undefined ? Number.NaN : Date.parse(entry.time) - startedAt;
	});
}

async function printMemory(pid: number): Promise<void> {
	const readyAt = performance.now();
	for (const seconds of idleSeconds) {
		await sleep(readyAt + seconds * 1_000 - performance.now());
		const processes = processesBelow(pid);
		printTable(
			[`idle for ${seconds} s`, 'PSS, MB', 'RSS, MB', 'threads'],
			processes.map(({ name, pssMb, rssMb, threads }) => [shorten(name), pssMb, rssMb, threads]),
		);
		const sum = (of: typeof processes) => of.reduce((total, { pssMb }) => total + pssMb, 0);
		printTable(
			[`idle for ${seconds} s, all processes of`, 'PSS, MB'],
			[
				...(['engine', 'service', 'postgres'] as const).map((part) => [
					part,
					sum(processes.filter(({ name }) => partOf(name) === part)),
				]),
				['total', sum(processes)],
			],
		);
	}
}

function printSizes(): void {
	const modules = join(folder, 'node_modules');
	const packages = readdirSync(modules).flatMap((name) =>
		name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name],
	);
	const sizes = packages.map((name) => ({ name, mb: diskMb(join(modules, name)) }));
	const isLarge = ({ mb }: { mb: number }) => mb >= smallMb;
	const small = sizes.filter((size) => !isLarge(size));
	printTable(
		['installed package', 'MB on disk'],
		[
			...sizes
				.filter(isLarge)
				.toSorted((a, b) => b.mb - a.mb)
				.map(({ name, mb }) => [name, Math.round(mb)]),
			[`${small.length} others`, Math.round(small.reduce((total, { mb }) => total + mb, 0))],
			['total', Math.round(diskMb(modules))],
		],
	);
}

function diskMb(path: string): number {
	return Number(spawnSync('du', ['-sk', path], { encoding: 'utf8' }).stdout.split('\t')[0]) / 1024;
}

function shorten(name: string): string {
	return name
		.replaceAll(folder, '.')
		.replace(/ -c .*/, '')
		.slice(0, 70);
}
