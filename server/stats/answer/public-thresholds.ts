/**
 * Hides what shares must not see. Anyone can open the statistics of a public website, so no number may be about one person:
 * someone who knows that a person in a village reads a website could otherwise look up when, and what.
 *
 * A number is safe when neither it nor any difference that can be computed with it stands for 1 or 2 visitors (or visits, or
 * views: these follow from one another). The differences are those to the same number under each weaker filter, all of
 * which shared-questions.ts asks for, and those between these: with two filters also the visitors who meet neither. A row is
 * like the total with one more filter, so the total is among the numbers that it is compared with.
 *
 * - Without a filter everything is exact except rows by city and region, which are compared with the total.
 * - A total that is not safe is hidden, and everything else of its period too.
 * - Rows that are not safe are merged into one row `(other)`. While that is not safe, the smallest visible row joins it; when
 *   none is left, there are no rows. Search, sorting and paging are applied afterwards.
 * - Buckets of a series that are not safe have no values. If the sum of the hidden buckets of a day, week or month is not safe,
 *   the smallest visible bucket is hidden too.
 * - Conversions are visits that meet one more filter, the goal; they are hidden separately from the other metrics. In filtered
 *   rows by page or event they are always hidden.
 *
 * All of this is one step over answers that were computed before: nothing is queried here.
 */
import { isVisitDimension } from '../../derive/counts.ts';
import { startOfWeek } from '../../lib/local-dates.ts';
import { isFoundIn } from '../question/ignore-case.ts';
import {
	addCounts,
	type Counts,
	counts,
	type MetricName,
	noCounts,
	type Value,
} from '../question/metrics.ts';
import type { Breakdown, Bucket, Question } from '../question/question.ts';
import { isFiltered, isPlace, type SharedQuestions, splitAnswers } from '../question/shared-questions.ts';
import {
	type BreakdownAnswer,
	type Point,
	type StatsAnswer,
	toValues,
	type Values,
	type Whole,
} from './shape.ts';

/** Numbers for fewer visitors are hidden. */
export const minVisitorsShown = 3;
const other = '(other)';

/** The size of a group: none of these may be 1 or 2. */
export type Size = { visitors: number; visits: number; views: number };
const sizeNames = ['visitors', 'visits', 'views'] as const;
export const nothing: Size = { visitors: 0, visits: 0, views: 0 };

/** The size under each subset of the filter's values, indexed by the bits of the kept values; null where it is unknown. */
export type Sizes = readonly (Size | null)[];

const combine = (a: Size, b: Size, operate: (a: number, b: number) => number): Size => ({
	visitors: operate(a.visitors, b.visitors),
	visits: operate(a.visits, b.visits),
	views: operate(a.views, b.views),
});

const isFew = (count: number): boolean => count !== 0 && Math.abs(count) < minVisitorsShown;

/** A link and another one may select nearly the same: then the few by which they differ would be known. */
function isSafeBeside(own: Size, other: Size | null, both: Size | null): boolean {
	if (!other || !both) return false;
	return sizeNames.every((name) => {
		const [only, onlyOther] = [own[name] - both[name], other[name] - both[name]];
		return !((only === 0 && isFew(onlyOther)) || (onlyOther === 0 && isFew(only)));
	});
}

/**
 * `published`: the same number without a filter as everyone sees it, where that differs from the empty subset. `others`: for each
 * similar link, the number with its filter and with both.
 */
