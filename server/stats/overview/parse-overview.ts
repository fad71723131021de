import { type Faults, invalid } from '../../lib/app-error.ts';
import { type MetricName, metricOf } from '../question/metrics.ts';
import {
	type RawComparison,
	type RawQuestion,
	readComparison,
	readFilters,
} from '../question/parse-question.ts';
import { type OverviewSelection, type OverviewTime, resolveInUtc } from './overview-lines.ts';
import { type OverviewOrder, sortedMetric } from './overview-rows.ts';

/** A question about all websites as it was sent: each parameter is valid, their combination is not checked yet. */
export type RawOverview = Pick<
	RawQuestion,
	'period' | 'from' | 'to' | 'weekStart' | 'metrics' | 'filters'
> & {
	comparison: RawComparison;
	goal: string | undefined;
	sortBy: OverviewOrder['by'];
};

/** Returns the question, or throws a 422 with all errors, including those in `faults`. */
export function parseOverview(
	sent: RawOverview,
	now: Date,
	faults: Faults,
): OverviewSelection & { time: OverviewTime; goal: string | null } {
	const { attempt } = faults;
	const { period, from, to, weekStart, comparison, metrics, filters, goal, sortBy } = sent;
	const compare = attempt(() => readComparison(comparison)) ?? null;
	const time = { period, from, to, weekStart, compare };
	attempt(() => resolveInUtc(time, now, null));
	attempt(() => refuseOwn(filters));
	const filter = readFilters(filters, [], faults);
	attempt(() => refuseWithoutGoal(sent));
	if (comparison.compare === 'none' && /(^|_)change$/.test(sortBy))
		faults.add({ sort_by: [`Sorting by ${sortBy} needs a comparison.`] });
	faults.end();
	const sorted = sortedMetric(sortBy);
	return {
		time,
		filter,
		goal: goal ?? null,
		metrics: sorted && !metrics.includes(sorted) ? [...metrics, sorted] : metrics,
	};
}

/** Refuses conversion metrics without a goal. */
function refuseWithoutGoal({ goal, metrics, sortBy }: RawOverview): void {
	if (goal !== undefined) return;
	const errors: Record<string, string[]> = {};
	const refuse = (field: string, names: readonly (MetricName | undefined)[]) => {
		const name = names.find((candidate) => candidate && metricOf(candidate).needsGoal);
		if (name) errors[field] = [`The metric ${name} needs the goal parameter.`];
	};
	refuse('metrics', metrics);
	refuse('sort_by', [sortedMetric(sortBy)]);
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** Goals and page groups belong to one website. Filters that are nested too deep are refused when they are read. */
function refuseOwn(filters: RawOverview['filters']): void {
	const names = (dimension: string, json: unknown, depth: number): boolean => {
		if (!Array.isArray(json) || depth > 8) return false;
		const [word, ...rest]: unknown[] = json;
		return word === 'and' || word === 'or' || word === 'not'
			? rest.some((part) => names(dimension, part, depth + 1))
			: rest[0] === dimension;
	};
	if (filters.some(({ json }) => names('goal', json, 1)))
		throw invalid({
			filters: [
				'Goals belong to one website and cannot be in filters of all websites. Use the goal parameter.',
			],
		});
	if (filters.some(({ json }) => names('page_group', json, 1)))
		throw invalid({
			filters: ['Page groups belong to one website and cannot be in filters of all websites. Use page.'],
		});
}
