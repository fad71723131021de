/** Reads the selection of a deletion from a request, and finds the events that match it. */
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
	namesPath,
	revisionOf,
	selectsTotals,
	type TotalsTable,
} from '../derive/hidden-events.ts';
import { invalid } from '../lib/app-error.ts';
import { dayMs } from '../lib/durations.ts';
import type { StatsServices } from '../stats/answer/answer.ts';
import type { StatsWebsite } from '../stats/question/question.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, join, param, type Sql, sql, value } from '../store/sql.ts';
import { isOwnHostname } from '../websites/hostnames.ts';
import { type RuleCondition, readValues } from './traffic-rules.ts';

type Sent = Pick<z.output<typeof createDeletionBody>, 'conditions' | 'rule_id' | 'from' | 'to' | 'keep_days'>;

/** What a deletion is about. */
export type Subject = {
	selection: EventSelection;
	ruleId: number | null;
	name: string | null;
	keepDays?: number | undefined;
};

/** Every statement about events contains the conditions, up to three times. */
const maxValues = 1_000;
const maxCharacters = 60_000;

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
	{ conditions, rule_id: ruleId, from, to, keep_days: keepDays }: Sent,
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
			keepDays,
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
				'User agents, IP addresses and network operators are not stored, so this rule cannot be applied to past traffic.',
			],
		});
	const selection = { conditions: [{ field: kind, property: null, test, values }], ...period };
	refuseLarge(selection, 'rule_id');
	return { selection, ruleId, name, keepDays };
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
				`At most ${maxValues.toLocaleString('en')} values with ${maxCharacters.toLocaleString('en')} characters together can be applied to past traffic.`,
			],
		});
}

/** Events of a day that a selection finds. */
export type SelectedDay = {
	date: string;
	/** Those that count now, of all kinds. */
	events: number;
	pageviews: number;
	customEvents: number;
	/** Those that other deletions hide. */
	alreadyHidden: number;
};

type EngineServices = Pick<StatsServices, 'clickhouse'>;

/** Of the events that count, or would without deletions. */
const candidatesOf = ({ id, rawFrom, resetAt, hiddenImports = [] }: StatsWebsite): Sql => sql`
	website_id = ${param('UInt32', id)} AND date >= ${param('Date', rawFrom ?? '1970-01-01')}
	AND time >= fromUnixTimestamp64Milli(${param('Int64', resetAt ?? 0)}, 'UTC')
	AND import_id NOT IN ${param('Array(UInt64)', hiddenImports)}`;

const keyOf = ({ conditions, from, to }: EventSelection): string =>
	JSON.stringify([
		conditions.map(({ field, property, test, values }) => [field, property, test, values]),
		from,
		to,
	]);

/** What hidden deletions of the same kind select, with the same conditions and dates, until at most the end of this one. */
async function readRepeated(
	queries: Queries,
	{ id }: StatsWebsite,
	{ selection, ruleId, name, keepDays = defaultKeepDays }: Subject,
): Promise<EventSelection[]> {
	const end = new Date(selection.untilMs + keepDays * dayMs);
	const hidden = await queries.rows<{ selection: EventSelection }>(sql`
		SELECT selection FROM deletions
		WHERE website_id = ${value(id)} AND state = 'hidden' AND delete_at <= ${value(end)}
			AND rule_id IS NOT DISTINCT FROM ${value(ruleId)}::bigint AND (name IS NULL) = ${value(name === null)}::boolean`);
	return hidden.map((row) => row.selection).filter((other) => keyOf(other) === keyOf(selection));
}

/** The days with selected events. None if a repetition would change nothing. */
async function findSelectedDays(
	{ clickhouse, postgres }: EngineServices & { postgres: Queries },
	website: StatsWebsite,
	subject: Subject,
	signal: AbortSignal,
): Promise<SelectedDay[]> {
	const repeated = await readRepeated(postgres, website, subject);
	const rows = await clickhouse.rows<
		Record<'all' | 'views' | 'customs' | 'already' | 'others', string> & { date: string }
	>(
		sql`
		SELECT date, countIf(is_visible) AS all, countIf(is_visible AND kind = 'pageview') AS views,
			countIf(is_visible AND kind = 'custom') AS customs, countIf(NOT is_visible) AS already,
			countIf(NOT is_visible AND NOT is_repeated) AS others
		FROM (
			SELECT date, kind, (true ${isVisible(website.hidden)}) AS is_visible,
				(${join([sql`false`, ...repeated.map(isSelected)], ' OR ')}) AS is_repeated
			FROM events
			WHERE ${candidatesOf(website)} AND ${isSelected(subject.selection)}
		)
		GROUP BY date ORDER BY date`,
		{ name: 'deletion', signal },
	);
	if (rows.every(({ all, others }) => all === '0' && others === '0')) return [];
	return rows.map(({ date, all, views, customs, already }) => ({
		date,
		events: Number(all),
		pageviews: Number(views),
		customEvents: Number(customs),
		alreadyHidden: Number(already),
	}));
}

