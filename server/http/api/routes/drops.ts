import { dropsAnswer, dropsQuery } from '../../../../api/drops.ts';
import {
	aboutReasons,
	type DropCount,
	findFirstDrop,
	listDrops,
	listForeignHostnames,
	listRuleDrops,
} from '../../../ingest/drops.ts';
import { gatherFaults } from '../../../lib/app-error.ts';
import { resolvePeriod } from '../../../stats/question/periods.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { dateOf } from '../../../websites/zones.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { json, type WebsiteRoute } from '../route.ts';

const dropsOf: WebsiteRoute['handle'] = async (call, { postgres, now }) => {
	const { website } = await getStatsContext(postgres, call.principal, call.website);
	const { id } = website;
	const faults = gatherFaults();
	const { period, from, to, week_start: weekStart } = readParameters(call.query, dropsQuery, faults);
	const asOf = now();
	const firstDate = await findFirstDrop(postgres, id);
	const { span, buckets } = faults.last(() =>
		resolvePeriod(
			{ zones: website.zones, firstDate, now: asOf.getTime() },
			{ period, from, to, weekStart, interval: 'day', compare: null },
		),
	);
	const drops = await listDrops(postgres, id, span);
	const byDate = Map.groupBy(drops, ({ date }) => date);
	return json(200, {
		data: {
			total: sum(drops),
			reasons: reasonsOf(drops),
			days: buckets.map(({ from: date }) => {
				const dropsOfDay = byDate.get(date) ?? [];
				return {
					date,
					total: sum(dropsOfDay),
					reasons: Object.fromEntries(dropsOfDay.map(({ reason, count }) => [reason, count])),
				};
			}),
			foreign_hostnames: await listForeignHostnames(postgres, id, span),
			rules: await listRuleDrops(postgres, id, span),
		},
		meta: {
			from: span.from,
			to: span.to,
			timezone: dateOf(website.zones, asOf.getTime()).zone,
			as_of: asOf.toISOString(),
		},
	});
};

const sum = (drops: readonly DropCount[]): number => drops.reduce((total, { count }) => total + count, 0);

/** A reason that a newer version recorded. */
const unknown = { means: 'A reason that this version does not know.', advice: 'Nothing.' };

/** All known reasons, also those without drops; the most frequent first. */
function reasonsOf(drops: readonly DropCount[]) {
	const byReason = Map.groupBy(drops, ({ reason }) => reason);
	const known = new Map<string, { means: string; advice: string }>(Object.entries(aboutReasons));
	return [...new Set([...known.keys(), ...byReason.keys()])]
		.map((reason) => ({
			reason,
			count: sum(byReason.get(reason) ?? []),
			...(known.get(reason) ?? unknown),
		}))
		.toSorted((a, b) => b.count - a.count);
}

export const dropRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/drops',
		tag: 'statistics',
		// Drops reveal settings of the website, so they are not public.
		action: 'stats.drops',
		operationId: 'getDrops',
		summary: 'Get excluded traffic',
		description:
			'Returns excluded hits by reason and day, with an explanation and advice for each reason. Only whole days are supported.',
		query: dropsQuery,
		response: { status: 200, schema: dropsAnswer, description: 'The excluded traffic.' },
		errors: ['not_found', 'validation_failed'],
		handle: dropsOf,
	},
];
