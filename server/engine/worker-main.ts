import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ChdbQueryStream, type RawInsertFormat, Session, type StreamChunk } from 'chdb';

// An engine worker: one connection in its own thread. Starting a stream is synchronous and computes scalar subqueries,
// which would block all other statements on the endpoint's thread. Requests are handled one at a time.

export type EngineWorkerRequest =
	| { op: 'stream'; sql: string }
	| { op: 'next' }
	| { op: 'cancel' }
	| { op: 'whole'; sql: string; format: string }
	| {
			op: 'insert';
			table: string;
			columns: readonly string[] | undefined;
			format: RawInsertFormat;
			settings: Record<string, string>;
			body: Uint8Array;
	  };

export type EngineWorkerResponse =
	| { is: 'chunk'; bytes: Uint8Array; rows: number }
	| { is: 'done'; readRows: number; readBytes: number; writtenRows: number; writtenBytes: number }
	| { is: 'error'; message: string };

export type EngineWorkerSetup = { folder: string; engineArguments: readonly string[]; useDatabase: string };

const nothing = { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0 };

/** Chunks have tens of megabytes, so they are transferred; only a chunk that shares its memory is copied. */
function ownBuffer(chunk: { bytes: Uint8Array }): ArrayBuffer {
	const { buffer, byteLength } = chunk.bytes;
	if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength) chunk.bytes = chunk.bytes.slice();
	// slice() never returns shared memory.
	return chunk.bytes.buffer as ArrayBuffer;
}

function serve(port: MessagePort, setup: EngineWorkerSetup): void {
	const session = new Session(setup.folder, { connectionArgs: setup.engineArguments });
	session.query(`USE ${setup.useDatabase}`);
	let stream: ChdbQueryStream | undefined;
	let chunks: AsyncIterator<StreamChunk> | undefined;

	async function handle(request: EngineWorkerRequest): Promise<EngineWorkerResponse> {
		switch (request.op) {
			case 'stream':
				stream = session.queryStream(request.sql, { format: 'JSONEachRow' });
				chunks = stream[Symbol.asyncIterator]();
				return nextChunk();
			case 'next':
				return nextChunk();
			case 'cancel':
				await chunks?.return?.();
				stream?.cancel();
				return { is: 'done', ...nothing };
			case 'whole': {
				chunks = undefined;
				const result = await session
					.queryAsync(request.sql, { format: request.format })
					.catch(async (error: unknown) => {
						await discard();
						throw error;
					});
				const done = { ...nothing, readRows: result.rowsRead, readBytes: result.bytesRead };
				const bytes = result.bytes();
				return bytes.length === 0 ? { is: 'done', ...done } : { is: 'chunk', bytes, rows: 0 };
			}
			case 'insert': {
				const { table, columns, format, settings, body } = request;
				const written = await session.insert({
					table,
					format,
					settings,
					values: body,
					...(columns && { columns }),
				});
				return {
					is: 'done',
					...nothing,
					writtenRows: written.rowsWritten,
					writtenBytes: written.bytesWritten,
				};
			}
		}
	}

	/**
	 * In chDB 3.4 the output of a failed statement stays in the connection, and the next result would start with its rows. A
	 * statement without a result fetches and drops them.
	 */
	async function discard(): Promise<void> {
		await session.queryAsync('SELECT 1', { format: 'Null' });
		const left = (await session.queryAsync('SELECT 1', { format: 'Null' })).bytes();
		if (left.length === 0) return;
		// Not an error of this statement: crash the thread, so that the engine restarts.
		setImmediate(() => {
			throw new Error('A connection returned the output of another statement.');
		});
	}

	async function nextChunk(): Promise<EngineWorkerResponse> {
		const step = await chunks?.next();
		if (step === undefined || step.done) return { is: 'done', ...nothing };
		return { is: 'chunk', bytes: step.value.raw(), rows: step.value.numRows };
	}

	port.on('message', (request: EngineWorkerRequest) => {
		handle(request).then(
			(reply) => port.postMessage(reply, reply.is === 'chunk' ? [ownBuffer(reply)] : []),
			(error: unknown) =>
				port.postMessage({
					is: 'error',
					message: error instanceof Error ? error.message : String(error),
				} satisfies EngineWorkerResponse),
		);
	});
	port.postMessage({ is: 'done', ...nothing } satisfies EngineWorkerResponse);
}

if (parentPort) serve(parentPort, workerData);
