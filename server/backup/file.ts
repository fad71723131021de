/**
 * The file of a backup: a head, and frames behind one another until the manifest, which is the last. It is written and read
 * in one go with little memory, so what it holds is summed up at its end.
 *
 *   head   "TIDEMARK", the number of the format, 0 or 1 for 'encrypted', 32 random bytes
 *   frame  length of its content (4 bytes), kind (1 byte), content, seal
 *
 * A flipped byte anywhere is found where it is. In a plain file a frame's seal is the SHA-256 of the seal before it and of
 * the frame: frames cannot be changed by accident, left out, or put elsewhere. An attacker who can write the file can create it
 * anew; only encryption prevents that. An encrypted file has the content of each frame in AES-256-GCM under a key that
 * scrypt makes of the passphrase and the random bytes of the head; the number of the frame is the nonce, and the head and
 * the kind are authenticated along. A key is used for one file, so no nonce is used twice. The manifest is a kind of its
 * own: a file that was cut short has none.
 *
 * Rows are text, a line each, and data frames are compressed one by one.
 */
import { createCipheriv, createDecipheriv, createHash, type Hash, randomBytes, scrypt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { AppError } from '../lib/app-error.ts';

/** What was backed up, and by what. */
export type BackupHead = {
	madeAt: string;
	/** Of Tidemark. */
	version: string;
	postgres: { version: string; migrations: AppliedMigration[] };
	clickhouse: { version: string; migrations: AppliedMigration[] };
};

export type AppliedMigration = { number: number; name: string; hash: string };

/** `kind` says how its lines are read: rows of a table as JSON, or as tab-separated columns. */
export type EntryHead = {
	name: string;
	kind: 'postgres' | 'clickhouse' | 'sequences' | 'secret';
	table: string;
	columns: string[];
};

type EntryEnd = { rows: number; bytes: number; sha256: string };

export type BackupEntry = EntryHead & EntryEnd;

export type Manifest = { entries: BackupEntry[] };

/** A backup in pieces, in the order of the file; bytes belong to the entry that began last. */
export type Piece = { head: BackupHead } | { begin: EntryHead } | { end: true } | Uint8Array;

const magic = Buffer.from('TIDEMARK');
const format = 1;
const headBytes = magic.length + 2 + 32;
const frameHeadBytes = 5;
const kinds = { head: 1, begin: 2, data: 3, end: 4, manifest: 5 } as const;
const blockBytes = 1024 * 1024;
const maxFrameBytes = 16 * 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(zstdDecompress);
const sha256 = (...parts: Uint8Array[]): Buffer => {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(part);
	return hash.digest();
};

/** 128 MB and about half a second a try. Fixed: a file cannot ask its reader for more. */
function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
	return new Promise((resolve, reject) =>
		scrypt(
			passphrase.normalize('NFC'),
			salt,
			32,
			{ N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 },
			(error, key) => (error ? reject(error) : resolve(key)),
		),
	);
}

/** Closes and opens the content of frames, one after the other. */
type Sealing = {
	sealBytes: number;
	close(head: Buffer, content: Buffer): { content: Buffer; seal: Buffer };
	/** Undefined when the frame is not what was written. */
	open(head: Buffer, content: Buffer, seal: Buffer): Buffer | undefined;
};

function chained(fileHead: Buffer): Sealing {
	let before = sha256(fileHead);
	return {
		sealBytes: 32,
		close(head, content) {
			before = sha256(before, head, content);
			return { content, seal: before };
		},
		open(head, content, seal) {
			before = sha256(before, head, content);
			return before.equals(seal) ? content : undefined;
		},
	};
}

function encrypted(fileHead: Buffer, key: Buffer): Sealing {
	let number = 0n;
	const next = () => {
		const nonce = Buffer.alloc(12);
		nonce.writeBigUInt64BE(number++, 4);
		return nonce;
	};
	return {
		sealBytes: 16,
		close(head, content) {
			const cipher = createCipheriv('aes-256-gcm', key, next()).setAAD(Buffer.concat([fileHead, head]));
			const closed = Buffer.concat([cipher.update(content), cipher.final()]);
			return { content: closed, seal: cipher.getAuthTag() };
		},
		open(head, content, seal) {
			const cipher = createDecipheriv('aes-256-gcm', key, next(), { authTagLength: 16 })
				.setAAD(Buffer.concat([fileHead, head]))
				.setAuthTag(seal);
			try {
				return Buffer.concat([cipher.update(content), cipher.final()]);
			} catch {
				return undefined;
			}
		},
	};
}

