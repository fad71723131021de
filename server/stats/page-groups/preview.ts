/** What rules would group, from the paths of a period. Page views with a route are left out: rules do not apply to them. */
import { mapYielding } from '../../lib/map-yielding.ts';
import { param, type Sql, sql } from '../../store/sql.ts';
import type { StatsServices } from '../answer/answer.ts';
import { askEvents, matchesQuestion } from '../answer/raw-events.ts';
import type { StatsAnswer } from '../answer/shape.ts';
import type { Question } from '../question/question.ts';
import { createMatcher, type PathRule } from './rules.ts';

export type ViewedPath = { path: string; views: number };

/** Paths that are compared with rules, the most viewed ones. A website may have a million. */
const maxPaths = 10_000;

export async function listPaths(
	question: Question,
	services: StatsServices,
	signal: AbortSignal,
): Promise<{ paths: ViewedPath[]; total: number; meta: StatsAnswer['meta'] }> {
	const { tables, meta } = await askEvents<{ path: string; views: string; total: string }>(
		question,
		[buildPaths(question)],
		services,
		{ name: 'paths', signal },
	);
	const rows = tables.flat();
	return {
		paths: rows.map(({ path, views }) => ({ path, views: Number(views) })),
		total: Number(rows[0]?.total ?? 0),
		meta,
	};
}

const buildPaths = (question: Question): Sql => sql`
	SELECT path, views, count() OVER () AS total
	FROM (
		SELECT path, count() AS views
		FROM events
		WHERE ${matchesQuestion(question)} AND kind = 'pageview' AND route = ''
		GROUP BY path
	)
	ORDER BY views DESC, path
	LIMIT ${param('UInt64', maxPaths)}`;

export type Example = { path: string; group: string; pageviews: number };
export type Matched = { paths: number; pageviews: number; examples: Example[] };

export const maxExamples = 5;
const maxUnmatched = 20;

/** What each rule groups, and what none does. The most viewed paths come first. */
export async function previewRules(
	rules: readonly PathRule[],
	paths: readonly ViewedPath[],
	signal: AbortSignal,
): Promise<{ rules: (PathRule & Matched)[]; unmatched: Matched }> {
	const find = createMatcher(rules);
	const matched = rules.map((rule) => ({ ...rule, paths: 0, pageviews: 0, examples: [] as Example[] }));
	const unmatched: Matched = { paths: 0, pageviews: 0, examples: [] };
	const groups = await mapYielding(paths, ({ path }) => find(path), signal);
	for (const [index, { path, views }] of paths.entries()) {
		const found = groups[index];
		const its = (found && matched[found.index]) ?? unmatched;
		its.paths++;
		its.pageviews += views;
		if (its.examples.length < (found ? maxExamples : maxUnmatched))
			its.examples.push({ path, group: found?.group ?? path, pageviews: views });
	}
	return { rules: matched, unmatched };
}
