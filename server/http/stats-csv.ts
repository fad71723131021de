/** Answers as tables. */
import type { Dimension } from '../stats/dimensions.ts';
import { type MetricName, metricOf } from '../stats/metrics.ts';
import type { Question } from '../stats/question.ts';
import type { BreakdownAnswer, Answer as Found, Point, Values } from '../stats/shape.ts';
import type { SentBreakdown } from '../stats/to-question.ts';
import type { Answer } from './call.ts';
import { attachment, type Cell, csvType, writeCsv } from './csv.ts';

export type Row = BreakdownAnswer['rows'][number];

export const shownValue = ({ value, isOther }: Row): string => (isOther ? '(other)' : value);

/** Of a goal, whose value is its id. */
export const nameOf = ({ website }: Question, { value }: Row): string | undefined =>
	website.goals.find(({ id }) => String(id) === value)?.name;

export const pick = (values: Values, names: readonly MetricName[]) =>
	Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

export async function csv<Of>(
	name: readonly string[],
	columns: readonly string[],
	rows: readonly Of[],
	cells: (row: Of) => readonly Cell[],
	headers: Record<string, string> = {},
): Promise<Answer> {
	return {
		status: 200,
		text: await writeCsv(columns, rows, cells),
		headers: { 'content-disposition': attachment(...name), ...headers },
		type: csvType,
	};
}

/** A column for each metric; for money one for each currency that there is. */
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

/** The whole comes first, as `total`; what is compared stands beside it. */
export function summaryCsv(
	name: readonly string[],
	found: Found,
	metrics: readonly MetricName[],
): Promise<Answer> {
	const points = [{ time: 'total', values: found.totals }, ...(found.series ?? [])];
	const beside = found.compared && [
		{ time: 'total', values: found.compared.totals },
		...(found.compared.series ?? []),
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
	of: {
		question: Question;
		dimension: Dimension;
		metrics: readonly MetricName[];
		rows: readonly Row[];
		total: number;
	},
): Promise<Answer> {
	const { question, dimension, metrics, rows, total } = of;
	const columns = metricColumns(
		metrics,
		rows.map(({ values }) => values),
	);
	const hasName = dimension.name === 'goal';
	const hasOther = rows.some(({ isOther }) => isOther);
	return csv(
		name,
		[
			'value',
			...(hasName ? ['name'] : []),
			...columns.map(({ title }) => title),
			...(hasOther ? ['other'] : []),
		],
		rows,
		(row) => [
			shownValue(row),
			...(hasName ? [nameOf(question, row) ?? ''] : []),
			...columns.map(({ cell }) => cell(row.values)),
			...(hasOther ? [row.isOther ? 1 : 0] : []),
		],
		{ 'x-total-count': String(total) },
	);
}

/** All tables of a page in one: which part a row is of stands before it. */
export function pageCsv(
	name: readonly string[],
	of: {
		question: Question;
		found: Found;
		metrics: readonly MetricName[];
		breakdowns: readonly SentBreakdown[];
	},
): Promise<Answer> {
	const { question, found, metrics, breakdowns } = of;
	const { compared } = found;
	type Line = { part: string; value: string; name: string; values: Values };
	const linesOf = (part: string, points: readonly Point[] | null): Line[] =>
		(points ?? []).map(({ time, values }) => ({
			part,
			value: time,
			name: '',
			values: pick(values, metrics),
		}));
	const lines: Line[] = [
		{ part: 'totals', value: '', name: '', values: pick(found.totals, metrics) },
		...linesOf('series', found.series),
		...(compared ? [{ part: 'compared', value: '', name: '', values: pick(compared.totals, metrics) }] : []),
		...linesOf('compared_series', compared?.series ?? null),
		...found.breakdowns.flatMap(({ dimension, rows }, index) =>
			rows.map((row) => ({
				part: dimension,
				value: shownValue(row),
				name: dimension === 'goal' ? (nameOf(question, row) ?? '') : '',
				values: pick(row.values, breakdowns[index]?.metrics ?? metrics),
			})),
		),
	];
	const all = new Set([...metrics, ...breakdowns.flatMap((part) => part.metrics)]);
	const columns = metricColumns(
		[...all],
		lines.map(({ values }) => values),
	);
	return csv(name, ['part', 'value', 'name', ...columns.map(({ title }) => title)], lines, (line) => [
		line.part,
		line.value,
		line.name,
		...columns.map(({ cell }) => cell(line.values)),
	]);
}
