import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/**
 * Fastify itself says what is mounted, on every server that this process builds from now on: `GET /app/api/websites/:id`. HEAD is
 * named only where there is no GET.
 */
export function recordMountedRoutes(): () => string[] {
	const mounted = new Set<string>();
	subscribe('fastify.initialization', (message) => {
		// As Fastify documents it.
		const { fastify } = message as { fastify: FastifyInstance };
		fastify.addHook('onRoute', ({ method, url }) => {
			for (const name of [method].flat()) mounted.add(`${name} ${url}`);
		});
	});
	return () =>
		[...mounted]
			.filter((route) => !route.startsWith('HEAD ') || !mounted.has(route.replace('HEAD', 'GET')))
			.sort();
}
