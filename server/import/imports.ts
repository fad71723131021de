/**
 * Imports of a website: brought, looked at, started, and undone.
 *
 * One source a day: an import has the days that lie before the website's first own one and that no import before it has. They are
 * settled in the transaction that ends it, and `imported_days` names them; until then nothing of it is seen. To undo it takes
 * them out of that list, at once; what is on the disk goes after that, and the record with it.
 */
import { randomBytes } from 'node:crypto';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { openPlaces } from '../collect/places.ts';
import type { Lists, Places } from '../collect/step.ts';
import { findTracked } from '../collect/tracked-websites.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/websites.ts';
import type { Given, Importer, ImportSource } from './importer.ts';
import { findImporter } from './importers.ts';
import { createJudge, type Preview, previewFile, readOpenDates } from './preview.ts';
import { createUploads, type Uploads } from './uploads.ts';

export type ImportServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	uploads: Uploads;
	/** Read when an import needs it: few do. */
	places(): Promise<Places>;
};

/** What imports need of the machine. */
export const importing = ({ dataFolder, geoFile }: { dataFolder: string; geoFile: string | undefined }) => ({
	uploads: createUploads(dataFolder),
	places: () => openPlaces(geoFile),
});

/** What an importer looks addresses up in. */
export const listsOf = async (
	{ hasAddresses }: Importer,
	{ places }: Pick<ImportServices, 'places'>,
): Promise<Lists | undefined> => (hasAddresses ? { places: await places() } : undefined);

export type ImportState = 'previewed' | 'waiting' | 'running' | 'done' | 'failed';

export type Import = {
	id: number;
	websiteId: number;
	source: ImportSource;
	kind: 'totals' | 'events';
	state: ImportState;
	fault: string | null;
	fileName: string;
	zone: string;
	given: Given;
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

/** So many at once: each holds a file on the disk. */
const maxOpen = 3;

export type NewImport = {
	websiteId: number;
	accountId: number | null;
	source: ImportSource;
	fileName: string;
	/** Of times that do not say theirs; the website's own unless said. */
	zone: string | undefined;
	upload: string;
};

/** Reads the whole file and keeps what was found, for somebody to look at. A file that cannot be read is not kept. */
export async function createImport(services: ImportServices, wanted: NewImport): Promise<Import> {
	const { uploads } = services;
	try {
		return await preview(services, wanted);
	} catch (error) {
		await uploads.drop(wanted.upload);
		throw error;
	}
}

async function preview(services: ImportServices, wanted: NewImport): Promise<Import> {
	const { postgres, now, uploads } = services;
	const { websiteId, accountId, source, fileName, upload } = wanted;
	const website = await findTracked(postgres, websiteId);
	if (!website) throw notFound();
	const importer = findImporter(source);
	const zone = findTimezone(wanted.zone ?? 'UTC');
	if (!zone) throw invalid({ timezone: [`${wanted.zone} is no time zone; one is Europe/Berlin.`] });
	await refuseMany(postgres, websiteId);
	const found = await previewFile(uploads.path(upload), importer, {
		zone,
		domain: website.domain,
		judgeOf: async (kind) => {
			// What was emptied is hidden up to that moment, and events from before it would be erased with it.
			if (kind === 'events' && website.resetAt > 0)
				throw new AppError(
					'precondition_failed',
					'The statistics of this website were emptied once, so events from before cannot be brought in. Use another website.',
				);
			const dates = await readOpenDates(postgres, website, now(), {
				importId: null,
				isOfEvents: kind === 'events',
			});
			return createJudge(website, importer, dates, randomBytes(32), await listsOf(importer, services));
		},
	});
	const [made] = await postgres.rows<Import>(sql`
		INSERT INTO imports (website_id, account_id, source, kind, state, file_name, upload, zone, given, preview, total_rows,
			from_date, to_date, created_at)
		VALUES (${value(websiteId)}, ${value(accountId)}, ${value(source)}, ${value(found.kind)}, 'previewed',
			${value(fileName.replace(/\p{Cc}/gu, '').slice(0, 200))}, ${value(upload)}, ${value(zone)},
			${value(JSON.stringify(found.given))}::jsonb, ${value(JSON.stringify(found.preview))}::jsonb,
			${value(found.preview.rows)}, ${value(found.preview.from)}::date, ${value(found.preview.to)}::date, ${value(now())})
		RETURNING ${columns}`);
	if (!made) throw new Error('An import was not made.');
	return made;
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

export async function listImports(
	postgres: Queries,
	principal: Principal,
	websiteId: number,
): Promise<Import[]> {
	await getWebsite(postgres, principal, 'website.read', websiteId);
	return readImports(postgres, sql`website_id = ${value(websiteId)}`);
}

/** Without asking who: for an operator. */
export const readImports = (queries: Queries, which: Sql): Promise<Import[]> =>
	queries.rows<Import>(sql`
		SELECT ${columns} FROM imports WHERE ${which} AND undone_at IS NULL ORDER BY id DESC LIMIT 1000`);

export async function getImport(queries: Queries, websiteId: number | null, id: number): Promise<Import> {
	const [found] = await readImports(
		queries,
		sql`id = ${value(id)} AND (${value(websiteId)}::bigint IS NULL OR website_id = ${value(websiteId)})`,
	);
	if (!found) throw notFound();
	return found;
}

/** From now on it is brought in, by whoever comes to it first. */
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

/** Takes it out of every answer, at once. */
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
