import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with package.json, for sources and for the compiled program. */
export const packageFolder = findPackage(import.meta.dirname);

function findPackage(folder: string): string {
	for (let current = folder; ; current = dirname(current)) {
		try {
			readFileSync(join(current, 'package.json'));
			return current;
		} catch (cause) {
			if (current === dirname(current))
				throw new Error('The installation is incomplete: package.json is missing. Reinstall Tidemark.', {
					cause,
				});
		}
	}
}

/** Files that are started as a process or a thread: sources, or files of the bundle (scripts/build-program.ts). */
const isSource = import.meta.url.endsWith('.ts');
export const cliFile = isSource
	? join(packageFolder, 'cli', 'main.ts')
	: join(import.meta.dirname, 'main.js');
export const engineThreadFile = isSource
	? join(packageFolder, 'server', 'engine', 'worker-main.ts')
	: join(import.meta.dirname, 'engine-thread.js');

/** The functions of the engine, which the build lists; undefined for sources. */
export const engineCatalogFile = isSource ? undefined : join(import.meta.dirname, 'engine-catalog.json');

export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;
