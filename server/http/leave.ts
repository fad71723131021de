/**
 * How the door is closed without a failed request.
 *
 * A stop tells load balancers first (`/health/ready` says `stopping`) and goes on for as long as they need to look elsewhere.
 * Then it takes no new connection; every answer ends its connection. What is left are connections that are open and silent. To
 * close one at once is to cut off a request that is just on its way, so where others take over the port they are left until
 * their own time is over, which clients know of. Where nobody does, they are closed: a request would be refused anyway.
 */
import { Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export type Leaving = {
	hasBegun(): boolean;
	/** Before the app listens. */
	watch(app: FastifyInstance): void;
	leave(
		app: FastifyInstance,
		options: {
			/** Whether others take connections from the same socket, or will. */
			isShared: boolean;
			/** How long load balancers are given. */
			drainMs: number;
			/** How long requests that are under way are given then. */
			withinMs: number;
		},
	): Promise<void>;
};

export function createLeaving(): Leaving {
	const open = new Set<Socket>();
	/** Those that never sent a request: browsers open some ahead of need. Node would wait for them. */
	const silent = new Set<Socket>();
	let hasBegun = false;
	return {
		hasBegun: () => hasBegun,
		watch(app) {
			app.server.on('connection', (socket) => {
				open.add(socket);
				silent.add(socket);
				socket.once('close', () => {
					open.delete(socket);
					silent.delete(socket);
				});
			});
			app.server.on('request', ({ socket }) => silent.delete(socket));
			app.addHook('preClose', async () => {
				hasBegun = true;
				for (const socket of silent) socket.destroy();
			});
			app.addHook('onSend', async (_request, reply) => {
				if (hasBegun) reply.header('connection', 'close');
			});
		},
		async leave(app, { isShared, drainMs, withinMs }) {
			hasBegun = true;
			if (!isShared) await sleep(drainMs);
			const began = performance.now();
			const cut = setTimeout(() => app.server.closeAllConnections(), withinMs);
			if (isShared || drainMs > 0) {
				// Not its own `close`, which closes what is silent as well.
				Server.prototype.close.call(app.server);
				const patientMs = Math.min(app.server.keepAliveTimeout + 1_000, withinMs);
				while (open.size > 0 && performance.now() - began < patientMs) await sleep(10);
			}
			await app.close();
			clearTimeout(cut);
		},
	};
}
