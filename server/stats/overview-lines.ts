import { dateOf, type Zones } from '../websites/zones.ts';
import { addCount, type DayCount, noCount, type Piece, type StoredCounts } from './day-counts.ts';
import type { ImportedCounts } from './imported-counts.ts';
import { dateOfDay, dayOf, type StoredDays, type WebsiteDays } from './many-days.ts';
import type { MetricName } from './metrics.ts';
import { type ResolvedPeriod, resolvePeriod } from './periods.ts';
import { type Day, plan } from './plan.ts';
import type { AskedWebsite, PeriodName, Question, Span } from './question.ts';

export type OverviewTime = { period: PeriodName; from: string | undefined; to: string | undefined };

export const overviewMetrics = [
	'visitors',
	'visits',
	'pageviews',
	'bounce_rate',
	'visit_duration',
] as const satisfies readonly MetricName[];

/** What a website comes to. */
export type OverviewLine = {
	span: Span;
	/** Null when a part of the time cannot be counted any more. */
	count: DayCount | null;
	compared: DayCount | null;
	/** Visitors of each bucket. Only a page of them is shown. */
	sparkline(): number[];
};

/** A period of one calendar, with what is asked of it for every website. */
export type OverviewPeriod = ResolvedPeriod & {
	own: DayRange;
	other: DayRange | null;
	bucketDays: DayRange[];
};

/** Days as numbers, both included. */
type DayRange = { first: number; last: number };

/** Most websites of an account have one of a few calendars. */
export function createResolve(time: OverviewTime, now: Date) {
	const known = new Map<string, OverviewPeriod>();
	// In whole seconds, as every question.
	const ms = Math.floor(now.getTime() / 1000) * 1000;
	return (zones: Zones, firstDate: string | null): OverviewPeriod => {
		const first = time.period === 'all' ? firstDate : null;
		const key = JSON.stringify([zones, first]);
		let period = known.get(key);
		if (!period) {
			const moment = { zones, firstDate: first, now: ms };
			const compare = { kind: 'previous', matchWeekdays: false } as const;
			const resolved = resolvePeriod(moment, { ...time, compare });
			// Points within a day are no days, and a sparkline has no room for them.
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

/** The days that lie wholly in the span. */
const wholeDays = ({ from, to, startMs, endMs }: Span): DayRange => ({
	first: dayOf(from) + (startMs === null ? 0 : 1),
	last: dayOf(to) - (endMs === null ? 0 : 1),
});

export type PlannedPiece = { piece: Piece; isCompared: boolean };

export type PlannedLine = {
	website: AskedWebsite;
	time: OverviewPeriod;
	stored: StoredDays;
	/** Days that are not sealed, whose totals serve in the meantime. */
	provisional: StoredDays;
	pieces: PlannedPiece[];
	isKnown: boolean;
	isComparedKnown: boolean;
	asOf: Date | null;
};

/** Whole days that are stored need no plan; for all others it says what they are counted from. */
export function planLine(
	website: AskedWebsite,
	time: OverviewPeriod,
	{ stored, unsealed }: WebsiteDays,
): PlannedLine {
	const { span, compared } = time;
	const days: Day[] = [...unsealed];
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
				const day = unsealed.find((one) => one.date === date);
				const sinceMs = website.resetAt;
				const stamp = !timing && day?.isSettled ? `${day.lastBatch} ${sinceMs ?? ''}` : null;
				const runs = { from: 'events', sinceMs: sinceIn(website, date) } as const;
				pieces.push({
					isCompared,
					piece: { websiteId: website.id, date, timing, runs, size: day?.size ?? 0, stamp },
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
						runs: { from: 'visits', generation },
						size: 0,
						stamp: null,
					},
				});
		} else {
			// Those that are stored have their place there.
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

/** An event of a later date than that of the reset is not older than it. */
function sinceIn({ zones, resetAt }: AskedWebsite, date: string): number | null {
	return resetAt !== null && dateOf(zones, resetAt).date >= date ? resetAt : null;
}

/** The dates of a span of which only a part is meant. */
const cutDates = ({ from, to, startMs, endMs }: Span): string[] => [
	...(startMs === null ? [] : [from]),
	...(endMs === null ? [] : [to]),
];

/** What a line is added up from. */
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
	// A part of a day is not known of one that was counted elsewhere.
	const isUnknown = (of: Span): boolean =>
		counted.imported.isUnknown(dayOf(of.from), dayOf(of.to)) ||
		cutDates(of).some((date) => counted.imported.visitors(dayOf(date), dayOf(date)).size > 0);
	return {
		span,
		count: isKnown && !isUnknown(span) ? sumOf(own, false) : null,
		compared: compared && isComparedKnown && !isUnknown(compared) ? sumOf(other, true) : null,
		sparkline() {
			const visitors = new Map<number, number>();
			const add = (day: number, more: number) => visitors.set(day, (visitors.get(day) ?? 0) + more);
			for (const whole of [counted.stored, counted.provisional, counted.imported])
				for (const [day, more] of whole.visitors(own.first, own.last)) add(day, more);
			for (const one of pieces)
				if (!one.isCompared) add(dayOf(one.piece.date), (counted.pieces.get(one) ?? noCount).visitors);
			return bucketDays.map(({ first, last }) => {
				let number = 0;
				for (let day = first; day <= last; day++) number += visitors.get(day) ?? 0;
				return number;
			});
		},
	};
}
