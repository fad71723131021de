/**
 * The port of a service with workers. This process binds it and keeps it for as long as the service runs, so that whatever
 * worker dies, connections wait in the kernel's queue and none is refused; but it takes no connection from it. Workers get the
 * socket through their pipe and take connections from the one queue, each when it has time.
 *
 * While there is no worker this process answers that the service is unavailable. For that it must listen, and the only way
 * in Node to end listening is to close the socket. So every worker that is ready sends the socket back, as a second handle
 * on the same one, and the one that was used for answering is closed when the other is there.
 */
import { lookup } from 'node:dns/promises';
import { createServer, type RequestListener } from 'node:http';
import net from 'node:net';
import { getSystemErrorName } from 'node:util';

/** An address of this machine, or a socket that was bound by whoever started us. */
export type ListenAt = { host: string; port: number } | { fd: number };

/** A bound socket that nobody listens on in this process. */
export type PortHandle = {
	/** The descriptor, for a process that is started with it. */
	readonly fd: number;
	getsockname(out: { address?: string; port?: number }): number;
	close(): void;
};

export type KeptPort = {
	/** The number, also where any free one was asked for. */
	port: number;
	handle(): PortHandle;
	/** No worker is left: answers itself. */
	answer(): void;
	/** A worker is ready, and gave the socket back. */
	leaveTo(handle: PortHandle): void;
	close(): void;
};

/** What node:cluster takes for this very purpose; it has no documented way. Gives the number of an error instead of throwing. */
const { _createServerHandle: bind } = net as unknown as {
	_createServerHandle(
		address: string | null,
		port: number | null,
		family: 4 | 6 | null,
		fd?: number,
	): PortHandle | number;
};

export async function keepPort(at: ListenAt, unavailable: RequestListener): Promise<KeptPort> {
	const bound = 'fd' in at ? bind(null, null, null, at.fd) : await bindAddress(at);
	if (typeof bound === 'number') throw refused(bound, at);
	let handle = bound;
	let answering: ReturnType<typeof createServer> | undefined;
	const name: { port?: number } = {};
	// A port that is taken is not told by the bind: the socket is then bound to nothing, and would be to a port of the kernel's choice.
	const failed = handle.getsockname(name);
	if (failed !== 0 || ('port' in at && at.port !== 0 && name.port !== at.port)) {
		handle.close();
		throw refused(failed === 0 ? addressInUse : failed, at);
	}
	return {
		port: name.port ?? 0,
		handle: () => handle,
		answer() {
			if (answering) return;
			answering = createServer({ keepAlive: false }, unavailable);
			// The handle now belongs to this server, which closes it.
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

function refused(errno: number, at: ListenAt): Error {
	const code = getSystemErrorName(errno);
	const where = 'fd' in at ? `the socket ${at.fd}` : `${at.host}:${at.port}`;
	return Object.assign(new Error(`${code}: cannot listen on ${where}.`), { code });
}
