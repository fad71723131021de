import { createHash } from 'node:crypto';
import { cleanText, cutText } from './text.ts';

/**
 * Readers of the fields that browsers and servers send. Each returns a value that its column stores without loss, or a fault.
 * ClickHouse wraps integers and truncates decimals silently, so every value must go through one.
 */
export type Fault = { fault: string };

const maxName = 100;
/** Leaves room for campaign parameters; the stored path and query have shorter limits. */
export const maxUrl = 8_192;
export const maxTitleSent = 1_000;
export const maxProperties = 30;
const maxPropertyName = 100;
export const maxPropertyValue = 500;
export const dayMs = 86_400_000;

/** The column is a UInt32. */
const maxWebsiteId = 4_294_967_295;

export const isWebsiteId = (value: unknown): value is number =>
	Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxWebsiteId;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rounds to an integer between 0 and `max`. */
export const clamp = (value: number, max: number): number => Math.min(Math.max(Math.round(value), 0), max);

/**
 * Reads an id as a 64-bit integer in decimal digits. 16 lower-case hexadecimal digits, as the tracker sends them, are converted; any
 * other text is hashed, so ids that differ as text are different events.
 */
export function readId(text: string): string | Fault {
	if (text === '' || text.length > 64) return { fault: 'must have 1 to 64 characters' };
	// 0 means none in a row, so it cannot be an id.
	if (/^[0-9a-f]{16}$/.test(text) && !/^0+$/.test(text)) return BigInt(`0x${text}`).toString();
	return createHash('sha256').update(text).digest().readBigUInt64BE().toString();
}

export function readName(text: string): string | Fault {
	const name = cleanText(text, maxName + 1);
	return name === '' || [...name].length > maxName ? { fault: `must have 1 to ${maxName} characters` } : name;
}

/** The largest Decimal64(4), in ten-thousandths: 18 digits. */
const maxAmount = 10n ** 18n - 1n;

/** Reads an amount of money as decimal text, rounded to four decimals: `19.99`, `-5`, `0.0001`. */
export function readAmount(value: unknown): string | Fault {
	const fault = { fault: 'must be an amount such as 19.99, as a number or a string' };
	// Larger than the column, so that an amount out of range gets the message about the range.
	const text = typeof value === 'number' && Math.abs(value) < 1e16 ? value.toFixed(10) : value;
	if (typeof text !== 'string') return fault;
	const [, sign = '', integer = '', decimals = ''] =
		/^([+-]?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text.trim()) ?? [];
	if (integer === '') return fault;
	const digits =
		BigInt(integer + decimals.slice(0, 4).padEnd(4, '0')) + (Number(decimals[4] ?? 0) >= 5 ? 1n : 0n);
	if (digits > maxAmount) return { fault: 'must be between -99999999999999.9999 and 99999999999999.9999' };
	const padded = String(digits).padStart(5, '0');
	const amount = `${padded.slice(0, -4)}.${padded.slice(-4)}`.replace(/\.?0+$/, '');
	return sign === '-' && digits > 0n ? `-${amount}` : amount;
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

export function readCurrency(value: unknown): string | Fault {
	const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
	return currencies.has(code) ? code : { fault: 'must be an ISO 4217 currency code such as EUR' };
}

/** Reads properties as texts within the limits. `truncated` names those that are cut or left out. */
export function readProperties(sent: Readonly<Record<string, unknown>>): {
	properties: Record<string, string>;
	truncated: string[];
} {
	// No prototype, so that `__proto__` is an ordinary name.
	const properties: Record<string, string> = Object.create(null);
	const truncated: string[] = [];
	for (const [count, [sentName, value]] of Object.entries(sent)
		.filter(([, value]) => value !== null)
		.entries()) {
		const name = cleanText(sentName, maxPropertyName);
		const text = textOf(value);
		const isWhole =
			text !== undefined &&
			cutText(sentName, maxPropertyName) === sentName &&
			cutText(text, maxPropertyValue) === text;
		if (name === '' || !isWhole || count >= maxProperties) truncated.push(name);
		if (count >= maxProperties) break;
		if (name !== '' && text !== undefined) properties[name] = cleanText(text, maxPropertyValue);
	}
	return { properties, truncated };
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
