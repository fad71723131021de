/**
 * All websites of an account side by side. Each is asked the question that its own page asks, resolved in its own calendar
 * and planned by the same plan, so the numbers are the same; only the statements are shared.
 */
import type { Clock } from '../lib/clock.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { type Sql, sql } from '../store/sql.ts';
import { isMeant, type WebsiteFilter } from '../websites/websites.ts';
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
};

export type OverviewRow = OverviewLine & { website: OverviewWebsite };

export type Overview = {
	rows: OverviewRow[];
	/** Of all of them; `compared` only when all have one. */
	sum: { count: DayCount | null; compared: DayCount | null };
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
		SELECT id, domain, favorite, labels, timezone, ${askedColumns}
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
	const [stored, provisional, counted] = await Promise.all([
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
	]);
	const ofPieces = new Map(pieces.map((piece, index) => [piece, counted[index] ?? noCount]));
	const rows = lines.map((line, index): OverviewRow => {
		const { id, domain, favorite, labels, timezone } = websites[index] ?? unnamed;
		return {
			website: { id, domain, favorite, labels, timezone },
			...countLine(line, {
				stored: stored.get(id) ?? nothing,
				provisional: provisional.get(id) ?? nothing,
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
		interval,
		asOf: lines.reduce((oldest, { asOf }) => (asOf && asOf < oldest ? asOf : oldest), began),
	};
}

const nothing: StoredCounts = { sum: () => noCount, visitors: () => new Map() };
const unnamed: OverviewWebsite = { id: 0, domain: '', favorite: false, labels: [], timezone: '' };

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

export type OverviewOrder = { by: 'visitors' | 'change' | 'domain' | 'id'; descending: boolean };

/** What has no value comes last, whichever way; what is equal, in the order of ids. */
export function sortRows(rows: readonly OverviewRow[], { by, descending }: OverviewOrder): OverviewRow[] {
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
	return [...known, ...keyed.filter(({ key }) => key === null)].map(({ row }) => row);
}

/** Domains are ASCII: their order is that of their bytes. */
function compare(a: string | number | null, b: string | number | null): number {
	if (a === null || b === null || a === b) return 0;
	return a < b ? -1 : 1;
}
