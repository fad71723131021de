import { type Count, countNames } from '../../derive/counts.ts';
import type { Postgres } from '../../store/postgres.ts';
import { identifier, join, param, sql, value } from '../../store/sql.ts';
import { dateOfDay, dayOf } from '../answer/day-state-cache.ts';
import {
	type CountLists,
	countAt,
	countLists,
	type DayCount,
	type DayCountQuery,
	noCount,
	type StoredCounts,
	toStoredCounts,
} from './counted-days.ts';

/** Imported counts of the days of a website, for pages that show many websites. */
export type ImportedCounts = StoredCounts & {
	hasDays(first: number, last: number): boolean;
	/** The counts that the source of some day in between lacks. */
	missing(first: number, last: number): ReadonlySet<Count>;
};

export const noImports: ImportedCounts = {
	...toStoredCounts([], new Map()),
	hasDays: () => false,
	missing: () => new Set(),
};

type ImportedDayRow = { websiteId: number; date: string; importId: number; supplied: Count[] | null };

/** By website; most have none. Days with own events are excluded. */
export async function readImportedCounts(
	postgres: Postgres,
	ask: DayCountQuery,
	names: readonly Count[],
	websiteIds: readonly number[],
	{ from, to }: { from: string; to: string },
): Promise<ReadonlyMap<number, ImportedCounts>> {
	if (websiteIds.length === 0) return new Map();
	const imported = await postgres.rowsUnprepared<ImportedDayRow>(sql`
		SELECT i.website_id AS "websiteId", i.date::text AS date, import_id AS "importId", given->'' AS supplied
		FROM imported_days AS i JOIN imports ON imports.id = import_id
		WHERE i.website_id = ANY(${value(websiteIds)}) AND i.date BETWEEN ${value(from)}::date AND ${value(to)}::date
			AND kind = 'totals'
			AND NOT EXISTS (SELECT 1 FROM days WHERE days.website_id = i.website_id AND days.date = i.date)`);
	if (imported.length === 0) return new Map();
	const ids = [...new Set(imported.map(({ websiteId }) => websiteId))];
	const days = imported.map(({ date }) => dayOf(date));
	const sums = names.map((name) => {
		const column = sql`i.${identifier(name)}`;
		return sql`${name === 'revenue' ? sql`sumMap(${column})` : sql`sum(${column})`} AS ${identifier(name)}`;
	});
	const rows = await ask<CountLists & { import_ids: number[] }>(sql`
		SELECT ${countLists(names)}, groupArray(toFloat64(import_id)) AS import_ids
		FROM (
			SELECT website_id, date, import_id, ${join(sums, ', ')}
			FROM totals_imported AS i
			WHERE website_id IN ${param('Array(UInt32)', ids)} AND dimension = ''
				AND date BETWEEN ${param('Date', dateOfDay(Math.min(...days)))} AND ${param('Date', dateOfDay(Math.max(...days)))}
			GROUP BY website_id, date, import_id
		) AS t
		GROUP BY website_id`);
	const counts = new Map(
		rows.flatMap((row) =>
			row.days.map((day, index): [string, DayCount] => [
				keyOf(row.website_id, day, row.import_ids[index] ?? 0),
				countAt(row, names, index),
			]),
		),
	);
	return new Map(
		[...Map.groupBy(imported, ({ websiteId }) => websiteId)].map(([websiteId, own]) => [
			websiteId,
			toCounts(
				own.map(({ date, importId, supplied }) => ({
					day: dayOf(date),
					count: counts.get(keyOf(websiteId, dayOf(date), importId)) ?? noCount,
					supplied: supplied ?? [],
				})),
			),
		]),
	);
}

const keyOf = (websiteId: number, day: number, importId: number): string => `${websiteId} ${day} ${importId}`;

function toCounts(
	days: readonly { day: number; count: DayCount; supplied: readonly Count[] }[],
): ImportedCounts {
	const between = (first: number, last: number) => days.filter(({ day }) => day >= first && day <= last);
	return {
		...toStoredCounts(
			days.map(({ day }) => day),
			new Map(days.map(({ day, count }) => [day, count])),
		),
		hasDays: (first, last) => between(first, last).length > 0,
		missing: (first, last) =>
			new Set(
				between(first, last).flatMap(({ supplied }) => countNames.filter((name) => !supplied.includes(name))),
			),
	};
}