/** How many values of totals without events are selected, also with those that other deletions hide. */
async function countSelectedTotals(
	{ clickhouse }: EngineServices,
	{ id, hidden }: StatsWebsite,
	selection: EventSelection,
	signal: AbortSignal,
): Promise<{ all: number; visible: number }> {
	const valuesOf = (table: TotalsTable) => sql`
		SELECT value, (true ${isVisibleTotal(hidden, table)}) AS is_visible FROM ${identifier(table)}
		WHERE website_id = ${param('UInt32', id)} AND ${isSelectedTotal(selection, table)}`;
	const [row] = await clickhouse.rows<{ all: string; visible: string }>(
		sql`
		SELECT uniqExact(value) AS all, uniqExactIf(value, is_visible) AS visible
		FROM (${valuesOf('totals')} UNION ALL ${valuesOf('totals_imported')})`,
		{ name: 'deletion', signal },
	);
	return { all: Number(row?.all ?? 0), visible: Number(row?.visible ?? 0) };
}

/** Of the selected hosts, the most frequent ones: spam has many, and the website itself is the most frequent referrer. */
const maxHosts = 10_000;

const referrer = sql`lowerUTF8(referrer)`;

/** The hosts of the website itself among the referrers of these events, with the number of events. */
async function findOwnHosts(
	{ clickhouse, postgres }: EngineServices & { postgres: Queries },
	{ id }: StatsWebsite,
	isCounted: Sql,
	signal: AbortSignal,
): Promise<{ host: string; events: number }[]> {
	const [tracked] = await postgres.rows<{ domain: string; hostnames: string | null }>(
		sql`SELECT domain, hostnames FROM websites WHERE id = ${value(id)}`,
	);
	if (!tracked) throw notFound();
	const hosts = await clickhouse.rows<{ host: string; events: string }>(
		sql`
		SELECT ${hostOf(referrer)} AS host, count() AS events FROM events
		WHERE ${isCounted} GROUP BY host ORDER BY count() DESC LIMIT ${param('UInt32', maxHosts)}`,
		{ name: 'deletion', signal },
	);
	const own = { domain: tracked.domain, hostnames: tracked.hostnames?.split('\n') ?? [] };
	return hosts
		.filter(({ host }) => isOwnHostname(own, host))
		.map(({ host, events }) => ({ host, events: Number(events) }));
}

/** A traffic rule on referrers does not match those that are the website itself: every further page view has one. */
async function withoutOwnReferrers(
	services: EngineServices & { postgres: Queries },
	website: StatsWebsite,
	selection: EventSelection,
	signal: AbortSignal,
): Promise<EventSelection> {
	if (!selection.conditions.some(({ field }) => field === 'referrer')) return selection;
	const isCounted = sql`${candidatesOf(website)} AND ${isSelected(selection)}`;
	const ownHosts = (await findOwnHosts(services, website, isCounted, signal)).map(({ host }) => host);
	return {
		...selection,
		conditions: selection.conditions.map((condition) =>
			condition.field === 'referrer' ? { ...condition, ownHosts } : condition,
		),
	};
}

/**
 * How many events that are not selected name a selected path as the previous page of the website: of the next page view, the referrer is
 * the path. Other conditions do not matter, because they are about the event on that path.
 */
export async function countReferrers(
	services: EngineServices & { postgres: Queries },
	website: StatsWebsite,
	{ selection, ruleId }: Pick<Subject, 'selection' | 'ruleId'>,
	signal: AbortSignal,
): Promise<number> {
	const paths = selection.conditions.filter(({ field }) => field === 'path');
	if (ruleId !== null || paths.length === 0) return 0;
	const isCounted = sql`${candidatesOf(website)} ${isVisible(website.hidden)} AND NOT ${isSelected(selection)}
		AND ${isSelected({ ...selection, conditions: [] })} AND ${namesPath(sql`referrer`, paths)}`;
	const hosts = await findOwnHosts(services, website, isCounted, signal);
	return hosts.reduce((sum, { events }) => sum + events, 0);
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
	// Whoever deletes personal data selects it in any referrer.
	const selection =
		subject.ruleId === null
			? subject.selection
			: await withoutOwnReferrers(services, website, subject.selection, signal);
	const days = await findSelectedDays(services, website, { ...subject, selection }, signal);
	// A traffic rule is not about personal data: totals stay as they are.
	const isAboutTotals = subject.ruleId === null && selectsTotals(selection);
	const withTotals = { ...selection, totals: { before: website.rawFrom } };
	const values = isAboutTotals
		? await countSelectedTotals(services, website, withTotals, signal)
		: { all: 0, visible: 0 };
	const hiddenRevision = revisionOf(website.hidden);
	return {
		...subject,
		selection: values.all > 0 ? withTotals : selection,
		days,
		earlierValues: values.visible,
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
