import type { BreakdownAnswer, Point, StatsAnswer, Values } from '../../stats/answer/shape.ts';
import type { OverviewRow } from '../../stats/overview/overview-rows.ts';
import type { Dimension } from '../../stats/question/dimensions.ts';
import { type MetricName, metricNames, metricOf, type Value } from '../../stats/question/metrics.ts';
import type { RawBreakdown } from '../../stats/question/parse-question.ts';
import type { Question } from '../../stats/question/question.ts';
import { attachment, type Cell, csvType, writeCsv } from './csv.ts';
import type { ApiResponse } from './route.ts';

export type CsvStatsRow = BreakdownAnswer['rows'][number];

export const shownValue = ({ value, isOther }: CsvStatsRow): string => (isOther ? '(other)' : value);

/** The name of a goal; its value in a row is its id. */
export const nameOf = ({ website }: Question, { value }: CsvStatsRow): string | undefined =>
	website.goals.find(({ id }) => String(id) === value)?.name;

export const pick = (values: Values, names: readonly MetricName[]) =>
	Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** Each value minus the compared one; null where one of them is not known. */
export function changesOf({ values, compared }: Pick<CsvStatsRow, 'values' | 'compared'>): Values {
	return Object.fromEntries(
		metricNames.map((name) => [name, differenceOf(values[name] ?? null, compared?.[name] ?? null)]),
	);
}

function differenceOf(now: Value, before: Value): Value {
	if (now === null || before === null) return null;
	// Differences of floats would have more digits than both.
	if (typeof now === 'number' || typeof before === 'number')
		return Number((Number(now) - Number(before)).toFixed(6));
	const currencies = new Set([...Object.keys(now), ...Object.keys(before)]);
	return Object.fromEntries(
		[...currencies].sort().map((currency) => [
			currency,
			// Amounts have four decimals; differences of floats would have more.
			Math.round(((now[currency] ?? 0) - (before[currency] ?? 0)) * 10_000) / 10_000,
		]),
	);
}

export async function csv<Row>(
	name: readonly string[],
	columns: readonly string[],
	rows: readonly Row[],
	cells: (row: Row) => readonly Cell[],
	headers: Record<string, string> = {},
): Promise<ApiResponse> {
	return {
		status: 200,
		text: await writeCsv(columns, rows, cells),
		headers: { 'content-disposition': attachment(...name), ...headers },
		type: csvType,
	};
}

/** One column per metric; for money, one per currency that occurs. */
function metricColumns(names: readonly MetricName[], all: readonly Values[]) {
	return names.flatMap((name): { title: string; cell(values: Values): Cell }[] => {
		if (metricOf(name).unit !== 'money')
			return [{ title: name, cell: (values) => toCell(values[name] ?? null) }];
		const currencies = new Set(all.flatMap((values) => Object.keys(values[name] ?? {})));
		if (currencies.size === 0) return [{ title: name, cell: () => null }];
		return [...currencies].sort().map((currency) => ({
			title: `${name}_${currency}`,
			cell: (values) => toCell(values[name] ?? null, currency),
		}));
	});
}

const toCell = (value: NonNullable<Values[MetricName]> | null, currency = ''): Cell =>
	typeof value === 'number' || value === null ? value : (value[currency] ?? 0);

/** The first row, `total`, has the totals; the comparison is in further columns. */
export function summaryCsv(
	name: readonly string[],
	answer: StatsAnswer,
	metrics: readonly MetricName[],
): Promise<ApiResponse> {
	const points = [{ time: 'total', values: answer.totals }, ...(answer.series ?? [])];
	const beside = answer.compared && [
		{ time: 'total', values: answer.compared.totals },
		...(answer.compared.series ?? []),
	];
	const columns = metricColumns(
		metrics,
		[...points, ...(beside ?? [])].map(({ values }) => values),
	);
	const titles = columns.map(({ title }) => title);
	const cells = (point: { time: string; values: Values } | undefined): Cell[] =>
		point
			? [point.time, ...columns.map(({ cell }) => cell(point.values))]
			: titles.concat('').map(() => null);
	return csv(
		name,
		['time', ...titles, ...(beside ? ['time', ...titles].map((title) => `compared_${title}`) : [])],
		points.map((point, index) => [...cells(point), ...(beside ? cells(beside[index]) : [])]),
		(row) => row,
	);
}

