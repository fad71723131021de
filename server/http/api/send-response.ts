import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import { headerOf } from '../request/read-request.ts';
import { matchesIfNoneMatch } from './etag.ts';
import type { ApiResponse } from './route.ts';

type IsStillAuthorized = () => Promise<boolean>;

/** Streams and files may outlive the key, session or role that opened them, so `isStillAuthorized` is called while they are sent. */
export function sendResponse(
	request: FastifyRequest,
	reply: FastifyReply,
	response: ApiResponse,
	isStillAuthorized: IsStillAuthorized,
) {
	reply.headers({ 'cache-control': 'private, no-cache', ...response.headers });
	const { etag } = response.headers;
	const isRead = request.method === 'GET' || request.method === 'HEAD';
	if (isRead && etag !== undefined && matchesIfNoneMatch(headerOf(request, 'if-none-match'), etag))
		return reply.code(304).send();
	reply.code(response.status).type(response.type ?? 'application/json');
	const { stream, file } = response;
	if (file) return sendFile(request, reply, file, isStillAuthorized);
	if (!stream) return reply.send(response.text);
	if (reply.raw.closed) stream.end();
	else reply.raw.once('close', () => stream.end());
	return request.method === 'HEAD'
		? reply.send()
		: reply.send(Readable.from(messagesWhile(stream.messages, isStillAuthorized)));
}

async function* messagesWhile(
	messages: AsyncIterable<string>,
	isStillAuthorized: IsStillAuthorized,
): AsyncGenerator<string> {
	for await (const message of messages) {
		if (!(await isStillAuthorized())) return;
		yield message;
	}
}

/** A client that reads nothing for this long is treated as disconnected. */
const stalledMs = 60_000;
const recheckEveryMs = 1_000;

function sendFile(
	request: FastifyRequest,
	reply: FastifyReply,
	file: NonNullable<ApiResponse['file']>,
	isStillAuthorized: IsStillAuthorized,
) {
	if (reply.raw.closed || request.method === 'HEAD') {
		file.end();
		return reply.send();
	}
	const { raw } = reply;
	raw.once('close', () => file.end());
	// Not as a Readable, which would read ahead: a piece is only valid until the next one is requested.
	reply.hijack();
	raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
	writePieces(file, raw, isStillAuthorized).then(
		() => raw.end(),
		// A normal end would look like a complete file.
		() => raw.destroy(),
	);
	return reply;
}

async function writePieces(
	{ pieces, end }: NonNullable<ApiResponse['file']>,
	raw: ServerResponse,
	isStillAuthorized: IsStillAuthorized,
): Promise<void> {
	let checkedAt = performance.now();
	for await (const piece of pieces) {
		if (performance.now() - checkedAt > recheckEveryMs) {
			if (!(await isStillAuthorized())) throw new AppError('forbidden', 'You can no longer read this file.');
			checkedAt = performance.now();
		}
		const stalled = setTimeout(() => raw.destroy(), stalledMs);
		try {
			await write(raw, piece);
		} finally {
			clearTimeout(stalled);
		}
	}
	// Before the last byte is sent: a client that has received it may start the next export.
	end();
}

/** Resolves when the bytes have been written and their buffer can be reused. */
function write(raw: ServerResponse, bytes: Uint8Array): Promise<void> {
	return new Promise((resolve, reject) => {
		const onClose = () => reject(new Error('The client disconnected.'));
		if (raw.closed) return onClose();
		raw.once('close', onClose);
		raw.write(bytes, (error) => {
			raw.off('close', onClose);
			if (error) reject(error);
			else resolve();
		});
	});
}
