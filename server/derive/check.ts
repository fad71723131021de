/**
 * Checks derived data against its events: for every sealed day without later events, the totals, the visits they were counted
 * from, and visits derived again from the events must agree. A day that receives events meanwhile is skipped.
 */
import { AppError } from '../lib/app-error.ts';
import { param, type Sql, sql, value } from '../store/sql.ts';
import { type HiddenEvents, hiddenColumn } from './hidden-events.ts';
import type { DateRange } from './rebuild.ts';
import {
	datesOf,
	dayRows,
	keyOf,
	piecesOf,
	type SealDay,
	type SealServices,
	websitesOf,
} from './seal-types.ts';
import { visitRowsOf } from './visits.ts';

const counts = ['visitors', 'visits', 'views', 'events'] as const;
type Counts = Record<(typeof counts)[number], number>;

export type Difference = SealDay & {
	count: (typeof counts)[number];
	/** As stored, in both tables. */
	totals: number;
	visits: number;
	/** As derived from the events. */
	events: number;
};

/** Fewer events than the totals counted: events were lost, and a rebuild would lower the totals. */
export const isLoss = ({ count, totals, events }: Difference): boolean =>
	(count === 'views' || count === 'events') && events < totals;

export type Checked = { days: number; differences: Difference[] };

export type CheckServices = Pick<SealServices, 'postgres' | 'clickhouse' | 'signal' | 'atOnce'>;

type SealedDay = SealDay & { generation: number; size: number };

export async function checkDays(
	services: CheckServices,
	range: { websiteId?: number | undefined } & DateRange,
	report: (progress: { done: number; total: number }) => void,
	maxEvents = Number.POSITIVE_INFINITY,
): Promise<Checked> {
	const { signal, atOnce } = services;
	const days = sample(await listSealed(services, range), maxEvents);
	const checked: Checked = { days: 0, differences: [] };
	let done = 0;
	for (const group of groupDays(days, atOnce.events)) {
		report({ done, total: days.length });
		if (signal.aborted) throw new AppError('unavailable', 'The check was canceled.');
		const { days: compared, differences } = await compare(services, group);
		checked.days += compared;
		checked.differences.push(...differences);
		done += group.length;
	}
	report({ done, total: days.length });
	return checked;
}

/** By date, so that the same date of many small websites is compared in one statement. */
async function listSealed(
	{ postgres }: CheckServices,
	{ websiteId, from, to }: { websiteId?: number | undefined } & DateRange,
): Promise<SealedDay[]> {
	if (websiteId !== undefined) {
		const rows = await postgres.rows(sql`SELECT 1 FROM websites WHERE id = ${value(websiteId)}`);
		if (rows.length === 0) throw new AppError('not_found', `There is no website ${websiteId}.`);
	}
	return postgres.rows<SealedDay>(sql`
		SELECT website_id AS "websiteId", date::text AS date, generation, size
		FROM days JOIN websites ON websites.id = days.website_id
		WHERE ${isSealed} AND (${value(websiteId ?? null)}::bigint IS NULL OR website_id = ${value(websiteId ?? null)}::bigint)
			AND date >= coalesce(${value(from ?? null)}::date, '-infinity')
			AND date <= coalesce(${value(to ?? null)}::date, 'infinity')
		ORDER BY days.date, website_id`);
}

/** A random sample of days with about so many events together, at least one day, in their order. */
function sample(days: readonly SealedDay[], maxEvents: number): SealedDay[] {
	if (days.reduce((sum, day) => sum + day.size, 0) <= maxEvents) return [...days];
	let left = maxEvents;
	const taken = new Set<SealedDay>();
	for (const { day } of days
		.map((day) => ({ day, order: Math.random() }))
		.toSorted((a, b) => a.order - b.order)) {
		if (taken.size > 0 && day.size > left) continue;
		taken.add(day);
		left -= day.size;
	}
	return days.filter((day) => taken.has(day));
}

const isSealed = sql`generation > 0 AND last_batch <= sealed_batch AND (raw_from IS NULL OR date >= raw_from)`;

const maxDaysAtOnce = 1_000;

/** Groups days of one date, or of one website, up to the number of events that a statement may read. */
function groupDays(days: readonly SealedDay[], maxEvents: number): SealedDay[][] {
	const isOneWebsite = websitesOf({ days }).length <= 1;
	const groups: SealedDay[][] = [];
	let size = 0;
	for (const day of days) {
		const group = groups.at(-1);
		const canJoin = isOneWebsite || group?.[0]?.date === day.date;
		if (group && canJoin && size + day.size <= maxEvents && group.length < maxDaysAtOnce) {
			group.push(day);
			size += day.size;
		} else {
			groups.push([day]);
			size = day.size;
		}
	}
	return groups;
}

