/**
 * The operator's door: HTTP on a unix socket that only the owner of the data folder can open. A command that finds
 * it hands its work to the running service (call.ts); so one process owns the folder, and what it keeps in memory stays true.
 * An operation answers in lines of JSON: any number of `progress`, `said` and `bytes`, then one `result` or `error`.
 */

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import type { Line } from './call.ts';
import { isOperation, type OperatorServices, runOperation } from './operations.ts';

export type Control = { close(): Promise<void> };

export async function openControl(
	path: string,
	options: {
		services: Omit<OperatorServices, 'log'>;
		afterOperation(): void;
		metrics(): Promise<string>;
		log: Log;
	},
): Promise<Control> {
	const server = createServer((request, response) => {
		answer(request, response, options).catch((error) => {
			options.log.error({ error }, 'the control socket failed');
			response.destroy();
		});
	});
	// Whoever holds the lock of the folder is the only one who may listen, so a file that is left is from a crash.
	rmSync(path, { force: true });
	const mask = process.umask(0o177);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(path, resolve);
	}).finally(() => process.umask(mask));
	chmodSync(path, 0o600);
	return {
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	options: {
		services: Omit<OperatorServices, 'log'>;
		afterOperation(): void;
		metrics(): Promise<string>;
		log: Log;
	},
) {
	if (request.method === 'GET' && request.url === '/metrics') {
		response.setHeader('content-type', 'text/plain; version=0.0.4');
		response.end(await options.metrics());
		return;
	}
	const name = /^\/operations\/([a-z.]+)$/.exec(request.url ?? '')?.[1] ?? '';
	const send = (line: Line) => response.write(`${JSON.stringify(line)}\n`);
	const left = new AbortController();
	response.once('close', () => left.abort());
	try {
		if (request.method !== 'POST' || !isOperation(name))
			throw new AppError('not_found', `There is no operation ${name}.`);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const input: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
		const result = await runOperation({ ...options.services, log: options.log }, name, input, {
			report: (progress) => void send({ progress }),
			tell: (said) => {
				if (response.writableLength > maxUnread) return false;
				send({ said });
				return true;
			},
			async hand(said) {
				left.signal.throwIfAborted();
				const line: Line =
					said instanceof Uint8Array ? { bytes: Buffer.from(said).toString('base64') } : { said };
				if (!send(line)) await once(response, 'drain', { signal: left.signal });
			},
			gone: left.signal,
		});
		options.afterOperation();
		send({ result: result ?? null });
	} catch (error) {
		if (!(error instanceof AppError) && !left.signal.aborted)
			options.log.error({ error, operation: name }, 'an operation failed');
		const message = error instanceof Error ? error.message : String(error);
		const refusal = error instanceof AppError ? error : undefined;
		send({ error: { code: refusal?.code ?? null, message, errors: refusal?.errors } });
	}
	response.end();
}

/** Bytes that wait for a caller who reads slowly. */
const maxUnread = 1_000_000;
