import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../test/support/random.ts';
import { AppError } from '../../lib/app-error.ts';
import { addDays, nextDate } from '../../lib/local-dates.ts';
import { endOfDate, offsetsOf, startOfDate } from '../../websites/offsets.ts';
import { dateOf, toZones, type Zones } from '../../websites/zones.ts';
import { type RequestedPeriod, resolvePeriod } from './periods.ts';
import type { Bucket, Comparison, Interval, PeriodName, Span } from './question.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const inZone = (zone: string): Zones => toZones([{ from: '0001-01-01', zone }]);
type Shifted = Exclude<Comparison, { kind: 'custom' }>;
const previous: Shifted = { kind: 'previous', matchWeekdays: false };
const yearBefore: Shifted = { kind: 'year', matchWeekdays: false };
const given = (from: string, to: string): Comparison => ({ kind: 'custom', from, to });
const asWeekdays = (kind: 'previous' | 'year'): Shifted => ({ kind, matchWeekdays: true });

/** What a clock on the wall shows, without our own code: `2026-11-15 14:30`. */
function wallClock(zone: string): (ms: number) => string {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: zone,
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
	});
	return (ms) => format.format(ms);
}

/** The first instant, by the minute, at which the clock shows this. */
function instant(zone: string, shown: string): number {
	const wall = wallClock(zone);
	const near = Date.parse(`${shown.replace(' ', 'T')}:00Z`);
	for (let ms = near - 15 * hourMs; ms <= near + 15 * hourMs; ms += minuteMs)
		if (wall(ms) === shown) return ms;
	throw new Error(`${zone} never shows ${shown}.`);
}

function ask(
	zone: string,
	now: string | number,
	asked: Partial<RequestedPeriod> & { period: PeriodName },
	firstDate?: string,
) {
	return resolvePeriod(
		{
			zones: inZone(zone),
			firstDate: firstDate ?? null,
			now: typeof now === 'number' ? now : instant(zone, now),
		},
		{ compare: null, ...asked },
	);
}

const custom = (from: string, to: string, more: Partial<RequestedPeriod> = {}) =>
	({ period: 'custom', from, to, ...more }) as const;
const times = (buckets: readonly Bucket[] | null) => buckets?.map(({ time }) => time);
const lengthMs = ({ startMs, endMs }: Bucket) => Number(endMs) - Number(startMs);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const minutesIn = (buckets: readonly Bucket[]) => sum(buckets.map(lengthMs)) / minuteMs;

/** `2026-10-01/2026-10-15 14:30`: dates, and where it is cut. */
function written(zone: string, span: Span | null): string {
	if (!span) return 'none';
	const wall = wallClock(zone);
	const cut = (date: string, ms: number | null) => (ms === null ? date : `${date} ${wall(ms).slice(11)}`);
	return `${cut(span.from, span.startMs)}/${cut(span.to, span.endMs)}`;
}

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
			['24h', yesterday, today, 'hour', 25, thisHour],
			['7d', day === 15 ? '2026-11-09' : '2026-11-10', today, 'day', 7, today],
			['30d', day === 15 ? '2026-10-17' : '2026-10-18', today, 'day', 30, today],
			['month', '2026-11-01', today, 'day', day, today],
			['last_month', '2026-10-01', '2026-10-31', 'day', 31, '2026-10-31'],
			['year', '2026-01-01', today, 'month', 11, '2026-11-01'],
			['12months', '2025-12-01', today, 'month', 12, '2026-11-01'],
			['all', '2023-02-11', today, 'month', 46, '2026-11-01'],
		];
		for (const [period, from, to, interval, count, last] of expected) {
			const found = ask(zone, now, { period }, '2023-02-11');
			const startMs = period === '24h' ? Date.parse(thisHour) - dayMs : null;
			const unfinished = found.buckets.filter(({ isUnfinished }) => isUnfinished);
			assert.deepEqual(
				[found.span, found.interval, found.buckets.length, found.buckets.at(-1)?.time, times(unfinished)],
				[{ from, to, startMs, endMs: null }, interval, count, last, period === 'last_month' ? [] : [last]],
				`${zone} ${period}`,
			);
			assert.deepEqual([found.compared, found.comparedBuckets], [null, null]);
		}
	}
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

