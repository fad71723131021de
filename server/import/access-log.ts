/**
 * The access log of a web server, plain or packed with gzip: the time before there was a script, or without one. The address of a visitor
 * makes the visitor of a day and a country, as a browser's does, and goes no further.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import type { Importer, Item } from './importer.ts';
import { createLineNames, isPageRequest, parseLogLine } from './log-lines.ts';
import { startOf, unreadable } from './read-file.ts';

const maxUnpackedBytes = 64 * 1024 ** 3;

export const accessLog: Importer = {
	source: 'log',
	hasAddresses: true,
	async open(path, { domain }) {
		const start = await startOf(path, 2);
		const isPacked = start[0] === 0x1f && start[1] === 0x8b;
		async function* items(): AsyncGenerator<Item> {
			// Opened when somebody reads: what fails before that would be nobody's to catch.
			const bytes = createReadStream(path, { highWaterMark: 1024 * 1024 });
			const input = isPacked ? bytes.pipe(createGunzip()) : bytes;
			const nameOf = createLineNames();
			let read = 0;
			try {
				for await (const line of linesOf(input)) {
					read += line.length;
					if (read > maxUnpackedBytes) throw unreadable('The log is larger than a log can be.');
					if (line !== '') yield toItem(line, domain, nameOf);
				}
			} catch (error) {
				if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))
					throw unreadable('The file cannot be unpacked: it is cut short or broken.');
				throw error;
			} finally {
				bytes.destroy();
			}
		}
		return { kind: 'events', given: () => ({}), items: items() };
	},
};

/** A line without an end is cut: nothing of a log is so long. */
const maxHeld = 1024 * 1024;

async function* linesOf(bytes: Readable): AsyncGenerator<string> {
	const decoder = new StringDecoder('utf8');
	let rest = '';
	for await (const piece of bytes) {
		// A readable stream of bytes gives buffers.
		const lines = (rest + decoder.write(piece as Buffer)).split('\n');
		rest = lines.pop()?.slice(0, maxHeld) ?? '';
		for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
	}
	yield rest + decoder.end();
}

function toItem(text: string, domain: string, nameOf: ReturnType<typeof createLineNames>): Item {
	const line = parseLogLine(text);
	if (!line) return { skipped: 'bad_row' };
	if (!isPageRequest(line)) return { skipped: 'no_page' };
	const { atMs, address, userAgent } = line;
	return {
		event: {
			id: nameOf(text, atMs),
			...{ atMs, address, userAgent, visitor: `${address}\0${userAgent}` },
			url: `https://${line.host || domain}${line.target}`,
			referrer: line.referrer,
			language: line.language,
			...{
				name: '',
				title: '',
				screenWidth: 0,
				country: '',
				region: '',
				city: '',
				device: {},
				properties: {},
			},
		},
	};
}
