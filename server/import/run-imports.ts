/**
 * Brings in what waits, and takes off the disk what was undone. Both can be killed anywhere: an import that was running is begun anew,
 * with nothing left of the first try, and what is undone stays listed until it is gone.
 *
 * Totals go into a table of their own. Events go into `events`, month by month, and are not seen before their days are
 * listed: one batch is numbered for all of them at the end, when every one is there, so that a seal finds them whole.
 */
import { randomBytes } from 'node:crypto';
import { dropSetAside } from '../derive/damage.ts';
import type { Event } from '../ingest/event.ts';
import { findTrackedRow } from '../ingest/lookups/tracked-websites.ts';
import { AppError } from '../lib/app-error.ts';
import { dayMs, minuteMs } from '../lib/durations.ts';
import { namedLock } from '../store/locks.ts';
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { closeBatch, noLogRange, openBatch } from '../write/batch.ts';
import type { ImportedCount } from './importer.ts';
import { getImport, type Import, type ImportServices, readImports } from './imports.ts';
import { createCounter, type Judged, judgeDate, readOpenDates } from './preview.ts';

const rowsOfABlock = 10_000;
/** Buffered events of all months together. */
const maxHeld = 40_000;
const previewKeptMs = dayMs;
/** Timeout for the next rows of a file. */
const rowsWithinMs = 10 * minuteMs;

type RunOptions = { signal: AbortSignal; report?(progress: { done: number; total: number }): void };

/** Runs all pending imports, one at a time across all processes. */
export async function runImports(
	services: ImportServices,
	{ signal }: { signal: AbortSignal },
): Promise<void> {
	const { postgres, now, uploads } = services;
	const waiting = await postgres.rows<{ id: number }>(
		sql`SELECT id FROM imports WHERE state IN ('waiting', 'running') ORDER BY id`,
	);
	for (const { id } of waiting) if (!signal.aborted) await runImport(services, id, { signal });
	await eraseUndone(services, signal);
	const old = new Date(now().getTime() - previewKeptMs);
	const dropped = await postgres.rows<{ upload: string }>(sql`
		DELETE FROM imports WHERE state IN ('previewed', 'failed') AND created_at < ${value(old)} AND upload IS NOT NULL
		RETURNING upload`);
	for (const { upload } of dropped) await uploads.drop(upload);
	const kept = await postgres.rows<{ upload: string }>(
		sql`SELECT upload FROM imports WHERE upload IS NOT NULL`,
	);
	await uploads.sweep(new Set(kept.map(({ upload }) => upload)), {
		olderThanMs: previewKeptMs,
		async existing(ids) {
			const rows = await postgres.rows<{ id: number }>(
				sql`SELECT id FROM websites WHERE id = ANY(${value([...new Set(ids)])}::bigint[])`,
			);
			return new Set(rows.map(({ id }) => id));
		},
	});
}

