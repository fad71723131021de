/**
 * Deletions: events that a website does not want counted after all. They are hidden from the commit on, can be restored for some days,
 * and are then deleted from disk (jobs/delete-hidden-events.ts). How they are hidden: derive/hidden-events.ts.
 */
import type { z } from 'zod';
import {
	type createDeletionBody,
	type DeletionField,
	defaultKeepDays,
	testsOfField,
} from '../../api/deletions.ts';
import type { RuleKind } from '../../api/traffic-rules.ts';
import { notFound } from '../accounts/authorize.ts';
import {
	type EventSelection,
	type HiddenCondition,
	hostOf,
	isSelected,
	isSelectedTotal,
	isVisible,
	isVisibleTotal,
	revisionOf,
	selectsTotals,
	type TotalsTable,
} from '../derive/hidden-events.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs } from '../lib/durations.ts';
import type { StatsServices } from '../stats/answer/answer.ts';
import type { StatsWebsite } from '../stats/question/question.ts';
import { locks } from '../store/locks.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, param, render, type Sql, sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/get-website.ts';
import { isOwnHostname } from '../websites/hostnames.ts';
import type { ItemContext } from './items.ts';
import { type RuleCondition, readValues } from './traffic-rules.ts';

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
	earlierValues: number;
	sinceBatch: number;
	deleteAt: Date;
	createdAt: Date;
	endedAt: Date | null;
};

type Sent = Pick<z.output<typeof createDeletionBody>, 'conditions' | 'rule_id' | 'from' | 'to'>;

/** What a deletion is about. */
export type Subject = { selection: EventSelection; ruleId: number | null; name: string | null };

/** Every statement about events contains the conditions, up to three times. */
const maxValues = 1_000;
const maxCharacters = 60_000;
/** A ClickHouse server accepts 1,000 parameters per statement (`http_max_fields`). */
const maxParameters = 150;
const maxHidden = 20;

/** The values of other fields are texts, as those of campaigns. */
const ruleKindOf: Record<DeletionField, RuleKind> = {
	path: 'path',
	query: 'campaign',
	title: 'campaign',
	hostname: 'hostname',
	referrer: 'referrer',
	campaign: 'campaign',
	country: 'country',
	event: 'campaign',
	property: 'campaign',
};

export async function readSubject(
	queries: Queries,
	websiteId: number,
	{ conditions, rule_id: ruleId, from, to }: Sent,
	now: Date,
): Promise<Subject> {
	const imports = await queries.rows<{ id: number }>(sql`
		SELECT id FROM imports WHERE website_id = ${value(websiteId)} AND state = 'done' ORDER BY id`);
	const period = {
		...{ from: from ?? null, to: to ?? null, untilMs: now.getTime() },
		imports: imports.map(({ id }) => id),
	};
	if (ruleId === undefined) {
		const subject = {
			selection: { conditions: (conditions ?? []).map(readCondition), ...period },
			ruleId: null,
			name: null,
		};
		refuseLarge(subject.selection, 'conditions');
		return subject;
	}
	const [rule] = await queries.rows<RuleCondition & { name: string }>(sql`
		SELECT name, kind, test, entries AS values FROM traffic_rules
		WHERE website_id = ${value(websiteId)} AND id = ${value(ruleId)}`);
	if (!rule) throw invalid({ rule_id: ['This website has no traffic rule with this id.'] });
	const { kind, test, values, name } = rule;
	if (kind === 'user_agent' || kind === 'network' || kind === 'operator')
		throw invalid({
			rule_id: [
				'User agents and IP addresses are not stored, so this rule cannot be applied to earlier traffic.',
			],
		});
	const selection = { conditions: [{ field: kind, property: null, test, values }], ...period };
	refuseLarge(selection, 'rule_id');
	return { selection, ruleId, name };
}

type SentCondition = NonNullable<Sent['conditions']>[number];

