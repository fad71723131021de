import type { FastifyInstance } from 'fastify';
import type { ProcessRole } from '../config.ts';

export type Part = 'postgres' | 'clickhouse' | 'nats';

/** How the parts are that this process uses; each answers within a moment and never throws. */
export type Health = {
	postgres(): Promise<boolean>;
	clickhouse?(): Promise<boolean>;
	/** Where the event log is there. */
	nats?(): Promise<boolean>;
	/** What the start waits for: no role works before it is there. */
	waitsFor?(): Part;
	isStopping(): boolean;
};

/**
 * What a role cannot do its work without. The API goes on while ClickHouse restarts, so that one is told and does not take
 * a process that answers people out of a load balancer.
 */
const needs: Record<ProcessRole, readonly Part[]> = {
	collect: ['postgres', 'nats'],
	write: ['postgres', 'nats', 'clickhouse'],
	api: ['postgres'],
	jobs: ['postgres', 'clickhouse'],
};

/** Those that somebody outside waits for. */
const publicRoles: readonly ProcessRole[] = ['collect', 'api'];

/** Live: the process answers. Ready: it can do its work, and goes on. */
export function mountHealth(app: FastifyInstance, roles: readonly ProcessRole[], health: Health): void {
	app.get('/health/live', async (_request, reply) =>
		reply.header('cache-control', 'no-store').send({ status: 'live' }),
	);
	app.get('/health/ready', async (_request, reply) => {
		const [postgres, clickhouse, nats] = await Promise.all([
			health.postgres(),
			health.clickhouse?.(),
			health.nats?.(),
		]);
		const isUp = { postgres, clickhouse: clickhouse ?? false, nats: nats ?? true };
		const missing = new Map(
			roles.map((role) => [role, health.waitsFor?.() ?? needs[role].find((part) => !isUp[part])]),
		);
		const word = (up: boolean) => (up ? 'up' : 'down');
		const counted = roles.filter((role) => publicRoles.includes(role));
		const isReady = (counted.length > 0 ? counted : roles).every((role) => missing.get(role) === undefined);
		// Nothing is wrong: a load balancer shall look elsewhere from now on.
		const isStopping = health.isStopping();
		const stateOf = (part: Part | undefined) => (part === undefined ? 'ready' : `waits for ${part}`);
		return reply
			.code(isReady && !isStopping ? 200 : 503)
			.header('cache-control', 'no-store')
			.send({
				status: isStopping ? 'stopping' : isReady ? 'ready' : 'waiting',
				roles: Object.fromEntries([...missing].map(([role, part]) => [role, stateOf(part)])),
				postgres: word(postgres),
				...(clickhouse !== undefined && { clickhouse: word(clickhouse) }),
				...(nats !== undefined && { nats: word(nats) }),
			});
	});
}
