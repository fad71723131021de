/**
 * What is asked of the events themselves, because no seal holds it. Such questions look at each event alone: there are no visits
 * here, a filter tests the event, and an event belongs to the instant at which it happened. Dates whose events were
 * deleted are left out, and the answer says from when on it counts.
 */
import { invalid } from '../lib/app-error.ts';
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import { readDaysOf, type StatsServices } from './answer.ts';
import { type DimensionName, writeDimension } from './dimensions.ts';
import { importedOf } from './plan.ts';
import type { Filter, Question } from './question.ts';
import { readFilter } from './read-filter.ts';
import { passes } from './select-runs.ts';
import { type Answer, importedIn } from './shape.ts';
import type { SentQuestion } from './to-question.ts';

/** The dimensions that an event has as a column of its own. */
const columns: Partial<Record<DimensionName, Sql>> = {
	page: word('path'),
	hostname: word('hostname'),
	country: word('country'),
	device: word('device'),
	browser: word('browser'),
	os: word('os'),
};

/** A 422 for a filter that looks at visits. */
export function refuseVisitFilters(filters: SentQuestion['filters'], { website }: Question): void {
	for (const { field, json } of filters) {
		const other = dimensionsIn(readFilter(json, website.goals)).find((name) => !Object.hasOwn(columns, name));
		if (other !== undefined)
			throw invalid({
				[field]: [
					`Single events can be filtered by ${Object.keys(columns).join(', ')}, not by ${other}; leave that test out.`,
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

/** Over a row of `events`: whether it is of the website, the time and the filter of the question. */
export function isAskedFor({ website, span, filter }: Question): Sql {
	const { id, rawFrom, resetAt, hiddenImports = [] } = website;
	const from = rawFrom !== null && rawFrom > span.from ? rawFrom : span.from;
	const sinceMs = Math.max(span.startMs ?? 0, resetAt ?? 0);
	const instant = (ms: number) => sql`fromUnixTimestamp64Milli(${param('Int64', ms)}, 'UTC')`;
	return join(
		[
			sql`website_id = ${param('UInt32', id)} AND date BETWEEN ${param('Date', from)} AND ${param('Date', span.to)}`,
			...(sinceMs > 0 ? [sql`time >= ${instant(sinceMs)}`] : []),
			...(hiddenImports.length > 0 ? [sql`import_id NOT IN ${param('Array(UInt64)', hiddenImports)}`] : []),
			...(span.endMs === null ? [] : [sql`time < ${instant(span.endMs)}`]),
			...(filter ? [conditionOf(filter)] : []),
		],
		' AND ',
	);
}

function conditionOf(filter: Filter): Sql {
	switch (filter.kind) {
		case 'test': {
			const { dimension } = filter;
			const column = dimension.name === 'property' ? undefined : columns[dimension.name];
			if (!column) throw new Error(`${dimension.name} is no column of an event.`);
			return passes(sql`toString(${column})`, filter);
		}
		case 'not':
			return sql`NOT (${conditionOf(filter.part)})`;
		case 'and':
		case 'or':
			return sql`(${join(filter.parts.map(conditionOf), filter.kind === 'and' ? ' AND ' : ' OR ')})`;
	}
}

/** Asks ClickHouse, and says how the answer came about. */
export async function askEvents<Row>(
	question: Question,
	statements: readonly Sql[],
	{ postgres, clickhouse, now }: StatsServices,
	options: { name: string; signal: AbortSignal },
): Promise<{ tables: Row[][]; meta: Answer['meta'] }> {
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
