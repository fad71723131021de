import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a person does: `npm pack`, then install the tarball into an empty folder. */
export function installPackage(): { folder: string; remove(): void } {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-package-'));
	run('npm', ['pack', '--silent', '--pack-destination', folder], process.cwd());
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	writeFileSync(join(folder, 'package.json'), '{"private": true}');
	run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `./${tarball}`], folder);
	return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function run(command: string, args: string[], cwd: string) {
	const result = spawnSync(command, args, { cwd, encoding: 'utf8' });
	if (result.status !== 0) throw new Error(`${command} ${args[0]} failed: ${result.stdout}${result.stderr}`);
}

export type Started = { ready: string; output(): string; ms: number; pid: number; stop(): Promise<void> };

/** `npx tidemark serve` in the folder, until it says that it is ready. */
export async function serveThere(folder: string, args: readonly string[] = []): Promise<Started> {
	const began = performance.now();
	const child = spawn('npx', ['tidemark', 'serve', '--port', '0', ...args], {
		cwd: folder,
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

/** Every process below one, with what it keeps in memory, in MB. */
export function processesBelow(pid: number): { pid: number; name: string; rssMb: number }[] {
	const parents = new Map<number, { parent: number; name: string; rssMb: number }>();
	for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		try {
			const status = readFileSync(`/proc/${entry}/status`, 'utf8');
			const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
			const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
			parents.set(Number(entry), {
				parent: field('PPid'),
				name: command,
				rssMb: Math.round(field('VmRSS') / 1024),
			});
		} catch {
			// It ended while we looked.
		}
	}
	const below = (id: number): boolean =>
		id === pid || (parents.has(id) && below(parents.get(id)?.parent ?? 0));
	return [...parents].filter(([id]) => below(id)).map(([id, { name, rssMb }]) => ({ pid: id, name, rssMb }));
}
