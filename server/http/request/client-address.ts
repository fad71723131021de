import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { listHas, normalizeAddress } from '../../lib/networks.ts';
import { createPeers } from './peers.ts';

type AddressedRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * The address of the client: that of the connection, or the last address in X-Forwarded-For that no trusted proxy added. If that is not
 * an address, the proxy is the client.
 */
export function clientAddress(trusted: BlockList): (request: AddressedRequest) => string {
	const peerOf = createPeers(trusted);
	return ({ headers, socket }) => {
		const peer = peerOf(socket);
		const forwarded = headers['x-forwarded-for'];
		if (typeof forwarded !== 'string' || !peer.isTrusted) return peer.address;
		const hops = forwarded
			.split(',')
			.map((hop) => hop.trim())
			.filter((hop) => hop !== '');
		const client = hops.findLast((hop, index) => index === 0 || !listHas(trusted, hop)) ?? '';
		return isIP(client) === 0 ? peer.address : normalizeAddress(client);
	};
}
