/**
 * Requests to a provider. The operator chose its issuer, so the issuer's host may be in a private network. A provider could name
 * any other address in its metadata, so every other host must be a public one.
 */
import type { CustomFetch } from 'openid-client';
import { isLoopback } from '../lib/local-network.ts';
import { createSafeFetch, RefusedAddress } from '../lib/safe-fetch.ts';

/** Nothing was sent, because of the address. */
export class RefusedProvider extends Error {}

/** There was no response. */
export class UnreachableProvider extends Error {}

/** HTTPS, or plain HTTP on this machine. */
export function readProviderUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))))
		throw new RefusedProvider(
			'The address of a provider must begin with https://, or with http:// on this machine.',
		);
	if (url.username !== '' || url.password !== '')
		throw new RefusedProvider('The address of a provider must not contain a user or a password.');
	return url;
}

export function createProviderFetch(issuer: string): CustomFetch {
	const outside = createSafeFetch({ allowedHosts: [readProviderUrl(issuer).host] });
	return async (address, { method, headers, body }) => {
		const url = readProviderUrl(address);
		const response = await outside
			.request(url.href, {
				method,
				headers,
				...(body !== undefined && body !== null && { body: String(body) }),
			})
			.catch((error: Error) => {
				if (error instanceof RefusedAddress)
					throw new RefusedProvider(`${url.host} is neither the host of the issuer nor a public host.`);
				throw new UnreachableProvider(`${url.host} does not answer: ${error.message}`, { cause: error });
			});
		const { status } = response;
		return new Response([204, 205, 304].includes(status) ? null : response.body, {
			status,
			headers: response.headers,
		});
	};
}