/** Runs an import. Returns undefined if another process runs it or it was undone. */
export async function runImport(
	services: ImportServices,
	id: number,
	options: RunOptions,
): Promise<Import | undefined> {
	const { postgres } = services;
	const holder = await postgres.dedicatedConnection(() => undefined);
	try {
		const [lock] = await holder.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${namedLock('import', `import ${id}`)}) AS taken`,
		);
		if (!lock?.taken) return undefined;
		const [upload] = await postgres.rows<{ upload: string }>(sql`
			UPDATE imports SET state = 'running', done_rows = 0
			WHERE id = ${value(id)} AND state IN ('previewed', 'waiting', 'running') RETURNING upload`);
		if (upload) await attempt(services, id, upload.upload, options);
		// Undone meanwhile, it is gone.
		const [ended] = await readImports(postgres, sql`id = ${value(id)}`);
		return ended;
	} finally {
		await holder.end();
	}
}

async function attempt(
	services: ImportServices,
	id: number,
	upload: string,
	options: RunOptions,
): Promise<void> {
	const { postgres, now, uploads, log } = services;
	const about = await getImport(postgres, null, id);
	try {
		await deleteRows(services, [about], options.signal);
		await bring(services, about, uploads.path(upload), options);
		await uploads.drop(upload);
		log.info({ import: id, source: about.source, rows: about.totalRows }, 'imported');
	} catch (error) {
		if (options.signal.aborted) throw error;
		const fault = error instanceof AppError ? error.message : 'An internal error occurred. Try again.';
		if (!(error instanceof AppError)) log.error({ error, import: id }, 'an import failed');
		await postgres.run(sql`
			UPDATE imports SET state = 'failed', fault = ${value(fault)}, ended_at = ${value(now())}, upload = NULL
			WHERE id = ${value(id)} AND state = 'running'`);
		await uploads.drop(upload);
		await deleteRows(services, [about], options.signal);
	}
}

async function bring(
	services: ImportServices,
	about: Import,
	path: string,
	{ signal, report }: RunOptions,
): Promise<void> {
	const { postgres, now, reader, uploads } = services;
	const { id, websiteId, source, kind, totalRows, zone } = about;
	const website = await findTrackedRow(postgres, websiteId);
	if (!website) throw new AppError('not_found', 'The website was deleted.');
	const dates = await readOpenDates(postgres, website, now(), id);
	const blocks = kind === 'events' ? eventBlocks(services, id) : totalBlocks(services, about);
	const counter = createCounter();
	let done = 0;
	const request = { path, source, zone, website, dates };
	for await (const rows of reader.rows(request, { signal, withinMs: rowsWithinMs })) {
		await uploads.demandSpace();
		for (const judged of rows) {
			counter.add(judged);
			await blocks.add(judged);
		}
		done += rows.length;
		report?.({ done, total: totalRows });
		await postgres.run(sql`UPDATE imports SET done_rows = ${value(done)} WHERE id = ${value(id)}`);
		signal.throwIfAborted();
	}
	await blocks.end();
	report?.({ done, total: done });
	const lost = await postgres.transaction((tx) =>
		finish(tx, { about, services, counter, events: blocks.days }),
	);
	// Days that became the website's own while this ran.
	if (lost.length > 0) await deleteRows(services, [about], signal, lost);
}

type Finishing = {
	about: Import;
	services: ImportServices;
	counter: ReturnType<typeof createCounter>;
	events: ReadonlyMap<string, number>;
};

async function finish(
	tx: Queries,
	{ about, services: { now }, counter, events }: Finishing,
): Promise<string[]> {
	const { id, websiteId, kind } = about;
	const [there] = await tx.rows<{ state: string }>(
		sql`SELECT state FROM imports WHERE id = ${value(id)} FOR UPDATE`,
	);
	const websites = await tx.rows(sql`SELECT 1 FROM websites WHERE id = ${value(websiteId)} FOR UPDATE`);
	if (there?.state !== 'running' || websites.length === 0)
		throw new AppError('not_found', 'The import was undone, or its website is gone.');
	const website = await findTrackedRow(tx, websiteId);
	if (!website) throw new AppError('not_found', 'The website was deleted.');
	const open = await readOpenDates(tx, website, now(), id);
	const wanted = [...counter.dates()].toSorted();
	const dates = wanted.filter((date) => judgeDate(open, kind, date) === undefined);
	await tx.run(sql`
		INSERT INTO imported_days (website_id, date, import_id)
		SELECT ${value(websiteId)}::bigint, date, ${value(id)}::bigint FROM unnest(${value(dates)}::date[]) AS date`);
	if (kind === 'events' && dates.length > 0) {
		const days = dates.map((date) => ({ websiteId, date, events: events.get(date) ?? 0 }));
		await closeBatch(tx, await openBatch(tx, noLogRange, days));
	}
	await tx.run(sql`
		UPDATE imports SET state = 'done', fault = NULL, upload = NULL, done_rows = total_rows, ended_at = ${value(now())},
			from_date = ${value(dates[0] ?? null)}::date, to_date = ${value(dates.at(-1) ?? null)}::date,
			preview = ${value(JSON.stringify(counter.preview()))}::jsonb, has_random_ids = true
		WHERE id = ${value(id)}`);
	return wanted.filter((date) => !dates.includes(date));
}

type Blocks = { add(judged: Judged): Promise<void>; end(): Promise<void>; days: ReadonlyMap<string, number> };

function totalBlocks({ clickhouse }: ImportServices, { id, websiteId }: Import): Blocks {
	// A new token per attempt, because another attempt may have other lines.
	const run = randomBytes(8).toString('hex');
	let lines: string[] = [];
	let written = 0;
	const flush = async () => {
		if (lines.length === 0) return;
		const token = `import-${id}-${run}-${++written}`;
		await clickhouse.insert({ table: 'totals_imported', lines: lines.join('\n'), token });
		lines = [];
	};
	return {
		days: new Map(),
		async add(judged) {
			if (!('total' in judged)) return;
			const { date, dimension, value, counts } = judged.total;
			lines.push(
				JSON.stringify({
					website_id: websiteId,
					import_id: id,
					date,
					dimension,
					value,
					...(counts satisfies Partial<Record<ImportedCount, number>>),
				}),
			);
			if (lines.length >= rowsOfABlock) await flush();
		},
		end: flush,
	};
}

/** A block never spans two months, so it is one part, which is written atomically. */
function eventBlocks({ clickhouse }: ImportServices, id: number): Blocks {
	const run = randomBytes(8).toString('hex');
	const months = new Map<string, Event[]>();
	const days = new Map<string, number>();
	let held = 0;
	let written = 0;
	const flush = async (month: string) => {
		const events = months.get(month) ?? [];
		months.delete(month);
		held -= events.length;
		const lines = events.map((event) => JSON.stringify({ ...event, import_id: id })).join('\n');
		await clickhouse.insert({ table: 'events', lines, token: `import-${id}-${run}-${++written}` });
	};
	return {
		days,
		async add(judged) {
			if (!('event' in judged)) return;
			const { event } = judged;
			const month = event.date.slice(0, 7);
			const events = months.get(month);
			if (events) events.push(event);
			else months.set(month, [event]);
			held++;
			days.set(event.date, (days.get(event.date) ?? 0) + 1);
			if ((events?.length ?? 1) >= rowsOfABlock) await flush(month);
			else if (held >= maxHeld) await flush(largest(months));
		},
		async end() {
			for (const month of [...months.keys()].toSorted()) await flush(month);
		},
	};
}

const largest = (months: ReadonlyMap<string, readonly Event[]>): string =>
	[...months].reduce((longest, month) => (month[1].length > longest[1].length ? month : longest))[0];

type Erased = Pick<Import, 'id' | 'websiteId' | 'kind'>;

export async function eraseUndone(services: ImportServices, signal: AbortSignal): Promise<void> {
	const { postgres, log, uploads } = services;
	const undone = await postgres.rows<Erased & { upload: string | null }>(sql`
		SELECT id, website_id AS "websiteId", kind, upload FROM imports WHERE undone_at IS NOT NULL ORDER BY id LIMIT 100`);
	if (undone.length === 0) return;
	// First, and whatever becomes of the rest: files of a deleted website have nothing to wait for.
	for (const { upload } of undone) if (upload !== null) await uploads.drop(upload);
	await deleteRows(services, undone, signal);
	await dropSetAside(services, { signal });
	for (const item of undone) {
		if (item.kind === 'events') await findOwnDays(services, item);
		await postgres.run(sql`DELETE FROM imports WHERE id = ${value(item.id)}`);
	}
	log.info({ imports: undone.length }, 'erased imports that were undone');
}

/** What the website counted itself on days that an import had, and that went with it. */
async function findOwnDays({ postgres, clickhouse }: ImportServices, { websiteId }: Erased): Promise<void> {
	// What was emptied is still there for a while and must not come back.
	const buried = await postgres.rows(
		sql`SELECT 1 FROM tombstones WHERE website_id = ${value(websiteId)} LIMIT 1`,
	);
	if (buried.length > 0) return;
	const own = await clickhouse.rows<{ date: string; events: string }>(
		sql`
		SELECT date, count() AS events FROM events
		WHERE website_id = ${param('UInt32', websiteId)} AND import_id = 0 GROUP BY date`,
		{ name: 'import' },
	);
	const known = await postgres.rows<{ date: string }>(
		sql`SELECT date::text AS date FROM days WHERE website_id = ${value(websiteId)}`,
	);
	const dates = new Set(known.map(({ date }) => date));
	const lost = own.filter(({ date }) => !dates.has(date));
	if (lost.length === 0) return;
	await postgres.transaction(async (tx) => {
		const days = lost.map(({ date, events }) => ({ websiteId, date, events: Number(events) }));
		await closeBatch(tx, await openBatch(tx, noLogRange, days));
	});
}

/** Deletes all rows of imports, or those of some dates. Skips tables without such rows: a mutation rewrites whole parts. */
async function deleteRows(
	{ clickhouse }: ImportServices,
	imports: readonly Erased[],
	signal: AbortSignal,
	dates?: readonly string[],
): Promise<void> {
	const ids = imports.map(({ id }) => id);
	const websiteIds = [...new Set(imports.map(({ websiteId }) => websiteId))];
	const which = sql`website_id IN ${param('Array(UInt32)', websiteIds)} AND import_id IN ${param('Array(UInt64)', ids)}
		${dates ? sql`AND date IN ${param('Array(Date)', dates)}` : sql``}`;
	for (const table of [sql`totals_imported`, sql`events`]) {
		const [there] = await clickhouse.rows(sql`SELECT 1 FROM ${table} WHERE ${which} LIMIT 1`, {
			name: 'import',
			signal,
		});
		if (!there) continue;
		await clickhouse.command(sql`ALTER TABLE ${table} DELETE WHERE ${which}`, {
			name: 'import',
			settings: { mutations_sync: '2' },
			signal,
		});
	}
}
