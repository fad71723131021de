/**
 * Resolves periods to dates, and dates to the buckets of a series. `docs/definitions.md` describes the same for users.
 *
 * Everything is based on local dates of the website, because visitor ids and salts change with them. A date is what `dateOf`
 * returns for its instants: it may begin at 01:00, last from 23 to 25 hours, up to two days where the website changed its
 * zone to the west, or not exist at all (Samoa's 30 December 2011; a change of zone to the east over the date line). So no
 * instant is computed by adding hours to midnight. Only whole dates are added, hours are cut within stretches of constant
 * UTC offset, and the runtime says where an offset changes. (Until 2010 three Canadian zones and an Antarctic station set
 * their clocks back over midnight and had a date twice; here it then ends once.)
 *
 * A bucket of hours or minutes ends at the next full hour or minute of the local clock or at a change of its offset, whichever
 * is first: the repeated hour in autumn is two buckets, the skipped one in spring none, and where clocks move by half an hour
 * one is short. The hours of a date add up to the date. A bucket of days, weeks or months is a range of dates; dates that do
 * not exist are in none, and a bucket without dates is omitted.
 *
 * Comparisons cover equal times. While a period is running, its comparison ends at the same time of day on the date that
 * corresponds to today. The time of day is what the clock shows: a skipped time is the instant after the gap, a repeated one
 * is the first. It is counted from the date's own midnight, so the hours before it, which the first day in a zone further
 * west has, are compared with nothing.
 */
import { gatherFaults, invalid } from '../../lib/app-error.ts';
import {
	addDays,
	addMonths,
	nextDate,
	previousDate,
	startOfWeek,
	type WeekStart,
} from '../../lib/local-dates.ts';
import {
	endOfDate,
	instantOf,
	offsetOf,
	offsetsOf,
	startOfDate,
	stretchesOf,
} from '../../websites/offsets.ts';
import { dateOf, type Zones } from '../../websites/zones.ts';
import { countDates, daysBetween, midnightOf, readDates, refuseDates, wholeDates } from './custom-dates.ts';
import { cutToLimits, type DateLimits, isWithin } from './date-limits.ts';
import type { Bucket, Comparison, Interval, PeriodName, Span } from './question.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export type RequestedPeriod = {
	period: PeriodName;
	/** Both with `custom`, else neither. */
	from?: string | undefined;
	to?: string | undefined;
	/** Monday by default (ISO 8601). */
	weekStart?: WeekStart | undefined;
	interval?: Interval | undefined;
	compare: Comparison | null;
	/** Of a share link: the period is cut to it. */
	limits?: DateLimits;
};

export type ResolvedPeriod = {
	span: Span;
	/** Null also for `all`, which has no previous period. */
	compared: Span | null;
	interval: Interval;
	/** In the order of time, covering the span; named periods have no future hours and minutes. */
	buckets: Bucket[];
	/**
	 * The n-th is compared with the n-th of `buckets`. There may be fewer, as for February and March; the rest is compared with
	 * nothing. Additional ones of `compared`, as for January and February, are in its totals but not in this series. So when
	 * the clock changes, later hours of that day are compared with an hour less or more; matching by the clock would leave an
	 * hour without a counterpart, or with two.
	 */
	comparedBuckets: Bucket[] | null;
};

type Moment = {
	zones: Zones;
	firstDate: string | null;
	now: number;
	today: string;
	weekStart: WeekStart;
};

/** Throws `validation_failed` for invalid input. `firstDate` is the first date with an event. */
export function resolvePeriod(
	website: { zones: Zones; firstDate: string | null; now: number },
	requested: RequestedPeriod,
): ResolvedPeriod {
	const { weekStart = 'monday' } = requested;
	const moment = { ...website, weekStart, today: dateOf(website.zones, website.now).date };
	const faults = gatherFaults();
	if (requested.compare?.kind === 'custom') {
		const dates = requested.compare;
		faults.attempt(() => readDates(dates, 'compare_'));
	}
	const { period, limits = noLimits } = requested;
	const whole = faults.last(() => spanOf(moment, requested));
	const span = cutToLimits(limits, whole, period === 'custom' ? 'from' : 'period');
	const interval = intervalOf(span === whole ? requested : { ...requested, period: 'custom' }, span);
	const all = bucketsOf(moment, span, interval, maxBuckets);
	const buckets = period === 'custom' ? all : all.filter(({ startMs }) => (startMs ?? 0) <= website.now);
	const compared = requested.compare && comparedWithin(moment, requested, span, requested.compare);
	const comparedBuckets = compared && bucketsOf(moment, compared, interval, buckets.length);
	return { span, compared, interval, buckets, comparedBuckets };
}

