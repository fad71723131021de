import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seededRandom } from '../../test/support/random.ts';
import { operatorsOfCsv } from './read-operators.ts';
import { openReader, openRecords } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-operators-'));
after(() => rmSync(folder, { recursive: true }));

const builtAt = new Date('2026-06-17T00:00:00Z');
let files = 0;

async function open(csv: string) {
	const source = join(folder, `${++files}.csv`);
	writeFileSync(source, csv);
	const target = join(folder, `${files}.mmdb`);
	writeFileSync(target, await operatorsOfCsv(source, builtAt));
	return { target, records: await openRecords([target]) };
}

const addressOf = (number: number) =>
	[24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
const recordOf = (number: number, name: string) => ({
	autonomous_system_number: number,
	autonomous_system_organization: name,
});

test('random ranges of IPv4 are found from their first to their last address', async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	let next = 0x0b000000;
	const ranges = Array.from({ length: 2_000 }, (_, n) => {
		const from = next + random.whole(3) * random.whole(5_000);
		const to = from + random.whole(2 ** random.whole(18));
		next = to + 1;
		const number = random.whole(50);
		return { from, to, number, name: `Net "${number}", ${n % 2 ? 'Ünited' : 'Example'}` };
	});
	const rows = ranges.map(
		({ from, to, number, name }) => `${from},${to},${number},"${name.replaceAll('"', '""')}"`,
	);
	const { target, records } = await open(rows.join('\n'));
	const { metadata } = await openReader(target);
	assert.deepEqual(
		[metadata.ipVersion, metadata.databaseType, metadata.buildEpoch],
		[4, 'DB-IP, RouteViews and NRO: ASN, CC BY 4.0', builtAt],
	);
	assert.ok(records.isOfDbIp, 'its license requires the link');
	for (const [index, { from, to, number, name }] of ranges.entries()) {
		for (const address of [from, to, from + random.whole(to - from + 1)])
			assert.deepEqual(records.find(addressOf(address)), recordOf(number, name), addressOf(address));
		const gap = ranges[index + 1]?.from !== to + 1;
		if (gap) assert.equal(records.find(addressOf(to + 1)), undefined, addressOf(to + 1));
	}
	assert.equal(records.find('2001:db8::1'), undefined, 'this one has no IPv6');
});

test('ranges of IPv6, overlaps and a long name', async () => {
	const addressOf = (groups: string, rest: 0n | 1n) =>
		(BigInt(`0x${groups.replaceAll(':', '')}`) << 80n) + rest * ((1n << 80n) - 1n);
	const { target, records } = await open(
		[
			`${addressOf('2a00:0001:0000', 0n)},${addressOf('2a00:0001:0003', 1n)},64500,First`,
			`${addressOf('2a00:0001:0002', 0n)},${addressOf('2a00:0001:0005', 1n)},64501,Second`,
			`${addressOf('2a00:0003:0000', 0n)},${addressOf('2a00:0003:00ff', 1n)},64502,Around`,
			`${addressOf('2a00:0003:0001', 0n)},${addressOf('2a00:0003:0002', 1n)},64503,Within`,
			`${addressOf('2a00:0003:0100', 0n)},${addressOf('2a00:0003:0101', 1n)},64504,After`,
			`${addressOf('2a00:0002:0000', 0n)},${addressOf('2a00:0002:0000', 1n)},4294967295,${'ö'.repeat(300)}`,
		].join('\r\n'),
	);
	assert.equal((await openReader(target)).metadata.ipVersion, 6);
	for (const [address, number] of [
		['2a00:1::', 64500],
		['2a00:1:3:ffff:ffff:ffff:ffff:ffff', 64500],
		['2a00:1:4::', 64501],
		['2a00:1:5:ffff::1', 64501],
		['2a00:1:6::', undefined],
		['2a00:2::1', 4_294_967_295],
		['2a00:3::1', 64502],
		['2a00:3:1::1', 64502],
		['2a00:3:80::1', 64502],
		['2a00:3:101::1', 64504],
		['2a00:3:102::1', undefined],
		['8.8.8.8', undefined],
	] as const)
		assert.equal(records.find(address)?.autonomous_system_number, number, address);
	assert.equal(records.find('2a00:2::1')?.autonomous_system_organization, 'ö'.repeat(100));
});

test('of ranges that overlap, the one that begins first counts', async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const first = 0x0b000000;
	for (let round = 0; round < 50; round++) {
		const ranges = Array.from({ length: 12 }, (_, n) => {
			const from = first + n * 20 + random.whole(20);
			return { from, to: from + random.whole(100), number: n };
		});
		const { records } = await open(
			ranges.map(({ from, to, number }) => `${from},${to},${number},A`).join('\n'),
		);
		for (let address = first; address < first + 350; address++) {
			const expected = ranges.find(({ from, to }) => from <= address && address <= to)?.number;
			assert.equal(records.find(addressOf(address))?.autonomous_system_number, expected, addressOf(address));
		}
	}
});

test('[T121] a file of other rows is refused, with the line', async () => {
	for (const [csv, message] of [
		['', /is empty/],
		['1.0.0.0,1.0.0.255,64500,Example', /line 1 is not a range of addresses as numbers.*asn-ipv4-num\.csv/],
		['16777216,16777471,64500,A\n16777472,16777727,4294967296,B', /line 2/],
		['16777216,16777471,-1,A', /line 1/],
		[`1,2,3,"${'x'.repeat(20_000)}`, /record/i],
		[`${'9'.repeat(40)},1,2,A`, /line 1/],
	] as const)
		await assert.rejects(open(csv), message);
	const beyond = `${2n ** 128n},${2n ** 128n + 5n},64500,Beyond\n16777216,16777471,64501,A`;
	await assert.rejects(open(beyond), /line 1/);
});
