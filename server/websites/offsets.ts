/** The clock on the wall of a website: where its dates begin and end, and how far it is from UTC. */
import { endOfDate as endOfDateIn, previousDate } from '../lib/local-dates.ts';
import { dateOf, type Zones } from './zones.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The first instant of a date; of one that never was, that of the date after. */
export function startOfDate(zones: Zones, date: string): number {
	return endOfDate(zones, previousDate(date));
}

/** The first instant that belongs to a later date than this one. */
export function endOfDate(zones: Zones, date: string): number {
	const holding = zones.findLast(({ from }) => from <= date) ?? zones[0];
	if (!holding) throw new Error('A website without a zone.');
	// The zone may have begun when this date was over in it already: then the date never was.
	return Math.max(holding.since, endOfDateIn(holding.zone, date));
}

/** The first instant of a date at which its clock shows this time or a later one; its end if there is none. */
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
 * The offsets from UTC that hold over these dates, in minutes, and since when each does. An instant has the last one that is
 * not later; the first is since 0, so that every instant finds one. ClickHouse is told these rather than a zone, because
 * its zone data and the runtime's are of different versions, and the runtime's have cut the dates.
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

/** A time over which the offset holds still. */
export type Stretch = { startMs: number; endMs: number; minutes: number };

/**
 * Clocks that are set forward and back again within one step would not be noticed. The shortest time between two changes is
 * seven days less an hour (Brazil's states in October 2000, Gaza in October 2040), of all zones from 1973 to 2045.
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

/** The full minute after `before` and up to `after` at which the offset is no longer that of `before`. */
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
	if (!match) throw new Error(`No offset in whole minutes: ${zone} ${text}`);
	const [, sign = '+', hours = '0', minutes = '0'] = match;
	const size = Number(hours) * 60 + Number(minutes);
	return sign === '-' ? -size : size;
}