const noLimits: DateLimits = { from: null, to: null };

/** Null unless all of it can be seen: a part would be compared with more days than it has. */
function comparedWithin(
	moment: Moment,
	{ period, limits = noLimits }: RequestedPeriod,
	span: Span,
	compare: Comparison,
): Span | null {
	const compared = findCompared(moment, period, span, compare);
	if (compared === null || isWithin(limits, compared)) return compared;
	if (compare.kind === 'custom')
		throw invalid({ compare_from: ['This share link does not show all of this period.'] });
	return null;
}

function spanOf(moment: Moment, { period, from, to }: RequestedPeriod): Span {
	const { zones, firstDate, now, today, weekStart } = moment;
	const firstOfMonth = `${today.slice(0, 7)}-01`;
	if (period !== 'custom') refuseDates({ from, to });
	switch (period) {
		case 'today':
			return wholeDates(today, today);
		case 'yesterday':
			return wholeDates(previousDate(today), previousDate(today));
		case '24h': {
			const startMs = startOfHour(zones, now - dayMs);
			return { from: dateOf(zones, startMs).date, to: today, startMs, endMs: null };
		}
		case '7d':
			return wholeDates(addDays(today, -6), today);
		case '28d':
			return wholeDates(addDays(today, -27), today);
		case '30d':
			return wholeDates(addDays(today, -29), today);
		case '90d':
			return wholeDates(addDays(today, -89), today);
		case 'last_week': {
			const thisWeek = startOfWeek(today, weekStart);
			return wholeDates(addDays(thisWeek, -7), addDays(thisWeek, -1));
		}
		case 'month':
			return wholeDates(firstOfMonth, today);
		case 'last_month':
			return wholeDates(addMonths(firstOfMonth, -1), previousDate(firstOfMonth));
		case 'quarter':
			return wholeDates(addMonths(firstOfMonth, -((Number(today.slice(5, 7)) - 1) % 3)), today);
		case 'year':
			return wholeDates(`${today.slice(0, 4)}-01-01`, today);
		case '6months':
			return wholeDates(addMonths(firstOfMonth, -5), today);
		case '12months':
			return wholeDates(addMonths(firstOfMonth, -11), today);
		case 'all':
			return wholeDates(firstDate !== null && firstDate < today ? firstDate : today, today);
		case 'custom':
			return readDates({ from, to }, '');
	}
}

/** For the others the length decides. */
const usualInterval: Partial<Record<PeriodName, Interval>> = {
	today: 'hour',
	yesterday: 'hour',
	'24h': 'hour',
	'7d': 'day',
	'28d': 'day',
	'30d': 'day',
	'90d': 'day',
	last_week: 'day',
	month: 'day',
	last_month: 'day',
	quarter: 'day',
	year: 'month',
	'6months': 'week',
	'12months': 'month',
};

/** The default interval by the number of dates: at most 92 days or 27 weeks in a chart. */
const intervalByLength: readonly [number, Interval][] = [
	[1, 'hour'],
	[92, 'day'],
	[182, 'week'],
];

const maxBuckets = 5_000;

/** In dates, because two of them can have 49 hours. Within these a series has at most `maxBuckets`. */
const maxDates: Record<Interval, number> = { minute: 2, hour: 93, day: 5_000, week: 35_000, month: 150_000 };

function intervalOf({ period, interval }: RequestedPeriod, { from, to }: Span): Interval {
	// Its 25 hours can touch three dates.
	const dates = period === '24h' ? 2 : countDates(from, to);
	if (interval === undefined)
		return usualInterval[period] ?? intervalByLength.find(([most]) => dates <= most)?.[1] ?? 'month';
	const most = maxDates[interval];
	if (dates > most)
		throw invalid({
			interval: [
				`The interval ${interval} is available for up to ${most} days, not for ${dates}. Use a longer interval.`,
			],
		});
	return interval;
}

