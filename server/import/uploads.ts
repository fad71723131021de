/**
 * Files on their way in. They lie in the data folder, for its owner alone, and go when they are read or undone, with their website, or
 * when they are a day old. The name begins with the website, so that a file that no import names yet is known to be of a deleted one.
 */
import { randomUUID } from 'node:crypto';
import { chmod, chown, copyFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../lib/app-error.ts';
import { readDisk } from '../lib/disk.ts';

export const maxUploadBytes = 1024 ** 3;
/** Space reserved for the databases, which stop when the disk is full. */
const reservedBytes = 1024 ** 3;
/** How often the free space is checked during an upload. */
const lookAgainBytes = 16 * 1024 ** 2;

export type Uploads = {
	path(name: string): string;
	size(name: string): Promise<number>;
	/** Stores an upload; an incomplete one leaves no file. `bytes` is the announced length. */
	receive(
		sent: AsyncIterable<Buffer>,
		options: { websiteId: number; bytes: number; room: number; noRoom(): AppError },
	): Promise<string>;
	/** Throws if the file would fill the disk. */
	demandSpace(bytes?: number): Promise<void>;
	drop(name: string): Promise<void>;
	/** Those that no import names: of websites that are gone, and old ones. */
	sweep(kept: ReadonlySet<string>, gone: GoneFiles): Promise<void>;
};

type GoneFiles = {
	/** By the clock that the file system stamps files with. */
	olderThanMs: number;
	/** Of these websites, those that are there. */
	existing(websiteIds: readonly number[]): Promise<ReadonlySet<number>>;
};

const folderOf = (dataFolder: string): string => join(dataFolder, 'imports');

/** Versions before this one named no website. */
const namePattern = /^(?:(\d{1,15})\.)?[0-9a-f-]{36}$/;
const newName = (websiteId: number): string => `${websiteId}.${randomUUID()}`;

/** Free bytes on the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>;

const freeBytesOf: FreeBytes = async (folder) => (await readDisk(folder)).free;

async function demandSpaceIn(folder: string, bytes: number, freeBytes: FreeBytes): Promise<void> {
	const free = await freeBytes(folder);
	if (free - bytes >= reservedBytes) return;
	const toGb = (count: number) => (count / 1024 ** 3).toFixed(1);
	throw new AppError(
		'limit_reached',
		`The disk of the service has ${toGb(free)} GB left, too little for this import: ${toGb(reservedBytes + bytes)} GB are needed. Free some space, or ask the operator to.`,
	);
}

export function createUploads(dataFolder: string, freeBytes: FreeBytes = freeBytesOf): Uploads {
	const folder = folderOf(dataFolder);
	const path = (name: string) => {
		// Only this module creates uploads and their names.
		if (!namePattern.test(name)) throw new Error('Invalid upload name.');
		return join(folder, name);
	};
	const demandSpace = (bytes = 0) => demandSpaceIn(dataFolder, bytes, freeBytes);
	return {
		path,
		size: async (name) => (await stat(path(name))).size,
		demandSpace,
		async receive(sent, { websiteId, bytes: announced, room, noRoom }) {
			const tooLarge = () =>
				new AppError(
					'body_too_large',
					'A file of more than 1 GB is imported on the server: tidemark import FILE.',
				);
			if (announced > maxUploadBytes) throw tooLarge();
			await demandSpace(announced);
			await mkdir(folder, { recursive: true, mode: 0o700 });
			const name = newName(websiteId);
			// Opened first: a stream that is refused while it opens its file would create it after it was removed.
			const file = await open(path(name), 'wx', 0o600);
			let bytes = 0;
			let lookAgainAt = announced + lookAgainBytes;
			try {
				await pipeline(
					sent,
					async function* (pieces: AsyncIterable<Buffer>) {
						for await (const piece of pieces) {
							bytes += piece.length;
							if (bytes > maxUploadBytes) throw tooLarge();
							if (bytes > room) throw noRoom();
							if (bytes > lookAgainAt) {
								await demandSpace();
								lookAgainAt = bytes + lookAgainBytes;
							}
							yield piece;
						}
					},
					file.createWriteStream(),
				);
			} catch (error) {
				await rm(path(name), { force: true });
				throw error;
			}
			return name;
		},
		drop: (name) => rm(path(name), { force: true }),
		async sweep(kept, { olderThanMs, existing }) {
			const oldMs = Date.now() - olderThanMs;
			const names = (await readdir(folder).catch(() => [])).filter((name) => !kept.has(name));
			const uploads = names.flatMap((name) => {
				const match = namePattern.exec(name);
				return match ? [{ name, websiteId: match[1] === undefined ? undefined : Number(match[1]) }] : [];
			});
			if (uploads.length === 0) return;
			const there = await existing(uploads.flatMap(({ websiteId }) => websiteId ?? []));
			for (const { name, websiteId } of uploads) {
				const isOfNobody = websiteId !== undefined && !there.has(websiteId);
				const about = await stat(path(name)).catch(() => undefined);
				if (about && (isOfNobody || about.mtimeMs < oldMs)) await rm(path(name), { force: true });
			}
		},
	};
}

/** Copies a file into the uploads with the owner of the service, because another user may run the command. */
export async function putUpload(dataFolder: string, websiteId: number, file: string): Promise<string> {
	const folder = folderOf(dataFolder);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await demandSpaceIn(folder, (await stat(file)).size, freeBytesOf);
	const name = newName(websiteId);
	const copy = join(folder, name);
	try {
		await copyFile(file, copy);
	} catch (error) {
		await rm(copy, { force: true });
		throw error;
	}
	await chmod(copy, 0o600);
	if (process.getuid?.() === 0) {
		const { uid, gid } = await stat(dataFolder);
		await chown(folder, uid, gid);
		await chown(copy, uid, gid);
	}
	return name;
}
