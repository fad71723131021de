import { dateOf, type Zones } from '../websites/zones.ts';
import { addCount, type DayCount, noCount, type Piece } from './day-counts.ts';
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
	/** Visitors of each bucket. */
	sparkline: number[];
};

/** Most websites of an account have one of a few calendars. */
export function createResolve(time: OverviewTime, now: Date) {
	const known = new Map<string, ResolvedPeriod>();
	// In whole seconds, as every question.
	const ms = Math.floor(now.getTime() / 1000) * 1000;
	return (zones: Zones, firstDate: string | null): ResolvedPeriod => {
		const first = time.period === 'all' ? firstDate : null;
		const key = JSON.stringify([zones, first]);
		let resolved = known.get(key);
		if (!resolved) {
			const moment = { zones, firstDate: first, now: ms };
			const compare = { kind: 'previous', matchWeekdays: false } as const;
			resolved = resolvePeriod(moment, { ...time, compare });
			// Points within a day are no days, and a sparkline has no room for them.
			if (resolved.interval === 'hour')
				resolved = resolvePeriod(moment, { ...time, compare, interval: 'day' });
			known.set(key, resolved);
		}
		return resolved;
	};
}

export type PlannedPiece = { piece: Piece; isCompared: boolean };

export type PlannedLine = {
	website: AskedWebsite;
	time: ResolvedPeriod;
	/** Whole days of both times, and provisional ones. */
	stored: StoredDays;
	pieces: PlannedPiece[];
	isKnown: boolean;
	isComparedKnown: boolean;
	asOf: Date | null;
};

/** Whole days that are stored need no plan; for all others it says what they are counted from. */
export function planLine(
	website: AskedWebsite,
	time: ResolvedPeriod,
	{ stored, unsealed }: WebsiteDays,
): PlannedLine {
	const { span, compared } = time;
	const cuts = new Set([...cutDates(span), ...(compared ? cutDates(compared) : [])].map(dayOf));
	const whole: StoredDays = { days: [], generations: [] };
	const days: Day[] = [...unsealed];
	for (const [index, day] of stored.days.entries()) {
		const generation = stored.generations[index] ?? 0;
		whole.days.push(day);
		whole.generations.push(generation);
		if (cuts.has(day)) days.push({ ...sealed, date: dateOfDay(day), generation });
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
			for (const { date, generation } of source.days) {
				if (stored.days.includes(dayOf(date))) continue;
				whole.days.push(dayOf(date));
				whole.generations.push(generation);
			}
		}
	}
	return {
		website,
		time,
		stored: whole,
		pieces,
		isKnown: !unavailable.totals,
		isComparedKnown: !unavailable.compared,
		asOf,
	};
}

const sealed = { isSealed: true, capped: [], goalRevision: 0, size: 0, provisional: null };

/** An event of a later date than that of the reset is not older than it. */
function sinceIn({ zones, resetAt }: AskedWebsite, date: string): number | null {
	return resetAt !== null && dateOf(zones, resetAt).date >= date ? resetAt : null;
}

/** The dates of a span of which only a part is meant. */
const cutDates = ({ from, to, startMs, endMs }: Span): string[] => [
	...(startMs === null ? [] : [from]),
	...(endMs === null ? [] : [to]),
];

export function countLine(
	{ time, stored, pieces, isKnown, isComparedKnown }: PlannedLine,
	totals: ReadonlyMap<number, DayCount>,
	countOf: ReadonlyMap<PlannedPiece, DayCount>,
): OverviewLine {
	const { span, compared, buckets } = time;
	const sum = { own: { ...noCount }, compared: { ...noCount } };
	const visitors = new Map<number, number>();
	const add = (day: number, isCompared: boolean, count: DayCount) => {
		addCount(isCompared ? sum.compared : sum.own, count);
		if (!isCompared) visitors.set(day, (visitors.get(day) ?? 0) + count.visitors);
	};
	const isOwn = isWhole(span);
	const isOther = compared ? isWhole(compared) : () => false;
	for (const day of stored.days) {
		const count = totals.get(day) ?? noCount;
		if (isOwn(day)) add(day, false, count);
		if (isOther(day)) add(day, true, count);
	}
	for (const one of pieces) add(dayOf(one.piece.date), one.isCompared, countOf.get(one) ?? noCount);
	return {
		span,
		count: isKnown ? sum.own : null,
		compared: compared && isComparedKnown ? sum.compared : null,
		sparkline: buckets.map(({ from, to }) => {
			let number = 0;
			for (let day = dayOf(from); day <= dayOf(to); day++) number += visitors.get(day) ?? 0;
			return number;
		}),
	};
}

/** Whether a day lies wholly in the span. */
function isWhole(span: Span): (day: number) => boolean {
	const first = dayOf(span.from) + (span.startMs === null ? 0 : 1);
	const last = dayOf(span.to) - (span.endMs === null ? 0 : 1);
	return (day) => day >= first && day <= last;
}
