import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The engine that this program brings, as far as its folders go: another one may read them wrongly, or not at all. */
function ownVersion(): string {
	// A file of the package: importing the engine to ask it would load all of it into the service.
	const { version }: { version: string } = createRequire(import.meta.url)('chdb/package.json');
	return version.split('.').slice(0, 2).join('.');
}

/** Refuses a folder of another version of the engine; a new one, and one that does not say, is marked with ours. */
export function checkEngineFolder(folder: string): void {
	const marker = `${folder}.version`;
	const own = ownVersion();
	if (!existsSync(marker)) {
		mark(marker, own);
		return;
	}
	const found = readFileSync(marker, 'utf8').trim();
	if (found === own) return;
	throw new Error(
		`${folder} belongs to chDB ${found}, this program brings chDB ${own}. ` +
			`With the version of Tidemark that made it, run: tidemark backup FILE --data ${dirname(folder)}; ` +
			'with this one: tidemark restore FILE --data NEW-FOLDER',
	);
}

/** Synced before it has its name: an empty one, after a power cut, would shut the folder. */
function mark(marker: string, version: string): void {
	const draft = `${marker}.${process.pid}`;
	const handle = openSync(draft, 'w', 0o600);
	writeSync(handle, `${version}\n`);
	fsyncSync(handle);
	closeSync(handle);
	renameSync(draft, marker);
}
