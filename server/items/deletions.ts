/**
 * Deletions: events that a website does not want counted after all. They are hidden from the commit on, can be restored for some days,
 * and are then deleted from disk (jobs/delete-hidden-events.ts). How they are hidden: derive/hidden-events.ts.
 */
import { defaultKeepDays } from '../../api/deletions.ts';
import { notFound } from '../accounts/authorize.ts';
import { type EventSelection, isVisible, selectsTotals } from '../derive/hidden-events.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/durations.ts';
import { locks } from '../store/locks.ts';
import type { Queries } from '../store/postgres.ts';
import { render, sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/get-website.ts';
import type { ItemContext } from './items.ts';
import type { Selected, SelectedDay } from './selected-events.ts';

export type DeletionState = 'hidden' | 'deleting' | 'deleted' | 'undone';

export type Deletion = {
	id: number;
	name: string | null;
	ruleId: number | null;
	selection: EventSelection;
	state: DeletionState;
	dates: string[];
	events: number;
	pageviews: number;
	/** Selected events that other deletions had hidden before. */
	alreadyHidden: number;
	earlierValues: number;
	sinceBatch: number;
	deleteAt: Date;
	createdAt: Date;
	endedAt: Date | null;
};

/** A ClickHouse server accepts 1,000 parameters per statement (`http_max_fields`). */
const maxParameters = 150;
const maxHidden = 20;

const columns = sql`id, name, rule_id AS "ruleId", selection, state, dates::text[] AS dates, events, pageviews,
	already_hidden AS "alreadyHidden", earlier_values AS "earlierValues", since_batch AS "sinceBatch", delete_at AS "deleteAt", created_at AS "createdAt", ended_at AS "endedAt"`;

export type NewDeletion = Selected & {
	/** The last batch before they were looked for. */
	batch: number;
};

/** When events of these days are deleted from disk. Those that data retention deletes cannot be restored. */
export async function readDeleteAt(
	queries: Queries,
	websiteId: number,
	{
		at,
		keepDays = defaultKeepDays,
		dates,
	}: { at: Date; keepDays: number | undefined; dates: readonly string[] },
): Promise<Date> {
	const latest = new Date(at.getTime() + keepDays * dayMs);
	const [website] = await queries.rows<{ deleteAt: Date }>(sql`
		SELECT greatest(${value(at)}::timestamptz, least(${value(latest)}::timestamptz,
			((SELECT min(date) FROM unnest(${value(dates)}::date[]) AS date)
				+ make_interval(months => retention_months)) AT TIME ZONE 'UTC')) AS "deleteAt"
		FROM websites WHERE id = ${value(websiteId)}`);
	return website?.deleteAt ?? latest;
}

/** Hides the events. Runs in the caller's transaction. */
export async function createDeletion(
	tx: Queries,
	{ now, principal, websiteId }: Pick<ItemContext, 'now' | 'principal' | 'websiteId'>,
	{
		selection: asFound,
		ruleId,
		name,
		days: found,
		earlierValues,
		hiddenRevision,
		batch,
		keepDays,
	}: NewDeletion,
): Promise<Deletion> {
	await getWebsite(tx, principal, 'website.reset', websiteId, sql`FOR NO KEY UPDATE`);
	// Data retention may have deleted days since they were found.
	const [website] = await tx.rows<{ rawFrom: string | null }>(
		sql`SELECT raw_from::text AS "rawFrom" FROM websites WHERE id = ${value(websiteId)}`,
	);
	const rawFrom = website?.rawFrom ?? null;
	const isLeft = ({ date }: { date: string }) => rawFrom === null || date >= rawFrom;
	const days = found.filter(isLeft);
	if (days.length === 0 && earlierValues === 0) throw invalid({ conditions: ['No events match.'] });
	// Of those days only totals are left.
	const isAboutTotals = days.length < found.length && ruleId === null && selectsTotals(asFound);
	const selection = isAboutTotals ? { ...asFound, totals: { before: rawFrom } } : asFound;
	const active = await tx.rows<{ selection: EventSelection }>(sql`
		SELECT selection FROM deletions
		WHERE website_id = ${value(websiteId)} AND state IN ('hidden', 'deleting')`);
	const selections = [...active.map((stored) => stored.selection), selection];
	const { query_params: parameters } = render(isVisible({ revision: 0, selections }));
	if (selections.length > maxHidden || Object.keys(parameters).length > maxParameters)
		throw new AppError(
			'limit_reached',
			'Too many deletions of this website can still be undone. Undo one, or wait until its events are deleted.',
		);
	const revision = await nextRevision(tx, websiteId);
	const createdAt = now();
	// Of deletions that were undone meanwhile: their events were not found.
	const undone = await tx.rows<{ date: string }>(sql`
		SELECT unnest(dates)::text AS date FROM deletions
		WHERE website_id = ${value(websiteId)} AND state = 'undone' AND revision > ${value(hiddenRevision)}`);
	const dates = [...new Set([...days, ...undone].filter(isLeft).map(({ date }) => date))].toSorted();
	const sum = (pick: (day: SelectedDay) => number) => days.reduce((total, day) => total + pick(day), 0);
	const deleteAt = await readDeleteAt(tx, websiteId, { at: createdAt, keepDays, dates });
	const [deletion] = await tx.rows<Deletion>(sql`
		INSERT INTO deletions (website_id, rule_id, name, selection, state, revision, dates, events, pageviews, already_hidden, earlier_values, since_batch, delete_at, created_at)
		VALUES (${value(websiteId)}, (SELECT id FROM traffic_rules WHERE id = ${value(ruleId)}), ${value(name)},
			${value(JSON.stringify(selection))}::jsonb, 'hidden', ${value(revision)}, ${value(dates)}::date[],
			${value(sum(({ events }) => events))}, ${value(sum(({ pageviews }) => pageviews))},
			${value(sum(({ alreadyHidden }) => alreadyHidden))}, ${value(earlierValues)}, ${value(batch)},
			${value(deleteAt)}, ${value(createdAt)})
		RETURNING ${columns}`);
	if (!deletion) throw new Error('PostgreSQL returned no deletion.');
	await deriveAgain(tx, { websiteId, deletion, since: revision, revision, now });
	return deletion;
}

/** Whether data retention has not reached the first day of a deletion, so that all its events are still there. */
export const isRetained = sql`NOT EXISTS (
	SELECT 1 FROM websites WHERE websites.id = deletions.website_id AND raw_from > deletions.dates[1])`;

/** Shows the events again. */
export async function undoDeletion(
	tx: Queries,
	{ now, principal, websiteId }: Pick<ItemContext, 'now' | 'principal' | 'websiteId'>,
	id: number,
): Promise<Deletion> {
	await getWebsite(tx, principal, 'website.reset', websiteId, sql`FOR NO KEY UPDATE`);
	const [stored] = await tx.rows<Deletion & { revision: number; isRetained: boolean }>(sql`
		SELECT ${columns}, revision, ${isRetained} AS "isRetained" FROM deletions WHERE website_id = ${value(websiteId)} AND id = ${value(id)} FOR UPDATE`);
	if (!stored) throw notFound();
	if (stored.state === 'undone') return stored;
	if (stored.state !== 'hidden' || !stored.isRetained)
		throw new AppError('precondition_failed', 'The events have been deleted and cannot be restored.');
	const revision = await nextRevision(tx, websiteId);
	const selection = selectionToKeep(stored);
	const [undone] = await tx.rows<Deletion>(sql`
		UPDATE deletions SET state = 'undone', revision = ${value(revision)}, ended_at = ${value(now())},
			selection = ${value(JSON.stringify(selection))}::jsonb
		WHERE id = ${value(id)} RETURNING ${columns}`);
	await deriveAgain(tx, { websiteId, deletion: stored, since: stored.revision, revision, now });
	await replaceInAnswers(tx, id, selection);
	return undone ?? stored;
}

/** What is kept once nothing is hidden. The values of a filter may be the personal data that had to be deleted; rules have a name. */
const selectionToKeep = ({ name, selection }: Deletion): EventSelection =>
	name === null
		? {
				...selection,
				conditions: selection.conditions.map(({ ownHosts: _, ...condition }) => ({
					...condition,
					values: [],
				})),
			}
		: selection;

/** The events are no longer on disk. Selected ones that arrived too late for that count from now on. */
export async function endDeletion(tx: Queries, id: number, now: Clock): Promise<void> {
	const [website] = await tx.rows<{ id: number }>(sql`
		SELECT id FROM websites WHERE id = (SELECT website_id FROM deletions WHERE id = ${value(id)}) FOR NO KEY UPDATE`);
	const [stored] = await tx.rows<Deletion & { untilBatch: number | null }>(sql`
		SELECT ${columns}, until_batch AS "untilBatch" FROM deletions WHERE id = ${value(id)} AND state = 'deleting' FOR UPDATE`);
	if (!website || !stored) return;
	const revision = await nextRevision(tx, website.id);
	const selection = selectionToKeep(stored);
	await tx.run(sql`
		UPDATE deletions SET state = 'deleted', revision = ${value(revision)}, ended_at = ${value(now())},
			selection = ${value(JSON.stringify(selection))}::jsonb
		WHERE id = ${value(id)}`);
	const deletion = { ...stored, dates: [], sinceBatch: stored.untilBatch ?? stored.sinceBatch };
	await deriveAgain(tx, { websiteId: website.id, deletion, since: revision, revision, now });
	await replaceInAnswers(tx, id, selection);
}

/** Responses that are kept for retries contain the values too. */
async function replaceInAnswers(
	tx: Queries,
	id: number,
	{ conditions: stored }: EventSelection,
): Promise<void> {
	const conditions = stored.map(({ field, property, test, values }) => ({ field, property, test, values }));
	await tx.run(sql`
		UPDATE idempotent_answers SET body = jsonb_set(body::jsonb, '{data,conditions}', ${value(JSON.stringify(conditions))}::jsonb)::text
		WHERE starts_with(body, ${value(`{"data":{"id":${id},"object":"deletion",`)})`);
}

/** Only the website whose row is locked can get a new one. */
async function nextRevision(tx: Queries, websiteId: number): Promise<number> {
	const [row] = await tx.rows<{ revision: number }>(sql`
		SELECT coalesce(max(revision), 0) + 1 AS revision FROM deletions WHERE website_id = ${value(websiteId)}`);
	return row?.revision ?? 1;
}

/**
 * From the commit on, questions derive these days from their events, until they are sealed with this revision. Days with batches that
 * arrived since the events were looked for are included, because they may have selected events too. So are days of deletions that were
 * undone since that revision: this deletion did not find their events, because they were hidden, but hid them after that undo.
 */
async function deriveAgain(
	tx: Queries,
	{
		websiteId,
		deletion: { dates, selection, sinceBatch },
		since,
		revision,
		now,
	}: { websiteId: number; deletion: Deletion; since: number; revision: number; now: Clock },
): Promise<void> {
	// A batch that is numbered after the days were read would be sealed without this revision.
	await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.batchNumber)}::bigint)`);
	// Local dates may be a day ahead.
	const last = new Date(selection.untilMs + dayMs);
	const marked = await tx.rows<{ date: string; generation: number; provisional: number }>(sql`
		SELECT days.date::text AS date, generation, provisional_generation AS provisional
		FROM days JOIN websites ON websites.id = days.website_id
		WHERE days.website_id = ${value(websiteId)} AND (raw_from IS NULL OR days.date >= raw_from) AND (
			days.date = ANY(${value(dates)}::date[])
			OR days.date IN (
				SELECT unnest(dates) FROM deletions
				WHERE website_id = ${value(websiteId)} AND state = 'undone' AND revision > ${value(since)}
			)
			OR (last_batch > ${value(sinceBatch)} AND days.date <= ${value(last)}::timestamptz::date)
		)
		ORDER BY days.date FOR NO KEY UPDATE OF days`);
	await tx.run(sql`
		UPDATE days SET deletions_revision = ${value(revision)}, sealed_batch = -1, provisional_generation = 0, provisional_batch = 0
		WHERE website_id = ${value(websiteId)} AND date = ANY(${value(marked.map(({ date }) => date))}::date[])`);
	const dead = marked.filter(({ generation, provisional }) => provisional > 0 && provisional !== generation);
	await tx.run(sql`
		INSERT INTO dead_generations (website_id, date, generation, died_at)
		SELECT ${value(websiteId)}::bigint, date, generation, ${value(now())}::timestamptz
		FROM unnest(${value(dead.map(({ date }) => date))}::date[], ${value(dead.map(({ provisional }) => provisional))}::bigint[])
			AS dead (date, generation)
		ON CONFLICT DO NOTHING`);
}

/** A page of deletions, newest first. The caller checks that the principal may read the website. */
export async function listDeletions(
	postgres: Queries,
	websiteId: number,
	{ page, perPage }: { page: number; perPage: number },
): Promise<{ deletions: Deletion[]; total: number }> {
	const [all] = await postgres.rows<{ total: number }>(
		sql`SELECT count(*) AS total FROM deletions WHERE website_id = ${value(websiteId)}`,
	);
	const deletions = await postgres.rows<Deletion>(sql`
		SELECT ${columns} FROM deletions WHERE website_id = ${value(websiteId)} ORDER BY id DESC
		LIMIT ${value(perPage)} OFFSET ${value((page - 1) * perPage)}`);
	return { deletions, total: all?.total ?? 0 };
}

/** What else may contain the values, and is not changed. */
export async function countElsewhere(
	queries: Queries,
	websiteId: number,
	{ from, to }: { from: string; to: string },
): Promise<{ reports: number; deadLetters: number }> {
	const [row] = await queries.rows<{ reports: number; deadLetters: number }>(sql`
		SELECT
			(SELECT count(*) FROM reports
				WHERE website_id = ${value(websiteId)} AND from_day <= ${value(to)}::date AND to_day >= ${value(from)}::date) AS reports,
			(SELECT count(*) FROM dead_letters WHERE website_id = ${value(websiteId)}) AS "deadLetters"`);
	return row ?? { reports: 0, deadLetters: 0 };
}
