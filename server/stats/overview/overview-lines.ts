import { dateOf, type Zones } from '../../websites/zones.ts';
import {
	addCount,
	type DayCount,
	type DayCountPiece,
	noCount,
	type StoredCounts,
} from '../answer/day-counts.ts';
import { dateOfDay, dayOf, type StoredDays, type WebsiteDays } from '../answer/day-state-cache.ts';
import type { ImportedCounts } from '../answer/imported-counts.ts';
import { type PlannedDay, plan } from '../answer/plan.ts';
import type { MetricName } from '../question/metrics.ts';
import { type RequestedPeriod, type ResolvedPeriod, resolvePeriod } from '../question/periods.ts';
import type { Question, Span, StatsWebsite } from '../question/question.ts';

export type OverviewTime = Pick<RequestedPeriod, 'period' | 'from' | 'to' | 'weekStart'>;

export const overviewMetrics = [
	'visitors',
	'visits',
	'pageviews',
	'bounce_rate',
	'visit_duration',
] as const satisfies readonly MetricName[];

/** The numbers of one website. */
export type OverviewLine = {
	span: Span;
	/** Null when part of the period is no longer available. */
	count: DayCount | null;
	compared: DayCount | null;
	/** Visitors per bucket; computed on demand, because only one page of rows is shown. */
	sparkline(): number[];
};

/** A period in one calendar, with the day ranges that every website needs. */
export type OverviewPeriod = ResolvedPeriod & {
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
			const compare = { kind: 'previous', matchWeekdays: false } as const;
			const resolved = resolvePeriod(moment, { ...time, compare });
			// A sparkline has no room for hours.
			period = describe(
				resolved.interval === 'hour'
					? resolvePeriod(moment, { ...time, compare, interval: 'day' })
					: resolved,
			);
			known.set(key, period);
		}
		return period;
	};
}

const describe = (resolved: ResolvedPeriod): OverviewPeriod => ({
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

export type PlannedLine = {
	website: StatsWebsite;
	time: OverviewPeriod;
	stored: StoredDays;
	/** Unsealed days that are answered from provisional totals. */
	provisional: StoredDays;
	pieces: PlannedPiece[];
	isKnown: boolean;
	isComparedKnown: boolean;
	asOf: Date | null;
};

/** Plans the days that are not stored as whole days. */
export function planLine(
	website: StatsWebsite,
	time: OverviewPeriod,
	{ stored, unsealed }: WebsiteDays,
): PlannedLine {
	const { span, compared } = time;
	const days: PlannedDay[] = [...unsealed];
	for (const day of new Set([...cutDates(span), ...(compared ? cutDates(compared) : [])].map(dayOf))) {
		const generation = stored.generations[stored.days.indexOf(day)];
		if (generation !== undefined) days.push({ ...sealed, date: dateOfDay(day), generation });
	}
	const question: Question = {
		website,
		span,
		compared,
		buckets: null,
		comparedBuckets: null,
		metrics: overviewMetrics,
		filter: null,
		goal: null,
		breakdowns: [],
	};
	const { parts, unavailable, asOf } = plan(
		question,
		days.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
	);
	const pieces: PlannedPiece[] = [];
	const provisional: { days: number[]; generations: number[] } = { days: [], generations: [] };
	for (const { source, timing, isCompared } of parts) {
		if (source.from === 'events') {
			for (const date of source.dates) {
				const day = unsealed.find((candidate) => candidate.date === date);
				const sinceMs = website.resetAt;
				const stamp = !timing && day?.isSettled ? `${day.lastBatch} ${sinceMs ?? ''}` : null;
				const visits = { from: 'events', sinceMs: sinceIn(website, date) } as const;
				pieces.push({
					isCompared,
					piece: { websiteId: website.id, date, timing, visits, size: day?.size ?? 0, stamp },
				});
			}
		} else if (source.from === 'visits') {
			for (const { date, generation } of source.days)
				pieces.push({
					isCompared,
					piece: {
						websiteId: website.id,
						date,
						timing,
						visits: { from: 'visits', generation },
						size: 0,
						stamp: null,
					},
				});
		} else {
			// Stored days are counted from `stored`.
			for (const { date, generation } of source.days) {
				if (stored.days.includes(dayOf(date))) continue;
				provisional.days.push(dayOf(date));
				provisional.generations.push(generation);
			}
		}
	}
	return {
		website,
		time,
		stored,
		provisional,
		pieces,
		isKnown: !unavailable.totals,
		isComparedKnown: !unavailable.compared,
		asOf,
	};
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
	pieces: ReadonlyMap<PlannedPiece, DayCount>;
};

export function countLine(line: PlannedLine, counted: Counted): OverviewLine {
	const { pieces, isKnown, isComparedKnown } = line;
	const { span, compared, own, other, bucketDays } = line.time;
	const sumOf = (range: DayRange | null, isCompared: boolean): DayCount => {
		const sum = { ...noCount };
		if (range) {
			addCount(sum, counted.stored.sum(range.first, range.last));
			addCount(sum, counted.provisional.sum(range.first, range.last));
			addCount(sum, counted.imported.sum(range.first, range.last));
		}
		for (const piece of pieces)
			if (piece.isCompared === isCompared) addCount(sum, counted.pieces.get(piece) ?? noCount);
		return sum;
	};
	// Parts of an imported day are unknown.
	const isUnknown = (range: Span): boolean =>
		counted.imported.isUnknown(dayOf(range.from), dayOf(range.to)) ||
		cutDates(range).some((date) => counted.imported.visitors(dayOf(date), dayOf(date)).size > 0);
	return {
		span,
		count: isKnown && !isUnknown(span) ? sumOf(own, false) : null,
		compared: compared && isComparedKnown && !isUnknown(compared) ? sumOf(other, true) : null,
		sparkline() {
			const visitors = new Map<number, number>();
			const add = (day: number, more: number) => visitors.set(day, (visitors.get(day) ?? 0) + more);
			for (const source of [counted.stored, counted.provisional, counted.imported])
				for (const [day, more] of source.visitors(own.first, own.last)) add(day, more);
			for (const planned of pieces)
				if (!planned.isCompared)
					add(dayOf(planned.piece.date), (counted.pieces.get(planned) ?? noCount).visitors);
			return bucketDays.map(({ first, last }) => {
				let number = 0;
				for (let day = first; day <= last; day++) number += visitors.get(day) ?? 0;
				return number;
			});
		},
	};
}
