/**
 * Follows a web server's access log and sends its page views as events. The position in the file is stored once the service has
 * accepted the events, and event ids derive from the position, so events that are sent twice count once. The id also contains
 * the time of the line, because offsets repeat after a truncation, but not the line itself, which contains an IP address.
 */
import { hash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPageRequest, parseLogLine } from '../server/import/log-lines.ts';
import { chunk } from '../server/lib/chunk.ts';
import type { RemoteResponse } from './remote.ts';

export type Sent = { read: number; pages: number; accepted: number; dropped: number; refused: number };

type Position = { file: string; offset: number };
type Line = { text: string; position: Position };

export type FollowOptions = {
	path: string;
	statePath: string;
	/** Start with the existing lines instead of the end of the file. */
	all: boolean;
	/** Stop at the end of the file. */
	once: boolean;
	domain: string;
	post(events: readonly object[]): Promise<RemoteResponse>;
	report(sent: Sent): void;
	warn(text: string): void;
	signal: AbortSignal;
};

const chunkBytes = 1_000_000;
const maxEventsPerRequest = 500;
const pollMs = 1_000;
const maxWaitMs = 30_000;

export async function followLog(options: FollowOptions): Promise<Sent> {
	const { signal, path } = options;
	const sent: Sent = { read: 0, pages: 0, accepted: 0, dropped: 0, refused: 0 };
	let position = await readPosition(options);
	if (!options.once) options.warn(`Following ${path}. Press Ctrl-C to stop.`);
	while (!signal.aborted) {
		const log = await open(path).catch(() => undefined);
		if (!log) {
			if (options.once) throw new Error(`${path} does not exist.`);
			await pause(pollMs, signal);
			continue;
		}
		try {
			position = await drain(log, position, options, sent);
		} finally {
			await log.close();
		}
		if (options.once) return sent;
	}
	return sent;
}

/** Sends one file until it is rotated, or until its end with `once`. */
async function drain(log: FileHandle, from: Position, options: FollowOptions, sent: Sent): Promise<Position> {
	const file = nameOf(await log.stat({ bigint: true }));
	let position = file === from.file ? from : { file, offset: 0 };
	let isRotated = false;
	while (!options.signal.aborted) {
		// Truncated in place, as with copytruncate of logrotate.
		if ((await log.stat()).size < position.offset) {
			options.warn(`${options.path} was truncated; starting at its beginning.`);
			position = { file, offset: 0 };
		}
		const { lines, offset } = await readLines(log, position);
		if (offset > position.offset) {
			await send(lines, options, sent);
			if (options.signal.aborted) return position;
			position = { file, offset };
			await storePosition(options.statePath, position);
			options.report(sent);
			continue;
		}
		// Rotated, and the rest of it has been sent.
		if (isRotated || options.once) return position;
		const named = await stat(options.path, { bigint: true }).catch(() => undefined);
		isRotated = named !== undefined && nameOf(named) !== file;
		if (!isRotated) await pause(pollMs, options.signal);
	}
	return position;
}

const nameOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;

/** Reads complete lines from a position on. */
async function readLines(
	log: FileHandle,
	{ file, offset }: Position,
): Promise<{ lines: Line[]; offset: number }> {
	const { buffer, bytesRead } = await log.read(Buffer.alloc(chunkBytes), 0, chunkBytes, offset);
	const bytes = buffer.subarray(0, bytesRead);
	const lines: Line[] = [];
	let start = 0;
	for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
		lines.push({
			text: bytes.toString('utf8', start, end).trimEnd(),
			position: { file, offset: offset + start },
		});
		start = end + 1;
	}
	// Skip a line that does not fit into a chunk: it is not a log line.
	return { lines, offset: offset + (start === 0 && bytesRead === chunkBytes ? bytesRead : start) };
}

async function send(lines: readonly Line[], options: FollowOptions, sent: Sent): Promise<void> {
	const events = lines.flatMap((line) => toEvent(line, options.domain));
	sent.read += lines.length;
	sent.pages += events.length;
	for (const batch of chunk(events, maxEventsPerRequest)) await sendBatch(batch, options, sent);
}

function toEvent({ text, position }: Line, domain: string): object[] {
	const line = parseLogLine(text);
	if (!line || !isPageRequest(line)) return [];
	return [
		{
			id: hash('sha256', `${position.file}:${position.offset}:${line.atMs}`, 'hex').slice(0, 16),
			time: new Date(line.atMs).toISOString(),
			url: `https://${line.host || domain}${line.target}`,
			referrer: line.referrer.slice(0, 2_000),
			user_agent: line.userAgent.slice(0, 500),
			ip: line.address,
			language: line.language.slice(0, 200),
		},
	];
}

async function sendBatch(events: readonly object[], options: FollowOptions, sent: Sent): Promise<void> {
	let batch = events;
	for (let waitMs = 500; batch.length > 0 && !options.signal.aborted; ) {
		const response = await options.post(batch).catch((error: unknown) => ({
			status: 0,
			retryAfter: undefined,
			text: error instanceof Error ? error.message : String(error),
		}));
		if (response.status === 202) {
			const { accepted, dropped } = JSON.parse(response.text).data;
			sent.accepted += accepted;
			sent.dropped += dropped.length;
			return;
		}
		if (response.status === 422) {
			const faulty = new Set(
				[...response.text.matchAll(/"events\.(\d+)\./g)].map(([, index]) => Number(index)),
			);
			if (faulty.size === 0) throw new Error(`The service rejected the events: ${response.text}`);
			sent.refused += faulty.size;
			batch = batch.filter((_event, index) => !faulty.has(index));
			continue;
		}
		if (response.status >= 400 && response.status < 500 && response.status !== 429)
			throw new Error(`The service rejected the events (${response.status}): ${response.text}`);
		const delayMs = response.retryAfter === undefined ? waitMs : response.retryAfter * 1000;
		options.warn(`The service does not accept events (${response.status || response.text}); retrying.`);
		await pause(Math.min(delayMs, maxWaitMs), options.signal);
		waitMs = Math.min(waitMs * 2, maxWaitMs);
	}
}

async function readPosition({ path, statePath, all, once }: FollowOptions): Promise<Position> {
	const stored = await readFile(statePath, 'utf8').catch(() => undefined);
	if (stored !== undefined) {
		const { file, offset } = JSON.parse(stored);
		if (typeof file === 'string' && Number.isSafeInteger(offset)) return { file, offset };
		throw new Error(`${statePath} does not contain a position. Delete it to start over.`);
	}
	const log = all || once ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
	return log ? { file: nameOf(log), offset: Number(log.size) } : { file: '', offset: 0 };
}

async function storePosition(statePath: string, position: Position): Promise<void> {
	await writeFile(`${statePath}.part`, JSON.stringify(position));
	await rename(`${statePath}.part`, statePath);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
	sleep(ms, undefined, { signal }).catch(() => undefined);