export type BackupFile = {
	take(piece: Piece): Promise<void>;
	/** From here on the file has its name. */
	finish(): Promise<{ bytes: number; manifest: Manifest }>;
	/** Leaves nothing behind. */
	discard(): Promise<void>;
};

export type Passphrase = string | undefined;

/** Written beside and named when it is whole and on the disk. */
export async function createBackupFile(path: string, passphrase: Passphrase): Promise<BackupFile> {
	refuseExisting(path);
	await mkdir(dirname(path), { recursive: true });
	const draft = `${path}.unfinished`;
	const handle = await open(draft, 'w', 0o600);
	const salt = randomBytes(32);
	const fileHead = Buffer.concat([magic, Buffer.from([format, passphrase === undefined ? 0 : 1]), salt]);
	const sealing =
		passphrase === undefined ? chained(fileHead) : encrypted(fileHead, await keyOf(passphrase, salt));
	const entries: BackupEntry[] = [];
	let bytes = 0;
	let entry: { head: EntryHead; counted: Counted; waiting: Buffer[]; waitingBytes: number } | undefined;

	async function write(part: Buffer) {
		await handle.writeFile(part);
		bytes += part.length;
	}

	async function frame(kind: keyof typeof kinds, content: Buffer) {
		const head = Buffer.alloc(frameHeadBytes);
		head.writeUInt32BE(content.length);
		head.writeUInt8(kinds[kind], 4);
		const closed = sealing.close(head, content);
		await write(Buffer.concat([head, closed.content, closed.seal]));
	}
	const say = (kind: keyof typeof kinds, content: unknown) =>
		frame(kind, Buffer.from(JSON.stringify(content)));

	async function flush() {
		if (!entry || entry.waitingBytes === 0) return;
		const block = Buffer.concat(entry.waiting);
		entry.waiting = [];
		entry.waitingBytes = 0;
		await frame('data', await compress(block));
	}

	async function add(data: Uint8Array) {
		if (!entry) throw new Error('Rows of a backup came outside of an entry.');
		for (let start = 0; start < data.length; start += blockBytes) {
			const some = Buffer.from(data.subarray(start, start + blockBytes));
			entry.counted.add(some);
			entry.waiting.push(some);
			entry.waitingBytes += some.length;
			if (entry.waitingBytes >= blockBytes) await flush();
		}
	}

	await write(fileHead);
	return {
		async take(piece) {
			if (piece instanceof Uint8Array) return add(piece);
			if ('head' in piece) return say('head', piece.head);
			if ('begin' in piece) {
				entry = { head: piece.begin, counted: count(), waiting: [], waitingBytes: 0 };
				return say('begin', piece.begin);
			}
			if (!entry) throw new Error('An entry of a backup ended that had not begun.');
			await flush();
			const end = entry.counted.end();
			entries.push({ ...entry.head, ...end });
			entry = undefined;
			return say('end', end);
		},
		async finish() {
			const manifest = { entries };
			await say('manifest', manifest);
			await handle.sync();
			await handle.close();
			refuseExisting(path);
			await rename(draft, path);
			await syncFolder(dirname(path));
			return { bytes, manifest };
		},
		async discard() {
			await handle.close().catch(() => undefined);
			await rm(draft, { force: true });
		},
	};
}

function refuseExisting(path: string): void {
	if (existsSync(path))
		throw new AppError('bad_request', `${path} is there already. Choose another name, or move it away.`);
}

/** Names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, 'r');
	await handle.sync();
	await handle.close();
}

type Counted = { add(bytes: Uint8Array): void; end(): EntryEnd };

/** Lines, bytes and their hash, as they go by. */
function count(): Counted {
	const hash: Hash = createHash('sha256');
	let rows = 0;
	let bytes = 0;
	return {
		add(some) {
			hash.update(some);
			bytes += some.length;
			for (let index = some.indexOf(10); index !== -1; index = some.indexOf(10, index + 1)) rows++;
		},
		end: () => ({ rows, bytes, sha256: hash.digest('hex') }),
	};
}

/** What a reader gets: as it was put in, then the manifest. `position` is how far in the file it is. */
export type ReadPiece = { position: number; fileBytes: number } & (
	| { head: BackupHead }
	| { begin: EntryHead }
	| { rows: Buffer }
	| { end: BackupEntry }
	| { manifest: Manifest }
);

/** Reads a backup from its beginning to its end and compares every sum. What it has given out before it throws was sound. */
export async function* readBackup(path: string, passphrase: Passphrase): AsyncGenerator<ReadPiece> {
	const handle = await open(path, 'r').catch((cause: unknown) => {
		throw new AppError(
			'not_found',
			`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}.`,
		);
	});
	try {
		yield* readFrames(path, handle, passphrase);
	} finally {
		await handle.close();
	}
}

