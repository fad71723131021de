import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { labelOf } from '../../server/derive/counts.ts';
import type { PlannedDay } from '../../server/stats/answer/plan.ts';
import { createResultCache, type ResultCache } from '../../server/stats/answer/result-cache.ts';
import type { Question } from '../../server/stats/question/question.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { toCluster } from '../../server/store/cluster-sql.ts';
import { engineFor } from '../engine/engine.ts';
import { clusterFor, withoutReplicas } from '../support/cluster.ts';
import { compareAnswer } from '../support/compare-answer.ts';
import { goldenSql } from '../support/golden-sql.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import {
	askDays,
	clickhouseMigrations,
	dayStates,
	insertEvents,
	randomSealing,
	sealDates,
} from '../support/stats-days.ts';
import { countOf } from '../support/stats-oracle.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** `STATS_ROUNDS=84` asks more than 2,000. */
const rounds = sample('STATS_ROUNDS', 1, 4);
const questionsPerWebsite = 8;

test('[STATS-1] totals = visits = events = a brute-force count', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of clickhouseMigrations()) await clickhouse.script(migration);
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
	for (const migration of clickhouseMigrations())
		for (const form of toCluster(migration, 'two')) await control(withoutReplicas(form, { tokens: 0 }));
	for (const { name, statements } of goldenSql())
		for (const statement of statements) assert.deepEqual((await clickhouse.ask(statement)).rows, [], name);
	let cut = 0;
	const areEnough = async () => {
		const count = await control(`SELECT count() FROM (
			SELECT visitor_id FROM (
				SELECT website_id, date, visitor_id, shardNum() AS shard FROM events GROUP BY website_id, date, visitor_id, shard
			) GROUP BY website_id, date, visitor_id HAVING count() = 2)`);
		cut = Number(count);
		return cut > 20;
	};
	await askRounds(t, clickhouse, { rounds: Math.ceil(rounds / 4), questionsPerWebsite: 2, areEnough });
	assert.ok(cut > 20, `visitors who lie on both shards: ${cut}`);
});

async function askRounds(
	t: TestContext,
	clickhouse: ClickHouse,
	{
		rounds,
		questionsPerWebsite,
		areEnough = async () => true,
	}: {
		rounds: number;
		questionsPerWebsite: number;
		/** After the last round: otherwise up to three more follow. */
		areEnough?: () => Promise<boolean>;
	},
) {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const cache = createResultCache();
	let asked = 0;
	for (let round = 0; round < rounds || (round < rounds + 3 && !(await areEnough())); round++) {
		const websiteIds = [1, 2, 3].map((id) => round * 10 + id);
		const { events, asked: websites } = randomStatsEvents(random, { websiteIds });
		await insertEvents({ clickhouse }, events);
		for (const { website: made, about } of websites) {
			const goals = made.goals.map((goal, index) => ({ ...goal, revision: index + 1 }));
			const website = { ...made, goals };
			const sealing = randomSealing(random, website, round + 1);
			await sealDates({ clickhouse }, website, about.dates, sealing);
			// One that counts no longer, and was not deleted yet.
			await sealDates({ clickhouse }, website, about.dates, { ...sealing, generation: 1_000 + round });
			for (let n = 0; n < questionsPerWebsite; n++) {
				const question = randomQuestion(random, website, { ...about, goals });
				const expected = countOf(events, question);
				const askAndCompare = async (days: readonly PlannedDay[], results: ResultCache) =>
					compareAnswer(
						question,
						await askDays({ clickhouse }, question, days, sealing, results),
						expected,
						JSON.stringify(days.map((d) => [d.date, d.isSealed])),
					);
				const asStates = dayStates(random, about.dates, sealing);
				// One after the other: each asks many statements at once, and more would wait too long on a busy machine.
				for (const days of asStates) await askAndCompare(days, cache);
				// From the results that are known by now, and ranked by ClickHouse.
				const days = random.pick(asStates);
				for (const results of [cache, rankedByClickHouse(question)]) await askAndCompare(days, results);
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
