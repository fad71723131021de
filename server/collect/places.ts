import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Reader } from 'maxmind';
import { isPrivate, plainAddress } from '../lib/networks.ts';
import type { Places } from './step.ts';
import { cleanText } from './text.ts';

/**
 * Places of addresses from a file in MaxMind's format, read once into one buffer of its own size: a look-up walks the
 * buffer and allocates nothing that stays. Without a file of the operator's it is the list of countries that comes
 * with the package (CC0; it knows no region and no city).
 */
export async function openPlaces(file: string | undefined): Promise<Places> {
	const path = file ?? shipped();
	const reader = await openReader(path);
	return {
		find(address) {
			// Sockets that take both kinds write ::ffff:192.0.2.1, and databases know it as 192.0.2.1.
			const plain = plainAddress(address);
			// The reader takes `1.2.3` for an address. In a private network nobody lives, whatever a database says.
			if (isIP(plain) === 0 || isPrivate(plain)) return nowhere;
			return readPlace(reader.get(plain));
		},
	};
}

const shipped = (): string =>
	fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'));

async function openReader(path: string): Promise<Pick<Reader<never>, 'get'>> {
	try {
		return new Reader<never>(await readFile(path));
	} catch (cause) {
		throw new Error(`The file of places ${path} cannot be read. It must be a database in the format .mmdb.`, {
			cause,
		});
	}
}

type Place = { country: string; region: string; city: string };

const nowhere: Place = Object.freeze({ country: '', region: '', city: '' });

/**
 * MaxMind nests (`country.iso_code`, `subdivisions[0].iso_code`, `city.names.en`); the free databases are flat
 * (`country_code`, `state1`, `city`). A region is its code of ISO 3166-2 where the database has codes, else its name.
 */
function readPlace(record: unknown): Place {
	if (!isRecord(record)) return nowhere;
	const code =
		textAt(record, 'country', 'iso_code') || textAt(record, 'country_code') || textAt(record, 'country');
	const country = /^[a-z]{2}$/i.test(code) ? code.toUpperCase() : '';
	const division = Array.isArray(record.subdivisions) ? record.subdivisions[0] : undefined;
	const divisionCode = textAt(division, 'iso_code');
	const region =
		(country && divisionCode && `${country}-${divisionCode}`) ||
		textAt(division, 'names', 'en') ||
		textAt(record, 'state1') ||
		textAt(record, 'region');
	const city = textAt(record, 'city', 'names', 'en') || textAt(record, 'city');
	return { country, region: cleanText(region, maxPlaceName), city: cleanText(city, maxPlaceName) };
}

const maxPlaceName = 100;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

function textAt(value: unknown, ...path: string[]): string {
	let inner = value;
	for (const key of path) inner = isRecord(inner) ? inner[key] : undefined;
	return typeof inner === 'string' ? inner : '';
}