test('what a period is compared with', () => {
	const zone = 'Europe/Berlin';
	const cases: [string, Partial<RequestedPeriod> & { period: PeriodName }, Comparison, string][] = [
		['2026-11-15 14:30', { period: 'today' }, previous, '2026-11-14/2026-11-14 14:30'],
		['2026-11-15 14:30', { period: 'today' }, asWeekdays('previous'), '2026-11-08/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: 'today' }, yearBefore, '2025-11-15/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: 'today' }, asWeekdays('year'), '2025-11-16/2025-11-16 14:30'],
		['2026-11-15 14:30', { period: '24h' }, previous, '2026-11-13 14:00/2026-11-14 14:30'],
		['2026-11-15 14:30', { period: '24h' }, asWeekdays('previous'), '2026-11-07 14:00/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: '24h' }, yearBefore, '2025-11-14 14:00/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: '7d' }, previous, '2026-11-02/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: '7d' }, asWeekdays('previous'), '2026-11-02/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: '7d' }, asWeekdays('year'), '2025-11-10/2025-11-16 14:30'],
		['2026-11-15 14:30', { period: '30d' }, previous, '2026-09-17/2026-10-16 14:30'],
		['2026-11-15 14:30', { period: '30d' }, asWeekdays('previous'), '2026-09-12/2026-10-11 14:30'],
		['2026-11-15 14:30', { period: 'month' }, previous, '2026-10-01/2026-10-15 14:30'],
		['2026-11-15 14:30', { period: 'month' }, yearBefore, '2025-11-01/2025-11-15 14:30'],
		// 31 days to 1 October, so four weeks; from the 29th on five, or it would meet itself.
		['2026-11-15 14:30', { period: 'month' }, asWeekdays('previous'), '2026-10-04/2026-10-18 14:30'],
		['2026-11-28 14:30', { period: 'month' }, asWeekdays('previous'), '2026-10-04/2026-10-31 14:30'],
		['2026-11-29 14:30', { period: 'month' }, asWeekdays('previous'), '2026-09-27/2026-10-25 14:30'],
		['2026-11-15 14:30', { period: 'last_month' }, previous, '2026-09-01/2026-09-30'],
		['2026-11-15 14:30', { period: 'last_month' }, yearBefore, '2025-10-01/2025-10-31'],
		['2026-11-15 14:30', { period: 'last_month' }, asWeekdays('previous'), '2026-08-27/2026-09-26'],
		['2026-11-15 14:30', { period: 'year' }, previous, '2025-01-01/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: 'year' }, yearBefore, '2025-01-01/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: 'year' }, asWeekdays('previous'), '2025-01-02/2025-11-16 14:30'],
		['2026-12-31 14:30', { period: 'year' }, asWeekdays('previous'), '2024-12-26/2025-12-25 14:30'],
		['2026-11-15 14:30', { period: '12months' }, previous, '2024-12-01/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: 'all' }, previous, 'none'],
		['2026-11-15 14:30', { period: 'all' }, yearBefore, '2022-02-11/2025-11-15 14:30'],
		['2026-11-15 14:30', custom('2026-11-02', '2026-11-08'), previous, '2026-10-26/2026-11-01'],
		['2026-11-15 14:30', custom('2026-11-02', '2026-11-11'), asWeekdays('previous'), '2026-10-19/2026-10-28'],
		['2026-11-15 14:30', custom('2026-11-02', '2026-11-15'), previous, '2026-10-19/2026-11-01 14:30'],
		// Monday to Sunday, asked on Thursday: the Monday to Thursday before.
		['2026-11-12 14:30', custom('2026-11-09', '2026-11-15'), previous, '2026-11-02/2026-11-05 14:30'],
		['2026-11-12 14:30', custom('2026-12-01', '2026-12-07'), previous, '2026-11-24/2026-11-30'],
		['2026-11-15 14:30', { period: '7d' }, given('2026-05-01', '2026-05-03'), '2026-05-01/2026-05-03 14:30'],
		['2026-11-15 14:30', { period: '24h' }, given('2026-05-01', '2026-05-02'), '2026-05-01/2026-05-02 14:30'],
		[
			'2026-11-15 14:30',
			{ period: 'last_month' },
			given('2026-05-01', '2026-05-31'),
			'2026-05-01/2026-05-31',
		],
		[
			'2026-11-12 14:30',
			custom('2026-11-09', '2026-11-15'),
			given('2026-05-04', '2026-05-10'),
			'2026-05-04/2026-05-07 14:30',
		],
		[
			'2026-11-12 14:30',
			custom('2026-11-09', '2026-11-15'),
			given('2026-05-04', '2026-05-05'),
			'2026-05-04/2026-05-05 14:30',
		],
	];
	for (const [now, asked, compare, expected] of cases) {
		const name = `${now} ${JSON.stringify(asked)} ${JSON.stringify(compare)}`;
		const found = ask(zone, now, { ...asked, compare }, '2023-02-11');
		assert.equal(written(zone, found.compared), expected, name);
		assert.equal(found.comparedBuckets === null, expected === 'none', name);
		assert.ok((found.comparedBuckets?.length ?? 0) <= found.buckets.length, name);
	}
});

