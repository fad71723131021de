import type { ShareLimits } from '../../accounts/principal.ts';
import { invalid } from '../../lib/app-error.ts';
import { addDays } from '../../lib/local-dates.ts';
import type { Span } from './question.ts';

/** The first and last date that can be seen. */
export type DateLimits = { from: string | null; to: string | null };

export const dateLimitsOf = ({ from, to, lastDays }: ShareLimits, today: string): DateLimits =>
	lastDays === null ? { from, to } : { from: addDays(today, 1 - lastDays), to: null };

export const isWithin = (limits: DateLimits, { from, to }: Span): boolean =>
	(limits.from === null || limits.from <= from) && (limits.to === null || to <= limits.to);

/** The part of a period that can be seen. */
export function cutToLimits(limits: DateLimits, span: Span, field: 'period' | 'from'): Span {
	if (isWithin(limits, span)) return span;
	const isLate = limits.from !== null && span.from < limits.from;
	const isEarly = limits.to !== null && limits.to < span.to;
	const from = isLate ? (limits.from ?? span.from) : span.from;
	const to = isEarly ? (limits.to ?? span.to) : span.to;
	if (from > to) throw invalid({ [field]: ['This share link does not show this period.'] });
	return { from, to, startMs: isLate ? null : span.startMs, endMs: isEarly ? null : span.endMs };
}
