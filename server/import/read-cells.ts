/** Parse cells of imported tables; undefined if invalid. */
import { dayMs, minuteMs } from '../lib/durations.ts';
import { localDate } from '../lib/local-dates.ts';

/** More than any website has per day; the sum of a million such rows is still a safe integer. */
const maxCount = 1e12;

/** `12`, `12.0` or `1,234`. */
export function readCount(text: string): number | undefined {
	const cell = text.trim();
	if (cell === '') return 0;
	if (!/^\d{1,15}(?:\.\d{1,20})?$/.test(cell)) return undefined;
	const number = Math.round(Number(cell));
	return number <= maxCount ? number : undefined;
}

const firstDate = '2000-01-01';

/** `2026-11-15` or `20261115`, if the day exists. */
export function readDate(text: string): string | undefined {
	const [, year, month, day] = /^\s*(\d{4})-?(\d{2})-?(\d{2})\s*$/.exec(text) ?? [];
	if (year === undefined) return undefined;
	const date = `${year}-${month}-${day}`;
	const time = Date.parse(`${date}T00:00:00Z`);
	if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) return undefined;
	return date >= firstDate && date < '2100-01-01' ? date : undefined;
}

/** `2026-11-15 09:00:00.123`, also with `T`, `Z` or an offset. Without an offset it is in the zone. */
export function readTime(text: string, zone: string): number | undefined {
	const [, date, hour, minute, second = '00', part = '', offset] =
		/^\s*(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?\s*$/.exec(
			text,
		) ?? [];
	if (date === undefined || readDate(date) === undefined) return undefined;
	const local = Date.parse(`${date}T${hour}:${minute}:${second}${part.slice(0, 4)}Z`);
	if (Number.isNaN(local)) return undefined;
	if (offset === undefined) return zone === 'UTC' ? local : inZone(local, zone);
	return local - offsetMs(offset);
}

function offsetMs(offset: string): number {
	const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
	return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The local time of an instant, as if it were UTC. */
function shownAt(instant: number, zone: string): number {
	let clock = clocks.get(zone);
	if (!clock) {
		clock = new Intl.DateTimeFormat('en-CA', {
			timeZone: zone,
			hourCycle: 'h23',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
		});
		clocks.set(zone, clock);
	}
	return Date.parse(`${localDate(zone, instant)}T${clock.format(instant)}Z`);
}

/**
 * The instant of a local time. A time that occurs twice, when summer time ends, is the first one; a time that does not exist, when
 * summer time begins, is moved forward.
 */
function inZone(shown: number, zone: string): number {
	const before = shown - (shownAt(shown - dayMs, zone) - (shown - dayMs));
	if (shownAt(before, zone) === floorSecond(shown)) return before;
	const after = shown - (shownAt(shown + dayMs, zone) - (shown + dayMs));
	return shownAt(after, zone) === floorSecond(shown) ? after : before;
}

const floorSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;
