import { type Count, type CountedGoal, type Counting, labelOf, totalsOf } from '../derive/totals.ts';
import { type Offsets, runsOf, type VisitColumn } from '../derive/visits.ts';
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import { patternToLike } from './goals.ts';
import { metricOf } from './metrics.ts';
import type { Part, Plan } from './plan.ts';
import type { Breakdown, Question } from './question.ts';
import { selectRuns } from './select-runs.ts';

/** Rows of a statement, with the counts that are asked for: of the whole by date and bucket (dimension ''), of breakdowns by value. 64-bit numbers are texts. */
export type AnswerRow = Partial<Record<Exclude<Count, 'revenue'>, string>> & {
	is_compared: 0 | 1;
	/** 1970-01-01 in the rows of breakdowns, which are over all dates. */
	day: string;
	bucket: string;
	dimension: string;
	value: string;
	is_other: 0 | 1;
	revenue?: Record<string, string>;
	/** The place in the breakdown, from 1 on, and how many rows it has; 0 in the rows of the whole. */
	place: string;
	total: string;
};

/** Breakdowns that are sorted, searched and paged alike are asked together; there is always a first group. */
export function groupBreakdowns(breakdowns: readonly Breakdown[]): Breakdown[][] {
	if (breakdowns.length === 0) return [[]];
	const groups = new Map<string, Breakdown[]>();
	for (const breakdown of breakdowns) {
		const { sort, search, offset, limit } = breakdown;
		const key = JSON.stringify([sort, search, offset, limit]);
		groups.set(key, [...(groups.get(key) ?? []), breakdown]);
	}
	return [...groups.values()];
}

/** The statement for the whole and one group of breakdowns; all of an ordinary question. Undefined when nothing was counted. */
export function build(
	question: Question,
	{ parts, counts }: Plan,
	offsets: Offsets,
	{ whole, breakdowns }: { whole: boolean; breakdowns: readonly Breakdown[] },
): Sql | undefined {
	const labels = new Set<string>([
		...(whole ? [''] : []),
		...breakdowns.map(({ dimension }) => labelOf(dimension)),
	]);
	const selects = parts.flatMap((part) => {
		const dimensions = part.dimensions.filter(
			(dimension) =>
				labels.has(labelOf(dimension)) && (dimension.name !== 'goal' || question.website.goals.length > 0),
		);
		return dimensions.length === 0 ? [] : [rowsOf(question, counts, offsets, { ...part, dimensions })];
	});
	if (selects.length === 0) return undefined;
	const goals = question.website.goals;
	const [alike] = breakdowns;
	const grouped = sql`
	SELECT
		is_compared, if(dimension = '', date, toDate(0)) AS day, bucket, dimension,
		${
			labels.has('goal')
				? sql`if(dimension = 'goal', transform(p.value, ${param(
						'Array(String)',
						goals.map(({ revision }) => String(revision)),
					)}, ${param(
						'Array(String)',
						goals.map(({ id }) => String(id)),
					)}, ''), p.value)`
				: sql`p.value`
		} AS value,
		is_other, ${join(
			counts.map((name) =>
				name === 'revenue' ? sql`sumMap(p.revenue) AS revenue` : sql`sum(p.${word(name)}) AS ${word(name)}`,
			),
			', ',
		)}
	FROM (${join(selects, ' UNION ALL ')}) AS p
	GROUP BY is_compared, day, bucket, dimension, value, is_other
	HAVING dimension = '' OR (${searched(question, alike)} AND (views > 0 OR events > 0 OR visits > 0))`;
	if (!alike) return sql`SELECT *, 0 AS place, 0 AS total FROM (${grouped})`;
	const { sort, offset, limit } = alike;
	// All goals have their rate of the same visits.
	const metric =
		sort.by === 'conversion_rate'
			? sql`if(dimension = 'goal', toFloat64(conversions), ${metricOf(sort.by).order})`
			: metricOf(sort.by).order;
	const order = sql`is_other, ${metric} ${sort.descending ? sql`DESC` : sql`ASC`}, value`;
	return sql`
	SELECT *
	FROM (
		SELECT
			*,
			if(dimension = '', 0, row_number() OVER (PARTITION BY dimension ORDER BY ${order})) AS place,
			if(dimension = '', 0, count() OVER (PARTITION BY dimension)) AS total
		FROM (${grouped})
	)
	-- The first one always comes along: it tells how many there are.
	WHERE place <= 1 OR place BETWEEN ${param('UInt64', offset + 1)} AND ${param('UInt64', offset + limit)}`;
}

