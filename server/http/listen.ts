import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import type { Log } from '../lib/log.ts';

/** An address of this machine; a socket that whoever started us has bound; or one that the service keeps for its workers. */
export type ListenAt = { host: string; port: number } | { fd: number } | { handle: object };

/** Gives the port, also where any free one was asked for. */
export async function listen(app: FastifyInstance, at: ListenAt, log: Log): Promise<number> {
	const most = mostConnections(openFiles());
	if (most !== undefined) app.server.maxConnections = most;
	// Fastify hands its options on to Node, which knows sockets as well. Without a host it would listen on localhost besides.
	await app.listen({ host: '127.0.0.1', ...at } as FastifyListenOptions);
	// One connection that cannot be taken must not end the process.
	app.server.on('error', (error) => log.warn({ error }, 'a connection could not be taken'));
	const bound = app.server.address();
	return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/**
 * The kernel gives a process so many descriptors, and databases and files need some. Connections beyond the rest are closed as
 * they come: else whoever opens many would keep us from our own database.
 */
const mostConnections = (files: number | undefined): number | undefined =>
	files === undefined ? undefined : Math.max(Math.floor(files / 2), files - 200);

/** What this process may have open; undefined where nothing says so. */
function openFiles(): number | undefined {
	try {
		const line = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
		return line === null ? undefined : Number(line[1]);
	} catch {
		return undefined;
	}
}
