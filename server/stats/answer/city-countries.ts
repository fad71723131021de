import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import type { Filter, Question } from '../question/question.ts';
import type { StatsServices } from './answer.ts';
import { matchesQuestion } from './raw-events.ts';
import { passes } from './visit-filter.ts';

/**
 * The country of each city, by its name: the one with most events of the period. A city is stored by name only, and there is
 * a London in Canada. Cities whose events were deleted or counted by another product have none.
 */
export async function findCityCountries(
	question: Question,
	cities: readonly string[],
	{ clickhouse }: Pick<StatsServices, 'clickhouse'>,
	signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
	const { rows } = await clickhouse.ask<{ name: string; code: string }>(
		buildCityCountries(question, cities),
		{ name: 'countries of cities', signal },
	);
	return new Map(rows.map(({ name, code }) => [name, code]));
}

const buildCityCountries = (question: Question, cities: readonly string[]): Sql => sql`
	SELECT toString(city) AS name, toString(country) AS code
	FROM events
	WHERE ${matchesQuestion({ ...question, filter: null })} AND ${placesIn(question.filter)}
		AND has(${param('Array(String)', cities)}, city) AND country != ''
	GROUP BY city, country
	ORDER BY count() DESC, code
	LIMIT 1 BY name`;

/** The tests of a filter by place. The others do not change where a city is. */
function placesIn(filter: Filter | null): Sql {
	const parts = filter?.kind === 'and' ? filter.parts : filter ? [filter] : [];
	const places = parts.flatMap((part) => {
		const test = part.kind === 'not' ? part.part : part;
		if (test.kind !== 'test') return [];
		const { name } = test.dimension;
		if (name !== 'country' && name !== 'region') return [];
		const condition = passes(sql`toString(${identifier(name)})`, test);
		return [part.kind === 'not' ? sql`NOT (${condition})` : condition];
	});
	return places.length === 0 ? sql`true` : join(places, ' AND ');
}
