/** Whether an answer has exactly the numbers of a brute-force count. */
import assert from 'node:assert/strict';
import type { StatsAnswer } from '../../server/stats/answer/shape.ts';
import { type Counts, metricOf } from '../../server/stats/question/metrics.ts';
import type { Question } from '../../server/stats/question/question.ts';
import type { OracleAnswer } from './stats-oracle.ts';

export function compareAnswer(
	question: Question,
	answer: StatsAnswer,
	expected: OracleAnswer,
	/** What the answer was made from, for the message. */
	about: string,
): void {
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
	assert.deepEqual(got, wanted, `${JSON.stringify(question)}\n${about}`);
}
