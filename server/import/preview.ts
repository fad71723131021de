/** The preview of an import: reads the file like the import, but writes nothing. */

import type { Event } from '../ingest/event.ts';
import type { TrackedWebsite } from '../ingest/hit.ts';
import type { TrackedRow } from '../ingest/lookups/tracked-websites.ts';
import type { Lookups } from '../ingest/steps/step.ts';
import { keysOf } from '../lib/keys-of.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { dateOf, toZones } from '../websites/zones.ts';
import type { DayTotal, ImportedCount, ImportKind, Item, SkipReason, SuppliedCounts } from './importer.ts';
import { unreadable } from './read-file.ts';
import { createEventMaker } from './to-event.ts';

export type Preview = {
	from: string | null;
	to: string | null;
	days: number;
	/** Totals of all days that the source has, or the number of events. */
	totals: Partial<Record<ImportedCount, number>>;
	/** Number of rows by dimension. */
	dimensions: Record<string, number>;
	events: number;
	/** Number of skipped rows by reason. */
	skipped: Partial<Record<SkipReason, number>>;
	rows: number;
};

/** Which days an import may bring: those before the first own one that no other import has brought. */
export type OpenDates = {
	today: string;
	/** First day with events of the website itself. */
	firstOwn: string | null;
	/** Start of the data retention. */
	rawFrom: string | null;
	/** Days of other imports. */
	taken: ReadonlySet<string>;
};

/** Without an id: for an import that is not there yet. */
export async function readOpenDates(
	queries: Queries,
	website: TrackedRow,
	now: Date,
	importId: number | null = null,
): Promise<OpenDates> {
	const [own] = await queries.rows<{ firstOwn: string | null; rawFrom: string | null }>(sql`
		SELECT raw_from::text AS "rawFrom", (
			SELECT min(date)::text FROM days WHERE website_id = websites.id AND NOT EXISTS (
				SELECT 1 FROM imported_days i JOIN imports ON imports.id = i.import_id
				WHERE i.website_id = days.website_id AND i.date = days.date AND kind = 'events')
		) AS "firstOwn"
		FROM websites WHERE id = ${value(website.id)}`);
	const taken = await queries.rows<{ date: string }>(sql`
		SELECT date::text AS date FROM imported_days
		WHERE website_id = ${value(website.id)} AND import_id IS DISTINCT FROM ${value(importId)}`);
	return {
		today: dateOf(toZones(website.zones), now.getTime()).date,
		firstOwn: own?.firstOwn ?? null,
		rawFrom: own?.rawFrom ?? null,
		taken: new Set(taken.map(({ date }) => date)),
	};
}

/** Why rows of a date are skipped. */
export function judgeDate(dates: OpenDates, kind: ImportKind, date: string): SkipReason | undefined {
	const { today, firstOwn, rawFrom, taken } = dates;
	if (date > today) return 'future';
	if (firstOwn && date >= firstOwn) return 'own_day';
	if (taken.has(date)) return 'other_import';
	return kind === 'events' && rawFrom && date < rawFrom ? 'not_kept' : undefined;
}

/** A row to import, or the reason to skip it. */
export type Judged = { total: DayTotal } | { event: Event } | { skipped: SkipReason };

export function createJudge(
	website: TrackedWebsite,
	{
		dates,
		kind,
		key,
		lookups,
	}: { dates: OpenDates; kind: ImportKind; key: Buffer; lookups: Lookups | undefined },
): (item: Item) => Judged {
	const makeEvent = createEventMaker(website, key, lookups);
	return (item) => {
		if ('skipped' in item) return item;
		if ('total' in item) {
			const reason = judgeDate(dates, kind, item.total.date);
			return reason ? { skipped: reason } : item;
		}
		const event = makeEvent(item.event);
		if (typeof event === 'string') return { skipped: event };
		const reason = judgeDate(dates, kind, event.date);
		return reason ? { skipped: reason } : { event };
	};
}

/** The rows of a file. */
export type JudgedFile = { kind: ImportKind; suppliedCounts(): SuppliedCounts; rows: AsyncIterable<Judged> };

/** `suppliedCounts` comes with the preview: it is known at the end. */
export type PreviewedFile = { preview: Preview; suppliedCounts: SuppliedCounts; kind: ImportKind };

/** Reads all of the file. */
export async function previewFile({ kind, suppliedCounts, rows }: JudgedFile): Promise<PreviewedFile> {
	const counter = createCounter();
	for await (const judged of rows) counter.add(judged);
	if (kind === 'totals' && counter.rows() > 0 && !Object.hasOwn(suppliedCounts(), ''))
		throw unreadable('The file has no daily totals, so it cannot be imported.');
	if (counter.rows() === 0) throw unreadable('The file contains nothing to import.');
	return { preview: counter.preview(), suppliedCounts: suppliedCounts(), kind };
}

export function createCounter() {
	const dates = new Set<string>();
	const totals = new Map<ImportedCount, number>();
	const dimensions = new Map<string, number>();
	const skipped = new Map<SkipReason, number>();
	let events = 0;
	let rows = 0;
	const bump = <Key>(counts: Map<Key, number>, key: Key, by = 1) =>
		counts.set(key, (counts.get(key) ?? 0) + by);
	return {
		add(judged: Judged): void {
			rows++;
			if ('skipped' in judged) bump(skipped, judged.skipped);
			else if ('event' in judged) {
				events++;
				dates.add(judged.event.date);
				bump(totals, judged.event.kind === 'pageview' ? 'views' : 'events');
			} else {
				const { date, dimension, counts } = judged.total;
				if (dimension !== '') return void bump(dimensions, dimension);
				dates.add(date);
				for (const name of keysOf(counts)) bump(totals, name, counts[name] ?? 0);
			}
		},
		rows: () => rows,
		dates: (): ReadonlySet<string> => dates,
		preview(): Preview {
			const sorted = [...dates].toSorted();
			return {
				from: sorted[0] ?? null,
				to: sorted.at(-1) ?? null,
				days: dates.size,
				totals: Object.fromEntries(totals),
				dimensions: Object.fromEntries(dimensions),
				events,
				skipped: Object.fromEntries(skipped),
				rows,
			};
		},
	};
}