function readCondition(
	{ field, property, test: sent, values }: SentCondition,
	index: number,
): HiddenCondition {
	const fault = (message: string) => invalid({ conditions: [`Condition ${index + 1}: ${message}`] });
	const tests = testsOfField[field];
	const test = sent ?? tests[0] ?? 'is';
	if (!tests.includes(test)) throw fault(`The test of ${field} must be one of: ${tests.join(', ')}.`);
	if ((field === 'property') !== (property !== undefined && property !== ''))
		throw fault(
			field === 'property' ? 'The property field is required.' : 'Only the field property has a property.',
		);
	const read = readValues({ kind: ruleKindOf[field], test }, values);
	if ('fault' in read) throw fault(read.fault);
	return { field, property: property || null, test, values: read.values };
}

function refuseLarge({ conditions }: EventSelection, field: string): void {
	const values = conditions.flatMap((condition) => condition.values);
	if (values.length > maxValues || values.join('').length > maxCharacters)
		throw invalid({
			[field]: [
				`At most ${maxValues.toLocaleString('en')} values with ${maxCharacters.toLocaleString('en')} characters together can be applied to earlier traffic.`,
			],
		});
}

/** Events of a day that a selection finds. */
export type SelectedDay = { date: string; events: number; pageviews: number; customEvents: number };

type EngineServices = Pick<StatsServices, 'clickhouse'>;

/** Of the events that count now. */
const candidatesOf = ({ id, rawFrom, resetAt, hidden, hiddenImports = [] }: StatsWebsite): Sql => sql`
	website_id = ${param('UInt32', id)} AND date >= ${param('Date', rawFrom ?? '1970-01-01')}
	AND time >= fromUnixTimestamp64Milli(${param('Int64', resetAt ?? 0)}, 'UTC')
	AND import_id NOT IN ${param('Array(UInt64)', hiddenImports)} ${isVisible(hidden)}`;

async function findSelectedDays(
	{ clickhouse }: EngineServices,
	website: StatsWebsite,
	selection: EventSelection,
	signal: AbortSignal,
): Promise<SelectedDay[]> {
	const rows = await clickhouse.rows<{ date: string; all: string; views: string; customs: string }>(
		sql`
		SELECT date, count() AS all, countIf(kind = 'pageview') AS views, countIf(kind = 'custom') AS customs
		FROM events
		WHERE ${candidatesOf(website)} AND ${isSelected(selection)}
		GROUP BY date ORDER BY date`,
		{ name: 'deletion', signal },
	);
	return rows.map(({ date, all, views, customs }) => ({
		date,
		events: Number(all),
		pageviews: Number(views),
		customEvents: Number(customs),
	}));
}

/** How many values of totals without events are selected. */
async function countSelectedTotals(
	{ clickhouse }: EngineServices,
	{ id, hidden }: StatsWebsite,
	selection: EventSelection,
	signal: AbortSignal,
): Promise<number> {
	const valuesOf = (table: TotalsTable) => sql`
		SELECT value FROM ${identifier(table)}
		WHERE website_id = ${param('UInt32', id)} AND ${isSelectedTotal(selection, table)} ${isVisibleTotal(hidden, table)}`;
	const [row] = await clickhouse.rows<{ found: string }>(
		sql`SELECT uniqExact(value) AS found FROM (${valuesOf('totals')} UNION ALL ${valuesOf('totals_imported')})`,
		{ name: 'deletion', signal },
	);
	return Number(row?.found ?? 0);
}

/** Of the selected hosts, the most frequent ones: spam has many, and the website itself is the most frequent referrer. */
const maxHosts = 10_000;

