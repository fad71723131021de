/**
 * A web server's log as it grows, as events of a website. What was read is remembered by the file and the place in it, after the service
 * has said that it has the events; an event is named by its place, so what is sent twice counts once.
 */
import { hash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPageRequest, parseLogLine } from '../server/import/log-lines.ts';

export type Sent = { read: number; pages: number; accepted: number; dropped: number; refused: number };

type Place = { file: string; offset: number };
type Line = { text: string; at: Place };
type Answer = { status: number; text: string; retryAfter: number | undefined };

export type FollowOptions = {
	path: string;
	statePath: string;
	/** Begin with what is there, instead of with what comes. */
	all: boolean;
	/** End when all that is there has been sent. */
	once: boolean;
	domain: string;
	/** Gives events to the service. */
	post(events: readonly object[]): Promise<Answer>;
	report(sent: Sent): void;
	say(text: string): void;
	signal: AbortSignal;
};

const chunkBytes = 1_000_000;
const eventsAtOnce = 500;
const lookEveryMs = 1_000;
const maxWaitMs = 30_000;

export async function followLog(options: FollowOptions): Promise<Sent> {
	const { signal, path } = options;
	const sent: Sent = { read: 0, pages: 0, accepted: 0, dropped: 0, refused: 0 };
	let place = await readPlace(options);
	if (!options.once) options.say(`Following ${path}; Ctrl-C ends it.`);
	while (!signal.aborted) {
		const log = await open(path).catch(() => undefined);
		if (!log) {
			if (options.once) throw new Error(`There is no file ${path}.`);
			await pause(lookEveryMs, signal);
			continue;
		}
		try {
			place = await drain(log, place, options, sent);
		} finally {
			await log.close();
		}
		if (options.once) return sent;
	}
	return sent;
}

/** Sends one file until another one has its name, or until its end where that is asked for. */
async function drain(log: FileHandle, from: Place, options: FollowOptions, sent: Sent): Promise<Place> {
	const file = nameOf(await log.stat({ bigint: true }));
	let place = file === from.file ? from : { file, offset: 0 };
	let isMoved = false;
	while (!options.signal.aborted) {
		// Cut short in place, as some rotate their logs.
		if ((await log.stat()).size < place.offset) {
			options.say(`${options.path} was cut and begins anew.`);
			place = { file, offset: 0 };
		}
		const { lines, offset } = await readLines(log, place);
		if (offset > place.offset) {
			await send(lines, options, sent);
			if (options.signal.aborted) return place;
			place = { file, offset };
			await keepPlace(options.statePath, place);
			options.report(sent);
			continue;
		}
		// Its name is another file's, and this was what was left of it.
		if (isMoved || options.once) return place;
		const named = await stat(options.path, { bigint: true }).catch(() => undefined);
		isMoved = named !== undefined && nameOf(named) !== file;
		if (!isMoved) await pause(lookEveryMs, options.signal);
	}
	return place;
}

const nameOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;

/** Whole lines from a place on; the last one is left until its end is there. */
async function readLines(
	log: FileHandle,
	{ file, offset }: Place,
): Promise<{ lines: Line[]; offset: number }> {
	const { buffer, bytesRead } = await log.read(Buffer.alloc(chunkBytes), 0, chunkBytes, offset);
	const bytes = buffer.subarray(0, bytesRead);
	const lines: Line[] = [];
	let at = 0;
	for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
		lines.push({ text: bytes.toString('utf8', at, end).trimEnd(), at: { file, offset: offset + at } });
		at = end + 1;
	}
	// A line that fills all of it is no line of a log.
	return { lines, offset: offset + (at === 0 && bytesRead === chunkBytes ? bytesRead : at) };
}

async function send(lines: readonly Line[], options: FollowOptions, sent: Sent): Promise<void> {
	const events = lines.flatMap((line) => toEvent(line, options.domain));
	sent.read += lines.length;
	sent.pages += events.length;
	for (let at = 0; at < events.length; at += eventsAtOnce)
		await sendSome(events.slice(at, at + eventsAtOnce), options, sent);
}

function toEvent({ text, at }: Line, domain: string): object[] {
	const line = parseLogLine(text);
	if (!line || !isPageRequest(line)) return [];
	return [
		{
			id: hash('sha256', `${at.file}:${at.offset}:${text}`, 'hex').slice(0, 16),
			time: new Date(line.atMs).toISOString(),
			url: `https://${line.host || domain}${line.target}`,
			referrer: line.referrer.slice(0, 2_000),
			user_agent: line.userAgent.slice(0, 500),
			ip: line.address,
			language: line.language.slice(0, 200),
		},
	];
}

async function sendSome(events: readonly object[], options: FollowOptions, sent: Sent): Promise<void> {
	let some = events;
	for (let waitMs = 500; some.length > 0 && !options.signal.aborted; ) {
		const answer = await options.post(some).catch((error: unknown) => ({
			...{ status: 0, retryAfter: undefined },
			text: error instanceof Error ? error.message : String(error),
		}));
		if (answer.status === 202) {
			const { accepted, dropped } = JSON.parse(answer.text).data;
			sent.accepted += accepted;
			sent.dropped += dropped.length;
			return;
		}
		if (answer.status === 422) {
			const faulty = new Set(
				[...answer.text.matchAll(/"events\.(\d+)\./g)].map(([, index]) => Number(index)),
			);
			if (faulty.size === 0) throw new Error(`The service refuses the events: ${answer.text}`);
			sent.refused += faulty.size;
			some = some.filter((_event, index) => !faulty.has(index));
			continue;
		}
		if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
			throw new Error(`The service refuses the events (${answer.status}): ${answer.text}`);
		const delayMs = answer.retryAfter === undefined ? waitMs : answer.retryAfter * 1000;
		options.say(`The service does not take events now (${answer.status || answer.text}); trying again.`);
		await pause(Math.min(delayMs, maxWaitMs), options.signal);
		waitMs = Math.min(waitMs * 2, maxWaitMs);
	}
}

async function readPlace({ path, statePath, all, once }: FollowOptions): Promise<Place> {
	const kept = await readFile(statePath, 'utf8').catch(() => undefined);
	if (kept !== undefined) {
		const { file, offset } = JSON.parse(kept);
		if (typeof file === 'string' && Number.isSafeInteger(offset)) return { file, offset };
		throw new Error(`${statePath} is not a place in a log. Remove it to begin anew.`);
	}
	const log = all || once ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
	return log ? { file: nameOf(log), offset: Number(log.size) } : { file: '', offset: 0 };
}

async function keepPlace(statePath: string, place: Place): Promise<void> {
	await writeFile(`${statePath}.part`, JSON.stringify(place));
	await rename(`${statePath}.part`, statePath);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
	sleep(ms, undefined, { signal }).catch(() => undefined);
