import { sql } from '../store/sql.ts';
import { offsetsOf } from '../websites/offsets.ts';
import { toZones, zonesColumn } from '../websites/zones.ts';
import { type HiddenEvents, hiddenColumn } from './hidden-events.ts';
import { dayRows, type SealDay, type SealGroup, type SealServices } from './seal-types.ts';
import type { Offsets } from './visits.ts';

const maxDaysAtOnce = 1_000;
const maxDatesAtOnce = 366;
/** Partitions are months, and a statement may write to at most 100 (`max_partitions_per_insert_block`). */
const maxMonthsAtOnce = 100;

type PlannedDay = SealDay & {
	size: number;
	offsets: Offsets;
	sinceMs: number | null;
	hidden: HiddenEvents | null;
};

/** Groups days that are derived by one statement. Days that were deleted or are no longer retained are in no group. */
export async function planGroups(
	{ postgres, atOnce }: SealServices,
	days: readonly SealDay[],
): Promise<SealGroup[]> {
	const rows = await postgres.rows<
		SealDay & {
			size: number;
			zones: { from: string; zone: string }[];
			resetAt: Date | null;
			hidden: HiddenEvents | null;
			tombstone: number;
		}
	>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date, size, ${zonesColumn} AS zones,
			(SELECT max(created_at) FROM tombstones t
				WHERE t.website_id = websites.id AND is_reset AND erased_at IS NULL) AS "resetAt", ${hiddenColumn} AS hidden,
			(SELECT coalesce(max(id), 0) FROM tombstones) AS tombstone
		FROM days JOIN websites ON websites.id = days.website_id
		JOIN ${dayRows(days)} AS requested (website_id, date) ON requested.website_id = days.website_id AND requested.date = days.date
		WHERE raw_from IS NULL OR days.date >= raw_from
		ORDER BY days.date, days.website_id`);
	const zonesOf = new Map(rows.map(({ websiteId, zones }) => [websiteId, toZones(zones)]));
	const tombstone = rows[0]?.tombstone ?? 0;
	const byDate = zonesOf.size > new Set(rows.map(({ date }) => date)).size;
	const groups = Map.groupBy(
		rows.map((row): PlannedDay => {
			const zones = zonesOf.get(row.websiteId) ?? [];
			const sinceMs = row.resetAt?.getTime() ?? null;
			return { ...row, sinceMs, offsets: offsetsOf(zones, row.date, row.date) };
		}),
		// A website that was reset has its own `sinceMs`, and one with hidden events its own condition, so they cannot share a statement.
		({ websiteId, date, offsets, sinceMs, hidden }) =>
			byDate && sinceMs === null && hidden === null ? `${date} ${JSON.stringify(offsets)}` : `${websiteId}`,
	);
	return [...groups.values()].flatMap((planned) =>
		cut(planned, atOnce.events).map((part) => {
			const { websiteId, sinceMs, hidden } = part[0] ?? { websiteId: 0, sinceMs: null, hidden: null };
			const dates = part.map(({ date }) => date).toSorted();
			const offsets = offsetsOf(zonesOf.get(websiteId) ?? [], dates[0] ?? '', dates.at(-1) ?? '');
			const days = part.map(({ websiteId, date }) => ({ websiteId, date }));
			return { days, offsets, sinceMs, hidden, tombstone };
		}),
	);
}

/** Cuts days, in their order, into parts with about as many events as a statement may read; a larger day is a part of its own. */
function cut(days: readonly PlannedDay[], maxEvents: number): PlannedDay[][] {
	const parts: { days: PlannedDay[]; dates: Set<string>; months: Set<string>; size: number }[] = [];
	for (const day of days) {
		const month = day.date.slice(0, 7);
		let part = parts.at(-1);
		const fits =
			part &&
			part.size + day.size <= maxEvents &&
			part.days.length < maxDaysAtOnce &&
			part.dates.size < maxDatesAtOnce &&
			(part.months.has(month) || part.months.size < maxMonthsAtOnce);
		if (!part || !fits) {
			part = { days: [], dates: new Set(), months: new Set(), size: 0 };
			parts.push(part);
		}
		part.days.push(day);
		part.dates.add(day.date);
		part.months.add(month);
		part.size += day.size;
	}
	return parts.map((part) => part.days);
}
