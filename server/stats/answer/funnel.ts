/**
 * How many visits reach each step of a funnel. A visit reaches step k when its events meet steps 1 to k one after another: the
 * first event that meets the first step, then the first later event that meets the second, and so on. Taking the earliest
 * event each time is optimal, because it leaves the most events for later steps.
 *
 * A filter selects visits, and a visit belongs to the instant of its start, as in all statistics. All of its events count for
 * the steps, whether they meet the filter or not.
 */
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import type { Goal, Question } from '../question/question.ts';
import { allQuestions, questionsForShare, splitAnswers } from '../question/shared-questions.ts';
import { findOpenDays, readDaysOf, type StatsServices } from './answer.ts';
import { visitsFrom } from './build.ts';
import { type Part, plan } from './plan.ts';
import { isSafe, type Sizes } from './public-thresholds.ts';
import { importedIn, type StatsAnswer } from './shape.ts';
import { meetsOf, selectionOf } from './visit-filter.ts';

/** A step as it is stored: a goal of the website, or a page pattern. */
export type StoredStep = { goal: number } | { page: string };

export type FunnelStep = { name: string; goal: Goal };

export function toSteps(stored: readonly StoredStep[], goals: readonly Goal[]): FunnelStep[] {
	return stored.map((step) => {
		if ('page' in step) return { name: step.page, goal: pageGoal(step.page) };
		const goal = goals.find(({ id }) => id === step.goal);
		// A goal that a funnel uses cannot be deleted.
		if (!goal) throw new Error(`A funnel step uses the goal ${step.goal}, which does not exist.`);
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

type FunnelCounts = { visits: number; visitors: number };

export type FunnelAnswer = {
	/** Null when part of the period is no longer available; a step is null when it has too few visitors to be shown. */
	steps: (FunnelCounts | null)[] | null;
	meta: {
		asOf: Date;
		answeredFrom: string[];
		rowsRead: number;
		ms: number;
		availableFrom: string | null;
		imported: StatsAnswer['meta']['imported'];
	};
};

/** Uses only the website, span and filter of the question. */
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
		// With a goal the plan never uses totals.
		goal: first?.goal ?? null,
		breakdowns: [],
	};
	const planned = plan(question, await readDaysOf(services.postgres, question));
	const open = await findOpenDays(question, planned, services);
	const results = await Promise.all(
		planned.parts.map((part) =>
			services.clickhouse.ask<FunnelRow>(
				buildFunnel(question, steps, part, (columns) => visitsFrom(question, part.source, open, columns)),
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

/** For shares: each filtered step, and its difference to the step before, must be safe (public-thresholds.ts). */
export async function answerSharedFunnel(
	question: Question,
	steps: readonly FunnelStep[],
	services: StatsServices,
	signal: AbortSignal,
): Promise<FunnelAnswer> {
	const asked = questionsForShare(question, services.now());
	const { until } = asked;
	const answers = await Promise.all(
		allQuestions(asked).map((each) => answerFunnel(each, steps, services, signal)),
	);
	const { subsets: weaker, published: seen, others } = splitAnswers(asked, question, answers);
	const answer = weaker.at(-1);
	if (!answer) throw new Error('The question itself was not answered.');
	if (question.filter === null) return answer;
	const sizesOf = (list: readonly FunnelAnswer[], step: number): Sizes =>
		list.map(({ steps: counted }) => {
			const counts = counted?.[step];
			return counts ? { ...counts, views: 0 } : null;
		});
	let before: Sizes = [];
	return {
		steps:
			answer.steps?.map((counts, step) => {
				const sizes = sizesOf(weaker, step);
				const [published] = seen ? sizesOf([seen], step) : [];
				if (!isSafe(sizes, published, sizesOf(others, step)) || !isSafe([...before, ...sizes])) return null;
				before = sizes;
				return counts;
			}) ?? null,
		meta: { ...answer.meta, asOf: until && until < answer.meta.asOf ? until : answer.meta.asOf },
	};
}

/** `visits_1`, `visitors_1`, …; one row per date, because visitor ids are unique within a date. */
type FunnelRow = Record<string, string>;

function buildFunnel(
	{ website, filter }: Question,
	steps: readonly FunnelStep[],
	{ timing }: Pick<Part, 'timing'>,
	visitsWith: (columns: Parameters<typeof visitsFrom>[3]) => Sql,
): Sql {
	const selection = selectionOf(filter, website.goals);
	const meets = steps.map(({ goal }) => meetsOf(goal));
	const columns = [
		...new Set([
			...selection.columns,
			...meets.flatMap((meet) => meet.columns),
			...(timing ? (['start'] as const) : []),
		]),
	];
	const last = identifier(`reached_${steps.length}`);
	return sql`
	SELECT
		date, ${join(
			steps.map((_, index) => {
				const k = index + 1;
				return sql`
		countIf(${last} >= ${param('UInt8', k)}) AS ${identifier(`visits_${k}`)},
		uniqExactIf(visitor_id, ${last} >= ${param('UInt8', k)}) AS ${identifier(`visitors_${k}`)}`;
			}),
			', ',
		)}
	FROM (${walk(
		steps.length,
		sql`
		-- A visit: for each step whether each of its events meets it, and that it has reached none yet.
		SELECT date, visitor_id, toUInt64(0) AS at_0, toUInt8(0) AS reached_0 ${join(
			[sql``, ...meets.map((meet, index) => sql`${meet.sql} AS ${identifier(`met_${index + 1}`)}`)],
			', ',
		)}
		FROM (${visitsWith(columns)})
		WHERE visitor_id != 0 AND (${selection.sql}) AND ${isWithin(timing)}`,
	)})
	GROUP BY date`;
}

/**
 * For each visit: how many steps it has reached, and at which event, counted from 1. One SELECT per step, because ClickHouse
 * expands aliases within a SELECT: the expression would double with each of up to eight steps.
 */
function walk(steps: number, visits: Sql): Sql {
	let walked = visits;
	for (let k = 1; k <= steps; k++) {
		const position = identifier(`at_${k - 1}`);
		const reached = identifier(`reached_${k - 1}`);
		const met = identifier(`met_${k}`);
		walked = sql`
		SELECT *, ${position} + further AS ${identifier(`at_${k}`)}, ${reached} + (further > 0) AS ${identifier(`reached_${k}`)}
		FROM (
			SELECT * EXCEPT (${met}${k === 1 ? sql`` : sql`, further`}),
				-- So many events behind the one that met the step before; 0 when there is none, or the step before was not met.
				if(${reached} = ${param('UInt8', k - 1)}, indexOf(arraySlice(${met}, ${position} + 1), 1), 0) AS further
			FROM (${walked})
		)`;
	}
	return walked;
}

/** Whether a visit starts within the instants that cut its date. */
export function isWithin(timing: Part['timing']): Sql {
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
