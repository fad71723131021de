/** The SELECT that sums and ranks the rows of breakdowns with many values; rank.ts does the same for the others. */
import type { Count } from '../../derive/counts.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import { isFoundIn } from '../question/ignore-case.ts';
import { metricOf } from '../question/metrics.ts';
import type { Breakdown, Question } from '../question/question.ts';
import { passes } from './filter-tests.ts';
import type { Part, Plan } from './plan.ts';

/** Counts of which one is above 0 in a row that is shown. An imported value may have visitors and nothing else. */
export function countsOfShown({
	parts,
	counts,
}: Pick<Plan, 'parts' | 'counts'>): ('views' | 'events' | 'visits' | 'visitors')[] {
	const isImported = parts.some(({ source }) => source.from === 'imported');
	return [
		'views',
		'events',
		'visits',
		...(isImported && counts.includes('visitors') ? (['visitors'] as const) : []),
	];
}

export const sumsOf = (counts: readonly Count[], countOf: (name: Count) => Sql): Sql =>
	join(
		counts.map((name) =>
			name === 'revenue'
				? sql`sumMap(${countOf(name)}) AS revenue`
				: sql`sum(${countOf(name)}) AS ${identifier(name)}`,
		),
		', ',
	);

/** Sums rows over dates and sources, and keeps those of the requested page. */
export function rankRows(
	question: Question,
	breakdown: Breakdown,
	{ counts, parts, rowsOf }: { counts: readonly Count[]; parts: readonly Part[]; rowsOf(part: Part): Sql },
): Sql {
	const { sort, offset, limit, isCompared = false } = breakdown;
	const rows = parts.map((part) =>
		isCompared
			? sql`SELECT *, ${param('UInt8', Number(part.isCompared))} AS is_compared FROM (${rowsOf(part)})`
			: rowsOf(part),
	);
	const isFilled = (column: (name: Count) => Sql) =>
		join(
			countsOfShown({ parts, counts }).map((name) => sql`${column(name)} > 0`),
			' OR ',
		);
	const isSomething = isCompared
		? sql`${isFilled(identifier)} OR ${isFilled(comparedColumn)}`
		: isFilled(identifier);
	const { goals } = question.website;
	// The rates of all goals are relative to the same visits.
	const ownMetric =
		sort.by === 'conversion_rate'
			? sql`if(dimension = 'goal', toFloat64(conversions), ${metricOf(sort.by).order})`
			: metricOf(sort.by).order;
	const metric = sort.isByChange ? changeOf(metricOf(sort.by).inputs[0] ?? 'visitors') : ownMetric;
	const isGone = isCompared && !sort.isByChange ? sql`NOT (${isFilled(identifier)}),` : sql``;
	const order = sql`is_other, ${isGone} ${metric} ${sort.descending ? sql`DESC` : sql`ASC`}, value`;
	const revisions = param(
		'Array(String)',
		goals.map(({ revision }) => String(revision)),
	);
	const ids = param(
		'Array(String)',
		goals.map(({ id }) => String(id)),
	);
	return sql`
	SELECT *
	FROM (
		SELECT
			*,
			row_number() OVER (PARTITION BY dimension ORDER BY ${order}) AS place,
			count() OVER (PARTITION BY dimension) AS total
		FROM (
			SELECT
				dimension,
				${goals.length === 0 ? sql`p.value` : sql`if(dimension = 'goal', transform(p.value, ${revisions}, ${ids}, ''), p.value)`} AS value,
				is_other,
				${isCompared ? comparedSums(counts) : sumsOf(counts, (name) => sql`p.${identifier(name)}`)}
			FROM (${join(rows, ' UNION ALL ')}) AS p
			GROUP BY dimension, value, is_other
			HAVING ${isSearched(question, breakdown)} AND (${isSomething})
		)
	)
	-- The first one always comes along: it tells how many there are.
	WHERE place = 1 OR place BETWEEN ${param('UInt64', offset + 1)} AND ${param('UInt64', offset + limit)}`;
}

const comparedColumn = (name: Count): Sql => identifier(`compared_${name}`);

/** Each count of the period, and that of its comparison. */
const comparedSums = (counts: readonly Count[]): Sql =>
	join(
		counts.flatMap((name) => {
			const sum = name === 'revenue' ? sql`sumMapIf` : sql`sumIf`;
			return [
				sql`${sum}(p.${identifier(name)}, is_compared = 0) AS ${identifier(name)}`,
				sql`${sum}(p.${identifier(name)}, is_compared = 1) AS ${comparedColumn(name)}`,
			];
		}),
		', ',
	);

const changeOf = (name: Count): Sql =>
	name === 'revenue'
		? sql`arrayMax(mapValues(revenue)) - arrayMax(mapValues(compared_revenue))`
		: sql`toInt64(${identifier(name)}) - toInt64(${comparedColumn(name)})`;

function isSearched({ website }: Question, breakdown: Breakdown): Sql {
	if (breakdown.search === null) return sql`true`;
	const { search } = breakdown;
	const ids = website.goals.filter(({ name }) => isFoundIn(name, search)).map(({ id }) => String(id));
	const isFound = passes(sql`value`, { test: 'contains', values: [search], ignoresCase: true });
	return sql`if(dimension = 'goal', has(${param('Array(String)', ids)}, value), ${isFound})`;
}
