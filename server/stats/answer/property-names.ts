import { param, type Sql, sql } from '../../store/sql.ts';
import type { Question } from '../question/question.ts';
import type { StatsServices } from './answer.ts';
import { minVisitorsShown } from './public-thresholds.ts';
import { askEvents, matchesQuestion } from './raw-events.ts';
import type { StatsAnswer } from './shape.ts';

export type PropertyNames = { names: { name: string; events: number }[]; meta: StatsAnswer['meta'] };

/** Pages may send any number of names. */
const maxNames = 100;

/** The names of properties of events and page views, most frequent first. */
export async function listPropertyNames(
	question: Question,
	audience: 'people' | 'public',
	services: StatsServices,
	signal: AbortSignal,
): Promise<PropertyNames> {
	const statement = buildPropertyNames(question, audience === 'public' ? minVisitorsShown : 1);
	const { tables, meta } = await askEvents<{ property: string; carried: string }>(
		question,
		[statement],
		services,
		{ name: 'property names', signal },
	);
	return {
		names: tables.flat().map(({ property, carried }) => ({ name: property, events: Number(carried) })),
		meta,
	};
}

export const buildPropertyNames = (question: Question, least: number): Sql => sql`
	SELECT toString(arrayJoin(mapKeys(properties))) AS property, count() AS carried
	FROM events
	WHERE ${matchesQuestion(question)} AND kind IN ('pageview', 'custom')
	GROUP BY property
	HAVING carried >= ${param('UInt64', least)}
	ORDER BY carried DESC, property
	LIMIT ${param('UInt64', maxNames)}`;
