/**
 * Which geolocation database is used: the file of TIDEMARK_GEO_FILE, one that `tidemark geo` installed, or the bundled countries. The
 * database of network operators, which only traffic rules need, is installed beside it; there is none otherwise.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { hourMs } from '../lib/durations.ts';
import { isDbIp, openReader } from './reader.ts';

export type GeoSettings = { geoFile: string | undefined; dataFolder: string };

export type GeoFiles = {
	from: 'setting' | 'installed' | 'package';
	paths: string[];
	/** The npm package that was installed; null for files. */
	version: string | null;
};

/** What can be installed, each in its folder of the data folder. */
export type DatabaseKind = 'geo' | 'operators';

/** Where a database of a kind is installed. */
type Place = { dataFolder: string; kind: DatabaseKind };

const folderOf = ({ dataFolder, kind }: Place): string => join(dataFolder, kind);

export const bundledFiles = (): GeoFiles => ({
	from: 'package',
	paths: [
		fileURLToPath(
			import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
		),
	],
	version: null,
});

export async function findGeoFiles({ geoFile, dataFolder }: GeoSettings): Promise<GeoFiles> {
	if (geoFile !== undefined) return { from: 'setting', paths: [geoFile], version: null };
	return (await findInstalled({ dataFolder, kind: 'geo' })) ?? bundledFiles();
}

/** The database of network operators, if one is installed. */
export const findOperatorFiles = (dataFolder: string): Promise<GeoFiles | undefined> =>
	findInstalled({ dataFolder, kind: 'operators' });

async function findInstalled(place: Place): Promise<GeoFiles | undefined> {
	const installed = await readInstalled(place);
	if (!installed) return undefined;
	const { folder, files, version } = installed;
	return { from: 'installed', paths: files.map((file) => join(folderOf(place), folder, file)), version };
}

const installedList = z.object({
	folder: z.string(),
	files: z.array(z.string()).min(1),
	version: z.string().nullable(),
});
type Installed = z.output<typeof installedList>;

const listOf = (place: Place): string => join(folderOf(place), 'installed.json');

async function readInstalled(place: Place): Promise<Installed | undefined> {
	try {
		return installedList.parse(JSON.parse(await readFile(listOf(place), 'utf8')));
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw new Error(`${listOf(place)} cannot be read.`, { cause });
	}
}

/**
 * Copies the files into the data folder and uses them from now on. They are checked before, and the list is replaced in one step: a
 * process that is killed leaves the previous database in use.
 */
export async function installDatabase(
	place: Place,
	{ paths, version }: { paths: readonly string[]; version: string | null },
): Promise<void> {
	const versions = new Set<number>();
	for (const path of paths) {
		const { ipVersion, databaseType } = (await openReader(path)).metadata;
		if (place.kind === 'operators' && !/asn|isp/i.test(databaseType))
			throw new Error(`${path} has no network operators: its type is "${databaseType}".`);
		if (versions.has(ipVersion))
			throw new Error(
				`${path} has the same kind of addresses (IPv${ipVersion}) as another file. Install one file for each kind.`,
			);
		versions.add(ipVersion);
	}
	const parent = folderOf(place);
	const folder = randomBytes(6).toString('hex');
	await mkdir(join(parent, folder), { recursive: true, mode: 0o700 });
	const files: string[] = [];
	for (const [index, path] of paths.entries()) {
		// Files of two folders may have the same name, which says whether they are of DB-IP.
		const file = join(`${index}`, basename(path));
		const copy = join(parent, folder, file);
		await mkdir(dirname(copy), { mode: 0o700 });
		await copyFile(path, copy);
		await flush(copy);
		files.push(file);
	}
	await replaceList(place, { folder, files, version });
	await removeUnused(place, folder);
}

/** Returns to the bundled countries, or to no network operators; false if nothing was installed. */
export async function removeDatabase(place: Place): Promise<boolean> {
	const installed = await readInstalled(place);
	await rm(listOf(place), { force: true });
	await removeUnused(place, undefined);
	return installed !== undefined;
}

async function replaceList(place: Place, installed: Installed): Promise<void> {
	const draft = `${listOf(place)}.new`;
	await writeFile(draft, `${JSON.stringify(installed)}\n`, { mode: 0o600 });
	await flush(draft);
	await rename(draft, listOf(place));
}

/** Of the folder of a download. */
export const downloadPrefix = 'download-';
/** An older download was interrupted: npm has 10 minutes. */
const interruptedMs = hourMs;

/** Deletes earlier databases, and what interrupted installations left. */
async function removeUnused(place: Place, used: string | undefined): Promise<void> {
	const parent = folderOf(place);
	const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
	for (const entry of entries) {
		if (!entry.isDirectory() || entry.name === used) continue;
		const path = join(parent, entry.name);
		if (entry.name.startsWith(downloadPrefix)) {
			const { mtimeMs } = await stat(path);
			if (Date.now() - mtimeMs < interruptedMs) continue;
		}
		await rm(path, { recursive: true, force: true });
	}
}

async function flush(path: string): Promise<void> {
	const handle = await open(path, 'r+');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** The date of the oldest file, and what the files contain. */
export async function describeGeoFiles({ paths }: Pick<GeoFiles, 'paths'>): Promise<{
	builtAt: Date;
	hasCities: boolean;
	isOfDbIp: boolean;
	bytes: number;
	/** What the files call themselves. */
	types: string[];
}> {
	const all = await Promise.all(
		paths.map(async (path) => {
			const { metadata } = await openReader(path);
			return {
				builtAt: metadata.buildEpoch,
				hasCities: /city/i.test(metadata.databaseType),
				isOfDbIp: isDbIp(path, metadata),
				bytes: (await stat(path)).size,
				type: metadata.databaseType,
			};
		}),
	);
	return {
		builtAt: new Date(Math.min(...all.map(({ builtAt }) => builtAt.getTime()))),
		hasCities: all.some(({ hasCities }) => hasCities),
		isOfDbIp: all.some(({ isOfDbIp }) => isOfDbIp),
		bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
		types: [...new Set(all.map(({ type }) => type))],
	};
}
