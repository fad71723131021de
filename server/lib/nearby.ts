import { isIP } from 'node:net';
import { isPrivate } from './networks.ts';

/** On this machine or its own network, where a name without a dot is one of a container or a neighbour. */
export function isNear(host: string): boolean {
	const bare = bareHost(host);
	if (isHere(host)) return true;
	return isIP(bare) === 0
		? !bare.includes('.') || /\.(local|internal|localhost)$|\.svc(\.|$)/.test(bare)
		: isPrivate(bare);
}

/** On this very machine: nothing crosses a net. */
export function isHere(host: string): boolean {
	const bare = bareHost(host);
	return bare === '' || bare.startsWith('/') || bare === 'localhost' || bare === '::1' || /^127\./.test(bare);
}

const bareHost = (host: string): string => decodeURIComponent(host).replace(/^\[|\]$/g, '');
