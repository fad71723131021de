import { dropsAnswer, dropsQuery } from '../../../api/drops.ts';
import {
	aboutReasons,
	type DropCount,
	findFirstDrop,
	listDrops,
	listForeignHostnames,
} from '../../collect/drops.ts';
import { getAskedWebsite } from '../../stats/asked-website.ts';
import { resolvePeriod } from '../../stats/periods.ts';
import { getWebsite } from '../../websites/websites.ts';
import { dateOf } from '../../websites/zones.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { readParameters } from '../read-parameters.ts';

async function dropsOf(call: Call, { postgres, now }: Services): Promise<Answer> {
	const id = readId(call);
	// They tell of the website's settings, so they are for its people and not for shares.
	await getWebsite(postgres, call.principal, 'website.read', id);
	const { website } = await getAskedWebsite(postgres, call.principal, id);
	const { period, from, to } = readParameters(call.query, dropsQuery);
	const asOf = now();
	const { span, buckets } = resolvePeriod(
		{ zones: website.zones, firstDate: await findFirstDrop(postgres, id), now: asOf.getTime() },
		{ period, from, to, interval: 'day', compare: null },
	);
	const drops = await listDrops(postgres, id, span);
	const byDate = Map.groupBy(drops, ({ date }) => date);
	return json(200, {
		data: {
			total: sum(drops),
			reasons: reasonsOf(drops),
			days: buckets.map(({ from: date }) => {
				const here = byDate.get(date) ?? [];
				return {
					date,
					total: sum(here),
					reasons: Object.fromEntries(here.map(({ reason, count }) => [reason, count])),
				};
			}),
			foreign_hostnames: await listForeignHostnames(postgres, id, span),
		},
		meta: {
			from: span.from,
			to: span.to,
			timezone: dateOf(website.zones, asOf.getTime()).zone,
			as_of: asOf.toISOString(),
		},
	});
}

const sum = (drops: readonly DropCount[]): number => drops.reduce((total, { count }) => total + count, 0);

/** One that another version of the service knew. */
const unknown = { means: 'A reason that this version does not know.', advice: 'Nothing.' };

/** All that this version knows, also those that never were; the most frequent first. */
function reasonsOf(drops: readonly DropCount[]) {
	const found = Map.groupBy(drops, ({ reason }) => reason);
	const about = new Map<string, { means: string; advice: string }>(Object.entries(aboutReasons));
	return [...new Set([...about.keys(), ...found.keys()])]
		.map((reason) => ({
			reason,
			count: sum(found.get(reason) ?? []),
			...(about.get(reason) ?? unknown),
		}))
		.toSorted((a, b) => b.count - a.count);
}

export const dropRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/drops',
		tag: 'statistics',
		action: 'website.read',
		operationId: 'getDrops',
		summary: 'Get what was not counted',
		about:
			'Hits that were left out, by reason and by day of the website’s calendar: what each reason means, and what to do about it. Days are whole ones.',
		query: dropsQuery,
		answer: { status: 200, schema: dropsAnswer, about: 'The drops.' },
		errors: ['not_found', 'validation_failed'],
		handle: dropsOf,
	},
];
