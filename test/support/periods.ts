import { type RequestedPeriod, resolvePeriod } from '../../server/stats/question/periods.ts';
import type { Bucket, Comparison, PeriodName, Span } from '../../server/stats/question/question.ts';
import { toZones, type Zones } from '../../server/websites/zones.ts';

export const minuteMs = 60_000;
export const quarterMs = 15 * minuteMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const inZone = (zone: string): Zones => toZones([{ from: '0001-01-01', zone }]);
export type Shifted = Exclude<Comparison, { kind: 'custom' }>;
export const previous: Shifted = { kind: 'previous', matchWeekdays: false };
export const yearBefore: Shifted = { kind: 'year', matchWeekdays: false };
export const customComparison = (from: string, to: string): Comparison => ({ kind: 'custom', from, to });
export const asWeekdays = (kind: 'previous' | 'year'): Shifted => ({ kind, matchWeekdays: true });

/** What a clock on the wall shows, without our own code: `2026-11-15 14:30`. */
export function wallClock(zone: string): (ms: number) => string {
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
export function instant(zone: string, shown: string): number {
	const wall = wallClock(zone);
	const near = Date.parse(`${shown.replace(' ', 'T')}:00Z`);
	for (let ms = near - 15 * hourMs; ms <= near + 15 * hourMs; ms += minuteMs)
		if (wall(ms) === shown) return ms;
	throw new Error(`${zone} never shows ${shown}.`);
}

export function ask(
	zone: string,
	now: string | number,
	requested: Partial<RequestedPeriod> & { period: PeriodName },
	firstDate?: string,
) {
	return resolvePeriod(
		{
			zones: inZone(zone),
			firstDate: firstDate ?? null,
			now: typeof now === 'number' ? now : instant(zone, now),
		},
		{ compare: null, ...requested },
	);
}

export const custom = (from: string, to: string, more: Partial<RequestedPeriod> = {}) =>
	({ period: 'custom', from, to, ...more }) as const;
export const times = (buckets: readonly Bucket[] | null) => buckets?.map(({ time }) => time);
export const lengthMs = ({ startMs, endMs }: Bucket) => Number(endMs) - Number(startMs);
export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
export const minutesIn = (buckets: readonly Bucket[]) => sum(buckets.map(lengthMs)) / minuteMs;

/** `2026-10-01/2026-10-15 14:30`: dates, and where it is cut. */
export function written(zone: string, span: Span | null): string {
	if (!span) return 'none';
	const wall = wallClock(zone);
	const cut = (date: string, ms: number | null) => (ms === null ? date : `${date} ${wall(ms).slice(11)}`);
	return `${cut(span.from, span.startMs)}/${cut(span.to, span.endMs)}`;
}
