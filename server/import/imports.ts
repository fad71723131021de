/**
 * Imports of a website: brought, looked at, started, and undone.
 *
 * One source a day: an import has the days that lie before the website's first own one and that no import before it has. They are
 * settled in the transaction that ends it, and `imported_days` names them; until then nothing of it is seen. To undo it takes
 * them out of that list, at once; what is on the disk goes after that, and the record with it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '../accounts/authorize.ts';
import type { GeoSettings } from '../geo/files.ts';
import { findTrackedRow } from '../ingest/lookups/tracked-websites.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { hourMs, minuteMs } from '../lib/durations.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import type { Log } from '../lib/log.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { namedLock } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { ImportKind, ImportSource, SuppliedCounts } from './importer.ts';
import { type Preview, type PreviewedFile, readOpenDates } from './preview.ts';
import { createReader, type Reader } from './reader.ts';
import { createUploads, maxUploadBytes, type Uploads } from './uploads.ts';

export type ImportServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	uploads: Uploads;
	reader: Reader;
	/** Limits the previews in this process. */
	turns: KeyedSemaphore;
};

export const importing = ({ dataFolder, geoFile }: GeoSettings) => ({
	uploads: createUploads(dataFolder),
	reader: createReader({ geo: { dataFolder, geoFile } }),
	turns: createKeyedSemaphore({ running: 1, waiting: 10, waitMs: turnWithinMs }),
});

export type ImportState = 'previewed' | 'waiting' | 'running' | 'done' | 'failed';

export type Import = {
	id: number;
	websiteId: number;
	source: ImportSource;
	kind: ImportKind;
	state: ImportState;
	fault: string | null;
	fileName: string;
	zone: string;
	given: SuppliedCounts;
	preview: Preview;
	doneRows: number;
	totalRows: number;
	from: string | null;
	to: string | null;
	createdAt: Date;
	endedAt: Date | null;
};

const columns = sql`id, website_id AS "websiteId", source, kind, state, fault, file_name AS "fileName", zone, given, preview,
	done_rows AS "doneRows", total_rows AS "totalRows", from_date::text AS from, to_date::text AS to,
	created_at AS "createdAt", ended_at AS "endedAt"`;

/** Maximum number of pending imports: each has a file on disk. */
const maxOpen = 3;
/** Maximum size of the pending files of an account. */
const maxAccountBytes = 2 * maxUploadBytes;

/** Timeouts of a preview; operators can wait longer. */
const uploadWithinMs = 10 * minuteMs;
const operatorWithinMs = 6 * hourMs;
/** How long a preview waits for the previous one. */
const turnWithinMs = minuteMs;
const lookAgainMs = 250;

export type NewImport = {
	websiteId: number;
	accountId: number | null;
	source: ImportSource;
	fileName: string;
	/** Time zone of times without an offset. Default: that of the website. */
	zone: string | undefined;
	upload: string;
	/** Uploads of accounts are limited in number, size and time. */
	by: 'account' | 'operator';
};

/**
 * Reads the whole file and stores a preview. A file that cannot be read, or whose caller has left meanwhile, is not kept.
 */
export async function createImport(
	services: ImportServices,
	wanted: NewImport,
	signal: AbortSignal,
): Promise<Import> {
	const { uploads } = services;
	try {
		return await preview(services, wanted, signal);
	} catch (error) {
		await uploads.drop(wanted.upload);
		throw error;
	}
}

async function preview(services: ImportServices, wanted: NewImport, signal: AbortSignal): Promise<Import> {
	const { postgres, now, uploads, reader } = services;
	const { websiteId, source, upload } = wanted;
	const website = await findTrackedRow(postgres, websiteId);
	if (!website) throw notFound();
	const zone = findTimezone(wanted.zone ?? 'UTC');
	if (!zone)
		throw invalid({ timezone: [`${wanted.zone} is not a time zone. Use a name such as Europe/Berlin.`] });
	await refuseMany(postgres, websiteId);
	const dates = await readOpenDates(postgres, website, now());
	const request = { path: uploads.path(upload), source, zone, website, dates };
	const previewed =
		wanted.by === 'operator'
			? await reader.preview(request, { signal, withinMs: operatorWithinMs })
			: await inTurn(services, signal, () => reader.preview(request, { signal, withinMs: uploadWithinMs }));
	return keepImport(services, { ...wanted, zone }, previewed);
}

