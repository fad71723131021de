import { dimensionDefinitions, metricDefinitions } from '../../../../api/definitions.ts';
import { dimensionNames, dimensions, property } from '../../../stats/question/dimensions.ts';
import { metricNames, metricOf } from '../../../stats/question/metrics.ts';
import { wantsCsv } from '../csv.ts';
import { type AccountRoute, json } from '../route.ts';
import { csv } from '../stats-csv.ts';

const listMetrics: AccountRoute['handle'] = async (call) => {
	const data = metricNames.map((name) => {
		const { label, definition, unit, needsGoal = false } = metricOf(name);
		return { name, label, definition, unit, needs_goal: needsGoal };
	});
	if (!wantsCsv(call.header('accept'))) return json(200, { data });
	return csv(['metrics'], ['name', 'label', 'definition', 'unit', 'needs_goal'], data, (metric) => [
		metric.name,
		metric.label,
		metric.definition,
		metric.unit,
		metric.needs_goal ? 1 : 0,
	]);
};

const listDimensions: AccountRoute['handle'] = async (call) => {
	const data = [
		...dimensionNames.map((name) => ({ name, ...dimensions[name] })),
		{ name: 'property:NAME', ...property },
	];
	if (!wantsCsv(call.header('accept'))) return json(200, { data });
	return csv(
		['dimensions'],
		['name', 'label', 'definition', 'scope'],
		data,
		({ name, label, definition, scope }) => [name, label, definition, scope],
	);
};

export const definitionRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/metrics',
		tag: 'statistics',
		action: 'definitions.read',
		operationId: 'listMetrics',
		summary: 'List metrics',
		description: 'Returns all metrics with their definitions.',
		response: {
			status: 200,
			schema: metricDefinitions,
			description: 'The metrics.',
			csv: 'One row per metric.',
		},
		errors: [],
		handle: listMetrics,
	},
	{
		methods: ['GET'],
		path: '/dimensions',
		tag: 'statistics',
		action: 'definitions.read',
		operationId: 'listDimensions',
		summary: 'List dimensions',
		description: 'Returns all dimensions for breakdowns and filters.',
		response: {
			status: 200,
			schema: dimensionDefinitions,
			description: 'The dimensions.',
			csv: 'One row per dimension.',
		},
		errors: [],
		handle: listDimensions,
	},
];
