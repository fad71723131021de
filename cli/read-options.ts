import { dayMs } from '../server/lib/durations.ts';

export function readExpiry(text: string, now: Date): string | null {
	if (text === 'never') return null;
	const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
	const time = days === undefined ? new Date(text) : new Date(now.getTime() + Number(days) * dayMs);
	if (Number.isNaN(time.getTime()))
		throw new Error(`"${text}" is not a date such as 2027-01-31, a number of days such as 90d, or "never".`);
	return time.toISOString();
}

export function readId(text: string): number {
	if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`"${text}" is not an id. The list commands show ids.`);
	return Number(text);
}
