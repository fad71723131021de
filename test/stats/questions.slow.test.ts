import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { countNames, isGoalCount, labelOf, storedDimensions } from '../../server/derive/counts.ts';
import { storedColumns } from '../../server/derive/open-visits.ts';
import { type Counting, columnsOf, totalsOf } from '../../server/derive/totals.ts';
import { visitRowsOf } from '../../server/derive/visits.ts';
import type { Event } from '../../server/ingest/event.ts';
import { type PlannedDay, plan } from '../../server/stats/answer/plan.ts';
import { readCounts } from '../../server/stats/answer/read-counts.ts';
import { createResultCache, type ResultCache } from '../../server/stats/answer/result-cache.ts';
import { type StatsAnswer, shape } from '../../server/stats/answer/shape.ts';
import { toCountedGoal } from '../../server/stats/question/goals.ts';
import { type Counts, metricOf } from '../../server/stats/question/metrics.ts';
import type { Question, StatsWebsite } from '../../server/stats/question/question.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { toCluster } from '../../server/store/cluster-sql.ts';
import { identifier, join, param, sql } from '../../server/store/sql.ts';
import { offsetsOf } from '../../server/websites/offsets.ts';
import { type EngineUnderTest, engineFor } from '../engine/engine.ts';
import { clusterFor, withoutReplicas } from '../support/cluster.ts';
import { goldenSql } from '../support/golden-sql.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { countOf, type OracleAnswer } from '../support/stats-oracle.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** `STATS_ROUNDS=84` asks more than 2,000. */
const rounds = sample('STATS_ROUNDS', 1, 4);
const questionsPerWebsite = 8;

const migrations = () =>
	globSync('migrations/clickhouse/*.sql')
		.sort()
		.map((file) => readFileSync(file, 'utf8'));

test('[STATS-1] totals = visits = events = a brute-force count', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of migrations()) await clickhouse.script(migration);
	await askRounds(t, clickhouse, { rounds, questionsPerWebsite });
});

test('[STATS-1] the same over two shards, wherever the rows lie', async (t) => {
	// The worst that can be: events of a visitor, runs of a day and values of a dimension are on both.
	const { clickhouse, control } = await clusterFor(t, {
		filters: {
			events_local: 'shardNum() = 1 + event_id % 2',
			visits_local: 'shardNum() = 1 + cityHash64(visitor_id, start) % 2',
			totals_local: 'shardNum() = 1 + cityHash64(dimension, value, date) % 2',
		},
	});
	// Both shards keep their rows in one table here, and must not take each other's for a repeat.
	for (const migration of migrations())
		for (const form of toCluster(migration, 'two')) await control(withoutReplicas(form, { tokens: 0 }));
	for (const { name, statements } of goldenSql())
		for (const statement of statements) assert.deepEqual((await clickhouse.ask(statement)).rows, [], name);
	await askRounds(t, clickhouse, { rounds: Math.ceil(rounds / 4), questionsPerWebsite: 2 });
	const cut = await control(`SELECT count() FROM (
		SELECT visitor_id FROM (
			SELECT website_id, date, visitor_id, shardNum() AS shard FROM events GROUP BY website_id, date, visitor_id, shard
		) GROUP BY website_id, date, visitor_id HAVING count() = 2)`);
	assert.ok(Number(cut) > 20, `visitors who lie on both shards: ${cut}`);
});

