import type { IncomingMessage } from 'node:http';
import type { SessionWarning } from '../../../api/session.ts';
import type { SeenProxies } from '../../doctor/address.ts';
import type { Log } from '../../lib/log.ts';
import { blockListOf } from '../../lib/networks.ts';
import { createPeers, type Peer } from '../request/peers.ts';

export type ProxyCheck = {
	watch(request: Pick<IncomingMessage, 'headers' | 'socket'>): void;
	warnings(): SessionWarning[];
	seen(): SeenProxies;
};

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];

/**
 * Behind an untrusted proxy every visitor has the proxy's address. This logs a warning with the fix, once; and once more when a
 * local peer, which can only be a proxy, follows a public one, which may be anyone who sends the header.
 */
export function checkProxies(trustedProxies: readonly string[], log: Log): ProxyCheck {
	const peerOf = createPeers(blockListOf(trustedProxies));
	let [requests, believed, near] = [0, 0, 0];
	let missed: SessionWarning | undefined;

	const miss = (header: string, peer: Peer) => {
		if (missed?.proxy) return;
		// A public address may be a visitor's, which must not be logged or shown.
		const proxy = peer.isPrivate ? peer.address : null;
		if (missed && proxy === null) return;
		missed = { code: 'untrusted_proxy', proxy };
		log.warn(
			{ header },
			`ignored ${header} from an untrusted peer. ` +
				`If you use a reverse proxy, set TIDEMARK_TRUSTED_PROXIES=${proxy ?? 'the address of your proxy'}.`,
		);
	};

	return {
		watch(request) {
			requests++;
			const header = forwardingHeaders.find((name) => name in request.headers);
			const peer = peerOf(request.socket);
			if (header === undefined) {
				if (peer.isPrivate) near++;
			} else if (!peer.isTrusted) miss(header, peer);
			else if ('x-forwarded-for' in request.headers) believed++;
		},
		warnings: () => (missed ? [missed] : []),
		seen: () => ({
			requests,
			believed,
			near,
			disbelieved: missed && { proxy: missed.proxy },
		}),
	};
}
