/** Statistics as members of a response. */
import { minVisitorsShown } from '../../stats/answer/public-thresholds.ts';
import type { Point, StatsAnswer, Whole } from '../../stats/answer/shape.ts';
import type { Dimension } from '../../stats/question/dimensions.ts';
import type { MetricName } from '../../stats/question/metrics.ts';
import type { Question } from '../../stats/question/question.ts';
import { type CsvStatsRow, changesOf, nameOf, pick, shownValue } from './stats-csv.ts';

/** Values for fewer visitors than this are null in public statistics. */
export const whyNull = ({ isFew }: { isFew?: true }) => (isFew ? { fewer_than: minVisitorsShown } : {});

export const toTotals = (whole: Whole, names: readonly MetricName[]) => ({
	...pick(whole.totals, names),
	...whyNull(whole),
});

export const toPoints = (series: readonly Point[] | null, names: readonly MetricName[]) =>
	(series ?? []).map((point) => ({
		time: point.time,
		...pick(point.values, names),
		...(point.isUnfinished && { unfinished: true }),
		...whyNull(point),
	}));

export const toCompared = (
	{ compared: span }: Question,
	{ compared }: StatsAnswer,
	names: readonly MetricName[],
) =>
	span &&
	compared && {
		from: span.from,
		to: span.to,
		totals: toTotals(compared, names),
		series: toPoints(compared.series, names),
	};

export const toRows = (
	question: Question,
	dimension: Dimension,
	rows: readonly CsvStatsRow[],
	names: readonly MetricName[],
	countries: ReadonlyMap<string, string>,
) =>
	rows.map((row) => ({
		value: shownValue(row),
		...(row.by !== undefined && { by: row.by }),
		...(dimension.name === 'goal' && { name: nameOf(question, row) }),
		...(dimension.name === 'city' && countries.has(row.value) && { country: countries.get(row.value) }),
		...pick(row.values, names),
		...(row.compared !== undefined && {
			compared: row.compared && pick(row.compared, names),
			change: pick(changesOf(row), names),
		}),
		...(row.isOther && { other: true }),
		...whyNull(row),
	}));
