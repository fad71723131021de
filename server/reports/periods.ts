/**
 * Which week or month a report is about, and when it is due: on Monday and on the 1st, at 07:00 on the clock of the
 * website. Where that clock does not show 07:00 on that day it is the instant after the gap, where it shows it twice the
 * first of the two; a day that never was ends where the next one begins. So there is one instant, always.
 */
import { addDays, addMonths, localDate, previousDate } from '../lib/local-dates.ts';
import { instantOf } from '../websites/offsets.ts';
import type { Report } from './report.ts';

export type ReportKind = Report['kind'];
type Days = { from: string; to: string };
export type ReportPeriod = Days & { kind: ReportKind; before: Days; yearAgo: Days };

const hourMs = 3_600_000;
const sevenMs = 7 * hourMs;
/** So much later it is left out: a service that was off for long does not tell old news. */
export const maxLateMs = 72 * hourMs;
/** So long it waits for its days to be sealed. */
export const sealWithinMs = 3 * hourMs;

/** 0 is Monday. */
const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

/** The week (from Monday on) or the calendar month that a date lies in. */
export function periodAround(kind: ReportKind, date: string): ReportPeriod {
	if (kind === 'week') {
		const from = addDays(date, -weekdayOf(date));
		const weeksBack = (weeks: number): Days => ({
			from: addDays(from, -7 * weeks),
			to: addDays(from, 6 - 7 * weeks),
		});
		// A year ago by whole weeks: a Monday stands beside a Monday.
		return { kind, ...weeksBack(0), before: weeksBack(1), yearAgo: weeksBack(52) };
	}
	const first = `${date.slice(0, 7)}-01`;
	const monthsBack = (months: number): Days => {
		const from = addMonths(first, -months);
		return { from, to: previousDate(addMonths(from, 1)) };
	};
	return { kind, ...monthsBack(0), before: monthsBack(1), yearAgo: monthsBack(12) };
}

/** The last one that was over before a date. */
export const periodBefore = (kind: ReportKind, date: string): ReportPeriod =>
	periodAround(kind, previousDate(periodAround(kind, date).from));

/** A report that is due on a date in a zone, and since when. */
export type Due = { zone: string; day: string; atMs: number; period: ReportPeriod };

/** When reports that are due on a date are made in a zone. */
const dueAt = (zone: string, day: string): number =>
	instantOf([{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone }], day, sevenMs);

/** All that is due in these zones and not too old. */
export function findDue(zones: readonly string[], now: number): Due[] {
	return zones.flatMap((zone) => {
		const today = localDate(zone, now);
		const found: Due[] = [];
		for (let back = 0; back <= maxLateMs / (24 * hourMs) + 1; back++) {
			const day = addDays(today, -back);
			const kinds: ReportKind[] = [];
			if (weekdayOf(day) === 0) kinds.push('week');
			if (day.endsWith('-01')) kinds.push('month');
			if (kinds.length === 0) continue;
			const atMs = dueAt(zone, day);
			if (atMs <= now && now < atMs + maxLateMs)
				for (const kind of kinds) found.push({ zone, day, atMs, period: periodBefore(kind, day) });
		}
		return found;
	});
}
