import { isIP } from 'node:net';
import { bundledCountries, findGeoFiles, type GeoFiles, type GeoSettings, isDbIp } from '../../geo/files.ts';
import { type GeoReader, openReader } from '../../geo/reader.ts';
import type { Log } from '../../lib/log.ts';
import { isPrivate, normalizeAddress } from '../../lib/networks.ts';
import type { GeoLookup } from '../steps/step.ts';
import { cleanText } from '../text.ts';

export type GeoDatabase = GeoLookup & {
	/** Whether pages must name DB-IP, whose license requires it. */
	needsAttribution(): boolean;
};

/** Opens the geolocation database in MaxMind format that the settings or `tidemark geo` selected. It is read into memory. */
export const openGeoDatabase = async (settings: GeoSettings): Promise<GeoDatabase> =>
	openFiles(await findGeoFiles(settings));

/**
 * Uses a database that is installed while the service runs within a minute. If an installed one cannot be read, countries come from the
 * bundled one: collecting is worth more than cities.
 */
export async function watchGeoDatabase(
	settings: GeoSettings,
	log: Pick<Log, 'info' | 'error'>,
	checkMs = 60_000,
): Promise<GeoDatabase & { close(): void }> {
	const load = async (files: GeoFiles): Promise<GeoDatabase> => {
		try {
			return await openFiles(files);
		} catch (error) {
			if (files.from === 'setting') throw error;
			log.error({ err: error }, 'installed geolocation database cannot be read; run `tidemark geo update`');
			return openFiles({ from: 'package', paths: [bundledCountries()], version: null });
		}
	};
	let files = await findGeoFiles(settings);
	let database = await load(files);
	const check = async () => {
		const found = await findGeoFiles(settings);
		if (found.paths.join() === files.paths.join()) return;
		database = await load(found);
		files = found;
		log.info({ from: files.from }, 'changed the geolocation database');
	};
	const timer = setInterval(
		() =>
			void check().catch((err: unknown) => log.error({ err }, 'could not look for a geolocation database')),
		checkMs,
	).unref();
	return {
		find: (address) => database.find(address),
		needsAttribution: () => database.needsAttribution(),
		close: () => clearInterval(timer),
	};
}

async function openFiles({ from, paths }: GeoFiles): Promise<GeoDatabase> {
	const readers: GeoReader[] = [];
	for (const path of paths) readers.push(await openReader(path));
	// Countries of addresses that an installed database lacks.
	const countries = from === 'installed' ? await openReader(bundledCountries()) : undefined;
	// A reader of IPv4 takes an IPv6 address for another one.
	const ofIpv4 = readers.find(({ metadata }) => metadata.ipVersion === 4) ?? readers[0];
	const ofIpv6 = readers.find(({ metadata }) => metadata.ipVersion === 6);
	const isOfDbIp = readers.some(({ metadata }, index) => isDbIp(paths[index] ?? '', metadata));
	return {
		find(address) {
			// Dual-stack sockets report ::ffff:192.0.2.1; databases have 192.0.2.1.
			const normalized = normalizeAddress(address);
			const version = isIP(normalized);
			// The reader accepts `1.2.3` as an address. Private addresses have no place, whatever a database says.
			if (version === 0 || isPrivate(normalized)) return nowhere;
			const place = placeIn(version === 4 ? ofIpv4 : ofIpv6, normalized);
			return place.country === '' && countries ? placeIn(countries, normalized) : place;
		},
		needsAttribution: () => isOfDbIp,
	};
}

/** A damaged file must not lose hits: an address that cannot be looked up has no place. */
function placeIn(reader: GeoReader | undefined, address: string): Place {
	try {
		const record: unknown = reader?.get(address);
		return isRecord(record) ? placeOf(record) : nowhere;
	} catch {
		return nowhere;
	}
}

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