/** As in a traffic rule, a condition on referrers does not select those that are the website itself: every further page view has one. */
async function withoutOwnReferrers(
	{ clickhouse, postgres }: EngineServices & { postgres: Queries },
	website: StatsWebsite,
	selection: EventSelection,
	signal: AbortSignal,
): Promise<EventSelection> {
	if (!selection.conditions.some(({ field }) => field === 'referrer')) return selection;
	const [tracked] = await postgres.rows<{ domain: string; hostnames: string | null }>(
		sql`SELECT domain, hostnames FROM websites WHERE id = ${value(website.id)}`,
	);
	if (!tracked) throw notFound();
	const hosts = await clickhouse.rows<{ host: string }>(
		sql`
		SELECT ${hostOf(sql`lowerUTF8(referrer)`)} AS host FROM events
		WHERE ${candidatesOf(website)} AND ${isSelected(selection)}
		GROUP BY host ORDER BY count() DESC LIMIT ${param('UInt32', maxHosts)}`,
		{ name: 'deletion', signal },
	);
	const own = { domain: tracked.domain, hostnames: tracked.hostnames?.split('\n') ?? [] };
	const ownHosts = hosts.map(({ host }) => host).filter((host) => isOwnHostname(own, host));
	return {
		...selection,
		conditions: selection.conditions.map((condition) =>
			condition.field === 'referrer' ? { ...condition, ownHosts } : condition,
		),
	};
}

export type Selected = Subject & {
	days: SelectedDay[];
	earlierValues: number;
	/** Of what was hidden when they were looked for. */
	hiddenRevision: number;
};

/** What a deletion would hide. */
export async function findSelected(
	services: EngineServices & { postgres: Queries },
	website: StatsWebsite,
	subject: Subject,
	signal: AbortSignal,
): Promise<Selected> {
	const selection = await withoutOwnReferrers(services, website, subject.selection, signal);
	const days = await findSelectedDays(services, website, selection, signal);
	// A traffic rule is not about personal data: totals stay as they are.
	const isAboutTotals = subject.ruleId === null && selectsTotals(selection);
	const withTotals = { ...selection, totals: { before: website.rawFrom } };
	const earlierValues = isAboutTotals ? await countSelectedTotals(services, website, withTotals, signal) : 0;
	const hiddenRevision = revisionOf(website.hidden);
	return {
		...subject,
		selection: earlierValues > 0 ? withTotals : selection,
		days,
		earlierValues,
		hiddenRevision,
	};
}

/** The last batch of the website before which all are written. Events of later ones may not be found yet. */
export async function lastBatch(queries: Queries, websiteId: number): Promise<number> {
	const [row] = await queries.rows<{ batch: number }>(sql`
		SELECT least(
			(SELECT coalesce(max(last_batch), 0) FROM days WHERE website_id = ${value(websiteId)}),
			(SELECT min(number) - 1 FROM batches)
		) AS batch`);
	return row?.batch ?? 0;
}

const columns = sql`id, name, rule_id AS "ruleId", selection, state, dates::text[] AS dates, events, pageviews,
	earlier_values AS "earlierValues", since_batch AS "sinceBatch", delete_at AS "deleteAt", created_at AS "createdAt", ended_at AS "endedAt"`;

export type NewDeletion = Selected & {
	/** The last batch before they were looked for. */
	batch: number;
	keepDays: number | undefined;
};

