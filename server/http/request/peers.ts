import type { BlockList, Socket } from 'node:net';
import { isPrivate, listHas, normalizeAddress } from '../../lib/networks.ts';

/** The other end of a connection: a client, or a proxy. */
export type Peer = { address: string; isTrusted: boolean; isPrivate: boolean };

/** A connection has one peer, so networks are searched once per connection and not for each of its requests. */
export function createPeers(trusted: BlockList): (socket: Socket) => Peer {
	const peers = new WeakMap<Socket, Peer>();
	return (socket) => {
		const known = peers.get(socket);
		if (known) return known;
		const address = socket.remoteAddress ?? 'unknown';
		const peer = {
			address: normalizeAddress(address),
			isTrusted: listHas(trusted, address),
			isPrivate: isPrivate(address),
		};
		peers.set(socket, peer);
		return peer;
	};
}
