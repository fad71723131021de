/** Files on their way in. They lie in the data folder, for its owner alone, and go when they are read, undone, or a day old. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../lib/app-error.ts';

const maxUploadBytes = 1024 ** 3;

export type Uploads = {
	path(name: string): string;
	/** Takes what is sent, up to the bound; what is cut short leaves nothing. */
	receive(sent: AsyncIterable<Buffer>): Promise<string>;
	drop(name: string): Promise<void>;
	/** Those that no import names. */
	sweep(kept: ReadonlySet<string>, olderThanMs: number): Promise<void>;
};

const folderOf = (dataFolder: string): string => join(dataFolder, 'imports');

export function createUploads(dataFolder: string): Uploads {
	const folder = folderOf(dataFolder);
	const path = (name: string) => {
		// Ours are made here and named here alone.
		if (!/^[0-9a-f-]{36}$/.test(name)) throw new Error('That is no name of an upload.');
		return join(folder, name);
	};
	return {
		path,
		async receive(sent) {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const name = randomUUID();
			let bytes = 0;
			try {
				await pipeline(
					sent,
					async function* (pieces: AsyncIterable<Buffer>) {
						for await (const piece of pieces) {
							bytes += piece.length;
							if (bytes > maxUploadBytes)
								throw new AppError(
									'body_too_large',
									'A file of more than 1 GB is imported on the server: tidemark import FILE.',
								);
							yield piece;
						}
					},
					createWriteStream(path(name), { mode: 0o600, flags: 'wx' }),
				);
			} catch (error) {
				await rm(path(name), { force: true });
				throw error;
			}
			return name;
		},
		drop: (name) => rm(path(name), { force: true }),
		async sweep(kept, olderThanMs) {
			const names = await readdir(folder).catch(() => []);
			for (const name of names.filter((one) => /^[0-9a-f-]{36}$/.test(one) && !kept.has(one))) {
				const about = await stat(path(name)).catch(() => undefined);
				if (about && about.mtimeMs < olderThanMs) await rm(path(name), { force: true });
			}
		},
	};
}

/** Puts a copy of a file where the service finds it, as its own: whoever runs the command may be another user. */
export async function putUpload(dataFolder: string, file: string): Promise<string> {
	const folder = folderOf(dataFolder);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const name = randomUUID();
	const copy = join(folder, name);
	await copyFile(file, copy);
	await chmod(copy, 0o600);
	if (process.getuid?.() === 0) {
		const { uid, gid } = await stat(dataFolder);
		await chown(folder, uid, gid);
		await chown(copy, uid, gid);
	}
	return name;
}