async function* readFrames(
	path: string,
	handle: FileHandle,
	passphrase: Passphrase,
): AsyncGenerator<ReadPiece> {
	const { size } = await handle.stat();
	let position = 0;
	let within = 'its head';
	const damaged = (what: string) =>
		new AppError('bad_request', `${path} is damaged at byte ${position} (${within}): ${what}`);
	async function read(bytes: number): Promise<Buffer> {
		const buffer = Buffer.alloc(bytes);
		let filled = 0;
		while (filled < bytes) {
			const { bytesRead } = await handle.read(buffer, filled, bytes - filled, position + filled);
			if (bytesRead === 0) throw damaged('the file ends too early.');
			filled += bytesRead;
		}
		return buffer;
	}

	const fileHead = await read(Math.min(headBytes, size));
	if (fileHead.length < headBytes || !fileHead.subarray(0, magic.length).equals(magic))
		throw new AppError('bad_request', `${path} is not a backup of Tidemark, or is damaged at byte 0.`);
	if (fileHead[magic.length] !== format)
		throw new AppError(
			'bad_request',
			`${path} has the format ${fileHead[magic.length]}, this program knows ${format}; or it is damaged at byte ${magic.length}. Use the version of Tidemark that made it, or a later one.`,
		);
	const mode = fileHead[magic.length + 1];
	if (mode !== 0 && mode !== 1)
		throw new AppError('bad_request', `${path} is damaged at byte ${magic.length + 1} (its head).`);
	if (mode === 1 && passphrase === undefined)
		throw new AppError(
			'bad_request',
			`${path} is encrypted. Set TIDEMARK_BACKUP_PASSPHRASE, or TIDEMARK_BACKUP_PASSPHRASE_FILE to a file that holds it.`,
		);
	const sealing =
		mode === 1 && passphrase !== undefined
			? encrypted(fileHead, await keyOf(passphrase, fileHead.subarray(-32)))
			: chained(fileHead);
	position = headBytes;

	async function frame(): Promise<{ kind: number; content: Buffer; bytes: number }> {
		const head = await read(frameHeadBytes);
		const length = head.readUInt32BE();
		if (length > maxFrameBytes) throw damaged('a frame says that it is longer than any can be.');
		const rest = await read(frameHeadBytes + length + sealing.sealBytes);
		const content = sealing.open(
			head,
			rest.subarray(frameHeadBytes, frameHeadBytes + length),
			rest.subarray(frameHeadBytes + length),
		);
		if (!content)
			throw position === headBytes && mode === 1
				? new AppError(
						'bad_request',
						`${path} does not open with this passphrase, or is damaged at byte ${position}.`,
					)
				: damaged('its bytes are not those that were written.');
		return { kind: head.readUInt8(4), content, bytes: rest.length };
	}

	const entries: BackupEntry[] = [];
	let entry: { head: EntryHead; counted: Counted } | undefined;
	let hasHead = false;
	for (;;) {
		const { kind, content, bytes } = await frame();
		// What is sealed was written by this program, or by one that has the passphrase; its shape is checked all the same.
		const parsed = () => JSON.parse(content.toString('utf8'));
		const place = { position: position + bytes, fileBytes: size };
		if (kind === kinds.head && !hasHead) {
			hasHead = true;
			yield { ...place, head: parsed() as BackupHead };
		} else if (kind === kinds.begin && hasHead && !entry) {
			entry = { head: parsed() as EntryHead, counted: count() };
			within = entry.head.name;
			yield { ...place, begin: entry.head };
		} else if (kind === kinds.data && entry) {
			const rows = await decompress(content, { maxOutputLength: 2 * blockBytes });
			entry.counted.add(rows);
			yield { ...place, rows };
		} else if (kind === kinds.end && entry) {
			const counted = entry.counted.end();
			const written = parsed() as EntryEnd;
			if (
				counted.sha256 !== written.sha256 ||
				counted.rows !== written.rows ||
				counted.bytes !== written.bytes
			)
				throw damaged('its rows are not those that were counted when it was made.');
			const end = { ...entry.head, ...counted };
			entries.push(end);
			entry = undefined;
			within = 'between two entries';
			yield { ...place, end };
		} else if (kind === kinds.manifest && !entry && hasHead) {
			const manifest = parsed() as Manifest;
			if (JSON.stringify(manifest.entries) !== JSON.stringify(entries))
				throw damaged('its manifest names other entries than it has.');
			position += bytes;
			if (position !== size) throw damaged('there is more behind its end.');
			yield { ...place, manifest };
			return;
		} else throw damaged('a frame is where it does not belong.');
		position += bytes;
	}
}
