import { BlockList, isIP } from 'node:net';

/** An address or a network in CIDR notation, as people write them in lists. */
export function isNetwork(entry: string): boolean {
	const [address = '', prefix, ...more] = entry.split('/');
	const family = isIP(address);
	// isIP takes a zone (`fe80::1%eth0`), which means nothing on another machine.
	if (family === 0 || address.includes('%') || more.length > 0) return false;
	return (
		prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
	);
}

/** The entries must be networks as `isNetwork` knows them. */
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

/** An address as everybody writes it: without the name of an interface, and IPv4 without the clothes of IPv6. */
export function plainAddress(address: string): string {
	const [bare = ''] = address.split('%');
	return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}

/**
 * Whom an address belongs to, for counting. Of IPv6 every connection has a network of 64 bits and can take a new
 * address for each request; an IPv4 address in the clothes of IPv6 is that IPv4 address.
 */
export function holderOf(address: string): string {
	const [bare = ''] = address.split('%');
	if (isIP(bare) !== 6) return address;
	// The URL parser writes any spelling the same way: lower case, the longest run of zeros as `::`, no dots.
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

/** Also what carriers use inside (100.64/10), and what is nobody's address: multicast, `0.0.0.0`. */
const privateNetworks = blockListOf(
	`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3
	::/128 ::1/128 fc00::/7 fe80::/10 ff00::/8`.split(/\s+/),
);

/** Of this machine or its own network: a proxy, a developer, never a visitor from the open net. */
export const isPrivate = (address: string): boolean => listHas(privateNetworks, plainAddress(address));

/**
 * Addresses that IANA's registries of special-purpose addresses keep from being a host on the open net, or that lead to another
 * one (6to4, NAT64, IPv4 in the clothes of IPv6). Of IPv6 only 2000::/3 is given to hosts at all.
 */
const specialNetworks = blockListOf(
	`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
	192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
	2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`.split(/\s+/),
);
const givenToHosts = blockListOf(['2000::/3']);

/** Whether an address may be a host of the open net, and nothing of our own. */
export const isOpenNet = (address: string): boolean =>
	!address.includes('%') &&
	!listHas(specialNetworks, address) &&
	(isIP(address) === 4 || listHas(givenToHosts, address));
