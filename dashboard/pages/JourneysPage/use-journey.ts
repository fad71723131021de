import { useQuery } from '@tanstack/react-query';
import { oneOf } from '../../../presentation/one-of.ts';
import { comparisonOf, parametersOf, type ViewQuery } from '../../../presentation/view-query.ts';
import { statistics } from '../../api-client.ts';
import { useParameters } from '../../stats/use-parameters.ts';

/** The state of the page, besides period and filters: what is asked, and how it is shown. */
const names = ['start', 'direction', 'steps', 'repeats', 'events', 'groups', 'view', 'path'] as const;
type Name = (typeof names)[number];

export const mostSteps = 5;
const usualSteps = 3;

export type JourneyView = ReturnType<typeof useJourneyView>;

/** The journey in the URL, where defaults are left out, and the URLs of others. */
export function useJourneyView() {
	const { values, hrefOf, set } = useParameters<Name>(names);
	const steps = Number(values.steps);
	return {
		start: /^(page|page_group|event|goal):/.test(values.start) ? values.start : 'page:/',
		direction: oneOf(['after', 'before'] as const, values.direction) ?? 'after',
		steps: Number.isInteger(steps) && steps >= 1 && steps <= mostSteps ? steps : usualSteps,
		isFolded: values.repeats !== '1',
		hasEvents: values.events === '1',
		isGrouped: values.groups === '1',
		isTable: values.view === 'table',
		path: values.path,
		hrefOf,
		set: (changed: Parameters<typeof set>[0]) => set(changed),
	};
}

export const stepsParameter = (steps: number): string | undefined =>
	steps === usualSteps ? undefined : String(steps);

/** The question of the page as parameters of the API, also for CSV. */
function journeyParameters(query: ViewQuery, view: JourneyView) {
	const { start, direction, steps, isFolded, hasEvents, isGrouped } = view;
	const { match_weekdays: matches, ...compared } = comparisonOf(query);
	return {
		...parametersOf(query),
		...compared,
		match_weekdays: matches?.toString(),
		...{ start, direction, steps: String(steps), folded: isFolded ? '1' : '0' },
		nodes: hasEvents ? 'all' : 'pages',
		grouped: isGrouped ? '1' : '0',
		limit: '7',
		paths: '20',
	};
}

/** The journey that is asked for. The one before stays until it is there. */
export function useJourney(website: number, query: ViewQuery, view: JourneyView) {
	const parameters = journeyParameters(query, view);
	const key = JSON.stringify(parameters);
	const result = useQuery({
		queryKey: ['stats', website, 'journeys', key],
		queryFn: ({ signal }) => statistics.journeys(website, parameters, signal),
		placeholderData: (before, previousQuery) => (previousQuery?.queryKey[1] === website ? before : undefined),
		refetchInterval: 60_000,
	});
	return { ...result, parameters };
}
