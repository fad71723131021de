import { type Count, type CountedDimension, isVisitDimension, labelOf } from '../../derive/counts.ts';
import type { OpenDay } from '../../derive/open-days.ts';
import { type CountedGoal, type Counting, totalsOf } from '../../derive/totals.ts';
import type { VisitColumn } from '../../derive/visits.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import { patternToLike } from '../question/goals.ts';
import { metricOf } from '../question/metrics.ts';
import type { Breakdown, Question } from '../question/question.ts';
import type { Part, Plan } from './plan.ts';
import { selectVisits } from './visit-filter.ts';

type CountColumns = Partial<Record<Exclude<Count, 'revenue'>, string>> & { revenue?: Record<string, string> };

/** The requested counts of a date or bucket. 64-bit numbers are strings. */
export type WholeRow = CountColumns & { is_compared: 0 | 1; date: string; bucket: string };

/** The requested counts of a value of a dimension. */
export type ValueRow = CountColumns & {
	dimension: string;
	value: string;
	is_other: 0 | 1;
	/** The rank in the breakdown, from 1, and its number of rows. */
	place: string;
	total: string;
};

/**
 * An answer takes several statements. They read the same generations, so they agree whenever they run, and run concurrently.
 * Fewer, larger statements are no gain: the time to analyze a statement grows faster than its length.
 */
export type Statements = {
	totals: readonly Sql[];
	breakdowns: readonly { breakdowns: readonly Breakdown[]; sql: Sql }[];
};

export function build(
	question: Question,
	{ parts, counts }: Plan,
	open: ReadonlyMap<string, OpenDay>,
): Statements {
	const partsBy = (isWanted: (dimension: CountedDimension) => boolean): Part[] =>
		parts.flatMap((part) => {
			const dimensions = part.dimensions.filter(isWanted);
			return dimensions.length === 0 ? [] : [{ ...part, dimensions }];
		});
	return {
		totals: partsBy(({ name }) => name === '').map(
			(part) => sql`
		SELECT is_compared, date, bucket, ${join(counts.map(identifier), ', ')}
		FROM (${rowsOf(question, counts, open, part)})`,
		),
		breakdowns: groupBreakdowns(question.breakdowns, parts).flatMap((group) => {
			const labels = new Set(group.map(({ dimension }) => labelOf(dimension)));
			const own = partsBy(
				(dimension) =>
					labels.has(labelOf(dimension)) && (dimension.name !== 'goal' || question.website.goals.length > 0),
			);
			const rows = own.map((part) => rowsOf(question, counts, open, part));
			// An imported value may have visitors and nothing else.
			const isImported = own.some(({ source }) => source.from === 'imported') && counts.includes('visitors');
			const isSomething = sql`views > 0 OR events > 0 OR visits > 0${isImported ? sql` OR visitors > 0` : sql``}`;
			return rows.length === 0
				? []
				: [{ breakdowns: group, sql: rankRows(question, counts, group, { rows, isSomething }) }];
		}),
	};
}

/**
 * Breakdowns with the same sorting, search and page share a statement: all of them if totals answer, else separately by visit
 * dimensions, event dimensions and goals.
 */
function groupBreakdowns(breakdowns: readonly Breakdown[], parts: readonly Part[]): Breakdown[][] {
	const areStored = parts.every(({ source }) => source.from === 'totals' || source.from === 'imported');
	const kindOf = ({ dimension: { name } }: Breakdown) =>
		areStored ? '' : name === 'goal' ? name : isVisitDimension(name) ? 'visit' : 'event';
	const groups = Map.groupBy(breakdowns, (breakdown) => {
		const { sort, search, offset, limit } = breakdown;
		return JSON.stringify([sort, search, offset, limit, kindOf(breakdown)]);
	});
	return [...groups.values()];
}