export function isSafe(sizes: Sizes, published: Size | null = sizes[0] ?? null, others: Sizes = []): boolean {
	const all = sizes.length - 1;
	const own = sizes[all];
	if (!own || !published) return false;
	for (let index = 0; index < others.length; index += 2)
		if (!isSafeBeside(own, others[index] ?? null, others[index + 1] ?? null)) return false;
	return sizeNames.every((name) => {
		// Indexed by removed values: how many meet the others and none of these (inclusion–exclusion).
		const without: number[] = [];
		for (let taken = 0; taken <= all; taken++) without.push(sizes[all ^ taken]?.[name] ?? Number.NaN);
		for (let bit = 1; bit <= all; bit *= 2)
			for (let taken = 0; taken <= all; taken++)
				if (taken & bit) without[taken] = (without[taken ^ bit] ?? 0) - (without[taken] ?? 0);
		return (
			!without.some((count) => Number.isNaN(count) || isFew(count)) &&
			// Several values of one filter are alternatives: what is outside all of them is a difference of its own.
			!sizes.some((size) => isFew((size?.[name] ?? 0) - own[name])) &&
			!isFew(published[name] - own[name])
		);
	});
}

type Item = {
	sizes: Sizes;
	published?: Size | null | undefined;
	others?: Sizes;
	/** The sizes of the total. */
	totalSizes: Sizes;
};
/** Items whose sum can be known, and the sum. */
type Group<I> = { items: readonly I[]; total: Sizes; others?: Sizes };

/** The items that can be shown: each is safe, and so is the rest of each group. */
export function choose<I extends Item>(items: readonly I[], groups: readonly Group<I>[]): Set<I> {
	const sizeOf = ({ sizes }: I) => sizes.at(-1)?.visitors ?? 0;
	const shown = new Set(
		items.filter(
			({ sizes, totalSizes, published, others }) =>
				isSafe([...totalSizes, ...sizes]) && isSafe(sizes, published, others),
		),
	);
	for (let isChanged = true; isChanged; ) {
		isChanged = false;
		for (const { items: grouped, total, others = [] } of groups) {
			// Largest first: rows that join the rest are taken from the end.
			const here = grouped
				.filter(
					(item) => shown.has(item) && item.sizes.some((size) => size && size.views + size.visitors > 0),
				)
				.toSorted((a, b) => sizeOf(b) - sizeOf(a));
			let rest = here.reduce(withoutItem, { sizes: total, others });
			const joined = ({ sizes, others: its = [] }: I): Rest => ({
				sizes: add(rest.sizes, sizes),
				others: add(rest.others, its),
			});
			while (!isSafeRest(rest) && here.length > 0) {
				// Prefers an item that makes the rest safe.
				const place = here.findLastIndex((item) => isSafeRest(joined(item)));
				const [joining] = here.splice(place, 1);
				if (!joining) break;
				shown.delete(joining);
				rest = joined(joining);
				isChanged = true;
			}
		}
	}
	return shown;
}

type Rest = { sizes: Sizes; others: Sizes };
const withoutItem = (rest: Rest, { sizes, others = [] }: Pick<Item, 'sizes' | 'others'>): Rest => ({
	sizes: subtract(rest.sizes, sizes),
	others: subtract(rest.others, others),
});
const isSafeRest = ({ sizes, others }: Rest): boolean => isSafe(sizes, undefined, others);

const plus = (a: number, b: number): number => a + b;
const subtract = (from: Sizes, sizes: Sizes): Sizes => merge(from, sizes, (a, b) => a - b);
const add = (a: Sizes, b: Sizes): Sizes => merge(a, b, plus);
const merge = (a: Sizes, b: Sizes, operate: (a: number, b: number) => number): Sizes =>
	a.map((size, index) => size && combine(size, b[index] ?? nothing, operate));

export const sum = (sizes: readonly (Size | null)[]): Size =>
	sizes.reduce<Size>((all, size) => combine(all, size ?? nothing, plus), nothing);

const toSize = (sums: Counts | null | undefined): Size | null =>
	sums ? { visitors: sums.visitors, visits: sums.visits, views: sums.views } : null;

