/**
 * Restores the data of damaged ClickHouse parts from a backup of the same installation and keeps everything else.
 *
 * The rows of the backup are staged in separate tables, without websites, imports and months that no longer exist. Events are
 * compared by id, so each is stored once. Visits and totals are restored for the generations that `days` names; what the
 * backup lacks of them is derived again from the events. A repair that is killed can be run again.
 *
 * A day that has fewer events than its totals keeps its totals, because the backup may be older than the day.
 */
import { checkDays } from '../derive/check.ts';
import {
	type DamagedPart,
	dropSetAside,
	findLoss,
	type KeptTable,
	keptTables,
	type Loss,
	noteDamage,
} from '../derive/damage.ts';
import { type EventSelection, type HiddenEvents, isVisible } from '../derive/hidden-events.ts';
import { maxEventsPerStatement } from '../derive/seal.ts';
import { keyOf, type SealDay } from '../derive/seal-types.ts';
import { AppError } from '../lib/app-error.ts';
import { chunk } from '../lib/chunk.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { locks } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { identifier, join, param, type Sql, sql, value } from '../store/sql.ts';
import { closeBatch, noLogRange, openBatch } from '../write/batch.ts';
import { listClickHouseTables } from './contents.ts';
import { type Examined, refuseOtherSchema } from './examine.ts';
import type { BackupSource } from './read-blocks.ts';
import { dropStaged, type RepairServices, staged, stagedDays, stageRows } from './repair-stage.ts';

export type RepairOptions = BackupSource & { examined: Examined };

export type Repaired = {
	parts: DamagedPart[];
	/** Restored rows by table. */
	restored: Record<KeptTable, number>;
	/** Number of days with restored rows. */
	days: number;
	/** Days that still have fewer events than their totals. */
	lost: Loss[];
};

