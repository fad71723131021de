/**
 * Periods become dates, and dates become points of a series. `docs/definitions.md` says the same to people.
 *
 * Everything is counted in local dates of the website, because that is what its visitors and salts are cut by. A date is
 * what `dateOf` says of its instants and nothing more: it may begin at 01:00, last from 23 to 25 hours, up to two days
 * where the website changed its zone to the west, or never be (Samoa's 30 December 2011; a change of zone to the east over
 * the date line). So no instant is found by adding hours to a midnight. What is added is whole dates, which are the same
 * everywhere; what is cut into hours are stretches of time over which the offset from UTC holds still; and where an offset
 * changes is not known but asked of the runtime. (Until 2010 three Canadian zones and an Antarctic station set their clocks
 * back over midnight and had a date twice; here it then ends once.)
 *
 * A bucket of hours or minutes lies between two ticks of the clock on the wall or a change of its offset, whichever is
 * nearer: the doubled hour in autumn is two buckets, the missing one in spring none, and where clocks move by half an hour
 * there is a short one. The hours of a date add up to the date, however long it is. A bucket of days, weeks or months is a
 * run of dates; a date that never was is in none, and the bucket that would have nothing else is not there.
 *
 * A comparison that is not equal lies. While a period runs, what it is compared with ends at the same time of day on the
 * date that corresponds to today. The time of day is what the clock shows: a time that a date leaves out is the instant
 * after the gap, one that it shows twice is the first. It is counted from the date's own midnight, so that the hours before
 * it, which the first day in a zone further west has, are compared with nothing.
 */
import { invalid } from '../lib/app-error.ts';
import { addDays, addMonths, nextDate, previousDate } from '../lib/local-dates.ts';
import { endOfDate, instantOf, offsetOf, offsetsOf, startOfDate, stretchesOf } from '../websites/offsets.ts';
import { dateOf, type Zones } from '../websites/zones.ts';
import type { Bucket, Comparison, Interval, PeriodName, Span } from './question.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export type AskedPeriod = {
	period: PeriodName;
	/** With `custom` both, else neither. */
	from?: string | undefined;
	to?: string | undefined;
	interval?: Interval | undefined;
	compare: Comparison | null;
};

export type ResolvedPeriod = {
	span: Span;
	/** Null also for what came before all. */
	compared: Span | null;
	interval: Interval;
	/** Together they are the span, in the order of time; a named period has no hours and minutes that are still to come. */
	buckets: Bucket[];
	/**
	 * The n-th stands beside the n-th of `buckets`. There may be fewer, as in February beside March; beside the rest stands
	 * nothing. What `compared` has more, as in January beside February, is in its totals and not in this series. So on a day
	 * on which the clock is set, the hours after it stand beside the one that shows an hour less or more; by the clock alone
	 * one of them would have none beside it, or two.
	 */
	comparedBuckets: Bucket[] | null;
};

type Moment = { zones: Zones; firstDate: string | null; now: number; today: string };

/** Throws `validation_failed` for what the caller got wrong. `firstDate` is the first with an event. */
export function resolvePeriod(
	website: { zones: Zones; firstDate: string | null; now: number },
	asked: AskedPeriod,
): ResolvedPeriod {
	const moment = { ...website, today: dateOf(website.zones, website.now).date };
	const span = spanOf(moment, asked);
	const interval = intervalOf(asked, span);
	const all = bucketsOf(moment, span, interval, maxBuckets);
	const buckets =
		asked.period === 'custom' ? all : all.filter(({ startMs }) => (startMs ?? 0) <= website.now);
	const compared = asked.compare && findCompared(moment, asked.period, span, asked.compare);
	const comparedBuckets = compared && bucketsOf(moment, compared, interval, buckets.length);
	return { span, compared, interval, buckets, comparedBuckets };
}

function spanOf(moment: Moment, { period, from, to }: AskedPeriod): Span {
	const { zones, firstDate, now, today } = moment;
	const firstOfMonth = `${today.slice(0, 7)}-01`;
	if (period !== 'custom') refuseDates({ from, to });
	switch (period) {
		case 'today':
			return wholeDates(today, today);
		case '24h': {
			const startMs = startOfHour(zones, now - dayMs);
			return { from: dateOf(zones, startMs).date, to: today, startMs, endMs: null };
		}
		case '7d':
			return wholeDates(addDays(today, -6), today);
		case '30d':
			return wholeDates(addDays(today, -29), today);
		case 'month':
			return wholeDates(firstOfMonth, today);
		case 'last_month':
			return wholeDates(addMonths(firstOfMonth, -1), previousDate(firstOfMonth));
		case 'year':
			return wholeDates(`${today.slice(0, 4)}-01-01`, today);
		case '12months':
			return wholeDates(addMonths(firstOfMonth, -11), today);
		case 'all':
			return wholeDates(firstDate !== null && firstDate < today ? firstDate : today, today);
		case 'custom':
			return readDates({ from, to }, '');
	}
}

