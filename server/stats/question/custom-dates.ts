import { invalid } from '../../lib/app-error.ts';
import { dayMs } from '../../lib/durations.ts';
import { addDays } from '../../lib/local-dates.ts';
import type { Span } from './question.ts';

/** Whole dates, both inclusive. */
export const wholeDates = (from: string, to: string): Span => ({ from, to, startMs: null, endMs: null });

/**
 * No website is older than the web, and before 1973 offsets had seconds; the column `date` ends in 2149. In between every
 * shift and every comparison stays within what can be computed exactly.
 */
const earliest = '1990-01-01';
const latest = '2099-12-31';
const maxSpanDates = 3_700;

/** The dates of a custom range, or all that is wrong with them. */
export function readDates(
	sent: { from?: string | undefined; to?: string | undefined },
	prefix: '' | 'compare_',
): Span {
	const errors: Record<string, string[]> = {};
	for (const end of ['from', 'to'] as const) {
		const name = `${prefix}${end}`;
		const text = sent[end];
		if (text === undefined) errors[name] = [`The ${name} field is required for a custom range.`];
		else if (!isDate(text)) errors[name] = [`The ${name} field must be a date such as 2026-11-15.`];
		else if (text < earliest || text > latest)
			errors[name] = [`The ${name} field must lie between ${earliest} and ${latest}.`];
	}
	const { from = '', to = '' } = sent;
	if (Object.keys(errors).length > 0) throw invalid(errors);
	if (from > to) throw invalid({ [`${prefix}to`]: [`The period ends (${to}) before it starts (${from}).`] });
	const dates = countDates(from, to);
	if (dates > maxSpanDates)
		throw invalid({ [`${prefix}from`]: [`The period has ${dates} days; it may have ${maxSpanDates}.`] });
	return wholeDates(from, to);
}

export function refuseDates(sent: { from?: string | undefined; to?: string | undefined }): void {
	const names = (['from', 'to'] as const).filter((name) => sent[name] !== undefined);
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

export const midnightOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** In calendar dates, as `addDays`. */
export const daysBetween = (from: string, to: string): number => (midnightOf(to) - midnightOf(from)) / dayMs;
export const countDates = (from: string, to: string): number => daysBetween(from, to) + 1;
