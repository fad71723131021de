/**
 * Files of other people, read piece by piece and within bounds, whatever they claim to be. A row has at most so many
 * characters, so a quote that is never closed ends there; an archive says how large its files are and is held to it, and nothing
 * of it is ever written to a disk: names in it are looked at and never used as paths.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import yauzl from 'yauzl';
import { AppError } from '../lib/app-error.ts';

const maxRecord = 128 * 1024;
const maxColumns = 500;
const maxEntries = 2_000;
const maxUnpackedBytes = 8 * 1024 ** 3;
/** Tables of numbers shrink to a tenth, the most even ones to a fiftieth. */
const maxRatio = 200;

export const unreadable = (why: string): AppError => new AppError('validation_failed', why);

export async function isZip(path: string): Promise<boolean> {
	const file = await open(path);
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
		return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50;
	} finally {
		await file.close();
	}
}

export type PackedFile = { name: string; read(): Promise<Readable> };

/** The files of an archive, one after another, with its last name alone: a folder in it says nothing. */
export async function* unzip(path: string): AsyncGenerator<PackedFile> {
	const zip = await yauzl
		.openPromise(path, { lazyEntries: true, decodeStrings: true })
		.catch((error: unknown) => {
			throw asUnreadable(error);
		});
	try {
		if (zip.entryCount > maxEntries)
			throw unreadable(`The archive holds ${zip.entryCount} files; at most ${maxEntries} are read.`);
		let unpacked = 0;
		for await (const entry of entriesOf(zip)) {
			if (entry.fileName.endsWith('/')) continue;
			unpacked += entry.uncompressedSize;
			const isTooMuch =
				unpacked > maxUnpackedBytes || entry.uncompressedSize > 1024 ** 2 + maxRatio * entry.compressedSize;
			if (isTooMuch)
				throw unreadable(
					'The archive would unpack to far more than it should; it is not an export. Unpack it yourself if you trust it.',
				);
			if (entry.isEncrypted()) throw unreadable('The archive is encrypted; unpack it first.');
			yield {
				name: entry.fileName.split('/').at(-1) ?? '',
				read: () => zip.openReadStreamPromise(entry),
			};
		}
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

/** Paths that lead out of the archive, a broken list of files: yauzl says so in words for people. */
const asUnreadable = (error: unknown): unknown =>
	error instanceof AppError
		? error
		: unreadable(`The archive cannot be read: ${error instanceof Error ? error.message : error}.`);

/** UTF-8, or UTF-16 where the file says so. Anything else would be read as nonsense, so it is refused. */
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

/** A row by the names of its columns; null is one that cannot be read. */
export type CsvRow = ReadonlyMap<string, string> | null;

export type CsvOptions = {
	delimiter?: string;
	/** Lines that begin with it say something about the file. */
	comment?: string;
};

/** Names of columns are in lower case. A file without a row gives nothing. */
export async function* csvRows(bytes: Readable, options: CsvOptions = {}): AsyncGenerator<CsvRow> {
	let heading: string[] | undefined;
	for await (const cells of csvRecords(bytes, options)) {
		if (!heading) {
			heading = cells.map((name) => name.trim().toLowerCase());
			continue;
		}
		if (cells.length === 1 && cells[0]?.trim() === '') continue;
		yield cells.length === heading.length
			? new Map(heading.map((name, at) => [name, cells[at] ?? '']))
			: null;
	}
}

/** Rows as they stand, for files that hold several tables. */
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
				throw unreadable(`The file has a row of ${cells.length} columns; at most ${maxColumns} are read.`);
			yield cells;
		}
		await feeding;
	} catch (error) {
		if (error instanceof CsvError)
			throw unreadable(
				error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED'
					? 'The file has a row without an end: a quotation mark is never closed.'
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
			// NUL is in no text that anybody wrote.
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

const maxLine = 1024 * 1024;

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
		if (rest.length > maxLine) throw unreadable('The file has a line of more than a megabyte.');
	}
	if (rest.trim() !== '') yield rest;
}
