/**
 * Hour by weekday. The service has no answer of two dimensions and needs none: a series by the hour holds the same visits,
 * each in the hour of the website's clock in which it began. A series by the hour has 93 dates at most, so a longer time is
 * asked in pieces, and of more than a year the last 52 weeks: the shape of a week is in them.
 */
export type Piece = { from: string; to: string };

const maxDates = 93;
const maxWeeks = 52;
const dayMs = 86_400_000;

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const toMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** Parts of a period that can each be requested by the hour, oldest first. `isCut`: they do not cover the whole period. */
export function piecesOf(from: string, to: string): { pieces: Piece[]; isCut: boolean } {
	const last = toMs(to);
	const earliest = last - (maxWeeks * 7 - 1) * dayMs;
	const isCut = toMs(from) < earliest;
	const pieces: Piece[] = [];
	for (let first = Math.max(toMs(from), earliest); first <= last; first += maxDates * dayMs)
		pieces.push({ from: toDate(first), to: toDate(Math.min(first + (maxDates - 1) * dayMs, last)) });
	return { pieces, isCut };
}

/** By weekday (0 is Monday) and hour. */
export type Week = number[][];

export function countWeek(points: readonly { time: string; visits?: number | null | undefined }[]): Week {
	const week: Week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
	for (const { time, visits } of points) {
		// The offset is already applied.
		const weekday = (new Date(toMs(time.slice(0, 10))).getUTCDay() + 6) % 7;
		const hours = week[weekday];
		const hour = Number(time.slice(11, 13));
		if (hours) hours[hour] = (hours[hour] ?? 0) + (visits ?? 0);
	}
	return week;
}
