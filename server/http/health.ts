import type { FastifyInstance } from 'fastify';

/** How the parts are; each answers within a moment and never throws. */
export type Health = {
	postgres(): Promise<boolean>;
	clickhouse(): Promise<boolean>;
	/** Where the event log is there. */
	nats?(): Promise<boolean>;
};

/**
 * Live: the process answers. Ready: it can do its work. The API needs PostgreSQL; it goes on while the statistics
 * engine restarts, so that one is told and does not take the service out of a load balancer.
 */
export function mountHealth(app: FastifyInstance, health: Health): void {
	app.get('/health/live', async (_request, reply) =>
		reply.header('cache-control', 'no-store').send({ status: 'live' }),
	);
	app.get('/health/ready', async (_request, reply) => {
		const [postgres, clickhouse, nats] = await Promise.all([
			health.postgres(),
			health.clickhouse(),
			health.nats?.(),
		]);
		const word = (up: boolean) => (up ? 'up' : 'down');
		return reply
			.code(postgres ? 200 : 503)
			.header('cache-control', 'no-store')
			.send({
				status: postgres ? 'ready' : 'waiting',
				postgres: word(postgres),
				clickhouse: word(clickhouse),
				...(nats !== undefined && { nats: word(nats) }),
			});
	});
}
