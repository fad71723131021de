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

export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;
