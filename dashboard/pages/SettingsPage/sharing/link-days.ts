/** The last day on which a link works, on the clock of the browser. */
export function lastDayOf(expiresAt: string): string {
	const last = new Date(Date.parse(expiresAt) - 1);
	const digits = (number: number) => String(number).padStart(2, '0');
	return `${last.getFullYear()}-${digits(last.getMonth() + 1)}-${digits(last.getDate())}`;
}

/** The end of that day. */
export function endOfDay(lastDay: string): string {
	const [year = 0, month = 1, day = 1] = lastDay.split('-').map(Number);
	return new Date(year, month - 1, day + 1).toISOString();
}