/** Calendar periods are compared so many months back; others by the same number of dates. */
const monthsBack: Partial<Record<PeriodName, number>> = {
	month: 1,
	last_month: 1,
	quarter: 3,
	year: 12,
	'6months': 6,
	'12months': 12,
};

/** Always the same number of dates. */
const hasFixedLength = (period: PeriodName) =>
	['today', 'yesterday', '24h', '7d', '28d', '30d', '90d', 'last_week'].includes(period);

function findCompared(moment: Moment, period: PeriodName, span: Span, comparison: Comparison): Span | null {
	const { zones, now, today } = moment;
	// There is no data before the first event.
	if (period === 'all' && comparison.kind === 'previous') return null;
	// The last 24 hours are compared with the 24 before: the only comparison by instants.
	if (span.startMs !== null && comparison.kind === 'previous' && !comparison.matchWeekdays) {
		const [startMs, endMs] = [span.startMs - dayMs, floorTo(minuteMs, now) - dayMs];
		return { from: dateOf(zones, startMs).date, to: dateOf(zones, endMs).date, startMs, endMs };
	}
	const isRunning = span.from <= today && today <= span.to;
	const last = isRunning ? today : span.to;
	const { from, to, isOver } =
		comparison.kind === 'custom'
			? customDates(span, last, comparison)
			: shiftedDates(period, span, last, comparison);
	const startMs = comparison.kind === 'custom' ? null : span.startMs;
	// To the minute: a result that changes every second would never be asked for twice. The first minute is not empty.
	const time = timeOfDay(zones, now);
	const minute = floorTo(minuteMs, time) || time;
	return {
		from,
		to,
		startMs: startMs === null ? null : instantOf(zones, from, timeOfDay(zones, startMs)),
		endMs: isRunning && !isOver ? instantOf(zones, to, minute) : null,
	};
}

/** `isOver`: today corresponds to a date after the last one. */
type ComparedDates = { from: string; to: string; isOver: boolean };

/** The requested dates; when the period continues after today, only up to the date that corresponds to today. */
function customDates(span: Span, last: string, requested: { from: string; to: string }): ComparedDates {
	const { from, to } = readDates(requested, 'compare_');
	const corresponding = addDays(from, countDates(span.from, last) - 1);
	return { from, to: last < span.to && corresponding < to ? corresponding : to, isOver: false };
}

function shiftedDates(
	period: PeriodName,
	{ from, to }: Span,
	last: string,
	comparison: { kind: 'previous' | 'year'; matchWeekdays: boolean },
): ComparedDates {
	const length = countDates(from, to);
	const byDays = (days: number) => ({ from: addDays(from, -days), to: addDays(last, -days), isOver: false });
	const months = comparison.kind === 'year' ? 12 : monthsBack[period];
	if (comparison.matchWeekdays) {
		if (comparison.kind === 'year') return byDays(364);
		// The number of whole weeks nearest to the previous month or year that does not overlap the period.
		const distance = months === undefined ? length : daysBetween(addMonths(from, -months), from);
		return byDays(7 * Math.max(Math.round(distance / 7), Math.ceil(length / 7)));
	}
	if (months === undefined) return byDays(length);
	// Counted from the last date, so that seven days stay seven with or without a 29 February.
	if (hasFixedLength(period)) return byDays(daysBetween(addMonths(last, -months), last));
	const first = addMonths(from, -months);
	// A whole month is compared with a whole month, whatever their lengths.
	if (period === 'last_month')
		return { from: first, to: previousDate(addMonths(nextDate(to), -months)), isOver: true };
	// On 30 March all of February is compared; cut at the time of day, the comparison would shrink every midnight.
	const same = addMonths(last, -months);
	return { from: first, to: same, isOver: from < last && same.slice(8) < last.slice(8) };
}

/**
 * The first `most` buckets. `time` is the first date or instant of a bucket within the span, not of its week or month: the first
 * and last bucket may be cut. A date, week or month is unfinished while today is in it.
 */
