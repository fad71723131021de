import { chunk } from '../lib/chunk.ts';
import { identifier, join, param, type Sql, sql, value } from '../store/sql.ts';
import { countNames, isGoalCount, isVisitDimension, storedDimensions } from './counts.ts';
import { storedColumns } from './open-visits.ts';
import {
	datesOf,
	isOfDays,
	type Seal,
	type SealDay,
	type SealServices,
	type VisitTable,
	websitesOf,
} from './seal-types.ts';
import { type Counting, columnsOf, totalsOf } from './totals.ts';
import { visitRowsOf } from './visits.ts';

/** Runs one statement of a seal, and marks the seal as alive, so that its rows are not deleted as those of a killed one. */
async function write(
	services: SealServices,
	{ generation }: Seal,
	name: string,
	statement: Sql,
): Promise<void> {
	const { postgres, clickhouse, now, signal } = services;
	signal.throwIfAborted();
	await postgres.run(sql`
		UPDATE dead_generations SET died_at = ${value(now())} WHERE generation = ${value(generation)}`);
	await clickhouse.command(statement, { as: 'ingest', name, signal });
}

export async function insertVisits(services: SealServices, seal: Seal): Promise<void> {
	const { offsets, sinceMs, hidden, visits } = seal;
	const dates = datesOf(seal);
	const columns = join(storedColumns.map(identifier), ', ');
	for (const visitors of seal.pieces) {
		const rows = visitRowsOf({
			websiteIds: websitesOf(seal),
			from: dates[0] ?? '',
			to: dates.at(-1) ?? '',
			dates,
			columns: storedColumns,
			offsets,
			sinceMs,
			hidden,
			visitors,
		});
		const statement = sql`
			INSERT INTO ${identifier(visits.table)} (website_id, date, generation, visitor_id, ${columns})
			SELECT website_id, date, ${param('UInt64', visits.generation)}, visitor_id, ${columns} FROM (${rows})`;
		await write(services, seal, 'seal runs', statement);
	}
}

const storedCounts = countNames.filter((name) => !isGoalCount(name));

/** The visits of some days, with the columns that a count reads. */
function visitsToCount(visits: VisitTable, group: { days: readonly SealDay[] }, counting: Counting): Sql {
	return sql`
	SELECT website_id, date, visitor_id, visitor_id AS active_visitor, toUnixTimestamp64Milli(start) AS start_ms,
		${join(columnsOf(counting).map(identifier), ', ')}
	FROM ${identifier(visits.table)}
	WHERE ${isOfDays(group)} AND generation = ${param('UInt64', visits.generation)}`;
}

function totalsToInsert(
	seal: Seal,
	counting: Counting,
	group: { days: readonly SealDay[] },
	isOther: 0 | 1,
): Sql {
	const counts = join(storedCounts.map(identifier), ', ');
	return sql`
	INSERT INTO totals (website_id, dimension, date, generation, value, is_other, ${counts})
	SELECT website_id, dimension, date, ${param('UInt64', seal.generation)}, value, ${param('UInt8', isOther)}, ${counts}
	FROM (${totalsOf(counting, visitsToCount(seal.visits, group, counting))})`;
}

export async function insertTotals(services: SealServices, seal: Seal): Promise<void> {
	const { goals, cap } = seal;
	for (const names of dimensionsAtOnce(seal)) {
		const dimensions = names.map((name) => ({ name }));
		const counting = { dimensions, counts: storedCounts, goals, timing: null };
		const statement = sql`${totalsToInsert(seal, counting, seal, 0)}
			ORDER BY visitors DESC, views DESC, value LIMIT ${param('UInt64', cap)} BY website_id, date, dimension`;
		await write(services, seal, 'seal totals', statement);
	}
}

type StoredDimension = (typeof storedDimensions)[number];

/** Dimensions per statement: all for a small day, few for a large one, and fewer that are counted over events. */
function dimensionsAtOnce({ dimensionsAtOnce: most, goals }: Seal): StoredDimension[][] {
	const wanted = storedDimensions.filter((name) => name !== 'goal' || goals.length > 0);
	if (most >= wanted.length) return [wanted];
	const isOfVisits = (name: StoredDimension) => name === '' || isVisitDimension(name);
	return [
		...chunk(wanted.filter(isOfVisits), most),
		...chunk(
			wanted.filter((name) => !isOfVisits(name)),
			Math.max(1, Math.floor(most / 4)),
		),
	];
}

/** One row for all values of a dimension beyond those that are stored. */
export async function insertOthers(services: SealServices, seal: Seal): Promise<void> {
	const { clickhouse, signal } = services;
	const full = await clickhouse.rows<{ website_id: number; date: string; dimension: StoredDimension }>(
		sql`
		SELECT website_id, date, dimension FROM totals
		WHERE ${isOfDays(seal)} AND generation = ${param('UInt64', seal.generation)} AND dimension NOT IN ('', 'goal')
		GROUP BY website_id, date, dimension
		HAVING count() >= ${param('UInt64', seal.cap)}
		ORDER BY website_id, date, dimension`,
		{ as: 'ingest', name: 'seal', signal },
	);
	for (const { website_id: websiteId, date, dimension } of full) {
		const without = sql`
			SELECT value FROM totals
			WHERE website_id = ${param('UInt32', websiteId)} AND dimension = ${param('String', dimension)}
				AND date = ${param('Date', date)} AND generation = ${param('UInt64', seal.generation)}`;
		const dimensions = [{ name: dimension }];
		const counting = { dimensions, counts: storedCounts, goals: [], timing: null, without };
		const statement = totalsToInsert(seal, counting, { days: [{ websiteId, date }] }, 1);
		await write(services, seal, 'seal others', statement);
	}
}
