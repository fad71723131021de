/**
 * Sends prebuilt hits on raw sockets that stay open. A client that parses responses would take as much of the cores as the server that
 * it measures.
 */
import { connect, type Socket } from 'node:net';
import type { HitTemplate } from './mixed-hits.ts';
import { percentile } from './table.ts';

export type Sent = { acknowledged: number; perSecond: number; p50: number; p99: number };

type Options = { base: string; hits: readonly HitTemplate[]; seconds: number; connections?: number };

/** Different in each run, and counted up in it. */
const prefix = Math.floor(Date.now() / 100)
	.toString(16)
	.slice(-8)
	.padStart(8, '0');
let lastId = 0;

/** Each connection sends its next hit when the last one was acknowledged. */
export async function sendAtFullSpeed({ base, hits, seconds, connections = 64 }: Options): Promise<Sent> {
	const times: number[] = [];
	const started = performance.now();
	const until = started + seconds * 1000;
	await withConnections(base, connections, async ({ send }) => {
		for (let sentAt = performance.now(); sentAt < until; ) {
			await send(nextHit(hits));
			const now = performance.now();
			times.push(now - sentAt);
			sentAt = now;
		}
	});
	return summarize(times, performance.now() - started);
}

/**
 * Hits arrive at a fixed rate, whether the server keeps up or not. The time of a hit begins when it was due, so a pause of the server
 * counts for every hit that was due in it.
 */
export async function sendAtRate(options: Options & { perSecond: number }): Promise<Sent> {
	const { base, hits, seconds, connections = 64, perSecond } = options;
	const times: number[] = [];
	const total = Math.round(seconds * perSecond);
	const started = performance.now();
	let taken = 0;
	/** Connections that wait for a hit to be due. */
	const idle: (() => void)[] = [];
	const timer = setInterval(() => {
		const due = Math.ceil(((performance.now() - started) * perSecond) / 1000) - taken;
		for (const wake of taken >= total ? idle.splice(0) : idle.splice(0, due)) wake();
	}, 1);
	await withConnections(base, connections, async ({ send }) => {
		while (taken < total) {
			const dueAt = started + (taken * 1000) / perSecond;
			if (dueAt > performance.now()) {
				await new Promise<void>((resolve) => idle.push(resolve));
				continue;
			}
			taken++;
			await send(nextHit(hits));
			times.push(performance.now() - dueAt);
		}
	});
	clearInterval(timer);
	return summarize(times, performance.now() - started);
}

function nextHit(hits: readonly HitTemplate[]): string {
	const id = ++lastId;
	const hit = hits[id % hits.length];
	if (!hit) throw new Error('There are no hits to send.');
	return `${hit.head}${prefix}${id.toString(16).padStart(8, '0')}${hit.tail}`;
}

const summarize = (times: readonly number[], ms: number): Sent => ({
	acknowledged: times.length,
	perSecond: (times.length * 1000) / ms,
	p50: Math.round(percentile(times, 0.5) * 10) / 10,
	p99: Math.round(percentile(times, 0.99) * 10) / 10,
});

type Connection = { send(request: string): Promise<void> };

async function withConnections(
	base: string,
	count: number,
	use: (connection: Connection) => Promise<void>,
): Promise<void> {
	const { hostname, port } = new URL(base);
	await Promise.all(
		Array.from({ length: count }, async () => {
			const socket = connect(Number(port), hostname);
			try {
				await use(openConnection(socket));
			} finally {
				socket.destroy();
			}
		}),
	);
}

function openConnection(socket: Socket): Connection {
	let answer = Promise.withResolvers<void>();
	socket.setNoDelay(true).setEncoding('latin1');
	socket.on('error', (error) => answer.reject(error));
	socket.on('close', () => answer.reject(new Error('The server closed the connection.')));
	// The response to a hit has no body and comes in one piece.
	socket.on('data', (text) => {
		if (String(text).startsWith('HTTP/1.1 202')) answer.resolve();
		else answer.reject(new Error(`The hit was not acknowledged: ${text}`));
	});
	return {
		send(request) {
			answer = Promise.withResolvers<void>();
			socket.write(request, 'latin1');
			return answer.promise;
		},
	};
}
