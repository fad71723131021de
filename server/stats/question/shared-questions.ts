/**
 * What a share may ask, and which questions must be asked to answer it without revealing a single person.
 *
 * A filtered number is shown only if the same number under every weaker filter allows it (public-thresholds.ts): the filter
 * with some of its values removed, down to none. So a filtered question of a share is asked once for each subset of its
 * values, which is why the number of values is limited. A goal with conversions counts as one more value.
 *
 * The filter of a share link is fixed, so it may use any operator. Its values count like those that were sent. Other links may
 * have similar filters, such as two that match a part of a value, so a number is also compared with theirs.
 */
import { isVisitDimension } from '../../derive/counts.ts';
import { invalid } from '../../lib/app-error.ts';
import { dateOf } from '../../websites/zones.ts';
import type { FilterDimension } from './dimensions.ts';
import { startOfHour } from './periods.ts';
import {
	type Breakdown,
	type Bucket,
	type Filter,
	isNumberTest,
	type Question,
	type Span,
} from './question.ts';

const maxVisitFilters = 2;
/** Each one doubles the questions. */
const maxValues = 3;
/** Of the filter of a share link. */
export const maxFixedValues = 3;
/** Of that filter and what is sent with the link. */
const maxValuesWithLink = 4;
/** Rows that are compared individually; the rest is in `(other)`. */
export const maxSharedRows = 1_000;

/** Dimensions with areas so small that few people live there. */
export const isPlace = ({ dimension }: { dimension: FilterDimension }): boolean =>
	dimension.name === 'city' || dimension.name === 'region';

const isByGroup = ({ dimension }: { dimension: FilterDimension }): boolean => dimension.name === 'page_group';

export const isFiltered = ({ filter, goal }: Question): boolean => filter !== null || goal !== null;

type Test = Extract<Filter, { kind: 'test' }>;

export function testsIn(filter: Filter): Test[] {
	switch (filter.kind) {
		case 'test':
			return [filter];
		case 'not':
			return testsIn(filter.part);
		case 'and':
		case 'or':
			return filter.parts.flatMap(testsIn);
	}
}

/** In `is` and the like, each value is an alternative; presence and numbers are one test. */
const hasAlternatives = ({ test }: Test): boolean => test !== 'is_set' && !isNumberTest(test);

export const countValues = (filter: Filter | null): number =>
	filter
		? testsIn(filter).reduce((sum, test) => sum + (hasAlternatives(test) ? test.values.length : 1), 0)
		: 0;

const countVisitTests = (filter: Filter | null): number =>
	filter ? testsIn(filter).filter(({ dimension }) => isVisitDimension(dimension.name)).length : 0;

export function refuseForShares(question: Question): void {
	const { buckets, goal, fixed } = question;
	const filter = fixed ? fixed.own : question.filter;
	const minuteMs = 60_000;
	if (
		buckets?.some(({ startMs, endMs }) => startMs !== null && endMs !== null && endMs - startMs <= minuteMs)
	)
		throw invalid({ interval: ['The interval minute is not available in public statistics.'] });
	if (question.breakdowns.some(({ dimension }) => dimension.by))
		throw invalid({ by: ['Public statistics cannot be divided by two dimensions at once.'] });
	// Rules of the owner can make a group of a single page, and change it while others watch.
	if (question.breakdowns.some(isByGroup))
		throw invalid({ dimension: ['Public statistics cannot be divided by page_group.'] });
	refuseComparedRows(question);
	const tests = filter ? testsIn(filter) : [];
	if (tests.some(isByGroup)) throw fault('Public statistics cannot be filtered by page_group.');
	const place = tests.find(isPlace);
	if (place) throw fault(`Public statistics cannot be filtered by ${place.dimension.name}.`);
	// Partial matches can be narrowed step by step: the difference between two of them may be one person.
	// Values without regard to case, is_set and numbers cover many values, which weaker filters here take for one.
	if (tests.some(({ test, ignoresCase }) => test !== 'is' || ignoresCase))
		throw fault(
			'Public statistics can be filtered with is, is_not and any_of, case-sensitively, not by a part of a value.',
		);
	const ofLink = fixed?.filter ?? null;
	const ofVisits = countVisitTests(filter);
	const mostVisitFilters = Math.max(0, maxVisitFilters - countVisitTests(ofLink));
	if (ofVisits > mostVisitFilters)
		throw fault(
			`Public statistics can have at most ${mostVisitFilters} filters on visit dimensions such as country, browser or source; this query has ${ofVisits}.`,
		);
	const values = countValues(filter) + (goal ? 1 : 0);
	const most = ofLink ? Math.min(maxValues, maxValuesWithLink - countValues(ofLink)) : maxValues;
	if (values > most)
		throw fault(
			`Filters of public statistics can have at most ${most} values in total, including a goal; this query has ${values}.`,
		);
}

