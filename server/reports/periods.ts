/**
 * The period of a report, and when it is due: on Monday and on the 1st, at 07:00 in the time zone of the website. If a clock change skips
 * 07:00, it is due right after the gap; if 07:00 occurs twice, the first time.
 */
import { dayMs, hourMs } from '../lib/durations.ts';
import { addDays, addMonths, localDate, previousDate, startOfWeek } from '../lib/local-dates.ts';
import { instantOf } from '../websites/offsets.ts';
import type { Report } from './report.ts';

export type ReportKind = Report['kind'];
type Days = { from: string; to: string };
export type ReportPeriod = Days & { kind: ReportKind; before: Days; yearAgo: Days };

const dueTimeMs = 7 * hourMs;
/** A report that is later than this is skipped, for example after a long downtime. */
export const maxLateMs = 72 * hourMs;
/** How long a report waits for its days to be sealed. */
export const sealWithinMs = 3 * hourMs;

/** The week (from Monday) or the calendar month of a date. */
export function periodAround(kind: ReportKind, date: string): ReportPeriod {
	if (kind === 'week') {
		const from = startOfWeek(date, 'monday');
		const weeksBack = (weeks: number): Days => ({
			from: addDays(from, -7 * weeks),
			to: addDays(from, 6 - 7 * weeks),
		});
		// 52 weeks, so that weekdays match.
		return { kind, ...weeksBack(0), before: weeksBack(1), yearAgo: weeksBack(52) };
	}
	const first = `${date.slice(0, 7)}-01`;
	const monthsBack = (months: number): Days => {
		const from = addMonths(first, -months);
		return { from, to: previousDate(addMonths(from, 1)) };
	};
	return { kind, ...monthsBack(0), before: monthsBack(1), yearAgo: monthsBack(12) };
}

/** The last period that ended before a date. */
export const periodBefore = (kind: ReportKind, date: string): ReportPeriod =>
	periodAround(kind, previousDate(periodAround(kind, date).from));

/** A report that is due on a date in a time zone. `atMs`: when. */
export type Due = { zone: string; day: string; atMs: number; period: ReportPeriod };

const dueAt = (zone: string, day: string): number =>
	instantOf([{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone }], day, dueTimeMs);

/** Reports that are due in these time zones and not too late. */
export function findDue(zones: readonly string[], nowMs: number): Due[] {
	return zones.flatMap((zone) => {
		const today = localDate(zone, nowMs);
		const found: Due[] = [];
		for (let back = 0; back <= maxLateMs / dayMs + 1; back++) {
			const day = addDays(today, -back);
			const kinds: ReportKind[] = [];
			if (startOfWeek(day, 'monday') === day) kinds.push('week');
			if (day.endsWith('-01')) kinds.push('month');
			if (kinds.length === 0) continue;
			const atMs = dueAt(zone, day);
			if (atMs <= nowMs && nowMs < atMs + maxLateMs)
				for (const kind of kinds) found.push({ zone, day, atMs, period: periodBefore(kind, day) });
		}
		return found;
	});
}
