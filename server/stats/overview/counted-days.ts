/** The counts of days of many websites, as they are read and summed. */
import type { Count } from '../../derive/counts.ts';
import { identifier, join, type Sql, sql } from '../../store/sql.ts';
import { addAmounts, type Counts, counts as countNames, noCounts } from '../question/metrics.ts';

/** The requested counts. */
export type DayCount = Readonly<Partial<Counts>>;

export const noCount: DayCount = {};

export function addCount(sum: Counts, more: DayCount): void {
	for (const name of countNames) sum[name] += more[name] ?? 0;
	if (more.revenue) sum.revenue = addAmounts(sum.revenue, more.revenue);
}

/** Queries ClickHouse within the limits of the question. */
export type DayCountQuery = <Row>(query: Sql) => Promise<Row[]>;

/** Counts of the days of a website. */
export type StoredCounts = {
	/** From one day to another, both inclusive. */
	sum(first: number, last: number): Counts;
	visitors(first: number, last: number): Map<number, number>;
};

/** Days without counts have none of anything. */
export const toStoredCounts = (
	days: readonly number[],
	counts: ReadonlyMap<number, DayCount>,
): StoredCounts => ({
	visitors: (first, last) =>
		new Map(
			days.filter((day) => day >= first && day <= last).map((day) => [day, counts.get(day)?.visitors ?? 0]),
		),
	sum(first, last) {
		const sum = { ...noCounts };
		for (const day of days) if (day >= first && day <= last) addCount(sum, counts.get(day) ?? noCount);
		return sum;
	},
});

/** Counts of the days of a website as parallel lists, which are parsed faster than a row per day. */
export type CountLists = { website_id: number; days: number[] } & Partial<
	Record<Exclude<Count, 'revenue'>, number[]> & { revenue: Record<string, string>[] }
>;

/** The columns of `CountLists`, over rows with a date and `t.` counts. */
export const countLists = (names: readonly Count[]): Sql =>
	sql`website_id, groupArray(toUInt32(date)) AS days, ${join(
		names.map((name) => {
			const count = sql`t.${identifier(name)}`;
			return sql`groupArray(${name === 'revenue' ? count : sql`toFloat64(${count})`}) AS ${identifier(name)}`;
		}),
		', ',
	)}`;

export function countAt(row: CountLists, names: readonly Count[], index: number): DayCount {
	const count: Partial<Counts> = {};
	for (const name of names) {
		if (name !== 'revenue') count[name] = row[name]?.[index] ?? 0;
		else
			count.revenue = Object.fromEntries(
				Object.entries(row.revenue?.[index] ?? {}).map(([currency, amount]) => [currency, Number(amount)]),
			);
	}
	return count;
}
