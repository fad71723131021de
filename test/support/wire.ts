import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { patience } from './timeout-factor.ts';

/**
 * Requests that fetch refuses to make: doubled headers, raw bytes, odd methods, broken framing.
 * What is written goes out as it is; what comes back is read until the service closes the connection.
 */
export type WireAnswer = {
	status: number;
	statusLine: string;
	/** In the order they came, names in lower case. */
	headers: [name: string, value: string][];
	body: string;
	/** All that was received, for answers that are not one answer. */
	text: string;
	closed: boolean;
	ms: number;
};

export type WireRequest = {
	method?: string;
	path?: string;
	headers?: [name: string, value: string][];
	body?: string | Uint8Array;
	/** Sent after the head, one by one, as chunks of a chunked body. */
	chunks?: (string | Uint8Array)[];
};

export function wireRequest(base: string, request: WireRequest, timeoutMs = 10_000): Promise<WireAnswer> {
	const { method = 'GET', path = '/', headers = [], body, chunks } = request;
	const sent = new Set(headers.map(([name]) => name.toLowerCase()));
	const lines = headers.map(([name, value]) => `${name}: ${value}`);
	if (!sent.has('host')) lines.unshift(`Host: ${new URL(base).host}`);
	if (!sent.has('connection')) lines.push('Connection: close');
	if (chunks && !sent.has('transfer-encoding')) lines.push('Transfer-Encoding: chunked');
	if (body !== undefined && !sent.has('content-length'))
		lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
	const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
	const framed = (chunks ?? []).flatMap((chunk) => [
		Buffer.from(`${Buffer.byteLength(chunk).toString(16)}\r\n`),
		Buffer.from(chunk),
		Buffer.from('\r\n'),
	]);
	const end = chunks ? [Buffer.from('0\r\n\r\n')] : [];
	return exchange(base, Buffer.concat([head, Buffer.from(body ?? ''), ...framed, ...end]), timeoutMs);
}

/** Bytes out, bytes in, until the service closes or the time is over. */
export async function exchange(
	base: string,
	bytes: string | Uint8Array,
	timeoutMs = 10_000,
): Promise<WireAnswer> {
	const begin = performance.now();
	const socket = await open(base);
	const received: Buffer[] = [];
	socket.on('data', (part) => received.push(part));
	// The service may close while we still write; what counts is what it said before.
	socket.on('error', () => {});
	const closed = once(socket, 'close').then(() => true);
	socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
	const timer = new AbortController();
	const inTime = await Promise.race([
		closed,
		wait(timeoutMs * patience, false, { signal: timer.signal }).catch(() => false),
	]);
	timer.abort();
	socket.destroy();
	return {
		...readAnswer(Buffer.concat(received).toString('utf8')),
		closed: inTime,
		ms: performance.now() - begin,
	};
}

export async function open(base: string): Promise<Socket> {
	const { hostname, port } = new URL(base);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	return socket;
}

export function readAnswer(text: string): Omit<WireAnswer, 'closed' | 'ms'> {
	const [head = '', ...rest] = text.split('\r\n\r\n');
	const [statusLine = '', ...lines] = head.split('\r\n');
	const headers = lines.map((line): [string, string] => {
		const colon = line.indexOf(':');
		return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
	});
	return { status: Number(statusLine.split(' ')[1]), statusLine, headers, body: rest.join('\r\n\r\n'), text };
}

export const headerOf = (answer: Pick<WireAnswer, 'headers'>, name: string) =>
	answer.headers.find(([given]) => given === name)?.[1];