test('[F34] comparisons over months of other lengths and leap days', () => {
	const zone = 'Europe/Berlin';
	const cases: [string, Partial<RequestedPeriod> & { period: PeriodName }, Comparison, string][] = [
		['2026-03-28 14:30', { period: 'month' }, previous, '2026-02-01/2026-02-28 14:30'],
		// There was no 29 February: all of it, until the next month.
		['2026-03-29 00:01', { period: 'month' }, previous, '2026-02-01/2026-02-28'],
		['2026-03-31 14:30', { period: 'month' }, previous, '2026-02-01/2026-02-28'],
		['2026-04-01 00:01', { period: 'month' }, previous, '2026-03-01/2026-03-01 00:01'],
		['2028-03-31 14:30', { period: 'month' }, previous, '2028-02-01/2028-02-29'],
		['2028-03-29 14:30', { period: 'month' }, previous, '2028-02-01/2028-02-29 14:30'],
		['2026-03-10 14:30', { period: 'last_month' }, previous, '2026-01-01/2026-01-31'],
		['2028-03-10 14:30', { period: 'last_month' }, yearBefore, '2027-02-01/2027-02-28'],
		['2029-03-10 14:30', { period: 'last_month' }, yearBefore, '2028-02-01/2028-02-29'],
		['2026-04-10 14:30', { period: 'last_month' }, previous, '2026-02-01/2026-02-28'],
		['2026-04-10 14:30', { period: 'last_month' }, asWeekdays('previous'), '2026-01-25/2026-02-24'],
		['2028-02-29 14:30', { period: 'today' }, previous, '2028-02-28/2028-02-28 14:30'],
		['2028-02-29 14:30', { period: 'today' }, yearBefore, '2027-02-28/2027-02-28 14:30'],
		['2028-02-29 14:30', { period: 'today' }, asWeekdays('year'), '2027-03-02/2027-03-02 14:30'],
		['2028-02-29 14:30', { period: '24h' }, yearBefore, '2027-02-27 14:00/2027-02-28 14:30'],
		['2028-02-29 14:30', { period: 'month' }, previous, '2028-01-01/2028-01-29 14:30'],
		['2028-02-29 14:30', { period: 'month' }, yearBefore, '2027-02-01/2027-02-28'],
		['2028-02-29 14:30', { period: 'year' }, previous, '2027-01-01/2027-02-28'],
		['2028-03-01 14:30', { period: 'year' }, previous, '2027-01-01/2027-03-01 14:30'],
		['2028-02-29 14:30', { period: '12months' }, previous, '2026-03-01/2027-02-28'],
		['2028-02-29 14:30', custom('2028-02-29', '2028-03-10'), yearBefore, '2027-02-28/2027-02-28 14:30'],
		['2028-02-29 14:30', custom('2028-02-27', '2028-03-10'), yearBefore, '2027-02-27/2027-02-28'],
		['2028-12-31 14:30', { period: 'year' }, previous, '2027-01-01/2027-12-31 14:30'],
		// Seven dates, with or without a leap day among them.
		['2028-02-29 14:30', { period: '7d' }, yearBefore, '2027-02-22/2027-02-28 14:30'],
		['2028-03-02 14:30', { period: '7d' }, yearBefore, '2027-02-24/2027-03-02 14:30'],
		['2029-03-02 14:30', { period: '7d' }, yearBefore, '2028-02-25/2028-03-02 14:30'],
		// The same dates, as they were given.
		['2028-06-01 14:30', custom('2028-02-29', '2028-02-29'), yearBefore, '2027-02-28/2027-02-28'],
		['2028-06-01 14:30', custom('2028-02-29', '2028-03-10'), yearBefore, '2027-02-28/2027-03-10'],
		['2028-06-01 14:30', custom('2028-02-20', '2028-03-10'), yearBefore, '2027-02-20/2027-03-10'],
		['2029-06-01 14:30', custom('2029-02-01', '2029-02-28'), yearBefore, '2028-02-01/2028-02-28'],
		['2027-01-03 14:30', { period: '7d' }, previous, '2026-12-21/2026-12-27 14:30'],
	];
	for (const [now, asked, compare, expected] of cases)
		assert.equal(
			written(zone, ask(zone, now, { ...asked, compare }).compared),
			expected,
			`${now} ${JSON.stringify(asked)} ${JSON.stringify(compare)}`,
		);
	const march = ask(zone, '2026-04-10 14:30', { period: 'last_month', compare: previous });
	assert.deepEqual([march.buckets.length, march.comparedBuckets?.length], [31, 28]);
	assert.equal(march.comparedBuckets?.at(-1)?.time, '2026-02-28');
	const february = ask(zone, '2026-03-10 14:30', { period: 'last_month', compare: previous });
	assert.deepEqual([february.buckets.length, february.comparedBuckets?.length], [28, 28]);
	// The whole of January is what February is compared with; its series shows what stands beside.
	assert.equal(february.compared?.to, '2026-01-31');
});

