import { createHash } from 'node:crypto';
import { cleanText, cutText } from './text.ts';

/**
 * Readers of what browsers and servers send. Each gives a value that its column can hold and give back as it was,
 * or says what is wrong. ClickHouse wraps integers and cuts decimals without a word, so nothing may come to it unread.
 */
export type Fault = { fault: string };

const maxName = 100;
/** Room for campaigns behind a path; what is stored of an address is bounded again, and shorter. */
export const maxUrl = 8_192;
export const maxTitleSent = 1_000;
export const maxProperties = 30;
const maxPropertyName = 100;
export const maxPropertyValue = 500;
export const dayMs = 86_400_000;

/** The largest id of a website that a row can hold (UInt32). */
const maxWebsiteId = 4_294_967_295;

export const isWebsiteId = (value: unknown): value is number =>
	Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxWebsiteId;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A whole number between 0 and `max`; what lies outside is moved to the nearer end. */
export const bound = (value: number, max: number): number => Math.min(Math.max(Math.round(value), 0), max);

/** 64 bits as decimal digits: 1 to 16 hexadecimal digits say them, any other text up to 64 characters is hashed. */
export function readId(text: string): string | Fault {
	if (text === '' || text.length > 64) return { fault: 'must have 1 to 64 characters' };
	// 0 stands for 'none' in a row, so it cannot be an id.
	if (/^[0-9a-f]{1,16}$/i.test(text) && !/^0+$/.test(text)) return BigInt(`0x${text}`).toString();
	return createHash('sha256').update(text).digest().readBigUInt64BE().toString();
}

export function readName(text: string): string | Fault {
	const name = cleanText(text, maxName + 1);
	return name === '' || [...name].length > maxName ? { fault: `must have 1 to ${maxName} characters` } : name;
}

/** The largest amount of a Decimal64(4), in ten-thousandths: it has 18 digits, not all that 64 bits could hold. */
const maxAmount = 10n ** 18n - 1n;

/** An amount of money as decimal text with up to four places, rounded to them: `19.99`, `-5`, `0.0001`. */
export function readAmount(value: unknown): string | Fault {
	const fault = { fault: 'must be an amount such as 19.99, as a number or a text' };
	// Twice the range of a decimal, so that what is too large is still told from what is no number.
	const text = typeof value === 'number' && Math.abs(value) < 1e16 ? value.toFixed(10) : value;
	if (typeof text !== 'string') return fault;
	const [, sign = '', whole = '', places = ''] =
		/^([+-]?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text.trim()) ?? [];
	if (whole === '') return fault;
	const digits = BigInt(whole + places.slice(0, 4).padEnd(4, '0')) + (Number(places[4] ?? 0) >= 5 ? 1n : 0n);
	if (digits > maxAmount) return { fault: 'must be between -99999999999999.9999 and 99999999999999.9999' };
	const padded = String(digits).padStart(5, '0');
	const amount = `${padded.slice(0, -4)}.${padded.slice(-4)}`.replace(/\.?0+$/, '');
	return sign === '-' && digits > 0n ? `-${amount}` : amount;
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

export function readCurrency(value: unknown): string | Fault {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	return currencies.has(code) ? code : { fault: 'must be a currency of ISO 4217 such as EUR' };
}

/** Properties as texts, up to the bounds, and the names of what is not kept as it was sent. */
export function readProperties(sent: Readonly<Record<string, unknown>>): {
	properties: Record<string, string>;
	odd: string[];
} {
	// Without a prototype, so that `__proto__` is a name like any other.
	const properties: Record<string, string> = Object.create(null);
	const odd: string[] = [];
	for (const [count, [sentName, value]] of Object.entries(sent)
		.filter(([, value]) => value !== null)
		.entries()) {
		const name = cleanText(sentName, maxPropertyName);
		const text = textOf(value);
		const isWhole =
			text !== undefined &&
			cutText(sentName, maxPropertyName) === sentName &&
			cutText(text, maxPropertyValue) === text;
		if (name === '' || !isWhole || count >= maxProperties) odd.push(name);
		if (count >= maxProperties) break;
		if (name !== '' && text !== undefined) properties[name] = cleanText(text, maxPropertyValue);
	}
	return { properties, odd };
}

function textOf(value: unknown): string | undefined {
	switch (typeof value) {
		case 'string':
			return value;
		case 'number':
		case 'boolean':
			return String(value);
		default:
			return undefined;
	}
}

export const isFault = (value: unknown): value is Fault => isRecord(value) && typeof value.fault === 'string';