/** Without a backup, the damaged parts are deleted and the totals are kept. */
export async function repair(services: RepairServices, backup: RepairOptions | undefined): Promise<Repaired> {
	const { postgres, clickhouse } = services;
	if (clickhouse.cluster !== undefined)
		throw new AppError(
			'bad_request',
			'A ClickHouse cluster cannot be repaired from a backup file. Use its replicas or RESTORE of ClickHouse.',
		);
	const connection = await postgres.dedicatedConnection(() => undefined);
	try {
		// The lock also stops the job that drops leftover tables of backups.
		const [lock] = await connection.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${value(locks.backup)}::bigint) AS taken`,
		);
		if (!lock?.taken) throw new AppError('unavailable', 'A backup is running. Wait until it has finished.');
		if (backup) await refuseOtherSchema(postgres, clickhouse, backup.examined);
		const parts = await noteDamage(services);
		await detachUnreadable(clickhouse, parts);
		const repaired = backup
			? await restoreMissing(services, backup, parts)
			: { restored: noRows(), days: 0, lost: [] };
		await dropSetAside(services);
		await postgres.run(sql`DELETE FROM damaged_parts`);
		return { parts, ...repaired };
	} finally {
		await connection.end().catch(() => undefined);
	}
}

const noRows = (): Record<KeptTable, number> => ({ events: 0, visits: 0, totals: 0, totals_imported: 0 });

/** Detaches parts that cannot be read, so that their rows are missing and can be restored. */
async function detachUnreadable(clickhouse: ClickHouse, parts: readonly DamagedPart[]): Promise<void> {
	const active = await clickhouse.rows<{ table: string; part: string }>(
		sql`SELECT table, name AS part FROM system.parts WHERE database = currentDatabase() AND active`,
		{ as: 'migrate', name: 'repair' },
	);
	for (const { table, part } of parts)
		if (active.some((other) => other.table === table && other.part === part))
			await clickhouse.command(sql`ALTER TABLE ${identifier(table)} DETACH PART ${param('String', part)}`, {
				name: 'repair',
			});
}

async function restoreMissing(
	services: RepairServices,
	backup: RepairOptions,
	parts: readonly DamagedPart[],
): Promise<Omit<Repaired, 'parts'>> {
	const { postgres, clickhouse } = services;
	const checking = {
		postgres,
		clickhouse,
		signal: new AbortController().signal,
		atOnce: { events: maxEventsPerStatement },
	};
	const tables = [...new Set<KeptTable>(['events', ...parts.map(({ table }) => table)])];
	const months = monthsOf(parts);
	try {
		await stageRows(services, backup, tables);
		const short = await listShort(checking, await stagedDays(clickhouse));
		const events = await restoreEvents(
			services,
			(day) => months.has(day.date.slice(0, 7)) || short.has(keyOf(day)),
		);
		const restored = { ...noRows(), events: events.rows };
		const touched = new Map(events.days.map((day) => [keyOf(day), day]));
		for (const table of tables) {
			if (table === 'events') continue;
			const { rows, days } = await restoreDerived(services, table);
			restored[table] = rows;
			for (const day of days) touched.set(keyOf(day), day);
		}
		const days = [...touched.values()];
		const dates = [...days.map(({ date }) => date), ...[...months].flatMap(firstAndLast)].toSorted();
		// Sealed days that match their events are kept. The others are derived again: days newer than the backup, and days
		// that were rebuilt from the remaining events.
		const { differences } =
			dates.length === 0
				? { differences: [] }
				: await checkDays(checking, { from: dates[0], to: dates.at(-1) }, () => undefined);
		const lost = await findLossOf(checking, [...days, ...differences]);
		const isLost = new Set(lost.map(keyOf));
		await markDirty(
			postgres,
			differences.filter((day) => !isLost.has(keyOf(day))),
		);
		return { restored, days: days.length, lost };
	} finally {
		await dropStaged(clickhouse, tables);
	}
}

/** The months in the names of parts, as 2026-11. `totals_imported` is partitioned by year and compared as a whole. */
function monthsOf(parts: readonly DamagedPart[]): Set<string> {
	const months = parts.flatMap(
		({ part }) => /(?:^|_)(\d{4})(\d{2})_\d+_\d+_\d+/.exec(part)?.slice(1).join('-') ?? [],
	);
	return new Set(months);
}

function firstAndLast(month: string): [string, string] {
	const [year = 0, number = 0] = month.split('-').map(Number);
	return [`${month}-01`, new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)];
}

const distinct = (days: readonly SealDay[]): SealDay[] => [
	...new Map(days.map((day) => [keyOf(day), day])).values(),
];

type Checking = Parameters<typeof findLoss>[0];

async function findLossOf(checking: Checking, days: readonly SealDay[]): Promise<Loss[]> {
	const lost: Loss[] = [];
	for (const some of chunk(distinct(days), 1_000)) lost.push(...(await findLoss(checking, some)));
	return lost;
}

const listShort = async (checking: Checking, days: readonly SealDay[]): Promise<Set<string>> =>
	new Set((await findLossOf(checking, days)).map(keyOf));

/** Days within the data retention of their website. */
async function keptDays<D extends SealDay>(postgres: Postgres, days: readonly D[]): Promise<D[]> {
	const rows = await postgres.rows<{ id: number; rawFrom: string | null }>(
		sql`SELECT id, raw_from::text AS "rawFrom" FROM websites`,
	);
	const rawFrom = new Map(rows.map((row) => [row.id, row.rawFrom]));
	return days.filter(({ websiteId, date }) => {
		const from = rawFrom.get(websiteId);
		return from !== undefined && (from === null || date >= from);
	});
}

async function restoreEvents(
	{ postgres, clickhouse }: RepairServices,
	isDamaged: (day: SealDay) => boolean,
): Promise<{ rows: number; days: SealDay[] }> {
	const days = (await keptDays(postgres, await stagedDays(clickhouse))).filter(isDamaged);
	const columns = await columnsOf(clickhouse, 'events');
	const restored: SealDay[] = [];
	let rows = 0;
	for (const group of groupByWebsite(days)) {
		const websiteId = group[0]?.websiteId ?? 0;
		const isOfGroup = sql`website_id = ${param('UInt32', websiteId)} AND date IN ${param(
			'Array(Date)',
			group.map(({ date }) => date),
		)}`;
		// LIMIT BY, because an event may have been in ClickHouse and in the event log at the time of the backup.
		const missing = sql`SELECT * FROM ${staged('events')}
			WHERE ${isOfGroup} AND event_id NOT IN (SELECT event_id FROM events WHERE ${isOfGroup})
				${isVisible(await readDeleted(postgres, websiteId))}
			LIMIT 1 BY event_id`;
		const counted = await clickhouse.rows<{ date: string; events: string }>(
			sql`SELECT date, count() AS events FROM (${missing}) GROUP BY date ORDER BY date`,
			{ as: 'migrate', name: 'repair' },
		);
		if (counted.length === 0) continue;
		await insertAgain(clickhouse, 'events', columns, missing);
		for (const { date, events } of counted) {
			restored.push({ websiteId, date });
			rows += Number(events);
		}
	}
	return { rows, days: restored };
}

/** What traffic rules have deleted since. Of other deletions the values are not known any more. */
async function readDeleted(postgres: Queries, websiteId: number): Promise<HiddenEvents> {
	const deleted = await postgres.rows<{ selection: EventSelection }>(sql`
		SELECT selection FROM deletions
		WHERE website_id = ${value(websiteId)} AND name IS NOT NULL AND state IN ('deleting', 'deleted') ORDER BY id`);
	return { revision: 0, selections: deleted.map(({ selection }) => selection) };
}

/** Without deduplication: ClickHouse remembers the blocks of lost parts and would skip them. */
const insertAgain = (clickhouse: ClickHouse, table: KeptTable, columns: Sql, rows: Sql): Promise<void> =>
	clickhouse.command(sql`INSERT INTO ${identifier(table)} (${columns}) SELECT ${columns} FROM (${rows})`, {
		name: 'repair',
		settings: { insert_deduplicate: 0 },
	});

async function columnsOf(clickhouse: ClickHouse, table: KeptTable): Promise<Sql> {
	const tables = await listClickHouseTables(clickhouse);
	return join((tables.find(({ name }) => name === table)?.columns ?? []).map(identifier), ', ');
}

function groupByWebsite<D extends SealDay & { events: number }>(days: readonly D[]): D[][] {
	const groups: D[][] = [];
	let events = 0;
	for (const day of days) {
		const group = groups.at(-1);
		if (group && group[0]?.websiteId === day.websiteId && events + day.events <= maxEventsPerStatement) {
			group.push(day);
			events += day.events;
		} else {
			groups.push([day]);
			events = day.events;
		}
	}
	return groups;
}

const maxKeysPerStatement = 500;

/** Replaces whole generations of visits and totals, or whole imports, that have fewer rows than the backup. */
async function restoreDerived(
	{ postgres, clickhouse }: RepairServices,
	table: Exclude<KeptTable, 'events'>,
): Promise<{ rows: number; days: SealDay[] }> {
	const column = identifier(keptTables[table]);
	const count = async (name: Sql): Promise<Map<string, number>> => {
		const rows = await clickhouse.rows<{ id: string; rows: string }>(
			sql`SELECT concat(toString(website_id), ' ', toString(date), ' ', toString(${column})) AS id, count() AS rows
				FROM ${name} GROUP BY id`,
			{ as: 'migrate', name: 'repair' },
		);
		return new Map(rows.map(({ id, rows }) => [id, Number(rows)]));
	};
	const stored = await count(identifier(table));
	const inBackup = await count(staged(table));
	const current = new Set(
		(
			await postgres.rows<{ id: string }>(
				table === 'totals_imported'
					? sql`SELECT website_id || ' ' || date || ' ' || import_id AS id FROM imported_days`
					: sql`SELECT website_id || ' ' || date || ' ' || unnest(ARRAY[generation, provisional_generation]) AS id FROM days`,
			)
		).map(({ id }) => id),
	);
	const short = [...inBackup].filter(([id, rows]) => current.has(id) && (stored.get(id) ?? 0) < rows);
	const keys = short.map(([id]) => {
		const [websiteId = '', date = '', key = ''] = id.split(' ');
		return { websiteId: Number(websiteId), date, key };
	});
	const kept = table === 'visits' ? await keptDays(postgres, keys) : keys;
	const columns = await columnsOf(clickhouse, table);
	let rows = 0;
	for (const some of chunk(kept, maxKeysPerStatement)) {
		const isOfKeys = sql`(website_id, date, ${column}) IN arrayZip(
			${param(
				'Array(UInt32)',
				some.map(({ websiteId }) => websiteId),
			)},
			${param(
				'Array(Date)',
				some.map(({ date }) => date),
			)},
			${param(
				'Array(UInt64)',
				some.map(({ key }) => key),
			)})`;
		await clickhouse.command(sql`ALTER TABLE ${identifier(table)} DELETE WHERE ${isOfKeys}`, {
			name: 'repair',
			settings: { mutations_sync: '2' },
		});
		await insertAgain(clickhouse, table, columns, sql`SELECT * FROM ${staged(table)} WHERE ${isOfKeys}`);
		for (const { websiteId, date, key } of some) {
			const id = `${websiteId} ${date} ${key}`;
			rows += (inBackup.get(id) ?? 0) - (stored.get(id) ?? 0);
		}
	}
	return { rows, days: kept.map(({ websiteId, date }) => ({ websiteId, date })) };
}

/** Makes the job seal these days again. */
async function markDirty(postgres: Postgres, days: readonly SealDay[]): Promise<void> {
	if (days.length === 0) return;
	const touched = distinct(days).map(({ websiteId, date }) => ({ websiteId, date, events: 0 }));
	await postgres.transaction(async (tx) => closeBatch(tx, await openBatch(tx, noLogRange, touched)));
}
