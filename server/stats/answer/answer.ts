/** Answers a question: plan → open days → read (build, query, rank) → shape. Its period was resolved before (periods.ts). */

import type { OpenDay, OpenDays } from '../../derive/open-days.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import type { Queries } from '../../store/postgres.ts';
import { offsetsOf } from '../../websites/offsets.ts';
import type { Question } from '../question/question.ts';
import { type Plan, type PlannedDay, plan, readDays } from './plan.ts';
import { readCounts } from './read-counts.ts';
import type { ResultCache } from './result-cache.ts';
import { type StatsAnswer, shape } from './shape.ts';

export type StatsServices = {
	postgres: Queries;
	clickhouse: ClickHouse;
	openDays: OpenDays;
	results: ResultCache;
	now: Clock;
};

export async function answer(
	question: Question,
	services: StatsServices,
	{ signal, days: known }: { signal?: AbortSignal; days?: readonly PlannedDay[] } = {},
): Promise<StatsAnswer> {
	const began = performance.now();
	const asOf = services.now();
	const days = known ?? (await readDaysOf(services.postgres, question));
	const planned = plan(question, days);
	const open = await findOpenDays(question, planned, services);
	const read = await readCounts(question, planned, open, { ...services, ...(signal && { signal }) });
	return shape(question, planned, {
		...read,
		open: [...open.values()],
		ms: performance.now() - began,
		asOf,
	});
}

/** The states of the days that a question is about. */
export const readDaysOf = (postgres: Queries, { website, span, compared }: Question): Promise<PlannedDay[]> =>
	readDays(postgres, website.id, compared ? [span, compared] : [span]);

/** The visits of the open days that the plan reads. */
export async function findOpenDays(
	{ website }: Question,
	{ parts }: Plan,
	{ openDays }: StatsServices,
): Promise<ReadonlyMap<string, OpenDay>> {
	const dates = [
		...new Set(parts.flatMap(({ source }) => (source.from === 'events' ? source.dates : []))),
	].toSorted();
	const [first, last] = [dates[0], dates.at(-1)];
	if (first === undefined || last === undefined) return new Map();
	return openDays.find({
		websiteId: website.id,
		dates,
		offsets: offsetsOf(website.zones, first, last),
		sinceMs: website.resetAt,
		hidden: website.hidden ?? null,
	});
}
