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
const entry = existsSync(source) ? source : join(root, 'dist', 'program', 'main.js');

if (Number(process.versions.node.split('.')[0]) >= 24) {
	process.argv[1] = entry;
	// By its object: an older Node has no such export, and would refuse to load this file for it.
	module.enableCompileCache?.();
	await import(pathToFileURL(entry).href);
} else {
	const node = findNode();
	if (node === undefined) {
		process.stderr.write(
			`Tidemark needs Node 24. This is Node ${process.versions.node}, and the one that comes with the package is not installed. ` +
				'Install Node 24, or install the package again without --omit=optional.\n',
		);
		process.exit(1);
	}
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

/** Each platform has a package of its own with its binary; npm installs the one that fits. */
function findNode() {
	const platform = `${process.platform}-${process.arch}`;
	const name = platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`;
	try {
		const packageJson = module.createRequire(import.meta.url).resolve(`${name}/package.json`);
		return join(dirname(packageJson), 'bin', 'node');
	} catch {
		return undefined;
	}
}
