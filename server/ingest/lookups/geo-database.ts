import { bundledFiles, findGeoFiles, type GeoFiles, type GeoSettings } from '../../geo/files.ts';
import { isRecord, type MmdbRecord, openRecords } from '../../geo/reader.ts';
import type { Log } from '../../lib/log.ts';
import type { GeoLookup } from '../steps/step.ts';
import { cleanText } from '../text.ts';
import { watchFiles } from './watch-files.ts';

export type GeoDatabase = GeoLookup & {
	/** Whether pages must name DB-IP, whose license requires it. */
	needsAttribution(): boolean;
};

/** Opens the geolocation database in MaxMind format that the settings or `tidemark geo` selected. It is read into memory. */
export const openGeoDatabase = async (settings: GeoSettings): Promise<GeoDatabase> =>
	openFiles(await findGeoFiles(settings));

/**
 * Follows what is installed while the service runs. If an installed database cannot be read, countries come from the bundled one:
 * collecting is worth more than cities.
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
			return openFiles(bundledFiles());
		}
	};
	const { current, close } = await watchFiles(() => findGeoFiles(settings), load, {
		name: 'geolocation database',
		otherwise: bundledFiles(),
		log,
		checkMs,
	});
	return {
		find: (address) => current().find(address),
		needsAttribution: () => current().needsAttribution(),
		close,
	};
}

async function openFiles({ from, paths }: GeoFiles): Promise<GeoDatabase> {
	const records = await openRecords(paths);
	// Countries of addresses that an installed database lacks.
	const countries = from === 'installed' ? await openRecords(bundledFiles().paths) : undefined;
	return {
		find(address) {
			const place = placeOf(records.find(address));
			return place.country === '' && countries ? placeOf(countries.find(address)) : place;
		},
		needsAttribution: () => records.isOfDbIp,
	};
}

const places = new WeakMap<object, Place>();

function placeOf(record: MmdbRecord | undefined): Place {
	if (!record) return nowhere;
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
function readPlace(record: MmdbRecord): Place {
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

function textAt(value: unknown, ...path: string[]): string {
	let inner = value;
	for (const key of path) inner = isRecord(inner) ? inner[key] : undefined;
	return typeof inner === 'string' ? inner : '';
}
