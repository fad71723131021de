/**
 * What a share is not shown. Everybody can open the statistics of a public website, so a number must not be about one
 * person: whoever knows that somebody in a village reads a website could otherwise look up when, and what.
 *
 * - A share sees no minutes, and no filter by city.
 * - By city it sees those with at least 3 visitors in the time asked about. All others are one row `(other)`: what the whole
 *   has more than the cities that are shown. Where that would be fewer than 3 visitors, the smallest city that is shown
 *   joins it, and so on: the row never stands for one or two people, nor can it be worked out from the whole. When nothing
 *   is left to join, there are no rows.
 * - The rows are searched, sorted and paged after that: no search finds a city that is not shown.
 *
 * (A city has a visitor's visits of a day: the whole is the sum of its cities, up to somebody who travelled on that day.)
 */
import { invalid } from '../lib/app-error.ts';
import { type Counts, counts, type MetricName, noCounts, type Value } from './metrics.ts';
import type { Breakdown, Filter, Question } from './question.ts';
import { type Answer, type BreakdownAnswer, toValues } from './shape.ts';

/** What stands for fewer is not shown. */
export const fewest = 3;
/** As many cities as are looked at one by one; the rest is in `(other)`. */
const maxCities = 1_000;
const other = '(other)';

export function refuseForShares({ buckets, filter }: Question): void {
	const minuteMs = 60_000;
	if (
		buckets?.some(({ startMs, endMs }) => startMs !== null && endMs !== null && endMs - startMs <= minuteMs)
	)
		throw invalid({ interval: ['The interval minute is not shown to the public.'] });
	if (filter && isAboutCity(filter))
		throw invalid({ filters: ['Statistics that are shown to the public cannot be filtered by city.'] });
}

function isAboutCity(filter: Filter): boolean {
	switch (filter.kind) {
		case 'test':
			return isCity(filter);
		case 'not':
			return isAboutCity(filter.part);
		case 'and':
		case 'or':
			return filter.parts.some(isAboutCity);
	}
}

const isCity = ({ dimension }: Pick<Breakdown, 'dimension'>): boolean => dimension.name === 'city';

/** The question whose answer can be hidden from: all cities that may be shown, whatever page was asked for. */
export function widenForShares(question: Question): Question {
	return {
		...question,
		breakdowns: question.breakdowns.map((breakdown) =>
			isCity(breakdown)
				? {
						...breakdown,
						sort: { by: 'visitors', descending: true },
						search: null,
						offset: 0,
						limit: maxCities,
					}
				: breakdown,
		),
		metrics: question.breakdowns.some(isCity)
			? [...new Set<MetricName>([...question.metrics, ...question.breakdowns.map(({ sort }) => sort.by)])]
			: question.metrics,
	};
}

export function hideFew(question: Question, answer: Answer): Answer {
	return {
		...answer,
		breakdowns: answer.breakdowns.map((found, index) => {
			const breakdown = question.breakdowns[index];
			return breakdown && isCity(breakdown) ? hideFewIn(question, breakdown, found, answer.counts) : found;
		}),
	};
}

type Row = BreakdownAnswer['rows'][number];

function hideFewIn(
	{ metrics }: Question,
	{ sort, search, offset, limit }: Breakdown,
	found: BreakdownAnswer,
	whole: Counts,
): BreakdownAnswer {
	if (found.isUnavailable) return found;
	// The largest come first: what joins the others is taken from the end.
	const shown = found.rows.filter((row) => !row.isOther && row.counts.visitors >= fewest);
	let rest = without(whole, shown);
	while (!isNothing(rest) && rest.visitors < fewest && shown.length > 0) {
		shown.pop();
		rest = without(whole, shown);
	}
	const sorted = shown
		.filter(({ value }) => search === null || value.toLowerCase().includes(search.toLowerCase()))
		.toSorted((a, b) => compare(a, b, sort) || (a.value < b.value ? -1 : 1));
	const rows: Row[] =
		isNothing(rest) || rest.visitors < fewest || search !== null
			? sorted
			: [...sorted, { value: other, isOther: true, values: toValues(metrics, rest, found), counts: rest }];
	return { ...found, rows: rows.slice(offset, offset + limit), total: rows.length };
}

function without(whole: Counts, rows: readonly Row[]): Counts {
	const rest: Counts = { ...noCounts, revenue: {} };
	const revenue: Record<string, number> = { ...whole.revenue };
	for (const name of counts)
		rest[name] = Math.max(
			0,
			rows.reduce((left, row) => left - row.counts[name], whole[name]),
		);
	for (const row of rows)
		for (const [currency, amount] of Object.entries(row.counts.revenue))
			revenue[currency] = Math.round(((revenue[currency] ?? 0) - amount) * 10_000) / 10_000;
	return { ...rest, revenue };
}

const isNothing = ({ views, events, visits }: Counts): boolean => views + events + visits === 0;

/** As the statements do it: what is null is the least. */
function compare(a: Row, b: Row, { by, descending }: Breakdown['sort']): number {
	const difference = sizeOf(a.values[by]) - sizeOf(b.values[by]);
	return descending ? -difference : difference;
}

function sizeOf(value: Value | undefined): number {
	if (value === null || value === undefined) return -1;
	return typeof value === 'number' ? value : Math.max(-1, ...Object.values(value));
}
