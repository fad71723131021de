import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	ask,
	custom,
	customComparison,
	dayMs,
	hourMs,
	instant,
	inZone,
	lengthMs,
	minuteMs,
	minutesIn,
	previous,
	times,
	written,
} from '../../../test/support/periods.ts';
import { AppError } from '../../lib/app-error.ts';
import { addDays } from '../../lib/local-dates.ts';
import { endOfDate, startOfDate } from '../../websites/offsets.ts';
import { toZones, type Zones } from '../../websites/zones.ts';
import { type RequestedPeriod, resolvePeriod } from './periods.ts';
import type { Interval, PeriodName } from './question.ts';

/** At 2026-11-15T11:20Z: the local date, the hour of now and its offset. */
const places = [
	['UTC', '2026-11-15', '11:00:00+00:00'],
	['Europe/Berlin', '2026-11-15', '12:00:00+01:00'],
	['America/New_York', '2026-11-15', '06:00:00-05:00'],
	['America/St_Johns', '2026-11-15', '07:00:00-03:30'],
	['America/Santiago', '2026-11-15', '08:00:00-03:00'],
	['Asia/Beirut', '2026-11-15', '13:00:00+02:00'],
	['Africa/Cairo', '2026-11-15', '13:00:00+02:00'],
	['Asia/Kathmandu', '2026-11-15', '17:00:00+05:45'],
	['Australia/Lord_Howe', '2026-11-15', '22:00:00+11:00'],
	['Pacific/Pago_Pago', '2026-11-15', '00:00:00-11:00'],
	['Pacific/Apia', '2026-11-16', '00:00:00+13:00'],
	['Pacific/Kiritimati', '2026-11-16', '01:00:00+14:00'],
] as const;

test('every period in a dozen zones', () => {
	const now = Date.parse('2026-11-15T11:20:00Z');
	for (const [zone, today, hour] of places) {
		const [yesterday, day, thisHour] = [addDays(today, -1), Number(today.slice(8)), `${today}T${hour}`];
		const hoursToday = Number(hour.slice(0, 2)) + 1;
		// From, to, the usual interval, how many buckets it makes, and the last of them.
		const expected: [PeriodName, string, string, Interval, number, string][] = [
			['today', today, today, 'hour', hoursToday, thisHour],
			['yesterday', yesterday, yesterday, 'hour', 24, `${yesterday}T23${hour.slice(2)}`],
			['24h', yesterday, today, 'hour', 25, thisHour],
			['7d', day === 15 ? '2026-11-09' : '2026-11-10', today, 'day', 7, today],
			['28d', day === 15 ? '2026-10-19' : '2026-10-20', today, 'day', 28, today],
			['30d', day === 15 ? '2026-10-17' : '2026-10-18', today, 'day', 30, today],
			['90d', day === 15 ? '2026-08-18' : '2026-08-19', today, 'day', 90, today],
			// 15 November is a Sunday.
			day === 15
				? ['last_week', '2026-11-02', '2026-11-08', 'day', 7, '2026-11-08']
				: ['last_week', '2026-11-09', '2026-11-15', 'day', 7, '2026-11-15'],
			['month', '2026-11-01', today, 'day', day, today],
			['last_month', '2026-10-01', '2026-10-31', 'day', 31, '2026-10-31'],
			['quarter', '2026-10-01', today, 'day', 31 + day, today],
			['year', '2026-01-01', today, 'month', 11, '2026-11-01'],
			day === 15
				? ['6months', '2026-06-01', today, 'week', 24, '2026-11-09']
				: ['6months', '2026-06-01', today, 'week', 25, '2026-11-16'],
			['12months', '2025-12-01', today, 'month', 12, '2026-11-01'],
			['all', '2023-02-11', today, 'month', 46, '2026-11-01'],
		];
		for (const [period, from, to, interval, count, last] of expected) {
			const found = ask(zone, now, { period }, '2023-02-11');
			const startMs = period === '24h' ? Date.parse(thisHour) - dayMs : null;
			const unfinished = found.buckets.filter(({ isUnfinished }) => isUnfinished);
			assert.deepEqual(
				[found.span, found.interval, found.buckets.length, found.buckets.at(-1)?.time, times(unfinished)],
				[{ from, to, startMs, endMs: null }, interval, count, last, to < today ? [] : [last]],
				`${zone} ${period}`,
			);
			assert.deepEqual([found.compared, found.comparedBuckets], [null, null]);
		}
	}
});

