/**
 * Merges the websites of another installation, from its backup, into this one.
 *
 * Existing data does not change, and merged data keeps its values: events keep their ids, sealed days are copied (their events
 * may be gone), and sequences that order things are raised above those of both installations.
 *
 * The order: the archive's PostgreSQL rows are staged in temporary tables and checked; each website gets its new id, which is
 * stored; its rows are written to ClickHouse, where no query uses that id yet; then one transaction inserts accounts, websites
 * and all other records. A merge that is killed can be run again: it first deletes what it wrote under these ids. A website that
 * was merged is not merged again, even if it comes through a third installation.
 */
import { AppError } from '../lib/app-error.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { locks } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { identifier, param, type Sql, sql, value } from '../store/sql.ts';
import { listClickHouseTables, listTables } from './contents.ts';
import { type Examined, refuseOtherSchema, unknownTable } from './examine.ts';
import { makePlan } from './merge-plan.ts';
import { insertRecords } from './merge-records.ts';
import { writeLog, writeRows } from './merge-rows.ts';
import { orderingSequences, stageRows } from './merge-stage.ts';
import { hasSecondFactor, passwordHashPattern } from './merge-tables.ts';
import type { MergeOptions, MergePlan, MergeServices } from './merge-types.ts';
import { findDeadGenerations } from './restore.ts';

export type MergedWebsite = {
	domain: string;
	oldId: number;
	/** Null in a dry run. */
	id: number | null;
	account: string;
};

export type Merged = {
	websites: MergedWebsite[];
	/** Number of websites merged earlier. */
	known: number;
	newAccounts: string[];
	/** New accounts that need a link to set a password: they had a second factor, or an unknown password hash. */
	withoutPassword: string[];
	/** Webhook alerts, whose URLs are encrypted with the secret of the other installation. */
	alertsLeft: number;
	events: number;
};

