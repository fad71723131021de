import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { notFound } from '../accounts/authorize.ts';
import { digestOf } from '../accounts/keys.ts';

export type Metrics = {
	request(answered: { method: string; route: string; status: number; seconds: number }): void;
	/** A figure that is read when somebody asks. */
	gauge(name: string, help: string, read: () => number | Promise<number>): void;
	text(): Promise<string>;
	/** Of this process alone, to be added up with those of others. */
	own(): Promise<object[]>;
	/** Where several processes answer on one port, each gives out the figures of all. */
	gather(text: () => Promise<string>): void;
	/** Public only for whoever knows the token; without one the address does not exist. */
	mount(app: FastifyInstance, token: string | undefined): void;
};

export function createMetrics(): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const labels = ['method', 'route', 'status'] as const;
	const requests = new Counter({
		name: 'tidemark_http_requests_total',
		help: 'Requests answered, by route.',
		labelNames: labels,
		registers: [registry],
	});
	const durations = new Histogram({
		name: 'tidemark_http_request_seconds',
		help: 'Time from the first byte of a request to the last of its answer.',
		labelNames: ['route'],
		buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
		registers: [registry],
	});
	let text = () => registry.metrics();
	return {
		request({ method, route, status, seconds }) {
			requests.inc({ method, route, status });
			durations.observe({ route }, seconds);
		},
		gauge(name, help, read) {
			new Gauge({
				name,
				help,
				registers: [registry],
				async collect() {
					this.set(await read());
				},
			});
		},
		text: () => text(),
		own: () => registry.getMetricsAsJSON(),
		gather(ofAll) {
			text = ofAll;
		},
		mount(app, token) {
			app.get('/metrics', async (request, reply) => {
				const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
				if (token === undefined || given === undefined) throw notFound();
				if (!timingSafeEqual(digestOf(given), digestOf(token))) throw notFound();
				return reply.type(registry.contentType).send(await text());
			});
		},
	};
}

/** Counts are added; of versions and the like the first one stands. */
export const addUpMetrics = (processes: readonly object[][]): Promise<string> =>
	AggregatorRegistry.aggregate([...processes]).metrics();
