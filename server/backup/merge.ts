/**
 * Makes the websites of another installation part of this one. What is read is a backup of it.
 *
 * Nothing that is here changes, and every number of what comes is the one that it was: events keep their ids, seals are taken
 * as they are (their events may be gone), and sequences that order things (generations, revisions of goals, batches, the log) are raised
 * above both, so that what comes later is later.
 *
 * The order: the rows of PostgreSQL are staged in temporary tables and judged; each website gets the id that it will have, on
 * disk; its rows are written to ClickHouse, where nobody looks for that id yet; then one transaction makes accounts, websites and all the
 * rest, and says that they are done. A merge that is killed is run again: what it had written under these ids is deleted
 * first. A website that is done is not taken a second time, also when it comes by way of a third installation.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { locks } from '../store/locks.ts';
import { readApplied } from '../store/migrate.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { join, param, type Sql, sql, value, word } from '../store/sql.ts';
import { announce } from '../websites/announce.ts';
import { readDomain } from '../websites/domain.ts';
import { listClickHouseTables, listTables, type Table } from './contents.ts';
import { type EntryHead, type Passphrase, readBackup } from './file.ts';
import { carried, carry, ourHash } from './merge-tables.ts';
import {
	appliedIn,
	countLines,
	type Examined,
	findDeadGenerations,
	gatherLines,
	plainName,
	unknownTable,
} from './restore.ts';

export type MergeServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	report(progress: { done: number; total: number }): void;
};

export type Merging = {
	path: string;
	passphrase: Passphrase;
	examined: Examined;
	/** All websites go to this account, and no account is made. */
	account?: string | undefined;
	/** Says what would be done. */
	isDryRun: boolean;
};

export type MergedWebsite = {
	domain: string;
	/** What it was there, and is here; null before it is done. */
	oldId: number;
	id: number | null;
	account: string;
};

export type Merged = {
	websites: MergedWebsite[];
	/** Were taken before. */
	known: number;
	newAccounts: string[];
	/** Of these: who had a second factor, or a password that is none of ours, needs a link to set a new one. */
	withoutPassword: string[];
	/** Alerts to addresses on the net are sealed with a secret that stays there. */
	alertsLeft: number;
	events: number;
};

/** Beyond it a sequence would come to its end before the sun does; no honest one is there. */
const maxSequence = 2 ** 50;
/** Those whose numbers say what came later. */
const sequences = ['generations', 'goal_revisions', 'batches_number_seq', 'event_log_seq'];

type Held = Queries & { end(): Promise<void> };