/** One preview at a time across all processes, because each uses a whole core. */
async function inTurn<Result>(
	{ postgres, turns }: ImportServices,
	signal: AbortSignal,
	work: () => Promise<Result>,
): Promise<Result> {
	const end = await turns.take('preview', signal);
	if (!end) throw tooManyPreviews();
	const holder = await postgres
		.dedicatedConnection(() => undefined)
		.catch((error: unknown) => {
			end();
			throw error;
		});
	try {
		for (let waitedMs = 0; ; waitedMs += lookAgainMs) {
			const [lock] = await holder.rows<{ taken: boolean }>(
				sql`SELECT pg_try_advisory_lock(${namedLock('import', 'preview')}) AS taken`,
			);
			if (lock?.taken) return await work();
			if (waitedMs >= turnWithinMs || signal.aborted) throw tooManyPreviews();
			await sleep(lookAgainMs);
		}
	} finally {
		await holder.end();
		end();
	}
}

const tooManyPreviews = (): AppError =>
	new AppError('too_many_requests', 'Other files are being processed. Try again in a minute.', {
		retryAfterSeconds: 60,
	});

async function keepImport(
	{ postgres, now, uploads }: ImportServices,
	wanted: NewImport & { zone: string },
	{ kind, suppliedCounts, preview: counted }: PreviewedFile,
): Promise<Import> {
	const { websiteId, accountId, source, fileName, upload, zone, by } = wanted;
	const bytes = await uploads.size(upload);
	return postgres.transaction(async (tx) => {
		// The lock makes a deletion of the website wait until it can find this import.
		const [owner] = await tx.rows<{ id: number }>(
			sql`SELECT account_id AS id FROM websites WHERE id = ${value(websiteId)} FOR KEY SHARE`,
		);
		if (!owner) throw notFound();
		await tx.run(sql`SELECT pg_advisory_xact_lock(${namedLock('import', `account ${owner.id}`)})`);
		await refuseMany(tx, websiteId);
		if (by === 'account' && bytes > (await roomOf(tx, owner.id))) throw noRoom();
		const [made] = await tx.rows<Import>(sql`
			INSERT INTO imports (website_id, account_id, source, kind, state, file_name, upload, bytes, zone, given, preview,
				total_rows, from_date, to_date, created_at)
			VALUES (${value(websiteId)}, ${value(accountId)}, ${value(source)}, ${value(kind)}, 'previewed',
				${value(fileName.replace(/\p{Cc}/gu, '').slice(0, 200))}, ${value(upload)}, ${value(bytes)}, ${value(zone)},
				${value(JSON.stringify(suppliedCounts))}::jsonb, ${value(JSON.stringify(counted))}::jsonb,
				${value(counted.rows)}, ${value(counted.from)}::date, ${value(counted.to)}::date, ${value(now())})
			RETURNING ${columns}`);
		if (!made) throw new Error('An import was not made.');
		return made;
	});
}

async function refuseMany(queries: Queries, websiteId: number): Promise<void> {
	const open = await queries.rows(sql`
		SELECT 1 FROM imports WHERE website_id = ${value(websiteId)} AND state IN ('previewed', 'waiting', 'running')`);
	if (open.length >= maxOpen)
		throw new AppError(
			'limit_reached',
			`${open.length} imports of this website wait already; import or discard one of them first.`,
		);
}

/** Bytes that an account may still upload. */
async function roomOf(queries: Queries, accountId: number): Promise<number> {
	const [used] = await queries.rows<{ bytes: number }>(sql`
		SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM imports JOIN websites ON websites.id = website_id
		WHERE websites.account_id = ${value(accountId)} AND upload IS NOT NULL AND undone_at IS NULL`);
	return maxAccountBytes - (used?.bytes ?? 0);
}

const noRoom = (): AppError =>
	new AppError(
		'limit_reached',
		`The pending files of this account would exceed ${maxAccountBytes / 1024 ** 3} GB. Import or discard some of them first.`,
	);

