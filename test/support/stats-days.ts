/** Days in all their states, open, sealed and mixed, and answers from them without PostgreSQL. */
import { globSync, readFileSync } from 'node:fs';
import { countNames, isGoalCount, storedDimensions } from '../../server/derive/counts.ts';
import { storedColumns } from '../../server/derive/open-visits.ts';
import { type Counting, columnsOf, totalsOf } from '../../server/derive/totals.ts';
import { visitRowsOf } from '../../server/derive/visits.ts';
import type { Event } from '../../server/ingest/event.ts';
import { type PlannedDay, plan } from '../../server/stats/answer/plan.ts';
import { readCounts } from '../../server/stats/answer/read-counts.ts';
import type { ResultCache } from '../../server/stats/answer/result-cache.ts';
import { type StatsAnswer, shape } from '../../server/stats/answer/shape.ts';
import { toCountedGoal } from '../../server/stats/question/goals.ts';
import type { Question, StatsWebsite } from '../../server/stats/question/question.ts';
import { identifier, join, param, sql } from '../../server/store/sql.ts';
import { offsetsOf } from '../../server/websites/offsets.ts';
import type { EngineUnderTest } from '../engine/engine.ts';
import type { Random } from './random.ts';

export const clickhouseMigrations = () =>
	globSync('migrations/clickhouse/*.sql')
		.sort()
		.map((file) => readFileSync(file, 'utf8'));

export async function insertEvents(
	{ clickhouse }: Pick<EngineUnderTest, 'clickhouse'>,
	events: readonly Event[],
) {
	const lines = events.map((event) => JSON.stringify(event)).join('\n');
	await clickhouse.insert({ table: 'events', lines, token: crypto.randomUUID() });
}

/** What totals hold: not the dimensions that had too many values, nor the goals that came later. */
export type Sealing = { generation: number; capped: readonly string[]; goalRevision: number };

export function randomSealing(random: Random, { goals }: StatsWebsite, generation: number): Sealing {
	const some = storedDimensions.filter((name) => name !== '' && random.next() < 0.1);
	return { generation, capped: some, goalRevision: random.whole(goals.length + 1) };
}

export async function sealDates(
	{ clickhouse }: Pick<EngineUnderTest, 'clickhouse'>,
	website: StatsWebsite,
	dates: readonly string[],
	{ generation, capped, goalRevision }: Sealing,
) {
	const [from = '', to = ''] = [dates[0], dates.at(-1)];
	const offsets = offsetsOf(website.zones, from, to);
	const runsFound = visitRowsOf({
		websiteIds: [website.id],
		from,
		to,
		columns: storedColumns,
		sinceMs: website.resetAt,
		offsets,
	});
	const columns = join(storedColumns.map(identifier), ', ');
	for (const table of [sql`visits`, sql`open_visits`])
		await clickhouse.command(
			sql`INSERT INTO ${table} (website_id, date, generation, visitor_id, ${columns}) SELECT website_id, date, ${param('UInt64', generation)}, visitor_id, ${columns} FROM (${runsFound})`,
			{ as: 'ingest' },
		);
	const counting: Counting = {
		dimensions: storedDimensions.filter((name) => !capped.includes(name)).map((name) => ({ name })),
		counts: countNames.filter((name) => !isGoalCount(name)),
		goals: website.goals
			.filter(({ revision }) => revision <= goalRevision)
			.map((goal) => toCountedGoal(website.id, goal)),
		timing: null,
	};
	const runs = sql`
		SELECT website_id, date, visitor_id, visitor_id AS active_visitor, toInt64(0) AS start_ms, toUInt8(0) AS is_converted, ${join(columnsOf(counting).map(identifier), ', ')}
		FROM visits WHERE website_id = ${param('UInt32', website.id)} AND generation = ${param('UInt64', generation)}`;
	const stored = countNames.filter((name) => !isGoalCount(name) && name !== 'revenue');
	await clickhouse.command(
		sql`INSERT INTO totals (website_id, dimension, date, generation, value, is_other, ${join(stored.map(identifier), ', ')}, revenue)
			SELECT website_id, dimension, date, ${param('UInt64', generation)}, value, 0, ${join(stored.map(identifier), ', ')}, CAST(revenue, 'Map(LowCardinality(String), Decimal(18, 4))') FROM (${totalsOf(counting, runs)})`,
		{ as: 'ingest' },
	);
}

/** All open, all sealed, and some of each kind. */
export function dayStates(
	random: Random,
	dates: readonly string[],
	{ generation, capped, goalRevision }: Sealing,
): PlannedDay[][] {
	const open = (date: string): PlannedDay => ({
		date,
		isSealed: false,
		generation: 0,
		capped: [],
		goalRevision: 0,
		size: 1,
		provisional: null,
		imported: null,
	});
	const sealed = (date: string): PlannedDay => ({
		...open(date),
		isSealed: true,
		generation,
		capped,
		goalRevision,
	});
	const large = (date: string): PlannedDay => ({
		...open(date),
		size: 10_000_000,
		provisional: { generation, at: new Date(0), capped, goalRevision },
	});
	return [
		dates.map(open),
		dates.map(sealed),
		dates.map((date) => random.pick([open, sealed, sealed, large])(date)),
	];
}

export async function askDays(
	{ clickhouse }: Pick<EngineUnderTest, 'clickhouse'>,
	question: Question,
	days: readonly PlannedDay[],
	{ generation }: Sealing,
	results: ResultCache,
): Promise<StatsAnswer> {
	const spans = question.compared ? [question.span, question.compared] : [question.span];
	const within = days.filter(({ date }) => spans.some(({ from, to }) => date >= from && date <= to));
	const planned = plan(question, within);
	const open = new Map(days.map(({ date }) => [date, { generation: BigInt(generation), at: new Date(0) }]));
	const read = await readCounts(question, planned, open, { clickhouse, results });
	return shape(question, planned, { ...read, open: [], ms: 0, asOf: new Date(0) });
}
