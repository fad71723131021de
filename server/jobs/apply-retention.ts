/**
 * Data retention: events and visits are deleted after the number of months that the website is set to. Totals are kept forever.
 * `raw_from` is the first date that is kept. It is set before anything is deleted. From then on earlier days are not sealed and
 * questions do not read their events, so no response contains a partly deleted day.
 *
 * `raw_from` moves past a day only if the day is sealed and unchanged since, so deleted events are always in the totals. New
 * events for earlier dates cannot arrive: events are at most seven days old, and the shortest retention is a month. If the event
 * log contains events older than a day, nothing is deleted.
 */
import { dropSetAside } from '../derive/damage.ts';
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import { dateOf, toZones, zonesColumn } from '../websites/zones.ts';
import type { JobServices } from './schedule.ts';

const websitesAtOnce = 1_000;
const maxWaitingMs = 24 * 3_600_000;

export async function applyRetention(services: JobServices): Promise<void> {
	const { eventLog, now } = services;
	const oldest = await eventLog.oldest();
	if (oldest && oldest.appendedAt.getTime() < now().getTime() - maxWaitingMs) return;
	await moveOn(services);
	await deleteRaw(services);
}

/** Sets `raw_from` of all websites with a data retention. */
async function moveOn({ postgres, now, signal }: JobServices): Promise<void> {
	for (let last = 0; !signal.aborted; ) {
		const websites = await postgres.rows<{ id: number; zones: { from: string; zone: string }[] }>(sql`
			SELECT id, ${zonesColumn} AS zones FROM websites
			WHERE retention_months IS NOT NULL AND id > ${value(last)} ORDER BY id LIMIT ${value(websitesAtOnce)}`);
		if (websites.length === 0) return;
		last = websites.at(-1)?.id ?? last;
		const todays = websites.map(({ zones }) => dateOf(toZones(zones), now().getTime()).date);
		const ids = websites.map(({ id }) => id);
		await postgres.transaction((tx) => setRawFrom(tx, ids, todays));
	}
}

/** Locks the websites first: deletions and undos lock them too, and make sealed days unsealed. */
async function setRawFrom(tx: Queries, ids: readonly number[], todays: readonly string[]): Promise<void> {
	await tx.run(
		sql`SELECT 1 FROM websites WHERE id = ANY(${value(ids)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
	);
	await tx.run(sql`
		UPDATE websites SET raw_from = moved.to
		FROM (
			SELECT w.id, least(
				(local.today - make_interval(months => w.retention_months))::date,
				(SELECT min(date) FROM days
					WHERE website_id = w.id AND (raw_from IS NULL OR date >= raw_from)
						AND (generation = 0 OR last_batch > sealed_batch))
			) AS to
			FROM unnest(${value(ids)}::bigint[], ${value(todays)}::date[]) AS local (id, today) JOIN websites AS w USING (id)
		) AS moved
		WHERE websites.id = moved.id AND (raw_from IS NULL OR raw_from < moved.to)`);
}

type Kept = { id: number; rawFrom: string; hasDays: boolean };

/** Deletes everything before `raw_from`, including what an interrupted run has left. */
async function deleteRaw({ postgres, clickhouse, log, signal }: JobServices): Promise<void> {
	while (!signal.aborted) {
		const kept = await postgres.rows<Kept>(sql`
			SELECT id, raw_from::text AS "rawFrom", EXISTS (
				SELECT 1 FROM days
				WHERE website_id = websites.id AND date < raw_from AND (raw_erased_to IS NULL OR date >= raw_erased_to)
			) AS "hasDays"
			FROM websites WHERE raw_from IS DISTINCT FROM raw_erased_to ORDER BY id LIMIT ${value(websitesAtOnce)}`);
		if (kept.length === 0) return;
		const old = kept.filter(({ hasDays }) => hasDays);
		// Two lists instead of two parameters per website: a server accepts 1,000 fields per request (`http_max_fields`).
		const ids = param(
			'Array(UInt32)',
			old.map(({ id }) => id),
		);
		const dates = param(
			'Array(Date)',
			old.map(({ rawFrom }) => rawFrom),
		);
		const isOld = sql`website_id IN ${ids} AND date < transform(website_id, ${ids}, ${dates}, toDate('1970-01-01'))`;
		for (const table of old.length === 0 ? [] : [sql`events`, sql`visits`]) {
			await clickhouse.command(sql`ALTER TABLE ${table} DELETE WHERE ${isOld}`, {
				name: 'retention',
				settings: { mutations_sync: '2' },
				signal,
			});
		}
		if (old.length > 0) await dropSetAside({ postgres, clickhouse }, { signal });
		await postgres.run(sql`
			UPDATE websites SET raw_erased_to = done.raw_from
			FROM unnest(${value(kept.map(({ id }) => id))}::bigint[], ${value(kept.map(({ rawFrom }) => rawFrom))}::date[])
				AS done (id, raw_from)
			WHERE websites.id = done.id`);
		if (old.length > 0) log.info({ websites: old.length }, 'deleted events past their data retention');
	}
}
