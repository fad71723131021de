import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import type { Log } from '../../lib/log.ts';

/** An address; an inherited socket; or the socket that the service shares with its workers. */
export type ListenAt = { host: string; port: number } | { fd: number } | { handle: object };

/** Throws if this process cannot listen there, so that a start fails before it creates anything. */
export async function tryToListen({ host, port }: { host: string; port: number }): Promise<void> {
	const server = createServer().listen({ host, port });
	await once(server, 'listening');
	server.close();
	await once(server, 'close');
}

/** Returns the port, which the system chooses for port 0. */
export async function listen(app: FastifyInstance, address: ListenAt, log: Log): Promise<number> {
	const limit = maxConnections();
	if (limit !== undefined) app.server.maxConnections = limit;
	// Fastify passes its options to Node, which also accepts sockets. Without a host it would listen on localhost too.
	await app.listen({ host: '127.0.0.1', ...address } as FastifyListenOptions);
	// A connection that cannot be accepted must not end the process.
	app.server.on('error', (error) => log.warn({ error }, 'could not accept a connection'));
	const bound = app.server.address();
	return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/**
 * Connections share the limit of open files with databases and files. Connections beyond this number are closed at once, so
 * that a client that opens many cannot block the process from its own database.
 */
export function maxConnections(): number | undefined {
	const files = openFiles();
	return files === undefined ? undefined : Math.max(Math.floor(files / 2), files - 200);
}

/** The limit of open files of this process; undefined where it is unknown. */
function openFiles(): number | undefined {
	try {
		const line = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
		return line === null ? undefined : Number(line[1]);
	} catch {
		return undefined;
	}
}
