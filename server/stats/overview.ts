/**
 * All websites of an account side by side. Each is asked the question that its own page asks, resolved in its own calendar
 * and planned by the same plan, so the numbers are the same; only the statements are shared.
 */
import type { Clock } from '../lib/clock.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { type Sql, sql } from '../store/sql.ts';
import { isMeant, type WebsiteFilter } from '../websites/websites.ts';
import { dateOf } from '../websites/zones.ts';
import { type AskedRow, askedColumns, toAskedWebsite } from './asked-website.ts';
import {
	type Ask,
	addCount,
	createDayCounts,
	type DayCount,
	type DayCounts,
	noCount,
	type StoredCounts,
} from './day-counts.ts';
import { noImports, readImportedCounts } from './imported-counts.ts';
import { hereMs, readHere } from './live.ts';
import { createManyDays, type ManyDays, noDays } from './many-days.ts';
import { type MetricName, metricOf, noCounts } from './metrics.ts';
import {
	countLine,
	createResolve,
	type OverviewLine,
	type OverviewTime,
	type overviewMetrics,
	planLine,
} from './overview-lines.ts';
import type { Interval } from './question.ts';

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
	/** Visitors who are there now. */
	now: number;
};

export type Overview = {
	rows: OverviewRow[];
	/** Of all of them; `compared` only when all have one. */
	sum: { count: DayCount | null; compared: DayCount | null };
	/** All that the websites have which may be seen, found or not. */
	labels: string[];
	interval: Interval;
	asOf: Date;
};

export type Overviews = {
	/** All websites that are meant, in the order of their ids; asked within the bounds of whoever asks. */
	read(
		filter: WebsiteFilter,
		time: OverviewTime,
		clickhouse: ClickHouse,
		signal: AbortSignal,
	): Promise<Overview>;
};

/** What is kept between two questions serves the next one. */
export function createOverviews({ postgres, now }: { postgres: Postgres; now: Clock }): Overviews {
	const [days, counts] = [createManyDays(), createDayCounts()];
	return {
		read(filter, time, clickhouse, signal) {
			const ask: Ask = async <Row>(query: Sql) =>
				(await clickhouse.ask<Row>(query, { name: 'overview', signal })).rows;
			return readOverview(filter, time, { postgres, days, counts, ask, now });
		},
	};
}

type OverviewServices = { postgres: Postgres; days: ManyDays; counts: DayCounts; ask: Ask; now: Clock };

async function readOverview(
	filter: WebsiteFilter,
	time: OverviewTime,
	{ postgres, days, counts, ask, now }: OverviewServices,
): Promise<Overview> {
	const began = now();
	const resolve = createResolve(time, began);
	// Also without any website: what is wrong with the time is said.
	const { interval } = resolve([{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone: 'UTC' }], null);
	const websites = await postgres.plannedRows<OverviewWebsite & AskedRow>(sql`
		SELECT id, domain, favorite, labels, timezone, privacy, ${lastDate} AS "lastDate", ${askedColumns}
		FROM websites WHERE ${isMeant(filter)} ORDER BY id`);
	const asked = websites.map((row) => {
		const website = toAskedWebsite(row.id, row, []);
		return { website, time: resolve(website.zones, row.firstDate) };
	});
	const dates = asked
		.flatMap(({ time: { span, compared } }) => (compared ? [span, compared] : [span]))
		.flatMap(({ from, to }) => [from, to])
		.sort();
	const found = await days.read(
		postgres,
		asked.map(({ website }) => website.id),
		{ from: dates[0] ?? '', to: dates.at(-1) ?? '' },
	);
	const lines = asked.map(({ website, time: resolved }) =>
		planLine(website, resolved, found.get(website.id) ?? noDays),
	);
	const pieces = lines.flatMap((line) => line.pieces);
	const [imported, stored, provisional, counted, here, labels] = await Promise.all([
		readImportedCounts(
			postgres,
			ask,
			asked.map(({ website }) => website.id),
			{ from: dates[0] ?? '', to: dates.at(-1) ?? '' },
		),
		counts.stored(ask, new Map(lines.map((line) => [line.website.id, line.stored]))),
		counts.stored(
			ask,
			new Map(
				lines.flatMap(({ website, provisional: some }) => (some.days.length > 0 ? [[website.id, some]] : [])),
			),
		),
		counts.pieces(
			ask,
			pieces.map(({ piece }) => piece),
		),
		readHere(
			ask,
			// Nobody is on a website without an event of these days.
			asked.flatMap(({ website }, index) => {
				const last = websites[index]?.lastDate;
				return last && last >= dateOf(website.zones, began.getTime() - hereMs).date ? [website] : [];
			}),
			began,
		),
		listLabels(postgres, filter),
	]);
	const ofPieces = new Map(pieces.map((piece, index) => [piece, counted[index] ?? noCount]));
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
				pieces: ofPieces,
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
	const rows = await postgres.plannedRows<{ label: string }>(sql`
		SELECT DISTINCT unnest(labels) AS label FROM websites WHERE ${isMeant(all)} ORDER BY label`);
	return rows.map(({ label }) => label);
}

/** Lines that end together, as one: what is last is added to what is last. */
export function addUp(lines: readonly (readonly number[])[]): number[] {
	const sum: number[] = Array.from({ length: Math.max(0, ...lines.map(({ length }) => length)) }, () => 0);
	for (const line of lines)
		for (const [index, number] of line.entries()) {
			const at = sum.length - line.length + index;
			sum[at] = (sum[at] ?? 0) + number;
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
		// None of these is money.
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

/** Of visitors: 0.5 is half as many more, -1 is none left. Null when there is nothing to compare with. */
export function changeOf({ count, compared }: Pick<OverviewLine, 'count' | 'compared'>): number | null {
	if (!count || !compared || compared.visitors === 0) return null;
	return (count.visitors - compared.visitors) / compared.visitors;
}

export type OverviewOrder = {
	by: 'visitors' | 'change' | 'domain' | 'id';
	descending: boolean;
	favoritesFirst: boolean;
};

/** What has no value comes last, whichever way; what is equal, in the order of ids. */
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

/** Domains are ASCII: their order is that of their bytes. */
function compare(a: string | number | null, b: string | number | null): number {
	if (a === null || b === null || a === b) return 0;
	return a < b ? -1 : 1;
}
