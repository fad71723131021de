/** The first date of a website's calendar that is kept for so many months: the same day of an earlier month, or its last one. */
export function firstKeptDate(now: Date, zone: string, months: number): string {
	// Swedish writes dates as ISO does.
	const today = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(now);
	const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
	const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
	return new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastOfMonth))).toISOString().slice(0, 10);
}
