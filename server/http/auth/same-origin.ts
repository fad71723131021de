/**
 * Protects sessions against cross-site request forgery. Browsers send the cookie with requests from any page, so a change
 * needs `Sec-Fetch-Site: same-origin`, or a matching `Origin` where the browser does not send that (on plain HTTP).
 */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import { contentTypeOf } from '../request/read-request.ts';

export const sameOriginHeaders = {
	'cross-origin-resource-policy': 'same-origin',
	vary: 'Cookie, Accept, X-Share-Link',
};

// A page of another origin can send neither type without a CORS preflight.
export const jsonType = 'application/json';
export const fileType = 'application/octet-stream';

/** Rejects changes from other origins, and bodies of any other type than the accepted one. */
export function checkOrigin(
	request: FastifyRequest,
	baseUrl: string,
	accepted: typeof jsonType | typeof fileType = jsonType,
): void {
	if (request.method === 'GET' || request.method === 'HEAD') return;
	if (!isSameOrigin(request, baseUrl))
		throw new AppError('forbidden', 'Changes are accepted only from the pages of this service.');
	const type = contentTypeOf(request);
	const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
	const hasBody = length !== '0' || encoding !== undefined;
	if (type === undefined ? hasBody : type.split(';', 1)[0]?.trim().toLowerCase() !== accepted)
		throw new AppError('unsupported_media_type', `A body must be ${accepted}.`);
}

function isSameOrigin({ headers }: FastifyRequest, baseUrl: string): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined) return site === 'same-origin';
	const { origin } = headers;
	if (origin === undefined || !URL.canParse(origin)) return false;
	// A page cannot choose the Host header. A server may be reached by several names, of which only one is configured.
	return origin === baseUrl || new URL(origin).host === headers.host;
}
