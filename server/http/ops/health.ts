import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ProcessRole } from '../../config.ts';

export type Part = 'postgres' | 'clickhouse' | 'nats' | 'disk';

/** Checks of the dependencies that this process uses. */
export type Health = {
	postgres(): Promise<boolean>;
	clickhouse?(): Promise<boolean>;
	/** With the event log in NATS. */
	nats?(): Promise<boolean>;
	/** With an embedded database in the data folder. */
	isDiskFull?(): boolean;
	/** The dependency that the start is waiting for; until then no role is ready. */
	waitsFor?(): Part;
	isStopping(): boolean;
};

/**
 * The dependencies of each role. The API keeps working while ClickHouse restarts, so ClickHouse is reported but does not take
 * an API process out of the load balancer.
 */
const needs: Record<ProcessRole, readonly Part[]> = {
	collect: ['postgres', 'nats', 'disk'],
	write: ['postgres', 'nats', 'clickhouse', 'disk'],
	api: ['postgres'],
	jobs: ['postgres', 'clickhouse', 'disk'],
};

/** Roles that serve requests from outside. */
const publicRoles: readonly ProcessRole[] = ['collect', 'api'];

const deadlineMs = 1_000;

/** No result within a second means `down`. Only one check runs at a time, so that probes do not pile up while a dependency hangs. */
function withDeadline(check: () => Promise<boolean>): () => Promise<boolean> {
	let pending: Promise<boolean> | undefined;
	return () => {
		pending ??= check()
			.catch(() => false)
			.finally(() => {
				pending = undefined;
			});
		return Promise.race([pending, sleep(deadlineMs, false, { ref: false })]);
	};
}

/** Live: the process responds. Ready: its roles can work, and it is not stopping. */
export function mountHealth(app: FastifyInstance, roles: readonly ProcessRole[], health: Health): void {
	app.get('/health/live', async (_request, reply) =>
		reply.header('cache-control', 'no-store').send({ status: 'live' }),
	);
	const checks = {
		postgres: withDeadline(health.postgres),
		clickhouse: health.clickhouse && withDeadline(health.clickhouse),
		nats: health.nats && withDeadline(health.nats),
	};
	app.get('/health/ready', async (_request, reply) => {
		const [postgres, clickhouse, nats] = await Promise.all([
			checks.postgres(),
			checks.clickhouse?.(),
			checks.nats?.(),
		]);
		const isDiskFull = health.isDiskFull?.() ?? false;
		const isUp = { postgres, clickhouse: clickhouse ?? false, nats: nats ?? true, disk: !isDiskFull };
		const missing = new Map(
			roles.map((role) => [role, health.waitsFor?.() ?? needs[role].find((part) => !isUp[part])]),
		);
		const word = (up: boolean) => (up ? 'up' : 'down');
		const counted = roles.filter((role) => publicRoles.includes(role));
		const isReady = (counted.length > 0 ? counted : roles).every((role) => missing.get(role) === undefined);
		// Not a fault, but load balancers should stop sending requests.
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
				...(isDiskFull && { disk: 'full' }),
			});
	});
}