/** `answers` are those to `allQuestions`, in its order. */
export function hideSmallGroups(
	question: Question,
	asked: SharedQuestions,
	answers: readonly StatsAnswer[],
): StatsAnswer {
	const { subsets, until } = asked;
	const { subsets: all, published, others, convertedOthers } = splitAnswers(asked, question, answers);
	const place = question.goal ? all.length / 2 - 1 : all.length - 1;
	const answer = all[place];
	if (!answer) throw new Error('The question itself was not answered.');
	const hiding: Hiding = {
		question,
		queried: subsets[place] ?? question,
		weaker: all.slice(0, place + 1),
		others,
		converted: question.goal ? { answers: all, others: convertedOthers } : null,
		published,
	};
	const isHidden = question.filter !== null && !isSafeBy(hiding, (answer) => answer.counts);
	return {
		...answer,
		...hideTotals(hiding, answer, (answer) => answer, hiding.queried.buckets),
		compared:
			answer.compared &&
			hideTotals(hiding, answer.compared, (answer) => answer.compared, hiding.queried.comparedBuckets),
		breakdowns: answer.breakdowns.map((breakdown, index) => {
			const requested = question.breakdowns[index];
			if (!requested || !(isFiltered(question) || isPlace(requested)) || breakdown.isUnavailable)
				return breakdown;
			return isHidden
				? { ...breakdown, rows: [], total: 0, isFew: true }
				: hideRows(hiding, requested, breakdown, index);
		}),
		meta: {
			...answer.meta,
			asOf: until && until < answer.meta.asOf ? until : answer.meta.asOf,
		},
	};
}

type Hiding = {
	question: Question;
	/** As it was queried: without the current hour, and with all rows. */
	queried: Question;
	/** Under each subset of the filter's values; `converted` also with the goal. */
	weaker: readonly StatsAnswer[];
	/** For each similar link, with its filter and with both. */
	others: readonly StatsAnswer[];
	converted: { answers: readonly StatsAnswer[]; others: readonly StatsAnswer[] } | null;
	published: StatsAnswer | undefined;
};

const sizesOf = (
	answers: readonly StatsAnswer[],
	countsOf: (answer: StatsAnswer) => Counts | null | undefined,
): Sizes => answers.map((answer) => toSize(countsOf(answer)));

function isSafeBy(
	{ weaker, others, published }: Hiding,
	countsOf: (answer: StatsAnswer) => Counts | null | undefined,
): boolean {
	return isSafe(
		sizesOf(weaker, countsOf),
		published && toSize(countsOf(published)),
		sizesOf(others, countsOf),
	);
}

/** A total and its series. */
function hideTotals(
	hiding: Hiding,
	{ totals, series, counts: own }: Whole,
	totalsOf: (answer: StatsAnswer) => Whole | null,
	buckets: readonly Bucket[] | null,
): Whole {
	const { question, weaker, others, converted, published } = hiding;
	const countsOf = (answer: StatsAnswer) => totalsOf(answer)?.counts;
	const isHidden = question.filter !== null && !isSafeBy(hiding, countsOf);
	const chooseBuckets = (answers: readonly StatsAnswer[], similar: readonly StatsAnswer[]) => {
		const totalSizes = sizesOf(answers, countsOf);
		const items = (series ?? []).map((_, index) => ({
			index,
			totalSizes,
			sizes: sizesOf(answers, (answer) => totalsOf(answer)?.series?.[index]?.counts),
			others: sizesOf(similar, (answer) => totalsOf(answer)?.series?.[index]?.counts),
			...(published && { published: toSize(totalsOf(published)?.series?.[index]?.counts) }),
		}));
		const groups = summedBuckets(buckets ?? []).map((indexes) => {
			const inside = items.filter(({ index }) => indexes.has(index));
			return {
				items: inside,
				total: answers.map((_, subset) => sum(inside.map(({ sizes }) => sizes[subset] ?? null))),
				others: similar.map((_, index) => sum(inside.map((item) => item.others[index] ?? null))),
			};
		});
		return new Set([...choose(items, groups)].map(({ index }) => index));
	};
	const shown = question.filter && !isHidden ? chooseBuckets(weaker, others) : null;
	const isSafeGoal =
		converted && isSafe(sizesOf(converted.answers, countsOf), undefined, sizesOf(converted.others, countsOf));
	const withGoal =
		converted && isSafeGoal && !isHidden ? chooseBuckets(converted.answers, converted.others) : null;
	return {
		...hideValues(totals, isHidden ? 'all' : converted && !isSafeGoal ? 'goal' : 'nothing', 'totals'),
		counts: own,
		series:
			series?.map((point, index): Point => {
				const isPointHidden = isHidden || (shown && !shown.has(index));
				const what = isPointHidden ? 'all' : converted && !withGoal?.has(index) ? 'goal' : 'nothing';
				return { ...point, ...hideValues(point.values, what, 'values') };
			}) ?? null,
	};
}

