import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { basename } from 'node:path';
import { Reader } from 'maxmind';
import { isPrivate, normalizeAddress } from '../lib/networks.ts';

/** Reads a database in MaxMind format into one buffer. */
export async function openReader(path: string): Promise<Reader<never>> {
	try {
		return new Reader<never>(await readFile(path), { cache: createRecordCache() });
	} catch (cause) {
		throw new Error(`The database ${path} cannot be read. It must be an .mmdb file.`, {
			cause,
		});
	}
}

export type MmdbRecord = Readonly<Record<string, unknown>>;

export type AddressRecords = {
	/** What the files have about an IP address. */
	find(address: string): MmdbRecord | undefined;
	isOfDbIp: boolean;
};

/** Opens a database that is one file, or one for IPv4 and one for IPv6. */
export async function openRecords(paths: readonly string[]): Promise<AddressRecords> {
	const readers: Reader<never>[] = [];
	for (const path of paths) readers.push(await openReader(path));
	// A reader of IPv4 takes an IPv6 address for another one.
	const ofIpv4 = readers.find(({ metadata }) => metadata.ipVersion === 4) ?? readers[0];
	const ofIpv6 = readers.find(({ metadata }) => metadata.ipVersion === 6);
	return {
		find(address) {
			// Dual-stack sockets report ::ffff:192.0.2.1; databases have 192.0.2.1.
			const normalized = normalizeAddress(address);
			const version = isIP(normalized);
			// The reader accepts `1.2.3` as an address. Private addresses are in no network, whatever a database says.
			if (version === 0 || isPrivate(normalized)) return undefined;
			try {
				const record: unknown = (version === 4 ? ofIpv4 : ofIpv6)?.get(normalized);
				return isRecord(record) ? record : undefined;
			} catch {
				// A damaged file must not lose hits.
				return undefined;
			}
		},
		isOfDbIp: readers.some(({ metadata }, index) => isDbIp(paths[index] ?? '', metadata)),
	};
}

export const isRecord = (value: unknown): value is MmdbRecord => typeof value === 'object' && value !== null;

export const isDbIp = (path: string, { databaseType }: { databaseType: string }): boolean =>
	[basename(path), databaseType].some((name) => /^db-?ip/i.test(name));

/**
 * Decoded records by their position in the database, so a key is a place and not an address. At most a thousand are kept; the largest
 * records, with the names of a city in many languages, take about 3 kB.
 */
function createRecordCache() {
	const records = new Map<unknown, unknown>();
	return {
		get: (position: unknown) => records.get(position),
		set: (position: unknown, record: unknown) => {
			if (records.size >= maxRecords) records.clear();
			records.set(position, record);
		},
	};
}

const maxRecords = 1_000;
