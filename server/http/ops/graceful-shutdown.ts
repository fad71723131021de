/**
 * Stops the server without failing a request.
 *
 * First `/health/ready` says `stopping` for as long as load balancers need to notice. Then no new connection is accepted, and
 * every response closes its connection. Closing an idle connection could cut off a request that is on its way, so where other
 * processes take over the port, idle connections stay open until their keep-alive timeout. Otherwise they are closed.
 */
import { Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export type GracefulShutdown = {
	hasBegun(): boolean;
	/** Must be called before the app listens. */
	watch(app: FastifyInstance): void;
	shutDown(
		app: FastifyInstance,
		options: {
			/** Whether other processes accept connections on the same socket. */
			isShared: boolean;
			/** How long load balancers have to notice. */
			drainMs: number;
			/** How long running requests then have to finish. */
			withinMs: number;
		},
	): Promise<void>;
};

export function createGracefulShutdown(): GracefulShutdown {
	const open = new Set<Socket>();
	/** Connections without a request yet, which browsers open in advance. Node would wait for them. */
	const unused = new Set<Socket>();
	let hasBegun = false;
	return {
		hasBegun: () => hasBegun,
		watch(app) {
			app.server.on('connection', (socket) => {
				open.add(socket);
				unused.add(socket);
				socket.once('close', () => {
					open.delete(socket);
					unused.delete(socket);
				});
			});
			app.server.on('request', ({ socket }) => unused.delete(socket));
			app.addHook('preClose', async () => {
				hasBegun = true;
				for (const socket of unused) socket.destroy();
			});
			app.addHook('onSend', async (_request, reply) => {
				if (hasBegun) reply.header('connection', 'close');
			});
		},
		async shutDown(app, { isShared, drainMs, withinMs }) {
			hasBegun = true;
			if (!isShared) await sleep(drainMs);
			const began = performance.now();
			const forceClose = setTimeout(() => app.server.closeAllConnections(), withinMs);
			if (isShared || drainMs > 0) {
				// Not the `close` of HTTP servers, which also closes idle connections.
				Server.prototype.close.call(app.server);
				const waitMs = Math.min(app.server.keepAliveTimeout + 1_000, withinMs);
				while (open.size > 0 && performance.now() - began < waitMs) await sleep(10);
			}
			await app.close();
			clearTimeout(forceClose);
		},
	};
}
