/** A limit as a field shows it: empty for none. */
export const toText = (limit: number | null): string => (limit === null ? '' : String(limit));

export const toLimit = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim()));

export const isLimit = (text: string, least = 0): boolean =>
	text.trim() === '' || (/^\d{1,9}$/.test(text.trim()) && Number(text.trim()) >= least);
