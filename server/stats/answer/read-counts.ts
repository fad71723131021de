/** Runs the statements of a plan (build.ts), as far as their results are not known, and ranks breakdowns. */
import { labelOf } from '../../derive/counts.ts';
import type { OpenDay } from '../../derive/open-days.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import type { Sql } from '../../store/sql.ts';
import type { Counts } from '../question/metrics.ts';
import type { Breakdown, Question } from '../question/question.ts';
import { build, type CountRow, maxValues, type RankedCountRow, type Read } from './build.ts';
import { type Plan, withoutUnavailable } from './plan.ts';
import { type Ranked, type RankedRow, rank, sumUp, toCounts } from './rank.ts';
import { countsOfShown } from './rank-rows.ts';
import type { ResultCache } from './result-cache.ts';

/** The counts of everything on a day, or in a bucket of it. */
export type DayRow = { day: string; bucket: string; counts: Counts };

export type CountsRead = {
	own: DayRow[];
	compared: DayRow[];
	breakdowns: ReadonlyMap<Breakdown, Ranked>;
	/** By ClickHouse; 0 when all results were known. */
	rowsRead: number;
};

/** The result of a `Read`. */
type ReadResult = {
	days: DayRow[];
	byLabel: ReadonlyMap<string, RankedRow[]>;
	/** Dimensions that may have more values than were read. */
	overflowing: ReadonlySet<string>;
};

export async function readCounts(
	requested: Question,
	planned: Plan,
	open: ReadonlyMap<string, OpenDay>,
	services: { clickhouse: ClickHouse; results: ResultCache; signal?: AbortSignal | undefined },
): Promise<CountsRead> {
	const { clickhouse, results, signal } = services;
	const question = withoutUnavailable(requested, planned);
	const websiteId = question.website.id;
	let rowsRead = 0;

	const ask = <Row, Result>(statement: Sql, convert: (rows: readonly Row[]) => Result): Promise<Result> =>
		results.read(statement, async () => {
			const options = { name: 'stats', ...(signal && { signal }) };
			const { rows, readRows } = await clickhouse.ask<Row>(statement, options);
			rowsRead += readRows;
			return { result: convert(rows), bytes: bytesOf(rows) };
		});

	const askRead = async ({ sql, own, compared, isCompared }: Read) => ({
		own,
		compared,
		isCompared,
		...(await ask(sql, toReadResult(question))),
	});

	const statements = build(question, planned, open, results.manyValues(websiteId));
	const rankAll = async (all: typeof statements.ranked): Promise<[Breakdown, Ranked][]> => {
		const groups = await Promise.all(
			all.map(async ({ breakdowns, sql }) => {
				const byLabel = await ask(sql, toRanked);
				return breakdowns.map((breakdown): [Breakdown, Ranked] => [
					breakdown,
					pageOf(byLabel.get(labelOf(breakdown.dimension)), breakdown),
				]);
			}),
		);
		return groups.flat();
	};
	const [reads, ranked] = await Promise.all([
		Promise.all(statements.reads.map(askRead)),
		rankAll(statements.ranked),
	]);

	const shown = countsOfShown(planned);
	const breakdowns = new Map(ranked);
	const tooMany = new Set<string>();
	for (const breakdown of question.breakdowns) {
		if (breakdowns.has(breakdown)) continue;
		const label = labelOf(breakdown.dimension);
		const listsOf = (isCompared: boolean) =>
			reads.filter((read) => read.isCompared === isCompared).map(({ byLabel }) => byLabel.get(label) ?? []);
		if (reads.some(({ overflowing }) => overflowing.has(label))) {
			tooMany.add(label);
			results.noteManyValues(websiteId, label);
		} else {
			const lists = { own: listsOf(false), compared: listsOf(true) };
			breakdowns.set(breakdown, rank(lists, breakdown, shown));
		}
	}
	if (tooMany.size > 0) {
		const { ranked: more } = build(question, planned, open, tooMany);
		for (const [breakdown, rows] of await rankAll(more)) breakdowns.set(breakdown, rows);
	}
	return {
		own: reads.flatMap(({ days, own }) => days.filter(({ day }) => own.has(day))),
		compared: reads.flatMap(({ days, compared }) => days.filter(({ day }) => compared.has(day))),
		breakdowns: new Map(
			requested.breakdowns.flatMap((breakdown, index) => {
				const own = question.breakdowns[index];
				const ranked = own && breakdowns.get(own);
				return ranked ? [[breakdown, ranked]] : [];
			}),
		),
		rowsRead,
	};
}

/** About what a result takes in memory. */
const bytesOf = (rows: readonly unknown[]): number =>
	rows.reduce((sum: number, row) => sum + 250 + 2 * textLengthOf(row), 1_000);

const textLengthOf = (row: unknown): number =>
	typeof row === 'object' && row !== null && 'value' in row ? String(row.value).length : 0;

const toReadResult =
	({ website }: Question) =>
	(rows: readonly CountRow[]): ReadResult => {
		const ids = new Map(website.goals.map(({ id, revision }) => [String(revision), String(id)]));
		const days: DayRow[] = [];
		const byLabel = new Map<string, RankedRow[]>();
		for (const row of rows) {
			const { day, bucket, dimension, is_other: isOther } = row;
			const counts = toCounts(row);
			if (dimension === '') {
				days.push({ day, bucket, counts });
				continue;
			}
			const value = dimension === 'goal' ? (ids.get(row.value) ?? '') : row.value;
			const list = byLabel.get(dimension);
			const ranked = { value, isOther: isOther === 1, counts };
			if (list) list.push(ranked);
			else byLabel.set(dimension, [ranked]);
		}
		const overflowing = new Set(
			byLabel.keys().filter((label) => (byLabel.get(label)?.length ?? 0) >= maxValues),
		);
		// In a part of a day, visits and events of a value are counted apart.
		for (const [label, list] of byLabel) byLabel.set(label, sumUp(list));
		return { days, byLabel, overflowing };
	};

type PlacedRow = RankedRow & { place: number; total: number };

function toRanked(rows: readonly RankedCountRow[]): ReadonlyMap<string, PlacedRow[]> {
	const placed = rows.map((row) => ({
		dimension: row.dimension,
		value: row.value,
		isOther: row.is_other === 1,
		counts: toCounts(row),
		...('compared_visits' in row && { compared: comparedCountsOf(row) }),
		place: Number(row.place),
		total: Number(row.total),
	}));
	return Map.groupBy(
		placed.sort((a, b) => a.place - b.place),
		({ dimension }) => dimension,
	);
}

const comparedPrefix = 'compared_';

const comparedCountsOf = (row: RankedCountRow): Counts =>
	toCounts(
		Object.fromEntries(
			Object.entries(row).flatMap(([name, count]) =>
				name.startsWith(comparedPrefix) ? [[name.slice(comparedPrefix.length), count]] : [],
			),
		),
	);

const pageOf = (rows: readonly PlacedRow[] = [], { offset }: Breakdown): Ranked => ({
	rows: rows.filter(({ place }) => place > offset),
	total: rows[0]?.total ?? 0,
});