export async function mergeArchive(services: MergeServices, merging: Merging): Promise<Merged> {
	const { postgres, clickhouse } = services;
	await refuseOtherSchema(postgres, clickhouse, merging.examined);
	await refuseForeignEntries(postgres, clickhouse, merging.examined);
	const stage = await postgres.hold(() => undefined);
	try {
		const [lock] = await stage.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${value(locks.merge)}::bigint) AS taken`,
		);
		if (!lock?.taken) throw new AppError('unavailable', 'Another merge is under way. Wait until it is done.');
		const last = await stageRows(services, merging, stage);
		const plan = await makePlan(stage, merging);
		if (merging.isDryRun || plan.websites.length === 0) return await tell(stage, plan, 0);
		const ids = await allot(services, stage, plan, last);
		const isOurs = ofWebsites(ids);
		const since = await readResets(stage);
		const imports = new Map(
			(await stage.rows<{ old: number; new: number }>(sql`SELECT old, new FROM map_imports`)).map((row) => [
				row.old,
				row.new,
			]),
		);
		await writeRows(services, merging, { ids, since, imports });
		const late = await writeLog(services, stage, { ids, since, imports });
		await finish(services, stage, plan, late);
		await findDeadGenerations(postgres, clickhouse, services.now, isOurs);
		const [counted] = await clickhouse.rows<{ events: string }>(
			sql`SELECT count() AS events FROM events WHERE ${isOurs}`,
		);
		return await tell(stage, plan, Number(counted?.events ?? 0));
	} finally {
		await stage.end().catch(() => undefined);
	}
}

const ofWebsites = (ids: ReadonlyMap<number, number>): Sql =>
	sql`website_id IN ${param('Array(UInt32)', [...ids.values()])}`;

/** What was sealed by another version may mean something else. */
async function refuseOtherSchema(postgres: Postgres, clickhouse: ClickHouse, { head }: Examined) {
	const ours = await readApplied(postgres, clickhouse);
	const theirs = appliedIn(head);
	const nameOf = ({ number, hash }: { number: number; hash: string }) => `${number} ${hash}`;
	for (const which of ['postgres', 'clickhouse'] as const)
		if (String(ours[which].map(nameOf)) !== String(theirs[which].map(nameOf)))
			throw new AppError(
				'bad_request',
				`The archive was made by another version of Tidemark (${head.version}) than the one that runs here. Upgrade both installations to the same version and make the archive anew.`,
			);
}

/** Tables and columns that are not ours, before anything is touched. */
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

/** The rows of PostgreSQL into tables of this connection, without any of the rules; and the last numbers of its sequences. */
async function stageRows(
	{ report }: MergeServices,
	{ path, passphrase }: Merging,
	stage: Held,
): Promise<ReadonlyMap<string, number>> {
	const tables = new Map((await listTables(stage)).map((table) => [table.name, table]));
	for (const { name } of tables.values())
		await stage.run(
			sql`CREATE TEMPORARY TABLE ${word(`incoming_${name}`)} AS SELECT * FROM ${word(name)} WITH NO DATA`,
		);
	const last = new Map<string, number>();
	let entry: EntryHead | undefined;
	let lines = gatherLines(0);
	const put = async (some: Buffer | undefined) => {
		if (!entry || !some || some.length === 0) return;
		if (entry.kind === 'sequences') {
			for (const line of some.toString('utf8').trimEnd().split('\n')) {
				// Judged right below.
				const { name, last: number } = JSON.parse(line) as { name: unknown; last: unknown };
				if (typeof name === 'string' && typeof number === 'number') last.set(name, number);
			}
		} else if (entry.kind === 'postgres') await stageLines(stage, tables, entry, some);
	};
	for await (const piece of readBackup(path, passphrase)) {
		report({ done: piece.at, total: piece.of });
		if ('begin' in piece) {
			if (piece.begin.kind === 'clickhouse') break;
			entry = piece.begin;
			lines = gatherLines(1024 * 1024);
		} else if ('rows' in piece) await put(lines.add(piece.rows));
		else if ('end' in piece) await put(lines.end());
	}
	for (const name of sequences) {
		const number = last.get(name) ?? 0;
		if (!Number.isSafeInteger(number) || number < 0 || number > maxSequence)
			throw new AppError(
				'bad_request',
				`The archive is no honest one: its sequence ${name} is at ${number}.`,
			);
	}
	return last;
}

async function stageLines(
	stage: Queries,
	tables: ReadonlyMap<string, Table>,
	{ table, columns }: EntryHead,
	lines: Buffer,
): Promise<void> {
	const known = tables.get(table);
	if (!known || columns.some((column) => !known.columns.includes(column))) throw unknownTable(table);
	const incoming = word(`incoming_${table}`);
	const names = join(columns.map(word), ', ');
	const rows = `[${lines.toString('utf8').trimEnd().replaceAll('\n', ',')}]`;
	await stage.run(sql`
		INSERT INTO ${incoming} (${names})
		SELECT ${names} FROM json_populate_recordset(NULL::${incoming}, ${value(rows)}::json)`);
}

type Planned = { oldId: number; domain: string; origin: string; originId: number; account: string };

type Plan = { websites: Planned[]; known: number; newAccounts: string[]; origin: string };

/** Who gets what. Fills `map_accounts` (whose websites go to whom) and `map_people` (who is who), as far as they are here. */
async function makePlan(stage: Queries, { account, examined }: Merging): Promise<Plan> {
	const [theirs] = await stage.rows<{ id: string }>(sql`SELECT id FROM incoming_instance`);
	const [ours] = await stage.rows<{ id: string }>(sql`SELECT id FROM instance`);
	if (!theirs) throw new AppError('bad_request', 'The archive does not say which installation it is of.');
	if (theirs.id === ours?.id)
		throw new AppError(
			'bad_request',
			`The archive is of this very installation, as of ${examined.head.madeAt}. \`tidemark restore\` brings a backup back.`,
		);
	await stage.script(`
		CREATE TEMPORARY TABLE map_people (old bigint PRIMARY KEY, new bigint);
		CREATE TEMPORARY TABLE map_accounts (old bigint PRIMARY KEY, new bigint, is_new boolean NOT NULL);
		CREATE TEMPORARY TABLE map_websites (old bigint PRIMARY KEY, new bigint NOT NULL);
		CREATE TEMPORARY TABLE map_goals (old bigint PRIMARY KEY, new bigint NOT NULL);
		CREATE TEMPORARY TABLE map_imports (old bigint PRIMARY KEY, new bigint NOT NULL);`);
	// Who was taken before is who they became, whatever their address is by now.
	await stage.run(sql`
		INSERT INTO map_people (old, new)
		SELECT i.id, coalesce(m.account_id, a.id) FROM incoming_accounts i
		LEFT JOIN merged_accounts m ON m.origin = ${value(theirs.id)}::uuid AND m.origin_id = i.id AND m.is_same_person
		LEFT JOIN accounts a ON lower(a.email) = lower(i.email)`);
	const target = account === undefined ? undefined : await getTarget(stage, account);
	await stage.run(sql`
		INSERT INTO map_accounts (old, new, is_new)
		SELECT old, coalesce(${value(target ?? null)}::bigint, new),
			new IS NULL AND ${value(target === undefined)} FROM map_people`);
	const found = await stage.rows<Planned & { isDone: boolean }>(sql`
		SELECT w.id AS "oldId", w.domain, coalesce(m.origin, ${value(theirs.id)}::uuid)::text AS origin,
			coalesce(m.origin_id, w.id) AS "originId", coalesce(a.email, i.email) AS account,
			EXISTS (
				SELECT 1 FROM merged_websites b JOIN websites h ON h.id = b.website_id WHERE b.done_at IS NOT NULL
					AND b.origin = coalesce(m.origin, ${value(theirs.id)}::uuid) AND b.origin_id = coalesce(m.origin_id, w.id)
			) OR coalesce(m.origin = ${value(ours?.id ?? null)}::uuid, false) AS "isDone"
		FROM incoming_websites w
		JOIN incoming_accounts i ON i.id = w.account_id
		JOIN map_accounts ON map_accounts.old = w.account_id
		LEFT JOIN accounts a ON a.id = map_accounts.new
		LEFT JOIN incoming_merged_websites m ON m.website_id = w.id AND m.done_at IS NOT NULL
		ORDER BY w.id`);
	const websites = found.filter(({ isDone }) => !isDone);
	await refuseFaults(stage, websites);
	const owners = await stage.rows<{ email: string }>(sql`
		SELECT i.email FROM map_accounts m JOIN incoming_accounts i ON i.id = m.old WHERE m.is_new ORDER BY i.id`);
	return {
		websites,
		known: found.length - websites.length,
		newAccounts: owners.map(({ email }) => email),
		origin: theirs.id,
	};
}