test('[F33] what is compared ends at the same time of day, on any day', () => {
	const [week, year] = [asWeekdays('previous'), yearBefore];
	const cases: [string, string, Comparison, string][] = [
		// Yesterday had no 02:30: the instant after the gap.
		['Europe/Berlin', '2026-03-30 02:30', previous, '2026-03-29T03:00:00+02:00'],
		['Europe/Berlin', '2026-03-30 01:59', previous, '2026-03-29T01:59:00+01:00'],
		['Europe/Berlin', '2026-03-30 03:00', previous, '2026-03-29T03:00:00+02:00'],
		// Yesterday had it twice: the first.
		['Europe/Berlin', '2026-10-26 02:30', previous, '2026-10-25T02:30:00+02:00'],
		['Europe/Berlin', '2026-10-26 03:00', previous, '2026-10-25T03:00:00+01:00'],
		['Europe/Berlin', '2026-03-29 14:30', previous, '2026-03-28T14:30:00+01:00'],
		['Europe/Berlin', '2026-10-25 14:30', week, '2026-10-18T14:30:00+02:00'],
		// A day that begins at 01:00 has nothing before.
		['America/Santiago', '2026-09-07 00:30', previous, '2026-09-06T01:00:00-03:00'],
		['Asia/Beirut', '2026-03-30 00:30', previous, '2026-03-29T01:00:00+03:00'],
		['America/Santiago', '2026-04-05 23:30', previous, '2026-04-04T23:30:00-03:00'],
		['Australia/Lord_Howe', '2026-10-05 02:10', previous, '2026-10-04T02:30:00+11:00'],
		['Australia/Lord_Howe', '2026-04-06 01:45', previous, '2026-04-05T01:45:00+11:00'],
		['Africa/Casablanca', '2026-02-16 02:30', previous, '2026-02-15T02:30:00+01:00'],
		['America/New_York', '2026-03-08 12:00', year, '2025-03-08T12:00:00-05:00'],
		// To the first millisecond of a day nothing corresponds but the beginning.
		['Asia/Kathmandu', '2026-11-15 00:00', previous, '2026-11-14T00:00:00+05:45'],
	];
	for (const [zone, now, compare, endsAt] of cases) {
		const { compared } = ask(zone, now, { period: 'today', compare });
		assert.equal(compared?.endMs, Date.parse(endsAt), `${zone} ${now}`);
	}
	// The last 24 hours are compared by instants, so both are as long.
	const { span, compared, buckets, comparedBuckets } = ask('Europe/Berlin', '2026-03-30 00:30', {
		period: '24h',
		compare: previous,
	});
	assert.deepEqual(compared, {
		from: '2026-03-27',
		to: '2026-03-28',
		startMs: Number(span.startMs) - dayMs,
		endMs: Date.parse('2026-03-29T23:30:00+01:00') - dayMs,
	});
	assert.deepEqual(
		comparedBuckets?.map(({ startMs }) => Number(startMs) + dayMs),
		buckets.map(({ startMs }) => startMs),
	);
});

