/**
 * All websites of an account side by side. Each is asked the question that its own page asks, resolved in its own calendar
 * and planned by the same plan, so the numbers are the same; only the statements are shared.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { createTurns } from '../lib/turns.ts';
import { type ClickHouse, refusalOf } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import { isMeant, type WebsiteFilter } from '../websites/websites.ts';
import { type AskedRow, askedColumns, toAskedWebsite } from './asked-website.ts';
import { type Ask, addCount, createDayCounts, type DayCount, type DayCounts, noCount } from './day-counts.ts';
import { readManyDays, type WebsiteDays } from './many-days.ts';
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
	/** All websites that are meant, in the order of their ids. */
	read(filter: WebsiteFilter, time: OverviewTime, signal: AbortSignal): Promise<Overview>;
};

const maxSeconds = 15;
const statementsAtOnce = 2;

export function createOverviews({
	postgres,
	clickhouse,
	now,
}: {
	postgres: Queries;
	clickhouse: ClickHouse;
	now: Clock;
}): Overviews {
	const counts = createDayCounts();
	const turns = createTurns({ running: 2, waiting: 8, waitMs: 10_000 });

	function askWithin(signal: AbortSignal): Ask {
		const statements = createTurns({
			running: statementsAtOnce,
			waiting: Number.POSITIVE_INFINITY,
			waitMs: maxSeconds * 1000,
		});
		const settings = { max_execution_time: maxSeconds };
		return async (query) => {
			const end = await statements.take('', signal);
			try {
				return await clickhouse.rows(query, { name: 'overview', settings, signal });
			} finally {
				end?.();
			}
		};
	}

	return {
		async read(filter, time, signal) {
			const end = await turns.take(String(filter.accountId), signal);
			if (!end) throw busy();
			try {
				return await readOverview(filter, time, { postgres, counts, ask: askWithin(signal), now });
			} catch (error) {
				throw refusalOf(error) === undefined ? error : busy();
			} finally {
				end();
			}
		},
	};
}

const busy = () =>
	new AppError(
		'too_many_requests',
		'Too much is being counted for the moment; ask again in a few seconds, or about fewer websites.',
		{ retryAfterSeconds: 5 },
	);

async function readOverview(
	filter: WebsiteFilter,
	time: OverviewTime,
	{ postgres, counts, ask, now }: { postgres: Queries; counts: DayCounts; ask: Ask; now: Clock },
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
	const days = await readManyDays(
		postgres,
		asked.map(({ website: { id }, time: { span, compared } }) => ({
			id,
			from: compared && compared.from < span.from ? compared.from : span.from,
			to: compared && compared.to > span.to ? compared.to : span.to,
		})),
	);
	const planned = asked.map(({ website, time: resolved }) =>
		planLine(website, resolved, days.get(website.id) ?? nothing),
	);
	const pieces = planned.flatMap((line) => line.pieces);
	const [totals, counted] = await Promise.all([
		counts.stored(ask, new Map(planned.map((line) => [line.website.id, line.stored]))),
		counts.pieces(
			ask,
			pieces.map(({ piece }) => piece),
		),
	]);
	const countOf = new Map(pieces.map((piece, index) => [piece, counted[index] ?? noCount]));
	const rows = planned.map((line, index): OverviewRow => {
		const { id, domain, favorite, labels, timezone } = websites[index] ?? unnamed;
		const website = { id, domain, favorite, labels, timezone };
		return { website, ...countLine(line, totals.get(id) ?? new Map(), countOf) };
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
		asOf: planned.reduce((oldest, { asOf }) => (asOf && asOf < oldest ? asOf : oldest), began),
	};
}

const nothing: WebsiteDays = { stored: { days: [], generations: [] }, unsealed: [] };
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
