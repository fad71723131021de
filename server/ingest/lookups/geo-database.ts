import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Reader } from 'maxmind';
import { isPrivate, normalizeAddress } from '../../lib/networks.ts';
import type { GeoLookup } from '../steps/step.ts';
import { cleanText } from '../text.ts';

/**
 * Opens a geolocation database in MaxMind format. It is read into one buffer at start. The default is a list of countries that comes
 * with the package (CC0, without regions and cities).
 */
export async function openGeoDatabase(file: string | undefined): Promise<GeoLookup> {
	const path = file ?? defaultFile();
	const reader = await openReader(path);
	return {
		find(address) {
			// Dual-stack sockets report ::ffff:192.0.2.1; databases have 192.0.2.1.
			const normalized = normalizeAddress(address);
			// The reader accepts `1.2.3` as an address. Private addresses have no place, whatever a database says.
			if (isIP(normalized) === 0 || isPrivate(normalized)) return nowhere;
			const record: unknown = reader.get(normalized);
			return isRecord(record) ? placeOf(record) : nowhere;
		},
	};
}

const defaultFile = (): string =>
	fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'));

async function openReader(path: string): Promise<Pick<Reader<never>, 'get'>> {
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

const places = new WeakMap<object, Place>();

function placeOf(record: Readonly<Record<string, unknown>>): Place {
	const known = places.get(record);
	if (known) return known;
	const place = readPlace(record);
	places.set(record, place);
	return place;
}

type Place = { country: string; region: string; city: string };

const nowhere: Place = Object.freeze({ country: '', region: '', city: '' });

/**
 * MaxMind databases are nested (`country.iso_code`, `subdivisions[0].iso_code`, `city.names.en`); free databases are flat
 * (`country_code`, `state1`, `city`). A region is its ISO 3166-2 code if the database has codes, otherwise its name.
 */
function readPlace(record: Readonly<Record<string, unknown>>): Place {
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
