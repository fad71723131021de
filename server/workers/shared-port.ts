/**
 * The port of a service with workers. This process binds the port and keeps it open while the service runs, so that connections wait in
 * the kernel's queue and none is refused when a worker exits. It accepts no connections itself: workers get the socket through their pipe
 * and accept from the same queue.
 *
 * While no worker is ready, this process answers that the service is unavailable. For that it must listen, and in Node the only way to
 * stop listening is to close the socket. So every worker that becomes ready sends the socket back as a second handle, and the handle
 * that was used for answering is closed then.
 */
import { lookup } from 'node:dns/promises';
import { createServer, type RequestListener } from 'node:http';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';

/** An address of this machine, or a socket that the parent process has bound. */
export type ListenAt = { host: string; port: number } | { fd: number };

/** A bound socket that this process does not listen on. */
export type PortHandle = {
	/** The file descriptor. */
	readonly fd: number;
	getsockname(out: { address?: string; port?: number }): number;
	close(): void;
};

export type SharedPort = {
	/** The actual port number, also when the setting is 0. */
	port: number;
	handle(): PortHandle;
	/** Answers requests itself, because no worker is ready. */
	answer(): void;
	/** Leaves requests to the workers. The handle is the socket that a ready worker sent back. */
	leaveTo(handle: PortHandle): void;
	close(): void;
};

/** What node:cluster uses for this purpose; there is no documented way. Returns an error number instead of throwing. */
const { _createServerHandle: bind } = net as unknown as {
	_createServerHandle(
		address: string | null,
		port: number | null,
		family: 4 | 6 | null,
		fd?: number,
	): PortHandle | number;
};

export async function sharePort(target: ListenAt, unavailable: RequestListener): Promise<SharedPort> {
	const bound = 'fd' in target ? bind(null, null, null, target.fd) : await bindAddress(target);
	if (typeof bound === 'number') throw listenError(bound, target);
	let handle = bound;
	let answering: ReturnType<typeof createServer> | undefined;
	const name: { port?: number } = {};
	// bind does not fail when the port is in use; the socket is unbound then, and listening would pick a random port.
	const failed = handle.getsockname(name);
	if (failed !== 0 || ('port' in target && target.port !== 0 && name.port !== target.port)) {
		handle.close();
		throw listenError(failed === 0 ? addressInUse : failed, target);
	}
	return {
		port: name.port ?? 0,
		handle: () => handle,
		answer() {
			if (answering) return;
			answering = createServer({ keepAlive: false }, unavailable);
			// The server owns the handle now and closes it.
			answering.listen(handle);
		},
		leaveTo(fresh) {
			if (!answering) return fresh.close();
			answering.close();
			answering.closeIdleConnections();
			answering = undefined;
			handle = fresh;
		},
		close() {
			if (!answering) return handle.close();
			answering.close();
			answering.closeAllConnections();
		},
	};
}

async function bindAddress({ host, port }: { host: string; port: number }) {
	const { address, family } = await lookup(host);
	return bind(address, port, family === 6 ? 6 : 4);
}

const addressInUse = -98;

function listenError(errno: number, target: ListenAt): Error {
	const code = getSystemErrorName(errno);
	const where = 'fd' in target ? `the socket ${target.fd}` : `${target.host}:${target.port}`;
	return Object.assign(new Error(`${code}: cannot listen on ${where}.`), { code });
}