const wholeDates = (from: string, to: string): Span => ({ from, to, startMs: null, endMs: null });

/**
 * No website is older than the web, and before 1973 offsets had seconds; the column `date` ends in 2149. In between every
 * shift and every comparison stays within what can be computed exactly.
 */
const earliest = '1990-01-01';
const latest = '2099-12-31';
const maxSpanDates = 3_700;

function readDates(
	given: { from?: string | undefined; to?: string | undefined },
	prefix: '' | 'compare_',
): Span {
	const errors: Record<string, string[]> = {};
	for (const end of ['from', 'to'] as const) {
		const name = `${prefix}${end}`;
		const text = given[end];
		if (text === undefined) errors[name] = [`The ${name} field is required for dates of your own.`];
		else if (!isDate(text)) errors[name] = [`The ${name} field must be a date such as 2026-11-15.`];
		else if (text < earliest || text > latest)
			errors[name] = [`The ${name} field must lie between ${earliest} and ${latest}.`];
	}
	const { from = '', to = '' } = given;
	if (Object.keys(errors).length > 0) throw invalid(errors);
	if (from > to) throw invalid({ [`${prefix}to`]: [`The period ends (${to}) before it starts (${from}).`] });
	const dates = countDates(from, to);
	if (dates > maxSpanDates)
		throw invalid({ [`${prefix}from`]: [`The period has ${dates} days; it may have ${maxSpanDates}.`] });
	return wholeDates(from, to);
}

function refuseDates(given: { from?: string | undefined; to?: string | undefined }): void {
	const names = (['from', 'to'] as const).filter((name) => given[name] !== undefined);
	if (names.length === 0) return;
	throw invalid(
		Object.fromEntries(names.map((name) => [name, [`The ${name} field needs the period custom.`]])),
	);
}

function isDate(text: string): boolean {
	// 2026-02-30 is read as 2 March by some runtimes.
	return (
		/^\d{4}-\d\d-\d\d$/.test(text) &&
		!Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
		addDays(text, 0) === text
	);
}

/** For the others their length decides. */
const usualInterval: Partial<Record<PeriodName, Interval>> = {
	today: 'hour',
	'24h': 'hour',
	'7d': 'day',
	'30d': 'day',
	month: 'day',
	last_month: 'day',
	year: 'month',
	'12months': 'month',
};

/** Up to which number of dates an interval is taken when none is asked for: at most 92 days or 27 weeks in a drawing. */
const intervalByLength: readonly [number, Interval][] = [
	[1, 'hour'],
	[92, 'day'],
	[182, 'week'],
];

const maxBuckets = 5_000;

/** Dates and not hours, because two of them can have 49 hours. With none of these a series has more than `maxBuckets`. */
const maxDates: Record<Interval, number> = { minute: 2, hour: 93, day: 5_000, week: 35_000, month: 150_000 };

function intervalOf({ period, interval }: AskedPeriod, { from, to }: Span): Interval {
	// Its 25 hours can touch three dates.
	const dates = period === '24h' ? 2 : countDates(from, to);
	if (interval === undefined)
		return usualInterval[period] ?? intervalByLength.find(([most]) => dates <= most)?.[1] ?? 'month';
	const most = maxDates[interval];
	if (dates > most)
		throw invalid({
			interval: [`The interval ${interval} is too fine for ${dates} days; it is there for up to ${most}.`],
		});
	return interval;
}

/** The same period by the calendar, so many months before; the others have as many dates as they have. */
const monthsBack: Partial<Record<PeriodName, number>> = { month: 1, last_month: 1, year: 12, '12months': 12 };

/** So many dates up to now, wherever they lie in the calendar. */
const isRolling = (period: PeriodName) => ['today', '24h', '7d', '30d'].includes(period);

function findCompared(moment: Moment, period: PeriodName, span: Span, comparison: Comparison): Span | null {
	const { zones, now, today } = moment;
	// Before the first event there is nothing.
	if (period === 'all' && comparison.kind === 'previous') return null;
	// The last 24 hours with the 24 before: the one comparison that is by instants.
	if (span.startMs !== null && comparison.kind === 'previous' && !comparison.matchWeekdays) {
		const [startMs, endMs] = [span.startMs - dayMs, now - dayMs];
		return { from: dateOf(zones, startMs).date, to: dateOf(zones, endMs).date, startMs, endMs };
	}
	const isRunning = span.from <= today && today <= span.to;
	const last = isRunning ? today : span.to;
	const { from, to, isOver } =
		comparison.kind === 'custom'
			? givenDates(span, last, comparison)
			: shiftedDates(period, span, last, comparison);
	const startMs = comparison.kind === 'custom' ? null : span.startMs;
	return {
		from,
		to,
		startMs: startMs === null ? null : instantOf(zones, from, timeOfDay(zones, startMs)),
		endMs: isRunning && !isOver ? instantOf(zones, to, timeOfDay(zones, now)) : null,
	};
}

