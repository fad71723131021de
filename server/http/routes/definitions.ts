import { dimensionDefinitions, metricDefinitions } from '../../../api/stats.ts';
import { demand } from '../../accounts/authorize.ts';
import { dimensionNames, dimensions, property } from '../../stats/dimensions.ts';
import { metricNames, metricOf } from '../../stats/metrics.ts';
import { type Answer, type Call, json, type Route } from '../call.ts';
import { wantsCsv } from '../csv.ts';
import { csv } from '../stats-csv.ts';

async function listMetrics(call: Call): Promise<Answer> {
	demand(call.principal, 'definitions.read');
	const data = metricNames.map((name) => {
		const { label, definition, unit, needsGoal = false } = metricOf(name);
		return { name, label, definition, unit, needs_goal: needsGoal };
	});
	if (!wantsCsv(call.header('accept'))) return json(200, { data });
	return csv(['metrics'], ['name', 'label', 'definition', 'unit', 'needs_goal'], data, (one) => [
		one.name,
		one.label,
		one.definition,
		one.unit,
		one.needs_goal ? 1 : 0,
	]);
}

async function listDimensions(call: Call): Promise<Answer> {
	demand(call.principal, 'definitions.read');
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
}

export const definitionRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/metrics',
		tag: 'statistics',
		action: 'definitions.read',
		operationId: 'listMetrics',
		summary: 'List the metrics',
		about: 'What can be counted, and what each means.',
		answer: { status: 200, schema: metricDefinitions, about: 'The metrics.', csv: 'A row a metric.' },
		errors: [],
		handle: listMetrics,
	},
	{
		methods: ['GET'],
		path: '/dimensions',
		tag: 'statistics',
		action: 'definitions.read',
		operationId: 'listDimensions',
		summary: 'List the dimensions',
		about: 'What statistics can be broken down and filtered by.',
		answer: {
			status: 200,
			schema: dimensionDefinitions,
			about: 'The dimensions.',
			csv: 'A row a dimension.',
		},
		errors: [],
		handle: listDimensions,
	},
];