async function askRounds(
	t: TestContext,
	clickhouse: ClickHouse,
	{ rounds, questionsPerWebsite }: { rounds: number; questionsPerWebsite: number },
) {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const cache = createResultCache();
	let asked = 0;
	for (let round = 0; round < rounds; round++) {
		const websiteIds = [1, 2, 3].map((id) => round * 10 + id);
		const { events, asked: websites } = randomStatsEvents(random, { websiteIds });
		await insert({ clickhouse }, events);
		for (const { website: made, about } of websites) {
			const goals = made.goals.map((goal, index) => ({ ...goal, revision: index + 1 }));
			const website = { ...made, goals };
			const sealing = randomSealing(random, website, round + 1);
			await seal({ clickhouse }, website, about.dates, sealing);
			// One that counts no longer, and was not deleted yet.
			await seal({ clickhouse }, website, about.dates, { ...sealing, generation: 1_000 + round });
			for (let n = 0; n < questionsPerWebsite; n++) {
				const question = randomQuestion(random, website, { ...about, goals });
				const expected = countOf(events, question);
				const askAndCompare = async (days: readonly PlannedDay[], results: ResultCache) =>
					compare(question, await ask({ clickhouse }, question, days, sealing, results), expected, days);
				const asStates = states(random, about.dates, sealing);
				await Promise.all(asStates.map((days) => askAndCompare(days, cache)));
				// From the results that are known by now, and ranked by ClickHouse.
				const days = random.pick(asStates);
				await Promise.all(
					[cache, rankedByClickHouse(question)].map((results) => askAndCompare(days, results)),
				);
				asked++;
			}
		}
	}
	t.diagnostic(`${asked} questions, each of open, sealed and mixed days`);
}

/** A cache without results that takes every dimension for one with many values. */
function rankedByClickHouse({ website, breakdowns }: Question): ResultCache {
	const results = createResultCache();
	for (const { dimension } of breakdowns) results.noteManyValues(website.id, labelOf(dimension));
	return results;
}

async function insert({ clickhouse }: Pick<EngineUnderTest, 'clickhouse'>, events: readonly Event[]) {
	const lines = events.map((event) => JSON.stringify(event)).join('\n');
	await clickhouse.insert({ table: 'events', lines, token: crypto.randomUUID() });
}

/** What totals hold: not the dimensions that had too many values, nor the goals that came later. */
type Sealing = { generation: number; capped: readonly string[]; goalRevision: number };

function randomSealing(random: Random, { goals }: StatsWebsite, generation: number): Sealing {
	const some = storedDimensions.filter((name) => name !== '' && random.next() < 0.1);
	return { generation, capped: some, goalRevision: random.whole(goals.length + 1) };
}

async function seal(
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
function states(
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

async function ask(
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

function compare(
	question: Question,
	answer: StatsAnswer,
	expected: OracleAnswer,
	days: readonly PlannedDay[],
) {
	const values = (counts: Counts, visits = counts.visits) =>
		Object.fromEntries(
			question.metrics.map((name) => [
				name,
				metricOf(name).value(name === 'conversion_rate' ? { ...counts, visits } : counts),
			]),
		);
	const got = {
		totals: answer.totals,
		compared: answer.compared?.totals ?? null,
		series: answer.series?.map((point) => point.values) ?? null,
		comparedSeries: answer.compared?.series?.map((point) => point.values) ?? null,
		breakdowns: answer.breakdowns.map(({ rows, total }) => ({
			total,
			rows: rows.map(({ value, by, values, compared }) => ({
				value: by === undefined ? value : `${value}\0${by}`,
				values,
				compared: compared ?? null,
			})),
		})),
	};
	const wanted = {
		totals: values(expected.totals),
		compared: expected.compared && values(expected.compared),
		series: expected.series?.map((counts) => values(counts)) ?? null,
		comparedSeries: expected.comparedSeries?.map((counts) => values(counts)) ?? null,
		breakdowns: expected.breakdowns.map(({ rows, total }, index) => ({
			total,
			rows: rows.map(({ value, counts, compared }) => {
				const isByGoal = question.breakdowns[index]?.dimension.name === 'goal';
				const visitsOf = (own: Counts, whole: Counts | null) => (isByGoal ? whole?.visits : own.visits);
				return {
					value,
					values: values(counts, visitsOf(counts, expected.totals)),
					compared: compared && values(compared, visitsOf(compared, expected.compared)),
				};
			}),
		})),
	};
	assert.deepEqual(
		got,
		wanted,
		`${JSON.stringify(question)}\n${JSON.stringify(days.map((d) => [d.date, d.isSealed]))}`,
	);
}
