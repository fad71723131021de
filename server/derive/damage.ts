/**
 * Data that ClickHouse has lost. At its start ClickHouse detaches parts that it cannot read (`detached/broken-on-start_…`) and continues
 * without them, and a query that reads a part with wrong checksums fails. Totals must then not be replaced by totals of the remaining
 * events.
 */
import { AppError } from '../lib/app-error.ts';
import { chunk } from '../lib/chunk.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, param, sql, value } from '../store/sql.ts';
import { countEvents } from './check-counts.ts';
import { type HiddenEvents, hiddenColumn } from './hidden-events.ts';
import { dayRows, keyOf, type SealDay, type SealServices } from './seal-types.ts';

/** Tables whose rows cannot be derived from others, and what identifies a row besides its website and date. */
export const keptTables = {
	events: 'event_id',
	visits: 'generation',
	totals: 'generation',
	totals_imported: 'import_id',
} as const;

export type KeptTable = keyof typeof keptTables;
export type DamagedPart = { table: KeptTable; part: string };

type Databases = { postgres: Queries; clickhouse: ClickHouse };

const isKept = (table: string): table is KeptTable => Object.hasOwn(keptTables, table);

/** All damaged parts that were neither restored nor given up. Read-only, and works with a schema of any version. */
export async function findDamage(
	{ postgres, clickhouse }: Databases,
	signal?: AbortSignal,
): Promise<DamagedPart[]> {
	const [schema] = await postgres.rows<{ isThere: boolean }>(
		sql`SELECT to_regclass('damaged_parts') IS NOT NULL AS "isThere"`,
	);
	const noted = schema?.isThere
		? await postgres.rows<DamagedPart>(
				sql`SELECT table_name AS "table", part FROM damaged_parts ORDER BY table_name, part`,
			)
		: [];
	const damaged = [
		...(await listSetAside(clickhouse, signal)),
		...(await listUnreadable(clickhouse, signal)),
	].flatMap(({ table, part }) => (isKept(table) ? [{ table, part }] : []));
	const parts = new Map(
		[...noted, ...damaged].map((damaged) => [`${damaged.table} ${damaged.part}`, damaged]),
	);
	return [...parts.values()];
}

/** The same, and records new ones, so that they are known after the files are deleted or the process restarts. */
export async function noteDamage(services: Databases, signal?: AbortSignal): Promise<DamagedPart[]> {
	const damaged = await findDamage(services, signal);
	if (damaged.length > 0)
		await services.postgres.run(sql`
			INSERT INTO damaged_parts (table_name, part)
			SELECT * FROM unnest(${value(damaged.map(({ table }) => table))}::text[], ${value(damaged.map(({ part }) => part))}::text[])
			ON CONFLICT DO NOTHING`);
	return damaged;
}

/**
 * Parts of our tables that ClickHouse has detached as broken. Not for a cluster: its nodes fetch a detached part again from a
 * replica.
 */
async function listSetAside(
	clickhouse: ClickHouse,
	signal?: AbortSignal,
): Promise<{ table: string; part: string }[]> {
	if (clickhouse.cluster !== undefined) return [];
	return clickhouse.rows(
		sql`SELECT table, name AS part FROM system.detached_parts
			WHERE database = currentDatabase() AND coalesce(reason, '') NOT IN ('ignored', 'clone', 'attaching', 'deleting')
			ORDER BY table, name`,
		{ name: 'damage', ...(signal && { signal }) },
	);
}

/** Parts that could not be read since this process started. */
async function listUnreadable(
	clickhouse: ClickHouse,
	signal?: AbortSignal,
): Promise<{ table: string; part: string }[]> {
	const unreadable = clickhouse.unreadableParts();
	if (unreadable.length === 0 || clickhouse.cluster !== undefined) return [];
	const tables = await clickhouse.rows<{ table: string; uuid: string }>(
		sql`SELECT name AS table, toString(uuid) AS uuid FROM system.tables WHERE database = currentDatabase()`,
		{ name: 'damage', ...(signal && { signal }) },
	);
	return unreadable.flatMap(({ uuid, part }) => {
		const table = tables.find((row) => row.uuid === uuid)?.table;
		return table !== undefined && isKept(table) ? [{ table, part }] : [];
	});
}

/**
 * Deletes the files of detached parts. Deletions of rows do not reach them, so every erasure calls this; the record of the damage
 * stays. With `olderThanDays`, only parts that were found at least so long ago.
 */
export async function dropSetAside(
	services: Databases,
	{ signal, olderThanDays = 0 }: { signal?: AbortSignal; olderThanDays?: number } = {},
): Promise<number> {
	const { postgres, clickhouse } = services;
	await noteDamage(services, signal);
	const recent = await postgres.rows<DamagedPart>(sql`
		SELECT table_name AS "table", part FROM damaged_parts
		WHERE found_at > now() - make_interval(days => ${value(olderThanDays)})`);
	const kept = new Set(olderThanDays > 0 ? recent.map(({ table, part }) => `${table} ${part}`) : []);
	const parts = (await listSetAside(clickhouse, signal)).filter(
		({ table, part }) => !kept.has(`${table} ${part}`),
	);
	for (const { table, part } of parts)
		await clickhouse.command(
			sql`ALTER TABLE ${identifier(table)} DROP DETACHED PART ${param('String', part)}`,
			{
				name: 'damage',
				settings: { allow_drop_detached: 1 },
				...(signal && { signal }),
			},
		);
	return parts.length;
}

