/** What a file would bring, and what of it stays out: the same reading as the import's, with nothing written. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Event } from '../collect/event.ts';
import type { TrackedWebsite } from '../collect/hit.ts';
import type { Lists } from '../collect/step.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { dateOf } from '../websites/zones.ts';
import type {
	DayTotal,
	Given,
	ImportedCount,
	Importer,
	ImportOptions,
	Item,
	SkipReason,
} from './importer.ts';
import { unreadable } from './read-file.ts';
import { createEventMaker } from './to-event.ts';

export type Preview = {
	from: string | null;
	to: string | null;
	days: number;
	/** What the days come to in all, as far as the source says; of events, how many there are. */
	totals: Partial<Record<ImportedCount, number>>;
	/** How many rows there are by each dimension. */
	dimensions: Record<string, number>;
	events: number;
	/** How many rows are left out, by reason. */
	skipped: Partial<Record<SkipReason, number>>;
	rows: number;
};

/** Which days an import may bring: those before the first own one that no other import has brought. */
export type OpenDates = { judge(date: string): SkipReason | undefined };

export async function readOpenDates(
	queries: Queries,
	website: TrackedWebsite,
	now: Date,
	{ importId, isOfEvents }: { importId: number | null; isOfEvents: boolean },
): Promise<OpenDates> {
	const [own] = await queries.rows<{ first: string | null; rawFrom: string | null }>(sql`
		SELECT raw_from::text AS "rawFrom", (
			SELECT min(date)::text FROM days WHERE website_id = websites.id AND NOT EXISTS (
				SELECT 1 FROM imported_days i JOIN imports ON imports.id = i.import_id
				WHERE i.website_id = days.website_id AND i.date = days.date AND kind = 'events')
		) AS first
		FROM websites WHERE id = ${value(website.id)}`);
	const taken = await queries.rows<{ date: string }>(sql`
		SELECT date::text AS date FROM imported_days
		WHERE website_id = ${value(website.id)} AND import_id IS DISTINCT FROM ${value(importId)}`);
	const dates = new Set(taken.map(({ date }) => date));
	const today = dateOf(website.zones, now.getTime()).date;
	return {
		judge(date) {
			if (date > today) return 'future';
			if (own?.first && date >= own.first) return 'own_day';
			if (dates.has(date)) return 'other_import';
			return isOfEvents && own?.rawFrom && date < own.rawFrom ? 'not_kept' : undefined;
		},
	};
}

/** A row that counts, or why it does not. */
export type Judged = { total: DayTotal } | { event: Event } | { skipped: SkipReason };

export function createJudge(
	website: TrackedWebsite,
	importer: Importer,
	dates: OpenDates,
	key: Buffer,
	lists?: Lists,
): (item: Item) => Judged {
	const makeEvent = createEventMaker(website, importer.source, key, lists);
	return (item) => {
		if ('skipped' in item) return item;
		if ('total' in item) {
			const reason = dates.judge(item.total.date);
			return reason ? { skipped: reason } : item;
		}
		const event = makeEvent(item.event);
		if (typeof event === 'string') return { skipped: event };
		const reason = dates.judge(event.date);
		return reason ? { skipped: reason } : { event };
	};
}

/** Reads all of the file. `given` comes with it: it is known at the end. */
export async function previewFile(
	path: string,
	importer: Importer,
	options: ImportOptions & { judgeOf(kind: 'totals' | 'events'): Promise<(item: Item) => Judged> },
): Promise<{ preview: Preview; given: Given; kind: 'totals' | 'events' }> {
	const opened = await importer.open(path, options);
	const judge = await options.judgeOf(opened.kind);
	const counter = createCounter();
	for await (const item of opened.items) {
		counter.add(judge(item));
		// The service answers others in between.
		if (counter.rows() % 2_000 === 0) await breathe();
	}
	const given = opened.given();
	if (opened.kind === 'totals' && counter.rows() > 0 && !Object.hasOwn(given, ''))
		throw unreadable('The file does not say what whole days came to, so nothing can be shown of it.');
	if (counter.rows() === 0) throw unreadable('There is nothing in the file that could be imported.');
	return { preview: counter.preview(), given, kind: opened.kind };
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
				// Object.entries forgets that the names are those of counts.
				for (const [name, count] of Object.entries(counts)) bump(totals, name as ImportedCount, count);
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