const goalMetrics: readonly MetricName[] = ['conversions', 'unique_conversions', 'conversion_rate'];

/** Values that were null before are not marked as hidden. */
function hideValues<Name extends string>(
	values: Values,
	what: 'all' | 'goal' | 'nothing',
	name: Name,
): { [N in Name]: Values } & { isFew?: true } {
	const isHidden = (metric: string) =>
		what === 'all' || (what === 'goal' && (goalMetrics as readonly string[]).includes(metric));
	const hidden = Object.entries(values).filter(([metric, value]) => isHidden(metric) && value !== null);
	const shown: Values = { ...values, ...Object.fromEntries(hidden.map(([metric]) => [metric, null])) };
	// The compiler does not type computed property names.
	return { [name]: shown, ...(hidden.length > 0 && { isFew: true }) } as { [N in Name]: Values };
}

/** Buckets whose sum other intervals show: of everything, of a date, of a week and of a month. */
function summedBuckets(buckets: readonly Bucket[]): Set<number>[] {
	const by: ((bucket: Bucket) => string)[] = [
		() => '',
		({ from }) => from,
		({ from }) => startOfWeek(from, 'monday'),
		({ from }) => startOfWeek(from, 'sunday'),
		({ from }) => from.slice(0, 7),
	];
	return by.flatMap((keyOf) => {
		const groups = Map.groupBy(buckets.keys(), (index) => {
			const bucket = buckets[index];
			return bucket ? keyOf(bucket) : '';
		});
		return [...groups.values()].map((indexes) => new Set(indexes));
	});
}

type Row = BreakdownAnswer['rows'][number];

/** The size of each value of a breakdown; null for a value beyond the rows that were read. */
function tableOf(breakdown: BreakdownAnswer | undefined) {
	const { rows = [], total = 0 } = breakdown ?? {};
	const byValue = new Map(rows.map(({ value, counts }) => [value, toSize(counts)]));
	const missing = total > rows.length ? null : nothing;
	return {
		sizeOf: (value: string): Size | null => byValue.get(value) ?? missing,
		total: sum([...byValue.values()]),
	};
}

