/** The rows of the overview: their values, sums and order. */
import { toValues, type Values } from '../answer/shape.ts';
import { addCounts, type MetricName, metricNames, metricOf, noCounts } from '../question/metrics.ts';
import type { SortName } from '../question/parse-question.ts';
import type { CountedSpan, OverviewLine } from './overview-lines.ts';

export type OverviewWebsite = {
	id: number;
	domain: string;
	/** The place among the favorites; null is no favorite. */
	favoritePosition: number | null;
	labels: string[];
	timezone: string;
	privacy: 0 | 1 | 2;
	/** The last date with an event. */
	lastDate: string | null;
};

type Line = OverviewLine & {
	website: OverviewWebsite;
	/** Current visitors. */
	now: number;
	/** Whether the website has the goal that was named. */
	hasGoal: boolean;
};

/** Values of the metrics of the question, and of visitors. */
export type OverviewRow = Line & { values: Values; comparedValues: Values | null };

export function toRow(line: Line, { metrics }: { metrics: readonly MetricName[] }): OverviewRow {
	const valuesOf = ({ counts, lacking }: CountedSpan) =>
		toValues(['visitors', ...metrics], counts, { lacking });
	return {
		...line,
		values: valuesOf(line.own),
		comparedValues: line.compared && valuesOf(line.compared),
	};
}

/**
 * The values of all rows together. Metrics of the goal cover the websites that have it. What is no longer available of a
 * website is left out, and then nothing is compared.
 */
export function sumRows(
	rows: readonly OverviewRow[],
	{ metrics, isCompared }: { metrics: readonly MetricName[]; isCompared: boolean },
): Pick<OverviewRow, 'values' | 'comparedValues'> {
	const sumOf = (name: MetricName, spans: readonly (CountedSpan | null)[]) => {
		const known = spans.flatMap((span) => (span && isKnown(span, name) ? (span.counts ?? []) : []));
		return metricOf(name).value(known.reduce(addCounts, noCounts));
	};
	const all = (['visitors', ...metrics] as const).map((name) => {
		const able = metricOf(name).needsGoal ? rows.filter(({ hasGoal }) => hasGoal) : rows;
		const isEmpty = metricOf(name).needsGoal && able.length === 0;
		// Both sums cover the same websites.
		const areAllCompared = able.every(
			({ own, compared }) => isKnown(own, name) && compared && isKnown(compared, name),
		);
		return {
			name,
			own: isEmpty
				? null
				: sumOf(
						name,
						able.map(({ own }) => own),
					),
			compared:
				isEmpty || !areAllCompared
					? null
					: sumOf(
							name,
							able.map(({ compared }) => compared),
						),
		};
	});
	return {
		values: Object.fromEntries(all.map(({ name, own }) => [name, own])),
		comparedValues: isCompared ? Object.fromEntries(all.map(({ name, compared }) => [name, compared])) : null,
	};
}

const isKnown = ({ counts, lacking }: CountedSpan, name: MetricName): boolean =>
	counts !== null && !metricOf(name).inputs.some((count) => lacking.has(count));

/** Adds sparklines, aligned at their ends. */
export function addUp(lines: readonly (readonly number[])[]): number[] {
	const sum: number[] = Array.from({ length: Math.max(0, ...lines.map(({ length }) => length)) }, () => 0);
	for (const line of lines)
		for (const [index, number] of line.entries()) {
			const position = sum.length - line.length + index;
			sum[position] = (sum[position] ?? 0) + number;
		}
	return sum;
}

/** Relative change of visitors: 0.5 is 50 % more, -1 is none left. Null without a comparison. */
export function changeOf({
	values,
	comparedValues,
}: Pick<OverviewRow, 'values' | 'comparedValues'>): number | null {
	const [visitors, before] = [values.visitors, comparedValues?.visitors];
	if (typeof visitors !== 'number' || typeof before !== 'number' || before === 0) return null;
	return (visitors - before) / before;
}

export type OverviewOrder = {
	by: SortName | 'change' | 'domain' | 'id';
	descending: boolean;
	favoritesFirst: boolean;
};

/** The metric that rows are sorted by, if they are. */
export const sortedMetric = (by: OverviewOrder['by']): MetricName | undefined =>
	metricNames.find((name) => by === name || by === `${name}_change`);

function keyBy(by: OverviewOrder['by']): (row: OverviewRow) => number | string | null {
	if (by === 'id') return ({ website }) => website.id;
	if (by === 'domain') return ({ website }) => website.domain;
	if (by === 'change') return changeOf;
	const name = sortedMetric(by) ?? 'visitors';
	if (by !== name)
		return ({ values, comparedValues }) => {
			const [now, before] = [values[name], comparedValues?.[name]];
			return typeof now === 'number' && typeof before === 'number' ? now - before : null;
		};
	return ({ values, own }) => {
		const value = values[name] ?? null;
		return value === null || !own.counts ? null : metricOf(name).sortKey(own.counts);
	};
}

/** Rows without a value come last in either direction; ties are sorted by id. */
export function sortRows(
	rows: readonly OverviewRow[],
	{ by, descending, favoritesFirst }: OverviewOrder,
): OverviewRow[] {
	const keyOf = keyBy(by);
	const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
	const known = keyed.filter(({ key }) => key !== null);
	known.sort((a, b) => {
		const difference = compare(a.key, b.key);
		return (descending ? -difference : difference) || a.row.website.id - b.row.website.id;
	});
	const sorted = [...known, ...keyed.filter(({ key }) => key === null)].map(({ row }) => row);
	if (!favoritesFirst) return sorted;
	const positionOf = ({ website }: OverviewRow) => website.favoritePosition ?? Number.POSITIVE_INFINITY;
	return sorted
		.map((row, index) => ({ row, index, position: positionOf(row) }))
		.sort((a, b) => (a.position === b.position ? a.index - b.index : a.position - b.position))
		.map(({ row }) => row);
}

/** Domains are ASCII and sorted by bytes. */
function compare(a: string | number | null, b: string | number | null): number {
	if (a === null || b === null || a === b) return 0;
	return a < b ? -1 : 1;
}
