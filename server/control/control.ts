/**
 * The operator's door: HTTP on a unix socket that only the owner of the data folder can open. A command that finds
 * it hands its work to the running service; so one process owns the folder, and what it keeps in memory stays true.
 * An operation answers in lines of JSON: any number of `progress`, `said` and `bytes`, then one `result` or `error`.
 */

import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { ErrorCode, FieldErrors } from '../../api/errors.ts';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import {
	isOperation,
	type OperationInput,
	type OperationName,
	type OperationResult,
	type OperatorServices,
	type Report,
	runOperation,
} from './operations.ts';

type Line =
	| { progress: { done: number; total: number } }
	| { said: unknown }
	/** In base64. */
	| { bytes: string }
	| { result: unknown }
	| { error: { code: ErrorCode | null; message: string; errors?: FieldErrors | undefined } };

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

/** Gets what is said before the result, bytes as bytes. The next comes when it is done with this one. */
export type Hear = (said: unknown) => void | Promise<void>;

/** Runs an operation in the service on the folder; undefined when none is running there. */
export async function callControl<N extends OperationName>(
	path: string,
	name: N,
	input: OperationInput<N>,
	report: Report,
	hear: Hear = () => undefined,
): Promise<{ result: OperationResult<N> } | undefined> {
	const response = await new Promise<IncomingMessage | undefined>((resolve, reject) => {
		const request = httpRequest({ socketPath: path, path: `/operations/${name}`, method: 'POST' }, resolve);
		request.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
			else reject(error);
		});
		request.end(JSON.stringify(input));
	});
	if (!response) return undefined;
	for await (const text of linesOf(response)) {
		// The other end is this same program.
		const line = JSON.parse(text) as Line;
		if ('progress' in line) report(line.progress);
		else if ('said' in line) await hear(line.said);
		else if ('bytes' in line) await hear(Buffer.from(line.bytes, 'base64'));
		else if ('result' in line) return { result: revive(line.result) as OperationResult<N> };
		else throw asError(line.error);
	}
	throw new Error('The service ended before it answered; look at its log, then try again.');
}

/**
 * A connection that is cut ends the lines, as an end without a result does. No more is read than is asked for: a backup must
 * not pile up here.
 */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
	let begun: Buffer[] = [];
	try {
		for await (const chunk of response) {
			// An IncomingMessage without an encoding gives buffers.
			const bytes: Buffer = chunk;
			let from = 0;
			for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
				yield Buffer.concat([...begun, bytes.subarray(from, at)]).toString('utf8');
				begun = [];
				from = at + 1;
			}
			if (from < bytes.length) begun.push(bytes.subarray(from));
		}
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
	}
}

/** Whether a service listens there. */
export function isServed(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(path, () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}

function asError({
	code,
	message,
	errors,
}: {
	code: ErrorCode | null;
	message: string;
	errors?: FieldErrors | undefined;
}) {
	return code === null ? new Error(message) : new AppError(code, message, errors ? { errors } : {});
}

/** Dates travel as text; the members that end in `At` are dates. */
function revive(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(revive);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			name,
			typeof inner === 'string' && name.endsWith('At') ? new Date(inner) : revive(inner),
		]),
	);
}
