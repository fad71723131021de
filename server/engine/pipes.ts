import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Named pipes between a statement that writes a file and whoever reads it. Both ends are open before the statement begins, so
 * that it never waits for a reader; our own writing end is closed when it is over, and then the bytes come to their end.
 */
export type Pipes = { open(): Promise<Pipe> };

export type Pipe = {
	path: string;
	bytes: AsyncIterable<Uint8Array>;
	/** Nobody will write any more. */
	end(): void;
	/** Nobody reads any more: whoever writes fails. */
	close(): void;
};

const prefix = 'engine-pipe-';
const run = promisify(execFile);

export function createPipes(folder: string): Pipes {
	// Those of a former engine, which was killed.
	for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(join(folder, name));
	let count = 0;
	return {
		async open() {
			const path = join(folder, `${prefix}${process.pid}-${++count}`);
			await run('mkfifo', ['-m', '600', path]);
			// Without O_NONBLOCK each end would wait for the other one.
			const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
			const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
			const bytes = new Socket({ fd: reading, readable: true, writable: false });
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
					bytes.destroy();
				},
			};
		},
	};
}
