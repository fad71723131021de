/**
 * Starts the process that reads the file of an import (run-reader.ts) and listens to it. The process is ended
 * when the caller has left, when it takes too long, and when it exceeds its memory limit.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { ErrorCode } from '../../api/errors.ts';
import type { GeoSettings } from '../geo/files.ts';
import type { TrackedRow } from '../ingest/lookups/tracked-websites.ts';
import { AppError } from '../lib/app-error.ts';
import { minuteMs } from '../lib/durations.ts';
import { cliFile } from '../lib/package.ts';
import type { ImportSource } from './importer.ts';
import type { Judged, OpenDates, PreviewedFile } from './preview.ts';
import { unreadable } from './read-file.ts';

export type ReadRequest = {
	path: string;
	source: ImportSource;
	/** Time zone of times without an offset. */
	zone: string;
	website: TrackedRow;
	dates: OpenDates;
	geo: GeoSettings;
};

export type ToReader = { type: 'preview' | 'read'; request: ReadRequest } | { type: 'next' };
export type FromReader =
	| { type: 'previewed'; file: PreviewedFile }
	| { type: 'rows'; rows: Judged[] }
	| { type: 'end' }
	| { type: 'failed'; code: ErrorCode | undefined; message: string };

type FileRequest = Omit<ReadRequest, 'geo'>;
type ReadOptions = {
	signal: AbortSignal;
	/** Timeout of the preview, or of the next rows. */
	withinMs: number;
};

export type Reader = {
	preview(request: FileRequest, options: ReadOptions): Promise<PreviewedFile>;
	/** Batches of rows; leaving the loop ends the process. */
	rows(request: FileRequest, options: ReadOptions): AsyncGenerator<Judged[]>;
	/** Ends what is being read. */
	close(): void;
};

const memoryMb = 512;

export function createReader({ geo, heapMb = memoryMb }: { geo: GeoSettings; heapMb?: number }): Reader {
	const closing = new AbortController();

	async function* messages(
		say: 'preview' | 'read',
		request: FileRequest,
		{ signal, withinMs }: ReadOptions,
	): AsyncGenerator<FromReader> {
		const child = start(heapMb);
		// The pending request reports it, or the exit does.
		child.on('error', () => undefined);
		try {
			tell(child, { type: say, request: { ...request, geo } });
			while (true) {
				if (say === 'read') tell(child, { type: 'next' });
				yield await nextOf(child, AbortSignal.any([signal, closing.signal]), withinMs);
			}
		} finally {
			child.kill('SIGKILL');
		}
	}

	return {
		async preview(request, options) {
			for await (const message of messages('preview', request, options))
				if (message.type === 'previewed') return message.file;
			throw new Error('The reader of an import ended without an answer.');
		},
		async *rows(request, options) {
			for await (const message of messages('read', request, options)) {
				if (message.type === 'end') return;
				if (message.type === 'rows') yield message.rows;
			}
		},
		close: () => closing.abort(),
	};
}

function start(heapMb: number): ChildProcess {
	const compiled = getCompileCacheDir();
	return fork(cliFile, ['import-reader'], {
		execArgv: [`--max-old-space-size=${heapMb}`],
		// Not the parent's environment, which may contain secrets: this process parses untrusted files.
		env: { TZ: 'UTC', TMPDIR: tmpdir(), ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }) },
		serialization: 'advanced',
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
}

// One that died is reported by its exit.
const tell = (child: ChildProcess, message: ToReader): void => void child.send(message, () => undefined);

async function nextOf(child: ChildProcess, signal: AbortSignal, withinMs: number): Promise<FromReader> {
	const answer = Promise.withResolvers<FromReader>();
	const leave = () =>
		answer.reject(new AppError('unavailable', 'The import was cancelled. Send the file again.'));
	const ended = (code: number | null, killed: string | null) => answer.reject(endOf(code, killed));
	const late = setTimeout(
		() =>
			answer.reject(
				unreadable(
					`Reading the file took longer than ${Math.ceil(withinMs / minuteMs)} minutes. Split it and import the parts one after another, or import it on the server: tidemark import FILE.`,
				),
			),
		withinMs,
	);
	child.once('message', answer.resolve);
	child.once('error', answer.reject);
	child.once('exit', ended);
	signal.addEventListener('abort', leave, { once: true });
	if (signal.aborted) leave();
	if (child.exitCode !== null || child.signalCode !== null) ended(child.exitCode, child.signalCode);
	try {
		const message = await answer.promise;
		if (message.type !== 'failed') return message;
		throw message.code ? new AppError(message.code, message.message) : new Error(message.message);
	} finally {
		clearTimeout(late);
		child.off('message', answer.resolve);
		child.off('error', answer.reject);
		child.off('exit', ended);
		signal.removeEventListener('abort', leave);
	}
}

/** Node aborts when its heap is full, and the kernel kills when the machine is out of memory. */
const endOf = (code: number | null, signal: string | null): Error =>
	signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134
		? unreadable(
				'Reading the file needs more memory than an import may use. Export fewer days at a time and import the parts one after another.',
			)
		: new Error(`The reader of an import ended (${signal ?? code}).`);
