/** Local time of a website: when its dates begin and end, and its offset from UTC. */
import { endOfDate as endOfDateIn, previousDate } from '../lib/local-dates.ts';
import { dateOf, type Zones } from './zones.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The first instant of a date. For a date that was skipped, that of the next date. */
export function startOfDate(zones: Zones, date: string): number {
	return endOfDate(zones, previousDate(date));
}

/** The first instant that belongs to a later date than this one. */
export function endOfDate(zones: Zones, date: string): number {
	const holding = zones.findLast(({ from }) => from <= date) ?? zones[0];
	if (!holding) throw new Error('The website has no time zone.');
	// If the date had already ended in the zone when the zone began, the date was skipped.
	return Math.max(holding.since, endOfDateIn(holding.zone, date));
}

/** The first instant of a date with this local time or a later one, or the end of the date. */
export function instantOf(zones: Zones, date: string, time: number): number {
	const end = endOfDate(zones, date);
	const midnight = Date.parse(`${date}T00:00:00Z`);
	for (const { startMs, endMs, minutes } of stretchesOf(zones, startOfDate(zones, date), end)) {
		const ms = Math.max(startMs, midnight + time - minutes * minuteMs);
		if (ms < endMs) return ms;
	}
	return end;
}

/**
 * The offsets from UTC during these dates, in minutes, and when each begins. An instant has the last offset that began before
 * it. The first begins at 0, so that every instant has one. ClickHouse gets these offsets instead of a time zone, because its
 * time zone data may differ from the data of Node.js, which the dates are based on.
 */
export function offsetsOf(
	zones: Zones,
	fromDate: string,
	toDate: string,
): { sinceMs: number[]; minutes: number[] } {
	const start = startOfDate(zones, fromDate);
	const stretches = stretchesOf(zones, start, Math.max(endOfDate(zones, toDate), start + 1));
	return {
		sinceMs: stretches.map(({ startMs }, index) => (index === 0 ? 0 : startMs)),
		minutes: stretches.map(({ minutes }) => minutes),
	};
}

/** A time span with one offset. */
export type Stretch = { startMs: number; endMs: number; minutes: number };

/**
 * Two changes within one step would be missed. In all time zones from 1973 to 2045, the shortest time between two changes is
 * seven days minus an hour (states of Brazil in October 2000, Gaza in October 2040).
 */
const stepMs = 3 * dayMs;

export function stretchesOf(zones: Zones, startMs: number, endMs: number): Stretch[] {
	const stretches: Stretch[] = [];
	const begin = (ms: number, minutes: number) => {
		const before = stretches.at(-1);
		if (before?.minutes === minutes) return;
		if (before) before.endMs = ms;
		stretches.push({ startMs: ms, endMs, minutes });
	};
	for (const [index, { since, zone }] of zones.entries()) {
		const last = Math.min(endMs, zones[index + 1]?.since ?? endMs) - 1;
		let ms = Math.max(startMs, since);
		if (ms > last) continue;
		let minutes = offsetAt(zone, ms);
		begin(ms, minutes);
		while (ms < last) {
			const ahead = Math.min(ms + stepMs, last);
			if (offsetAt(zone, ahead) === minutes) ms = ahead;
			else {
				ms = changeBetween(zone, ms, ahead);
				minutes = offsetAt(zone, ms);
				begin(ms, minutes);
			}
		}
	}
	return stretches;
}

/** The first full minute after `before`, and at most `after`, with another offset than `before`. */
function changeBetween(zone: string, before: number, after: number): number {
	const minutes = offsetAt(zone, before);
	let [low, high] = [Math.floor(before / minuteMs), Math.floor(after / minuteMs)];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (offsetAt(zone, middle * minuteMs) === minutes) low = middle;
		else high = middle;
	}
	return high * minuteMs;
}

export const offsetOf = (zones: Zones, ms: number): number => offsetAt(dateOf(zones, ms).zone, ms);

const formats = new Map<string, Intl.DateTimeFormat>();

/** In minutes: 345 in Kathmandu. */
function offsetAt(zone: string, ms: number): number {
	let format = formats.get(zone);
	if (!format) {
		format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
		formats.set(zone, format);
	}
	// `11/15/2026, GMT+05:45`, and `GMT` alone for 0.
	const text = format.format(ms);
	const match = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text);
	if (!match) throw new Error(`The offset of ${zone} is not in whole minutes: ${text}`);
	const [, sign = '+', hours = '0', minutes = '0'] = match;
	const size = Number(hours) * 60 + Number(minutes);
	return sign === '-' ? -size : size;
}