/** Sums rows over dates and sources, and keeps those of the requested page. */
function rankRows(
	question: Question,
	counts: readonly Count[],
	[first]: readonly Breakdown[],
	{ rows, isSomething }: { rows: readonly Sql[]; isSomething: Sql },
): Sql {
	if (!first) throw new Error('There is no breakdown to rank.');
	const { sort, offset, limit } = first;
	const { goals } = question.website;
	// The rates of all goals are relative to the same visits.
	const metric =
		sort.by === 'conversion_rate'
			? sql`if(dimension = 'goal', toFloat64(conversions), ${metricOf(sort.by).order})`
			: metricOf(sort.by).order;
	const order = sql`is_other, ${metric} ${sort.descending ? sql`DESC` : sql`ASC`}, value`;
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
				${join(
					counts.map((name) =>
						name === 'revenue'
							? sql`sumMap(p.revenue) AS revenue`
							: sql`sum(p.${identifier(name)}) AS ${identifier(name)}`,
					),
					', ',
				)}
			FROM (${join(rows, ' UNION ALL ')}) AS p
			GROUP BY dimension, value, is_other
			HAVING ${isSearched(question, first)} AND (${isSomething})
		)
	)
	-- The first one always comes along: it tells how many there are.
	WHERE place = 1 OR place BETWEEN ${param('UInt64', offset + 1)} AND ${param('UInt64', offset + limit)}`;
}

function isSearched({ website }: Question, breakdown: Breakdown): Sql {
	if (breakdown.search === null) return sql`true`;
	const wanted = breakdown.search.toLowerCase();
	const ids = website.goals
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.map(({ id }) => String(id));
	return sql`if(dimension = 'goal', has(${param('Array(String)', ids)}, value), positionCaseInsensitiveUTF8(value, ${param('String', breakdown.search)}) > 0)`;
}

/** The rows of one part: counts by date, bucket, dimension and value. */
function rowsOf(
	question: Question,
	counts: readonly Count[],
	open: ReadonlyMap<string, OpenDay>,
	part: Part,
): Sql {
	const { source, isCompared } = part;
	const isOverDates = part.dimensions.every(({ name }) => name !== '');
	const compared = sql`toUInt8(${param('UInt8', isCompared ? 1 : 0)}) AS is_compared, date`;
	if (source.from === 'totals' || source.from === 'imported') {
		const isImported = source.from === 'imported';
		const stored = join(
			counts.map((name) => {
				if (name === 'conversions') return sql`if(dimension = 'goal', t.visits, 0) AS conversions`;
				return name === 'revenue'
					? sql`CAST(t.revenue, 'Map(LowCardinality(String), Decimal(38, 4))') AS revenue`
					: sql`t.${identifier(name)}`;
			}),
			', ',
		);
		const revisions = question.website.goals.map(({ revision }) => String(revision));
		return sql`
		SELECT ${isOverDates ? sql`` : sql`${compared}, toInt64(0) AS bucket,`} toString(dimension) AS dimension, value, is_other, ${stored}
		FROM ${isImported ? sql`totals_imported` : sql`totals`} AS t
		WHERE website_id = ${param('UInt32', question.website.id)}
			AND dimension IN ${param('Array(String)', part.dimensions.map(labelOf))}
			AND ${isOfSeals(source.days, isImported ? sql`import_id` : sql`generation`)}
			AND (dimension != 'goal' OR has(${param('Array(String)', revisions)}, value))`;
	}
	const counting: Counting = {
		dimensions: part.dimensions,
		counts,
		goals: countedGoals(question),
		timing: part.timing,
		isOverDates,
	};
	const visits = selectVisits(
		{ filter: question.filter, goal: question.goal, goals: question.website.goals },
		counting,
		(names) => visitsFrom(question, source, open, names),
	);
	return sql`
		SELECT ${isOverDates ? sql`` : sql`${compared}, bucket,`} dimension, value, toUInt8(0) AS is_other, ${join(counts.map(identifier), ', ')}
		FROM (${totalsOf(counting, visits)})`;
}

const countedGoals = ({ website }: Question): CountedGoal[] =>
	website.goals.map(({ revision, kind, pattern, property }) => ({
		websiteId: website.id,
		revision,
		kind,
		pattern: patternToLike(pattern),
		property,
	}));

/** Visits of sealed days, or of open days. */
export function visitsFrom(
	{ website }: Question,
	source: Part['source'],
	open: ReadonlyMap<string, OpenDay>,
	columns: readonly VisitColumn[],
): Sql {
	const days =
		source.from === 'events'
			? source.dates.map((date) => ({ date, generation: open.get(date)?.generation ?? 0n }))
			: source.days;
	return sql`
		SELECT website_id, date, visitor_id ${join([sql``, ...columns.map(identifier)], ', ')}
		FROM ${source.from === 'events' ? sql`open_visits` : sql`visits`}
		WHERE website_id = ${param('UInt32', website.id)} AND ${isOfSeals(days)}`;
}

function isOfSeals(
	days: readonly { date: string; generation: number | bigint }[],
	generation = sql`generation`,
): Sql {
	const dates = days.map(({ date }) => date);
	return sql`date BETWEEN ${param('Date', dates[0])} AND ${param('Date', dates.at(-1))}
			AND (date, ${generation}) IN arrayZip(${param('Array(Date)', dates)}, ${param(
				'Array(UInt64)',
				days.map(({ generation }) => BigInt(generation)),
			)})`;
}
