/** Builds the dashboard with Vite into dist/pages. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { isStale } from './is-stale.ts';

const root = join(import.meta.dirname, '..');
const outFolder = join(root, 'dist/pages');

export async function buildDashboard(): Promise<void> {
	await build({ configFile: join(root, 'dashboard/vite.config.ts') });
}

/** For tests: builds only if a source is newer. */
export async function buildDashboardIfOld(): Promise<void> {
	const sources = '{dashboard/**/*.*,presentation/**/*.ts,api/*.ts,package-lock.json}';
	if (isStale(join(outFolder, 'index.html'), sources)) await buildDashboard();
}

if (process.argv[1] === import.meta.filename) {
	await buildDashboard();
	for (const file of globSync('assets/*.{js,css}', { cwd: outFolder }).sort()) {
		const content = readFileSync(join(outFolder, file));
		console.log(`${file}: ${content.length} bytes, ${gzipSync(content, { level: 9 }).length} gzipped`);
	}
}