function searched({ website }: Question, breakdown: Breakdown | undefined): Sql {
	if (!breakdown || breakdown.search === null) return sql`true`;
	const wanted = breakdown.search.toLowerCase();
	const ids = website.goals
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.map(({ id }) => String(id));
	return sql`if(dimension = 'goal', has(${param('Array(String)', ids)}, value), positionCaseInsensitiveUTF8(value, ${param('String', breakdown.search)}) > 0)`;
}

/** The rows of one part, in the columns of `AnswerRow` but for what is found out over all of them. */
function rowsOf(question: Question, counts: readonly Count[], offsets: Offsets, part: Part): Sql {
	const { source, isCompared } = part;
	const compared = sql`toUInt8(${param('UInt8', isCompared ? 1 : 0)}) AS is_compared`;
	if (source.from === 'totals') {
		const stored = join(
			counts.map((name) => {
				if (name === 'conversions') return sql`if(dimension = 'goal', t.visits, 0) AS conversions`;
				return name === 'revenue'
					? sql`CAST(t.revenue, 'Map(LowCardinality(String), Decimal(38, 4))') AS revenue`
					: sql`t.${word(name)}`;
			}),
			', ',
		);
		const revisions = question.website.goals.map(({ revision }) => String(revision));
		return sql`
		SELECT ${compared}, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, ${stored}
		FROM totals AS t
		WHERE website_id = ${param('UInt32', question.website.id)}
			AND dimension IN ${param('Array(String)', part.dimensions.map(labelOf))}
			AND ${isOfSeals(source.days)}
			AND (dimension != 'goal' OR has(${param('Array(String)', revisions)}, value))`;
	}
	const counting: Counting = {
		dimensions: part.dimensions,
		counts,
		goals: countedGoals(question),
		timing: part.timing,
	};
	const runs = selectRuns(
		{ filter: question.filter, goal: question.goal, goals: question.website.goals },
		counting,
		(names) => runsFrom(question, source, offsets, names),
	);
	return sql`
		SELECT ${compared}, date, bucket, dimension, value, toUInt8(0) AS is_other, ${join(counts.map(word), ', ')}
		FROM (${totalsOf(counting, runs)})`;
}

const countedGoals = ({ website }: Question): CountedGoal[] =>
	website.goals.map(({ revision, kind, pattern, property }) => ({
		websiteId: website.id,
		revision,
		kind,
		pattern: patternToLike(pattern),
		property,
	}));

/** Sealed runs, or those of events that are in no seal yet. */
function runsFrom(
	{ website }: Question,
	source: Exclude<Part['source'], { from: 'totals' }>,
	offsets: Offsets,
	columns: readonly VisitColumn[],
): Sql {
	if (source.from === 'visits') {
		return sql`
		SELECT website_id, date, visitor_id ${join([sql``, ...columns.map(word)], ', ')}
		FROM visits
		WHERE website_id = ${param('UInt32', website.id)} AND ${isOfSeals(source.days)}`;
	}
	const { dates } = source;
	return runsOf({
		websiteIds: [website.id],
		from: dates[0] ?? '',
		to: dates.at(-1) ?? '',
		dates,
		columns,
		sinceMs: website.resetAt,
		offsets,
	});
}

function isOfSeals(days: readonly { date: string; generation: number }[]): Sql {
	const dates = days.map(({ date }) => date);
	return sql`date BETWEEN ${param('Date', dates[0])} AND ${param('Date', dates.at(-1))}
			AND (date, generation) IN arrayZip(${param('Array(Date)', dates)}, ${param(
				'Array(UInt64)',
				days.map(({ generation }) => BigInt(generation)),
			)})`;
}
