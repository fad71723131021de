import {
	formatCount,
	formatMoney,
	formatNumber,
	formatRate,
	formatSeconds,
	formatShort,
	noValue,
} from './format.ts';
import type { MetricName } from './view-query.ts';

type Unit = 'count' | 'rate' | 'seconds' | 'percent' | 'number' | 'money';
export type Value = number | Readonly<Record<string, number>> | null | undefined;

/** The unit of each metric, and whether more is better. Names and descriptions are in the texts. */
const metrics: Record<MetricName, { unit: Unit; isMoreBetter: boolean }> = {
	visitors: { unit: 'count', isMoreBetter: true },
	visits: { unit: 'count', isMoreBetter: true },
	pageviews: { unit: 'count', isMoreBetter: true },
	views_per_visit: { unit: 'number', isMoreBetter: true },
	bounce_rate: { unit: 'rate', isMoreBetter: false },
	visit_duration: { unit: 'seconds', isMoreBetter: true },
	engaged_time: { unit: 'seconds', isMoreBetter: true },
	scroll_depth: { unit: 'percent', isMoreBetter: true },
	events: { unit: 'count', isMoreBetter: true },
	conversions: { unit: 'count', isMoreBetter: true },
	unique_conversions: { unit: 'count', isMoreBetter: true },
	conversion_rate: { unit: 'rate', isMoreBetter: true },
	revenue: { unit: 'money', isMoreBetter: true },
};

export function formatMetric(name: MetricName, value: Value, language: string): string {
	if (value === null || value === undefined) return noValue;
	if (typeof value === 'object') return formatMoney(value, language);
	switch (metrics[name].unit) {
		case 'count':
			return formatCount(value, language);
		case 'rate':
			return formatRate(value, language);
		case 'seconds':
			return formatSeconds(value, language);
		case 'percent':
			return formatRate(value / 100, language);
		case 'number':
		case 'money':
			return formatNumber(value, language);
	}
}

export const isCount = (name: MetricName): boolean => metrics[name].unit === 'count';

/** An average or a share, and not a sum. */
export const isRatio = (name: MetricName): boolean =>
	metrics[name].unit !== 'count' && metrics[name].unit !== 'money';

/** Counts of which each row has a share. */
export const hasShare = (name: MetricName): name is 'visitors' | 'visits' | 'pageviews' =>
	name === 'visitors' || name === 'visits' || name === 'pageviews';

/** Short form for an axis. */
export function formatAxis(name: MetricName, value: number, language: string): string {
	switch (metrics[name].unit) {
		case 'count':
		case 'money':
			return formatShort(value, language);
		default:
			return formatMetric(name, value, language);
	}
}

/** The change of a number compared with the previous period. */
export type Change = {
	direction: 'up' | 'down' | 'same';
	/** Undefined without a change. */
	isGood: boolean | undefined;
	/** Without a sign; rates change by percentage points, times by time, counts by a percentage. */
	by: { kind: 'share' | 'points' | 'seconds' | 'number'; text: string };
};

/** Undefined when one of them has no value, or a count was 0. */
export function changeOf(name: MetricName, now: Value, then: Value, language: string): Change | undefined {
	if (typeof now !== 'number' || typeof then !== 'number') return undefined;
	const { unit, isMoreBetter } = metrics[name];
	const by = differenceOf(unit, now - then, then, language);
	if (!by) return undefined;
	// A change that is displayed as 0 is no change: 0.04 points are neither good nor bad.
	if (!/[1-9]/.test(by.text)) return { direction: 'same', isGood: undefined, by };
	const isUp = now > then;
	return { direction: isUp ? 'up' : 'down', isGood: isUp === isMoreBetter, by };
}

/** The changes of a metric with the values before: one, or one for each currency with a change. */
export function changesOf(
	name: MetricName,
	now: Value,
	then: Value,
	language: string,
): { change: Change; before: string }[] {
	const isMoney = typeof now === 'object' && now !== null && typeof then === 'object' && then !== null;
	const pairs: [Value, Value, Value][] = isMoney
		? Object.entries(then)
				.toSorted(([, a], [, b]) => b - a)
				.map(([currency, amount]) => [now[currency] ?? 0, amount, { [currency]: amount }])
		: [[now, then, then]];
	return pairs.flatMap(([value, before, shown]) => {
		const change = changeOf(name, value, before, language);
		return change ? [{ change, before: formatMetric(name, shown, language) }] : [];
	});
}

function differenceOf(
	unit: Unit,
	difference: number,
	then: number,
	language: string,
): Change['by'] | undefined {
	const size = Math.abs(difference);
	switch (unit) {
		case 'rate':
			return { kind: 'points', text: formatNumber(size * 100, language, size < 0.0995 ? 1 : 0) };
		case 'seconds':
			return { kind: 'seconds', text: formatSeconds(size, language) };
		case 'number':
			return { kind: 'number', text: formatNumber(size, language) };
		case 'percent':
			return { kind: 'points', text: formatNumber(size, language, 0) };
		case 'count':
		case 'money':
			return then === 0 ? undefined : { kind: 'share', text: formatRate(size / then, language) };
	}
}

/** Round steps for a time axis. */
const niceSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400];

/** The ticks of an axis from 0 to at least `most`: at round numbers, about four, or as many as another axis has. */
export function axisOf(name: MetricName, most: number, as?: readonly number[]): number[] {
	const step = stepOf(metrics[name].unit, Math.max(most, 0) / (as ? as.length - 1 : 4));
	const count = as ? as.length - 1 : Math.max(1, Math.ceil(most / step - 1e-9));
	return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function stepOf(unit: Unit, least: number): number {
	if (unit === 'seconds') return niceSeconds.find((step) => step >= least) ?? 86_400;
	if (least <= 0) return unit === 'rate' ? 0.25 : 1;
	const size = 10 ** Math.floor(Math.log10(least));
	const step =
		[1, 2, 2.5, 5, 10].map((factor) => factor * size).find((candidate) => candidate >= least) ?? 10 * size;
	return unit === 'count' ? Math.max(1, Math.ceil(step)) : step;
}