test('a week starts on Monday, or on Sunday where that is asked for', () => {
	const spanOf = (now: string, weekStart?: 'monday' | 'sunday') =>
		written('UTC', ask('UTC', now, { period: 'last_week', weekStart }).span);
	for (const [now, monday, sunday] of [
		['2026-11-14 10:00', '2026-11-02/2026-11-08', '2026-11-01/2026-11-07'],
		['2026-11-15 10:00', '2026-11-02/2026-11-08', '2026-11-08/2026-11-14'],
		['2026-11-16 10:00', '2026-11-09/2026-11-15', '2026-11-08/2026-11-14'],
	] as const)
		assert.deepEqual(
			[spanOf(now), spanOf(now, 'monday'), spanOf(now, 'sunday')],
			[monday, monday, sunday],
			now,
		);
	const weeksOf = (weekStart: 'monday' | 'sunday') =>
		times(
			ask('UTC', '2026-11-15 10:00', custom('2026-11-05', '2026-11-18', { interval: 'week', weekStart }))
				.buckets,
		);
	assert.deepEqual(weeksOf('monday'), ['2026-11-05', '2026-11-09', '2026-11-16']);
	assert.deepEqual(weeksOf('sunday'), ['2026-11-05', '2026-11-08', '2026-11-15']);
});

test('a quarter begins in January, April, July and October', () => {
	const firstOf = (month: string) =>
		ask('UTC', `2026-${month}-09 10:00`, { period: 'quarter' }).span.from.slice(5);
	for (const [start, ...months] of [
		['01', '01', '02', '03'],
		['04', '04', '05', '06'],
		['07', '07', '08', '09'],
		['10', '10', '11', '12'],
	] as const)
		for (const month of months) assert.equal(firstOf(month), `${start}-01`, month);
});

test('all begins with the first date that has an event, and is today where there is none', () => {
	const spanOf = (firstDate?: string) =>
		written('UTC', ask('UTC', '2026-11-15 10:00', { period: 'all' }, firstDate).span);
	assert.equal(spanOf('2026-10-01'), '2026-10-01/2026-11-15');
	assert.equal(spanOf(), '2026-11-15/2026-11-15');
	// An event whose clock was ahead of ours.
	assert.equal(spanOf('2026-11-17'), '2026-11-15/2026-11-15');
});

test('the interval follows from the length where none is asked for', () => {
	const cases: [string, string, Interval][] = [
		['2026-03-01', '2026-03-01', 'hour'],
		['2026-03-01', '2026-03-02', 'day'],
		['2026-03-01', '2026-05-31', 'day'],
		['2026-03-01', '2026-06-01', 'week'],
		['2026-03-01', '2026-08-29', 'week'],
		['2026-03-01', '2026-08-30', 'month'],
		['2017-03-01', '2026-08-30', 'month'],
	];
	for (const [from, to, interval] of cases) {
		assert.equal(
			ask('Europe/Berlin', '2026-11-15 10:00', custom(from, to)).interval,
			interval,
			`${from} ${to}`,
		);
	}
	const allOf = (firstDate: string) =>
		ask('Europe/Berlin', '2026-11-15 10:00', { period: 'all' }, firstDate).interval;
	assert.deepEqual(['2026-11-15', '2026-09-01', '2026-06-15', '2020-01-01'].map(allOf), [
		'hour',
		'day',
		'week',
		'month',
	]);
});

