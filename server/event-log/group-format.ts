/** The format of a group in the event log: a JSON header, and one line per event. */
import { memoize } from '../lib/memoize.ts';
import type { DropCount, Header, LoggedEvent, LogPosition, LogRow } from './event-log.ts';

/** The version of the format. New header fields need no new version, because older versions ignore them. */
const formatVersion = 1;

export function encode(
	events: readonly LoggedEvent[],
	drops: Iterable<DropCount>,
): { header: string; lines: string } {
	const header: Header = { f: formatVersion, w: [], d: [], v: [], i: [], p: [], drops: [] };
	const lines: string[] = [];
	for (const event of events) {
		header.w.push(event.websiteId);
		header.d.push(event.date);
		header.v.push(event.visitorId);
		header.i.push(event.eventId);
		header.p.push(event.isPageview ? 1 : 0);
		if (event.mayRepeat) header.c = [...(header.c ?? []), lines.length];
		lines.push(event.line);
	}
	for (const { websiteId, date, reason, count, hostnames, rules } of drops) {
		header.drops.push([websiteId, date, reason, count]);
		for (const [hostname, times] of hostnames ?? []) {
			header.hosts ??= [];
			header.hosts.push([websiteId, date, hostname, times]);
		}
		for (const [ruleId, times] of rules ?? []) {
			header.rules ??= [];
			header.rules.push([websiteId, date, ruleId, times]);
		}
	}
	return { header: JSON.stringify(header), lines: lines.join('\n') };
}

export type Decoded = { header: Header; lines: string } | { unreadable: string };

/** Decodes a group. It never throws, so that an unreadable group does not block the others. */
export function decode(headerText: string, lines: string): Decoded {
	let header: unknown;
	try {
		header = JSON.parse(headerText);
	} catch {
		return { unreadable: 'Its header is not JSON.' };
	}
	if (typeof header !== 'object' || header === null) return { unreadable: 'Its header is not an object.' };
	const fields: Record<string, unknown> = { ...header };
	// The first groups had no version.
	const { f = formatVersion } = fields;
	if (f !== formatVersion)
		return {
			unreadable: `Its format version is ${JSON.stringify(f)}; this release reads version ${formatVersion}.`,
		};
	const count = lines === '' ? 0 : lines.split('\n').length;
	for (const [name, isValid] of Object.entries(lists)) {
		const list = fields[name];
		if (!Array.isArray(list) || list.length !== count || !list.every(isValid))
			return { unreadable: `The list ${name} of its header is invalid.` };
	}
	if (
		!isListOf(fields.drops, isCount) ||
		!isListOf(fields.hosts ?? [], isCount) ||
		!isListOf(fields.rules ?? [], isRuleCount)
	)
		return { unreadable: 'Its drop counts are invalid.' };
	if (!isListOf(fields.c ?? [], (index) => isInteger(index, count)))
		return { unreadable: 'Its list of repeatable events is invalid.' };
	// Every field was checked above.
	return { header: fields as Header, lines };
}

const isInteger = (value: unknown, below: number): boolean =>
	typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < below;
const isId = (value: unknown): boolean => isInteger(value, 2 ** 32);
/** Cached, because the events of a group have one or two dates. */
const isDateText = memoize(
	(text) => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toJSON()?.startsWith(text) === true,
	{ max: 100, maxLength: 10 },
);
const isDate = (value: unknown): boolean => typeof value === 'string' && isDateText(value);
const isUInt64 = (value: unknown): boolean =>
	typeof value === 'string' && /^\d{1,20}$/.test(value) && (value.length < 20 || BigInt(value) < 2n ** 64n);
const isListOf = (list: unknown, isValid: (value: unknown) => boolean): boolean =>
	Array.isArray(list) && list.every(isValid);
/** PostgreSQL cannot store a text with a NUL character. */
const isCount = (value: unknown): boolean =>
	Array.isArray(value) &&
	isId(value[0]) &&
	isDate(value[1]) &&
	typeof value[2] === 'string' &&
	!value[2].includes('\0') &&
	isInteger(value[3], Number.MAX_SAFE_INTEGER);
const isRuleCount = (value: unknown): boolean =>
	Array.isArray(value) &&
	isId(value[0]) &&
	isDate(value[1]) &&
	isInteger(value[2], Number.MAX_SAFE_INTEGER) &&
	isInteger(value[3], Number.MAX_SAFE_INTEGER);

/** The parallel lists of a header; each has value element per line. */
const lists: Record<string, (value: unknown) => boolean> = {
	w: isId,
	d: isDate,
	v: isUInt64,
	i: isUInt64,
	p: (value) => value === 0 || value === 1,
};

/** Decodes a group whose header is the first line. */
export function decodeGroup(text: string): Decoded {
	const end = text.indexOf('\n');
	return end < 0 ? decode(text, '') : decode(text.slice(0, end), text.slice(end + 1));
}

/** The events of a group. */
export function eventsOf({ header, lines }: Pick<LogRow, 'header' | 'lines'>): LoggedEvent[] {
	if (lines === '') return [];
	return lines.split('\n').map((line, index) => ({
		websiteId: header.w[index] ?? 0,
		date: header.d[index] ?? '',
		visitorId: header.v[index] ?? '0',
		eventId: header.i[index] ?? '0',
		isPageview: header.p[index] === 1,
		mayRepeat: header.c?.includes(index) === true,
		line,
	}));
}

const emptyHeader = (): Header => ({ f: formatVersion, w: [], d: [], v: [], i: [], p: [], drops: [] });

export function toRow(position: LogPosition, decoded: Decoded, body: () => Buffer): LogRow {
	if (!('unreadable' in decoded)) return { ...position, ...decoded };
	const unreadable = { reason: decoded.unreadable, body: body() };
	return { ...position, header: emptyHeader(), lines: '', unreadable };
}