test('[F33] beside the n-th hour stands the n-th, and the last ends where the compared period does', () => {
	const beside = (zone: string, now: string, asked: Partial<RequestedPeriod> = {}) => {
		const found = ask(zone, now, { period: 'today', compare: previous, ...asked });
		return found.buckets.map(({ time }, index) => {
			const other = found.comparedBuckets?.[index];
			return `${time.slice(11, 16)} ${other ? `${other.time.slice(11, 16)} ${lengthMs(other) / minuteMs}` : 'none'}`;
		});
	};
	const last = (zone: string, now: string, asked?: Partial<RequestedPeriod>) =>
		beside(zone, now, asked).slice(-2);
	assert.deepEqual(last('Europe/Berlin', '2026-11-15 14:20'), ['13:00 13:00 60', '14:00 14:00 20']);
	assert.deepEqual(last('Europe/Berlin', '2026-11-15 14:00'), ['13:00 13:00 60', '14:00 none']);
	// No 02:00 today, none yesterday, twice today, twice yesterday.
	assert.deepEqual(last('Europe/Berlin', '2026-03-29 04:30'), ['03:00 02:00 60', '04:00 03:00 60']);
	assert.deepEqual(last('Europe/Berlin', '2026-03-30 04:30'), ['03:00 04:00 30', '04:00 none']);
	assert.deepEqual(last('Europe/Berlin', '2026-10-25 03:15'), ['02:00 03:00 15', '03:00 none']);
	assert.deepEqual(last('Europe/Berlin', '2026-10-26 03:15'), ['02:00 02:00 60', '03:00 02:00 60']);
	assert.deepEqual(beside('America/Santiago', '2026-09-07 01:15'), ['00:00 01:00 15', '01:00 none']);
	// The 24 hours before, by instants.
	const day = beside('Europe/Berlin', '2026-11-15 14:20', { period: '24h' });
	assert.deepEqual([day.length, day[0], day.at(-1)], [25, '14:00 14:00 60', '14:00 14:00 20']);
	// Minutes too; those after now have nothing beside them.
	const ofToday = custom('2026-11-15', '2026-11-15', { interval: 'minute' });
	const minutes = beside('Europe/Berlin', '2026-11-15 00:02', ofToday);
	assert.deepEqual(minutes.slice(0, 3), ['00:00 00:00 1', '00:01 00:01 1', '00:02 none']);
	// Ten years beside a day are not cut into minutes.
	const long = { ...ofToday, compare: given('2016-10-01', '2026-11-15') };
	const [began, { comparedBuckets }] = [performance.now(), ask('Europe/Berlin', '2026-11-15 10:00', long)];
	assert.deepEqual([comparedBuckets?.length, comparedBuckets?.at(-1)?.from], [24 * 60, '2016-10-01']);
	assert.ok(performance.now() - began < 2_000);
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
	const compare = (from: string, to: string) => refusal({ period: '7d', compare: given(from, to) });
	assert.deepEqual(compare('2026-02-30', '2026-03-01'), { compare_from: noDate('compare_from') });
	assert.deepEqual(compare('2026-03-02', '2026-03-01'), {
		compare_to: ['The period ends (2026-03-01) before it starts (2026-03-02).'],
	});
	assert.deepEqual(compare('2000-01-01', '2026-03-01'), {
		compare_from: ['The period has 9557 days; it may have 3700.'],
	});
});

const namedPeriods: PeriodName[] = ['today', '24h', '7d', '30d', 'month', 'last_month', 'year', '12months'];

/** Zones that do something odd, two of them after another, and any others. */
const oddZones =
	`Europe/Berlin Europe/Dublin America/New_York America/Santiago America/Asuncion Australia/Lord_Howe
	Asia/Beirut Asia/Gaza Asia/Kathmandu Asia/Tehran Africa/Casablanca Africa/Cairo Antarctica/Troll
	Pacific/Apia Pacific/Chatham Pacific/Kiritimati Pacific/Pago_Pago`.split(/\s+/);
const allZones = Intl.supportedValuesOf('timeZone');

function someZones(random: ReturnType<typeof seededRandom>): Zones {
	const pick = () => random.pick(random.whole(3) === 0 ? allZones : oddZones);
	const rows = [{ from: '0001-01-01', zone: pick() }];
	while (rows.length < 4 && random.whole(2) === 0) {
		const before = rows.at(-1)?.from ?? '';
		const from =
			before < '2012' ? addDays('2012-01-03', random.whole(5_000)) : addDays(before, 3 + random.whole(400));
		rows.push({ from, zone: pick() });
	}
	return toZones(rows);
}

