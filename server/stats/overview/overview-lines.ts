import { type Count, goalCounts } from '../../derive/counts.ts';
import { revisionOf } from '../../derive/hidden-events.ts';
import { dateOf, type Zones } from '../../websites/zones.ts';
import { dateOfDay, dayOf, type StoredDays, type WebsiteDays } from '../answer/day-state-cache.ts';
import { type PlannedDay, plan } from '../answer/plan.ts';
import { type Counts, type MetricName, noCounts } from '../question/metrics.ts';
import { type RequestedPeriod, type ResolvedPeriod, resolvePeriod } from '../question/periods.ts';
import type { Filter, Goal, Question, Span, StatsWebsite } from '../question/question.ts';
import type { DayCountPiece } from './count-visits.ts';
import { addCount, type DayCount, noCount, type StoredCounts } from './counted-days.ts';
import type { ImportedCounts } from './imported-counts.ts';

export type OverviewTime = Pick<RequestedPeriod, 'period' | 'from' | 'to' | 'weekStart' | 'compare'>;

/** A span of one website. `counts` is null when part of it is no longer available; metrics of `lacking` counts are unknown. */
export type CountedSpan = { span: Span; counts: Counts | null; lacking: ReadonlySet<Count> };

/** The numbers of one website. */
export type OverviewLine = {
	own: CountedSpan;
	compared: CountedSpan | null;
	/** Visitors per bucket; computed on demand, because only one page of rows is shown. */
	sparkline(): number[];
};

/** A period in one calendar, with the day ranges that every website needs. */
export type OverviewPeriod = Pick<ResolvedPeriod, 'span' | 'compared' | 'interval' | 'buckets'> & {
	own: DayRange;
	other: DayRange | null;
	bucketDays: DayRange[];
};

/** Days as numbers, both inclusive. */
type DayRange = { first: number; last: number };

/** Caches by calendar: the websites of an account share a few. */
export function createResolve(time: OverviewTime, now: Date) {
	const known = new Map<string, OverviewPeriod>();
	// In whole seconds, as for every question.
	const ms = Math.floor(now.getTime() / 1000) * 1000;
	return (zones: Zones, firstDate: string | null): OverviewPeriod => {
		const first = time.period === 'all' ? firstDate : null;
		const key = JSON.stringify([zones, first]);
		let period = known.get(key);
		if (!period) {
			const moment = { zones, firstDate: first, now: ms };
			const resolved = resolvePeriod(moment, time);
			// Sparklines have no points by hour.
			period = describe(
				resolved.interval === 'hour' ? resolvePeriod(moment, { ...time, interval: 'day' }) : resolved,
			);
			known.set(key, period);
		}
		return period;
	};
}

export const describe = (
	resolved: Pick<ResolvedPeriod, 'span' | 'compared' | 'interval' | 'buckets'>,
): OverviewPeriod => ({
	...resolved,
	own: wholeDays(resolved.span),
	other: resolved.compared && wholeDays(resolved.compared),
	bucketDays: resolved.buckets.map(({ from, to }) => ({ first: dayOf(from), last: dayOf(to) })),
});

/** The days that are completely within the span. */
const wholeDays = ({ from, to, startMs, endMs }: Span): DayRange => ({
	first: dayOf(from) + (startMs === null ? 0 : 1),
	last: dayOf(to) - (endMs === null ? 0 : 1),
});

export type PlannedPiece = { piece: DayCountPiece; isCompared: boolean };

/** What is asked about every website. */
export type OverviewSelection = { metrics: readonly MetricName[]; filter: Filter | null };

export type PlannedLine = {
	website: StatsWebsite;
	time: OverviewPeriod;
	goal: Goal | null;
	/** Whole sealed days, answered from totals, or from visits if a filter or a goal selects some. */
	stored: StoredDays;
	isOfVisits: boolean;
	/** Unsealed days that are answered from provisional totals. */
	provisional: StoredDays;
	pieces: PlannedPiece[];
	isKnown: boolean;
	isComparedKnown: boolean;
	asOf: Date | null;
};

