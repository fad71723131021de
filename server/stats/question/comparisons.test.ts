import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	ask,
	asWeekdays,
	custom,
	customComparison,
	dayMs,
	lengthMs,
	minuteMs,
	previous,
	written,
	yearBefore,
} from '../../../test/support/periods.ts';
import type { RequestedPeriod } from './periods.ts';
import type { Comparison, PeriodName } from './question.ts';

test('what a period is compared with', () => {
	const zone = 'Europe/Berlin';
	const cases: [string, Partial<RequestedPeriod> & { period: PeriodName }, Comparison, string][] = [
		['2026-11-15 14:30', { period: 'today' }, previous, '2026-11-14/2026-11-14 14:30'],
		['2026-11-15 14:30', { period: 'today' }, asWeekdays('previous'), '2026-11-08/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: 'today' }, yearBefore, '2025-11-15/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: 'today' }, asWeekdays('year'), '2025-11-16/2025-11-16 14:30'],
		['2026-11-15 14:30', { period: 'yesterday' }, previous, '2026-11-13/2026-11-13'],
		['2026-11-15 14:30', { period: 'yesterday' }, asWeekdays('previous'), '2026-11-07/2026-11-07'],
		['2026-11-15 14:30', { period: 'yesterday' }, yearBefore, '2025-11-14/2025-11-14'],
		['2026-11-15 14:30', { period: '24h' }, previous, '2026-11-13 14:00/2026-11-14 14:30'],
		['2026-11-15 14:30', { period: '24h' }, asWeekdays('previous'), '2026-11-07 14:00/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: '24h' }, yearBefore, '2025-11-14 14:00/2025-11-15 14:30'],
		['2026-11-15 14:30', { period: '7d' }, previous, '2026-11-02/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: '7d' }, asWeekdays('previous'), '2026-11-02/2026-11-08 14:30'],
		['2026-11-15 14:30', { period: '7d' }, asWeekdays('year'), '2025-11-10/2025-11-16 14:30'],
		['2026-11-15 14:30', { period: '28d' }, previous, '2026-09-21/2026-10-18 14:30'],
		['2026-11-15 14:30', { period: '28d' }, asWeekdays('previous'), '2026-09-21/2026-10-18 14:30'],
		['2026-11-15 14:30', { period: '90d' }, previous, '2026-05-20/2026-08-17 14:30'],
		['2026-11-15 14:30', { period: 'last_week' }, previous, '2026-10-26/2026-11-01'],
		['2026-11-15 14:30', { period: 'last_week', weekStart: 'sunday' }, previous, '2026-11-01/2026-11-07'],
		['2026-11-15 14:30', { period: 'last_week' }, yearBefore, '2025-11-02/2025-11-08'],
		// Seven days, with or without a 29 February among them.
		['2024-03-05 14:30', { period: 'last_week' }, yearBefore, '2023-02-25/2023-03-03'],
		['2026-11-15 14:30', { period: 'quarter' }, previous, '2026-07-01/2026-08-15 14:30'],
		['2026-11-15 14:30', { period: 'quarter' }, yearBefore, '2025-10-01/2025-11-15 14:30'],
		// All of February: there is no 31st that the time of day could cut.
		['2026-05-31 14:30', { period: 'quarter' }, previous, '2026-01-01/2026-02-28'],
		['2026-11-15 14:30', { period: '6months' }, previous, '2025-12-01/2026-05-15 14:30'],
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
		[
			'2026-11-15 14:30',
			{ period: '7d' },
			customComparison('2026-05-01', '2026-05-03'),
			'2026-05-01/2026-05-03 14:30',
		],
		[
			'2026-11-15 14:30',
			{ period: '24h' },
			customComparison('2026-05-01', '2026-05-02'),
			'2026-05-01/2026-05-02 14:30',
		],
		[
			'2026-11-15 14:30',
			{ period: 'last_month' },
			customComparison('2026-05-01', '2026-05-31'),
			'2026-05-01/2026-05-31',
		],
		[
			'2026-11-12 14:30',
			custom('2026-11-09', '2026-11-15'),
			customComparison('2026-05-04', '2026-05-10'),
			'2026-05-04/2026-05-07 14:30',
		],
		[
			'2026-11-12 14:30',
			custom('2026-11-09', '2026-11-15'),
			customComparison('2026-05-04', '2026-05-05'),
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
	const long = { ...ofToday, compare: customComparison('2016-10-01', '2026-11-15') };
	const [began, { comparedBuckets }] = [performance.now(), ask('Europe/Berlin', '2026-11-15 10:00', long)];
	assert.deepEqual([comparedBuckets?.length, comparedBuckets?.at(-1)?.from], [24 * 60, '2016-10-01']);
	assert.ok(performance.now() - began < 2_000);
});
