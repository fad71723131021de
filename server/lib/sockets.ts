import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFolderOwner, isForeignToRoot } from './folder-owner.ts';

/** The path of a Unix socket has at most 103 characters on macOS and 107 on Linux. */
const maxPath = 103;

/** A path in the data folder or, if that is too long, in a temporary folder that other users cannot list. */
export function socketPath(dataFolder: string, name: string): string {
	const wanted = join(dataFolder, name);
	if (Buffer.byteLength(wanted) <= maxPath) return wanted;
	const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
	const folder = join(tmpdir(), `tidemark-${hash}`);
	const isForeign = isForeignToRoot(dataFolder);
	if (!isForeign) mkdirSync(folder, { recursive: true, mode: 0o711 });
	// Another user could have created the folder and could replace the socket.
	const found = lstatSync(folder, { throwIfNoEntry: false });
	const owner = isForeign ? findFolderOwner(dataFolder) : process.getuid?.();
	if (found && (!found.isDirectory() || found.uid !== owner))
		throw new Error(`${folder} belongs to another user. Remove it, or choose a shorter path with --data.`);
	// Root only connects to the socket of another user's service and must not change its folder.
	if (!isForeign) chmodSync(folder, 0o711);
	return join(folder, name);
}
