/** Questions become answers: resolve (periods.ts, before) → plan → build → run → shape. */

import type { Clock } from '../lib/clock.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { offsetsOf } from '../websites/offsets.ts';
import { type AnswerRow, build, groupBreakdowns } from './build.ts';
import { type Day, plan, readDays } from './plan.ts';
import type { Question } from './question.ts';
import { type Answer, shape } from './shape.ts';

export type StatsServices = { postgres: Queries; clickhouse: ClickHouse; now: Clock };

export async function answer(
	question: Question,
	{ postgres, clickhouse, now }: StatsServices,
	{ signal, days: known }: { signal?: AbortSignal; days?: readonly Day[] } = {},
): Promise<Answer> {
	const began = performance.now();
	const asOf = now();
	const days = known ?? (await readDaysOf(postgres, question));
	const planned = plan(question, days);
	const offsets = offsetsOf(
		question.website.zones,
		...datesOf(
			days.map(({ date }) => date),
			question,
		),
	);
	const groups = groupBreakdowns(question.breakdowns);
	const results = await Promise.all(
		groups.map(async (breakdowns, index) => {
			const statement = build(question, planned, offsets, { whole: index === 0, breakdowns });
			const options = { name: 'stats', ...(signal && { signal }) };
			const { rows, readRows } = statement
				? await clickhouse.ask<AnswerRow>(statement, options)
				: { rows: [], readRows: 0 };
			return { breakdowns, rows, readRows };
		}),
	);
	return shape(question, planned, { results, ms: performance.now() - began, asOf });
}

/** In which state the days are that a question is about. */
export const readDaysOf = (postgres: Queries, { website, span, compared }: Question): Promise<Day[]> =>
	readDays(postgres, website.id, compared ? [span, compared] : [span]);

const datesOf = (dates: readonly string[], { span }: Question): [string, string] => [
	dates[0] ?? span.from,
	dates.at(-1) ?? span.to,
];