test('[F33] an hour is cut where the clock shows one and where its offset changes', () => {
	// Hours, buckets, and those around the change.
	const cases: [string, string, number, number, ...string[]][] = [
		['Europe/Berlin', '2026-03-29', 23, 23, '01:00:00+01:00', '03:00:00+02:00', '04:00:00+02:00'],
		['Europe/Berlin', '2026-10-25', 25, 25, '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00'],
		['America/New_York', '2026-03-08', 23, 23, '01:00:00-05:00', '03:00:00-04:00'],
		['America/New_York', '2026-11-01', 25, 25, '01:00:00-04:00', '01:00:00-05:00', '02:00:00-05:00'],
		['Australia/Lord_Howe', '2026-04-05', 24.5, 25, '01:00:00+11:00', '01:30:00+10:30', '02:00:00+10:30'],
		['Australia/Lord_Howe', '2026-10-04', 23.5, 24, '01:00:00+10:30', '02:30:00+11:00', '03:00:00+11:00'],
		['America/Santiago', '2026-09-06', 23, 23, '01:00:00-03:00', '02:00:00-03:00'],
		['America/Santiago', '2026-04-04', 25, 25, '22:00:00-03:00', '23:00:00-03:00', '23:00:00-04:00'],
		['Asia/Beirut', '2026-03-29', 23, 23, '01:00:00+03:00', '02:00:00+03:00'],
		['Africa/Casablanca', '2026-02-15', 25, 25, '02:00:00+01:00', '02:00:00+00:00', '03:00:00+00:00'],
		['Asia/Kathmandu', '2026-11-15', 24, 24, '00:00:00+05:45', '01:00:00+05:45'],
		['Pacific/Kiritimati', '2026-12-31', 24, 24, '22:00:00+14:00', '23:00:00+14:00'],
	];
	for (const [zone, date, hours, count, ...around] of cases) {
		const name = `${zone} ${date}`;
		const { buckets } = ask(zone, '2027-06-01 12:00', custom(date, date));
		assert.equal(buckets.length, count, name);
		assert.equal(minutesIn(buckets), hours * 60, name);
		const zones = inZone(zone);
		assert.equal(endOfDate(zones, date) - startOfDate(zones, date), hours * hourMs, name);
		const at = buckets.findIndex(({ time }) => time === `${date}T${around[0]}`);
		const shown = buckets.slice(at, at + around.length).map(({ time }) => time.slice(11));
		assert.deepEqual(shown, around, name);
		// A label is an instant, and it is the one at which the bucket starts.
		for (const { time, startMs } of buckets) assert.equal(Date.parse(time), startMs, name);
		const { buckets: minutes } = ask(zone, '2027-06-01 12:00', custom(date, date, { interval: 'minute' }));
		assert.equal(minutes.length, hours * 60, name);
		assert.ok(
			minutes.every((bucket) => lengthMs(bucket) === minuteMs),
			name,
		);
	}
});

test('[F33] today and the last 24 hours on days on which the clock is set', () => {
	const listed = (zone: string, now: string, period: PeriodName) => {
		const { buckets, span } = ask(zone, now, { period });
		const labels = times(buckets) ?? [];
		return [span.from, labels.length, labels[0], labels.at(-1)];
	};
	assert.deepEqual(listed('Europe/Berlin', '2026-03-29 03:10', 'today'), [
		'2026-03-29',
		3,
		'2026-03-29T00:00:00+01:00',
		'2026-03-29T03:00:00+02:00',
	]);
	assert.deepEqual(listed('America/Santiago', '2026-09-06 01:05', 'today'), [
		'2026-09-06',
		1,
		'2026-09-06T01:00:00-03:00',
		'2026-09-06T01:00:00-03:00',
	]);
	// A date of 23 hours lies within: three dates.
	assert.deepEqual(listed('Europe/Berlin', '2026-03-30 00:30', '24h'), [
		'2026-03-28',
		25,
		'2026-03-28T23:00:00+01:00',
		'2026-03-30T00:00:00+02:00',
	]);
	assert.deepEqual(listed('Europe/Berlin', '2026-10-25 20:30', '24h'), [
		'2026-10-24',
		25,
		'2026-10-24T21:00:00+02:00',
		'2026-10-25T20:00:00+01:00',
	]);
	// 24 hours ago it was 01:40 for the second time: the short half hour is the first bucket.
	assert.deepEqual(listed('Australia/Lord_Howe', '2026-04-06 01:40', '24h'), [
		'2026-04-05',
		25,
		'2026-04-05T01:30:00+10:30',
		'2026-04-06T01:00:00+10:30',
	]);
	// The doubled hour: now in the second one.
	const second = instant('Europe/Berlin', '2026-10-25 02:30') + hourMs;
	const { buckets } = ask('Europe/Berlin', second, { period: 'today' });
	assert.deepEqual(
		buckets.map(({ time, isUnfinished }) => [time.slice(11), isUnfinished]),
		[
			['00:00:00+02:00', false],
			['01:00:00+02:00', false],
			['02:00:00+02:00', false],
			['02:00:00+01:00', true],
		],
	);
	// To the millisecond.
	assert.equal(ask('Europe/Berlin', second - 30 * minuteMs - 1, { period: 'today' }).buckets.length, 3);
	const sharp = ask('Europe/Berlin', second - 30 * minuteMs, { period: 'today' }).buckets;
	assert.deepEqual(
		sharp.map(({ isUnfinished }) => isUnfinished),
		[false, false, false, true],
	);
});

