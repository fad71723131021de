/**
 * The time zones of a website. A new time zone applies from the next midnight of the old one. Earlier days keep their time
 * zone, because their salts are deleted and they cannot be divided again. Dates never go back: if it is still the previous day
 * in the new zone, the first day is longer instead.
 */
import { endOfDate, localDate, nextDate, previousDate } from '../lib/local-dates.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

/** The time zones with the instant and the local date from which they apply, oldest first; never empty. */
export type Zones = readonly { since: number; from: string; zone: string }[];

/** From the rows of `website_zones`, oldest first. */
export function toZones(rows: readonly { from: string; zone: string }[]): Zones {
	const zones: { since: number; from: string; zone: string }[] = [];
	for (const { from, zone } of rows) {
		const before = zones.at(-1);
		const since = before ? endOfDate(before.zone, previousDate(from)) : Number.NEGATIVE_INFINITY;
		zones.push({ since, from, zone });
	}
	return zones;
}

/** The local date of an instant, and its time zone. */
export function dateOf(zones: Zones, time: number): { zone: string; date: string } {
	const holding = zones.findLast(({ since }) => time >= since) ?? zones[0];
	if (!holding) throw new Error('The website has no time zone.');
	const date = localDate(holding.zone, time);
	const isTooEarly = date < holding.from;
	return { zone: holding.zone, date: isTooEarly ? holding.from : date };
}

/** The zones of a website as one JSON column of a SELECT over `websites`. */
export const zonesColumn = sql`(
	SELECT json_agg(json_build_object('from', from_date, 'zone', zone) ORDER BY from_date)
	FROM website_zones WHERE website_id = websites.id
)`;

export async function setFirstZone(tx: Queries, websiteId: number, zone: string): Promise<void> {
	await tx.run(sql`
		INSERT INTO website_zones (website_id, from_date, zone) VALUES (${value(websiteId)}, '0001-01-01', ${value(zone)})`);
}

/** A second change before midnight replaces the first. */
export async function changeZone(tx: Queries, websiteId: number, zone: string, time: number): Promise<void> {
	const rows = await tx.rows<{ from: string; zone: string }>(sql`
		SELECT from_date::text AS from, zone FROM website_zones WHERE website_id = ${value(websiteId)} ORDER BY from_date`);
	const from = nextDate(dateOf(toZones(rows), time).date);
	await tx.run(sql`
		INSERT INTO website_zones (website_id, from_date, zone) VALUES (${value(websiteId)}, ${value(from)}::date, ${value(zone)})
		ON CONFLICT (website_id, from_date) DO UPDATE SET zone = excluded.zone`);
}
