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