/** `isOver`: today corresponds to a time after its last date. */
type ComparedDates = { from: string; to: string; isOver: boolean };

/** As given; when the period goes on after today, only up to the date that corresponds to today. */
function givenDates(span: Span, last: string, given: { from: string; to: string }): ComparedDates {
	const { from, to } = readDates(given, 'compare_');
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
		// As near to the month or year before as whole weeks come, without touching the period itself.
		const distance = months === undefined ? length : daysBetween(addMonths(from, -months), from);
		return byDays(7 * Math.max(Math.round(distance / 7), Math.ceil(length / 7)));
	}
	if (months === undefined) return byDays(length);
	// Counted from its last date, so that seven days stay seven with or without a 29 February.
	if (isRolling(period)) return byDays(daysBetween(addMonths(last, -months), last));
	const first = addMonths(from, -months);
	// A whole month stands beside a whole month: 28 February beside 31 January.
	if (period === 'last_month')
		return { from: first, to: previousDate(addMonths(nextDate(to), -months)), isOver: true };
	// On 30 March all of February is over; by its time of day, what March is compared with would shrink every midnight.
	const same = addMonths(last, -months);
	return { from: first, to: same, isOver: from < last && same.slice(8) < last.slice(8) };
}

/**
 * The first so many. `time` is the first date or instant of a bucket within the span, not of its week or month: the first
 * and the last may be cut. A date, week or month is unfinished as long as today is in it; where its span is cut within a
 * date, it is the span that says so.
 */
function bucketsOf(moment: Moment, span: Span, interval: Interval, most: number): Bucket[] {
	const dates = datesOf(moment.zones, span);
	if (interval === 'hour' || interval === 'minute') {
		const buckets: Bucket[] = [];
		for (const date of dates) {
			// Ten years that someone compares with two days are not cut into minutes.
			if (buckets.length >= most) break;
			buckets.push(...cutDate(moment, date, span, interval));
		}
		return buckets.slice(0, most);
	}
	const runs = [...Map.groupBy(dates, (date) => runOf(interval, date)).values()];
	return runs.slice(0, most).map((run) => {
		const [from = '', to = from] = [run[0], run.at(-1)];
		const isUnfinished = from <= moment.today && moment.today <= to;
		return { time: from, from, to, startMs: null, endMs: null, isUnfinished };
	});
}

/** What the dates of one bucket have in common. Weeks are those of ISO 8601: they begin on Monday. */
function runOf(interval: 'day' | 'week' | 'month', date: string): string {
	switch (interval) {
		case 'day':
			return date;
		case 'week':
			return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
		case 'month':
			return date.slice(0, 7);
	}
}

/** The dates of a span that there were. */
function datesOf(zones: Zones, { from, to }: Span): string[] {
	const missing = new Set<string>();
	// Clocks that jump over a date change their offset, at the latest where the next date begins.
	for (const ms of offsetsOf(zones, previousDate(from), nextDate(to)).sinceMs.slice(1)) {
		const { date: after } = dateOf(zones, ms);
		for (let date = nextDate(dateOf(zones, ms - 1).date); date < after; date = nextDate(date))
			missing.add(date);
	}
	const dates: string[] = [];
	for (let date = from; date <= to; date = nextDate(date)) if (!missing.has(date)) dates.push(date);
	return dates;
}

/** The part of a date that is in the span, cut where its clock shows a full hour or minute and where the offset changes. */
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

function startOfHour(zones: Zones, ms: number): number {
	const floor = floorOf(offsetOf(zones, ms), ms, hourMs);
	// The clock was perhaps set since then: then the hour began at that.
	return stretchesOf(zones, floor, ms + 1).at(-1)?.startMs ?? floor;
}

/** The last instant at which a clock with this offset showed a multiple of this size. */
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

/** Milliseconds that the clock shows past the midnight of the date; below 0 on a first date in a zone further west. */
function timeOfDay(zones: Zones, ms: number): number {
	return ms + offsetOf(zones, ms) * minuteMs - midnightOf(dateOf(zones, ms).date);
}

const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Of dates alone, as `addDays`. */
const daysBetween = (from: string, to: string): number => (midnightOf(to) - midnightOf(from)) / dayMs;
const countDates = (from: string, to: string): number => daysBetween(from, to) + 1;
