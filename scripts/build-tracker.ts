/**
 * The two files that other people's pages load. esbuild puts the modules of tracker/ together, terser makes
 * them small.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

const root = join(import.meta.dirname, '..');
const files = { 'tm.js': 'tracker/tm.ts', 'tm-vitals.js': 'tracker/tm-vitals.ts' };

export type TrackerFile = { name: string; bytes: number; gzipped: number };

export async function buildTracker(outFolder: string): Promise<TrackerFile[]> {
	mkdirSync(outFolder, { recursive: true });
	const built: TrackerFile[] = [];
	for (const [name, entry] of Object.entries(files)) {
		const code = await compile(join(root, entry));
		writeFileSync(join(outFolder, name), code);
		built.push({ name, bytes: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length });
	}
	return built;
}

async function compile(entry: string): Promise<string> {
	const bundle = await build({
		entryPoints: [entry],
		bundle: true,
		write: false,
		format: 'esm',
		target: 'es2020',
		tsconfigRaw: {},
	});
	// Within a block `let` makes no globals, so no function is needed around it; and one keyword packs better than
	// three. What fails in here must not be seen by the page.
	const guarded = `try {\n${bundle.outputFiles[0]?.text.replace(/\b(?:const|var) /g, 'let ')}\n} catch {}`;
	const { code } = await minify(guarded, {
		module: true,
		ecma: 2020,
		compress: { passes: 3, unsafe: true, unsafe_arrows: true, booleans_as_integers: true },
		format: { comments: false },
	});
	if (!code) throw new Error(`Terser made nothing of ${entry}.`);
	return code;
}

if (process.argv[1] === import.meta.filename)
	for (const file of await buildTracker(join(root, 'dist/tracker')))
		console.log(`${file.name}: ${file.bytes} bytes, ${file.gzipped} gzipped`);
