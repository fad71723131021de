import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { repair } from '../../server/backup/repair.ts';
import { checkDays, isLoss } from '../../server/derive/check.ts';
import { dropSetAside, findDamage, refuseDamaged } from '../../server/derive/damage.ts';
import { rebuildDays } from '../../server/derive/rebuild.ts';
import { sealDays } from '../../server/derive/seal.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { addDays } from '../../server/lib/local-dates.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { addTombstone } from '../../server/websites/tombstones.ts';
import { openSealing } from '../support/sealing.ts';

const s = await openSealing({ after });
const { clickhouse, postgres } = s;

let ids = 0;
const view = ({ websiteId, date }: SealDay): Event => ({
	...blankEvent,
	...{ website_id: websiteId, date, time: `${date} 12:00:00.000`, event_id: String(++ids) },
	visitor_id: String((BigInt(ids) * 2_000_000_000_000_000_000n) % 2n ** 64n),
});

async function websiteWith(dates: readonly string[], views = 10): Promise<number> {
	const websiteId = await s.website();
	await s.write(dates.flatMap((date) => Array.from({ length: views }, () => view({ websiteId, date }))));
	return websiteId;
}

const progress: { done: number; total: number }[] = [];
const report = (said: { done: number; total: number }) => void progress.push(said);
const check = (range: Parameters<typeof checkDays>[1] = {}) => checkDays(s.services, range, report);
const rebuild = (range: Parameters<typeof rebuildDays>[1]) => rebuildDays(s.services, range, report);
const spoil = (statement: ReturnType<typeof sql>) =>
	clickhouse.command(statement, { settings: { mutations_sync: '2' } });

const dates = Array.from({ length: 40 }, (_, index) => addDays('2026-05-01', index));

test('rebuild derives all days of a range anew, and says how far it is', async () => {
	const websiteId = await websiteWith(dates, 2);
	assert.deepEqual((await check({ websiteId })).days, 0, 'nothing is sealed');
	progress.length = 0;
	assert.deepEqual(await rebuild({ websiteId }), { days: 40, from: dates[0], to: dates.at(-1) });
	assert.deepEqual(progress, [
		{ done: 0, total: 40 },
		{ done: 30, total: 40 },
		{ done: 40, total: 40 },
	]);
	const before = await s.days(websiteId);
	const [from = '', to = ''] = [dates[3], dates[5]];
	assert.deepEqual(await rebuild({ websiteId, from, to }), { days: 3, from, to });
	const changed = (await s.days(websiteId)).filter(
		({ generation }, index) => generation !== before[index]?.generation,
	);
	assert.deepEqual(
		changed.map(({ date }) => date),
		dates.slice(3, 6),
	);
	assert.deepEqual(await check({ websiteId }), { days: 40, differences: [] });
	assert.deepEqual(await check({ websiteId, from, to }), { days: 3, differences: [] });
	assert.deepEqual(await rebuild({ websiteId, from: '2027-01-01' }), { days: 0, from: null, to: null });
});

test('a website that is not there, and dates that are not kept, are refused', async () => {
	const websiteId = await websiteWith(dates.slice(0, 2));
	await rebuild({ websiteId });
	await assert.rejects(rebuild({ websiteId: 999_999 }), /There is no website 999999/);
	await assert.rejects(check({ websiteId: 999_999 }), /There is no website 999999/);
	await postgres.run(sql`UPDATE websites SET raw_from = '2026-05-02' WHERE id = ${value(websiteId)}`);
	await assert.rejects(rebuild({ websiteId, from: '2026-05-01' }), /has events from 2026-05-02 on/);
	assert.deepEqual(await rebuild({ websiteId }), { days: 1, from: '2026-05-02', to: '2026-05-02' });
	assert.deepEqual(await check({ websiteId }), { days: 1, differences: [] });
});

