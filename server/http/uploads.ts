/**
 * A file comes as long as it takes. All other requests must be here within seconds, which Node sees to by the clock alone; so a
 * connection with an upload under way is excepted, and ended here when nothing comes for a while.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const idleMs = 30_000;
const uploading = new WeakSet<object>();

/** Whether a complaint about a slow request is about one of them. */
export const isUploading = (socket: object, code: string | undefined): boolean =>
	code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket);

/** Bodies below are not read by the framework: the route does, when it knows who sends. */
export function leaveBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

export async function* piecesOf(request: FastifyRequest): AsyncGenerator<Buffer> {
	const socket: Socket = request.raw.socket;
	uploading.add(socket);
	const isSilent = () => request.raw.destroy(new Error('Nothing was sent for half a minute.'));
	let timer = setTimeout(isSilent, idleMs);
	try {
		for await (const piece of request.raw) {
			clearTimeout(timer);
			// A request without an encoding gives buffers.
			yield piece as Buffer;
			timer = setTimeout(isSilent, idleMs);
		}
	} finally {
		clearTimeout(timer);
		uploading.delete(socket);
	}
}
