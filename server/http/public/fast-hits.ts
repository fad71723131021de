/**
 * Answers plain hits before Fastify sees them, because the framework and its hooks took a fifth of the time of a hit. Every other
 * request goes to Fastify, where the same route exists: one with a query, without a length, too large, with unusual headers, or during a
 * shutdown. A hit that fails also goes there, with its error, so that there is one error handler.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ingestHit } from '../../ingest/ingest.ts';
import type { Log } from '../../lib/log.ts';
import type { ConnectionLimits } from '../ops/connection-limits.ts';
import type { GracefulShutdown } from '../ops/graceful-shutdown.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { ProxyCheck } from '../ops/proxy-check.ts';
import { hasValidHost } from '../request/host.ts';
import { type IngestOptions, maxHitBytes } from './ingest.ts';

export type FastHitOptions = IngestOptions & {
	/** Sent with every response of this service. */
	headers: Readonly<Record<string, string>>;
	maxHeaders: number;
	proxies: Pick<ProxyCheck, 'watch'>;
	leaving: Pick<GracefulShutdown, 'hasBegun'>;
	connections: ConnectionLimits;
	metrics: Pick<Metrics, 'request'>;
	log: Pick<Log, 'debug'>;
};

/** What browsers and most servers send. Fastify checks others. */
const plainTypes = new Set(['text/plain;charset=UTF-8', 'text/plain', 'application/json']);

/** Takes the place of Fastify as the first to see a request. */
export function mountFastHits(app: FastifyInstance, options: FastHitOptions): void {
	const { path, services, addressOf, countHit, failures, proxies, leaving, connections, metrics, log } =
		options;
	const hitHeaders = {
		'access-control-allow-origin': '*',
		'cache-control': 'no-store',
		'content-length': '0',
	};
	const headers = Object.entries({ ...options.headers, ...hitHeaders }).flat();

	function isPlain({ method, url, httpVersion, headers: sent, rawHeaders }: IncomingMessage): boolean {
		if (method !== 'POST' || url !== path || httpVersion !== '1.1') return false;
		const bytes = Number(sent['content-length'] ?? 0);
		return (
			bytes > 0 &&
			bytes <= maxHitBytes &&
			sent['transfer-encoding'] === undefined &&
			plainTypes.has(sent['content-type'] ?? '') &&
			rawHeaders.length <= 2 * options.maxHeaders &&
			hasValidHost(rawHeaders, httpVersion)
		);
	}

	function handle(request: IncomingMessage, response: ServerResponse): void {
		const startedMs = performance.now();
		const address = addressOf(request);
		const fail = (error: unknown) => {
			if (response.headersSent) return log.debug({ error }, 'error after the response');
			failures.set(request, { error });
			app.routing(request, response);
		};
		const answer = (dropped: string | undefined) => {
			const requestId = randomUUID();
			const sent = ['x-request-id', requestId, ...headers];
			if (dropped !== undefined) sent.push('x-tidemark-dropped', dropped);
			if (leaving.hasBegun()) sent.push('connection', 'close');
			connections.limitIdleTime(request.socket, response, sent);
			response.writeHead(202, sent).end();
			proxies.watch(request);
			const ms = performance.now() - startedMs;
			metrics.request({ method: 'POST', route: path, status: 202, seconds: ms / 1000 });
			log.debug(
				{ requestId, method: 'POST', route: path, status: 202, ms: Math.round(ms) },
				'request completed',
			);
		};
		try {
			countHit(address);
		} catch (error) {
			fail(error);
			return;
		}
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('error', fail);
		request.on('end', () => {
			const json = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
			ingestHit({ json, address, headers: request.headers }, services).then(answer).catch(fail);
		});
	}

	app.server.off('request', app.routing);
	app.server.on('request', (request, response) => {
		if (isPlain(request) && !leaving.hasBegun()) handle(request, response);
		else app.routing(request, response);
	});
}
