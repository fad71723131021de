import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfDate, localDate, nextDate } from '../../server/lib/local-dates.ts';
import { param, sql } from '../../server/store/sql.ts';
import { dateOf, toZones } from '../../server/websites/zones.ts';
import { engineFor } from '../engine/engine.ts';
import { seededRandom } from '../support/random.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Days that are not 24 hours or do not begin at midnight, and two that are and do. */
const days: { zone: string; date: string; hours: number; begins: string }[] = [
	{ zone: 'Europe/Berlin', date: '2026-03-29', hours: 23, begins: '00:00' },
	{ zone: 'Europe/Berlin', date: '2026-10-25', hours: 25, begins: '00:00' },
	{ zone: 'America/New_York', date: '2026-03-08', hours: 23, begins: '00:00' },
	{ zone: 'America/New_York', date: '2026-11-01', hours: 25, begins: '00:00' },
	{ zone: 'Australia/Lord_Howe', date: '2026-04-05', hours: 24.5, begins: '00:00' },
	{ zone: 'Australia/Lord_Howe', date: '2026-10-04', hours: 23.5, begins: '00:00' },
	{ zone: 'America/Santiago', date: '2026-09-06', hours: 23, begins: '01:00' },
	{ zone: 'America/Santiago', date: '2026-04-04', hours: 25, begins: '00:00' },
	{ zone: 'Asia/Beirut', date: '2026-03-29', hours: 23, begins: '01:00' },
	{ zone: 'Africa/Casablanca', date: '2026-02-15', hours: 25, begins: '00:00' },
	{ zone: 'Pacific/Apia', date: '2011-12-29', hours: 24, begins: '00:00' },
	{ zone: 'Pacific/Apia', date: '2011-12-30', hours: 0, begins: 'never' },
	{ zone: 'Pacific/Apia', date: '2011-12-31', hours: 24, begins: '00:00' },
	{ zone: 'Asia/Kathmandu', date: '2026-11-15', hours: 24, begins: '00:00' },
	{ zone: 'Pacific/Kiritimati', date: '2026-12-31', hours: 24, begins: '00:00' },
	{ zone: 'Pacific/Pago_Pago', date: '2028-02-29', hours: 24, begins: '00:00' },
];

test('a local date begins and ends where a clock on the wall says so', () => {
	for (const { zone, date, hours, begins } of days) {
		const wall = wallClock(zone);
		const noon = Date.parse(`${date}T12:00:00Z`);
		const minutes: number[] = [];
		for (let ms = noon - 2 * dayMs; ms < noon + 2 * dayMs; ms += minuteMs) {
			const shown = wall(ms);
			assert.equal(localDate(zone, ms), shown.date, `${zone} ${new Date(ms).toISOString()}`);
			assert.equal(localDate(zone, ms + minuteMs - 1), shown.date, `${zone} ${new Date(ms).toISOString()}`);
			if (shown.date === date) minutes.push(ms);
		}
		const name = `${zone} ${date}`;
		const [first = Number.NaN] = minutes;
		const end = endOfDate(zone, date);
		assert.equal(minutes.length / 60, hours, name);
		assert.equal(hours === 0 ? 'never' : wall(first).time, begins, name);
		assert.equal(wall(end - 1).date <= date && wall(end).date > date, true, name);
		if (hours > 0) assert.equal(end, first + hours * hourMs, name);
		else assert.equal(end, endOfDate(zone, before(date)), name);
	}
});

test('the date after is the next of the calendar', () => {
	const cases = [
		['2026-11-15', '2026-11-16'],
		['2026-12-31', '2027-01-01'],
		['2026-02-28', '2026-03-01'],
		['2028-02-28', '2028-02-29'],
		['2028-02-29', '2028-03-01'],
		// In Berlin a day of 25 hours, in Apia one that never was.
		['2026-10-25', '2026-10-26'],
		['2011-12-29', '2011-12-30'],
	] as const;
	for (const [date, expected] of cases) assert.equal(nextDate(date), expected);
});

