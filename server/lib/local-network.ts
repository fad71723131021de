import { isIP } from 'node:net';
import { isPrivate } from './networks.ts';

/** On this machine or its local network. A name without a dot is a container or a local host. */
export function isLocalNetwork(host: string): boolean {
	const bare = bareHost(host);
	if (isLoopback(host)) return true;
	return isIP(bare) === 0
		? !bare.includes('.') || /\.(local|internal|localhost)$|\.svc(\.|$)/.test(bare)
		: isPrivate(bare);
}

/** On this machine. */
export function isLoopback(host: string): boolean {
	const bare = bareHost(host);
	const isOwnAddress = bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
	return bare === '' || bare.startsWith('/') || bare === 'localhost' || isOwnAddress;
}

const bareHost = (host: string): string => decodeURIComponent(host).replace(/^\[|\]$/g, '');
