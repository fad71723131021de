import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../../server/ingest/event.ts';
import { type Changes, changedDimensions, findChanges } from '../../server/stats/answer/changes.ts';
import type { PlannedDay } from '../../server/stats/answer/plan.ts';
import { createResultCache, type ResultCache } from '../../server/stats/answer/result-cache.ts';
import type { DimensionName } from '../../server/stats/question/dimensions.ts';
import { type Counts, type MetricName, metricNames, metricOf } from '../../server/stats/question/metrics.ts';
import type { Question } from '../../server/stats/question/question.ts';
import { engineFor } from '../engine/engine.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import {
	askDays,
	clickhouseMigrations,
	dayStates,
	insertEvents,
	randomSealing,
	sealDates,
} from '../support/stats-days.ts';
import { countOf, type OracleRow } from '../support/stats-oracle.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** At least so many; `CHANGES_ROUNDS=112` asks more than 2,000 questions. */
const rounds = sample('CHANGES_ROUNDS', 1, 4);
const questionsPerWebsite = 6;

test('[C-CHG-1] the parts of a difference are those of a brute-force count, and add up to it', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of clickhouseMigrations()) await clickhouse.script(migration);
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const cache = createResultCache();
	let [questions, causes, within] = [0, 0, 0];
	for (let round = 0; round < rounds || (round < rounds + 10 && causes === 0); round++) {
		const websiteIds = [1, 2, 3].map((id) => round * 10 + id);
		const { events, asked: websites } = randomStatsEvents(random, { websiteIds });
		await insertEvents({ clickhouse }, events);
		for (const { website: made, about } of websites) {
			const goals = made.goals.map((goal, index) => ({ ...goal, revision: index + 1 }));
			const website = { ...made, goals };
			const sealing = randomSealing(random, website, round + 1);
			await sealDates({ clickhouse }, website, about.dates, sealing);
			for (let n = 0; n < questionsPerWebsite; n++) {
				const question = comparedQuestion(random, () => randomQuestion(random, website, { ...about, goals }));
				const metric = random.pick(metricNames.filter((name) => question.goal || !metricOf(name).needsGoal));
				const currency =
					metric === 'revenue' && random.next() < 0.5 ? random.pick(['EUR', 'USD']) : undefined;
				const limit = random.pick([1, 3, 100]);
				const states = dayStates(random, about.dates, sealing);
				const find = (days: readonly PlannedDay[], results: ResultCache) =>
					findChanges(question, { metric, currency, limit }, (each) =>
						askDays({ clickhouse }, each, days, sealing, results),
					);
				// Also as if all dimensions had too many values to be ranked here.
				const ranked = createResultCache();
				for (const name of changedDimensions(metric)) ranked.noteManyValues(website.id, name);
				for (const [days, results] of [
					...states.map((days) => [days, cache] as const),
					[random.pick(states), ranked] as const,
				]) {
					const message = JSON.stringify({
						question,
						metric,
						currency,
						limit,
						days: days.map(({ isSealed }) => isSealed),
					});
					const found = await find(days, results);
					check(events, question, { metric, limit }, found, message);
					if (found.cause) causes++;
					if (found.cause?.within) within++;
				}
				questions++;
			}
		}
	}
	t.diagnostic(
		`${questions} questions, each of open, sealed and mixed days; ${causes} causes, ${within} divided once more`,
	);
	assert.ok(causes > 0);
});

function comparedQuestion(random: Random, make: () => Question): Question {
	for (;;) {
		const question = make();
		// Half of them without a filter, as most are asked.
		if (question.compared)
			return { ...question, breakdowns: [], filter: random.next() < 0.5 ? null : question.filter };
	}
}

