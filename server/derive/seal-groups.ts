import { sql } from '../store/sql.ts';
import { offsetsOf } from '../websites/offsets.ts';
import { toZones, zonesColumn } from '../websites/zones.ts';
import { type Day, type Group, listed, type SealServices } from './sealing.ts';
import type { Offsets } from './visits.ts';

const maxDaysAtOnce = 1_000;
/** A statement may write to 100 partitions at most, which are months. */
const maxDatesAtOnce = 366;

type PlannedDay = Day & { size: number; offsets: Offsets; sinceMs: number | null };

/** Which of these days are derived together. Days that are gone, or no longer kept, are in no group. */
export async function planGroups({ postgres, atOnce }: SealServices, days: readonly Day[]): Promise<Group[]> {
	const rows = await postgres.rows<
		Day & {
			size: number;
			zones: { from: string; zone: string }[];
			resetAt: Date | null;
			tombstone: number;
		}
	>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date, size, ${zonesColumn} AS zones,
			(SELECT max(created_at) FROM tombstones t
				WHERE t.website_id = websites.id AND is_reset AND erased_at IS NULL) AS "resetAt",
			(SELECT coalesce(max(id), 0) FROM tombstones) AS tombstone
		FROM days JOIN websites ON websites.id = days.website_id
		JOIN ${listed(days)} AS asked (website_id, date) ON asked.website_id = days.website_id AND asked.date = days.date
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
		// An emptied website has an instant of its own, so nobody shares its statement.
		({ websiteId, date, offsets, sinceMs }) =>
			byDate && sinceMs === null ? `${date} ${JSON.stringify(offsets)}` : `${websiteId}`,
	);
	return [...groups.values()].flatMap((planned) =>
		cut(planned, atOnce.events).map((some) => {
			const { websiteId, sinceMs } = some[0] ?? { websiteId: 0, sinceMs: null };
			const dates = some.map(({ date }) => date).toSorted();
			const offsets = offsetsOf(zonesOf.get(websiteId) ?? [], dates[0] ?? '', dates.at(-1) ?? '');
			return { days: some.map(({ websiteId, date }) => ({ websiteId, date })), offsets, sinceMs, tombstone };
		}),
	);
}

/** In their order, so that each part has about as many events as a statement may read; what has more is alone. */
function cut(days: readonly PlannedDay[], maxEvents: number): PlannedDay[][] {
	const parts: PlannedDay[][] = [];
	let size = 0;
	for (const day of days) {
		const part = parts.at(-1);
		const dates = new Set(part?.map(({ date }) => date)).size;
		if (part && size + day.size <= maxEvents && part.length < maxDaysAtOnce && dates < maxDatesAtOnce) {
			part.push(day);
			size += day.size;
		} else {
			parts.push([day]);
			size = day.size;
		}
	}
	return parts;
}
