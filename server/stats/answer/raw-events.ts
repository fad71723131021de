/**
 * Queries over the events themselves, for what seals do not store. They look at single events: there are no visits here, a filter
 * tests the event, and an event belongs to the instant at which it happened. Dates whose events were deleted are excluded,
 * and the answer says from when on data is available.
 */
import { isVisible } from '../../derive/hidden-events.ts';
import { invalid } from '../../lib/app-error.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import { type DimensionName, writeDimension } from '../question/dimensions.ts';
import type { RawQuestion } from '../question/parse-question.ts';
import type { Filter, Question } from '../question/question.ts';
import { readFilter } from '../question/read-filter.ts';
import { readDaysOf, type StatsServices } from './answer.ts';
import { passes } from './filter-tests.ts';
import { importedOf } from './plan.ts';
import { importedIn, type StatsAnswer } from './shape.ts';

/** The dimensions that are columns of an event. */
const columns: Partial<Record<DimensionName, Sql>> = {
	page: identifier('path'),
	hostname: identifier('hostname'),
	country: identifier('country'),
	device: identifier('device'),
	browser: identifier('browser'),
	os: identifier('os'),
};

/** Throws a 422 for a filter on other dimensions. */
export function refuseVisitFilters(filters: RawQuestion['filters'], { website }: Question): void {
	for (const { field, json } of filters) {
		const other = dimensionsIn(readFilter(json, website.goals)).find((name) => !Object.hasOwn(columns, name));
		if (other !== undefined)
			throw invalid({
				[field]: [
					`Single events can be filtered by ${Object.keys(columns).join(', ')}, not by ${other}. Remove that test.`,
				],
			});
	}
}

function dimensionsIn(filter: Filter): string[] {
	switch (filter.kind) {
		case 'test':
			return [writeDimension(filter.dimension)];
		case 'not':
			return dimensionsIn(filter.part);
		case 'and':
		case 'or':
			return filter.parts.flatMap(dimensionsIn);
	}
}

/** A condition on rows of `events`: the website, span and filter of the question. */
export function matchesQuestion({ website, span, filter }: Question): Sql {
	const { id, rawFrom, resetAt, hiddenImports = [], hidden } = website;
	const from = rawFrom !== null && rawFrom > span.from ? rawFrom : span.from;
	const sinceMs = Math.max(span.startMs ?? 0, resetAt ?? 0);
	const instant = (ms: number) => sql`fromUnixTimestamp64Milli(${param('Int64', ms)}, 'UTC')`;
	const matches = join(
		[
			sql`website_id = ${param('UInt32', id)} AND date BETWEEN ${param('Date', from)} AND ${param('Date', span.to)}`,
			...(sinceMs > 0 ? [sql`time >= ${instant(sinceMs)}`] : []),
			...(hiddenImports.length > 0 ? [sql`import_id NOT IN ${param('Array(UInt64)', hiddenImports)}`] : []),
			...(span.endMs === null ? [] : [sql`time < ${instant(span.endMs)}`]),
			...(filter ? [conditionOf(filter)] : []),
		],
		' AND ',
	);
	return sql`${matches} ${isVisible(hidden)}`;
}

function conditionOf(filter: Filter): Sql {
	switch (filter.kind) {
		case 'test': {
			const { dimension } = filter;
			const column =
				dimension.name === 'property' || dimension.name === 'revenue' ? undefined : columns[dimension.name];
			if (!column) throw new Error(`${dimension.name} is not a column of an event.`);
			return passes(sql`toString(${column})`, filter);
		}
		case 'not':
			return sql`NOT (${conditionOf(filter.part)})`;
		case 'and':
		case 'or':
			return sql`(${join(filter.parts.map(conditionOf), filter.kind === 'and' ? ' AND ' : ' OR ')})`;
	}
}

/** Runs the statements and describes the answer. */
export async function askEvents<Row>(
	question: Question,
	statements: readonly Sql[],
	{ postgres, clickhouse, now }: StatsServices,
	options: { name: string; signal: AbortSignal },
): Promise<{ tables: Row[][]; meta: StatsAnswer['meta'] }> {
	const began = performance.now();
	const asOf = now();
	const { rawFrom } = question.website;
	const days = await readDaysOf(postgres, question);
	const results = await Promise.all(statements.map((statement) => clickhouse.ask<Row>(statement, options)));
	const isCut = rawFrom !== null && days.some(({ date }) => date < rawFrom);
	return {
		tables: results.map(({ rows }) => rows),
		meta: {
			asOf,
			answeredFrom: days.length > 0 ? ['events'] : [],
			rowsRead: results.reduce((sum, { readRows }) => sum + readRows, 0),
			ms: performance.now() - began,
			availableFrom: isCut ? rawFrom : null,
			imported: importedIn({ imported: importedOf(days) }, question.span),
		},
	};
}
