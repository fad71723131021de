import { AppError, gatherFaults, invalid } from '../lib/app-error.ts';
import type { Asked } from './asked-website.ts';
import type { Dimension } from './dimensions.ts';
import { type MetricName, metricNames, metricOf } from './metrics.ts';
import { resolvePeriod } from './periods.ts';
import type { Comparison, Filter, Goal, Interval, PeriodName, Question } from './question.ts';
import { readFilter } from './read-filter.ts';

type Faults = Record<string, string[]>;

/** A question as it was sent, each parameter read for itself. */
export type SentQuestion = {
	period: PeriodName;
	from: string | undefined;
	to: string | undefined;
	/** Null: no series is wanted. */
	series: SentSeries | null;
	metrics: readonly MetricName[];
	/** JSON of filters that all hold: the one that was sent, that of a segment. */
	filters: readonly { field: 'filters' | 'segment'; json: unknown }[];
	goal: number | undefined;
	breakdowns: readonly SentBreakdown[];
};

export type SentSeries = {
	interval: Interval | undefined;
	compare: 'none' | 'previous' | 'year' | 'custom';
	compareFrom: string | undefined;
	compareTo: string | undefined;
	matchWeekdays: boolean;
};

export type SentBreakdown = {
	dimension: Dimension;
	metrics: readonly MetricName[];
	sortBy: MetricName | undefined;
	descending: boolean;
	search: string | undefined;
	offset: number;
	limit: number;
	/** What its parameters are called in a fault: `breakdowns.0.`, or nothing. */
	prefix: string;
};

/** The question, or a 422 that names everything that is wrong with it. */
export function toQuestion(
	{ website, firstDate }: Asked,
	sent: SentQuestion,
	now: Date,
): { question: Question; interval: Interval } {
	const faults = gatherFaults();
	const { attempt } = faults;
	// In whole seconds, so that all who ask within one ask the same.
	const moment = { zones: website.zones, firstDate, now: Math.floor(now.getTime() / 1000) * 1000 };
	const time = attempt(() => {
		const { period, from, to, series } = sent;
		return resolvePeriod(moment, {
			period,
			from,
			to,
			interval: series?.interval,
			compare: series && readComparison(series),
		});
	});
	const filters = sent.filters.flatMap(({ field, json }) => {
		const part = attempt(() => named(field, () => readFilter(json, website.goals)));
		return part ? [part] : [];
	});
	const goal = attempt(() => findGoal(website.goals, sent.goal));
	attempt(() => refuseWithoutGoal(sent));
	faults.end();
	if (!time) throw new Error('A period without a fault was not resolved.');

	const metrics = new Set([...sent.metrics, ...sent.breakdowns.flatMap((breakdown) => breakdown.metrics)]);
	return {
		interval: time.interval,
		question: {
			website,
			span: time.span,
			compared: time.compared,
			buckets: sent.series ? time.buckets : null,
			comparedBuckets: time.comparedBuckets,
			// In the order of the table, so that all who ask for the same ask the same.
			metrics: metricNames.filter((name) => metrics.has(name)),
			filter: allOf(filters),
			goal: goal ?? null,
			breakdowns: sent.breakdowns.map((breakdown) => ({
				dimension: breakdown.dimension,
				sort: { by: sortOf(breakdown), descending: breakdown.descending },
				search: breakdown.search ?? null,
				offset: breakdown.offset,
				limit: breakdown.limit,
			})),
		},
	};
}

const sortOf = ({ sortBy, metrics: [first = 'visitors'] }: SentBreakdown): MetricName => sortBy ?? first;

function readComparison(sent: SentSeries): Comparison | null {
	const { compare: kind, matchWeekdays } = sent;
	const errors: Faults = {};
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

/** A saved filter may have outlived a goal that it names: then it is the segment that is at fault. */
function named<Result>(field: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		if (!(error instanceof AppError) || !error.errors) throw error;
		throw invalid({ [field]: Object.values(error.errors).flat() });
	}
}

function allOf(parts: readonly Filter[]): Filter | null {
	const [only] = parts;
	return parts.length > 1 ? { kind: 'and', parts } : (only ?? null);
}

function findGoal(goals: readonly Goal[], id: number | undefined): Goal | null {
	if (id === undefined) return null;
	const goal = goals.find((one) => one.id === id);
	if (!goal) throw invalid({ goal: [`The website has no goal ${id}.`] });
	return goal;
}

/** `conversions` of which goal? */
function refuseWithoutGoal({ goal, metrics, breakdowns }: SentQuestion): void {
	if (goal !== undefined) return;
	const errors: Faults = {};
	const refuse = (field: string, names: readonly MetricName[]) => {
		const name = names.find((one) => metricOf(one).needsGoal);
		if (name) errors[field] = [`The metric ${name} needs the goal parameter.`];
	};
	refuse('metrics', metrics);
	for (const { dimension, metrics: own, sortBy, prefix } of breakdowns) {
		if (dimension.name === 'goal') continue;
		refuse(`${prefix}metrics`, own);
		if (sortBy) refuse(`${prefix}sort_by`, [sortBy]);
	}
	if (Object.keys(errors).length > 0) throw invalid(errors);
}
