import { isIP } from 'node:net';
import { type Hit, maxUserAgent, noClientHints, serverSideDefaults, type TrackedWebsite } from './hit.ts';
import {
	dayMs,
	type Fault,
	isFault,
	isRecord,
	maxProperties,
	maxTitleSent,
	maxUrl,
	readAmount,
	readCurrency,
	readId,
	readName,
	readProperties,
} from './hit-fields.ts';
import { parsePageUrl } from './page-url.ts';
import { cleanText } from './text.ts';

/** Error messages by field, as in a 422 response. */
export type EventFaults = { errors: Record<string, string[]> };

export type ServerEventContext = {
	website: TrackedWebsite;
	now: Date;
	/** For an event without an id. */
	makeId: () => string;
};

export const maxAgeMs = 7 * dayMs;
const maxAheadMs = 5 * 60_000;

/**
 * Parses an event that a server sent with an API key. It may have the time and the visitor's IP address and user agent, which are used
 * and discarded like those of a browser. Wrong values are refused rather than corrected, because a developer reads the response.
 */
export function parseServerEvent(body: unknown, context: ServerEventContext): Hit | EventFaults {
	if (!isRecord(body)) return { errors: { event: ['An event must be a JSON object.'] } };
	const errors: Record<string, string[]> = {};
	const refuse = (field: string, fault: string) => {
		errors[field] = [...(errors[field] ?? []), `The ${field} field ${fault}.`];
	};
	const read = <Value>(field: string, fallback: Value, reader: (value: unknown) => Value | Fault): Value => {
		const value = body[field];
		if (value === undefined || value === null) return fallback;
		const result = reader(value);
		if (!isFault(result)) return result;
		refuse(field, result.fault);
		return fallback;
	};

	const name = read('name', 'pageview', ofText(readName));
	const url = read('url', '', bounded(maxUrl));
	if (url === '' && !('url' in errors)) refuse('url', 'is required');
	const money = read('revenue', { revenue: '0', currency: '' }, readRevenue);
	const hit: Hit = {
		website: context.website,
		time: read('time', context.now, (value) => readTime(value, context.now)),
		kind: name === 'pageview' ? 'pageview' : 'custom',
		id: read('id', '', ofText(readId)) || context.makeId(),
		name,
		url: parsePageUrl(url),
		route: read('route', '', bounded(maxUrl)),
		referrer: read('referrer', '', bounded(maxUrl)),
		title: cleanText(read('title', '', bounded(maxTitleSent * 4)), maxTitleSent),
		screenWidth: 0,
		properties: read('properties', {}, readStrictProperties),
		...money,
		...serverSideDefaults,
		headers: {
			userAgent: read('user_agent', '', bounded(maxUrl)).trim().slice(0, maxUserAgent),
			acceptLanguage: read('language', '', bounded(256)),
			clientHints: noClientHints,
		},
		address: read('ip', '', readAddress),
	};
	return Object.keys(errors).length === 0 ? hit : { errors };
}

const ofText =
	<Value>(reader: (text: string) => Value | Fault) =>
	(value: unknown): Value | Fault =>
		typeof value === 'string' ? reader(value) : { fault: 'must be a string' };

const bounded = (max: number) =>
	ofText((text) => (text.length > max ? { fault: `must not have more than ${max} characters` } : text));

const readAddress = ofText((text) =>
	text === '' || (isIP(text) !== 0 && !text.includes('%'))
		? text
		: { fault: 'must be an IPv4 or IPv6 address' },
);

/** An ISO 8601 time with its offset, without which it would be ambiguous. */
const instant = /^(\d{4}-\d\d-(\d\d))[Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)$/;

function readTime(value: unknown, now: Date): Date | Fault {
	const [text, date = '', day] = (typeof value === 'string' && instant.exec(value)) || [];
	// JavaScript parses February 30 as March 2.
	const isDate = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
	const time = new Date(
		(text ?? '')
			.toUpperCase()
			.replace(' ', 'T')
			.replace(',', '.')
			.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'),
	);
	if (!isDate || Number.isNaN(time.getTime()))
		return { fault: 'must be an ISO 8601 time with an offset, such as 2026-11-15T09:00:00Z' };
	const ageMs = now.getTime() - time.getTime();
	if (ageMs > maxAgeMs) return { fault: 'must not be more than 7 days ago' };
	if (ageMs < -maxAheadMs) return { fault: 'must not be more than 5 minutes ahead' };
	return time;
}

function readRevenue(value: unknown): { revenue: string; currency: string } | Fault {
	if (!isRecord(value)) return { fault: 'must be an object with amount and currency' };
	const revenue = readAmount(value.amount);
	if (isFault(revenue)) return { fault: `has an invalid amount: it ${revenue.fault}` };
	const currency = readCurrency(value.currency);
	if (isFault(currency)) return { fault: `has an invalid currency: it ${currency.fault}` };
	return { revenue, currency };
}

function readStrictProperties(value: unknown): Record<string, string> | Fault {
	if (!isRecord(value)) return { fault: 'must be an object' };
	const { properties, truncated } = readProperties(value);
	return truncated.length === 0
		? properties
		: {
				fault:
					`must be at most ${maxProperties} texts, numbers or booleans with names of up to 100 and values of up to 500 ` +
					`characters; look at "${truncated[0]}"`,
			};
}
