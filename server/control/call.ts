/**
 * The other side of the operator's door: how a command hands its work to the service that runs on its folder. Nothing of the
 * service itself is loaded for it, so that such a command answers at once.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { ErrorCode, FieldErrors } from '../../api/errors.ts';
import { AppError } from '../lib/app-error.ts';
import { socketPath } from '../lib/sockets.ts';
import type { OperationInput, OperationName, OperationResult, Report } from './operations.ts';

export const controlPath = ({ dataFolder }: { dataFolder: string }): string =>
	socketPath(dataFolder, 'control.sock');

export type Line =
	| { progress: { done: number; total: number } }
	| { said: unknown }
	/** In base64. */
	| { bytes: string }
	| { result: unknown }
	| { error: { code: ErrorCode | null; message: string; errors?: FieldErrors | undefined } };

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