/** Near to a change of the zone as often as anywhere. */
function someInstant(random: ReturnType<typeof seededRandom>, zones: Zones): number {
	const since = random.pick(zones).since;
	const near =
		Number.isFinite(since) && random.whole(2) === 0
			? since
			: Date.UTC(2012, 0, 1) + random.whole(9_000) * dayMs;
	return near + random.whole(6 * dayMs) - 3 * dayMs;
}

const describe = (zones: Zones) => zones.map(({ from, zone }) => `${from} ${zone}`).join(', ');

test('[F33] a date starts and ends where the dates of its instants say, in all zones and over their changes', (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	for (let round = 0; round < 400; round++) {
		const zones = someZones(random);
		const now = someInstant(random, zones);
		const name = `seed ${random.seed}, round ${round}: ${describe(zones)}`;
		const { date } = dateOf(zones, now);
		const [start, end] = [startOfDate(zones, date), endOfDate(zones, date)];
		assert.ok(start <= now && now < end, `${name}: ${date}`);
		for (
			let ms = Math.floor(now / quarterMs) * quarterMs - 50 * hourMs;
			ms < now + 50 * hourMs;
			ms += quarterMs
		) {
			const found = dateOf(zones, ms).date;
			const place = ms < start ? found < date : ms < end ? found === date : found > date;
			assert.ok(place, `${name}: ${date} ${new Date(ms).toISOString()} is ${found}`);
		}
	}
});

test('[F33] buckets are the span: no gap, no overlap, and each instant in one of them', (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	for (let round = 0; round < 250; round++) {
		const zones = someZones(random);
		const now = someInstant(random, zones);
		const { date: today } = dateOf(zones, now);
		const period = random.pick<PeriodName>([...namedPeriods, 'all', 'custom']);
		const from = addDays(today, random.whole(60) - 50);
		const ofTheirOwn = period === 'custom' ? { from, to: addDays(from, random.whole(90)) } : {};
		const isLong = ['year', '12months', 'all'].includes(period);
		const interval = random.pick<Interval>(['day', 'week', 'month', isLong ? 'day' : 'hour']);
		const asked: RequestedPeriod = { period, ...ofTheirOwn, interval, compare: null };
		const name = `seed ${random.seed}, round ${round}: ${describe(zones)}, ${new Date(now).toISOString()} ${JSON.stringify(asked)}`;
		const { span, buckets } = resolvePeriod({ zones, firstDate: addDays(today, -400), now }, asked);

		const startMs = (bucket: Bucket) =>
			bucket.startMs ?? Math.max(startOfDate(zones, bucket.from), span.startMs ?? Number.NEGATIVE_INFINITY);
		const endMs = (bucket: Bucket) => bucket.endMs ?? endOfDate(zones, bucket.to);
		let at = span.startMs ?? startOfDate(zones, span.from);
		for (const bucket of buckets) {
			assert.equal(startMs(bucket), at, `${name}: ${bucket.time}`);
			assert.ok(endMs(bucket) > at, `${name}: ${bucket.time}`);
			at = endMs(bucket);
		}
		const isCut = interval === 'hour' && period !== 'custom' && span.to === today;
		if (isCut) assert.ok(at > now && at - now <= hourMs, name);
		else assert.equal(at, endOfDate(zones, span.to), name);

		// The bucket of an instant by its date and the clock alone.
		const [first, last] = [span.startMs ?? startOfDate(zones, span.from), at];
		for (let probe = 0; probe < 5 && last > first; probe++) {
			const ms = first + random.whole(last - first);
			const { date, zone } = dateOf(zones, ms);
			const holding = buckets.filter((bucket) => startMs(bucket) <= ms && ms < endMs(bucket));
			assert.equal(holding.length, 1, `${name}: ${new Date(ms).toISOString()}`);
			const [bucket] = holding;
			assert.ok(bucket && bucket.from <= date && date <= bucket.to, name);
			if (interval === 'hour')
				assert.equal(bucket.time.slice(0, 13), wallClock(zone)(ms).replace(' ', 'T').slice(0, 13), name);
			if (interval === 'day') assert.equal(bucket.time, date, name);
			if (interval === 'month') assert.equal(bucket.time.slice(0, 7), date.slice(0, 7), name);
			if (interval === 'week') {
				const monday = new Date(`${date}T00:00:00Z`);
				while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1);
				const sunday = addDays(monday.toISOString().slice(0, 10), 6);
				assert.ok(monday.toISOString().slice(0, 10) <= bucket.from && bucket.to <= sunday, name);
			}
		}
		const unfinished = buckets.filter(({ isUnfinished }) => isUnfinished);
		const holdsNow = first <= now && now < last;
		assert.equal(unfinished.length, holdsNow ? 1 : 0, name);
		if (interval === 'hour') {
			for (const [date, hours] of Map.groupBy(buckets, (bucket) => bucket.from)) {
				if ((isCut && date === span.to) || (span.startMs !== null && date === span.from)) continue;
				assert.equal(
					sum(hours.map(lengthMs)),
					endOfDate(zones, date) - startOfDate(zones, date),
					`${name}: ${date}`,
				);
			}
		}
	}
});

