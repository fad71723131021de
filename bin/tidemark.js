#!/usr/bin/env node
// Tidemark runs on Node 24, which comes with the package. An older Node on the machine only starts it:
// this file is plain JavaScript for that reason, and does nothing but hand over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'cli', 'main.ts');
const entry = existsSync(source) ? source : join(root, 'dist', 'cli', 'main.js');

if (Number(process.versions.node.split('.')[0]) >= 24) {
	process.argv[1] = entry;
	// By its object: an older Node has no such export, and would refuse to load this file for it.
	module.enableCompileCache?.();
	await import(pathToFileURL(entry).href);
} else {
	const packageJson = module.createRequire(import.meta.url).resolve('node/package.json');
	const node = join(dirname(packageJson), 'bin', 'node');
	const child = spawn(node, [entry, ...process.argv.slice(2)], {
		stdio: 'inherit',
		env: { ...process.env, TIDEMARK_LAUNCHER_PID: String(process.pid) },
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	child.on('error', (error) => {
		process.stderr.write(
			`Tidemark needs Node 24; the one that came with it could not be started: ${error.message}\n`,
		);
		process.exit(1);
	});
	child.on('exit', (code, signal) => {
		if (signal) process.kill(process.pid, signal);
		else process.exit(code ?? 1);
	});
}