async function getTarget(stage: Queries, email: string): Promise<number> {
	const [found] = await stage.rows<{ id: number }>(
		sql`SELECT id FROM accounts WHERE lower(email) = lower(${value(email)})`,
	);
	if (!found)
		throw new AppError('not_found', `There is no account ${email}; \`tidemark account list\` shows them.`);
	return found.id;
}

/** Everything that stands in the way, before anything is done. */
async function refuseFaults(stage: Queries, websites: readonly Planned[]): Promise<void> {
	const errors: Record<string, string[]> = {};
	const fault = (name: string, text: string) => {
		errors[name] = [...(errors[name] ?? []), text];
	};
	const ids = websites.map(({ oldId }) => oldId);
	const taken = await stage.rows<{ domain: string; email: string }>(sql`
		SELECT w.domain, a.email FROM incoming_websites w
		JOIN map_accounts m ON m.old = w.account_id JOIN accounts a ON a.id = m.new
		WHERE w.id = ANY(${value(ids)}::bigint[]) AND EXISTS (
			SELECT 1 FROM websites o WHERE o.account_id = m.new AND o.domain = w.domain
		) ORDER BY w.id`);
	for (const { domain, email } of taken)
		fault(
			domain,
			`${email} has a website of this name here. Rename one of them, or choose another account with --account.`,
		);
	const names = Map.groupBy(websites, ({ account, domain }) => `${account.toLowerCase()} ${domain}`);
	for (const [first, ...others] of names.values())
		if (first && others.length > 0)
			fault(
				first.domain,
				`The archive has ${others.length + 1} websites of this name that would go to ${first.account}.`,
			);
	for (const { domain } of websites) {
		const read = readDomain(domain);
		if (!('domain' in read) || read.domain !== domain) fault(domain, 'This is not a domain.');
	}
	const zones = await stage.rows<{ domain: string; zone: string }>(sql`
		SELECT w.domain, z.zone FROM incoming_websites w
		CROSS JOIN LATERAL (
			SELECT zone FROM incoming_website_zones WHERE website_id = w.id UNION SELECT w.timezone
		) z WHERE w.id = ANY(${value(ids)}::bigint[])`);
	for (const { domain, zone } of zones)
		if (findTimezone(zone) !== zone) fault(domain, `"${zone}" is not a time zone.`);
	const unzoned = await stage.rows<{ domain: string }>(sql`
		SELECT domain FROM incoming_websites w WHERE id = ANY(${value(ids)}::bigint[])
			AND NOT EXISTS (SELECT 1 FROM incoming_website_zones WHERE website_id = w.id AND from_date = '0001-01-01')`);
	for (const { domain } of unzoned) fault(domain, 'It has no time zone of its first days.');
	const people = await stage.rows<{ email: string; timezone: string }>(sql`
		SELECT i.email, i.timezone FROM incoming_accounts i JOIN map_accounts m ON m.old = i.id WHERE m.is_new`);
	for (const { email, timezone } of people)
		if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254 || findTimezone(timezone) === undefined)
			fault(email, 'This is not an account: its address or its time zone is none.');
	if (Object.keys(errors).length > 0)
		throw new AppError('validation_failed', 'Nothing was merged.', { errors });
}