function bucketsOf(moment: Moment, span: Span, interval: Interval, most: number): Bucket[] {
	const dates = datesOf(moment.zones, span);
	if (interval === 'hour' || interval === 'minute') {
		const buckets: Bucket[] = [];
		for (const date of dates) {
			// A comparison with ten years must not be cut into minutes.
			if (buckets.length >= most) break;
			buckets.push(...cutDate(moment, date, span, interval));
		}
		return buckets.slice(0, most);
	}
	const groups = [...Map.groupBy(dates, (date) => bucketStart(interval, date, moment.weekStart)).values()];
	return groups.slice(0, most).map((group) => {
		const [from = '', to = from] = [group[0], group.at(-1)];
		const isUnfinished = from <= moment.today && moment.today <= to;
		return { time: from, from, to, startMs: null, endMs: null, isUnfinished };
	});
}

/** The same for all dates of a bucket. */
function bucketStart(interval: 'day' | 'week' | 'month', date: string, weekStart: WeekStart): string {
	switch (interval) {
		case 'day':
			return date;
		case 'week':
			return startOfWeek(date, weekStart);
		case 'month':
			return date.slice(0, 7);
	}
}

/** The dates of a span that exist. */
function datesOf(zones: Zones, { from, to }: Span): string[] {
	const missing = new Set<string>();
	// A date is skipped by a change of offset, at the latest where the next date begins.
	for (const ms of offsetsOf(zones, previousDate(from), nextDate(to)).sinceMs.slice(1)) {
		const { date: after } = dateOf(zones, ms);
		for (let date = nextDate(dateOf(zones, ms - 1).date); date < after; date = nextDate(date))
			missing.add(date);
	}
	const dates: string[] = [];
	for (let date = from; date <= to; date = nextDate(date)) if (!missing.has(date)) dates.push(date);
	return dates;
}

/** The part of a date that is in the span, cut at full hours or minutes of its clock and at changes of offset. */
function cutDate({ zones, now }: Moment, date: string, span: Span, interval: 'hour' | 'minute'): Bucket[] {
	const sizeMs = interval === 'hour' ? hourMs : minuteMs;
	const first = Math.max(startOfDate(zones, date), span.startMs ?? Number.NEGATIVE_INFINITY);
	const end = Math.min(endOfDate(zones, date), span.endMs ?? Number.POSITIVE_INFINITY);
	const pieces: Bucket[] = [];
	for (const { minutes, ...stretch } of stretchesOf(zones, first, end)) {
		for (let startMs = stretch.startMs; startMs < stretch.endMs; ) {
			const endMs = Math.min(floorOf(minutes, startMs, sizeMs) + sizeMs, stretch.endMs);
			const isUnfinished = startMs <= now && now < endMs;
			pieces.push({ time: shownAt(minutes, startMs), from: date, to: date, startMs, endMs, isUnfinished });
			startMs = endMs;
		}
	}
	return pieces;
}

export function startOfHour(zones: Zones, ms: number): number {
	const floor = floorOf(offsetOf(zones, ms), ms, hourMs);
	// If the offset changed since then, the hour began at the change.
	return stretchesOf(zones, floor, ms + 1).at(-1)?.startMs ?? floor;
}

/** The last instant at which a clock with this offset showed a multiple of `sizeMs`. */
function floorOf(minutes: number, ms: number, sizeMs: number): number {
	const shownMs = ms + minutes * minuteMs;
	return Math.floor(shownMs / sizeMs) * sizeMs - minutes * minuteMs;
}

/** `2026-11-01T13:00:00+01:00`. */
function shownAt(minutes: number, ms: number): string {
	const digits = (number: number) => String(number).padStart(2, '0');
	const size = Math.abs(minutes);
	const offset = `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
	return `${new Date(ms + minutes * minuteMs).toISOString().slice(0, 19)}${offset}`;
}

/** Milliseconds of the local clock since midnight of the date; negative on the first date in a zone further west. */
function timeOfDay(zones: Zones, ms: number): number {
	return ms + offsetOf(zones, ms) * minuteMs - midnightOf(dateOf(zones, ms).date);
}

const floorTo = (step: number, ms: number): number => Math.floor(ms / step) * step;
