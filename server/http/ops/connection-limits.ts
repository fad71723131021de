/**
 * Limits how many connections a network may hold and how long they may be idle.
 *
 * A process has a bounded number of connections (listen.ts), and without a limit per network one client could hold all of
 * them. Trusted proxies and private addresses, which may be an unconfigured proxy, are exempt: all visitors come through them.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { normalizeAddress, rateLimitKey, widerNetworkOf } from '../../lib/networks.ts';

export type ConnectionLimitOptions = {
	/** Per IPv4 address or IPv6 /64; a /48 gets four times as many. */
	perNetwork: number;
	idleMs: number;
	isExempt(address: string): boolean;
};

export type ConnectionLimits = {
	/** Announces the idle time in the headers of a response without Fastify, and applies it after the response. */
	limitIdleTime(socket: Socket, response: ServerResponse, headers: string[]): void;
};

const widerNetworkFactor = 4;

export function limitConnections(app: FastifyInstance, limits: ConnectionLimitOptions): ConnectionLimits {
	const { perNetwork, idleMs, isExempt } = limits;
	const open = new Map<string, number>();
	/** Sockets that are not exempt. A closed socket no longer has its address. */
	const counted = new WeakSet<Socket>();

	const networksOf = (address: string): { name: string; max: number }[] => {
		const name = rateLimitKey(address);
		const wider = widerNetworkOf(name);
		return [
			{ name, max: perNetwork },
			...(wider === undefined ? [] : [{ name: wider, max: perNetwork * widerNetworkFactor }]),
		];
	};

	app.server.on('connection', (socket: Socket) => {
		const address = normalizeAddress(socket.remoteAddress ?? '');
		if (address === '' || isExempt(address)) return;
		const networks = networksOf(address);
		if (networks.some(({ name, max }) => (open.get(name) ?? 0) >= max)) {
			socket.destroy();
			return;
		}
		counted.add(socket);
		for (const { name } of networks) open.set(name, (open.get(name) ?? 0) + 1);
		socket.once('close', () => {
			for (const { name } of networks) {
				const left = (open.get(name) ?? 1) - 1;
				if (left > 0) open.set(name, left);
				else open.delete(name);
			}
		});
	});
	// Node would announce its default idle time.
	const keepAlive = `timeout=${Math.floor(idleMs / 1000)}`;
	app.addHook('onRequest', async (request, reply) => {
		if (counted.has(request.raw.socket)) reply.header('keep-alive', keepAlive);
	});
	app.addHook('onResponse', async (request) => {
		// Node has just set its default idle time; it resets the timeout when the next request begins.
		if (counted.has(request.raw.socket)) request.raw.socket.setTimeout(idleMs);
	});
	return {
		limitIdleTime(socket, response, headers) {
			if (!counted.has(socket)) return;
			headers.push('keep-alive', keepAlive);
			response.once('finish', () => socket.setTimeout(idleMs));
		},
	};
}
