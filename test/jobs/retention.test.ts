import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { maxAgeMs } from '../../server/ingest/parse-server-event.ts';
import { applyRetention } from '../../server/jobs/apply-retention.ts';
import { addDays } from '../../server/lib/local-dates.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { openSealing } from '../support/sealing.ts';

const s = await openSealing({ after });
const { postgres, clickhouse } = s;

let ids = 0;
const view = ({ websiteId, date }: SealDay): Event => ({
	...blankEvent,
	...{ website_id: websiteId, date, time: `${date} 12:00:00.000`, visitor_id: '7', event_id: String(++ids) },
});

async function websiteWith(months: number | null, dates: readonly string[], zone = 'UTC') {
	const websiteId = await s.website([{ from: '0001-01-01', zone }]);
	await postgres.run(sql`
		UPDATE websites SET retention_months = ${value(months)} WHERE id = ${value(websiteId)}`);
	await s.write(dates.map((date) => view({ websiteId, date })));
	return websiteId;
}

const sealAll = (websiteId: number, dates: readonly string[]) =>
	s.seal(dates.map((date) => ({ websiteId, date })));

/** First date that is kept, dates with events, with visits, with totals. */
async function stateOf(websiteId: number) {
	const [website] = await postgres.rows<{ rawFrom: string | null; erasedTo: string | null }>(sql`
		SELECT raw_from::text AS "rawFrom", raw_erased_to::text AS "erasedTo" FROM websites WHERE id = ${value(websiteId)}`);
	const datesIn = async (table: typeof tables.events) => {
		const rows = await clickhouse.rows<{ date: string }>(
			sql`SELECT DISTINCT date FROM ${table} WHERE website_id = ${param('UInt32', websiteId)} ORDER BY date`,
		);
		return rows.map(({ date }) => date.slice(5)).join(' ');
	};
	const tables = { events: sql`events`, visits: sql`visits`, totals: sql`totals` };
	return {
		...website,
		events: await datesIn(tables.events),
		visits: await datesIn(tables.visits),
		totals: await datesIn(tables.totals),
	};
}

const dates = ['2026-01-30', '2026-02-27', '2026-02-28', '2026-03-01'];

test('events and visits go after their months, totals stay', async () => {
	const [some, all] = [await websiteWith(1, dates), await websiteWith(null, dates)];
	await sealAll(some, dates);
	await sealAll(all, dates);
	// The 31st, a month before which is the last day of February.
	s.clock.now = new Date('2026-03-31T12:00:00Z');
	await applyRetention(s.services);
	const short = '01-30 02-27 02-28 03-01';
	assert.deepEqual(await stateOf(some), {
		...{ rawFrom: '2026-02-28', erasedTo: '2026-02-28' },
		...{ events: '02-28 03-01', visits: '02-28 03-01', totals: short },
	});
	assert.deepEqual(await stateOf(all), {
		...{ rawFrom: null, erasedTo: null, events: short, visits: short, totals: short },
	});
	s.clock.now = new Date('2026-04-01T12:00:00Z');
	await applyRetention(s.services);
	assert.equal((await stateOf(some)).events, '03-01');
	// Longer, or for ever: what is gone is gone, and nothing more goes.
	await postgres.run(sql`UPDATE websites SET retention_months = 12 WHERE id = ${value(some)}`);
	await applyRetention(s.services);
	assert.equal((await stateOf(some)).rawFrom, '2026-03-01');
	await postgres.run(sql`UPDATE websites SET retention_months = NULL WHERE id = ${value(some)}`);
	await applyRetention(s.services);
	assert.equal((await stateOf(some)).rawFrom, '2026-03-01');
});

test('today is that of the website', async () => {
	const day = ['2026-02-28'];
	const [east, west] = [
		await websiteWith(1, day, 'Pacific/Kiritimati'),
		await websiteWith(1, day, 'Pacific/Pago_Pago'),
	];
	s.clock.now = new Date('2026-04-01T10:30:00Z');
	await applyRetention(s.services);
	await sealAll(east, day);
	await sealAll(west, day);
	await applyRetention(s.services);
	assert.deepEqual(
		[(await stateOf(east)).rawFrom, (await stateOf(west)).rawFrom],
		['2026-03-02', '2026-02-28'],
	);
});

