import { param, sql, word } from '../store/sql.ts';
import {
	type ActiveEvents,
	type Day,
	type Group,
	isOfDays,
	keyOf,
	type Runs,
	type Seal,
	type SealServices,
} from './sealing.ts';
import { isVisitDimension, storedDimensions } from './totals.ts';

export async function countEvents(
	{ clickhouse, signal }: SealServices,
	group: Group,
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
 * Nothing was lost or written twice: the runs have the events that there were before or after they were read, the totals
 * have what the runs have, and so has each dimension of visits in all its values.
 */
export async function checkCounts(services: SealServices, seal: Seal): Promise<void> {
	const after = await countEvents(services, seal);
	const runs = await sumRuns(services, seal.runs, seal);
	const totals = await sumTotals(services, seal);
	const none = { views: 0, events: 0, visits: 0, visitors: 0 };
	for (const day of seal.days) {
		const key = keyOf(day);
		const [least, most] = [seal.before.get(key) ?? none, after.get(key) ?? none];
		const derived = runs.get(key) ?? none;
		const total = totals.get(key) ?? { ...none, uneven: [] };
		const faults = [
			...(['views', 'events'] as const).filter(
				(name) => derived[name] < least[name] || derived[name] > most[name],
			),
			...(['views', 'events', 'visits', 'visitors'] as const).filter((name) => derived[name] !== total[name]),
			...total.uneven,
		];
		if (faults.length > 0) {
			const counted = JSON.stringify({ before: least, after: most, runs: derived, totals: total });
			throw new Error(
				`Generation ${seal.generation} of website ${day.websiteId} on ${day.date} is wrong in ${faults.join(', ')}: ${counted}.`,
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

async function sumRuns(
	{ clickhouse, signal }: SealServices,
	{ table, generation }: Runs,
	of: { days: readonly Day[] },
): Promise<Map<string, DerivedDay>> {
	const rows = await clickhouse.rows<DerivedRow>(
		sql`
		SELECT website_id, date, sum(r.views) AS views, sum(r.events) AS events, countIf(visitor_id != 0) AS visits,
			uniqExactIf(visitor_id, visitor_id != 0) AS visitors
		FROM ${word(table)} AS r
		WHERE ${isOfDays(of)} AND generation = ${param('UInt64', generation)}
		GROUP BY website_id, date`,
		{ as: 'ingest', name: 'seal', signal },
	);
	return new Map(rows.map(toDerived));
}

const visitDimensions = storedDimensions.filter(isVisitDimension);

/** `uneven` are the dimensions of visits whose values do not add up to the whole, each visit having one value. */
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
