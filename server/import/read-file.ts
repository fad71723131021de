/**
 * Reads untrusted files as streams within limits. The length of a row is limited, so an unclosed quote ends there. The declared
 * sizes in an archive are enforced, and its files are never written to disk, so its names are never used as paths.
 */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import yauzl from 'yauzl';
import { AppError } from '../lib/app-error.ts';

const maxRecord = 128 * 1024;
const maxColumns = 500;
const maxEntries = 2_000;
const maxUnpackedBytes = 8 * 1024 ** 3;
/** Tables and logs usually compress 10:1, very repetitive ones 50:1. */
const maxRatio = 200;
/** The ratio of smaller files is not checked. */
const anyRatioBytes = 1024 ** 2;

const isBomb = (unpackedBytes: number, packedBytes: number): boolean =>
	unpackedBytes > anyRatioBytes + maxRatio * packedBytes;

export const unreadable = (message: string): AppError => new AppError('validation_failed', message);

/** The first bytes, which identify the type of a file. */
export async function startOf(path: string, bytes: number): Promise<Buffer> {
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
		return buffer.subarray(0, bytesRead);
	} finally {
		await file.close();
	}
}

export async function isZip(path: string): Promise<boolean> {
	const start = await startOf(path, 4);
	return start.length === 4 && start.readUInt32LE(0) === 0x04034b50;
}

export type PackedFile = { name: string; read(): Promise<Readable> };

/** The files of an archive in order, by base name. */
export async function* unzip(path: string): AsyncGenerator<PackedFile> {
	const zip = await yauzl
		.openPromise(path, { lazyEntries: true, decodeStrings: true, autoClose: false })
		.catch((error: unknown) => {
			throw asUnreadable(error);
		});
	try {
		if (zip.entryCount > maxEntries)
			throw unreadable(
				`The archive contains ${zip.entryCount} files, but at most ${maxEntries} are allowed.`,
			);
		const { size } = await stat(path);
		const entries: yauzl.Entry[] = [];
		let unpacked = 0;
		// Check all entries before reading the first. Entries may share bytes, so the whole archive is checked too.
		for await (const entry of entriesOf(zip)) {
			if (entry.fileName.endsWith('/')) continue;
			unpacked += entry.uncompressedSize;
			const isTooMuch =
				unpacked > maxUnpackedBytes ||
				isBomb(entry.uncompressedSize, entry.compressedSize) ||
				isBomb(unpacked, size);
			if (isTooMuch)
				throw unreadable(
					'The archive would unpack to an unusual size and may be a ZIP bomb. If you trust it, unpack it and import the files.',
				);
			if (entry.isEncrypted()) throw unreadable('The archive is encrypted. Unpack it first.');
			entries.push(entry);
		}
		for (const entry of entries)
			yield {
				name: entry.fileName.split('/').at(-1) ?? '',
				read: () => zip.openReadStreamPromise(entry),
			};
	} finally {
		zip.close();
	}
}

async function* entriesOf(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
	try {
		for await (const entry of zip.eachEntry()) yield entry;
	} catch (error) {
		throw asUnreadable(error);
	}
}

/** yauzl has readable messages for invalid archives and paths. */
const asUnreadable = (error: unknown): unknown =>
	error instanceof AppError
		? error
		: unreadable(`The archive cannot be read: ${error instanceof Error ? error.message : error}.`);

/** The bytes of a file that was packed with gzip, in one or several members. */
export async function* gunzip(path: string, maxBytes: number): AsyncGenerator<Buffer> {
	const packed = createReadStream(path, { highWaterMark: 256 * 1024 });
	const unpacking = packed.pipe(createGunzip());
	packed.once('error', (error) => unpacking.destroy(error));
	let bytes = 0;
	try {
		for await (const piece of unpacking) {
			// A readable stream of bytes gives buffers.
			const buffer = piece as Buffer;
			bytes += buffer.length;
			if (bytes > maxBytes)
				throw unreadable(
					`The file unpacks to more than ${Math.floor(maxBytes / 1024 ** 3)} GB. Split it and import the parts one after another.`,
				);
			if (isBomb(bytes, packed.bytesRead))
				throw unreadable(
					`The file unpacks to more than ${maxRatio} times its size. If you trust it, unpack it and import the result.`,
				);
			yield buffer;
		}
	} catch (error) {
		if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))
			throw unreadable('The file cannot be unpacked: it is truncated or damaged.');
		throw error;
	} finally {
		packed.destroy();
		unpacking.destroy();
	}
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Other encodings are rejected. */
async function* texts(bytes: Readable): AsyncGenerator<string> {
	let decoder: InstanceType<typeof TextDecoder> | undefined;
	try {
		for await (const piece of bytes) {
			// A readable stream of bytes gives buffers.
			const buffer = piece as Buffer;
			decoder ??= new TextDecoder(encodingOf(buffer), { fatal: true });
			yield decoder.decode(buffer, { stream: true });
		}
		const rest = decoder?.decode();
		if (rest) yield rest;
	} catch (error) {
		if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
			throw unreadable('The file is not UTF-8. Save it as UTF-8 and try again.');
		if (error instanceof Error && 'code' in error && /^Z_|^ERR_/.test(String(error.code)))
			throw asUnreadable(error);
		throw error instanceof Error &&
			!(error instanceof AppError) &&
			/zlib|uncompressed|bytes in the stream/.test(error.message)
			? asUnreadable(error)
			: error;
	}
}

