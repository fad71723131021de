import type { Config } from '../config.ts';
import { type Look, notice, ok, problem } from './finding.ts';

/** What the running service saw of proxies since it started. Numbers alone: no address of a visitor is kept. */
export type SeenProxies = {
	requests: number;
	/** With X-Forwarded-For, from a peer that is trusted. */
	believed: number;
	/** With a header of a proxy, from a peer that is not; `proxy` is its address where that can only be a proxy's. */
	disbelieved: { proxy: string | null } | undefined;
	/** From an address of this machine or its own network, with nothing that says whom they are from. */
	near: number;
};

/** The public address, and whether whom a request is from arrives here. */
export function examineAddress(
	config: Config,
	{ publicAddress, proxies }: { publicAddress: string | undefined; proxies: SeenProxies | undefined },
): Look[] {
	return [examinePublicAddress(publicAddress), examineProxies(config, proxies)];
}

function examinePublicAddress(address: string | undefined): Look {
	if (address === undefined)
		return notice(
			'Nobody has said by which address people reach this service, so links begin with the one that it listens on.',
			'Set TIDEMARK_BASE_URL, such as https://stats.example.org.',
		);
	const { protocol, hostname } = new URL(address);
	const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
	if (protocol === 'http:' && !isHere)
		return notice(
			`People reach this service at ${address}, where passwords and sessions cross the net unencrypted.`,
			'Put a proxy with TLS in front (deploy/proxies) and set TIDEMARK_BASE_URL to its https:// address.',
		);
	return ok(`People reach this service at ${address}.`);
}

function examineProxies({ trustedProxies }: Config, seen: SeenProxies | undefined): Look {
	if (!seen)
		return notice(
			'What proxies send is seen by the running service alone, and none runs on this folder.',
			'Ask again while Tidemark is running.',
		);
	if (seen.disbelieved)
		return problem(
			'Requests came with the header of a proxy that is not trusted, so its visitors look like one.',
			`If a proxy stands in front, set TIDEMARK_TRUSTED_PROXIES=${seen.disbelieved.proxy ?? 'its address'}.`,
		);
	const requests = `${seen.requests} ${seen.requests === 1 ? 'request' : 'requests'} since the start`;
	if (trustedProxies.length > 0 && seen.believed === 0 && seen.requests > 0)
		return notice(
			`TIDEMARK_TRUSTED_PROXIES is set, and none of ${requests} came with X-Forwarded-For from one of them.`,
			'Have the proxy send X-Forwarded-For; docs/deploy.md has the lines for nginx, Caddy, Traefik and Cloudflare.',
		);
	if (trustedProxies.length === 0 && seen.requests >= 100 && seen.near === seen.requests)
		return notice(
			`All of ${requests} came from this machine or its own network, with nothing that says whom they are from.`,
			'If a proxy stands in front, have it send X-Forwarded-For and set TIDEMARK_TRUSTED_PROXIES to its address.',
		);
	return ok(
		seen.believed > 0
			? `A trusted proxy said whom it asks for in ${seen.believed} of ${requests}.`
			: `No proxy was seen in ${requests}.`,
	);
}
