/**
 * Uploads may take long, but Node's request timeout is the same for all requests. So connections with a running upload are
 * exempt from it, and closed here when nothing arrives for a while.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const idleMs = 30_000;
const uploading = new WeakSet<object>();

/** Whether a request timeout is about an upload. */
export const isUploading = (socket: object, code: string | undefined): boolean =>
	code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket);

/** Makes Fastify leave bodies unread; the route reads them after it has authorized the caller. */
export function skipBodyParsing(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

export async function* chunksOf(request: FastifyRequest): AsyncGenerator<Buffer> {
	const socket: Socket = request.raw.socket;
	uploading.add(socket);
	const onIdle = () => request.raw.destroy(new Error('The upload sent nothing for 30 seconds.'));
	let timer = setTimeout(onIdle, idleMs);
	try {
		for await (const piece of request.raw) {
			clearTimeout(timer);
			// Without an encoding the stream yields buffers.
			yield piece as Buffer;
			timer = setTimeout(onIdle, idleMs);
		}
	} finally {
		clearTimeout(timer);
		uploading.delete(socket);
	}
}