export type Loss = SealDay & { views: number; events: number };

type LossServices = Pick<SealServices, 'postgres' | 'clickhouse' | 'signal'>;

/** Days with fewer events than their totals counted, and how many are missing. */
export async function findLoss(services: LossServices, days: readonly SealDay[]): Promise<Loss[]> {
	const { postgres, clickhouse, signal } = services;
	const sealed = await postgres.rows<SealDay & { generation: number; hidden: HiddenEvents | null }>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date,
			greatest(generation, provisional_generation) AS generation,
			CASE WHEN deletions_revision <= sealed_revision THEN ${hiddenColumn} END AS hidden
		FROM days JOIN ${dayRows(days)} AS requested (website_id, date) USING (website_id, date)
		JOIN websites ON websites.id = days.website_id
		WHERE greatest(generation, provisional_generation) > 0 AND (raw_from IS NULL OR days.date >= raw_from)`);
	if (sealed.length === 0) return [];
	const counted = await clickhouse.rows<{ website_id: number; date: string; views: string; events: string }>(
		sql`SELECT website_id, date, sum(t.views) AS views, sum(t.events) AS events FROM totals AS t
			WHERE dimension = '' AND website_id IN ${param('Array(UInt32)', [...new Set(sealed.map(({ websiteId }) => websiteId))])}
				AND generation IN ${param('Array(UInt64)', [...new Set(sealed.map(({ generation }) => generation))])}
				AND date IN ${param('Array(Date)', [...new Set(sealed.map(({ date }) => date))])}
				AND (website_id, date, generation) IN arrayZip(
					${param(
						'Array(UInt32)',
						sealed.map(({ websiteId }) => websiteId),
					)},
					${param(
						'Array(Date)',
						sealed.map(({ date }) => date),
					)},
					${param(
						'Array(UInt64)',
						sealed.map(({ generation }) => generation),
					)})
			GROUP BY website_id, date`,
		{ as: 'ingest', name: 'damage', signal },
	);
	const there = new Map<string, { views: number; events: number }>();
	// What was hidden since a seal, it has counted.
	const groups = Map.groupBy(sealed, ({ websiteId, hidden }) =>
		hidden?.selections.length ? websiteId : null,
	);
	for (const [first, ...others] of groups.values()) {
		if (!first) continue;
		const group = { days: [first, ...others], sinceMs: null, hidden: first.hidden };
		for (const [key, count] of await countEvents(services, group)) there.set(key, count);
	}
	return counted.flatMap(({ website_id: websiteId, date, ...totals }) => {
		const present = there.get(keyOf({ websiteId, date })) ?? { views: 0, events: 0 };
		const views = Math.max(0, Number(totals.views) - present.views);
		const events = Math.max(0, Number(totals.events) - present.events);
		return views + events > 0 ? [{ websiteId, date, views, events }] : [];
	});
}

/** The lists of days are parameters of a statement. */
const daysAtOnce = 1_000;

const restoreAdvice = 'Restore them from a backup: tidemark repair FILE.';

export function describeDamage(damaged: readonly DamagedPart[]): string {
	const [first] = damaged;
	return `ClickHouse could not read ${damaged.length === 1 ? 'a part' : `${damaged.length} parts`} of its tables (such as ${first?.part} of ${first?.table}); the data in ${damaged.length === 1 ? 'it is' : 'them is'} missing.`;
}

function describeLoss(lost: readonly Loss[]): string {
	const dates = lost.map(({ date }) => date).toSorted();
	const views = lost.reduce((sum, loss) => sum + loss.views, 0);
	const events = lost.reduce((sum, loss) => sum + loss.events, 0);
	const days =
		lost.length === 1
			? `${dates[0]} of website ${lost[0]?.websiteId} has`
			: `${lost.length} days of websites between ${dates[0]} and ${dates.at(-1)} have`;
	return `${days} fewer events than their totals counted: ${views} page views and ${events} custom events are missing.`;
}

export const lossError = (lost: readonly Loss[]): AppError =>
	new AppError('unavailable', `${describeLoss(lost)} The totals are kept. ${restoreAdvice}`);

/** Refuses to derive or compare days while events are missing. `override` names the option that skips this check. */
export async function refuseDamaged(
	services: LossServices,
	days: readonly SealDay[],
	override: string,
): Promise<void> {
	const damaged = (await findDamage(services)).filter(({ table }) => table === 'events');
	const lost: Loss[] = [];
	for (const some of chunk(days, daysAtOnce)) lost.push(...(await findLoss(services, some)));
	if (damaged.length === 0 && lost.length === 0) return;
	throw new AppError(
		'unavailable',
		[
			...(damaged.length > 0 ? [describeDamage(damaged)] : []),
			...(lost.length > 0 ? [describeLoss(lost)] : ['No sealed total of these days is affected.']),
			restoreAdvice,
			override,
		].join(' '),
	);
}