/** Stores an uploaded file within the limits; `bytes` is the announced length. */
export async function receiveUpload(
	{ postgres, uploads }: Pick<ImportServices, 'postgres' | 'uploads'>,
	website: { id: number; accountId: number },
	sent: { pieces: AsyncIterable<Buffer>; bytes: number },
): Promise<string> {
	await refuseMany(postgres, website.id);
	const room = await roomOf(postgres, website.accountId);
	if (sent.bytes > room || room <= 0) throw noRoom();
	return uploads.receive(sent.pieces, { websiteId: website.id, bytes: sent.bytes, room, noRoom });
}

/** A page of imports, newest first. */
export async function listImports(
	postgres: Queries,
	websiteId: number,
	{ page, perPage }: { page: number; perPage: number },
): Promise<{ imports: Import[]; total: number }> {
	const isListed = sql`website_id = ${value(websiteId)} AND undone_at IS NULL`;
	const [all] = await postgres.rows<{ total: number }>(
		sql`SELECT count(*) AS total FROM imports WHERE ${isListed}`,
	);
	const imports = await postgres.rows<Import>(sql`
		SELECT ${columns} FROM imports WHERE ${isListed} ORDER BY id DESC
		LIMIT ${value(perPage)} OFFSET ${value((page - 1) * perPage)}`);
	return { imports, total: all?.total ?? 0 };
}

/** Without a permission check, for operators. */
export const readImports = (queries: Queries, which: Sql): Promise<Import[]> =>
	queries.rows<Import>(sql`
		SELECT ${columns} FROM imports WHERE ${which} AND undone_at IS NULL ORDER BY id DESC LIMIT 1000`);

export async function getImport(queries: Queries, websiteId: number | null, id: number): Promise<Import> {
	const [item] = await readImports(
		queries,
		sql`id = ${value(id)} AND (${value(websiteId)}::bigint IS NULL OR website_id = ${value(websiteId)})`,
	);
	if (!item) throw notFound();
	return item;
}

/** Queues the import for the job. */
export async function startImport(queries: Queries, id: number): Promise<Import> {
	const [started] = await queries.rows<Import>(sql`
		UPDATE imports SET state = 'waiting', fault = NULL
		WHERE id = ${value(id)} AND state IN ('previewed', 'waiting') RETURNING ${columns}`);
	if (!started)
		throw new AppError(
			'precondition_failed',
			'This import has begun already, or it failed; bring the file again.',
		);
	return started;
}

/** Hides the import from all statistics immediately; its data is deleted later. */
export async function undoImport(
	{ postgres, now, uploads }: Pick<ImportServices, 'postgres' | 'now' | 'uploads'>,
	id: number,
): Promise<void> {
	const upload = await postgres.transaction(async (tx) => {
		const [undone] = await tx.rows<{ upload: string | null; kind: string }>(sql`
			UPDATE imports SET state = 'undone', undone_at = ${value(now())}
			WHERE id = ${value(id)} AND undone_at IS NULL RETURNING upload, kind`);
		if (!undone) throw notFound();
		if (undone.kind === 'events') await forgetDays(tx, now, id);
		else await tx.run(sql`DELETE FROM imported_days WHERE import_id = ${value(id)}`);
		return undone.upload;
	});
	if (upload !== null) await uploads.drop(upload);
}

/**
 * Days that came as events were sealed as all others: what was derived from them dies. What the website counted on them itself
 * meanwhile is found again when the events are off the disk.
 */
async function forgetDays(tx: Queries, now: Clock, importId: number): Promise<void> {
	const isOfImport = sql`(website_id, date) IN (
		SELECT website_id, date FROM imported_days WHERE import_id = ${value(importId)})`;
	const gone = sql`DELETE FROM days WHERE ${isOfImport} RETURNING website_id, date, generation, provisional_generation`;
	await tx.run(sql`
		WITH gone AS (${gone})
		INSERT INTO dead_generations (website_id, date, generation, died_at)
		SELECT website_id, date, g, ${value(now())} FROM gone, unnest(ARRAY[generation, provisional_generation]) AS g
		WHERE g > 0 ON CONFLICT DO NOTHING`);
	await tx.run(sql`DELETE FROM imported_days WHERE import_id = ${value(importId)}`);
}
