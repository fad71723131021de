import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package: from the sources it is the folder above, from the compiled program two above. */
export const packageFolder = findPackage(import.meta.dirname);

function findPackage(folder: string): string {
	for (let here = folder; ; here = dirname(here)) {
		try {
			readFileSync(join(here, 'package.json'));
			return here;
		} catch (cause) {
			if (here === dirname(here))
				throw new Error('The package is not complete: it has no package.json.', { cause });
		}
	}
}

/** Of this program. */
export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;
