import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import type { Filter, Question } from '../question/question.ts';
import type { StatsServices } from './answer.ts';
import { passes } from './filter-tests.ts';
import { matchesQuestion } from './raw-events.ts';

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
	const { rows } = await clickhouse.ask<{ city_name: string; code: string }>(
		buildCityCountries(question, cities),
		{ name: 'countries of cities', signal },
	);
	return new Map(rows.map(({ city_name, code }) => [city_name, code]));
}

const buildCityCountries = (question: Question, cities: readonly string[]): Sql => sql`
	SELECT toString(city) AS city_name, toString(country) AS code
	FROM events
	WHERE ${matchesQuestion({ ...question, filter: null })} AND ${(question.filter && placesIn(question.filter)?.condition) ?? sql`true`}
		AND has(${param('Array(String)', cities)}, city) AND country != ''
	GROUP BY city, country
	ORDER BY count() DESC, code
	LIMIT 1 BY city_name`;

/** A condition by place. It is exact unless a part of the filter was left out of it. */
type PlaceCondition = { condition: Sql; isExact: boolean };

/** What a filter says about country and region. The rest is left out, so more may pass than in the filter. */
function placesIn(filter: Filter): PlaceCondition | undefined {
	switch (filter.kind) {
		case 'test': {
			const { name } = filter.dimension;
			if (name !== 'country' && name !== 'region') return undefined;
			return { condition: passes(sql`toString(${identifier(name)})`, filter), isExact: true };
		}
		case 'not': {
			const part = placesIn(filter.part);
			return part?.isExact ? { condition: sql`NOT (${part.condition})`, isExact: true } : undefined;
		}
		case 'and':
		case 'or': {
			const parts = filter.parts.flatMap((part) => placesIn(part) ?? []);
			const isWhole = parts.length === filter.parts.length;
			if (parts.length === 0 || (filter.kind === 'or' && !isWhole)) return undefined;
			const conditions = parts.map(({ condition }) => condition);
			return {
				condition: sql`(${join(conditions, filter.kind === 'and' ? ' AND ' : ' OR ')})`,
				isExact: isWhole && parts.every(({ isExact }) => isExact),
			};
		}
	}
}