function encodingOf(start: Buffer): string {
	if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
	if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
	return 'utf-8';
}

/** A row by column name; null if it is invalid. */
export type CsvRow = ReadonlyMap<string, string> | null;

export type CsvOptions = {
	delimiter?: string;
	/** Prefix of comment lines. */
	comment?: string;
};

/** Column names are in lower case. */
export async function* csvRows(bytes: Readable, options: CsvOptions = {}): AsyncGenerator<CsvRow> {
	let heading: string[] | undefined;
	for await (const cells of csvRecords(bytes, options)) {
		if (!heading) {
			heading = cells.map((name) => name.trim().toLowerCase());
			continue;
		}
		if (cells.length === 1 && cells[0]?.trim() === '') continue;
		yield cells.length === heading.length
			? new Map(heading.map((name, column) => [name, cells[column] ?? '']))
			: null;
	}
}

/** Raw rows, for files with several tables. */
export async function* csvRecords(
	bytes: Readable,
	{ delimiter = ',', comment }: CsvOptions = {},
): AsyncGenerator<string[]> {
	const parser = parse({
		bom: true,
		delimiter,
		max_record_size: maxRecord,
		relax_column_count: true,
		skip_empty_lines: true,
		...(comment !== undefined && { comment, comment_no_infix: true }),
	});
	const feeding = feed(texts(bytes), parser);
	try {
		for await (const record of parser) {
			// csv-parse gives a list of texts where no columns are named.
			const cells = record as string[];
			if (cells.length > maxColumns)
				throw unreadable(
					`The file has a row with ${cells.length} columns, but at most ${maxColumns} are allowed.`,
				);
			yield cells;
		}
		await feeding;
	} catch (error) {
		if (error instanceof CsvError)
			throw unreadable(
				error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED'
					? 'The file has a row with an unclosed quotation mark.'
					: `The file is not CSV: ${error.message}`,
			);
		throw error;
	} finally {
		parser.destroy();
		bytes.destroy();
		await feeding.catch(() => undefined);
	}
}

async function feed(pieces: AsyncIterable<string>, parser: ReturnType<typeof parse>): Promise<void> {
	try {
		for await (const piece of pieces) {
			if (parser.destroyed) return;
			// Text files contain no NUL.
			if (!parser.write(piece.replaceAll('\0', ''))) await roomIn(parser);
		}
		parser.end();
	} catch (error) {
		parser.destroy(error instanceof Error ? error : new Error(String(error)));
	}
}

const roomIn = (parser: ReturnType<typeof parse>): Promise<void> =>
	new Promise((resolve) => {
		const done = () => {
			parser.off('drain', done);
			parser.off('close', done);
			resolve();
		};
		parser.on('drain', done);
		parser.on('close', done);
	});

export const maxLine = 1024 * 1024;
export const lineTooLong = (): AppError =>
	unreadable('The file has a line longer than 1 MB. Check that it is the right file.');

/** Lines of a text file, none longer than a megabyte. */
export async function* lines(path: string): AsyncGenerator<string> {
	let rest = '';
	for await (const piece of texts(createReadStream(path))) {
		rest += piece;
		let from = 0;
		for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
			yield rest.slice(from, end).replace(/\r$/, '');
			from = end + 1;
		}
		rest = rest.slice(from);
		if (rest.length > maxLine) throw lineTooLong();
	}
	if (rest.trim() !== '') yield rest;
}
