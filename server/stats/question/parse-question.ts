import { AppError, type Faults, gatherFaults, invalid } from '../../lib/app-error.ts';
import type { WeekStart } from '../../lib/local-dates.ts';
import { dateOf } from '../../websites/zones.ts';
import { dateLimitsOf } from './date-limits.ts';
import { type Dimension, writeDimension } from './dimensions.ts';
import { type MetricName, metricNames, metricOf } from './metrics.ts';
import { resolvePeriod } from './periods.ts';
import type { Comparison, Filter, Goal, Interval, PeriodName, Question, Span } from './question.ts';
import { emptyFilter, readFilter } from './read-filter.ts';
import { fixedFilterOf, refuseOutsideLink } from './share-limits.ts';
import { bothFilters } from './shared-questions.ts';
import type { StatsContext } from './stats-context.ts';

/** A question as it was sent: each parameter is valid, their combination is not checked yet. */
export type RawQuestion = {
	period: PeriodName;
	from: string | undefined;
	to: string | undefined;
	weekStart?: WeekStart | undefined;
	/** Null without a series. */
	series: { interval: Interval | undefined } | null;
	comparison?: RawComparison;
	metrics: readonly MetricName[];
	/** Filters as JSON, combined with `and`: the one that was sent, and that of a segment. */
	filters: readonly { field: 'filters' | 'segment'; json: unknown }[];
	goal: number | undefined;
	breakdowns: readonly RawBreakdown[];
};

export type RawComparison = {
	compare: 'none' | 'previous' | 'year' | 'custom';
	compareFrom: string | undefined;
	compareTo: string | undefined;
	matchWeekdays: boolean;
};

export type RawBreakdown = {
	dimension: Dimension;
	/** The second dimension. */
	by?: Dimension | undefined;
	metrics: readonly MetricName[];
	sortBy: SortName | undefined;
	descending: boolean;
	/** Whether rows are compared, if the question is. */
	isCompared?: boolean;
	search: string | undefined;
	offset: number;
	limit: number;
	/** Prefix of its parameters in errors: `breakdowns.0.`, or ''. */
	prefix: string;
};

/** Returns the question, or throws a 422 with all errors, including those in `faults`. */
export function parseQuestion(
	{ website, firstDate, limits }: StatsContext,
	sent: RawQuestion,
	now: Date,
	faults: Faults = gatherFaults(),
): { question: Question; interval: Interval } {
	const { attempt } = faults;
	// In whole seconds, so that equal requests within a second share one answer.
	const moment = { zones: website.zones, firstDate, now: Math.floor(now.getTime() / 1000) * 1000 };
	const { period, from, to, weekStart, series, comparison } = sent;
	const compare = (comparison && attempt(() => readComparison(comparison))) ?? null;
	const dates = limits && dateLimitsOf(limits, dateOf(website.zones, moment.now).date);
	const time = attempt(() =>
		resolvePeriod(moment, {
			...{ period, from, to, weekStart, interval: series?.interval, compare },
			...(dates && { limits: dates }),
		}),
	);
	const own = readFilters(sent.filters, website.goals, faults);
	const fixed = limits && fixedFilterOf(limits, own, website.goals);
	if (limits) refuseOutsideLink(limits, sent, own, faults);
	const goal = attempt(() => findGoal(website.goals, sent.goal));
	attempt(() => refuseWithoutGoal(sent));
	attempt(() => refuseCrossings(sent));
	if (time) attempt(() => refuseWithoutComparison(sent, time.compared));
	faults.end();
	if (!time) throw new Error('The period is valid but was not resolved.');

	const metrics = new Set([...sent.metrics, ...sent.breakdowns.flatMap((breakdown) => breakdown.metrics)]);
	return {
		interval: time.interval,
		question: {
			website,
			span: time.span,
			compared: time.compared,
			buckets: sent.series ? time.buckets : null,
			comparedBuckets: sent.series ? time.comparedBuckets : null,
			// In the order of the table, so that equal requests share one answer.
			metrics: metricNames.filter((name) => metrics.has(name)),
			filter: fixed ? bothFilters(fixed.filter, own) : own,
			...(fixed && { fixed }),
			goal: goal ?? null,
			breakdowns: sent.breakdowns.map((breakdown) => ({
				dimension: { ...breakdown.dimension, ...(breakdown.by && { by: breakdown.by }) },
				sort: { ...sortOf(breakdown), descending: breakdown.descending },
				...(time.compared && breakdown.isCompared && { isCompared: true }),
				search: breakdown.search ?? null,
				offset: breakdown.offset,
				limit: breakdown.limit,
			})),
		},
	};
}

/** What rows can be sorted by: a metric, or its change. */
export type SortName = MetricName | `${ChangeName}_change`;

/** Metrics whose change rows can be sorted by: numbers of something. */
export const changeNames = [
	'visitors',
	'visits',
	'pageviews',
	'events',
	'conversions',
	'unique_conversions',
] as const satisfies readonly MetricName[];
type ChangeName = (typeof changeNames)[number];

