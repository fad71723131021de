import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a unix socket has at most 103 characters on macOS and 107 on Linux. */
const maxPath = 103;

/** Where a socket of a data folder lies: in it, or, when its path is too long for that, in a temporary folder that nobody else can list. */
export function socketPath(dataFolder: string, name: string): string {
	const wanted = join(dataFolder, name);
	if (Buffer.byteLength(wanted) <= maxPath) return wanted;
	const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
	const folder = join(tmpdir(), `tidemark-${hash}`);
	mkdirSync(folder, { recursive: true, mode: 0o711 });
	// Anybody may make folders there, and whoever owns it could put a socket of their own in our place.
	const found = lstatSync(folder);
	if (!found.isDirectory() || found.uid !== process.getuid?.())
		throw new Error(`${folder} belongs to somebody else; remove it, or choose a shorter folder with --data.`);
	chmodSync(folder, 0o711);
	return join(folder, name);
}
