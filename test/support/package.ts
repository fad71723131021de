import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneSources } from './clone.ts';

/**
 * What a person does: `npm pack`, then install the tarball into an empty folder. Packed in a clone, because packing removes and builds
 * `dist` anew, which other tests read at the same time.
 */
export function installPackage(t: { after(work: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-package-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	run('npm', ['pack', '--silent', '--pack-destination', folder], cloneSources(t));
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	writeFileSync(join(folder, 'package.json'), '{"private": true}');
	run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `./${tarball}`], folder);
	return folder;
}

function run(command: string, args: string[], cwd: string) {
	const result = spawnSync(command, args, { cwd, encoding: 'utf8' });
	if (result.status !== 0) throw new Error(`${command} ${args[0]} failed: ${result.stdout}${result.stderr}`);
}

export type Started = { ready: string; output(): string; ms: number; pid: number; stop(): Promise<void> };

/** `npx tidemark serve` in the folder, until it says that it is ready. */
export async function serveThere(
	folder: string,
	{ command = ['npx', 'tidemark'], env = process.env }: { command?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<Started> {
	const began = performance.now();
	const [program = '', ...args] = command;
	const child = spawn(program, [...args, 'serve', '--port', '0'], {
		cwd: folder,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const line = await new Promise<string>((resolve, reject) => {
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (bytes: Buffer) => {
				output += bytes.toString();
				const found = /^Tidemark is ready at (http\S+)$/m.exec(output);
				if (found?.[1]) resolve(found[1]);
			});
		}
		child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready:\n${output}`)));
	});
	return {
		ready: line,
		output: () => output,
		ms: Math.round(performance.now() - began),
		pid: child.pid ?? 0,
		stop: () =>
			new Promise<void>((resolve) => {
				// The streams end when the last process that holds them has ended, npx's child included.
				child.once('close', () => resolve());
				child.kill('SIGTERM');
			}),
	};
}

export type ProcessMemory = {
	pid: number;
	name: string;
	/** Resident memory, which counts memory that processes share once per process. */
	rssMb: number;
	/** Proportional set size: shared memory is divided among the processes that share it. */
	pssMb: number;
	threads: number;
};

/** A process and every process below it. */
export function processesBelow(pid: number): ProcessMemory[] {
	const found = new Map<number, { parent: number; process: ProcessMemory }>();
	for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		try {
			const status = readFileSync(`/proc/${entry}/status`, 'utf8');
			const process = {
				pid: Number(entry),
				name: readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
				rssMb: Math.round(numberAfter('VmRSS', status) / 1024),
				threads: numberAfter('Threads', status),
			};
			found.set(process.pid, { parent: numberAfter('PPid', status), process: { ...process, pssMb: 0 } });
		} catch {
			// The process ended in the meantime.
		}
	}
	const isBelow = (id: number): boolean =>
		id === pid || (found.has(id) && isBelow(found.get(id)?.parent ?? 0));
	return [...found.values()]
		.map(({ process }) => process)
		.filter((process) => isBelow(process.pid))
		.map((process) => ({ ...process, pssMb: pssMb(process.pid) }));
}

function pssMb(pid: number): number {
	try {
		return Math.round(numberAfter('Pss', readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) / 1024);
	} catch {
		// The process ended in the meantime, or belongs to another user.
		return 0;
	}
}

const numberAfter = (name: string, text: string): number =>
	Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** Which part of Tidemark a process below the service is, by its command line. */
export function partOf(name: string): 'engine' | 'service' | 'postgres' {
	if (/postgres/.test(name)) return 'postgres';
	return / engine$/.test(name) ? 'engine' : 'service';
}
