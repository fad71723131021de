import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Exception } from './exception.ts';

/**
 * A named pipe between a statement that writes a file and its reader. This process opens both ends before the statement starts,
 * so that it never waits for a reader, and closes its write end when the statement ends, which ends the bytes.
 */
export type Pipe = {
	path: string;
	/** Each chunk is valid until the next one is requested: all of them share one buffer, to avoid garbage collection. */
	bytes: AsyncGenerator<Buffer>;
	/** Closes the write end. */
	end(): void;
	/** Closes both ends, so that the writer fails. */
	close(): void;
};

/** Request header with the name of a pipe that the client created and reads. */
export const pipeHeader = 'x-tidemark-pipe';

const prefix = 'engine-pipe-';
/** The capacity of a pipe. */
const bufferBytes = 64 * 1024;
const run = promisify(execFile);
let count = 0;

/** Removes the pipes of an engine that was killed. */
export function removePipes(folder: string): void {
	for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name));
}

/** A pipe that its reader created. */
export function findPipe(folder: string, name: string): Pipe {
	const path = join(folder, name);
	const isOurs = name.startsWith(prefix) && /^[\w-]+$/.test(name);
	// Without a pipe, the engine would create a regular file.
	if (!isOurs || !statSync(path, { throwIfNoEntry: false })?.isFIFO())
		throw new Exception('BAD_ARGUMENTS', 'There is no such pipe.');
	return { path, bytes: nothing(), end: () => undefined, close: () => undefined };
}

async function* nothing(): AsyncGenerator<Buffer> {}

export async function openPipe(folder: string): Promise<Pipe> {
	const path = join(folder, `${prefix}${process.pid}-${++count}`);
	await run('mkfifo', ['-m', '600', path]);
	// Without O_NONBLOCK, open() would wait for the other end.
	const { bytes, destroy } = readInto(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
	const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
	let isEnded = false;
	const end = () => {
		if (isEnded) return;
		isEnded = true;
		closeSync(writing);
		rmSync(path, { force: true });
	};
	return {
		path,
		bytes,
		end,
		close() {
			end();
			destroy();
		},
	};
}

function readInto(fd: number): { bytes: AsyncGenerator<Buffer>; destroy(): void } {
	const room = Buffer.allocUnsafe(bufferBytes);
	let arriving = Promise.withResolvers<number>();
	const socket = new Socket({
		fd,
		readable: true,
		writable: false,
		onread: {
			buffer: room,
			callback(length) {
				arriving.resolve(length);
				// Pause until the next chunk is requested.
				return false;
			},
		},
	});
	socket.on('end', () => arriving.resolve(0));
	socket.on('error', (error) => arriving.reject(error));
	socket.on('close', () => arriving.reject(new Error('The pipe was closed.')));
	async function* read(): AsyncGenerator<Buffer> {
		for (;;) {
			socket.resume();
			const length = await arriving.promise;
			if (length === 0) return;
			arriving = Promise.withResolvers();
			// The pipe may be closed while nothing is being read.
			arriving.promise.catch(() => undefined);
			if (socket.destroyed) arriving.reject(new Error('The pipe was closed.'));
			yield room.subarray(0, length);
		}
	}
	arriving.promise.catch(() => undefined);
	return { bytes: read(), destroy: () => socket.destroy() };
}
