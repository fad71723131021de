import type { Config } from '../config.ts';
import { type CheckResult, notice, ok, problem } from './finding.ts';

/** Counts of requests by proxy since the service started; no visitor's address is kept. */
export type SeenProxies = {
	requests: number;
	/** With X-Forwarded-For, from a trusted peer. */
	believed: number;
	/** Set once a peer that is not trusted sent a proxy header; `proxy` is its address if it is in a local network. */
	disbelieved: { proxy: string | null } | undefined;
	/** From this machine or its local network, without a proxy header. */
	near: number;
};

/** Checks the public URL, and whether proxies forward the visitor's IP address. */
export function examineAddress(
	config: Config,
	{ publicAddress, proxies }: { publicAddress: string | undefined; proxies: SeenProxies | undefined },
): CheckResult[] {
	return [examinePublicAddress(publicAddress), examineProxies(config, proxies)];
}

function examinePublicAddress(address: string | undefined): CheckResult {
	if (address === undefined)
		return notice(
			'No public URL is configured, so links start with the address that the service listens on.',
			'Set TIDEMARK_BASE_URL, such as https://stats.example.org.',
		);
	const { protocol, hostname } = new URL(address);
	const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
	if (protocol === 'http:' && !isLoopback)
		return notice(
			`The public URL is ${address}, so passwords and sessions are sent unencrypted.`,
			'Use a reverse proxy with TLS (deploy/proxies) and set TIDEMARK_BASE_URL to its https:// URL.',
		);
	return ok(`The public URL is ${address}.`);
}

function examineProxies({ trustedProxies }: Config, seen: SeenProxies | undefined): CheckResult {
	if (!seen)
		return notice(
			'Proxy headers can be checked only while the service is running.',
			'Start Tidemark and run the doctor again.',
		);
	if (seen.disbelieved)
		return problem(
			'A proxy that is not trusted sent requests, so all its visitors count as one.',
			`If this is your reverse proxy, set TIDEMARK_TRUSTED_PROXIES=${seen.disbelieved.proxy ?? 'its address'}.`,
		);
	const requests = `${seen.requests} ${seen.requests === 1 ? 'request' : 'requests'} since startup`;
	if (trustedProxies.length > 0 && seen.believed === 0 && seen.requests > 0)
		return notice(
			`TIDEMARK_TRUSTED_PROXIES is set, but none of ${requests} had an X-Forwarded-For header from a trusted proxy.`,
			'Configure the proxy to send X-Forwarded-For. docs/deploy.md shows how for nginx, Caddy, Traefik and Cloudflare.',
		);
	if (trustedProxies.length === 0 && seen.requests >= 100 && seen.near === seen.requests)
		return notice(
			`All of ${requests} came from this machine or its local network, without the visitor’s IP address.`,
			'If there is a reverse proxy, configure it to send X-Forwarded-For and set TIDEMARK_TRUSTED_PROXIES to its address.',
		);
	return ok(
		seen.believed > 0
			? `Trusted proxies forwarded the visitor’s IP address in ${seen.believed} of ${requests}.`
			: `No proxy headers in ${requests}.`,
	);
}
