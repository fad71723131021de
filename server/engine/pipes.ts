import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Exception } from './exception.ts';

/**
 * Named pipes between a statement that writes a file and whoever reads it. Both ends are open before the statement begins, so
 * that it never waits for a reader; our own writing end is closed when it is over, and then the bytes come to their end.
 */
export type Pipe = {
	path: string;
	/** Each is there until the next one is asked for: they all come in the same memory, or collecting it would take longer than reading. */
	bytes: AsyncGenerator<Buffer>;
	/** Nobody will write any more. */
	end(): void;
	/** Nobody reads any more: whoever writes fails. */
	close(): void;
};

/** The name of a pipe that whoever asks has made and reads. */
export const pipeHeader = 'x-tidemark-pipe';

const prefix = 'engine-pipe-';
/** What a pipe holds. */
const roomBytes = 64 * 1024;
const run = promisify(execFile);
let count = 0;

/** Those of a former engine, which was killed. */
export function removePipes(folder: string): void {
	for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name));
}

/** One that its reader has made, in the folder where all of them are. */
export function findPipe(folder: string, name: string): Pipe {
	const path = join(folder, name);
	const isOurs = name.startsWith(prefix) && /^[\w-]+$/.test(name);
	// Where there is none the engine would make a plain file.
	if (!isOurs || !statSync(path, { throwIfNoEntry: false })?.isFIFO())
		throw new Exception('BAD_ARGUMENTS', 'There is no such pipe.');
	return { path, bytes: nothing(), end: () => undefined, close: () => undefined };
}

async function* nothing(): AsyncGenerator<Buffer> {}

export async function openPipe(folder: string): Promise<Pipe> {
	const path = join(folder, `${prefix}${process.pid}-${++count}`);
	await run('mkfifo', ['-m', '600', path]);
	// Without O_NONBLOCK each end would wait for the other one.
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
	const room = Buffer.allocUnsafe(roomBytes);
	let arriving = Promise.withResolvers<number>();
	const socket = new Socket({
		...{ fd, readable: true, writable: false },
		onread: {
			buffer: room,
			callback(length) {
				arriving.resolve(length);
				// Until it is asked for more.
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
			// It may be closed while nobody reads.
			arriving.promise.catch(() => undefined);
			if (socket.destroyed) arriving.reject(new Error('The pipe was closed.'));
			yield room.subarray(0, length);
		}
	}
	arriving.promise.catch(() => undefined);
	return { bytes: read(), destroy: () => socket.destroy() };
}
