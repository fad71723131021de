import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	asWeekdays,
	dayMs,
	hourMs,
	inZone,
	lengthMs,
	minuteMs,
	previous,
	quarterMs,
	type Shifted,
	sum,
	wallClock,
	yearBefore,
} from '../../../test/support/periods.ts';
import { seededRandom } from '../../../test/support/random.ts';
import { addDays, nextDate } from '../../lib/local-dates.ts';
import { endOfDate, offsetsOf, startOfDate } from '../../websites/offsets.ts';
import { dateOf, toZones, type Zones } from '../../websites/zones.ts';
import { type RequestedPeriod, resolvePeriod } from './periods.ts';
import type { Bucket, Interval, PeriodName, Span } from './question.ts';

const fixedLength: PeriodName[] = ['today', 'yesterday', '24h', '7d', '28d', '30d', '90d', 'last_week'];
const byCalendar: PeriodName[] = ['month', 'last_month', 'quarter', 'year', '6months', '12months'];
const namedPeriods = [...fixedLength, ...byCalendar];

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
		const isLong = ['year', '6months', '12months', 'all'].includes(period);
		const weekStart = random.pick(['monday', 'sunday'] as const);
		const interval = random.pick<Interval>(['day', 'week', 'month', isLong ? 'day' : 'hour']);
		const asked: RequestedPeriod = { period, ...ofTheirOwn, weekStart, interval, compare: null };
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
				const start = new Date(`${date}T00:00:00Z`);
				while (start.getUTCDay() !== (weekStart === 'monday' ? 1 : 0))
					start.setUTCDate(start.getUTCDate() - 1);
				const firstDay = start.toISOString().slice(0, 10);
				assert.ok(firstDay <= bucket.from && bucket.to <= addDays(firstDay, 6), name);
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
		const isFixed = fixedLength.includes(period);
		const isByInstants = period === '24h' && compare.kind === 'previous' && !compare.matchWeekdays;
		const byMonths: boolean =
			!compare.matchWeekdays && (compare.kind === 'year' || byCalendar.includes(period));
		const minute = now - (now % 60_000);
		if (isByInstants)
			assert.equal(Number(compared.endMs) - Number(compared.startMs), minute - Number(span.startMs), name);
		else if (!byMonths || isFixed) assert.equal(count(compared), count(elapsed), name);
		else assert.ok(Math.abs(count(compared) - count(elapsed)) <= 3, name);
		if (compare.matchWeekdays) assert.equal(weekday(compared.from), weekday(span.from), name);
		if (compare.kind === 'previous' && !isByInstants) assert.ok(compared.to < span.from, name);

		// Else today corresponds to no date of a shorter month.
		const hasDay: boolean =
			!byMonths || isFixed || span.from === elapsed.to || compared.to.slice(8) === today.slice(8);
		assert.equal(compared.endMs !== null, isRunning && hasDay, name);
		if (compared.endMs !== null && !isByInstants) {
			assert.ok(
				compared.endMs >= startOfDate(zones, compared.to) && compared.endMs <= endOfDate(zones, compared.to),
				name,
			);
			// The minute after midnight is not empty. Where a date begins later, there is time before it to compare with.
			const isFirstMinute = wallClock(dateOf(zones, now).zone)(now).startsWith(`${today} 00:00`);
			assert.equal(compared.endMs, corresponding(zones, isFirstMinute ? now : minute, compared.to), name);
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
