/**
 * What a share link shows of the statistics. This is applied where a question is parsed, so it holds for every answer: its
 * filter is added to the question, its dates cut the period, and dimensions of hidden panels cannot be asked for.
 */
import type { ShareLimits, SharePanel } from '../../accounts/principal.ts';
import type { Faults } from '../../lib/app-error.ts';
import { type Dimension, type FilterDimension, writeDimension } from './dimensions.ts';
import { type MetricName, metricOf } from './metrics.ts';
import type { RawQuestion } from './parse-question.ts';
import type { Filter, FixedFilter, Goal } from './question.ts';
import { readFilter } from './read-filter.ts';
import { testsIn } from './shared-questions.ts';

/** The panel that shows a dimension. */
const panelOf: Record<FilterDimension['name'], SharePanel> = {
	page: 'pages',
	page_group: 'pages',
	entry_page: 'pages',
	exit_page: 'pages',
	hostname: 'pages',
	title: 'pages',
	source: 'sources',
	referrer: 'sources',
	channel: 'sources',
	utm_source: 'sources',
	utm_medium: 'sources',
	utm_campaign: 'sources',
	utm_term: 'sources',
	utm_content: 'sources',
	country: 'places',
	region: 'places',
	city: 'places',
	language: 'places',
	browser: 'devices',
	browser_version: 'devices',
	os: 'devices',
	os_version: 'devices',
	device: 'devices',
	screen: 'devices',
	event: 'conversions',
	goal: 'conversions',
	property: 'conversions',
	revenue: 'conversions',
	hour: 'hours',
	weekday: 'hours',
};

/** Refuses everything that the link does not show. Errors are added to `faults`. */
export function refuseOutsideLink(
	{ panels }: ShareLimits,
	{ goal, metrics, filters, breakdowns }: RawQuestion,
	own: Filter | null,
	{ add }: Faults,
): void {
	const isShown = (panel: SharePanel) => panels === null || panels.includes(panel);
	const isHidden = (dimension: FilterDimension) => !isShown(panelOf[dimension.name]);
	const refuse = (field: string, what: string) =>
		add({ [field]: [`This share link does not show ${what}.`] });
	const refuseDimension = (field: string, dimension: Dimension | undefined) => {
		if (dimension && isHidden(dimension)) refuse(field, writeDimension(dimension));
	};
	const refuseMetrics = (field: string, names: readonly MetricName[]) => {
		const name = names.find((metric) => metric === 'revenue' || metricOf(metric).needsGoal);
		if (name && !isShown('conversions')) refuse(field, name);
	};
	if (filters.some(({ field }) => field === 'segment')) refuse('segment', 'segments');
	if (goal !== undefined && !isShown('conversions')) refuse('goal', 'goals');
	refuseMetrics('metrics', metrics);
	const hidden = own && testsIn(own).find(({ dimension }) => isHidden(dimension));
	if (hidden) refuse('filters', writeDimension(hidden.dimension));
	for (const { prefix, dimension, by, metrics: its, sortBy } of breakdowns) {
		refuseDimension(`${prefix}dimension`, dimension);
		refuseDimension(`${prefix}by`, by);
		refuseMetrics(`${prefix}metrics`, its);
		if (sortBy !== undefined && /^(revenue|.*conversion.*)$/.test(sortBy) && !isShown('conversions'))
			refuse(`${prefix}sort_by`, sortBy);
	}
}

/** The fixed filter of the link, and those of the other links. */
export function fixedFilterOf(
	{ filter, otherFilters }: ShareLimits,
	own: Filter | null,
	goals: readonly Goal[],
): FixedFilter | null {
	const others = otherFilters.map((other) => readFilter(other, goals));
	return filter === null && others.length === 0
		? null
		: { filter: filter === null ? null : readFilter(filter, goals), own, others };
}
