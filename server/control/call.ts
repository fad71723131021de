/** The client of the control server. It loads nothing of the service, so that commands start quickly. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { ErrorCode, FieldErrors } from '../../api/errors.ts';
import { AppError } from '../lib/app-error.ts';
import { socketPath } from '../lib/sockets.ts';
import type { Report } from './operation.ts';
import type { OperationInput, OperationName, OperationResult } from './operations.ts';

export const controlPath = ({ dataFolder }: { dataFolder: string }): string =>
	socketPath(dataFolder, 'control.sock');

export type ControlLine =
	| { progress: { done: number; total: number } }
	| { said: unknown }
	/** In base64. */
	| { bytes: string }
	| { result: unknown }
	| { error: { code: ErrorCode | null; message: string; errors?: FieldErrors | undefined } };

/** Called for each message before the result; bytes are a Buffer. The next message waits for the returned promise. */
export type OnMessage = (message: unknown) => void | Promise<void>;

/** Runs an operation in the service on the folder; undefined if no service is running. */
export async function callControl<N extends OperationName>(
	path: string,
	name: N,
	input: OperationInput<N>,
	report: Report,
	onMessage: OnMessage = () => undefined,
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
		// The server is this same program.
		const line = JSON.parse(text) as ControlLine;
		if ('progress' in line) report(line.progress);
		else if ('said' in line) await onMessage(line.said);
		else if ('bytes' in line) await onMessage(Buffer.from(line.bytes, 'base64'));
		else if ('result' in line) return { result: revive(line.result) as OperationResult<N> };
		else throw toError(line.error);
	}
	throw new Error('The service stopped before it responded. Check its log, then try again.');
}

/** A closed connection ends the lines. Reads only as fast as the consumer, so that a backup is not buffered here. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
	let partial: Buffer[] = [];
	try {
		for await (const chunk of response) {
			// An IncomingMessage without an encoding gives buffers.
			const bytes: Buffer = chunk;
			let start = 0;
			for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
				yield Buffer.concat([...partial, bytes.subarray(start, end)]).toString('utf8');
				partial = [];
				start = end + 1;
			}
			if (start < bytes.length) partial.push(bytes.subarray(start));
		}
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
	}
}

/** Whether a service listens on the socket. */
export function isServed(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(path, () => {
			socket.destroy();
			resolve(true);
		});
		socket.on('error', () => resolve(false));
	});
}

function toError({
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

/** JSON has no dates: fields that end in `At` are dates. */
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