/**
 * Thresholds are not applied to compared rows, so these need no threshold: whole days, without a filter, not by small places.
 * A comparison that ends at the current minute would show a past day minute by minute.
 */
function refuseComparedRows(question: Question): void {
	const rows = question.breakdowns.filter(({ isCompared }) => isCompared);
	if (rows.length === 0) return;
	const isCut = question.compared && (question.compared.startMs !== null || question.compared.endMs !== null);
	if (isFiltered(question) || isCut || rows.some(isPlace))
		throw invalid({
			compare: [
				'Rows of public statistics can be compared for periods that are over, without a filter or goal, and not by city or region.',
			],
		});
}

const fault = (sentence: string) => invalid({ filters: [sentence] });

export type SharedQuestions = {
	/**
	 * Indexed by the kept values as bits; a goal has the highest bit. The question itself is the last one without a goal.
	 */
	subsets: readonly Question[];
	/** Without a filter and with the current hour, as everyone can see it. Null when the hour is not in the period. */
	withCurrentHour: Question | null;
	/** When the current hour began, if it is in the period. */
	until: Date | null;
	/**
	 * For each other share link with a similar filter: the question with its filter in place of this link's, and with both. With a
	 * goal, the same for the visits that reached it follows.
	 */
	others: readonly Question[];
};

export const allQuestions = ({ subsets, withCurrentHour, others }: SharedQuestions): Question[] => [
	...subsets,
	...(withCurrentHour ? [withCurrentHour] : []),
	...others,
];

/** The answers to `allQuestions`, by what they were asked for. */
export function splitAnswers<Answer>(
	{ subsets, withCurrentHour }: SharedQuestions,
	{ goal }: Pick<Question, 'goal'>,
	answers: readonly Answer[],
) {
	const first = subsets.length + (withCurrentHour ? 1 : 0);
	const others = answers.slice(first);
	const half = goal ? others.length / 2 : others.length;
	return {
		subsets: answers.slice(0, subsets.length),
		published: withCurrentHour ? answers[subsets.length] : undefined,
		others: others.slice(0, half),
		convertedOthers: others.slice(half),
	};
}

export function questionsForShare(question: Question, now: Date): SharedQuestions {
	const widened = widen(question);
	if (!isFiltered(question)) return { subsets: [widened], withCurrentHour: null, until: null, others: [] };
	const { cut, until } = withoutCurrentHour(widened, now);
	const { filter, goal } = question;
	const count = countValues(filter);
	const own = 2 ** count - 1;
	const subsets = Array.from({ length: 2 ** (count + (goal ? 1 : 0)) }, (_, kept): Question => {
		if (kept === own) return cut;
		const weaker = compared(cut, filter && keep(filter, kept));
		// As conversions are counted: the goal may be reached by another event than the one that meets the filter.
		return kept > own ? { ...weaker, goal, onlyConverted: true } : weaker;
	});
	return { subsets, withCurrentHour: until && compared(widened, null), until, others: othersOf(cut) };
}

const isExact = (filter: Filter): boolean =>
	testsIn(filter).every(({ test, ignoresCase }) => test === 'is' && !ignoresCase);

/**
 * Whether two filters list values of the same dimension, of which a visit has one. Then nobody is in both, except by values that
 * both list, which the weaker filters cover.
 */
const differByValues = (one: Filter, other: Filter): boolean =>
	one.kind === 'test' &&
	other.kind === 'test' &&
	isExact(one) &&
	isExact(other) &&
	isVisitDimension(one.dimension.name) &&
	one.dimension.name === other.dimension.name;

/** Whether a filter is another one with some of its values removed. The narrower one is compared with it already. */
function isWeakerThan(weaker: Filter, narrower: Filter): boolean {
	const text = JSON.stringify(weaker);
	const all = 2 ** countValues(narrower) - 1;
	for (let kept = 1; kept < all; kept++)
		if (JSON.stringify(withoutGroupOfOne(keep(narrower, kept))) === text) return true;
	return false;
}