test('a day that is not sealed, or has more than was sealed, is not passed over', async () => {
	const websiteId = await websiteWith(1, dates);
	s.clock.now = new Date('2026-04-15T12:00:00Z');
	await applyRetention(s.services);
	assert.deepEqual(
		[(await stateOf(websiteId)).rawFrom, (await stateOf(websiteId)).events],
		['2026-01-30', '01-30 02-27 02-28 03-01'],
	);
	await sealAll(websiteId, dates.slice(0, 2));
	await applyRetention(s.services);
	assert.deepEqual(
		[(await stateOf(websiteId)).rawFrom, (await stateOf(websiteId)).events],
		['2026-02-28', '02-28 03-01'],
	);
	await sealAll(websiteId, dates.slice(2));
	await s.write([view({ websiteId, date: '2026-03-01' })]);
	await applyRetention(s.services);
	assert.equal((await stateOf(websiteId)).rawFrom, '2026-03-01');
	await sealAll(websiteId, ['2026-03-01']);
	await applyRetention(s.services);
	assert.deepEqual(await stateOf(websiteId), {
		...{ rawFrom: '2026-03-15', erasedTo: '2026-03-15' },
		...{ events: '', visits: '', totals: '01-30 02-27 02-28 03-01' },
	});
	// What was sealed is still named and answered.
	for (const { date, generation } of await s.days(websiteId))
		assert.equal(
			(await s.totals(websiteId, date, generation))[0]?.views,
			date === '2026-03-01' ? '2' : '1',
			date,
		);
});

test('a run that was cut short is finished by the next', async () => {
	const websiteId = await websiteWith(1, dates);
	await sealAll(websiteId, dates);
	s.clock.now = new Date('2026-04-15T12:00:00Z');
	let statements = 0;
	const broken: typeof clickhouse = {
		...clickhouse,
		async command(query, of) {
			if (++statements > 1) throw new Error('The engine is away.');
			return clickhouse.command(query, of);
		},
	};
	await assert.rejects(applyRetention({ ...s.services, clickhouse: broken }), /is away/);
	const half = await stateOf(websiteId);
	assert.deepEqual(
		[half.rawFrom, half.erasedTo, half.visits],
		['2026-03-15', null, '01-30 02-27 02-28 03-01'],
	);
	await applyRetention(s.services);
	assert.deepEqual(await stateOf(websiteId), {
		...{ rawFrom: '2026-03-15', erasedTo: '2026-03-15' },
		...{ events: '', visits: '', totals: '01-30 02-27 02-28 03-01' },
	});
	// Nothing is rewritten for a website that has nothing to lose.
	statements = 1;
	s.clock.now = new Date('2026-04-16T12:00:00Z');
	await applyRetention({ ...s.services, clickhouse: broken });
	assert.equal((await stateOf(websiteId)).erasedTo, '2026-03-16');
});

test('while something has waited in the log for a day, nothing goes', async () => {
	const websiteId = await websiteWith(1, dates);
	await sealAll(websiteId, dates);
	s.clock.now = new Date('2026-04-15T12:00:00Z');
	await postgres.run(sql`
		INSERT INTO event_log (seq, appended_at, header, lines, bytes) VALUES (1, '2026-04-14 11:59:59Z', '{}', '', 0)`);
	await applyRetention(s.services);
	assert.equal((await stateOf(websiteId)).rawFrom, null);
	await postgres.run(sql`DELETE FROM event_log`);
	await applyRetention(s.services);
	assert.equal((await stateOf(websiteId)).rawFrom, '2026-03-15');
});

test('no event that is accepted can be of a date that is not kept', () => {
	// The shortest retention, in the shortest month. An event may be a day older by the clocks of two zones, and wait for
	// a day in the log.
	const leastDays = 28;
	assert.ok(maxAgeMs / 86_400_000 + 2 + 1 < leastDays);
	for (let date = '2026-01-01'; date < '2028-12-31'; date = addDays(date, 1)) {
		const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
		const before = new Date(
			Date.UTC(year, month - 2, Math.min(day, new Date(Date.UTC(year, month - 1, 0)).getUTCDate())),
		);
		assert.ok(Date.parse(`${date}T00:00:00Z`) - before.getTime() >= leastDays * 86_400_000);
	}
});