/** Each website's id here, on disk before anything is written under it; and sequences above those of both. */
async function allot(
	{ postgres, clickhouse }: MergeServices,
	stage: Queries,
	{ websites }: Plan,
	last: ReadonlyMap<string, number>,
): Promise<Map<number, number>> {
	const origins = websites.map(({ origin }) => origin);
	const originIds = websites.map(({ originId }) => originId);
	const rows = await postgres.transaction(async (tx) => {
		for (const name of sequences)
			await tx.run(sql`
				SELECT setval(${value(name)}::regclass, ${value((last.get(name) ?? 0) + 1)}::bigint)
				FROM ${word(name)} WHERE last_value <= ${value(last.get(name) ?? 0)}::bigint`);
		// One that was deleted here since comes back under another id: what it had is dead.
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
		const row = rows.find((one) => one.origin === origin && one.originId === originId);
		if (row) ids.set(oldId, row.id);
	}
	await stage.run(sql`
		INSERT INTO map_websites (old, new)
		SELECT * FROM unnest(${value([...ids.keys()])}::bigint[], ${value([...ids.values()])}::bigint[])`);
	// Those that are not done, or were undone, stay behind with all that they brought.
	await stage.run(sql`
		INSERT INTO map_imports (old, new)
		SELECT i.id, nextval(pg_get_serial_sequence('imports', 'id')) FROM incoming_imports i
		JOIN map_websites w ON w.old = i.website_id WHERE i.state = 'done'`);
	// A merge that was cut short has left rows; tables without them are not rewritten.
	const isOurs = ofWebsites(ids);
	for (const { name, columns } of await listClickHouseTables(clickhouse)) {
		if (!columns.includes('website_id')) continue;
		const [left] = await clickhouse.rows<{ rows: string }>(
			sql`SELECT count() AS rows FROM ${word(name)} WHERE ${isOurs}`,
			{ as: 'migrate' },
		);
		if (Number(left?.rows) > 0)
			await clickhouse.command(sql`ALTER TABLE ${word(name)} DELETE WHERE ${isOurs}`, {
				name: 'merge',
				settings: { mutations_sync: '2' },
			});
	}
	return ids;
}

/** When websites were emptied last, by their old id: what is older may still lie there, and does not come along. */
async function readResets(stage: Queries): Promise<Map<number, string>> {
	const rows = await stage.rows<{ id: number; at: Date }>(sql`
		SELECT website_id AS id, max(created_at) AS at FROM incoming_tombstones WHERE is_reset GROUP BY website_id`);
	return new Map(rows.map(({ id, at }) => [id, at.toISOString().replace('T', ' ').slice(0, 23)]));
}

type Mapping = {
	ids: ReadonlyMap<number, number>;
	imports: ReadonlyMap<number, number>;
	since: ReadonlyMap<number, string>;
};

async function writeRows(
	{ clickhouse, report }: MergeServices,
	{ path, passphrase }: Merging,
	mapping: Mapping,
): Promise<void> {
	const tables = await listClickHouseTables(clickhouse);
	// A token of an earlier try must not make ClickHouse believe that it has these rows.
	const run = randomUUID();
	let block = 0;
	let entry: EntryHead | undefined;
	let lines = gatherLines(0);
	const put = async (some: Buffer | undefined) => {
		if (!entry || !some || some.length === 0) return;
		const { table, columns } = entry;
		const mapped = mapLines(some, entry, mapping);
		const sent = countLines(mapped);
		if (sent === 0) return;
		const { writtenRows } = await clickhouse.insert({
			...{ table, columns: columns.map(plainName), lines: mapped },
			token: `merge ${run} ${block++}`,
		});
		if (writtenRows !== sent)
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${sent} into ${table}. Run the merge again.`);
	};
	for await (const piece of readBackup(path, passphrase)) {
		report({ done: piece.at, total: piece.of });
		if ('begin' in piece) {
			const { kind, table } = piece.begin;
			entry = kind === 'clickhouse' ? piece.begin : undefined;
			lines = gatherLines(8 * 1024 * 1024);
			if (entry && !tables.some(({ name }) => name === table)) throw unknownTable(table);
		} else if ('rows' in piece && entry) await put(lines.add(piece.rows));
		else if ('end' in piece && entry) await put(lines.end());
	}
}

/** Tab-separated lines with the new ids; without those of websites and imports that do not come, and of what was emptied. */
function mapLines(lines: Buffer, { table, columns }: EntryHead, { ids, imports, since }: Mapping): Buffer {
	const website = columns.indexOf('website_id');
	const imported = columns.indexOf('import_id');
	const time = table === 'events' ? columns.indexOf('time') : -1;
	const kept: string[] = [];
	// Every byte is a character of its own, so that it comes back as it was.
	for (const line of lines.toString('latin1').split('\n')) {
		if (line === '') continue;
		const cells = line.split('\t');
		const old = Number(cells[website]);
		const id = ids.get(old);
		if (id === undefined) continue;
		const from = since.get(old);
		if (from !== undefined && time >= 0 && (cells[time] ?? '') < from) continue;
		cells[website] = String(id);
		if (imported >= 0 && cells[imported] !== '0') {
			const importId = imports.get(Number(cells[imported]));
			if (importId === undefined) continue;
			cells[imported] = String(importId);
		}
		kept.push(`${cells.join('\t')}\n`);
	}
	return Buffer.from(kept.join(''), 'latin1');
}

type Late = Map<string, { websiteId: number; date: string; events: number }>;

/**
 * Events that were on their way when the archive was made. One may be written there already, and one may be there twice: an id
 * that is here is not written again.
 */
async function writeLog(
	{ clickhouse }: MergeServices,
	stage: Queries,
	{ ids, since }: Mapping,
): Promise<Late> {
	const late: Late = new Map();
	const run = randomUUID();
	for (let after = -1; ; ) {
		const rows = await stage.rows<{ seq: number; lines: string }>(sql`
			SELECT seq, lines FROM incoming_event_log WHERE seq > ${value(after)} ORDER BY seq LIMIT 200`);
		const end = rows.at(-1);
		if (!end) return late;
		after = end.seq;
		const events = new Map<string, Record<string, unknown>>();
		for (const { lines } of rows)
			for (const line of lines.split('\n').filter(Boolean)) {
				// A row of `events`, as ClickHouse will judge it.
				const event = JSON.parse(line) as Record<string, unknown>;
				const old = Number(event.website_id);
				const id = ids.get(old);
				if (id === undefined || String(event.time) < (since.get(old) ?? '')) continue;
				if (!/^\d{1,20}$/.test(String(event.event_id)))
					throw new AppError('bad_request', 'The archive is no honest one: an event has no id.');
				events.set(`${id} ${event.event_id}`, { ...event, website_id: id });
			}
		if (events.size === 0) continue;
		const all = [...events.values()];
		const there = await clickhouse.rows<{ key: string }>(sql`
			SELECT DISTINCT concat(toString(website_id), ' ', toString(event_id)) AS key FROM events
			WHERE website_id IN ${param('Array(UInt32)', [...new Set(all.map((event) => event.website_id))])}
				AND date IN ${param('Array(Date)', [...new Set(all.map((event) => String(event.date)))])}
				AND event_id IN ${param(
					'Array(UInt64)',
					all.map((event) => BigInt(String(event.event_id))),
				)}`);
		for (const { key } of there) events.delete(key);
		if (events.size === 0) continue;
		await clickhouse.insert({
			table: 'events',
			lines: [...events.values()].map((event) => JSON.stringify(event)).join('\n'),
			token: `merge log ${run} ${after}`,
		});
		for (const event of events.values()) {
			const key = `${event.website_id} ${event.date}`;
			const day = late.get(key) ?? {
				websiteId: Number(event.website_id),
				date: String(event.date),
				events: 0,
			};
			late.set(key, { ...day, events: day.events + 1 });
		}
	}
}

/** One transaction: before it nothing of the archive is here for anybody, after it all of it is. */
async function finish({ now }: MergeServices, stage: Held, { origin }: Plan, late: Late): Promise<void> {
	const columnsOf = new Map((await listTables(stage)).map(({ name, columns }) => [name, columns]));
	await stage.script('BEGIN');
	try {
		await carryAccounts(stage, origin);
		await stage.run(sql`
			INSERT INTO map_goals (old, new)
			SELECT g.id, nextval(pg_get_serial_sequence('goals', 'id')) FROM incoming_goals g
			JOIN map_websites w ON w.old = g.website_id`);
		await mapGoalsInSegments(stage);
		for (const of of carried) await stage.run(carry(of, columnsOf.get(of.table) ?? []));
		await carryMembers(stage);
		await carryRecipients(stage);
		for (const { websiteId, date, events } of late.values())
			await stage.run(sql`
				INSERT INTO days (website_id, date, last_batch, size)
				VALUES (${value(websiteId)}, ${value(date)}::date, 1, ${value(events)})
				ON CONFLICT (website_id, date) DO UPDATE SET
					last_batch = greatest(days.last_batch, days.sealed_batch) + 1, size = days.size + excluded.size`);
		await stage.run(sql`
			UPDATE accounts SET website_count = (SELECT count(*) FROM websites WHERE account_id = accounts.id)
			WHERE id IN (SELECT new FROM map_accounts)`);
		await stage.run(sql`
			UPDATE merged_websites SET done_at = ${value(now())} WHERE website_id IN (SELECT new FROM map_websites)`);
		for (const { id } of await stage.rows<{ id: number }>(sql`SELECT new AS id FROM map_websites`))
			await announce(stage, id);
		await stage.script('COMMIT');
	} catch (error) {
		await stage.script('ROLLBACK').catch(() => undefined);
		throw error;
	}
}

/**
 * Those whose address is not here are made, with their password and their keys. Whoever has a second factor has it no more,
 * because it is sealed with a secret that stays there: so they have no password either, and get a link from the operator.
 */
async function carryAccounts(stage: Queries, origin: string): Promise<void> {
	await stage.run(sql`
		UPDATE map_accounts SET new = nextval(pg_get_serial_sequence('accounts', 'id')) WHERE is_new`);
	await stage.run(sql`
		UPDATE map_people SET new = m.new FROM map_accounts m WHERE m.old = map_people.old AND m.is_new`);
	await stage.run(sql`
		INSERT INTO accounts (id, name, email, locale, timezone, created_at, disabled_at, website_limit, pageview_limit,
			hit_limit, password_hash, report_schedule, report_digest, reports_since)
		OVERRIDING SYSTEM VALUE
		SELECT m.new, i.name, i.email, i.locale, i.timezone, i.created_at, i.disabled_at, i.website_limit, i.pageview_limit,
			i.hit_limit,
			CASE WHEN i.totp_secret IS NULL AND i.password_hash ~ ${value(ourHash)} THEN i.password_hash END,
			i.report_schedule, i.report_digest, i.reports_since
		FROM incoming_accounts i JOIN map_accounts m ON m.old = i.id WHERE m.is_new ORDER BY i.id`);
	await stage.run(sql`DELETE FROM setup_links`);
	await stage.run(sql`
		INSERT INTO api_keys (account_id, name, digest, ending, access, website_ids, created_at, last_used_at)
		SELECT m.new, k.name, k.digest, k.ending, k.access,
			CASE WHEN k.website_ids IS NOT NULL THEN ARRAY(SELECT w.new FROM map_websites w WHERE w.old = ANY(k.website_ids)) END,
			k.created_at, k.last_used_at
		FROM incoming_api_keys k JOIN map_accounts m ON m.old = k.account_id WHERE m.is_new
		ON CONFLICT (digest) DO NOTHING`);
	// Once for each account of there, however many of its websites come later.
	await stage.run(sql`
		INSERT INTO account_usage (account_id, month, pageviews)
		SELECT m.new, u.month, sum(u.pageviews) FROM incoming_account_usage u JOIN map_accounts m ON m.old = u.account_id
		WHERE NOT EXISTS (SELECT 1 FROM merged_accounts WHERE origin = ${value(origin)}::uuid AND origin_id = u.account_id)
		GROUP BY m.new, u.month
		ON CONFLICT (account_id, month) DO UPDATE SET pageviews = account_usage.pageviews + excluded.pageviews`);
	await stage.run(sql`
		INSERT INTO merged_accounts (origin, origin_id, account_id, is_same_person)
		SELECT ${value(origin)}::uuid, m.old, m.new, coalesce(m.new = p.new, false)
		FROM map_accounts m JOIN map_people p ON p.old = m.old ON CONFLICT DO NOTHING`);
}

/** A filter names a goal by its id, at any depth: ["is", "goal", ["3"]]. */
async function mapGoalsInSegments(stage: Queries): Promise<void> {
	const goals = new Map(
		(await stage.rows<{ old: number; new: number }>(sql`SELECT old, new FROM map_goals`)).map((row) => [
			String(row.old),
			row.new,
		]),
	);
	const segments = await stage.rows<{ id: number; filters: unknown }>(sql`
		SELECT id, filters FROM incoming_segments s JOIN map_websites w ON w.old = s.website_id`);
	const mapped = (part: unknown): unknown => {
		if (!Array.isArray(part)) return part;
		const [test, dimension, values] = part;
		if (dimension !== 'goal' || !Array.isArray(values)) return part.map(mapped);
		return [test, dimension, values.map((one) => String(goals.get(String(one)) ?? one)), ...part.slice(3)];
	};
	for (const { id, filters } of segments)
		await stage.run(sql`
			UPDATE incoming_segments SET filters = ${value(JSON.stringify(mapped(filters)))}::jsonb WHERE id = ${value(id)}`);
}

/** Of somebody who had websites here before, a role on all of them is one on those that came. */
async function carryMembers(stage: Queries): Promise<void> {
	await stage.run(sql`
		INSERT INTO members (owner_id, website_id, member_id, role, created_at)
		SELECT o.new, w.new, p.new, i.role, i.created_at
		FROM incoming_members i
		JOIN map_accounts o ON o.old = i.owner_id
		JOIN map_people p ON p.old = i.member_id AND p.new IS NOT NULL AND p.new <> o.new
		JOIN incoming_websites theirs ON theirs.account_id = i.owner_id AND (i.website_id IS NULL OR theirs.id = i.website_id)
		JOIN map_websites w ON w.old = theirs.id
		WHERE i.website_id IS NOT NULL OR NOT o.is_new
		UNION ALL
		SELECT o.new, NULL, p.new, i.role, i.created_at
		FROM incoming_members i
		JOIN map_accounts o ON o.old = i.owner_id AND o.is_new
		JOIN map_people p ON p.old = i.member_id AND p.new IS NOT NULL
		WHERE i.website_id IS NULL
		ON CONFLICT DO NOTHING`);
}

/** The same of whom reports are mailed to, if they have said yes. */
async function carryRecipients(stage: Queries): Promise<void> {
	await stage.run(sql`
		INSERT INTO report_recipients (account_id, website_id, address, locale, expires_at, confirmed_at, created_at)
		SELECT o.new, w.new, i.address, i.locale, i.expires_at, i.confirmed_at, i.created_at
		FROM incoming_report_recipients i
		JOIN map_accounts o ON o.old = i.account_id
		JOIN incoming_websites theirs ON theirs.account_id = i.account_id AND (i.website_id IS NULL OR theirs.id = i.website_id)
		JOIN map_websites w ON w.old = theirs.id
		WHERE i.confirmed_at IS NOT NULL AND i.unsubscribed_at IS NULL AND (i.website_id IS NOT NULL OR NOT o.is_new)
		UNION ALL
		SELECT o.new, NULL, i.address, i.locale, i.expires_at, i.confirmed_at, i.created_at
		FROM incoming_report_recipients i JOIN map_accounts o ON o.old = i.account_id AND o.is_new
		WHERE i.confirmed_at IS NOT NULL AND i.unsubscribed_at IS NULL AND i.website_id IS NULL
		ON CONFLICT DO NOTHING`);
}

async function tell(stage: Queries, plan: Plan, events: number): Promise<Merged> {
	const ids = new Map(
		(await stage.rows<{ old: number; new: number }>(sql`SELECT old, new FROM map_websites`)).map((row) => [
			row.old,
			row.new,
		]),
	);
	const locked = await stage.rows<{ email: string }>(sql`
		SELECT i.email FROM incoming_accounts i JOIN map_accounts m ON m.old = i.id
		WHERE m.is_new AND i.password_hash IS NOT NULL
			AND (i.totp_secret IS NOT NULL OR NOT i.password_hash ~ ${value(ourHash)}) ORDER BY i.id`);
	const oldIds = plan.websites.map(({ oldId }) => oldId);
	const [alerts] = await stage.rows<{ count: number }>(sql`
		SELECT count(*) AS count FROM incoming_alerts
		WHERE channel <> 'mail' AND website_id = ANY(${value(oldIds)}::bigint[])`);
	return {
		websites: plan.websites.map(({ oldId, domain, account }) => ({
			...{ domain, oldId, account, id: ids.get(oldId) ?? null },
		})),
		known: plan.known,
		newAccounts: plan.newAccounts,
		withoutPassword: locked.map(({ email }) => email),
		alertsLeft: alerts?.count ?? 0,
		events,
	};
}