/** By looking at the clock in every minute of the date. */
function corresponding(zones: Zones, now: number, date: string): number {
	const { zone, date: today } = dateOf(zones, now);
	const shown = wallClock(zone)(now);
	let [behind, shownDate] = [date, today];
	for (; shownDate > shown.slice(0, 10); shownDate = addDays(shownDate, -1)) behind = addDays(behind, -1);
	const wanted = `${behind} ${shown.slice(11)}`;
	const end = endOfDate(zones, date);
	const walls = new Map(zones.map((row) => [row.zone, wallClock(row.zone)]));
	for (let ms = startOfDate(zones, date); ms < end; ms += minuteMs) {
		const found = walls.get(dateOf(zones, ms).zone)?.(ms) ?? '';
		if (found === wanted) return ms + (now - Math.floor(now / minuteMs) * minuteMs);
		if (found > wanted) return ms;
	}
	return end;
}

test('[F33] a comparison is as long, ends at the same time of day and shares nothing with the period', (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const count = ({ from, to }: Span) => {
		let dates = 1;
		for (let date = from; date < to; date = nextDate(date)) dates++;
		return dates;
	};
	const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay();
	for (let round = 0; round < 400; round++) {
		const zones = someZones(random);
		const now = someInstant(random, zones);
		const { date: today } = dateOf(zones, now);
		const period = random.pick<PeriodName>([...namedPeriods, 'custom']);
		const from = addDays(today, -random.whole(80));
		const ofTheirOwn = period === 'custom' ? { from, to: addDays(from, random.whole(80)) } : {};
		const compare: Shifted = random.pick([previous, yearBefore, asWeekdays('previous'), asWeekdays('year')]);
		const asked: RequestedPeriod = { period, ...ofTheirOwn, compare };
		const name = `seed ${random.seed}, round ${round}: ${describe(zones)}, ${new Date(now).toISOString()} ${JSON.stringify(asked)}`;
		const { span, compared, buckets, comparedBuckets } = resolvePeriod(
			{ zones, firstDate: null, now },
			asked,
		);
		assert.ok(compared && comparedBuckets, name);
		assert.ok(compared.from <= compared.to, name);

		const isRunning = span.from <= today && today <= span.to;
		const elapsed = { ...span, to: isRunning ? today : span.to };
		const isRolling = ['today', '24h', '7d', '30d'].includes(period);
		const isByInstants = period === '24h' && compare.kind === 'previous' && !compare.matchWeekdays;
		const byMonths: boolean =
			!compare.matchWeekdays &&
			(compare.kind === 'year' || ['month', 'last_month', 'year', '12months'].includes(period));
		if (isByInstants)
			assert.equal(Number(compared.endMs) - Number(compared.startMs), now - Number(span.startMs), name);
		else if (!byMonths || isRolling) assert.equal(count(compared), count(elapsed), name);
		else assert.ok(Math.abs(count(compared) - count(elapsed)) <= 3, name);
		if (compare.matchWeekdays) assert.equal(weekday(compared.from), weekday(span.from), name);
		if (compare.kind === 'previous' && !isByInstants) assert.ok(compared.to < span.from, name);

		// Else today corresponds to no date of a shorter month.
		const hasDay: boolean =
			!byMonths || isRolling || span.from === elapsed.to || compared.to.slice(8) === today.slice(8);
		assert.equal(compared.endMs !== null, isRunning && hasDay, name);
		if (compared.endMs !== null && !isByInstants) {
			assert.ok(
				compared.endMs >= startOfDate(zones, compared.to) && compared.endMs <= endOfDate(zones, compared.to),
				name,
			);
			assert.equal(compared.endMs, corresponding(zones, now, compared.to), name);
		}

		assert.ok(comparedBuckets.length <= buckets.length, name);
		// From the beginning on without a gap, as many as there are.
		const [compareStart, compareEnd] = [
			compared.startMs ?? startOfDate(zones, compared.from),
			compared.endMs ?? endOfDate(zones, compared.to),
		];
		let at = compareStart;
		for (const bucket of comparedBuckets) {
			assert.equal(bucket.startMs ?? Math.max(startOfDate(zones, bucket.from), compareStart), at, name);
			at = bucket.endMs ?? Math.min(endOfDate(zones, bucket.to), compareEnd);
			assert.ok(compared.from <= bucket.from && bucket.to <= compared.to, name);
		}
		if (comparedBuckets.length < buckets.length) assert.equal(at, compareEnd, name);
		else assert.ok(at <= compareEnd, name);
	}
});