function sortOf({ sortBy, metrics: [first = 'visitors'] }: RawBreakdown): {
	by: MetricName;
	isByChange?: boolean;
} {
	const changed = changeNames.find((name) => sortBy === `${name}_change`);
	if (changed) return { by: changed, isByChange: true };
	return { by: metricNames.find((name) => name === sortBy) ?? first };
}

export function readComparison(sent: RawComparison): Comparison | null {
	const { compare: kind, matchWeekdays } = sent;
	const errors: Record<string, string[]> = {};
	const dates = { compare_from: sent.compareFrom, compare_to: sent.compareTo };
	for (const [name, date] of Object.entries(dates)) {
		if (kind === 'custom' && date === undefined)
			errors[name] = [`The ${name} parameter is required with compare=custom.`];
		if (kind !== 'custom' && date !== undefined)
			errors[name] = [`The ${name} parameter needs compare=custom.`];
	}
	if (matchWeekdays && (kind === 'none' || kind === 'custom'))
		errors.match_weekdays = ['The match_weekdays parameter needs compare=previous or compare=year.'];
	if (Object.keys(errors).length > 0) throw invalid(errors);
	switch (kind) {
		case 'none':
			return null;
		case 'previous':
		case 'year':
			return { kind, matchWeekdays };
		case 'custom':
			return { kind, from: sent.compareFrom ?? '', to: sent.compareTo ?? '' };
	}
}

/** Attributes errors to the parameter: a saved segment may name a goal that was deleted. */
function withField<Result>(field: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof AppError) || !error.errors) throw error;
		throw invalid({ [field]: Object.values(error.errors).flat() });
	}
}

/** The filters that were sent, which all apply. Errors are added to `faults`. */
export function readFilters(
	sent: RawQuestion['filters'],
	goals: readonly Goal[],
	{ attempt }: Faults,
): Filter | null {
	// A parameter that is sent several times has the limits of one.
	const sizes = { filters: emptyFilter(), segment: emptyFilter() };
	const parts = sent.flatMap(({ field, json }) => {
		const part = attempt(() => withField(field, () => readFilter(json, goals, sizes[field])));
		return part ? [part] : [];
	});
	const [only] = parts;
	return parts.length > 1 ? { kind: 'and', parts } : (only ?? null);
}

function findGoal(goals: readonly Goal[], id: number | undefined): Goal | null {
	if (id === undefined) return null;
	const goal = goals.find((candidate) => candidate.id === id);
	if (!goal) throw invalid({ goal: [`The website has no goal ${id}.`] });
	return goal;
}

/** Refuses conversion metrics without a goal. */
function refuseWithoutGoal({ goal, metrics, breakdowns }: RawQuestion): void {
	if (goal !== undefined) return;
	const errors: Record<string, string[]> = {};
	const refuse = (field: string, names: readonly MetricName[]) => {
		const name = names.find((candidate) => metricOf(candidate).needsGoal);
		if (name) errors[field] = [`The metric ${name} needs the goal parameter.`];
	};
	refuse('metrics', metrics);
	for (const breakdown of breakdowns) {
		const { dimension, metrics: own, sortBy, prefix } = breakdown;
		if (dimension.name === 'goal') continue;
		refuse(`${prefix}metrics`, own);
		if (sortBy) refuse(`${prefix}sort_by`, [sortOf(breakdown).by]);
	}
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Refuses two dimensions that are the same, or goals: an event can reach several. */
function refuseCrossings({ breakdowns }: RawQuestion): void {
	const errors = breakdowns.flatMap(({ dimension, by, prefix }): [string, string[]][] => {
		if (!by) return [];
		if (dimension.name === 'goal' || by.name === 'goal')
			return [
				[
					`${prefix}by`,
					['Goals cannot be combined with a second dimension. Use the goal parameter instead.'],
				],
			];
		return writeDimension(dimension) === writeDimension(by)
			? [[`${prefix}by`, [`The second dimension must not be ${writeDimension(by)} again.`]]]
			: [];
	});
	if (errors.length > 0) throw invalid(Object.fromEntries(errors));
}

/** Refuses a change where nothing is compared: also before everything, as with the period `all`. */
function refuseWithoutComparison({ breakdowns }: RawQuestion, compared: Span | null): void {
	const errors = breakdowns.flatMap((breakdown): [string, string[]][] => {
		const { prefix, sortBy } = breakdown;
		if (!sortOf(breakdown).isByChange || (compared && breakdown.isCompared)) return [];
		const needed = prefix === '' ? 'a comparison' : 'a comparison, and compare_rows in this breakdown';
		return [[`${prefix}sort_by`, [`Sorting by ${sortBy} needs ${needed}.`]]];
	});
	if (errors.length > 0) throw invalid(Object.fromEntries(errors));
}