const withoutGroupOfOne = (filter: Filter | null): Filter | null => {
	if (filter?.kind !== 'and' && filter?.kind !== 'or') return filter;
	const [only] = filter.parts;
	return only && filter.parts.length === 1 ? only : filter;
};

const needsNoComparison = (one: Filter, other: Filter): boolean =>
	differByValues(one, other) || isWeakerThan(one, other) || isWeakerThan(other, one);

function othersOf(question: Question): Question[] {
	const { fixed, filter, goal } = question;
	if (!fixed) return [];
	const own = fixed.filter;
	// Where the link has no filter, whoever sends one can send that of another link as well, if it lists values.
	const similar = fixed.others.filter((other) => !(own ? needsNoComparison(own, other) : isExact(other)));
	const asked = similar.flatMap((other) => [
		compared(question, bothFilters(other, fixed.own)),
		compared(question, bothFilters(other, filter)),
	]);
	return goal ? [...asked, ...asked.map((each) => ({ ...each, goal, onlyConverted: true }))] : asked;
}

export const bothFilters = (first: Filter | null, second: Filter | null): Filter | null =>
	first && second ? { kind: 'and', parts: [first, second] } : (first ?? second);

/** Asked only for comparison: it needs no more than the size of each number. */
const compared = (question: Question, filter: Filter | null): Question => ({
	...question,
	filter,
	goal: null,
	metrics: ['visitors'],
	breakdowns: question.breakdowns.map((breakdown) => ({
		...breakdown,
		sort: { by: 'visitors', descending: true },
	})),
});

/** The filter with some of its values, numbered in their order; parts without values are removed. */
function keep(filter: Filter, kept: number): Filter | null {
	let place = 0;
	const walk = (part: Filter): Filter | null => {
		switch (part.kind) {
			case 'test': {
				if (!hasAlternatives(part)) return (kept >> place++) & 1 ? part : null;
				const values = part.values.filter(() => (kept >> place++) & 1);
				return values.length === 0 ? null : { ...part, values };
			}
			case 'not': {
				const inner = walk(part.part);
				return inner && { kind: 'not', part: inner };
			}
			case 'and':
			case 'or': {
				const parts = part.parts.flatMap((inner) => walk(inner) ?? []);
				return parts.length === 0 ? null : { kind: part.kind, parts };
			}
		}
	};
	return walk(filter);
}

/** Requests all rows that are compared, instead of one page. */
function widen(question: Question): Question {
	const isWide = (breakdown: Breakdown) => isFiltered(question) || isPlace(breakdown);
	if (!question.breakdowns.some(isWide) && !isFiltered(question)) return question;
	return {
		...question,
		breakdowns: question.breakdowns.map((breakdown) =>
			isWide(breakdown)
				? {
						...breakdown,
						sort: { by: 'visitors', descending: true },
						search: null,
						offset: 0,
						limit: maxSharedRows,
					}
				: breakdown,
		),
		metrics: [
			...new Set([
				...question.metrics,
				'visitors' as const,
				...question.breakdowns.map(({ sort }) => sort.by),
			]),
		],
	};
}

/** Someone who polls would otherwise see each visitor arrive. */
function withoutCurrentHour(question: Question, now: Date): { cut: Question; until: Date | null } {
	const { zones } = question.website;
	const nowMs = now.getTime();
	const hourMs = startOfHour(zones, nowMs);
	const today = dateOf(zones, nowMs).date;
	const isHere = (span: Span | null) => span !== null && span.from <= today && today <= span.to;
	const cutSpan = (span: Span): Span => {
		if (isHere(span)) return { ...span, to: today, endMs: hourMs };
		// The comparison of a running period ends at the same time of day: also at a full hour.
		return span.endMs === null ? span : { ...span, endMs: startOfHour(zones, span.endMs) };
	};
	const cutBuckets = (buckets: readonly Bucket[] | null, { endMs }: Span) =>
		buckets?.filter(({ startMs }) => startMs === null || endMs === null || startMs < endMs) ?? null;
	const span = cutSpan(question.span);
	const other = question.compared && cutSpan(question.compared);
	const buckets = cutBuckets(question.buckets, span);
	return {
		cut: {
			...question,
			span,
			compared: other,
			buckets,
			comparedBuckets:
				other && (cutBuckets(question.comparedBuckets, other)?.slice(0, buckets?.length) ?? null),
		},
		until: isHere(question.span) || isHere(question.compared) ? new Date(hourMs) : null,
	};
}
