import type { OpenDay } from '../derive/open-days.ts';
import {
	type Count,
	type CountedDimension,
	type CountedGoal,
	type Counting,
	isVisitDimension,
	labelOf,
	totalsOf,
} from '../derive/totals.ts';
import type { VisitColumn } from '../derive/visits.ts';
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import { patternToLike } from './goals.ts';
import { metricOf } from './metrics.ts';
import type { Part, Plan } from './plan.ts';
import type { Breakdown, Question } from './question.ts';
import { selectRuns } from './select-runs.ts';

type CountColumns = Partial<Record<Exclude<Count, 'revenue'>, string>> & { revenue?: Record<string, string> };

/** What a date or a bucket comes to, with the counts that are asked for. 64-bit numbers are texts. */
export type WholeRow = CountColumns & { is_compared: 0 | 1; date: string; bucket: string };

/** What a value of a dimension comes to. */
export type ValueRow = CountColumns & {
	dimension: string;
	value: string;
	is_other: 0 | 1;
	/** In the breakdown, from 1 on, and how many rows it has. */
	place: string;
	total: string;
};

/**
 * An answer is several statements: they read the same generations, so they agree whenever they are run, and run side by
 * side. Large ones are no gain: the engine's analysis of a statement grows faster than its text.
 */
export type Statements = {
	whole: readonly Sql[];
	breakdowns: readonly { of: readonly Breakdown[]; sql: Sql }[];
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
		whole: partsBy(({ name }) => name === '').map(
			(part) => sql`
		SELECT is_compared, date, bucket, ${join(counts.map(word), ', ')}
		FROM (${rowsOf(question, counts, open, part)})`,
		),
		breakdowns: groupBreakdowns(question.breakdowns, parts).flatMap((of) => {
			const labels = new Set(of.map(({ dimension }) => labelOf(dimension)));
			const own = partsBy(
				(dimension) =>
					labels.has(labelOf(dimension)) && (dimension.name !== 'goal' || question.website.goals.length > 0),
			);
			const rows = own.map((part) => rowsOf(question, counts, open, part));
			// Elsewhere a value may have visitors and nothing else.
			const isImported = own.some(({ source }) => source.from === 'imported') && counts.includes('visitors');
			const isSomething = sql`views > 0 OR events > 0 OR visits > 0${isImported ? sql` OR visitors > 0` : sql``}`;
			return rows.length === 0 ? [] : [{ of, sql: rankRows(question, counts, of, { rows, isSomething }) }];
		}),
	};
}

/**
 * Breakdowns that are sorted, searched and paged alike are asked together: all of them where totals answer, else those of
 * visits, those of events, and goals apart.
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

/** Sums rows over dates and sources, and keeps those of the page that is asked for. */
function rankRows(
	question: Question,
	counts: readonly Count[],
	[alike]: readonly Breakdown[],
	{ rows, isSomething }: { rows: readonly Sql[]; isSomething: Sql },
): Sql {
	if (!alike) throw new Error('There is no breakdown to rank.');
	const { sort, offset, limit } = alike;
	const { goals } = question.website;
	// All goals have their rate of the same visits.
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
							: sql`sum(p.${word(name)}) AS ${word(name)}`,
					),
					', ',
				)}
			FROM (${join(rows, ' UNION ALL ')}) AS p
			GROUP BY dimension, value, is_other
			HAVING ${searched(question, alike)} AND (${isSomething})
		)
	)
	-- The first one always comes along: it tells how many there are.
	WHERE place = 1 OR place BETWEEN ${param('UInt64', offset + 1)} AND ${param('UInt64', offset + limit)}`;
}

function searched({ website }: Question, breakdown: Breakdown): Sql {
	if (breakdown.search === null) return sql`true`;
	const wanted = breakdown.search.toLowerCase();
	const ids = website.goals
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.map(({ id }) => String(id));
	return sql`if(dimension = 'goal', has(${param('Array(String)', ids)}, value), positionCaseInsensitiveUTF8(value, ${param('String', breakdown.search)}) > 0)`;
}

/** The rows of one part: what a date, bucket, dimension and value comes to. */
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
					: sql`t.${word(name)}`;
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
	const runs = selectRuns(
		{ filter: question.filter, goal: question.goal, goals: question.website.goals },
		counting,
		(names) => runsFrom(question, source, open, names),
	);
	return sql`
		SELECT ${isOverDates ? sql`` : sql`${compared}, bucket,`} dimension, value, toUInt8(0) AS is_other, ${join(counts.map(word), ', ')}
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

/** Sealed runs, or those of days that are open. */
export function runsFrom(
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
		SELECT website_id, date, visitor_id ${join([sql``, ...columns.map(word)], ', ')}
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