export function breakdownCsv(
	name: readonly string[],
	table: {
		question: Question;
		dimension: Dimension;
		metrics: readonly MetricName[];
		rows: readonly CsvStatsRow[];
		total: number;
	},
): Promise<ApiResponse> {
	const { question, dimension, metrics, rows, total } = table;
	const isCompared = question.breakdowns.some((breakdown) => breakdown.isCompared);
	const columns = metricColumns(
		metrics,
		rows.flatMap(({ values, compared }) => [values, compared ?? {}]),
	);
	const beside = isCompared ? ['compared', 'change'] : [];
	const hasName = dimension.name === 'goal';
	const isCrossed = question.breakdowns.some((breakdown) => breakdown.dimension.by);
	const hasOther = rows.some(({ isOther }) => isOther);
	return csv(
		name,
		[
			'value',
			...(isCrossed ? ['by'] : []),
			...(hasName ? ['name'] : []),
			...columns.map(({ title }) => title),
			...beside.flatMap((what) => columns.map(({ title }) => `${what}_${title}`)),
			...(hasOther ? ['other'] : []),
		],
		rows,
		(row) => [
			shownValue(row),
			...(isCrossed ? [row.by ?? ''] : []),
			...(hasName ? [nameOf(question, row) ?? ''] : []),
			...columns.map(({ cell }) => cell(row.values)),
			...(isCompared
				? [row.compared, changesOf(row)].flatMap((values) =>
						columns.map(({ cell }) => (values ? cell(values) : null)),
					)
				: []),
			...(hasOther ? [row.isOther ? 1 : 0] : []),
		],
		{ 'x-total-count': String(total) },
	);
}

/** A row per website, with the comparison and the change in further columns. */
export function overviewCsv(
	rows: readonly OverviewRow[],
	{ metrics, isCompared }: { metrics: readonly MetricName[]; isCompared: boolean },
): Promise<ApiResponse> {
	const columns = metricColumns(
		metrics,
		rows.flatMap(({ values, comparedValues }) => [values, comparedValues ?? {}]),
	);
	const titles = columns.map(({ title }) => title);
	const beside = isCompared ? ['compared', 'change'] : [];
	return csv(
		['websites'],
		[
			'id',
			'domain',
			'from',
			'to',
			...titles,
			...beside.flatMap((what) => titles.map((title) => `${what}_${title}`)),
		],
		rows,
		({ website, own, values, comparedValues: compared }) => [
			website.id,
			website.domain,
			own.span.from,
			own.span.to,
			...columns.map(({ cell }) => cell(values)),
			...(isCompared
				? [compared, changesOf({ values, compared })].flatMap((each) =>
						columns.map(({ cell }) => (each ? cell(each) : null)),
					)
				: []),
		],
		{ 'x-total-count': String(rows.length) },
	);
}

/** All parts of a response in one table; the first column names the part. */
export function queryCsv(
	name: readonly string[],
	table: {
		question: Question;
		answer: StatsAnswer;
		metrics: readonly MetricName[];
		breakdowns: readonly RawBreakdown[];
	},
): Promise<ApiResponse> {
	const { question, answer, metrics, breakdowns } = table;
	const { compared } = answer;
	type Line = {
		part: string;
		value: string;
		by?: string | undefined;
		name: string;
		values: Values;
		compared?: Values | null;
	};
	const linesOf = (part: string, points: readonly Point[] | null): Line[] =>
		(points ?? []).map(({ time, values }) => ({
			part,
			value: time,
			name: '',
			values: pick(values, metrics),
		}));
	const lines: Line[] = [
		{ part: 'totals', value: '', name: '', values: pick(answer.totals, metrics) },
		...linesOf('series', answer.series),
		...(compared ? [{ part: 'compared', value: '', name: '', values: pick(compared.totals, metrics) }] : []),
		...linesOf('compared_series', compared?.series ?? null),
		...answer.breakdowns.flatMap(({ dimension, by, rows }, index) =>
			rows.map((row) => ({
				part: by === undefined ? dimension : `${dimension} by ${by}`,
				value: shownValue(row),
				by: row.by,
				name: dimension === 'goal' ? (nameOf(question, row) ?? '') : '',
				values: pick(row.values, breakdowns[index]?.metrics ?? metrics),
				...(row.compared !== undefined && {
					compared: row.compared && pick(row.compared, breakdowns[index]?.metrics ?? metrics),
				}),
			})),
		),
	];
	const all = new Set([...metrics, ...breakdowns.flatMap((part) => part.metrics)]);
	const columns = metricColumns(
		[...all],
		lines.flatMap(({ values, compared: before }) => [values, before ?? {}]),
	);
	const titles = columns.map(({ title }) => title);
	const cells = (values: Values | null | undefined): Cell[] =>
		columns.map(({ cell }) => (values ? cell(values) : null));
	const areRowsCompared = question.breakdowns.some(({ isCompared }) => isCompared);
	const beside = areRowsCompared ? ['compared', 'change'] : [];
	const isCrossed = question.breakdowns.some(({ dimension }) => dimension.by);
	return csv(
		name,
		[
			'part',
			'value',
			...(isCrossed ? ['by'] : []),
			'name',
			...titles,
			...beside.flatMap((what) => titles.map((title) => `${what}_${title}`)),
		],
		lines,
		(line) => [
			line.part,
			line.value,
			...(isCrossed ? [line.by ?? ''] : []),
			line.name,
			...cells(line.values),
			...(areRowsCompared
				? [
						...cells(line.compared),
						...cells(line.compared === undefined ? null : changesOf({ ...line, compared: line.compared })),
					]
				: []),
		],
	);
}