/** Counted anew from the events: each dimension, and pairs of values for the cause. */
function check(
	events: readonly Event[],
	question: Question,
	{ metric, limit }: { metric: MetricName; limit: number },
	found: Changes,
	message: string,
) {
	const rowsBy = (dimension: DimensionName, by?: DimensionName): readonly OracleRow[] =>
		oracleOf(events, question, dimension, by).breakdowns[0]?.rows ?? [];
	const names = changedDimensions(metric);
	const whole = oracleOf(events, question, 'source');
	assert.ok(whole.compared, message);
	for (const { count, amounts, dimensions } of found.counts) {
		const read = (counts: Counts | null) =>
			count === 'revenue' ? (counts?.revenue[found.currency ?? ''] ?? 0) : (counts?.[count] ?? 0);
		assert.deepEqual(amounts, amountsOf(read(whole.totals), read(whole.compared)), message);
		assert.deepEqual(dimensions.map(({ dimension }) => dimension).toSorted(), [...names].sort(), message);
		const scores = dimensions.map(({ score }) => score ?? -1);
		assert.deepEqual(
			scores,
			scores.toSorted((a, b) => b - a),
			message,
		);
		for (const { dimension, rows, rest, score } of dimensions) {
			const expected = rowsBy(dimension).map(({ value, counts, compared }) => ({
				value,
				...amountsOf(read(counts), read(compared)),
			}));
			assert.ok(rows, message);
			// Exact: rows and rest are the total, in each period and in the difference.
			for (const part of ['current', 'compared', 'difference'] as const)
				assert.equal(
					round(rows.reduce((sum, row) => sum + row[part], rest?.[part] ?? 0)),
					amounts[part],
					message,
				);
			const direction: number = amounts.difference < 0 ? -1 : 1;
			const differences: number[] = expected
				.map((row) => direction * row.difference)
				.toSorted((a, b) => b - a);
			assert.deepEqual(
				rows.map((row) => direction * row.difference),
				differences.slice(0, limit),
				message,
			);
			for (const row of rows)
				assert.deepEqual(
					row,
					expected.find(({ value }) => value === row.value),
					message,
				);
			const left = Math.abs(
				round(amounts.difference - expected.reduce((sum, row) => sum + row.difference, 0)),
			);
			const moved = expected.reduce((sum, row) => sum + Math.abs(row.difference), left);
			const [first] = rows;
			const share = first && direction * first.difference > 0 ? Math.abs(first.difference) / moved : 0;
			const before = first && amounts.compared !== 0 ? first.compared / amounts.compared : 0;
			const wanted: number = amounts.difference === 0 ? 0 : Math.max(0, share - before);
			// Of equal rows, any may be the first.
			if (new Set(differences.slice(0, 2)).size === Math.min(2, differences.length))
				assert.ok(Math.abs((score ?? -1) - wanted) < 1e-5, `${dimension} ${score} ${wanted} ${message}`);
			// Additive: all rows are the total, except visitors, who may be in several.
			const all: number = round(expected.reduce((sum, row) => sum + row.current, 0));
			if (count === 'visitors' || count === 'converted_visitors') assert.ok(all >= amounts.current, message);
			else if (dimension !== 'title' && count !== 'revenue')
				assert.equal(all, amounts.current, `${dimension} ${message}`);
		}
	}
	const { cause } = found;
	if (!cause) return;
	const [divided] = found.counts;
	assert.ok(divided?.amounts);
	const best = divided.dimensions.find(({ dimension }) => dimension === cause.dimension);
	assert.ok(best?.score && best.score >= 0.2, message);
	assert.equal(best.rows?.[0]?.value, cause.value, message);
	assert.ok(cause.difference / divided.amounts.difference >= 0.5, message);
	if (!cause.within) return;
	const { within } = cause;
	const read = (counts: Counts | null) =>
		divided.count === 'revenue'
			? (counts?.revenue[found.currency ?? ''] ?? 0)
			: (counts?.[divided.count] ?? 0);
	const pair = rowsBy(cause.dimension, within.dimension).find(
		({ value }) => value === `${cause.value}\0${within.value}`,
	);
	assert.ok(pair, message);
	assert.equal(within.difference, amountsOf(read(pair.counts), read(pair.compared)).difference, message);
	assert.ok(within.difference / cause.difference >= 0.5, message);
}

const oracleOf = (
	events: readonly Event[],
	question: Question,
	dimension: DimensionName,
	by?: DimensionName,
) =>
	countOf(events, {
		...question,
		buckets: null,
		comparedBuckets: null,
		breakdowns: [
			{
				dimension: { name: dimension, ...(by && { by: { name: by } }) },
				sort: { by: 'visits', descending: true },
				isCompared: true,
				search: null,
				offset: 0,
				limit: 10_000,
			},
		],
	});

const round = (amount: number) => Math.round(amount * 10_000) / 10_000 + 0;
const amountsOf = (current: number, compared: number) => ({
	current,
	compared,
	difference: round(current - compared),
});
