/**
 * The MCP tools. Each runs GET requests of the API with the caller's key, so a tool sees what the key can see and changes
 * nothing.
 */
import { z } from 'zod';
import { changesQuery } from '../../api/changes.ts';
import { journeysQuery } from '../../api/journeys.ts';
import { overviewQuery } from '../../api/overview.ts';
import { changeNames, metricNames, statsQuery } from '../../api/stats.ts';

/** The path and the parameters of a GET below `/api/v1`. */
export type ApiRead = { path: string; parameters?: Readonly<Record<string, unknown>> };

export type Tool = {
	name: string;
	title: string;
	description: string;
	input: z.ZodObject;
	/** One GET, or several by name, whose results are returned together. */
	read(input: Record<string, unknown>): ApiRead | Record<string, ApiRead>;
};

const websiteId = z.int().min(1).meta({ description: 'The id of a website, from list_websites.' });

const {
	period,
	from,
	to,
	week_start,
	interval,
	compare,
	compare_from,
	compare_to,
	match_weekdays,
	goal,
	segment,
} = statsQuery.shape;
const time = { period: period.optional(), from, to, week_start: week_start.optional() };
const selection = {
	metrics: z
		.array(z.literal([...metricNames]))
		.min(1)
		.optional()
		.meta({ description: 'The metrics. explain returns their definitions.' }),
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
			'Selects visits: ["is", "country", ["DE", "AT"]], ["contains", "page", ["/blog"]]; also starts_with, ends_with, wildcard (* in the whole value), matches (RE2), each with not_ (is_not), and with {"case_sensitive": false} as fourth element. ["is_set", "property:plan"], is_not_set. ["greater_than", "property:price", 10], also at_least, less_than, at_most, between [10, 20], and of revenue or revenue:EUR. Combine with ["and" | "or" | "not", …].',
	}),
};
const comparison = {
	compare: compare.optional(),
	compare_from,
	compare_to,
	match_weekdays: z
		.literal([0, 1])
		.optional()
		.meta({ description: describe(match_weekdays) }),
};
const page = {
	page: z.int().min(1).optional(),
	per_page: z.int().min(1).max(100).optional(),
};

