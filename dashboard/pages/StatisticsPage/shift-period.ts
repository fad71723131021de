import type { ViewQuery } from '../../../presentation/view-query.ts';

const dayMs = 86_400_000;
const toMs = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const addDays = (date: string, days: number): string => dateAt(toMs(date) + days * dayMs);
export const countDays = (from: string, to: string): number =>
	Math.round((toMs(to) - toMs(from)) / dayMs) + 1;

/** First day of the month this many months later. */
const firstOf = (date: string, months: number): string =>
	dateAt(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1));

/** A date of a clock on the wall anywhere. */
export function dateIn(timezone: string, moment: string | number): string {
	return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(new Date(moment));
}

/** The adjacent period of the same length; whole months shift by months. Undefined if there is none. */
export function shiftPeriod(
	{ period }: Pick<ViewQuery, 'period'>,
	shown: { from: string; to: string },
	today: string,
	direction: -1 | 1,
): Pick<ViewQuery, 'period' | 'from' | 'to'> | undefined {
	if (period === 'all') return undefined;
	if (direction === 1 && shown.to >= today) return undefined;
	const { from, to } = shiftDates(period, shown, today, direction);
	if (direction === 1 && from > today) return undefined;
	const name = nameOf(from, to, today);
	return name ? { period: name, from: undefined, to: undefined } : { period: 'custom', from, to };
}

const byLength: Readonly<Record<number, ViewQuery['period']>> = {
	1: 'today',
	7: '7d',
	28: '28d',
	30: '30d',
	90: '90d',
};

/** The named period that has these dates. */
function nameOf(from: string, to: string, today: string): ViewQuery['period'] | undefined {
	if (to === today) return byLength[countDays(from, to)];
	return from === to && addDays(to, 1) === today ? 'yesterday' : undefined;
}

function shiftDates(
	period: ViewQuery['period'],
	shown: { from: string; to: string },
	today: string,
	direction: -1 | 1,
): { from: string; to: string } {
	const isCut = ['month', 'quarter', 'year', '6months', '12months'].includes(period);
	const isWhole = shown.from.endsWith('-01') && (isCut || addDays(shown.to, 1).endsWith('-01'));
	if (isWhole) {
		const months = period === 'year' ? 12 : period === 'quarter' ? 3 : monthsOf(shown);
		const from = firstOf(shown.from, direction * months);
		const to = addDays(firstOf(from, months), -1);
		return { from, to: to > today ? today : to };
	}
	const days = period === '24h' ? 1 : countDays(shown.from, shown.to);
	if (period === '24h') return { from: addDays(today, direction), to: addDays(today, direction) };
	const to = addDays(shown.to, direction * days);
	const end = to > today ? today : to;
	return { from: addDays(end, 1 - days), to: end };
}

const monthsOf = ({ from, to }: { from: string; to: string }): number =>
	(Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
	Number(to.slice(5, 7)) -
	Number(from.slice(5, 7)) +
	1;