test('dates of your own are listed to their end, and what is to come is empty', () => {
	const { buckets, span } = ask('Europe/Berlin', '2026-11-12 14:30', custom('2026-11-10', '2026-11-15'));
	assert.equal(written('Europe/Berlin', span), '2026-11-10/2026-11-15');
	assert.deepEqual(
		buckets.map(({ time, isUnfinished }) => [time, isUnfinished]),
		[
			['2026-11-10', false],
			['2026-11-11', false],
			['2026-11-12', true],
			['2026-11-13', false],
			['2026-11-14', false],
			['2026-11-15', false],
		],
	);
	assert.equal(
		ask('Europe/Berlin', '2026-11-12 14:30', custom('2026-11-12', '2026-11-12')).buckets.length,
		24,
	);
});

test('dates are cut by their span, not by their buckets', () => {
	const found = ask('Europe/Berlin', '2026-11-15 14:30', {
		period: '24h',
		interval: 'day',
		compare: previous,
	});
	assert.equal(written('Europe/Berlin', found.span), '2026-11-14 14:00/2026-11-15');
	const whole = { startMs: null, endMs: null };
	assert.deepEqual(found.buckets, [
		{ time: '2026-11-14', from: '2026-11-14', to: '2026-11-14', ...whole, isUnfinished: false },
		{ time: '2026-11-15', from: '2026-11-15', to: '2026-11-15', ...whole, isUnfinished: true },
	]);
	assert.equal(written('Europe/Berlin', found.compared), '2026-11-13 14:00/2026-11-14 14:30');
	assert.deepEqual(found.comparedBuckets, [
		{ time: '2026-11-13', from: '2026-11-13', to: '2026-11-13', ...whole, isUnfinished: false },
		{ time: '2026-11-14', from: '2026-11-14', to: '2026-11-14', ...whole, isUnfinished: false },
	]);
	const weeks = ask('Europe/Berlin', '2026-11-15 14:30', {
		period: 'month',
		interval: 'week',
		compare: previous,
	});
	assert.deepEqual(weeks.comparedBuckets, [
		{ time: '2026-10-01', from: '2026-10-01', to: '2026-10-04', ...whole, isUnfinished: false },
		{ time: '2026-10-05', from: '2026-10-05', to: '2026-10-11', ...whole, isUnfinished: false },
		{ time: '2026-10-12', from: '2026-10-12', to: '2026-10-15', ...whole, isUnfinished: false },
	]);
});