export const tools: readonly Tool[] = [
	{
		name: 'list_websites',
		title: 'Websites',
		description: 'The websites that the key can read, with their ids, domains and time zones.',
		input: z.object({
			search: z.string().optional().meta({ description: 'Only domains that contain this text.' }),
			...page,
		}),
		read: (parameters) => ({ path: '/websites', parameters }),
	},
	{
		name: 'compare_websites',
		title: 'Compare websites',
		description:
			'The same metrics for every website that the key can read, with the change from the compared period and the sum of all. Websites are sorted by visitors, or by sort_by.',
		input: z.object({
			...time,
			...comparison,
			metrics: selection.metrics,
			filters: selection.filters,
			goal: z
				.string()
				.optional()
				.meta({ description: describe(overviewQuery.shape.goal) }),
			label: z.string().optional().meta({ description: 'Only websites with this label.' }),
			search: z.string().optional().meta({ description: 'Only domains that contain this text.' }),
			sort_by: z
				.string()
				.optional()
				.meta({ description: 'A metric, or the change of one such as visits_change.' }),
			sort: z.literal(['desc', 'asc']).optional(),
			...page,
			per_page: z.literal([10, 25, 50, 100, 250, 500, 1_000]).optional(),
		}),
		read: (parameters) => ({ path: '/stats', parameters }),
	},
	{
		name: 'get_statistics',
		title: 'Statistics',
		description:
			'Totals and a time series for a website: visitors, visits, page views, bounce rate, revenue and so on, with optional filters and comparison.',
		input: z.object({
			website_id: websiteId,
			...time,
			interval,
			...comparison,
			...selection,
		}),
		read: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/stats`, parameters }),
	},
	{
		name: 'get_breakdown',
		title: 'Breakdown',
		description:
			'The same metrics by one dimension, or by two at once: pages, sources, channels, countries, browsers, campaigns, events, goals, hours and others. explain lists them. With compare, each row has the values of the comparison and the change, and sort_by visitors_change lists what grew most, with sort asc what fell most.',
		input: z.object({
			website_id: websiteId,
			dimension: z
				.string()
				.regex(/^[a-z_]+$|^property:./)
				.meta({ description: 'For example page, source, country, event, goal or property:plan.' }),
			by: z
				.string()
				.optional()
				.meta({ description: 'A second dimension: each row then has a value of both. Not goal.' }),
			...time,
			...selection,
			...comparison,
			sort_by: z
				.literal([...metricNames, ...changeNames])
				.optional()
				.meta({ description: 'Default: the first of metrics. With compare also a change: visitors_change.' }),
			sort: z.literal(['desc', 'asc']).optional(),
			search: z.string().optional().meta({ description: 'Only values that contain this text.' }),
			...page,
		}),
		read: ({ website_id, dimension, ...parameters }) => ({
			path: `/websites/${website_id}/stats/${encodeURIComponent(String(dimension))}`,
			parameters,
		}),
	},
	{
		name: 'explain_change',
		title: 'What changed',
		description:
			'Why a metric rose or fell: the difference between a period and its comparison, divided exactly by source, page, country and other dimensions, the ones that explain it best first, and one sentence. For a ratio such as bounce_rate its numerator and denominator are divided.',
		input: z.object({
			website_id: websiteId,
			...time,
			...comparison,
			compare: changesQuery.shape.compare.optional(),
			metric: changesQuery.shape.metric.optional(),
			currency: changesQuery.shape.currency,
			goal: selection.goal,
			segment: selection.segment,
			filters: selection.filters,
			limit: z
				.int()
				.min(1)
				.max(100)
				.optional()
				.meta({ description: describe(changesQuery.shape.limit) }),
			language: changesQuery.shape.language.optional(),
		}),
		read: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/what-changed`, parameters }),
	},
	{
		name: 'get_live',
		title: 'Current visitors',
		description: 'The current visitors of a website and their pages, and the last 30 minutes.',
		input: z.object({ website_id: websiteId }),
		read: ({ website_id }) => ({ path: `/websites/${website_id}/live` }),
	},
	{
		name: 'list_saved',
		title: 'Saved items',
		description:
			'The goals, funnels, segments (saved filters) and notes of a website, with the ids that other tools take.',
		input: z.object({ website_id: websiteId }),
		read: ({ website_id }) =>
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
		description: 'The number of visits that reached each step of a funnel.',
		input: z.object({
			website_id: websiteId,
			funnel_id: z.int().min(1).meta({ description: 'From list_saved.' }),
			...time,
			segment: selection.segment,
			filters: selection.filters,
		}),
		read: ({ website_id, funnel_id, ...parameters }) => ({
			path: `/websites/${website_id}/funnels/${funnel_id}/stats`,
			parameters,
		}),
	},
	{
		name: 'get_journeys',
		title: 'Journeys',
		description:
			'What visits did after a page, page group, event or goal, or before it: up to five steps with the visits at each page, the links between them, exits, and the most frequent whole paths.',
		input: z.object({
			website_id: websiteId,
			start: journeysQuery.shape.start.optional(),
			direction: journeysQuery.shape.direction.optional(),
			steps: z.int().min(1).max(5).optional(),
			nodes: journeysQuery.shape.nodes.optional(),
			grouped: z
				.literal([0, 1])
				.optional()
				.meta({ description: describe(journeysQuery.shape.grouped) }),
			...time,
			segment: selection.segment,
			filters: selection.filters,
			...comparison,
		}),
		read: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/journeys`, parameters }),
	},
	{
		name: 'get_web_vitals',
		title: 'Web vitals',
		description: 'Page performance for visitors: LCP, INP, CLS, FCP and TTFB, if the website sends them.',
		input: z.object({ website_id: websiteId, ...time }),
		read: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/vitals`, parameters }),
	},
	{
		name: 'get_dropped_hits',
		title: 'Excluded traffic',
		description:
			'The hits of a website that were not counted, by reason and day, with advice for each reason.',
		input: z.object({ website_id: websiteId, ...time }),
		read: ({ website_id, ...parameters }) => ({ path: `/websites/${website_id}/drops`, parameters }),
	},
	{
		name: 'explain',
		title: 'Definitions',
		description: 'The definition of every metric and dimension.',
		input: z.object({}),
		read: () => ({ metrics: { path: '/metrics' }, dimensions: { path: '/dimensions' } }),
	},
];

/** The description of the same parameter in the API. */
function describe(schema: z.ZodType): string {
	return schema.meta()?.description ?? '';
}

/** `/websites/7/stats` and `period=7d&metrics=visitors,visits`. */
export type ApiCall = { path: string; query: string };

export function toApiCall({ path, parameters = {} }: ApiRead): ApiCall {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value === undefined) continue;
		if (name === 'filters') query.set(name, JSON.stringify(value));
		else query.set(name, Array.isArray(value) ? value.join(',') : String(value));
	}
	return { path, query: query.toString() };
}