export async function mergeArchive(services: MergeServices, options: MergeOptions): Promise<Merged> {
	const { postgres, clickhouse } = services;
	await refuseOtherSchema(postgres, clickhouse, options.examined);
	await refuseForeignEntries(postgres, clickhouse, options.examined);
	const stage = await postgres.dedicatedConnection(() => undefined);
	try {
		const [lock] = await stage.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${value(locks.merge)}::bigint) AS taken`,
		);
		if (!lock?.taken)
			throw new AppError('unavailable', 'Another merge is running. Wait until it has finished.');
		const last = await stageRows(services, options, stage);
		const plan = await makePlan(stage, options);
		if (options.isDryRun || plan.websites.length === 0) return await summarize(stage, plan, 0);
		const ids = await assignIds(services, stage, plan, last);
		const isOurs = isOfWebsites(ids);
		const since = await readResets(stage);
		const imports = await readMap(stage, sql`map_imports`);
		await writeRows(services, options, { ids, since, imports });
		const late = await writeLog(services, stage, { ids, since, imports });
		await insertRecords(services.now, stage, plan, late);
		await findDeadGenerations(postgres, clickhouse, services.now, isOurs);
		const [counted] = await clickhouse.rows<{ events: string }>(
			sql`SELECT count() AS events FROM events WHERE ${isOurs}`,
		);
		return await summarize(stage, plan, Number(counted?.events ?? 0));
	} finally {
		await stage.end().catch(() => undefined);
	}
}

const isOfWebsites = (ids: ReadonlyMap<number, number>): Sql =>
	sql`website_id IN ${param('Array(UInt32)', [...ids.values()])}`;

async function readMap(stage: Queries, table: Sql): Promise<Map<number, number>> {
	const rows = await stage.rows<{ old: number; new: number }>(sql`SELECT old, new FROM ${table}`);
	return new Map(rows.map((row) => [row.old, row.new]));
}

/** Throws if the archive has tables or columns that do not exist here. */
async function refuseForeignEntries(postgres: Postgres, clickhouse: ClickHouse, { manifest }: Examined) {
	const ours = {
		postgres: await listTables(postgres),
		clickhouse: await listClickHouseTables(clickhouse),
	};
	for (const { kind, table, columns } of manifest.entries) {
		if (kind !== 'postgres' && kind !== 'clickhouse') continue;
		const known = ours[kind].find(({ name }) => name === table);
		const hasWebsite = kind === 'postgres' || columns.includes('website_id');
		if (!known || !hasWebsite || columns.some((column) => !known.columns.includes(column)))
			throw unknownTable(table);
	}
}

/**
 * Stores a new id for each website before anything is written under it, and raises the sequences above those of both
 * installations.
 */
async function assignIds(
	{ postgres, clickhouse }: MergeServices,
	stage: Queries,
	{ websites }: MergePlan,
	last: ReadonlyMap<string, number>,
): Promise<Map<number, number>> {
	const origins = websites.map(({ origin }) => origin);
	const originIds = websites.map(({ originId }) => originId);
	const rows = await postgres.transaction(async (tx) => {
		for (const name of orderingSequences)
			await tx.run(sql`
				SELECT setval(${value(name)}::regclass, ${value((last.get(name) ?? 0) + 1)}::bigint)
				FROM ${identifier(name)} WHERE last_value <= ${value(last.get(name) ?? 0)}::bigint`);
		// A website that was deleted here since gets another id, because its old data is being erased.
		await tx.run(sql`
			DELETE FROM merged_websites m
			USING unnest(${value(origins)}::uuid[], ${value(originIds)}::bigint[]) AS t (origin, origin_id)
			WHERE m.origin = t.origin AND m.origin_id = t.origin_id AND m.done_at IS NOT NULL`);
		await tx.run(sql`
			INSERT INTO merged_websites (origin, origin_id, website_id)
			SELECT origin, origin_id, nextval(pg_get_serial_sequence('websites', 'id'))
			FROM unnest(${value(origins)}::uuid[], ${value(originIds)}::bigint[]) AS t (origin, origin_id)
			WHERE NOT EXISTS (SELECT 1 FROM merged_websites m WHERE m.origin = t.origin AND m.origin_id = t.origin_id)`);
		return tx.rows<{ origin: string; originId: number; id: number }>(sql`
			SELECT origin::text AS origin, origin_id AS "originId", website_id AS id FROM merged_websites
			WHERE done_at IS NULL`);
	});
	const ids = new Map<number, number>();
	for (const { oldId, origin, originId } of websites) {
		const row = rows.find((merged) => merged.origin === origin && merged.originId === originId);
		if (row) ids.set(oldId, row.id);
	}
	await stage.run(sql`
		INSERT INTO map_websites (old, new)
		SELECT * FROM unnest(${value([...ids.keys()])}::bigint[], ${value([...ids.values()])}::bigint[])`);
	// Unfinished and undone imports are not merged.
	await stage.run(sql`
		INSERT INTO map_imports (old, new)
		SELECT i.id, nextval(pg_get_serial_sequence('imports', 'id')) FROM incoming_imports i
		JOIN map_websites w ON w.old = i.website_id WHERE i.state = 'done'`);
	// Delete what an interrupted merge wrote; a mutation rewrites parts, so tables without such rows are skipped.
	const isOurs = isOfWebsites(ids);
	for (const { name, columns } of await listClickHouseTables(clickhouse)) {
		if (!columns.includes('website_id')) continue;
		const [left] = await clickhouse.rows<{ rows: string }>(
			sql`SELECT count() AS rows FROM ${identifier(name)} WHERE ${isOurs}`,
			{ as: 'migrate' },
		);
		if (Number(left?.rows) > 0)
			await clickhouse.command(sql`ALTER TABLE ${identifier(name)} DELETE WHERE ${isOurs}`, {
				name: 'merge',
				settings: { mutations_sync: '2' },
			});
	}
	return ids;
}

/** Time of the last reset of each website, by its old id. Older events may not have been erased yet and are not merged. */
async function readResets(stage: Queries): Promise<Map<number, string>> {
	const rows = await stage.rows<{ id: number; at: Date }>(sql`
		SELECT website_id AS id, max(created_at) AS at FROM incoming_tombstones WHERE is_reset GROUP BY website_id`);
	return new Map(rows.map(({ id, at }) => [id, at.toISOString().replace('T', ' ').slice(0, 23)]));
}

async function summarize(stage: Queries, plan: MergePlan, events: number): Promise<Merged> {
	const ids = await readMap(stage, sql`map_websites`);
	const locked = await stage.rows<{ email: string }>(sql`
		SELECT i.email FROM incoming_people i JOIN map_people m ON m.old = i.id
		WHERE m.is_new AND i.password_hash IS NOT NULL
			AND (${hasSecondFactor} OR NOT i.password_hash ~ ${value(passwordHashPattern)}) ORDER BY i.id`);
	const oldIds = plan.websites.map(({ oldId }) => oldId);
	const [alerts] = await stage.rows<{ count: number }>(sql`
		SELECT count(*) AS count FROM incoming_alerts
		WHERE channel <> 'mail' AND website_id = ANY(${value(oldIds)}::bigint[])`);
	return {
		websites: plan.websites.map(({ oldId, domain, account }) => ({
			domain,
			oldId,
			account,
			id: ids.get(oldId) ?? null,
		})),
		known: plan.known,
		newAccounts: plan.newAccounts,
		withoutPassword: locked.map(({ email }) => email),
		alertsLeft: alerts?.count ?? 0,
		events,
	};
}
