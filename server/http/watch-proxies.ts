import type { FastifyRequest } from 'fastify';
import type { SessionWarning } from '../../api/session.ts';
import type { SeenProxies } from '../doctor/address.ts';
import type { Log } from '../lib/log.ts';
import { blockListOf, isPrivate, listHas, plainAddress } from '../lib/networks.ts';

export type ProxyWatch = {
	watch(request: FastifyRequest): void;
	warnings(): SessionWarning[];
	seen(): SeenProxies;
};

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip'];

/**
 * Behind a proxy that is not trusted every visitor has the proxy's address. That is said once, with the mend; once more when
 * a peer near by, which can only be a proxy, follows one from the open net, which may be anybody who sends the header.
 */
export function watchProxies(trustedProxies: readonly string[], log: Log): ProxyWatch {
	const trusted = blockListOf(trustedProxies);
	let [requests, believed, near] = [0, 0, 0];
	let missed: SessionWarning | undefined;

	const miss = (header: string, peer: string) => {
		if (missed?.proxy) return;
		// An address from the open net may be a visitor's and belongs neither in a log nor on a page.
		const proxy = isPrivate(peer) ? peer : null;
		if (missed && proxy === null) return;
		missed = { code: 'untrusted_proxy', proxy };
		log.warn(
			{ header },
			`A request came with ${header} from a peer that is not trusted, and the header was not believed. ` +
				`If a reverse proxy stands in front, set TIDEMARK_TRUSTED_PROXIES=${proxy ?? 'the address of your proxy'}.`,
		);
	};

	return {
		watch(request) {
			requests++;
			const header = forwardingHeaders.find((name) => name in request.headers);
			const peer = plainAddress(request.socket.remoteAddress ?? '');
			if (header === undefined) {
				if (isPrivate(peer)) near++;
			} else if (!listHas(trusted, peer)) miss(header, peer);
			else if ('x-forwarded-for' in request.headers) believed++;
		},
		warnings: () => (missed ? [missed] : []),
		seen: () => ({
			...{ requests, believed, near },
			disbelieved: missed && { proxy: missed.proxy },
		}),
	};
}