/** Plans the days of a website. Without a filter and a goal, whole stored days need no plan. */
export function planLine(
	{ website, time, goal }: Pick<PlannedLine, 'website' | 'time' | 'goal'>,
	{ stored, unsealed }: WebsiteDays,
	{ metrics, filter }: OverviewSelection,
): PlannedLine {
	const { span, compared } = time;
	const isOfVisits = filter !== null || goal !== null;
	const spans = compared ? [span, compared] : [span];
	const isPlanned = isOfVisits ? isWithinAny(spans) : isCutIn(spans);
	const days: PlannedDay[] = [...unsealed];
	for (const [index, day] of stored.days.entries()) {
		const generation = stored.generations[index];
		if (generation !== undefined && isPlanned(day))
			days.push({ ...sealed, date: dateOfDay(day), generation });
	}
	const question: Question = {
		website,
		span,
		compared,
		buckets: null,
		comparedBuckets: null,
		metrics,
		filter,
		goal,
		breakdowns: [],
	};
	const { parts, unavailable, asOf } = plan(
		question,
		days.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
	);
	const pieces: PlannedPiece[] = [];
	const selected = new Map<number, number>();
	// Spans may overlap.
	const provisional = new Map<number, number>();
	for (const { source, timing, isCompared } of parts) {
		if (source.from === 'events') {
			for (const date of source.dates) {
				const day = unsealed.find((candidate) => candidate.date === date);
				const sinceMs = website.resetAt;
				const isCached = !timing && !isOfVisits && day?.isSettled;
				const stamp = isCached ? `${day.lastBatch} ${sinceMs ?? ''} ${revisionOf(website.hidden)}` : null;
				const visits = { from: 'events', sinceMs: sinceIn(website, date) } as const;
				pieces.push({ isCompared, piece: { website, date, timing, visits, size: day?.size ?? 0, stamp } });
			}
		} else if (source.from === 'visits') {
			for (const { date, generation } of source.days) {
				const visits = { from: 'visits', generation: BigInt(generation) } as const;
				if (timing)
					pieces.push({ isCompared, piece: { website, date, timing, visits, size: 0, stamp: null } });
				else selected.set(dayOf(date), generation);
			}
		} else {
			// Stored days are counted from `stored`.
			for (const { date, generation } of source.days) {
				if (!stored.days.includes(dayOf(date))) provisional.set(dayOf(date), generation);
			}
		}
	}
	return {
		website,
		time,
		goal,
		stored: isOfVisits ? toStoredDays(selected) : stored,
		isOfVisits,
		provisional: toStoredDays(provisional),
		pieces,
		isKnown: !unavailable.totals,
		isComparedKnown: !unavailable.compared,
		asOf,
	};
}

const toStoredDays = (generations: ReadonlyMap<number, number>): StoredDays => ({
	days: [...generations.keys()],
	generations: [...generations.values()],
});

function isWithinAny(spans: readonly Span[]): (day: number) => boolean {
	const ranges = spans.map(({ from, to }) => ({ first: dayOf(from), last: dayOf(to) }));
	return (day) => ranges.some(({ first, last }) => day >= first && day <= last);
}

function isCutIn(spans: readonly Span[]): (day: number) => boolean {
	const cut = new Set(spans.flatMap(cutDates).map(dayOf));
	return (day) => cut.has(day);
}

const sealed = { isSealed: true, capped: [], goalRevision: 0, size: 0, provisional: null, imported: null };

/** Only events on the date of the reset or before can be older than it. */
function sinceIn({ zones, resetAt }: StatsWebsite, date: string): number | null {
	return resetAt !== null && dateOf(zones, resetAt).date >= date ? resetAt : null;
}

/** The dates that are only partly within the span. */
const cutDates = ({ from, to, startMs, endMs }: Span): string[] => [
	...(startMs === null ? [] : [from]),
	...(endMs === null ? [] : [to]),
];

/** The counts that a line is added up from. */
export type Counted = {
	stored: StoredCounts;
	provisional: StoredCounts;
	imported: ImportedCounts;
	pieces: ReadonlyMap<DayCountPiece, DayCount>;
};

export function countLine(line: PlannedLine, counted: Counted): OverviewLine {
	const { pieces, isKnown, isComparedKnown } = line;
	const { span, compared, own, other, bucketDays } = line.time;
	const sources = line.isOfVisits
		? [counted.stored]
		: [counted.stored, counted.provisional, counted.imported];
	const sumOf = (range: DayRange | null, isCompared: boolean): Counts => {
		const sum = { ...noCounts };
		if (range) for (const source of sources) addCount(sum, source.sum(range.first, range.last));
		for (const { piece, isCompared: isOther } of pieces)
			if (isOther === isCompared) addCount(sum, counted.pieces.get(piece) ?? noCount);
		return sum;
	};
	// Of imported days only whole ones are known, and nothing of their visits.
	const isUnknown = (range: Span): boolean =>
		line.isOfVisits
			? counted.imported.hasDays(dayOf(range.from), dayOf(range.to))
			: cutDates(range).some((date) => counted.imported.hasDays(dayOf(date), dayOf(date)));
	const lackingIn = ({ from, to }: Span): ReadonlySet<Count> =>
		new Set<Count>([...counted.imported.missing(dayOf(from), dayOf(to)), ...(line.goal ? [] : goalCounts)]);
	const ownCounts: CountedSpan = {
		span,
		counts: isKnown && !isUnknown(span) ? sumOf(own, false) : null,
		lacking: lackingIn(span),
	};
	return {
		own: ownCounts,
		compared: compared && {
			span: compared,
			counts: isComparedKnown && !isUnknown(compared) ? sumOf(other, true) : null,
			lacking: lackingIn(compared),
		},
		sparkline() {
			if (ownCounts.counts === null || ownCounts.lacking.has('visitors')) return [];
			const visitors = new Map<number, number>();
			const add = (day: number, more: number) => visitors.set(day, (visitors.get(day) ?? 0) + more);
			for (const source of sources)
				for (const [day, more] of source.visitors(own.first, own.last)) add(day, more);
			for (const { piece, isCompared } of pieces)
				if (!isCompared) add(dayOf(piece.date), counted.pieces.get(piece)?.visitors ?? 0);
			return bucketDays.map(({ first, last }) => {
				let number = 0;
				for (let day = first; day <= last; day++) number += visitors.get(day) ?? 0;
				return number;
			});
		},
	};
}
