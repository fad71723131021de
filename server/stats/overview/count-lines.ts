/** Counts planned websites together: their statements are shared, and each number is that of the website's own page. */
import { type Count, countNames, isGoalCount } from '../../derive/counts.ts';
import type { OpenDays } from '../../derive/open-days.ts';
import { offsetsOf } from '../../websites/offsets.ts';
import { maxLiveEvents } from '../answer/plan.ts';
import { metricOf } from '../question/metrics.ts';
import { countPieces, countSealedDays, type ManySelection } from './count-visits.ts';
import { type DayCountQuery, type StoredCounts, toStoredCounts } from './counted-days.ts';
import { createDayCounts, type DayCounts } from './day-counts.ts';
import { type ImportedCounts, noImports } from './imported-counts.ts';
import { countLine, type OverviewLine, type OverviewSelection, type PlannedLine } from './overview-lines.ts';

/** The counts behind the metrics that are shown by default. */
const usualCounts: readonly Count[] = ['visitors', 'visits', 'views', 'bounces', 'seconds'];
const storedCounts: readonly Count[] = countNames.filter((name) => !isGoalCount(name));

/** What a selection counts: `stored` of totals and imports, which know nothing of the goal. */
export type CountChoice = { all: readonly Count[]; stored: readonly Count[]; totals: DayCounts };

/** Chooses the cache that has the counts of a selection. Most selections need few counts. */
export function createCountChoice() {
	const usual = { names: usualCounts, totals: createDayCounts({ names: usualCounts }) };
	const whole = { names: storedCounts, totals: createDayCounts({ names: storedCounts }) };
	return ({ metrics }: OverviewSelection): CountChoice => {
		const all = [...new Set<Count>(['visitors', ...metrics.flatMap((name) => metricOf(name).inputs)])];
		const { names, totals } = all.every((name) => isGoalCount(name) || usualCounts.includes(name))
			? usual
			: whole;
		return { all, stored: names, totals };
	};
}

export async function countLines(
	lines: readonly PlannedLine[],
	{ filter }: OverviewSelection,
	{
		ask,
		choice: { all, totals },
		openDays,
		readImported,
	}: {
		ask: DayCountQuery;
		choice: CountChoice;
		openDays: Pick<OpenDays, 'find'>;
		readImported(): Promise<ReadonlyMap<number, ImportedCounts>>;
	},
): Promise<OverviewLine[]> {
	const selection: ManySelection = {
		names: all,
		filter,
		goals: new Map(lines.flatMap(({ website, goal }) => (goal ? [[website.id, goal]] : []))),
	};
	const ofTotals = lines.filter(({ isOfVisits }) => !isOfVisits);
	const ofVisits = lines.filter(({ isOfVisits }) => isOfVisits);
	await deriveLargeDays([...ofVisits, ...ofTotals.filter(hasHidden)], openDays);
	const [imported, stored, provisional, sealed, pieces, selected] = await Promise.all([
		readImported(),
		totals.stored(ask, new Map(ofTotals.map((line) => [line.website.id, line.stored]))),
		totals.stored(
			ask,
			new Map(
				ofTotals.flatMap(({ website, provisional: own }) => (own.days.length > 0 ? [[website.id, own]] : [])),
			),
		),
		countSealedDays(ask, new Map(ofVisits.map((line) => [line.website.id, line.stored])), selection),
		totals.pieces(ask, piecesOf(ofTotals)),
		countPieces(ask, piecesOf(ofVisits), selection),
	]);
	const nothing: StoredCounts = toStoredCounts([], new Map());
	const counted = new Map([...pieces, ...selected]);
	return lines.map((line) => {
		const { id } = line.website;
		return countLine(line, {
			stored: (line.isOfVisits ? sealed : stored).get(id) ?? nothing,
			provisional: provisional.get(id) ?? nothing,
			imported: imported.get(id) ?? noImports,
			pieces: counted,
		});
	});
}

const piecesOf = (lines: readonly PlannedLine[]) =>
	lines.flatMap(({ pieces }) => pieces.map(({ piece }) => piece));

const hasHidden = ({ website }: PlannedLine): boolean => (website.hidden?.selections.length ?? 0) > 0;

/**
 * Deriving the visits of a large day takes much memory: it is done once, in parts, as for the page of its website. So are days of a
 * website with hidden events, whose conditions would make shared statements too long.
 */
async function deriveLargeDays(
	lines: readonly PlannedLine[],
	openDays: Pick<OpenDays, 'find'>,
): Promise<void> {
	for (const line of lines) {
		const { website } = line;
		const large = line.pieces.filter(
			({ piece: { visits, size } }) => visits.from === 'events' && (hasHidden(line) || size > maxLiveEvents),
		);
		const dates = [...new Set(large.map(({ piece }) => piece.date))].toSorted();
		const [first, last] = [dates[0], dates.at(-1)];
		if (first === undefined || last === undefined) continue;
		const found = await openDays.find({
			websiteId: website.id,
			dates,
			offsets: offsetsOf(website.zones, first, last),
			sinceMs: website.resetAt,
			hidden: website.hidden ?? null,
		});
		for (const planned of large) {
			const open = found.get(planned.piece.date);
			if (!open) continue;
			planned.piece = {
				...planned.piece,
				visits: { from: 'open_visits', generation: open.generation },
				size: 0,
				// It may be of an earlier batch than the stamp of the day.
				stamp: null,
			};
			if (!line.asOf || open.at < line.asOf) line.asOf = open.at;
		}
	}
}
