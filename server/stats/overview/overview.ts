/**
 * All websites of an account in one list. Each gets the question that its own page asks, resolved in its own calendar and planned
 * by the same plan, so the numbers are the same; only the statements are shared.
 */
import type { Clock } from '../../lib/clock.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import type { Postgres } from '../../store/postgres.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { matchesFilter, type WebsiteFilter } from '../../websites/list-websites.ts';
import { dateOf } from '../../websites/zones.ts';
import {
	addCount,
	createDayCounts,
	type DayCount,
	type DayCountQuery,
	type DayCounts,
	noCount,
	type StoredCounts,
} from '../answer/day-counts.ts';
import { createDayStateCache, type DayStateCache, noDays } from '../answer/day-state-cache.ts';
import { noImports, readImportedCounts } from '../answer/imported-counts.ts';
import { countCurrentVisitors, currentVisitorsMs } from '../live/live.ts';
import { type MetricName, metricOf, noCounts } from '../question/metrics.ts';
import type { Interval } from '../question/question.ts';
import { type StatsContextRow, statsContextColumns, toStatsWebsite } from '../question/stats-context.ts';
import {
	countLine,
	createResolve,
	type OverviewLine,
	type OverviewTime,
	type overviewMetrics,
	planLine,
} from './overview-lines.ts';

export type OverviewWebsite = {
	id: number;
	domain: string;
	favorite: boolean;
	labels: string[];
	timezone: string;
	privacy: 0 | 1 | 2;
	/** The last date with an event. */
	lastDate: string | null;
};

export type OverviewRow = OverviewLine & {
	website: OverviewWebsite;
	/** Current visitors. */
	now: number;
};

export type Overview = {
	rows: OverviewRow[];
	/** Over all rows; `compared` only when all rows have one. */
	sum: { count: DayCount | null; compared: DayCount | null };
	/** The labels of all visible websites, whether they match the filter or not. */
	labels: string[];
	interval: Interval;
	asOf: Date;
};

export type Overviews = {
	/** All websites that match the filter, by id; queried within the limits of the principal. */
	read(
		filter: WebsiteFilter,
		time: OverviewTime,
		clickhouse: ClickHouse,
		signal: AbortSignal,
	): Promise<Overview>;
};

/** Its caches are shared by all questions. */
export function createOverviews({ postgres, now }: { postgres: Postgres; now: Clock }): Overviews {
	const [days, counts] = [createDayStateCache(), createDayCounts()];
	return {
		read(filter, time, clickhouse, signal) {
			const ask: DayCountQuery = async <Row>(query: Sql) =>
				(await clickhouse.ask<Row>(query, { name: 'overview', signal })).rows;
			return readOverview(filter, time, { postgres, days, counts, ask, now });
		},
	};
}

/** Resolves the period without a website; throws if it is invalid. */
export const resolveInUtc = (time: OverviewTime, now: Date) =>
	createResolve(time, now)([{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone: 'UTC' }], null);

type OverviewServices = {
	postgres: Postgres;
	days: DayStateCache;
	counts: DayCounts;
	ask: DayCountQuery;
	now: Clock;
};

async function readOverview(
	filter: WebsiteFilter,
	time: OverviewTime,
	{ postgres, days, counts, ask, now }: OverviewServices,
): Promise<Overview> {
	const began = now();
	const resolve = createResolve(time, began);
	const { interval } = resolveInUtc(time, began);
	const websites = await postgres.rowsUnprepared<OverviewWebsite & StatsContextRow>(sql`
		SELECT id, domain, favorite, labels, timezone, privacy, ${lastDate} AS "lastDate", ${statsContextColumns}
		FROM websites WHERE ${matchesFilter(filter)} ORDER BY id`);
	const resolved = websites.map((row) => {
		const website = toStatsWebsite(row.id, row, []);
		return { website, time: resolve(website.zones, row.firstDate) };
	});
	const dates = resolved
		.flatMap(({ time: { span, compared } }) => (compared ? [span, compared] : [span]))
		.flatMap(({ from, to }) => [from, to])
		.sort();
	const daysOf = await days.read(
		postgres,
		resolved.map(({ website }) => website.id),
		{ from: dates[0] ?? '', to: dates.at(-1) ?? '' },
	);
	const lines = resolved.map(({ website, time: own }) =>
		planLine(website, own, daysOf.get(website.id) ?? noDays),
	);
	const pieces = lines.flatMap((line) => line.pieces);
	const [imported, stored, provisional, counted, here, labels] = await Promise.all([
		readImportedCounts(
			postgres,
			ask,
			resolved.map(({ website }) => website.id),
			{ from: dates[0] ?? '', to: dates.at(-1) ?? '' },
		),
		counts.stored(ask, new Map(lines.map((line) => [line.website.id, line.stored]))),
		counts.stored(
			ask,
			new Map(
				lines.flatMap(({ website, provisional: own }) => (own.days.length > 0 ? [[website.id, own]] : [])),
			),
		),
		counts.pieces(
			ask,
			pieces.map(({ piece }) => piece),
		),
		countCurrentVisitors(
			ask,
			// Websites without recent events have no current visitors.
			resolved.flatMap(({ website }, index) => {
				const last = websites[index]?.lastDate;
				return last && last >= dateOf(website.zones, began.getTime() - currentVisitorsMs).date
					? [website]
					: [];
			}),
			began,
		),
		listLabels(postgres, filter),
	]);
	const byPiece = new Map(pieces.map((piece, index) => [piece, counted[index] ?? noCount]));
	const rows = lines.map((line, index): OverviewRow => {
		const website = websites[index] ?? unnamed;
		const { id } = website;
		return {
			website,
			now: here.get(id) ?? 0,
			...countLine(line, {
				stored: stored.get(id) ?? nothing,
				provisional: provisional.get(id) ?? nothing,
				imported: imported.get(id) ?? noImports,
				pieces: byPiece,
			}),
		};
	});
	return {
		rows,
		sum: {
			count: sumOf(rows.flatMap(({ count }) => count ?? [])),
			compared: rows.every(({ compared }) => compared)
				? sumOf(rows.flatMap(({ compared }) => compared ?? []))
				: null,
		},
		labels,
		interval,
		asOf: lines.reduce((oldest, { asOf }) => (asOf && asOf < oldest ? asOf : oldest), began),
	};
}