test('what differs is told, whichever side is wrong, and rebuilding mends it', async () => {
	const [one, two] = [await websiteWith(dates.slice(0, 3)), await websiteWith(dates.slice(0, 3))];
	await rebuild({ websiteId: one });
	await rebuild({ websiteId: two });
	const all = await check({ from: dates[0], to: dates[2] });
	assert.deepEqual(all.differences, []);
	assert.ok(all.days >= 6);

	await spoil(
		sql`ALTER TABLE visits DELETE WHERE website_id = ${param('UInt32', one)} AND date = '2026-05-01' AND visitor_id < 5000000000000000000`,
	);
	await spoil(
		sql`ALTER TABLE totals UPDATE views = views + 1 WHERE website_id = ${param('UInt32', one)} AND date = '2026-05-02' AND dimension = ''`,
	);
	await spoil(
		sql`ALTER TABLE events DELETE WHERE website_id = ${param('UInt32', two)} AND date = '2026-05-03'`,
	);
	const { days, differences } = await check({ from: dates[0], to: dates[2] });
	assert.equal(days, all.days);
	const of = (websiteId: number, date: string) =>
		differences
			.filter((row) => row.websiteId === websiteId && row.date === date)
			.map(({ count, totals, visits, events }) => `${count} ${totals} ${visits} ${events}`);
	const left = of(one, '2026-05-01')[0]?.split(' ')[2];
	assert.ok(Number(left) > 0 && Number(left) < 10);
	assert.deepEqual(of(one, '2026-05-01'), [
		...[`visitors 10 ${left} 10`, `visits 10 ${left} 10`, `views 10 ${left} 10`],
	]);
	assert.deepEqual(of(one, '2026-05-02'), ['views 11 10 10']);
	assert.deepEqual(of(two, '2026-05-03'), ['visitors 10 10 0', 'visits 10 10 0', 'views 10 10 0']);
	assert.equal(differences.length, 7);

	// In pieces of a few events the same is found.
	s.services.atOnce.events = 4;
	assert.deepEqual((await check({ from: dates[0], to: dates[2] })).differences.length, 7);
	s.services.atOnce.events = 300_000;

	// Both have fewer events than their totals counted: that is how lost events look.
	await assert.rejects(
		rebuild({ websiteId: one }),
		/2026-05-02 of website \d+ has fewer events than .*: 1 page views/,
	);
	await assert.rejects(
		rebuild({ websiteId: two }),
		/2026-05-03 of website \d+ has .*: 10 page views.*--accept-loss/,
	);
	await rebuild({ websiteId: one, acceptLoss: true });
	await rebuild({ websiteId: two, acceptLoss: true });
	assert.deepEqual((await check({ from: dates[0], to: dates[2] })).differences, []);
});

test('[F56] a seal never replaces totals that counted more events than are left, and seals the other days', async () => {
	const date = '2026-08-01';
	const [one, two] = [await websiteWith([date]), await websiteWith([date])];
	await s.seal([one, two].map((websiteId) => ({ websiteId, date })));
	const [before] = await s.days(one);
	await spoil(
		sql`ALTER TABLE events DELETE WHERE website_id = ${param('UInt32', one)} AND visitor_id < 9000000000000000000`,
	);
	// Something late makes both dirty.
	await s.write([view({ websiteId: one, date }), view({ websiteId: two, date })]);
	const { days, failures } = await sealDays(
		s.services,
		[one, two].map((websiteId) => ({ websiteId, date })),
		'whole',
	);
	assert.deepEqual(days, [{ websiteId: two, date }]);
	assert.equal(failures.length, 1);
	assert.match(String(failures[0]?.error), /fewer events than their totals counted.*tidemark repair FILE/);
	const [after] = await s.days(one);
	assert.equal(after?.generation, before?.generation);
});

test('[F56] check and rebuild refuse while a part of events is set aside, and go on once it is repaired', async () => {
	const date = '2026-09-01';
	const websiteId = await websiteWith([date]);
	await rebuild({ websiteId });
	await clickhouse.command(sql`ALTER TABLE events DETACH PARTITION ${param('UInt32', 202609)}`);
	const damaged = await findDamage(s.services);
	assert.deepEqual(
		damaged.map(({ table }) => table),
		['events'],
	);
	await assert.rejects(
		refuseDamaged(s.services, [], 'X.'),
		/could not read a part.*tidemark repair FILE\. X\./,
	);
	await assert.rejects(rebuild({ websiteId }), /could not read a part.*10 page views.*--accept-loss/);
	const { differences } = await check({ websiteId });
	assert.ok(differences.some(isLoss));

	// Its files are erased, what is known of it is not.
	assert.equal(await dropSetAside(s.services), 1);
	assert.deepEqual(await findDamage(s.services), damaged);
	await assert.rejects(rebuild({ websiteId }), /could not read a part/);
	const accepted = await repair({ postgres, clickhouse, report }, undefined);
	assert.deepEqual([accepted.parts, accepted.days], [damaged, 0]);
	assert.deepEqual(await findDamage(s.services), []);
	await assert.rejects(rebuild({ websiteId }), /^AppError: 2026-09-01 of website \d+ has fewer events/);
});

test('a day that has more than was sealed is not compared, nor is what was emptied', async () => {
	const date = '2026-05-01';
	const websiteId = await websiteWith([date]);
	await rebuild({ websiteId });
	await s.write([view({ websiteId, date })]);
	assert.deepEqual(await check({ websiteId }), { days: 0, differences: [] });

	s.clock.now = new Date(`${date}T11:00:00Z`);
	await postgres.transaction((tx) => addTombstone(tx, s.services.now, websiteId, { isReset: true }));
	s.clock.now = new Date(`${date}T12:00:01Z`);
	await postgres.run(
		sql`UPDATE tombstones SET created_at = ${value(s.clock.now)} WHERE website_id = ${value(websiteId)}`,
	);
	await s.write([{ ...view({ websiteId, date }), time: `${date} 13:00:00.000` }]);
	await rebuild({ websiteId });
	assert.deepEqual(await check({ websiteId }), { days: 1, differences: [] });

	// One that is sealed again while it is compared.
	const busy: typeof clickhouse = {
		...clickhouse,
		async rows(query, of) {
			await s.seal([{ websiteId, date }]);
			return clickhouse.rows(query, of);
		},
	};
	const compared = await checkDays({ ...s.services, clickhouse: busy }, { websiteId }, report);
	assert.deepEqual(compared, { days: 0, differences: [] });
});
