import {
	type Count,
	type CountedColumn,
	type CountedDimension,
	isGoalCount,
	isOfVisits,
	labelOf,
	zeroOf,
} from '../../derive/counts.ts';
import { isVisibleTotal, type TotalsTable } from '../../derive/hidden-events.ts';
import type { OpenDay } from '../../derive/open-days.ts';
import { type CountedGoal, type Counting, totalsOf } from '../../derive/totals.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import { pageGroupsOf } from '../page-groups/rules.ts';
import { toCountedGoal } from '../question/goals.ts';
import type { Breakdown, Filter, Question } from '../question/question.ts';
import type { Part, Plan } from './plan.ts';
import { rankRows, sumsOf } from './rank-rows.ts';
import { hasPages, onlyPageOf, revenueFilterOf, type Selection, selectVisits } from './visit-filter.ts';

/** The requested counts. 64-bit numbers are strings. */
export type CountColumns = Partial<Record<Exclude<Count, 'revenue'>, string>> & {
	revenue?: Record<string, string>;
};

type ValueColumns = CountColumns & { dimension: string; value: string; is_other: 0 | 1 };

/** The counts of everything by day and bucket (the dimension ''), or of a value of a dimension over all days. */
export type CountRow = ValueColumns & { day: string; bucket: string };

/** The counts of a value with its rank in the breakdown, from 1, and the number of rows of the breakdown. */
export type RankedCountRow = ValueColumns & { place: string; total: string } & Readonly<
		Record<`compared_${Count}`, unknown>
	>;

/**
 * A statement that returns `CountRow`s, and the days whose rows of everything belong to the period or its comparison.
 * `isCompared`: its rows of values belong to the comparison.
 */
export type Read = {
	sql: Sql;
	own: ReadonlySet<string>;
	compared: ReadonlySet<string>;
	isCompared: boolean;
};

/**
 * An answer takes few statements, and each reads one source: its result holds until the days of that source change. Their rows
 * are summed and ranked here (rank.ts). Breakdowns that may have too many values for that are ranked by ClickHouse, over all
 * sources at once. All statements read the same generations, so they agree whenever they run, and run concurrently.
 */
export type Statements = {
	reads: readonly Read[];
	ranked: readonly { breakdowns: readonly Breakdown[]; sql: Sql }[];
};

/**
 * Rows of one dimension in a result; with as many, there may be more, and the breakdown has to be ranked by ClickHouse, which
 * reads everything once more. 4,000 rows take about a megabyte of memory while they are kept.
 */
export const maxValues = 4_000;

export function build(
	question: Question,
	planned: Plan,
	open: ReadonlyMap<string, OpenDay>,
	/** Dimensions that are known to have more values than `maxValues`. */
	manyValues: ReadonlySet<string>,
): Statements {
	const { parts, counts } = planned;
	const isRanked = (breakdown: Breakdown) =>
		isLong(breakdown) || isCapped(planned, breakdown) || manyValues.has(labelOf(breakdown.dimension));
	// A row by page has the revenue of its own events, and not of the visit.
	const onlyPage = counts.includes('revenue') ? undefined : onlyPageOf(question.filter);
	const areWanted = (part: Part, isWanted: (dimension: CountedDimension) => boolean): Part[] => {
		const dimensions = part.dimensions
			.filter(
				(dimension) =>
					isWanted(dimension) && (dimension.name !== 'goal' || question.website.goals.length > 0),
			)
			.map((dimension) =>
				dimension.name === 'page' && !dimension.by && onlyPage !== undefined && !part.timing
					? { ...dimension, onlyValue: onlyPage }
					: dimension,
			);
		return dimensions.length === 0 ? [] : [{ ...part, dimensions }];
	};
	const labelsOf = (breakdowns: readonly Breakdown[]) =>
		new Set(['', ...breakdowns.map(({ dimension }) => labelOf(dimension))]);
	const read = question.breakdowns.filter((breakdown) => !isRanked(breakdown));
	const [labels, comparedLabels] = [labelsOf(read), labelsOf(read.filter(({ isCompared }) => isCompared))];
	// Of a comparison that is not available as a whole, no rows are read: they would be added to those of the period.
	const own = parts.flatMap((part) =>
		areWanted(part, (dimension) => (part.isCompared ? comparedLabels : labels).has(labelOf(dimension))),
	);
	return {
		reads: [
			...readStored(question, counts, own),
			...own.flatMap((part) => readVisits(question, counts, open, part)),
		],
		ranked: groupBreakdowns(question.breakdowns.filter(isRanked), parts).flatMap((group) => {
			const grouped = new Set(group.map(({ dimension }) => labelOf(dimension)));
			const wanted = parts
				.filter((part) => !part.isCompared || group.some(({ isCompared }) => isCompared))
				.flatMap((part) => areWanted(part, (dimension) => grouped.has(labelOf(dimension))));
			const [first] = group;
			if (!first || wanted.length === 0) return [];
			const rows = (part: Part) => rowsOf(question, counts, open, part);
			return [{ breakdowns: group, sql: rankRows(question, first, { counts, parts: wanted, rowsOf: rows }) }];
		}),
	};
}