test('[F34] weeks begin on Monday, and the first and last are cut like months', () => {
	const weeks = (from: string, to: string, interval: Interval) =>
		ask('Europe/Berlin', '2026-12-31 10:00', custom(from, to, { interval })).buckets.map(
			(bucket) => `${bucket.time} ${bucket.from}/${bucket.to}${bucket.isUnfinished ? ' …' : ''}`,
		);
	// 2026 has a week 53, from 28 December to 3 January: it is one bucket, in two years.
	assert.deepEqual(weeks('2026-12-16', '2027-01-05', 'week'), [
		'2026-12-16 2026-12-16/2026-12-20',
		'2026-12-21 2026-12-21/2026-12-27',
		'2026-12-28 2026-12-28/2027-01-03 …',
		'2027-01-04 2027-01-04/2027-01-05',
	]);
	assert.deepEqual(weeks('2026-12-31', '2027-01-01', 'week'), ['2026-12-31 2026-12-31/2027-01-01 …']);
	assert.deepEqual(weeks('2026-12-31', '2027-01-01', 'month'), [
		'2026-12-31 2026-12-31/2026-12-31 …',
		'2027-01-01 2027-01-01/2027-01-01',
	]);
	assert.deepEqual(weeks('2028-01-30', '2028-03-02', 'month'), [
		'2028-01-30 2028-01-30/2028-01-31',
		'2028-02-01 2028-02-01/2028-02-29',
		'2028-03-01 2028-03-01/2028-03-02',
	]);
});

test('[F34] the turn of the year is each zone’s own', () => {
	const now = Date.parse('2026-12-31T12:00:00Z');
	const years = ['Pacific/Pago_Pago', 'Europe/Berlin', 'Pacific/Apia', 'Pacific/Kiritimati'].map((zone) =>
		written(zone, ask(zone, now, { period: 'year', compare: previous }).span),
	);
	assert.deepEqual(years, [
		'2026-01-01/2026-12-31',
		'2026-01-01/2026-12-31',
		'2027-01-01/2027-01-01',
		'2027-01-01/2027-01-01',
	]);
	const newYear = ask('Europe/Berlin', '2027-01-01 00:10', { period: 'last_month', compare: previous });
	assert.equal(written('Europe/Berlin', newYear.span), '2026-12-01/2026-12-31');
	assert.equal(written('Europe/Berlin', newYear.compared), '2026-11-01/2026-11-30');
});

test('[F34] a date that never was has no bucket', () => {
	const apia = 'Pacific/Apia';
	const zones = inZone(apia);
	assert.equal(startOfDate(zones, '2011-12-30'), endOfDate(zones, '2011-12-30'));
	assert.equal(endOfDate(zones, '2011-12-29'), startOfDate(zones, '2011-12-31'));
	const now = '2012-01-02 09:00';
	assert.deepEqual(times(ask(apia, now, { period: '7d' }).buckets), [
		'2011-12-27',
		'2011-12-28',
		'2011-12-29',
		'2011-12-31',
		'2012-01-01',
		'2012-01-02',
	]);
	const never = ask(apia, now, custom('2011-12-30', '2011-12-30', { compare: previous }));
	assert.deepEqual([never.buckets, never.interval, never.compared?.to], [[], 'hour', '2011-12-29']);
	for (const interval of ['day', 'week', 'month', 'minute'] as const)
		assert.deepEqual(ask(apia, now, custom('2011-12-30', '2011-12-30', { interval })).buckets, [], interval);
	const hours = ask(apia, now, custom('2011-12-29', '2011-12-31', { interval: 'hour' })).buckets;
	assert.deepEqual([hours.length, minutesIn(hours)], [48, 48 * 60]);
	assert.deepEqual(
		[hours[23]?.time, hours[24]?.time],
		['2011-12-29T23:00:00-10:00', '2011-12-31T00:00:00+14:00'],
	);
	// A week that would begin with it begins with the date after.
	const week = ask(apia, now, custom('2011-12-30', '2012-01-01', { interval: 'week' })).buckets;
	assert.deepEqual(times(week), ['2011-12-31']);
	// Compared with it: with nothing, and no number that is none.
	const after = ask(apia, '2011-12-31 10:30', { period: 'today', compare: previous });
	assert.deepEqual(after.compared, {
		from: '2011-12-30',
		to: '2011-12-30',
		startMs: null,
		endMs: Date.parse('2011-12-30T10:00:00Z'),
	});
	assert.deepEqual([after.buckets.length, after.comparedBuckets], [11, []]);
});

