/**
 * Days in a time zone. A day has 23 to 25 hours, may start at 01:00, and in rare cases does not exist. So nothing here adds
 * hours: it asks the runtime for the date of an instant and searches for the instant at which the date changes.
 */
import { dayMs, hourMs, minuteMs } from './durations.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
	let format = formats.get(zone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-CA', {
			timeZone: zone,
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
		});
		formats.set(zone, format);
	}
	return format;
}

/** Offsets change only on quarter hours, so dates are cached per quarter hour. */
const stepMs = 15 * minuteMs;
const known = new Map<string, string>();
const maxKnown = 20_000;
/** The last result of each zone: most questions are about now, and a key need not be built for them. */
const latest = new Map<string, { quarter: number; date: string }>();

/** The local date of an instant: `2026-11-15`. */
export function localDate(zone: string, time: number): string {
	const quarter = Math.floor(time / stepMs);
	const last = latest.get(zone);
	if (last?.quarter === quarter) return last.date;
	const key = `${zone} ${quarter}`;
	let date = known.get(key);
	if (date === undefined) {
		if (known.size >= maxKnown) known.clear();
		date = formatOf(zone).format(quarter * stepMs);
		known.set(key, date);
	}
	latest.set(zone, { quarter, date });
	return date;
}

/** The first instant that belongs to a later date than this one. */
export function endOfDate(zone: string, date: string): number {
	// No zone is more than 26 hours away from midnight UTC, so the change is between these two.
	const noon = Date.parse(`${date}T12:00:00Z`);
	let before = noon - 40 * hourMs;
	let after = noon + 60 * hourMs;
	while (after - before > stepMs) {
		const middle = Math.floor((before + after) / 2 / stepMs) * stepMs;
		if (middle <= before) break;
		if (localDate(zone, middle) > date) after = middle;
		else before = middle;
	}
	return after;
}

export const nextDate = (date: string): string => addDays(date, 1);
export const previousDate = (date: string): string => addDays(date, -1);

/** Calendar arithmetic, independent of time zones. */
export function addDays(date: string, days: number): string {
	return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The same day of another month, or its last day if it is shorter: 31 March minus one month is 28 February. */
export function addMonths(date: string, months: number): string {
	const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
	const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
	return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** The first day of a week. */
export type WeekStart = 'monday' | 'sunday';

/** The first date of the week that the date is in. */
export function startOfWeek(date: string, weekStart: WeekStart): string {
	const daysSinceSunday = new Date(`${date}T00:00:00Z`).getUTCDay();
	return addDays(date, -(weekStart === 'sunday' ? daysSinceSunday : (daysSinceSunday + 6) % 7));
}