test('[F33] the offsets of dates are those that the clocks show, whatever the zone', (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	for (let round = 0; round < 60; round++) {
		const zones = someZones(random);
		const from = dateOf(zones, someInstant(random, zones)).date;
		const to = addDays(from, random.whole(round % 10 === 0 ? 3_000 : 300));
		const { sinceMs, minutes } = offsetsOf(zones, from, to);
		const name = `seed ${random.seed}, round ${round}: ${describe(zones)}, ${from} ${to}`;
		assert.equal(sinceMs.length, minutes.length, name);
		assert.equal(sinceMs[0], 0, name);
		for (const [index, since] of sinceMs.entries()) {
			assert.ok(index === 0 || since > Number(sinceMs[index - 1]), name);
			assert.ok(index === 0 || minutes[index] !== minutes[index - 1], name);
		}
		const walls = new Map(zones.map(({ zone }) => [zone, wallClock(zone)]));
		const check = (ms: number) => {
			const shown = walls.get(dateOf(zones, ms).zone)?.(ms) ?? '';
			const offset =
				(Date.parse(`${shown.replace(' ', 'T')}:00Z`) - Math.floor(ms / minuteMs) * minuteMs) / minuteMs;
			const found = minutes[sinceMs.findLastIndex((since) => since <= ms)];
			assert.equal(found, offset, `${name}: ${new Date(ms).toISOString()}`);
		};
		const [start, end] = [startOfDate(zones, from), endOfDate(zones, to)];
		// Every hour of months, and every so often of years.
		for (let ms = start; ms < end; ms += Math.max(hourMs, Math.floor((end - start) / 5_000))) check(ms);
		for (const since of sinceMs.slice(1)) for (const ms of [since - 1, since]) check(ms);
	}
	// One entry where nothing changes, two over a change of the clock, and one for a date that never was.
	assert.deepEqual(offsetsOf(inZone('Asia/Kathmandu'), '2016-01-01', '2026-01-01'), {
		sinceMs: [0],
		minutes: [345],
	});
	assert.deepEqual(offsetsOf(inZone('Europe/Berlin'), '2026-10-25', '2026-10-25'), {
		sinceMs: [0, Date.parse('2026-10-25T01:00:00Z')],
		minutes: [120, 60],
	});
	assert.equal(offsetsOf(inZone('Pacific/Apia'), '2011-12-30', '2011-12-30').minutes.length, 1);
	// From one zone to another that shows the same nothing changes.
	const moved = toZones([
		{ from: '0001-01-01', zone: 'Europe/Berlin' },
		{ from: '2026-06-10', zone: 'Europe/Paris' },
	]);
	assert.deepEqual(offsetsOf(moved, '2026-06-01', '2026-06-30'), { sinceMs: [0], minutes: [120] });
});

test('[F33] no zone changes its clock twice within the step in which changes are looked for', () => {
	const [from, to] = ['2026-01-01', '2027-12-31'];
	const format = (zone: string) =>
		new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
	for (const zone of allZones) {
		const zones = inZone(zone);
		const { sinceMs } = offsetsOf(zones, from, to);
		const offset = format(zone);
		const [start, end] = [startOfDate(zones, from), endOfDate(zones, to)];
		let changes = 0;
		for (let ms = start, before = offset.format(ms).split(', ')[1]; ms < end; ms += dayMs) {
			const now = offset.format(ms).split(', ')[1];
			if (now !== before) changes++;
			before = now;
		}
		assert.equal(sinceMs.length - 1, changes, zone);
		for (const [index, since] of sinceMs.entries())
			assert.ok(index < 2 || since - Number(sinceMs[index - 1]) > 6 * dayMs, zone);
	}
});
