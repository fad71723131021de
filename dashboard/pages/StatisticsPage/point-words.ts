import { formatDate } from '../../../presentation/format.ts';
import type { PageAnswer } from '../../api-client.ts';
import { addDays } from './shift-period.ts';

type Meta = Pick<PageAnswer['meta'], 'interval' | 'from' | 'to'>;
type Series = readonly { time: string }[];

/** The dates that a point of a series covers. */
export function datesOf(
	series: Series,
	index: number,
	{ interval, to }: Pick<Meta, 'interval' | 'to'>,
): { from: string; to: string } {
	const from = series[index]?.time.slice(0, 10) ?? to;
	if (interval !== 'week' && interval !== 'month') return { from, to: from };
	const next = series[index + 1]?.time.slice(0, 10);
	return { from, to: next === undefined ? to : addDays(next, -1) };
}

/** `14:00` behind `13:00`, by the clock of the website. */
const hourAfter = (time: string): string =>
	`${String((Number(time.slice(0, 2)) + 1) % 24).padStart(2, '0')}:00`;

/** Below the axis, where there is little room. */
export function shortWords(time: string, { interval, from, to }: Meta, language: string): string {
	switch (interval) {
		case 'minute':
			return time.slice(11, 16);
		case 'hour':
			// Over more than two dates the hours alone would all look alike.
			return from === to || addDays(from, 1) === to
				? time.slice(11, 16)
				: formatDate(time, language, { day: 'numeric', month: 'short' });
		case 'day':
		case 'week':
			return formatDate(time, language, { day: 'numeric', month: 'short' });
		case 'month':
			return formatDate(time, language, { month: 'short', year: '2-digit' });
	}
}

/** A point of the time in words. `say` puts the parts together as the language does. */
export function pointWords(
	series: Series,
	index: number,
	meta: Meta,
	language: string,
	/** `short` where there is little room: Tue, 29 Sep. */
	style: 'long' | 'short',
	say: {
		hour(parts: { date: string; from: string; to: string }): string;
		minute(parts: { date: string; time: string }): string;
		week(parts: { from: string; to: string }): string;
	},
): string {
	const { time = meta.from } = series[index] ?? {};
	const words: Intl.DateTimeFormatOptions = { weekday: style, day: 'numeric', month: style };
	const date = formatDate(time, language, words);
	const clock = time.slice(11, 16);
	switch (meta.interval) {
		case 'minute':
			return say.minute({ date, time: clock });
		case 'hour':
			return say.hour({ date, from: clock, to: hourAfter(clock) });
		case 'day':
			return date;
		case 'week': {
			const { from, to } = datesOf(series, index, meta);
			const short: Intl.DateTimeFormatOptions = { day: 'numeric', month: style };
			return say.week({ from: formatDate(from, language, short), to: formatDate(to, language, short) });
		}
		case 'month':
			return formatDate(time, language, { month: style, year: 'numeric' });
	}
}