/** Hides the events. Runs in the caller's transaction. */
export async function createDeletion(
	tx: Queries,
	{ now, principal, websiteId }: Pick<ItemContext, 'now' | 'principal' | 'websiteId'>,
	{
		selection,
		ruleId,
		name,
		days,
		earlierValues,
		hiddenRevision,
		batch,
		keepDays = defaultKeepDays,
	}: NewDeletion,
): Promise<Deletion> {
	await getWebsite(tx, principal, 'website.reset', websiteId, sql`FOR NO KEY UPDATE`);
	if (days.length === 0 && earlierValues === 0) throw invalid({ conditions: ['No events match.'] });
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
	const dates = [...new Set([...days, ...undone].map(({ date }) => date))].toSorted();
	const sum = (pick: (day: SelectedDay) => number) => days.reduce((total, day) => total + pick(day), 0);
	const [deletion] = await tx.rows<Deletion>(sql`
		INSERT INTO deletions (website_id, rule_id, name, selection, state, revision, dates, events, pageviews, earlier_values, since_batch, delete_at, created_at)
		VALUES (${value(websiteId)}, (SELECT id FROM traffic_rules WHERE id = ${value(ruleId)}), ${value(name)},
			${value(JSON.stringify(selection))}::jsonb, 'hidden', ${value(revision)}, ${value(dates)}::date[],
			${value(sum(({ events }) => events))}, ${value(sum(({ pageviews }) => pageviews))}, ${value(earlierValues)}, ${value(batch)},
			${value(new Date(createdAt.getTime() + keepDays * dayMs))}, ${value(createdAt)})
		RETURNING ${columns}`);
	if (!deletion) throw new Error('PostgreSQL returned no deletion.');
	await deriveAgain(tx, { websiteId, deletion, since: revision, revision, now });
	return deletion;
}

/** Shows the events again. */
export async function undoDeletion(
	tx: Queries,
	{ now, principal, websiteId }: Pick<ItemContext, 'now' | 'principal' | 'websiteId'>,
	id: number,
): Promise<Deletion> {
	await getWebsite(tx, principal, 'website.reset', websiteId, sql`FOR NO KEY UPDATE`);
	const [stored] = await tx.rows<Deletion & { revision: number }>(sql`
		SELECT ${columns}, revision FROM deletions WHERE website_id = ${value(websiteId)} AND id = ${value(id)} FOR UPDATE`);
	if (!stored) throw notFound();
	if (stored.state === 'undone') return stored;
	if (stored.state !== 'hidden')
		throw new AppError('precondition_failed', 'The events have been deleted and cannot be restored.');
	const revision = await nextRevision(tx, websiteId);
	const [undone] = await tx.rows<Deletion>(sql`
		UPDATE deletions SET state = 'undone', revision = ${value(revision)}, ended_at = ${value(now())}
		WHERE id = ${value(id)} RETURNING ${columns}`);
	await deriveAgain(tx, { websiteId, deletion: stored, since: stored.revision, revision, now });
	return undone ?? stored;
}

/** The values of a condition may be the personal data that had to be deleted. */
const withoutValues = (selection: EventSelection): EventSelection => ({
	...selection,
	conditions: selection.conditions.map(({ ownHosts: _, ...condition }) => ({ ...condition, values: [] })),
});

/** The events are no longer on disk. Selected ones that arrived too late for that count from now on. */
export async function endDeletion(tx: Queries, id: number, now: Clock): Promise<void> {
	const [website] = await tx.rows<{ id: number }>(sql`
		SELECT id FROM websites WHERE id = (SELECT website_id FROM deletions WHERE id = ${value(id)}) FOR NO KEY UPDATE`);
	const [stored] = await tx.rows<Deletion & { untilBatch: number | null }>(sql`
		SELECT ${columns}, until_batch AS "untilBatch" FROM deletions WHERE id = ${value(id)} AND state = 'deleting' FOR UPDATE`);
	if (!website || !stored) return;
	const revision = await nextRevision(tx, website.id);
	const selection = stored.name === null ? withoutValues(stored.selection) : stored.selection;
	await tx.run(sql`
		UPDATE deletions SET state = 'deleted', revision = ${value(revision)}, ended_at = ${value(now())},
			selection = ${value(JSON.stringify(selection))}::jsonb
		WHERE id = ${value(id)}`);
	const deletion = { ...stored, dates: [], sinceBatch: stored.untilBatch ?? stored.sinceBatch };
	await deriveAgain(tx, { websiteId: website.id, deletion, since: revision, revision, now });
	// Responses that are kept for retries contain the values too.
	const conditions = selection.conditions.map(({ field, property, test, values }) => ({
		field,
		property,
		test,
		values,
	}));
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