test('[F33] a changed zone makes one date longer, shorter, or skips it', () => {
	const changed = (first: string, second: string, from = '2026-06-10') =>
		toZones([
			{ from: '0001-01-01', zone: first },
			{ from, zone: second },
		]);
	const hoursOf = (zones: Zones, from: string, to: string) =>
		resolvePeriod(
			{ zones, firstDate: null, now: Date.parse('2026-08-01T00:00:00Z') },
			{ period: 'custom', from, to, interval: 'hour', compare: null },
		).buckets;

	// To the west: midnight in Berlin is 18:00 in New York, and those six hours belong to the first date.
	const west = changed('Europe/Berlin', 'America/New_York');
	const long = hoursOf(west, '2026-06-10', '2026-06-10');
	assert.deepEqual([long.length, minutesIn(long)], [30, 30 * 60]);
	assert.deepEqual(
		[long[0]?.time, long[6]?.time],
		['2026-06-09T18:00:00-04:00', '2026-06-10T00:00:00-04:00'],
	);
	assert.ok(long.every(({ from }) => from === '2026-06-10'));

	// To the east: midnight in New York is 06:00 in Berlin.
	const east = changed('America/New_York', 'Europe/Berlin');
	const short = hoursOf(east, '2026-06-10', '2026-06-10');
	assert.deepEqual(
		[short.length, minutesIn(short), short[0]?.time],
		[18, 18 * 60, '2026-06-10T06:00:00+02:00'],
	);

	// Midnight in Berlin is 03:45 in Kathmandu: a short hour.
	const odd = hoursOf(changed('Europe/Berlin', 'Asia/Kathmandu'), '2026-06-09', '2026-06-10');
	assert.deepEqual(
		odd.slice(23, 26).map((bucket) => [bucket.time, lengthMs(bucket) / minuteMs]),
		[
			['2026-06-09T23:00:00+02:00', 60],
			['2026-06-10T03:45:00+05:45', 15],
			['2026-06-10T04:00:00+05:45', 60],
		],
	);

	// Over the date line to the east, midnight in Honolulu is midnight a date later in Kiritimati: 10 June never was.
	const line = changed('Pacific/Honolulu', 'Pacific/Kiritimati');
	assert.deepEqual(hoursOf(line, '2026-06-10', '2026-06-10'), []);
	assert.deepEqual(
		times(
			resolvePeriod(
				{ zones: line, firstDate: null, now: Date.parse('2026-06-12T00:00:00Z') },
				{ period: '7d', compare: null },
			).buckets,
		),
		['2026-06-06', '2026-06-07', '2026-06-08', '2026-06-09', '2026-06-11', '2026-06-12'],
	);
	// From Pago Pago it is 01:00 of that later date already.
	const further = changed('Pacific/Pago_Pago', 'Pacific/Kiritimati');
	assert.deepEqual(hoursOf(further, '2026-06-10', '2026-06-10'), []);
	assert.equal(startOfDate(further, '2026-06-11'), Date.parse('2026-06-10T11:00:00Z'));
	assert.equal(hoursOf(further, '2026-06-11', '2026-06-11')[0]?.time, '2026-06-11T01:00:00+14:00');
	// And back again to the west: two days in one date.
	const back = changed('Pacific/Kiritimati', 'Pacific/Honolulu');
	assert.equal(minutesIn(hoursOf(back, '2026-06-10', '2026-06-10')), 48 * 60);

	// Before its own midnight the long date is compared with nothing, afterwards with as much as its clock shows.
	const comparedAt = (now: string) =>
		resolvePeriod(
			{ zones: west, firstDate: null, now: Date.parse(now) },
			{ period: 'today', compare: previous },
		).compared;
	const before = { from: '2026-06-09', to: '2026-06-09', startMs: null };
	assert.deepEqual(comparedAt('2026-06-09T20:00:00-04:00'), {
		...before,
		endMs: Date.parse('2026-06-09T00:00:00+02:00'),
	});
	assert.deepEqual(comparedAt('2026-06-10T13:00:00-04:00'), {
		...before,
		endMs: Date.parse('2026-06-09T13:00:00+02:00'),
	});
});

