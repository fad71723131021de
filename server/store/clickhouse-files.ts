import { basename } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { openPipe, pipeHeader } from '../engine/pipes.ts';

/** The server's error block at the end of a response has at most 16 KB. */
const tailBytes = 20_000;

type Statement = Parameters<ClickHouseClient['exec']>[0];

/** Reads the response of a statement. */
export async function* readResponse(client: ClickHouseClient, statement: Statement): AsyncGenerator<Buffer> {
	const result = await client.exec(statement);
	const tag = result.response_headers['x-clickhouse-exception-tag'];
	let tail: Buffer = Buffer.alloc(0);
	for await (const piece of result.stream) {
		const bytes: Buffer = piece;
		tail = bytes.length < tailBytes ? Buffer.concat([tail, bytes]).subarray(-tailBytes) : bytes;
		yield bytes;
	}
	// Behind a proxy, an error in the middle of a response looks like its end, except for this marker.
	if (tail.includes(`\r\n__exception__\r\n${tag ?? ''}`))
		throw new Error('ClickHouse failed in the middle of a response.');
}

/** The embedded engine writes into a named pipe, so that its endpoint does not have to copy the bytes. */
export async function* readPipe(
	client: ClickHouseClient,
	statement: Statement,
	folder: string,
): AsyncGenerator<Buffer> {
	const { abort_signal: signal } = statement;
	const pipe = await openPipe(folder);
	const aborted = new AbortController();
	const abort = () => {
		aborted.abort();
		// The engine may be blocked until the pipe is read.
		pipe.close();
	};
	if (signal?.aborted) abort();
	else signal?.addEventListener('abort', abort, { once: true });
	const done = client
		.exec({
			...statement,
			abort_signal: aborted.signal,
			http_headers: { [pipeHeader]: basename(pipe.path) },
		})
		.then(({ stream }) => void stream.resume())
		.finally(pipe.end);
	// Handled below, once everything that was written has been read.
	done.catch(() => undefined);
	try {
		yield* pipe.bytes;
		await done;
	} catch (error) {
		// The error of the statement itself is the better one.
		throw await done.then(
			() => error,
			(failure: unknown) => failure,
		);
	} finally {
		signal?.removeEventListener('abort', abort);
		abort();
	}
}
