import { readFile } from 'node:fs/promises';
import { Reader } from 'maxmind';

export type GeoReader = Reader<never>;

/** Reads a database in MaxMind format into one buffer. */
export async function openReader(path: string): Promise<GeoReader> {
	try {
		return new Reader<never>(await readFile(path), { cache: createRecordCache() });
	} catch (cause) {
		throw new Error(`The geolocation database ${path} cannot be read. It must be an .mmdb file.`, {
			cause,
		});
	}
}

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
