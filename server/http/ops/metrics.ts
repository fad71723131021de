import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { notFound } from '../../accounts/authorize.ts';
import { digestOf } from '../../accounts/keys.ts';

export type Metrics = {
	request(answered: { method: string; route: string; status: number; seconds: number }): void;
	/** A value that is read at each scrape; NaN if that exceeds the deadline. */
	gauge(name: string, help: string, read: () => number | Promise<number>): void;
	text(): Promise<string>;
	/** The metrics of this process alone, to be aggregated with those of other processes. */
	own(): Promise<object[]>;
	/** With several processes on one port, each serves the metrics of all. */
	gather(allText: () => Promise<string>): void;
	/** Requires the token; without a configured token the path does not exist. */
	mount(app: FastifyInstance, token: string | undefined): void;
};

/** Longer than the ping deadline of a database, so that its own result is used. */
const gaugeDeadlineMs = 2_000;

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
		help: 'Time from the first byte of a request to the last byte of its response.',
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
					this.set(await Promise.race([read(), sleep(gaugeDeadlineMs, Number.NaN, { ref: false })]));
				},
			});
		},
		text: () => text(),
		own: () => registry.getMetricsAsJSON(),
		gather(allText) {
			text = allText;
		},
		mount(app, token) {
			app.get('/metrics', async (request, reply) => {
				const sent = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
				if (token === undefined || sent === undefined) throw notFound();
				if (!timingSafeEqual(digestOf(sent), digestOf(token))) throw notFound();
				return reply.type(registry.contentType).send(await text());
			});
		},
	};
}

/** Counters are summed; of labels such as versions the first wins. */
export const addUpMetrics = (processes: readonly object[][]): Promise<string> =>
	AggregatorRegistry.aggregate([...processes]).metrics();