/** Rows of a breakdown that are ranked here at most. */
const maxRows = 1_000;

/** Searches, long pages and pairs of values are not worth keeping. */
const isLong = ({ dimension, search, offset, limit }: Breakdown): boolean =>
	search !== null || dimension.by !== undefined || offset + limit > maxRows;

/** Whether some day has more values of the dimension than are stored. */
const isCapped = ({ capped }: Plan, { dimension }: Breakdown): boolean => capped.has(labelOf(dimension));

/** Breakdowns with the same sorting, search and page share a statement: all of them if totals answer, else by kind. */
function groupBreakdowns(breakdowns: readonly Breakdown[], parts: readonly Part[]): Breakdown[][] {
	const areStored = parts.every(isStored);
	const groups = Map.groupBy(breakdowns, ({ dimension, sort, search, offset, limit, isCompared }) =>
		JSON.stringify([sort, search, offset, limit, isCompared, areStored ? '' : kindOf(dimension)]),
	);
	return [...groups.values()];
}

const isStored = ({ source }: Part): boolean => source.from === 'totals' || source.from === 'imported';

/** Each kind is counted over other rows: visits, events, or visits and goals. Two dimensions at once are counted by themselves. */
const kindOf = (dimension: CountedDimension): string => {
	if (dimension.by) return labelOf(dimension);
	if (dimension.name === 'goal') return 'goal';
	return isOfVisits(dimension) ? 'visit' : 'event';
};

/** One statement per table for the period and its comparison, unless both have rows of values. */
function readStored(question: Question, counts: readonly Count[], parts: readonly Part[]): Read[] {
	const areRowsCompared = question.breakdowns.some(({ isCompared }) => isCompared);
	const tables = Map.groupBy(
		parts.filter(isStored),
		({ source, isCompared }) => `${source.from} ${areRowsCompared && isCompared}`,
	);
	return [...tables.values()].map((own) => {
		const daysOf = (isCompared: boolean) =>
			new Set(
				own
					.filter((part) => part.isCompared === isCompared && part.dimensions.some(({ name }) => name === ''))
					.flatMap((part) => datesOf(part.source)),
			);
		return {
			sql: sql`
		SELECT
			if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
			is_other, ${sumsOf(counts, (name) => storedCount(name))}
		FROM ${tableOf(own)} AS t
		WHERE ${isStoredFor(question, own)}
		GROUP BY day, dimension, value, is_other
		LIMIT ${param('UInt64', maxValues)} BY day, dimension`,
			own: daysOf(false),
			compared: daysOf(true),
			isCompared: own.every(({ isCompared }) => isCompared),
		};
	});
}

const nameOf = ([part]: readonly Part[]): TotalsTable =>
	part?.source.from === 'imported' ? 'totals_imported' : 'totals';

const tableOf = (parts: readonly Part[]): Sql => identifier(nameOf(parts));

/** The rows of these parts, which are of one table. */
function isStoredFor(question: Question, parts: readonly Part[]): Sql {
	const revisions = question.website.goals.map(({ revision }) => String(revision));
	const conditions = parts.flatMap(({ source, dimensions }) =>
		source.from === 'events'
			? []
			: [
					sql`(dimension IN ${param('Array(String)', dimensions.map(labelOf))}
			AND ${isOfSeals(source.days, source.from === 'imported' ? sql`import_id` : sql`generation`)})`,
				],
	);
	return sql`website_id = ${param('UInt32', question.website.id)} AND (${join(conditions, ' OR ')})
			AND (dimension != 'goal' OR has(${param('Array(String)', revisions)}, t.value)) ${isVisibleTotal(question.website.hidden, nameOf(parts))}`;
}

const storedCount = (name: Count): Sql => {
	if (!isGoalCount(name)) return sql`t.${identifier(name)}`;
	return sql`if(dimension = 'goal', t.${identifier(name === 'conversions' ? 'visits' : 'visitors')}, 0)`;
};

const datesOf = (source: Part['source']): readonly string[] =>
	source.from === 'events' ? source.dates : source.days.map(({ date }) => date);

