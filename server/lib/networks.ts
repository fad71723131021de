import { BlockList, isIP } from 'node:net';

/** Whether the text is an IP address or a network in CIDR notation. */
export function isNetwork(entry: string): boolean {
	const [address = '', prefix, ...more] = entry.split('/');
	const family = isIP(address);
	// isIP accepts a zone (`fe80::1%eth0`), which has no meaning on another machine.
	if (family === 0 || address.includes('%') || more.length > 0) return false;
	return (
		prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
	);
}

/** The entries must be valid by `isNetwork`. */
export function blockListOf(entries: readonly string[]): BlockList {
	const list = new BlockList();
	for (const entry of entries) {
		const [address = '', prefix] = entry.split('/');
		const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
		if (prefix === undefined) list.addAddress(address, family);
		else list.addSubnet(address, Number(prefix), family);
	}
	return list;
}

export function listHas(list: BlockList, address: string): boolean {
	const family = isIP(address);
	return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether every address of the inner networks is in one of the outer ones. The networks must be valid by `isNetwork`. */
export const areNetworksWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
	inner.every((network) => outer.some((wider) => isNetworkWithin(network, wider)));

function isNetworkWithin(inner: string, outer: string): boolean {
	const [innerAddress = '', innerPrefix] = inner.split('/');
	const [outerAddress = '', outerPrefix] = outer.split('/');
	const family = isIP(innerAddress);
	// An IPv4 network and its IPv4-mapped spelling are never compared.
	if (family !== isIP(outerAddress)) return false;
	const bits = family === 4 ? 32 : 128;
	return (
		Number(innerPrefix ?? bits) >= Number(outerPrefix ?? bits) && listHas(blockListOf([outer]), innerAddress)
	);
}

/** Removes the zone, and reduces IPv4-mapped IPv6 addresses to IPv4. */
export function normalizeAddress(address: string): string {
	const [bare = ''] = address.split('%');
	return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/**
 * The key that requests of an address are counted under. An IPv6 client has a whole /64 network and can use a new address for
 * each request, so that network is the key. IPv4-mapped IPv6 addresses are reduced to IPv4.
 */
export function rateLimitKey(address: string): string {
	const [bare = ''] = address.split('%');
	if (isIP(bare) !== 6) return address;
	// The URL parser normalizes the notation: lower case, the longest run of zeros as `::`, no dots.
	const [left = '', right = ''] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
	const [head, tail] = [left, right].map((groups) => (groups === '' ? [] : groups.split(':')));
	const zeros = Array<string>(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill('0');
	const groups = [...(head ?? []), ...zeros, ...(tail ?? [])];
	if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') {
		return groups
			.slice(6)
			.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
			.join('.');
	}
	return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The /48 around a /64 of `rateLimitKey`, which a hosting customer often has; undefined for other keys. */
export function widerNetworkOf(key: string): string | undefined {
	if (!key.endsWith('::/64')) return undefined;
	return `${key.split(':').slice(0, 3).join(':')}::/48`;
}

/** Including carrier-grade NAT (100.64/10), multicast and `0.0.0.0`. */
export const privateNetworks = blockListOf(
	`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3
	::/128 ::1/128 fc00::/7 fe80::/10 ff00::/8`.split(/\s+/),
);

/** An address of this machine or its local network, never of a visitor from the internet. */
export function isPrivate(address: string): boolean {
	const normalized = normalizeAddress(address);
	return isIP(normalized) === 4 ? isPrivateIpv4(normalized) : listHas(privateNetworks, normalized);
}

/** The IPv4 networks above, by their first two numbers. Every hit needs this twice, and a BlockList creates an object for each search. */
function isPrivateIpv4(address: string): boolean {
	const first = Number.parseInt(address, 10);
	const second = Number.parseInt(address.slice(address.indexOf('.') + 1), 10);
	return (
		first === 0 ||
		first === 10 ||
		first === 127 ||
		first >= 224 ||
		(first === 100 && second >= 64 && second < 128) ||
		(first === 169 && second === 254) ||
		(first === 172 && second >= 16 && second < 32) ||
		(first === 192 && second === 168)
	);
}

/**
 * Networks in IANA's special-purpose registries that are not public hosts or that map to other addresses (6to4, NAT64,
 * IPv4-mapped). Of IPv6, only 2000::/3 is allocated to hosts.
 */
const specialNetworks = blockListOf(
	`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
	192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
	2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`.split(/\s+/),
);
const givenToHosts = blockListOf(['2000::/3']);

/** Whether an address can be a host on the internet. */
export const isPublicAddress = (address: string): boolean =>
	!address.includes('%') &&
	!listHas(specialNetworks, address) &&
	(isIP(address) === 4 || listHas(givenToHosts, address));