/**
 * Zones whose rules Node and ClickHouse know in different versions, and the date from which on they may differ. What is
 * not listed fails: a day that ClickHouse cut elsewhere than the collector would hold other events.
 * Node 24.21 has zone data of 2026 in which these four stay on one offset all year; ClickHouse 26.7 has older ones.
 */
const knownToDiffer: Readonly<Record<string, string>> = {
	'Africa/Casablanca': '2026-09-20',
	'Africa/El_Aaiun': '2026-09-20',
	'America/Edmonton': '2026-11-01',
	'America/Vancouver': '2026-11-01',
};

test('ClickHouse has the same dates in every zone, from 2020 to 2030', async (t) => {
	const { clickhouse } = await engineFor(t);
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const from = Date.UTC(2020, 0, 1);
	const to = Date.UTC(2031, 0, 1);
	const different: { zone: string; date: string; here: string }[] = [];
	let compared = 0;
	for (const zone of Intl.supportedValuesOf('timeZone')) {
		// The edges of every day in a week in which the offset changes, of some others, and instants anywhere.
		const offset = offsetIn(zone);
		const dates: string[] = [];
		for (let week = from; week < to; week += 7 * dayMs) {
			if (offset(week) === offset(week + 7 * dayMs) && random.next() > 0.01) continue;
			for (let day = 0; day < 7; day++) dates.push(localDate(zone, week + day * dayMs));
		}
		const edges = dates.map((date) => endOfDate(zone, date));
		const times = [
			...edges.flatMap((edge) => [edge - 1, edge]),
			...Array.from({ length: 50 }, () => from + random.whole((to - from) / 1_000) * 1_000),
		];
		const rows = await clickhouse.rows<{ date: string }>(sql`
			SELECT toDate(fromUnixTimestamp64Milli(arrayJoin(${param('Array(Int64)', times)})), ${param('String', zone)}) AS date`);
		assert.equal(rows.length, times.length);
		compared += rows.length;
		const here = times.map((ms) => localDate(zone, ms));
		for (const [index, { date }] of rows.entries())
			if (date !== here[index]) different.push({ zone, date, here: here[index] ?? '' });
	}
	t.diagnostic(
		`${compared} instants; different in ${[...new Set(different.map(({ zone }) => zone))].join(', ') || 'no zone'}`,
	);
	assert.ok(compared > 10_000);
	assert.deepEqual(
		different.filter(({ zone, here }) => here < (knownToDiffer[zone] ?? '9999')),
		[],
	);
});

test('over changed zones a date never goes back and none is cut twice', () => {
	const random = seededRandom();
	const zoneNames = Intl.supportedValuesOf('timeZone');
	for (let round = 0; round < 200; round++) {
		const begin = Date.UTC(2020, 0, 1) + random.whole(3_650) * dayMs;
		const rows = [{ from: '0001-01-01', zone: random.pick(zoneNames) }];
		for (let changed = begin; random.next() < 0.8 && rows.length < 5; changed += random.whole(60) * hourMs) {
			const from = nextDate(dateOf(toZones(rows), changed).date);
			const last = rows.at(-1);
			// A second change before midnight takes the place of the first.
			if (last?.from === from) last.zone = random.pick(zoneNames);
			else rows.push({ from, zone: random.pick(zoneNames) });
		}
		const zones = toZones(rows);
		const name = `SEED=${random.seed} ${JSON.stringify(rows)}`;
		let previous = '';
		const zoneOfDate = new Map<string, string>();
		for (let ms = begin - 3 * dayMs; ms < begin + 12 * dayMs; ms += 15 * minuteMs) {
			const { date, zone } = dateOf(zones, ms);
			assert.ok(date >= previous, `${name} ${new Date(ms).toISOString()} ${previous} → ${date}`);
			assert.equal(zoneOfDate.get(date) ?? zone, zone, `${name}: ${date} is cut in two zones`);
			zoneOfDate.set(date, zone);
			previous = date;
		}
	}
});

const before = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);

function wallClock(zone: string): (ms: number) => { date: string; time: string } {
	const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
	return (ms) => {
		const [date = '', time = ''] = format.format(ms).split(' ');
		return { date, time };
	};
}

function offsetIn(zone: string): (ms: number) => string {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	return (ms) => format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
