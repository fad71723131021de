import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { listHas, normalizeAddress } from '../../lib/networks.ts';

type AddressedRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * The address of the client: that of the connection, or the last address in X-Forwarded-For that no trusted proxy added. If that is not
 * an address, the proxy is the client.
 */
export function clientAddress(trusted: BlockList): (request: AddressedRequest) => string {
	return ({ headers, socket }) => {
		const peer = socket.remoteAddress ?? 'unknown';
		const forwarded = headers['x-forwarded-for'];
		if (typeof forwarded !== 'string' || !listHas(trusted, peer)) return normalizeAddress(peer);
		const hops = forwarded
			.split(',')
			.map((hop) => hop.trim())
			.filter((hop) => hop !== '');
		const client = hops.findLast((hop, index) => index === 0 || !listHas(trusted, hop)) ?? peer;
		return normalizeAddress(isIP(client) ? client : peer);
	};
}
