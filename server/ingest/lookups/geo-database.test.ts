import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeMmdb } from '../../../test/support/mmdb.ts';
import { openGeoDatabase } from './geo-database.ts';

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
	const geo = await openGeoDatabase(undefined);
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
	const geo = await openGeoDatabase(file);
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
	const geo = await openGeoDatabase(file);
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
	const geo = await openGeoDatabase(save('large.mmdb', makeMmdb(networks)));
	for (let round = 0; round < 2; round++)
		for (const { address, record } of networks)
			assert.equal(geo.find(address.replace(/0$/, '9')).city, record.city);
	assert.equal(geo.find('20.0.0.1'), geo.find('20.0.0.2'), 'decoded once');
});

test('a file that cannot be read stops the start and says which', async () => {
	for (const file of [join(folder, 'missing.mmdb'), save('broken.mmdb', Buffer.from('not a database'))])
		await assert.rejects(openGeoDatabase(file), (error: Error) => error.message.includes(file));
});
