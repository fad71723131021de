/** A small database in MaxMind's format, for tests of what operators may bring. */
import { type MmdbValue, writeMmdb } from '../../server/geo/write-mmdb.ts';

/** Networks of IPv4 (`192.0.2.0`, 24 bits) and what is known of each. Of IPv6, the first four bytes (`32.1.13.184` is 2001:db8::). */
export function makeMmdb(
	networks: readonly { address: string; bits: number; record: MmdbValue }[],
	{
		ipVersion = 4,
		type = 'test',
		builtAt = new Date(1_700_000_000_000),
	}: { ipVersion?: 4 | 6; type?: string; builtAt?: Date } = {},
): Buffer {
	const below = ipVersion === 4 ? 0n : 96n;
	const ranges = networks.map(({ address, bits, record }) => {
		const first = BigInt(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0));
		return { from: first << below, to: ((first + (1n << BigInt(32 - bits))) << below) - 1n, record };
	});
	return writeMmdb(ranges, { ipVersion, type, builtAt });
}
