import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ChdbQueryStream, type RawInsertFormat, Session, type StreamChunk } from 'chdb';

// One connection in a thread of its own. The call that starts a stream is synchronous, and it computes the scalar
// subqueries of the statement before it returns: on the door's thread it would hold up every other statement.
// Requests are answered one by one; the door never sends a second one before the answer to the first.

export type LaneRequest =
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

export type LaneAnswer =
	| { is: 'chunk'; bytes: Uint8Array; rows: number }
	| { is: 'done'; readRows: number; readBytes: number; writtenRows: number; writtenBytes: number }
	| { is: 'error'; message: string };

export type LaneSetup = { folder: string; engineArguments: readonly string[]; useDatabase: string };

const nothing = { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0 };

/** Chunks are tens of megabytes: they are handed over, and a copy is made only of one that shares its memory. */
function ownBuffer(chunk: { bytes: Uint8Array }): ArrayBuffer {
	const { buffer, byteLength } = chunk.bytes;
	if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== byteLength) chunk.bytes = chunk.bytes.slice();
	// A slice of our own making is never of shared memory.
	return chunk.bytes.buffer as ArrayBuffer;
}

function serve(port: MessagePort, setup: LaneSetup): void {
	const session = new Session(setup.folder, { connectionArgs: setup.engineArguments });
	session.query(`USE ${setup.useDatabase}`);
	let stream: ChdbQueryStream | undefined;
	let chunks: AsyncIterator<StreamChunk> | undefined;

	async function answer(request: LaneRequest): Promise<LaneAnswer> {
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
	 * What a statement had written when it failed stays in the connection, and the answer to the next one would begin with it
	 * (chDB 3.4): another statement's rows. So it is fetched with a statement that has no answer of its own.
	 */
	async function discard(): Promise<void> {
		await session.queryAsync('SELECT 1', { format: 'Null' });
		const left = (await session.queryAsync('SELECT 1', { format: 'Null' })).bytes();
		if (left.length === 0) return;
		// Not a failure of this statement: the thread breaks, and the engine starts anew.
		setImmediate(() => {
			throw new Error('A connection gives back what is not asked for.');
		});
	}

	async function nextChunk(): Promise<LaneAnswer> {
		const step = await chunks?.next();
		if (step === undefined || step.done) return { is: 'done', ...nothing };
		return { is: 'chunk', bytes: step.value.raw(), rows: step.value.numRows };
	}

	port.on('message', (request: LaneRequest) => {
		answer(request).then(
			(reply) => port.postMessage(reply, reply.is === 'chunk' ? [ownBuffer(reply)] : []),
			(error: unknown) =>
				port.postMessage({
					is: 'error',
					message: error instanceof Error ? error.message : String(error),
				} satisfies LaneAnswer),
		);
	});
	port.postMessage({ is: 'done', ...nothing } satisfies LaneAnswer);
}

if (parentPort) serve(parentPort, workerData);
