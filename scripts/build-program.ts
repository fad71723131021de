/**
 * Bundles the program into dist/program: the CLI, whose commands start every other process, and the thread of an engine
 * connection. Next to it, it lists the functions of the engine. Loading one file instead of hundreds makes each process start faster. Packages stay in node_modules.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { isStale } from './is-stale.ts';

const root = join(import.meta.dirname, '..');
const outFolder = join(root, 'dist', 'program');
export const programFile = join(outFolder, 'main.js');
/** Read by server/engine/catalog.ts. */
const catalogName = 'engine-catalog.json';

export async function buildProgram(): Promise<void> {
	rmSync(outFolder, { recursive: true, force: true });
	mkdirSync(outFolder, { recursive: true });
	execFileSync(process.execPath, [join(root, 'scripts', 'engine-catalog.ts'), join(outFolder, catalogName)]);
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
