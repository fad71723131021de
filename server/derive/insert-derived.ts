import { join, param, type Sql, sql, value, word } from '../store/sql.ts';
import { sealedColumns } from './open-days.ts';
import {
	type Day,
	datesOf,
	isOfDays,
	type Runs,
	type Seal,
	type SealServices,
	websitesOf,
} from './sealing.ts';
import {
	type Counting,
	columnsOf,
	countNames,
	isVisitDimension,
	storedDimensions,
	totalsOf,
} from './totals.ts';
import { runsOf } from './visits.ts';

/** One statement of several. It says that the seal is alive: nobody takes what it has written for what a killed one left. */
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

export async function insertRuns(services: SealServices, seal: Seal): Promise<void> {
	const { offsets, sinceMs, runs } = seal;
	const dates = datesOf(seal);
	const columns = join(sealedColumns.map(word), ', ');
	for (const visitors of seal.pieces) {
		const found = runsOf({
			...{ websiteIds: websitesOf(seal), from: dates[0] ?? '', to: dates.at(-1) ?? '', dates },
			...{ columns: sealedColumns, offsets, sinceMs, visitors },
		});
		const statement = sql`
			INSERT INTO ${word(runs.table)} (website_id, date, generation, visitor_id, ${columns})
			SELECT website_id, date, ${param('UInt64', runs.generation)}, visitor_id, ${columns} FROM (${found})`;
		await write(services, seal, 'seal runs', statement);
	}
}

const storedCounts = countNames.filter((name) => name !== 'conversions');

/** The runs of a seal, or of some of its days, as a count wants them. */
function runsToCount(runs: Runs, of: { days: readonly Day[] }, counting: Counting): Sql {
	return sql`
	SELECT website_id, date, visitor_id, visitor_id AS active_visitor, toUnixTimestamp64Milli(start) AS start_ms,
		${join(columnsOf(counting).map(word), ', ')}
	FROM ${word(runs.table)}
	WHERE ${isOfDays(of)} AND generation = ${param('UInt64', runs.generation)}`;
}

function totalsToInsert(seal: Seal, counting: Counting, of: { days: readonly Day[] }, isOther: 0 | 1): Sql {
	const counts = join(storedCounts.map(word), ', ');
	return sql`
	INSERT INTO totals (website_id, dimension, date, generation, value, is_other, ${counts})
	SELECT website_id, dimension, date, ${param('UInt64', seal.generation)}, value, ${param('UInt8', isOther)}, ${counts}
	FROM (${totalsOf(counting, runsToCount(seal.runs, of, counting))})`;
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

/** All of a small day at once; of a large one few, and those of events, of which there are more than runs, fewer. */
function dimensionsAtOnce({ dimensionsAtOnce: most, goals }: Seal): StoredDimension[][] {
	const wanted = storedDimensions.filter((name) => name !== 'goal' || goals.length > 0);
	if (most >= wanted.length) return [wanted];
	const isOfRuns = (name: StoredDimension) => name === '' || isVisitDimension(name);
	return [
		...chunk(wanted.filter(isOfRuns), most),
		...chunk(
			wanted.filter((name) => !isOfRuns(name)),
			Math.max(1, Math.floor(most / 4)),
		),
	];
}

const chunk = <T>(of: readonly T[], size: number): T[][] =>
	Array.from({ length: Math.ceil(of.length / size) }, (_, index) =>
		of.slice(index * size, (index + 1) * size),
	);

/** What is left of a dimension that has more values than are stored, counted together: runs that have any of them. */
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
