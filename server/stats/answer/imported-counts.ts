import type { Postgres } from '../../store/postgres.ts';
import { param, sql, value } from '../../store/sql.ts';
import { addCount, type DayCount, type DayCountQuery, noCount, type StoredCounts } from './day-counts.ts';
import { dateOfDay, dayOf } from './day-state-cache.ts';

/** Imported counts of the days of a website, for pages that show many websites. */
export type ImportedCounts = StoredCounts & {
	/** Whether the source of some day in between lacks a count that such a page shows. */
	isUnknown(first: number, last: number): boolean;
};

export const noImports: ImportedCounts = {
	sum: () => noCount,
	visitors: () => new Map(),
	isUnknown: () => false,
};

type ImportedDayRow = { websiteId: number; date: string; importId: number; isWhole: boolean };
type Row = { website_id: number; day: number; import_id: number } & DayCount;

/** By website; most have none. Days with own events are excluded. */
export async function readImportedCounts(
	postgres: Postgres,
	ask: DayCountQuery,
	websiteIds: readonly number[],
	{ from, to }: { from: string; to: string },
): Promise<ReadonlyMap<number, ImportedCounts>> {
	if (websiteIds.length === 0) return new Map();
	const imported = await postgres.rowsUnprepared<ImportedDayRow>(sql`
		SELECT i.website_id AS "websiteId", i.date::text AS date, import_id AS "importId",
			given->'' @> '["visitors", "visits", "views", "bounces", "seconds"]' AS "isWhole"
		FROM imported_days AS i JOIN imports ON imports.id = import_id
		WHERE i.website_id = ANY(${value(websiteIds)}) AND i.date BETWEEN ${value(from)}::date AND ${value(to)}::date
			AND kind = 'totals'
			AND NOT EXISTS (SELECT 1 FROM days WHERE days.website_id = i.website_id AND days.date = i.date)`);
	if (imported.length === 0) return new Map();
	const ids = [...new Set(imported.map(({ websiteId }) => websiteId))];
	const days = imported.map(({ date }) => dayOf(date));
	const rows = await ask<Row>(sql`
		SELECT website_id, toUInt32(date) AS day, toFloat64(import_id) AS import_id, toFloat64(sum(t.visitors)) AS visitors,
			toFloat64(sum(t.visits)) AS visits, toFloat64(sum(t.views)) AS views, toFloat64(sum(t.bounces)) AS bounces,
			toFloat64(sum(t.seconds)) AS seconds
		FROM totals_imported AS t
		WHERE website_id IN ${param('Array(UInt32)', ids)} AND dimension = ''
			AND date BETWEEN ${param('Date', dateOfDay(Math.min(...days)))} AND ${param('Date', dateOfDay(Math.max(...days)))}
		GROUP BY website_id, day, import_id`);
	const counts = new Map(rows.map((row) => [keyOf(row.website_id, row.day, row.import_id), row]));
	return new Map(
		[...Map.groupBy(imported, ({ websiteId }) => websiteId)].map(([websiteId, own]) => [
			websiteId,
			toCounts(
				own.map(({ date, importId, isWhole }) => ({
					day: dayOf(date),
					count: counts.get(keyOf(websiteId, dayOf(date), importId)) ?? noCount,
					isWhole,
				})),
			),
		]),
	);
}

const keyOf = (websiteId: number, day: number, importId: number): string => `${websiteId} ${day} ${importId}`;

function toCounts(days: readonly { day: number; count: DayCount; isWhole: boolean }[]): ImportedCounts {
	const between = (first: number, last: number) => days.filter(({ day }) => day >= first && day <= last);
	return {
		sum(first, last) {
			const sum = { ...noCount };
			for (const { count } of between(first, last)) addCount(sum, count);
			return sum;
		},
		visitors: (first, last) => new Map(between(first, last).map(({ day, count }) => [day, count.visitors])),
		isUnknown: (first, last) => between(first, last).some(({ isWhole }) => !isWhole),
	};
}
