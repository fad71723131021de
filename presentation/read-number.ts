function separatorsOf(language: string): { group: string; decimal: string } {
	const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8);
	const find = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
	return { group: find('group'), decimal: find('decimal') };
}

const literal = (text: string): string => text.replace(/[.]/g, '\\$&');

/**
 * A number as people type it, as the API takes it: in German `1.234,5` is 1234.5 and `1.234` is 1234, and `19.99` is 19.99 as in
 * English. Other texts stay as they are.
 */
export function readNumber(text: string, language: string): string {
	const typed = text.trim().replace(/\s/g, ' ');
	const { group, decimal } = separatorsOf(language);
	const [thousands, point] = [/\s/.test(group) ? ' ' : literal(group), literal(decimal)];
	const grouped = new RegExp(`^(-?\\d{1,3}(?:${thousands}\\d{3})+)(?:${point}(\\d+))?$`).exec(typed);
	if (grouped?.[1] !== undefined)
		return [grouped[1].replace(/[^\d-]/g, ''), ...(grouped[2] === undefined ? [] : [grouped[2]])].join('.');
	return typed.replace(/^(-?\d+),(\d+)$/, '$1.$2');
}

/** The number for a field that `readNumber` reads. */
export const writeNumber = (number: string, language: string): string =>
	number.replace('.', separatorsOf(language).decimal);
