/**
 * Bundles the program into dist/program: the CLI, whose commands start every other process, and the thread of an engine
 * connection. Loading one file instead of hundreds makes each process start faster. Packages stay in node_modules.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { isStale } from './is-stale.ts';

const root = join(import.meta.dirname, '..');
const outFolder = join(root, 'dist', 'program');
export const programFile = join(outFolder, 'main.js');

export async function buildProgram(): Promise<void> {
	rmSync(outFolder, { recursive: true, force: true });
	await build({
		absWorkingDir: root,
		entryPoints: { main: 'cli/main.ts', 'engine-thread': 'server/engine/worker-main.ts' },
		outdir: outFolder,
		bundle: true,
		// Shared chunks: a command loads only what it needs.
		splitting: true,
		packages: 'external',
		format: 'esm',
		platform: 'node',
		target: 'node24',
		// Names stay readable in stack traces, which the source map leads back to lines of the sources.
		minifyWhitespace: true,
		// Node prints the line of an uncaught error.
		lineLimit: 200,
		sourcemap: true,
		sourcesContent: false,
		tsconfigRaw: {},
		logLevel: 'warning',
	});
}

/** For tests: builds only if a source is newer. */
export async function buildProgramIfOld(): Promise<void> {
	if (isStale(programFile, '{{api,cli,presentation,server}/**/*.ts,scripts/build-program.ts}'))
		await buildProgram();
}
