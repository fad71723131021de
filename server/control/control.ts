/**
 * The control server: HTTP on a Unix socket that only the owner of the data folder can open. Commands run their operation in
 * the running service through it (call.ts), so that one process owns the folder and its caches stay valid.
 * The response is lines of JSON: any number of `progress`, `said` and `bytes`, then one `result` or `error`.
 */
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import type { ControlLine } from './call.ts';
import type { OperatorServices } from './operation.ts';
import { isOperation, runOperation } from './operations.ts';

export type Control = { close(): Promise<void> };

type ControlOptions = {
	services: Omit<OperatorServices, 'log'>;
	afterOperation(): void;
	metrics(): Promise<string>;
	log: Log;
};

export async function openControl(path: string, options: ControlOptions): Promise<Control> {
	const server = createServer((request, response) => {
		handle(request, response, options).catch((error) => {
			options.log.error({ error }, 'control request failed');
			response.destroy();
		});
	});
	// Only the process with the folder lock listens here, so an existing file is left from a crash.
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

async function handle(request: IncomingMessage, response: ServerResponse, options: ControlOptions) {
	if (request.method === 'GET' && request.url === '/metrics') {
		response.setHeader('content-type', 'text/plain; version=0.0.4');
		response.end(await options.metrics());
		return;
	}
	const name = /^\/operations\/([a-z.]+)$/.exec(request.url ?? '')?.[1] ?? '';
	const send = (line: ControlLine) => response.write(`${JSON.stringify(line)}\n`);
	const disconnected = new AbortController();
	response.once('close', () => disconnected.abort());
	try {
		if (request.method !== 'POST' || !isOperation(name))
			throw new AppError('not_found', `There is no operation ${name}.`);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const input: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
		const result = await runOperation({ ...options.services, log: options.log }, name, input, {
			report: (progress) => void send({ progress }),
			trySend: (message) => {
				if (response.writableLength > maxBufferedBytes) return false;
				send({ said: message });
				return true;
			},
			async send(message) {
				disconnected.signal.throwIfAborted();
				const line: ControlLine =
					message instanceof Uint8Array
						? { bytes: Buffer.from(message).toString('base64') }
						: { said: message };
				if (!send(line)) await once(response, 'drain', { signal: disconnected.signal });
			},
			signal: disconnected.signal,
		});
		options.afterOperation();
		send({ result: result ?? null });
	} catch (error) {
		if (!(error instanceof AppError) && !disconnected.signal.aborted)
			options.log.error({ error, operation: name }, 'operation failed');
		const message = error instanceof Error ? error.message : String(error);
		const refusal = error instanceof AppError ? error : undefined;
		send({ error: { code: refusal?.code ?? null, message, errors: refusal?.errors } });
	}
	response.end();
}

/** Above it, `trySend` drops messages to a client that reads too slowly. */
const maxBufferedBytes = 1_000_000;
