/** Which geolocation database is used: the file of TIDEMARK_GEO_FILE, one that `tidemark geo` installed, or the bundled countries. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openReader } from './reader.ts';

export type GeoSettings = { geoFile: string | undefined; dataFolder: string };

export type GeoFiles = {
	from: 'setting' | 'installed' | 'package';
	paths: string[];
	/** The npm package that was installed; null for files. */
	version: string | null;
};

export const bundledCountries = (): string =>
	fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'));

const geoFolder = (dataFolder: string): string => join(dataFolder, 'geo');

export async function findGeoFiles({ geoFile, dataFolder }: GeoSettings): Promise<GeoFiles> {
	if (geoFile !== undefined) return { from: 'setting', paths: [geoFile], version: null };
	const installed = await readInstalled(dataFolder);
	if (!installed) return { from: 'package', paths: [bundledCountries()], version: null };
	const { folder, files, version } = installed;
	const paths = files.map((file) => join(geoFolder(dataFolder), folder, file));
	return { from: 'installed', paths, version };
}

type Installed = { folder: string; files: string[]; version: string | null };

const listOf = (dataFolder: string): string => join(geoFolder(dataFolder), 'installed.json');

async function readInstalled(dataFolder: string): Promise<Installed | undefined> {
	try {
		return JSON.parse(await readFile(listOf(dataFolder), 'utf8')) as Installed;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

/**
 * Copies the files into the data folder and uses them from now on. They are checked before, and the list is replaced in one step: a
 * process that is killed leaves the previous database in use.
 */
export async function installGeoFiles(
	dataFolder: string,
	{ paths, version }: { paths: readonly string[]; version: string | null },
): Promise<void> {
	const versions = new Set<number>();
	for (const path of paths) {
		const { ipVersion } = (await openReader(path)).metadata;
		if (versions.has(ipVersion))
			throw new Error(
				`${path} has the same kind of addresses (IPv${ipVersion}) as another file. Install one file for each kind.`,
			);
		versions.add(ipVersion);
	}
	const parent = geoFolder(dataFolder);
	const folder = randomBytes(6).toString('hex');
	await mkdir(join(parent, folder), { recursive: true, mode: 0o700 });
	const files = paths.map((path) => basename(path));
	for (const [index, path] of paths.entries()) {
		const copy = join(parent, folder, files[index] ?? '');
		await copyFile(path, copy);
		await flush(copy);
	}
	await replaceList(dataFolder, { folder, files, version });
	await removeUnused(dataFolder, folder);
}

/** Returns to the bundled countries; false if nothing was installed. */
export async function removeGeoFiles(dataFolder: string): Promise<boolean> {
	const installed = await readInstalled(dataFolder);
	await rm(listOf(dataFolder), { force: true });
	await removeUnused(dataFolder, undefined);
	return installed !== undefined;
}

async function replaceList(dataFolder: string, installed: Installed): Promise<void> {
	const draft = `${listOf(dataFolder)}.new`;
	await writeFile(draft, `${JSON.stringify(installed)}\n`, { mode: 0o600 });
	await flush(draft);
	await rename(draft, listOf(dataFolder));
}

/** Earlier databases, and what an interrupted installation left. */
async function removeUnused(dataFolder: string, used: string | undefined): Promise<void> {
	const parent = geoFolder(dataFolder);
	const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
	for (const entry of entries)
		if (entry.isDirectory() && entry.name !== used)
			await rm(join(parent, entry.name), { recursive: true, force: true });
}

async function flush(path: string): Promise<void> {
	const handle = await open(path, 'r+');
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

export const isDbIp = (path: string, { databaseType }: { databaseType: string }): boolean =>
	[basename(path), databaseType].some((name) => /^db-?ip/i.test(name));

/** The date of the oldest file, and what the files contain. */
export async function describeGeoFiles({
	paths,
}: GeoFiles): Promise<{ builtAt: Date; hasCities: boolean; isOfDbIp: boolean; bytes: number }> {
	const all = await Promise.all(
		paths.map(async (path) => {
			const { metadata } = await openReader(path);
			return {
				builtAt: metadata.buildEpoch,
				hasCities: /city/i.test(metadata.databaseType),
				isOfDbIp: isDbIp(path, metadata),
				bytes: (await stat(path)).size,
			};
		}),
	);
	return {
		builtAt: new Date(Math.min(...all.map(({ builtAt }) => builtAt.getTime()))),
		hasCities: all.some(({ hasCities }) => hasCities),
		isOfDbIp: all.some(({ isOfDbIp }) => isOfDbIp),
		bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
	};
}