function hideRows(
	{ question, weaker, others, converted, published }: Hiding,
	breakdown: Breakdown,
	answer: BreakdownAnswer,
	index: number,
): BreakdownAnswer {
	const { dimension, sort, search, offset, limit } = breakdown;
	const own = answer.rows.filter((row) => !row.isOther);
	/** The rows that can be shown, and whether the rest can be. */
	const chooseRows = (answers: readonly StatsAnswer[], similar: readonly StatsAnswer[]) => {
		const totalSizes = sizesOf(answers, (answer) => answer.counts);
		const tables = answers.map((answer) => tableOf(answer.breakdowns[index]));
		const otherTables = similar.map((answer) => tableOf(answer.breakdowns[index]));
		const seen = published && tableOf(published.breakdowns[index]);
		const items = own.map((row) => ({
			row,
			totalSizes,
			sizes: tables.map((table) => table.sizeOf(row.value)),
			others: otherTables.map((table) => table.sizeOf(row.value)),
			...(seen && { published: seen.sizeOf(row.value) }),
		}));
		// Rows of a visit dimension add up to the total; of an event dimension a visit may be in several rows.
		const isWholeVisit = isVisitDimension(dimension.name);
		const total = isWholeVisit ? totalSizes : tables.map((table) => table.total);
		const otherTotal = isWholeVisit
			? sizesOf(similar, (answer) => answer.counts)
			: otherTables.map((table) => table.total);
		const shown = choose(items, [{ items, total, others: otherTotal }]);
		const rest = [...shown].reduce(withoutItem, { sizes: total, others: otherTotal });
		return { shown: new Set([...shown].map(({ row }) => row)), isRestSafe: isSafeRest(rest) };
	};
	const isWhole = question.filter === null && !isPlace(breakdown);
	const { shown, isRestSafe } = isWhole
		? { shown: new Set(answer.rows), isRestSafe: false }
		: chooseRows(weaker, others);
	// Conversions by page or event are counted where they happen, not by visit: the sizes of visits say nothing about them.
	const canShowGoal = isWhole || isVisitDimension(dimension.name);
	const withGoal =
		converted && (canShowGoal ? chooseRows(converted.answers, converted.others).shown : new Set<Row>());
	const rows = answer.rows
		.filter((row) => shown.has(row) && isSearched(question, breakdown, row))
		.map((row) =>
			withGoal && !withGoal.has(row) ? { ...row, ...hideValues(row.values, 'goal', 'values') } : row,
		)
		.toSorted(
			(a, b) => Number(a.isOther) - Number(b.isOther) || compare(a, b, sort) || (a.value < b.value ? -1 : 1),
		);
	const rest = isVisitDimension(dimension.name)
		? without(weaker.at(-1)?.counts ?? noCounts, [...shown])
		: own.filter((row) => !shown.has(row)).reduce((all, row) => addCounts(all, row.counts), noCounts);
	if (isRestSafe && !isNothing(rest) && search === null) {
		const visits = dimension.name === 'goal' ? weaker.at(-1)?.counts.visits : undefined;
		const values = toValues(question.metrics, rest, { lacking: answer.lacking, visits });
		// Together with the visible rows, its conversions would reveal hidden ones.
		const left = converted ? hideValues(values, 'goal', 'values') : { values };
		rows.push({ value: other, isOther: true, counts: rest, ...left });
	}
	return { ...answer, rows: rows.slice(offset, offset + limit), total: rows.length };
}

function isSearched({ website }: Question, { dimension, search }: Breakdown, { value }: Row): boolean {
	if (search === null) return true;
	const text = dimension.name === 'goal' ? website.goals.find(({ id }) => String(id) === value)?.name : value;
	return isFoundIn(text ?? '', search);
}

/** Not below 0: a visitor may be in several rows. */
function without(total: Counts, rows: readonly Row[]): Counts {
	const rest: Counts = { ...noCounts, revenue: {} };
	const revenue: Record<string, number> = { ...total.revenue };
	for (const name of counts)
		rest[name] = Math.max(
			0,
			rows.reduce((left, row) => left - row.counts[name], total[name]),
		);
	for (const row of rows)
		for (const [currency, amount] of Object.entries(row.counts.revenue))
			revenue[currency] = Math.round(((revenue[currency] ?? 0) - amount) * 10_000) / 10_000;
	return { ...rest, revenue };
}

const isNothing = ({ views, events, visits }: Counts): boolean => views + events + visits === 0;

/** As in the statements: null is the lowest. */
function compare(a: Row, b: Row, { by, descending }: Breakdown['sort']): number {
	const difference = sizeOf(a.values[by]) - sizeOf(b.values[by]);
	return descending ? -difference : difference;
}

function sizeOf(value: Value | undefined): number {
	if (value === null || value === undefined) return -1;
	return typeof value === 'number' ? value : Math.max(-1, ...Object.values(value));
}