test('a refusal names the field and what is wrong with it', () => {
	const refusal = (asked: Partial<RequestedPeriod> & { period: PeriodName }, firstDate?: string) => {
		try {
			ask('UTC', '2026-11-15 14:30', asked, firstDate);
		} catch (error) {
			assert.ok(error instanceof AppError);
			assert.equal(error.code, 'validation_failed');
			return { ...error.errors };
		}
		return 'accepted';
	};
	const required = (name: string) => [`The ${name} field is required for a custom range.`];
	const noDate = (name: string) => [`The ${name} field must be a date such as 2026-11-15.`];
	assert.deepEqual(refusal({ period: 'custom' }), { from: required('from'), to: required('to') });
	assert.deepEqual(refusal({ period: 'custom', from: '2026-11-01' }), { to: required('to') });
	const noDates = '2026-02-30 2027-02-29 2026-13-01 2026-1-1 20261101 today 2026-11-01T00:00 +02026-01-01';
	for (const text of ['', ...noDates.split(' ')])
		assert.deepEqual(refusal(custom(text, '2026-11-15')), { from: noDate('from') }, text);
	assert.deepEqual(refusal(custom('1989-12-31', '2100-01-01')), {
		from: ['The from field must lie between 1990-01-01 and 2099-12-31.'],
		to: ['The to field must lie between 1990-01-01 and 2099-12-31.'],
	});
	assert.deepEqual(refusal(custom('2026-02-01', '2026-01-01')), {
		to: ['The period ends (2026-01-01) before it starts (2026-02-01).'],
	});
	assert.deepEqual(refusal({ period: '7d', from: '2026-01-01', to: '2026-01-02' }), {
		from: ['The from field needs the period custom.'],
		to: ['The to field needs the period custom.'],
	});
	assert.equal(refusal(custom(addDays('2026-11-15', -3_699), '2026-11-15', { interval: 'day' })), 'accepted');
	assert.deepEqual(refusal(custom(addDays('2026-11-15', -3_700), '2026-11-15')), {
		from: ['The period has 3701 days; it may have 3700.'],
	});
	assert.equal(refusal(custom('2026-11-01', '2026-11-02', { interval: 'minute' })), 'accepted');
	assert.deepEqual(refusal(custom('2026-11-01', '2026-11-03', { interval: 'minute' })), {
		interval: ['The interval minute is available for up to 2 days, not for 3. Use a longer interval.'],
	});
	assert.equal(refusal(custom('2026-01-01', '2026-04-03', { interval: 'hour' })), 'accepted');
	assert.deepEqual(refusal(custom('2026-01-01', '2026-04-04', { interval: 'hour' })), {
		interval: ['The interval hour is available for up to 93 days, not for 94. Use a longer interval.'],
	});
	// 24 hours over a date of 23: three dates, and no longer for that.
	const threeDates = ask('Europe/Berlin', '2026-03-30 00:30', { period: '24h', interval: 'minute' });
	assert.equal(threeDates.buckets.length, 24 * 60 + 31);
	// All is as long as it is, and only the interval can be too fine for it.
	assert.equal(refusal({ period: 'all' }, '2000-01-01'), 'accepted');
	assert.deepEqual(refusal({ period: 'all', interval: 'day' }, '2000-01-01'), {
		interval: ['The interval day is available for up to 5000 days, not for 9816. Use a longer interval.'],
	});
	const compare = (from: string, to: string) =>
		refusal({ period: '7d', compare: customComparison(from, to) });
	assert.deepEqual(compare('2026-02-30', '2026-03-01'), { compare_from: noDate('compare_from') });
	assert.deepEqual(compare('2026-03-02', '2026-03-01'), {
		compare_to: ['The period ends (2026-03-01) before it starts (2026-03-02).'],
	});
	assert.deepEqual(compare('2000-01-01', '2026-03-01'), {
		compare_from: ['The period has 9557 days; it may have 3700.'],
	});
});
