import { identifier, param, sql } from '../store/sql.ts';
import { isVisitDimension, storedDimensions } from './counts.ts';
import { isVisible } from './hidden-events.ts';
import {
	type ActiveEvents,
	isOfDays,
	keyOf,
	type Seal,
	type SealDay,
	type SealGroup,
	type SealServices,
	type VisitTable,
} from './seal-types.ts';

export async function countEvents(
	{ clickhouse, signal }: Pick<SealServices, 'clickhouse' | 'signal'>,
	group: Pick<SealGroup, 'days' | 'sinceMs' | 'hidden'>,
): Promise<Map<string, ActiveEvents>> {
	const rows = await clickhouse.rows<{
		website_id: number;
		date: string;
		views: string;
		events: string;
		size: string;
	}>(
		sql`
		SELECT website_id, date, countIf(kind = 'pageview') AS views, countIf(kind = 'custom') AS events, count() AS size
		FROM events
		WHERE ${isOfDays(group)}
			${group.sinceMs === null ? sql`` : sql`AND time >= fromUnixTimestamp64Milli(${param('Int64', group.sinceMs)}, 'UTC')`}
			${isVisible(group.hidden)}
		GROUP BY website_id, date`,
		{ as: 'ingest', name: 'seal', signal },
	);
	return new Map(
		rows.map((row) => [
			keyOf({ websiteId: row.website_id, date: row.date }),
			{ views: Number(row.views), events: Number(row.events), size: Number(row.size) },
		]),
	);
}

type DerivedDay = Record<'views' | 'events' | 'visits' | 'visitors', number>;

/**
 * Asserts that nothing was lost or written twice: the visits have as many events as there were before or after they were read,
 * the totals match the visits, and so does the sum over the values of each visit dimension.
 */
export async function checkCounts(services: SealServices, seal: Seal): Promise<void> {
	const after = await countEvents(services, seal);
	const visits = await sumVisits(services, seal.visits, seal);
	const totals = await sumTotals(services, seal);
	const none = { views: 0, events: 0, visits: 0, visitors: 0 };
	for (const day of seal.days) {
		const key = keyOf(day);
		const [least, most] = [seal.before.get(key) ?? none, after.get(key) ?? none];
		const derived = visits.get(key) ?? none;
		const total = totals.get(key) ?? { ...none, uneven: [] };
		const faults = [
			...(['views', 'events'] as const).filter(
				(name) => derived[name] < least[name] || derived[name] > most[name],
			),
			...(['views', 'events', 'visits', 'visitors'] as const).filter((name) => derived[name] !== total[name]),
			...total.uneven,
		];
		if (faults.length > 0) {
			const counted = JSON.stringify({ before: least, after: most, visits: derived, totals: total });
			throw new Error(
				`Generation ${seal.generation} of website ${day.websiteId} on ${day.date} has wrong counts (${faults.join(', ')}): ${counted}`,
			);
		}
	}
}

type DerivedRow = Record<'views' | 'events' | 'visits' | 'visitors', string> & {
	website_id: number;
	date: string;
};

const toDerived = (row: DerivedRow): [string, DerivedDay] => [
	keyOf({ websiteId: row.website_id, date: row.date }),
	{
		views: Number(row.views),
		events: Number(row.events),
		visits: Number(row.visits),
		visitors: Number(row.visitors),
	},
];

async function sumVisits(
	{ clickhouse, signal }: SealServices,
	{ table, generation }: VisitTable,
	group: { days: readonly SealDay[] },
): Promise<Map<string, DerivedDay>> {
	const rows = await clickhouse.rows<DerivedRow>(
		sql`
		SELECT website_id, date, sum(r.views) AS views, sum(r.events) AS events, countIf(visitor_id != 0) AS visits,
			uniqExactIf(visitor_id, visitor_id != 0) AS visitors
		FROM ${identifier(table)} AS r
		WHERE ${isOfDays(group)} AND generation = ${param('UInt64', generation)}
		GROUP BY website_id, date`,
		{ as: 'ingest', name: 'seal', signal },
	);
	return new Map(rows.map(toDerived));
}

const visitDimensions = storedDimensions.filter(isVisitDimension);

/** `uneven`: visit dimensions whose values do not add up to the total, although each visit has exactly one value. */
async function sumTotals(
	{ clickhouse, signal }: SealServices,
	seal: Seal,
): Promise<Map<string, DerivedDay & { uneven: string[] }>> {
	const rows = await clickhouse.rows<DerivedRow & { even: string[] }>(
		sql`
		SELECT website_id, date, sumIf(d.views, dimension = '') AS views, sumIf(d.events, dimension = '') AS events,
			sumIf(d.visits, dimension = '') AS visits, sumIf(d.visitors, dimension = '') AS visitors,
			arrayMap(sums -> sums.1, arrayFilter(
				sums -> sums.2 = views AND sums.3 = events AND sums.4 = visits,
				groupArray((toString(dimension), d.views, d.events, d.visits))
			)) AS even
		FROM (
			SELECT website_id, date, dimension, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits,
				sum(t.visitors) AS visitors
			FROM totals AS t
			WHERE ${isOfDays(seal)} AND generation = ${param('UInt64', seal.generation)}
			GROUP BY website_id, date, dimension
		) AS d
		GROUP BY website_id, date`,
		{ as: 'ingest', name: 'seal', signal },
	);
	return new Map(
		rows.map((row) => {
			const [key, sums] = toDerived(row);
			return [key, { ...sums, uneven: visitDimensions.filter((name) => !row.even.includes(name)) }];
		}),
	);
}