/** Statements over the visits of a part: one per kind of dimension. */
function readVisits(
	question: Question,
	counts: readonly Count[],
	open: ReadonlyMap<string, OpenDay>,
	part: Part,
): Read[] {
	if (isStored(part)) return [];
	const dates = new Set(datesOf(part.source));
	const none: ReadonlySet<string> = new Set();
	// Within hours or a cut day, everything is counted by bucket, and apart.
	const kinds = Map.groupBy(part.dimensions, (dimension) =>
		part.timing && dimension.name === '' ? 'bucket' : kindOf(dimension),
	);
	return [...kinds.values()].map((dimensions) => ({
		sql: sql`
		SELECT * FROM (${rowsOf(question, counts, open, { ...part, dimensions })})
		LIMIT ${param('UInt64', maxValues)} BY day, bucket, dimension`,
		own: part.isCompared ? none : dates,
		compared: part.isCompared ? dates : none,
		isCompared: part.isCompared,
	}));
}

/** The rows of one part: counts of everything by day and bucket, and of values over all days. */
function rowsOf(
	question: Question,
	counts: readonly Count[],
	open: ReadonlyMap<string, OpenDay>,
	part: Part,
): Sql {
	const { source, timing } = part;
	if (source.from === 'totals' || source.from === 'imported') {
		const stored = counts.map((name) =>
			name === 'revenue'
				? sql`CAST(t.revenue, 'Map(LowCardinality(String), Decimal(38, 4))') AS revenue`
				: sql`${storedCount(name)} AS ${identifier(name)}`,
		);
		return sql`
		SELECT toDate(0) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, ${join(stored, ', ')}
		FROM ${tableOf([part])} AS t
		WHERE ${isStoredFor(question, [part])}`;
	}
	const isByBucket = timing !== null && part.dimensions.every(({ name }) => name === '');
	const counting: Counting = {
		dimensions: part.dimensions,
		counts,
		goals: countedGoals(question),
		timing,
		isOverDates: !isByBucket,
	};
	return countSelected(
		{ ...question, goals: question.website.goals },
		counting,
		sql`${isByBucket ? sql`date AS day, bucket` : sql`day, toInt64(0) AS bucket`}, dimension, value, toUInt8(0) AS is_other`,
		(names) => visitsFrom(question, source, open, names),
	);
}

/** The counts of the selected visits. Each row has `keys`, which are columns of `totalsOf()`; rows of the same keys add up. */
export function countSelected(
	selection: Selection,
	counting: Counting,
	keys: Sql,
	visitsWith: (columns: readonly CountedColumn[]) => Sql,
): Sql {
	const { filter } = selection;
	const { counts } = counting;
	const count = (counted: readonly Count[], countedFilter: Filter | null) => {
		const own = { ...counting, counts: counted };
		const visits = selectVisits({ ...selection, counted: countedFilter }, own, visitsWith);
		return sql`
		SELECT
			${keys},
			${join(
				counts.map((name) =>
					counted.includes(name) ? identifier(name) : sql`${zeroOf(name)} AS ${identifier(name)}`,
				),
				', ',
			)}
		FROM (${totalsOf(own, visits)})`;
	};
	if (!filter || !isRevenueApart(filter, counting)) return count(counts, filter);
	const others = counts.filter((name) => name !== 'revenue');
	return sql`${count(others, filter)} UNION ALL ${count(['revenue'], revenueFilterOf(filter))}`;
}

/** Revenue of a visit counts whichever page it was paid on. Rows of an event dimension have that of their own events. */
const isRevenueApart = (filter: Filter, { counts, dimensions }: Counting): boolean =>
	hasPages(filter) && counts.includes('revenue') && dimensions.every(isOfVisits);

const countedGoals = ({ website }: Question): CountedGoal[] =>
	website.goals.map((goal) => toCountedGoal(website.id, goal));

/** Visits of sealed days, or of open days. */
export function visitsFrom(
	{ website }: Question,
	source: Part['source'],
	open: ReadonlyMap<string, OpenDay>,
	columns: readonly CountedColumn[],
): Sql {
	const days =
		source.from === 'events'
			? source.dates.map((date) => ({ date, generation: open.get(date)?.generation ?? 0n }))
			: source.days;
	return sql`
		SELECT website_id, date, visitor_id ${join(
			[
				sql``,
				...columns.map((name) =>
					name === 'page_groups' ? sql`${pageGroupsOf(website.pathRules)} AS page_groups` : identifier(name),
				),
			],
			', ',
		)}
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