async function compare(services: CheckServices, group: readonly SealedDay[]): Promise<Checked> {
	const totals = await read(
		services,
		sql`SELECT website_id, date, visitors, visits, views, events FROM totals WHERE dimension = '' AND ${isOfSeals(group)}`,
	);
	const visits = await read(
		services,
		sql`SELECT website_id, date, ${sums} FROM visits AS r WHERE ${isOfSeals(group)} GROUP BY website_id, date`,
	);
	const events = await recount(services, group);
	const unchanged = await stillSealed(services, group);
	const differences = group
		.filter((day) => unchanged.has(keyOf(day)))
		.flatMap(({ websiteId, date }) => {
			const key = keyOf({ websiteId, date });
			const [a, b, c] = [totals, visits, events].map((found) => found.get(key) ?? nothing);
			return counts
				.map((count) => ({
					websiteId,
					date,
					count,
					totals: a?.[count] ?? 0,
					visits: b?.[count] ?? 0,
					events: c?.[count] ?? 0,
				}))
				.filter((row) => row.totals !== row.visits || row.visits !== row.events);
		});
	return { days: unchanged.size, differences };
}

const nothing: Counts = { visitors: 0, visits: 0, views: 0, events: 0 };

const sums = sql`uniqExactIf(visitor_id, visitor_id != 0) AS visitors, countIf(visitor_id != 0) AS visits,
	sum(r.views) AS views, sum(r.events) AS events`;

const isOfSeals = (days: readonly SealedDay[]): Sql => sql`
	website_id IN ${param('Array(UInt32)', websitesOf({ days }))}
	AND (website_id, date, generation) IN arrayZip(
		${param(
			'Array(UInt32)',
			days.map(({ websiteId }) => websiteId),
		)},
		${param(
			'Array(Date)',
			days.map(({ date }) => date),
		)},
		${param(
			'Array(UInt64)',
			days.map(({ generation }) => generation),
		)})`;

/** Derives the visits again and counts them; large days by ranges of visitors, which are disjoint. */
async function recount(services: CheckServices, days: readonly SealedDay[]): Promise<Map<string, Counts>> {
	const found = new Map<string, Counts>();
	const dates = datesOf({ days });
	const since = await readExclusions(services, websitesOf({ days }));
	const size = days.reduce((sum, day) => sum + day.size, 0);
	for (const visitors of piecesOf(size, services.atOnce.events)) {
		for (const { websiteIds, sinceMs, hidden } of since) {
			const visits = visitRowsOf({
				websiteIds,
				from: dates[0] ?? '',
				to: dates.at(-1) ?? '',
				dates,
				visitors,
				sinceMs,
				hidden,
				columns: ['views', 'events'],
			});
			const piece = await read(
				services,
				sql`SELECT website_id, date, ${sums} FROM (${visits}) AS r GROUP BY website_id, date`,
			);
			for (const [key, more] of piece) {
				const sum = { ...(found.get(key) ?? nothing) };
				for (const count of counts) sum[count] += more[count];
				found.set(key, sum);
			}
		}
	}
	return found;
}

/** Websites that were reset and may still have old events on disk, or have hidden events, are counted separately. */
async function readExclusions(
	{ postgres }: CheckServices,
	websiteIds: readonly number[],
): Promise<{ websiteIds: number[]; sinceMs: number | null; hidden: HiddenEvents | null }[]> {
	const rows = await postgres.rows<{ id: number; at: Date | null; hidden: HiddenEvents | null }>(sql`
		SELECT id, ${hiddenColumn} AS hidden, (
			SELECT max(created_at) FROM tombstones
			WHERE is_reset AND erased_at IS NULL AND website_id = websites.id
		) AS at
		FROM websites WHERE id = ANY(${value(websiteIds)}::bigint[])`);
	const special = rows.filter(({ at, hidden }) => at !== null || hidden !== null);
	const others = websiteIds.filter((id) => !special.some((row) => row.id === id));
	return [
		...(others.length > 0 ? [{ websiteIds: others, sinceMs: null, hidden: null }] : []),
		...special.map(({ id, at, hidden }) => ({ websiteIds: [id], sinceMs: at?.getTime() ?? null, hidden })),
	];
}

/** The days whose seal is still the one that was checked. */
async function stillSealed({ postgres }: CheckServices, days: readonly SealedDay[]): Promise<Set<string>> {
	const before = new Map(days.map((day) => [keyOf(day), day.generation]));
	const rows = await postgres.rows<SealDay & { generation: number }>(sql`
		SELECT website_id AS "websiteId", date::text AS date, generation
		FROM days JOIN ${dayRows(days)} AS requested (website_id, date) USING (website_id, date)
		JOIN websites ON websites.id = days.website_id
		WHERE ${isSealed}`);
	return new Set(rows.filter((row) => before.get(keyOf(row)) === row.generation).map(keyOf));
}

async function read({ clickhouse, signal }: CheckServices, query: Sql): Promise<Map<string, Counts>> {
	const rows = await clickhouse.rows<Record<string, string> & { website_id: number; date: string }>(query, {
		name: 'check',
		signal,
	});
	return new Map(
		rows.map(({ website_id, date, visitors, visits, views, events }) => [
			keyOf({ websiteId: website_id, date }),
			{ visitors: Number(visitors), visits: Number(visits), views: Number(views), events: Number(events) },
		]),
	);
}
