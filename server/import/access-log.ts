/**
 * The access log of a web server, plain or packed with gzip: the time before there was a script, or without one. The address of a visitor
 * makes the visitor of a day and a country, as a browser's does, and goes no further.
 */
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Importer, Item } from './importer.ts';
import { isPageRequest, parseLogLine } from './log-lines.ts';
import { gunzip, lineTooLong, maxLine, startOf } from './read-file.ts';

const maxUnpackedBytes = 64 * 1024 ** 3;

export const accessLog: Importer = {
	source: 'log',
	hasAddresses: true,
	async open(path, { domain }) {
		const start = await startOf(path, 2);
		const isPacked = start[0] === 0x1f && start[1] === 0x8b;
		async function* items(): AsyncGenerator<Item> {
			// Opened on the first read, so that the reader gets the errors.
			const bytes = isPacked
				? gunzip(path, maxUnpackedBytes)
				: createReadStream(path, { highWaterMark: 1024 * 1024 });
			for await (const line of linesOf(bytes)) yield toItem(line, domain);
		}
		return { kind: 'events', suppliedCounts: () => ({}), items: items() };
	},
};

/** Non-empty lines. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
	const decoder = new StringDecoder('utf8');
	let rest = '';
	for await (const piece of bytes) {
		const lines = (rest + decoder.write(piece)).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			const text = line.endsWith('\r') ? line.slice(0, -1) : line;
			if (text !== '') yield text;
		}
		if (rest.length > maxLine) throw lineTooLong();
	}
	const last = rest + decoder.end();
	if (last !== '') yield last;
}

function toItem(text: string, domain: string): Item {
	const line = parseLogLine(text);
	if (!line) return { skipped: 'bad_row' };
	if (!isPageRequest(line)) return { skipped: 'no_page' };
	const { atMs, address, userAgent } = line;
	return {
		event: {
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
