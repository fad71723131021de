/**
 * What an assistant may ask: a list of tools, each of which is one GET of the API with the caller's own key. So what a tool can
 * see is what the key can see, and no tool can change anything. They give aggregates, because the API has nothing else.
 */
import { z } from 'zod';
import { metricNames, statsQuery } from '../../api/stats.ts';

/** The path and the parameters of a GET below `/api/v1`. */
export type Reading = { path: string; parameters?: Readonly<Record<string, unknown>> };

export type Tool = {
	name: string;
	title: string;
	about: string;
	input: z.ZodObject;
	/** One GET, or several whose answers are given together, by name. */
	ask(input: Record<string, unknown>): Reading | Record<string, Reading>;
};

const websiteId = z.int().min(1).meta({ description: 'The id of a website; list_websites tells them.' });

const { period, from, to, interval, compare, compare_from, compare_to, match_weekdays, goal, segment } =
	statsQuery.shape;
const time = { period: period.optional(), from, to };
const which = {
	metrics: z
		.array(z.literal([...metricNames]))
		.min(1)
		.optional()
		.meta({ description: 'What to count. explain tells what each means.' }),
	goal: z
		.int()
		.min(1)
		.optional()
		.meta({ description: describe(goal) }),
	segment: z
		.int()
		.min(1)
		.optional()
		.meta({ description: describe(segment) }),
	filters: z.array(z.unknown()).optional().meta({
		description:
			'Which visits: ["is", "country", ["DE", "AT"]], ["contains", "page", ["/blog"]]; also is_not, not_contains, starts_with, and ["and" | "or" | "not", …] of filters.',
	}),
};
const page = {
	page: z.int().min(1).optional(),
	per_page: z.int().min(1).max(100).optional(),
};

export const tools: readonly Tool[] = [
	{
		name: 'list_websites',
		title: 'Websites',
		about: 'The websites that the key can see, with their ids, domains and time zones.',
		input: z.object({
			search: z.string().optional().meta({ description: 'Only domains that contain this text.' }),
			...page,
		}),
		ask: (parameters) => ({ path: '/websites', parameters }),
	},
	{
		name: 'get_statistics',
		title: 'Statistics',
		about:
			'Totals and a series over time of a website: visitors, visits, page views, bounce rate, revenue and so on; filtered, and compared with an earlier time if asked.',
		input: z.object({
			website_id: websiteId,
			...time,
			interval,
			compare: compare.optional(),
			...{ compare_from, compare_to },
			match_weekdays: z
				.literal([0, 1])
				.optional()
				.meta({ description: describe(match_weekdays) }),
			...which,
		}),
		ask: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/stats`, parameters }),
	},
	{
		name: 'get_breakdown',
		title: 'Breakdown',
		about:
			'The same counts by one dimension: pages, sources, channels, countries, browsers, campaigns, events, goals, hours and others. explain lists them.',
		input: z.object({
			website_id: websiteId,
			dimension: z
				.string()
				.regex(/^[a-z_]+$|^property:./)
				.meta({ description: 'Such as page, source, country, event, goal, or property:plan.' }),
			...time,
			...which,
			sort_by: z
				.literal([...metricNames])
				.optional()
				.meta({ description: 'Default: the first of metrics.' }),
			sort: z.literal(['desc', 'asc']).optional(),
			search: z.string().optional().meta({ description: 'Only values that contain this text.' }),
			...page,
		}),
		ask: ({ website_id, dimension, ...parameters }) => ({
			path: `/websites/${website_id}/stats/${encodeURIComponent(String(dimension))}`,
			parameters,
		}),
	},
	{
		name: 'get_live',
		title: 'Who is there now',
		about: 'How many visitors are on a website now, and on which pages, in the last half hour.',
		input: z.object({ website_id: websiteId }),
		ask: ({ website_id }) => ({ path: `/websites/${website_id}/live` }),
	},
	{
		name: 'list_saved',
		title: 'What is saved with a website',
		about:
			'Goals, funnels, saved filters (segments) and notes of a website, with the ids that other tools take.',
		input: z.object({ website_id: websiteId }),
		ask: ({ website_id }) =>
			Object.fromEntries(
				['goals', 'funnels', 'segments', 'notes'].map((kind) => [
					kind,
					{ path: `/websites/${website_id}/${kind}`, parameters: { per_page: 100 } },
				]),
			),
	},
	{
		name: 'get_funnel',
		title: 'Funnel',
		about: 'How many visits reached each step of a funnel, and where they left.',
		input: z.object({
			website_id: websiteId,
			funnel_id: z.int().min(1).meta({ description: 'list_saved tells them.' }),
			...time,
			...{ segment: which.segment, filters: which.filters },
		}),
		ask: ({ website_id, funnel_id, ...parameters }) => ({
			path: `/websites/${website_id}/funnels/${funnel_id}/stats`,
			parameters,
		}),
	},
	{
		name: 'get_web_vitals',
		title: 'Web vitals',
		about: 'How fast pages were for visitors: LCP, INP, CLS, FCP and TTFB, where the website sends them.',
		input: z.object({ website_id: websiteId, ...time }),
		ask: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/vitals`, parameters }),
	},
	{
		name: 'get_dropped_hits',
		title: 'What was not counted',
		about: 'How many hits of a website were not counted, by reason and day, and what to do about each.',
		input: z.object({ website_id: websiteId, ...time }),
		ask: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/drops`, parameters }),
	},
	{
		name: 'explain',
		title: 'What the numbers mean',
		about: 'The definition of every metric and every dimension, word for word as people are told it.',
		input: z.object({}),
		ask: () => ({ metrics: { path: '/metrics' }, dimensions: { path: '/dimensions' } }),
	},
];

/** The words that the API's own parameter is described by. */
function describe(schema: z.ZodType): string {
	return schema.meta()?.description ?? '';
}

/** As it is asked: `/websites/7/stats` and `period=7d&metrics=visitors,visits`. */
export type Asked = { path: string; query: string };

export function toAsked({ path, parameters = {} }: Reading): Asked {
	const query = new URLSearchParams();
	for (const [name, given] of Object.entries(parameters)) {
		if (given === undefined) continue;
		if (name === 'filters') query.set(name, JSON.stringify(given));
		else query.set(name, Array.isArray(given) ? given.join(',') : String(given));
	}
	return { path, query: query.toString() };
}
