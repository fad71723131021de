/**
 * How far visits come along a funnel. A visit reaches step k when it has, in the order of its events, strictly later events
 * that meet steps 1 to k: the first event that meets the first step, the first one after it that meets the second, and so
 * on. Taking the earliest each time loses nothing: whatever else would do for a later step is still to come.
 *
 * A filter selects visits, and a visit belongs to the instant of its start, as everywhere; all of its events count for
 * the steps, whether they meet the filter or not.
 */
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import { findOpenDays, readDaysOf, type StatsServices } from './answer.ts';
import { runsFrom } from './build.ts';
import { type Part, plan } from './plan.ts';
import type { Goal, Question } from './question.ts';
import { meetsOf, selectionOf } from './select-runs.ts';
import { type Answer, importedIn } from './shape.ts';

/** As it is stored: a goal of the website, or views of pages. */
export type StoredStep = { goal: number } | { page: string };

/** A step is met as a goal is. */
export type FunnelStep = { name: string; goal: Goal };

export function toSteps(stored: readonly StoredStep[], goals: readonly Goal[]): FunnelStep[] {
	return stored.map((step) => {
		if ('page' in step) return { name: step.page, goal: pageGoal(step.page) };
		const goal = goals.find(({ id }) => id === step.goal);
		// A goal that a funnel needs cannot be deleted.
		if (!goal) throw new Error(`A step names the goal ${step.goal}, which is not there.`);
		return { name: goal.name, goal };
	});
}

const pageGoal = (pattern: string): Goal => ({
	id: 0,
	revision: 0,
	name: pattern,
	kind: 'page',
	pattern,
	property: null,
});

export type FunnelAnswer = {
	/** Null when a part of the time cannot be counted any more. */
	steps: { visits: number; visitors: number }[] | null;
	meta: {
		asOf: Date;
		answeredFrom: string[];
		rowsRead: number;
		ms: number;
		availableFrom: string | null;
		imported: Answer['meta']['imported'];
	};
};

/** Of the question only its website, span and filter matter. */
export async function answerFunnel(
	{ website, span, filter }: Question,
	steps: readonly FunnelStep[],
	services: StatsServices,
	signal: AbortSignal,
): Promise<FunnelAnswer> {
	const began = performance.now();
	const asOf = services.now();
	const [first] = steps;
	const question: Question = {
		website,
		span,
		filter,
		compared: null,
		buckets: null,
		comparedBuckets: null,
		metrics: ['visits'],
		// With a goal the plan knows that totals will not do.
		goal: first?.goal ?? null,
		breakdowns: [],
	};
	const planned = plan(question, await readDaysOf(services.postgres, question));
	const open = await findOpenDays(question, planned, services);
	const results = await Promise.all(
		planned.parts.map((part) =>
			services.clickhouse.ask<FunnelRow>(
				buildFunnel(question, steps, part, (columns) => runsFrom(question, part.source, open, columns)),
				{ name: 'funnel', signal },
			),
		),
	);
	const sumOf = (count: 'visits' | 'visitors', step: number) =>
		results.flatMap(({ rows }) => rows).reduce((sum, row) => sum + Number(row[`${count}_${step}`] ?? 0), 0);
	const oldest = Math.min(asOf.getTime(), ...[...open.values()].map(({ at }) => at.getTime()));
	return {
		steps: planned.unavailable.totals
			? null
			: steps.map((_, index) => ({
					visits: sumOf('visits', index + 1),
					visitors: sumOf('visitors', index + 1),
				})),
		meta: {
			asOf: new Date(oldest),
			answeredFrom: [...new Set(planned.parts.map(({ source }) => source.from))],
			rowsRead: results.reduce((sum, { readRows }) => sum + readRows, 0),
			ms: performance.now() - began,
			availableFrom: planned.availableFrom,
			imported: importedIn(planned, span),
		},
	};
}

/** `visits_1`, `visitors_1`, …: one row a date, because a visitor is one of a date. */
type FunnelRow = Record<string, string>;

function buildFunnel(
	{ website, filter }: Question,
	steps: readonly FunnelStep[],
	{ timing }: Pick<Part, 'timing'>,
	runsWith: (columns: Parameters<typeof runsFrom>[3]) => Sql,
): Sql {
	const selection = selectionOf(filter, website.goals);
	const meets = steps.map(({ goal }) => meetsOf(goal));
	const columns = [
		...new Set([...selection.of, ...meets.flatMap(({ of }) => of), ...(timing ? (['start'] as const) : [])]),
	];
	const last = word(`reached_${steps.length}`);
	return sql`
	SELECT
		date, ${join(
			steps.map((_, index) => {
				const k = index + 1;
				return sql`
		countIf(${last} >= ${param('UInt8', k)}) AS ${word(`visits_${k}`)},
		uniqExactIf(visitor_id, ${last} >= ${param('UInt8', k)}) AS ${word(`visitors_${k}`)}`;
			}),
			', ',
		)}
	FROM (${walk(
		steps.length,
		sql`
		-- A visit: for each step whether each of its events meets it, and that it has reached none yet.
		SELECT date, visitor_id, toUInt64(0) AS at_0, toUInt8(0) AS reached_0 ${join(
			[sql``, ...meets.map((meet, index) => sql`${meet.sql} AS ${word(`met_${index + 1}`)}`)],
			', ',
		)}
		FROM (${runsWith(columns)})
		WHERE visitor_id != 0 AND (${selection.sql}) AND ${isWithin(timing)}`,
	)})
	GROUP BY date`;
}

/**
 * A visit: how many steps it has reached, and at which event, counted from 1. A SELECT for each step, because ClickHouse
 * writes out every name that is used in the same one: of eight steps, each twice the one before, nothing would be left.
 */
function walk(steps: number, visits: Sql): Sql {
	let walked = visits;
	for (let k = 1; k <= steps; k++) {
		const [at, reached, met] = [word(`at_${k - 1}`), word(`reached_${k - 1}`), word(`met_${k}`)];
		walked = sql`
		SELECT *, ${at} + further AS ${word(`at_${k}`)}, ${reached} + (further > 0) AS ${word(`reached_${k}`)}
		FROM (
			SELECT * EXCEPT (${met}${k === 1 ? sql`` : sql`, further`}),
				-- So many events behind the one that met the step before; 0 when there is none, or the step before was not met.
				if(${reached} = ${param('UInt8', k - 1)}, indexOf(arraySlice(${met}, ${at} + 1), 1), 0) AS further
			FROM (${walked})
		)`;
	}
	return walked;
}

function isWithin(timing: Part['timing']): Sql {
	const ms = sql`toUnixTimestamp64Milli(start)`;
	return join(
		[
			sql`true`,
			...(timing?.startMs == null ? [] : [sql`${ms} >= ${param('Int64', timing.startMs)}`]),
			...(timing?.endMs == null ? [] : [sql`${ms} < ${param('Int64', timing.endMs)}`]),
		],
		' AND ',
	);
}
