import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeMmdb } from '../../../test/support/mmdb.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { findOperatorFiles, installDatabase, removeDatabase } from '../../geo/files.ts';
import { watchOperatorDatabase } from './operator-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-operators-'));
after(() => rmSync(folder, { recursive: true }));
const silent = { info: () => undefined, error: () => undefined };

const record = (number: number, name: string) => ({
	autonomous_system_number: number,
	autonomous_system_organization: name,
});

function save(name: string, content: Buffer): string {
	const file = join(folder, name);
	writeFileSync(file, content);
	return file;
}

const asnFile = (number: number) =>
	save(
		'own-asn.mmdb',
		makeMmdb(
			[
				{ address: '192.0.2.0', bits: 24, record: record(number, 'Example Hosting') },
				{ address: '198.51.100.0', bits: 24, record: { autonomous_system_number: 64_510 } },
				{ address: '203.0.113.0', bits: 24, record: { autonomous_system_number: 'AS64500' } },
				{ address: '10.0.0.0', bits: 8, record: record(64_511, 'Private') },
			],
			{ type: 'GeoLite2-ASN' },
		),
	);

test('a running service uses a database of operators that is installed, replaced, damaged and removed', async (t) => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const place = { dataFolder, kind: 'operators' } as const;
	const operators = await watchOperatorDatabase({ dataFolder }, silent, 10);
	t.after(() => operators.close());
	const becomes = async (number: number | undefined) => {
		for (let tries = 0; operators.find('192.0.2.1')?.number !== number; tries++) {
			assert.ok(tries < 500, `${number} is not found`);
			await sleep(10);
		}
	};
	assert.equal(operators.find('192.0.2.1'), undefined);
	assert.equal(operators.isInstalled(), false);
	for (const number of [64_500, 64_501]) {
		await installDatabase(place, { paths: [asnFile(number)], version: null });
		await becomes(number);
	}
	assert.ok(operators.isInstalled());
	assert.equal(operators.needsAttribution(), false, 'it is not of DB-IP');
	assert.deepEqual(operators.find('::ffff:192.0.2.9'), { number: 64_501, name: 'Example Hosting' });
	assert.deepEqual(operators.find('198.51.100.1'), { number: 64_510, name: '' });
	for (const address of ['203.0.113.1', '10.0.0.1', '2001:db8::1', '9.9.9.9', '', 'x'])
		assert.equal(operators.find(address), undefined, address);
	const [path = ''] = (await findOperatorFiles(dataFolder))?.paths ?? [];
	writeFileSync(path, 'damaged');
	const restarted = await watchOperatorDatabase({ dataFolder }, silent, 10);
	t.after(() => restarted.close());
	assert.equal(restarted.isInstalled(), false);
	assert.equal(restarted.find('192.0.2.1'), undefined);
	assert.ok(await removeDatabase(place));
	await becomes(undefined);
	assert.equal(await removeDatabase(place), false);
});

test('[F69] an installation of operators that ends at any step leaves the previous one, and the places, in use', async (t) => {
	const dataFolder = mkdtempSync(join(folder, 'data-'));
	const place = { dataFolder, kind: 'operators' } as const;
	await installDatabase(place, { paths: [asnFile(64_500)], version: null });
	const before = await findOperatorFiles(dataFolder);
	const interrupted = join(dataFolder, 'operators', 'download-abc');
	mkdirSync(interrupted);
	utimesSync(interrupted, new Date(0), new Date(0));
	writeFileSync(join(dataFolder, 'operators', 'installed.json.new'), '{"folder":"abc');
	const city = save('city.mmdb', makeMmdb([], { type: 'city ipv4' }));
	for (const [path, expected] of [
		[city, /city\.mmdb has no network operators: its type is "city ipv4"/],
		[save('text.mmdb', Buffer.from('text')), /must be an \.mmdb file/],
	] as const)
		await assert.rejects(installDatabase(place, { paths: [path], version: null }), expected);
	assert.deepEqual(await findOperatorFiles(dataFolder), before);
	await installDatabase({ dataFolder, kind: 'geo' }, { paths: [city], version: null });
	const operators = await watchOperatorDatabase({ dataFolder }, silent);
	t.after(() => operators.close());
	assert.equal(operators.find('192.0.2.1')?.number, 64_500);
	await installDatabase(place, { paths: [asnFile(64_501)], version: null });
	assert.equal(readdirSync(join(dataFolder, 'operators')).length, 2, 'the list and one folder');
	assert.equal(readdirSync(join(dataFolder, 'geo')).length, 2);
});

test('[T121] a damaged or hostile database of operators finds nothing, and no hit fails of it', async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const networks = Array.from({ length: 200 }, (_, n) => ({
		address: `20.0.${n}.0`,
		bits: 24,
		record: record(n, `Operator ${n}`),
	}));
	const whole = makeMmdb(networks, { type: 'asn' });
	const end = whole.lastIndexOf('MaxMind.com');
	let found = 0;
	for (let round = 0; round < 20; round++) {
		const damaged = Buffer.from(whole);
		for (let n = 0; n < 200; n++) damaged[random.whole(end - 3)] = random.whole(256);
		const dataFolder = mkdtempSync(join(folder, 'damaged-'));
		const paths = [save('damaged-asn.mmdb', damaged)];
		await installDatabase({ dataFolder, kind: 'operators' }, { paths, version: null });
		const operators = await watchOperatorDatabase({ dataFolder }, silent);
		for (const { address } of networks) {
			const operator = operators.find(address.replace(/0$/, '7'));
			if (operator) found++;
			assert.ok(operator === undefined || typeof operator.name === 'string');
		}
		operators.close();
	}
	assert.ok(found > 0, 'some records are still whole');
});
