import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenDay } from '../../server/derive/open-days.ts';
import { nextDate } from '../../server/lib/local-dates.ts';
import { dayOf, type WebsiteDays } from '../../server/stats/answer/day-state-cache.ts';
import type { PlannedDay } from '../../server/stats/answer/plan.ts';
import { toValues } from '../../server/stats/answer/shape.ts';
import { hasTest } from '../../server/stats/answer/visit-filter.ts';
import { countLines, createCountChoice } from '../../server/stats/overview/count-lines.ts';
import type { DayCountQuery } from '../../server/stats/overview/counted-days.ts';
import {
	type CountedSpan,
	describe,
	type OverviewSelection,
	planLine,
} from '../../server/stats/overview/overview-lines.ts';
import { type Counts, metricNames, metricOf } from '../../server/stats/question/metrics.ts';
import type { Bucket, Filter, Question, Span } from '../../server/stats/question/question.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { engineFor } from '../engine/engine.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { clickhouseMigrations, insertEvents, randomSealing, sealDates } from '../support/stats-days.ts';
import { countOf } from '../support/stats-oracle.ts';
import { randomQuestion, randomStatsEvents } from '../support/stats-questions.ts';

/** `OVERVIEW_QUESTION_ROUNDS=50` compares 2,000 lines. */
const rounds = sample('OVERVIEW_QUESTION_ROUNDS', 1, 6);
const questionsPerRound = 8;
const websitesPerRound = 5;

/** Goals and page groups belong to one website. */
const isOfAll = (filter: Filter | null): boolean =>
	filter === null || !hasTest(filter, ({ dimension }) => ['goal', 'page_group'].includes(dimension.name));

/** Days as the overview knows them: sealed, open, or large with provisional totals. */
function randomDays(
	random: Random,
	dates: readonly string[],
	{ generation }: { generation: number },
): WebsiteDays {
	const open: PlannedDay = {
		...{ date: '', isSealed: false, generation: 0, capped: [], goalRevision: 0, size: 1 },
		provisional: null,
		imported: null,
	};
	const kinds = random.pick([['sealed'], ['open'], ['sealed', 'sealed', 'open', 'large']] as const);
	const stored: { days: number[]; generations: number[] } = { days: [], generations: [] };
	const unsealed: WebsiteDays['unsealed'] = [];
	for (const date of dates) {
		const kind = random.pick<'sealed' | 'open' | 'large'>([...kinds]);
		if (kind === 'sealed') {
			stored.days.push(dayOf(date));
			stored.generations.push(generation);
		} else
			unsealed.push({
				...open,
				...{ date, lastBatch: 1, isSettled: false },
				...(kind === 'large' && {
					size: 10_000_000,
					provisional: { generation, at: new Date(0), capped: [], goalRevision: 0 },
				}),
			});
	}
	return { stored, unsealed };
}

function bucketsOf({ from, to }: Span): Bucket[] {
	const buckets: Bucket[] = [];
	for (let date = from; date <= to; date = nextDate(date))
		buckets.push({ time: date, from: date, to: date, startMs: null, endMs: null, isUnfinished: false });
	return buckets;
}

/** One after the other: each question asks many statements at once, and more would wait too long on a busy machine. */
function queryOf(clickhouse: ClickHouse): DayCountQuery {
	let before: Promise<unknown> = Promise.resolve();
	return async <Row>(query: Parameters<DayCountQuery>[0]) => {
		const answer = before.then(() => clickhouse.ask<Row>(query));
		before = answer.catch(() => undefined);
		return (await answer).rows;
	};
}

test('[C-OVER-10] random metrics, filters, goals and comparisons of many websites = a brute-force count', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const migration of clickhouseMigrations()) await clickhouse.script(migration);
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const chooseCounts = createCountChoice();
	let compared = 0;
	for (let round = 0; round < rounds; round++) {
		const websiteIds = Array.from({ length: websitesPerRound }, (_, index) => round * 10 + 1 + index);
		const { events, asked } = randomStatsEvents(random, { websiteIds });
		await insertEvents({ clickhouse }, events);
		const sealings = new Map(
			asked.map(({ website }) => [website.id, randomSealing(random, website, round + 1)]),
		);
		for (const { website, about } of asked) {
			const sealing = { ...(sealings.get(website.id) ?? { generation: 0, goalRevision: 0 }), capped: [] };
			await sealDates({ clickhouse }, website, about.dates, sealing);
			// One that counts no longer, and was not deleted yet.
			await sealDates({ clickhouse }, website, about.dates, { ...sealing, generation: 1_000 + round });
		}
		for (let n = 0; n < questionsPerRound; n++) {
			const questions = asked.map(({ website, about }) => randomQuestion(random, website, about));
			const filter = questions.find((question) => isOfAll(question.filter))?.filter ?? null;
			const isOfGoal = random.next() < 0.5;
			const selection: OverviewSelection = {
				metrics: metricNames.filter((name) => random.next() < 0.5 || (isOfGoal && metricOf(name).needsGoal)),
				filter: random.next() < 0.7 ? filter : null,
			};
			const own = questions.map(
				(question): Question => ({
					...question,
					filter: selection.filter,
					goal: isOfGoal ? question.goal : null,
					buckets: bucketsOf(question.span),
					comparedBuckets: null,
					breakdowns: [],
				}),
			);
			const lines = own.map(({ website, span, compared, goal, buckets }, index) =>
				planLine(
					{
						website: { ...website, goals: [] },
						time: describe({ span, compared, interval: 'day', buckets: [...(buckets ?? [])] }),
						goal,
					},
					randomDays(random, asked[index]?.about.dates ?? [], sealings.get(website.id) ?? { generation: 0 }),
					selection,
				),
			);
			const found = await countLines(lines, selection, {
				ask: queryOf(clickhouse),
				choice: chooseCounts(selection),
				openDays: {
					find: async ({ websiteId, dates }) =>
						new Map(
							dates.map((date): [string, OpenDay] => [
								date,
								{ generation: BigInt(sealings.get(websiteId)?.generation ?? 0), at: new Date(0) },
							]),
						),
				},
				readImported: async () => new Map(),
			});
			for (const [index, line] of found.entries()) {
				const question = own[index];
				if (!question) throw new Error('A line without a question.');
				const expected = countOf(events, question);
				const names = selection.metrics.filter((name) => question.goal || !metricOf(name).needsGoal);
				const valuesOf = (counted: CountedSpan | null) =>
					counted && toValues(names, counted.counts, { lacking: counted.lacking });
				const wanted = (counts: Counts | null) => counts && toValues(names, counts);
				assert.deepEqual(
					{ own: valuesOf(line.own), compared: valuesOf(line.compared), line: line.sparkline() },
					{
						own: wanted(expected.totals),
						compared: wanted(expected.compared),
						line: expected.series?.map(({ visitors }) => visitors),
					},
					JSON.stringify({ question, days: lines[index] }, (_, value) =>
						typeof value === 'bigint' ? String(value) : value,
					),
				);
				compared++;
			}
		}
	}
	t.diagnostic(`${compared} lines`);
});
