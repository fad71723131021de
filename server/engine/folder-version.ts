import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The version of the bundled engine, without the patch level: other versions may not read its folders correctly. */
function ownVersion(): string {
	// From package.json, because importing chdb would load the whole engine into the service.
	const { version }: { version: string } = createRequire(import.meta.url)('chdb/package.json');
	return version.split('.').slice(0, 2).join('.');
}

/** Throws for a folder of another engine version. Writes the version file if it is missing, unless `isReadOnly`. */
export function checkEngineFolder(folder: string, { isReadOnly }: { isReadOnly: boolean }): void {
	const marker = `${folder}.version`;
	const own = ownVersion();
	if (!existsSync(marker)) {
		if (!isReadOnly) writeMarker(marker, own);
		return;
	}
	const version = readFileSync(marker, 'utf8').trim();
	if (version === own) return;
	throw new Error(
		`${folder} was created by chDB ${version}, but this version of Tidemark contains chDB ${own}. ` +
			`With the version of Tidemark that created it, run: tidemark backup FILE --data ${dirname(folder)}; ` +
			'with this one: tidemark restore FILE --data NEW-FOLDER',
	);
}

/** Synced before it is renamed: an empty file after a power failure would make the folder unusable. */
function writeMarker(marker: string, version: string): void {
	const draft = `${marker}.${process.pid}`;
	const handle = openSync(draft, 'w', 0o600);
	writeSync(handle, `${version}\n`);
	fsyncSync(handle);
	closeSync(handle);
	renameSync(draft, marker);
}