const nothing: StoredCounts = { sum: () => noCount, visitors: () => new Map() };
const unnamed: OverviewWebsite = {
	id: 0,
	domain: '',
	favorite: false,
	labels: [],
	timezone: '',
	privacy: 1,
	lastDate: null,
};

const lastDate = sql`(SELECT max(date)::text FROM days WHERE website_id = websites.id)`;

async function listLabels(
	postgres: Postgres,
	{ accountId, websiteIds, shared }: Pick<WebsiteFilter, 'accountId' | 'websiteIds' | 'shared'>,
): Promise<string[]> {
	const all = { accountId, websiteIds, shared, search: undefined, favorite: undefined };
	const rows = await postgres.rowsUnprepared<{ label: string }>(sql`
		SELECT DISTINCT unnest(labels) AS label FROM websites WHERE ${matchesFilter(all)} ORDER BY label`);
	return rows.map(({ label }) => label);
}

/** Adds sparklines, aligned at their ends. */
export function addUp(lines: readonly (readonly number[])[]): number[] {
	const sum: number[] = Array.from({ length: Math.max(0, ...lines.map(({ length }) => length)) }, () => 0);
	for (const line of lines)
		for (const [index, number] of line.entries()) {
			const position = sum.length - line.length + index;
			sum[position] = (sum[position] ?? 0) + number;
		}
	return sum;
}

function sumOf(counts: readonly DayCount[]): DayCount {
	const sum = { ...noCount };
	for (const count of counts) addCount(sum, count);
	return sum;
}

export type OverviewValues = Record<(typeof overviewMetrics)[number], number | null>;

export function valuesOf(count: DayCount | null): OverviewValues {
	const counts = count && { ...noCounts, ...count };
	const read = (name: MetricName): number | null => {
		const value = counts && metricOf(name).value(counts);
		// None of these metrics is money.
		return typeof value === 'number' ? value : null;
	};
	return {
		visitors: read('visitors'),
		visits: read('visits'),
		pageviews: read('pageviews'),
		bounce_rate: read('bounce_rate'),
		visit_duration: read('visit_duration'),
	};
}

/** Relative change of visitors: 0.5 is 50 % more, -1 is none left. Null without a comparison. */
export function changeOf({ count, compared }: Pick<OverviewLine, 'count' | 'compared'>): number | null {
	if (!count || !compared || compared.visitors === 0) return null;
	return (count.visitors - compared.visitors) / compared.visitors;
}

export type OverviewOrder = {
	by: 'visitors' | 'change' | 'domain' | 'id';
	descending: boolean;
	favoritesFirst: boolean;
};

/** Rows without a value come last in either direction; ties are sorted by id. */
export function sortRows(
	rows: readonly OverviewRow[],
	{ by, descending, favoritesFirst }: OverviewOrder,
): OverviewRow[] {
	const keyOf = {
		visitors: ({ count }: OverviewRow) => count?.visitors ?? null,
		change: changeOf,
		id: ({ website }: OverviewRow) => website.id,
		domain: ({ website }: OverviewRow) => website.domain,
	}[by];
	const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
	const known = keyed.filter(({ key }) => key !== null);
	known.sort((a, b) => {
		const difference = compare(a.key, b.key);
		return (descending ? -difference : difference) || a.row.website.id - b.row.website.id;
	});
	const sorted = [...known, ...keyed.filter(({ key }) => key === null)].map(({ row }) => row);
	if (!favoritesFirst) return sorted;
	return [
		...sorted.filter(({ website }) => website.favorite),
		...sorted.filter(({ website }) => !website.favorite),
	];
}

/** Domains are ASCII and sorted by bytes. */
function compare(a: string | number | null, b: string | number | null): number {
	if (a === null || b === null || a === b) return 0;
	return a < b ? -1 : 1;
}
