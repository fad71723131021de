import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RawBody } from './read-body.ts';

export function rawBodyOf(request: FastifyRequest): RawBody {
	return {
		bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
		contentType: contentTypeOf(request),
		contentEncoding: request.headers['content-encoding'],
	};
}

/** From the raw headers, because the hooks delete the parsed one (see `ignoreContentType`). */
export function contentTypeOf({ raw }: FastifyRequest): string | undefined {
	const index = raw.rawHeaders.findIndex(
		(name, position) => position % 2 === 0 && name.toLowerCase() === 'content-type',
	);
	return index < 0 ? undefined : raw.rawHeaders[index + 1];
}

/** Routes check the content type after the id and the permissions; Fastify would reject an unusual one before them. */
export function ignoreContentType({ raw }: FastifyRequest): void {
	delete raw.headers['content-type'];
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
	const header = request.headers[name];
	return Array.isArray(header) ? header.join(', ') : header;
}

/** The raw query string, without the question mark. */
export function queryOf({ url }: FastifyRequest): string {
	const mark = url.indexOf('?');
	return mark < 0 ? '' : url.slice(mark + 1);
}

export function paramsOf(request: FastifyRequest): Record<string, string> {
	// Fastify types parameters by route; ours are strings.
	const params = request.params as Record<string, string>;
	const { dimension } = params;
	return dimension === undefined ? params : { ...params, dimension: readDimension(request, dimension) };
}

/**
 * The router never sees a percent sign (see app.ts), but a custom property may have any name, so this segment is read from
 * the original URL. Invalid UTF-8 and NUL occur in no name.
 */
function readDimension({ originalUrl }: FastifyRequest, routed: string): string {
	const segment = /([^/]*)\/?$/.exec(originalUrl.split('?', 1)[0] ?? '')?.[1] ?? '';
	if (!/^property(?::|%3a)/i.test(segment)) return routed;
	try {
		const name = /^[\x21-\x7e]*$/.test(segment) ? decodeURIComponent(segment) : '';
		return name.includes('\0') ? '' : name;
	} catch {
		return '';
	}
}

/** Aborted when the connection closes before the response is complete. */
export function abortSignalOf({ raw }: FastifyReply): AbortSignal {
	const controller = new AbortController();
	raw.once('close', () => {
		if (!raw.writableFinished) controller.abort();
	});
	return controller.signal;
}
