import { randomBytes } from 'node:crypto';
import type { EventKind } from './event.ts';
import { type Hit, maxUserAgent, type TrackedWebsite } from './hit.ts';
import {
	clamp,
	dayMs,
	type Fault,
	isFault,
	isRecord,
	isWebsiteId,
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

export type HitContext = {
	website: TrackedWebsite;
	/** The visitor's IP address. */
	address: string;
	headers: Headers;
	now: Date;
};

/** As in Node: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Reads only the website id of a hit. */
export function readWebsiteId(body: unknown): number | Fault {
	const id = isRecord(body) ? body.w : undefined;
	return isWebsiteId(id) ? id : { fault: 'The w field must be the id of a website.' };
}

/**
 * Parses a hit of the tracker (docs/hits.md lists its fields). Fields are read one by one, so anything else that a browser claims,
 * such as an address or a time, is ignored. The time is ours; `d` and `a` only say how long ago something was, within limits.
 *
 * Numbers out of range are clamped, texts are cut, and properties of the wrong type are left out, because a page view with a strange
 * property is still a page view. Only a field that makes the hit meaningless is a fault.
 */
export function parseHit(body: unknown, context: HitContext): Hit | Fault {
	if (!isRecord(body)) return { fault: 'A hit must be a JSON object.' };
	const fields = readFields(body);
	if (isFault(fields)) return fields;
	const { url, ageMs, hasSignal } = fields;
	const header = (name: string, max = 256) => readHeader(context.headers, name, max);
	const signals = {
		globalPrivacyControl: header('sec-gpc') === '1' || hasSignal,
		doNotTrack: header('dnt') === '1',
	};
	// Named one by one: a rest and a spread would copy them twice.
	return {
		website: context.website,
		time: new Date(context.now.getTime() - ageMs),
		kind: fields.kind,
		id: fields.id,
		name: fields.name,
		url: parsePageUrl(url),
		route: fields.route,
		origin: header('origin'),
		referrer: fields.referrer,
		title: fields.title,
		screenWidth: fields.screenWidth,
		properties: fields.properties,
		revenue: fields.revenue,
		currency: fields.currency,
		pageEventId: fields.pageEventId,
		engagedMs: fields.engagedMs,
		scroll: fields.scroll,
		vitals: fields.vitals,
		signals,
		isSignalOnly: url === '' && (signals.globalPrivacyControl || signals.doNotTrack),
		isPrefetch: prefetchHeaders.some(
			(name) => context.headers[name] !== undefined && /prefetch|prerender|preview/i.test(header(name)),
		),
		headers: {
			userAgent: header('user-agent', maxUserAgent),
			acceptLanguage: header('accept-language'),
			clientHints: {
				brands: header('sec-ch-ua', 512),
				platform: header('sec-ch-ua-platform'),
				mobile: header('sec-ch-ua-mobile'),
				platformVersion: header('sec-ch-ua-platform-version'),
				fullVersions: header('sec-ch-ua-full-version-list', 512),
			},
		},
		address: context.address,
		isServerSide: false,
	};
}

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

const maxRetryMs = 60_000;

function readFields(body: Readonly<Record<string, unknown>>) {
	const faults: string[] = [];
	const text = (name: string, max: number): string => {
		const value = body[name] ?? '';
		if (typeof value !== 'string') faults.push(`The ${name} field must be a string.`);
		return typeof value === 'string' ? value.slice(0, max) : '';
	};
	const number = (value: unknown, name: string): number => {
		if (value !== undefined && value !== null && typeof value !== 'number')
			faults.push(`The ${name} field must be a number.`);
		return typeof value === 'number' ? value : 0;
	};
	const id = (name: string, makeDefault: () => string): string => {
		const value = body[name];
		if (value === undefined || value === null) return makeDefault();
		const read = typeof value === 'string' ? readId(value) : { fault: 'must be a string' };
		if (!isFault(read)) return read;
		faults.push(`The ${name} field ${read.fault}.`);
		return '0';
	};

	const tag = body.k ?? '';
	if (tag !== '' && tag !== 'e' && tag !== 'v') faults.push('The k field must be e or v.');
	const belongsToPage = tag === 'e' || tag === 'v';
	const sentName = body.n ?? 'pageview';
	const name = typeof sentName === 'string' ? readName(sentName) : { fault: 'must be a string' };
	if (isFault(name)) faults.push(`The n field ${name.fault}.`);

	const sinceMs = belongsToPage ? number(body.d, 'd') : 0;
	if (sinceMs > dayMs) faults.push('The d field must not be more than 24 hours.');
	const vitals = tag === 'v' && isRecord(body.v) ? body.v : {};
	const money = body.m === undefined || body.m === null ? { revenue: '0', currency: '' } : readMoney(body);
	if (isFault(money)) faults.push(money.fault);

	const kind = kindOf(tag, name);
	const fields = {
		kind,
		id: id('i', randomId),
		name: belongsToPage ? kind : isFault(name) ? '' : name,
		url: text('u', maxUrl),
		route: belongsToPage ? '' : text('route', maxUrl),
		referrer: text('r', maxUrl),
		title: cleanText(text('t', maxTitleSent * 4), maxTitleSent),
		screenWidth: clamp(number(body.x, 'x'), 65_535),
		properties: isRecord(body.p) && !belongsToPage ? readProperties(body.p).properties : {},
		revenue: isFault(money) || belongsToPage ? '0' : money.revenue,
		currency: isFault(money) || belongsToPage ? '' : money.currency,
		pageEventId: belongsToPage ? id('o', () => missing('o', faults)) : '0',
		engagedMs: tag === 'e' ? clamp(number(body.e, 'e'), dayMs) : 0,
		scroll: tag === 'e' ? clamp(number(body.s, 's'), 100) : 0,
		vitals: {
			lcpMs: clamp(number(vitals.lcp, 'v.lcp'), dayMs),
			inpMs: clamp(number(vitals.inp, 'v.inp'), dayMs),
			cls: readShift(tag, number(vitals.cls, 'v.cls'), 'cls' in vitals),
		},
		hasSignal: body.g === 1 || body.g === true,
		ageMs: clamp(sinceMs, dayMs) + clamp(number(body.a, 'a'), maxRetryMs),
	};
	return faults[0] === undefined ? fields : { fault: faults[0] };
}

function kindOf(tag: unknown, name: unknown): EventKind {
	if (tag === 'e') return 'engagement';
	if (tag === 'v') return 'vital';
	return name === 'pageview' ? 'pageview' : 'custom';
}

function missing(name: string, faults: string[]): string {
	faults.push(`The ${name} field must be the id of a page view.`);
	return '0';
}

const randomId = (): string => (randomBytes(8).readBigUInt64BE() || 1n).toString();

function readMoney(body: Readonly<Record<string, unknown>>): { revenue: string; currency: string } | Fault {
	const revenue = readAmount(body.m);
	if (isFault(revenue)) return { fault: `The m field ${revenue.fault}.` };
	const currency = readCurrency(body.c);
	if (isFault(currency)) return { fault: `The c field ${currency.fault}.` };
	return { revenue, currency };
}

/** Rounded to four decimals, which a Float32 stores without loss. */
function readShift(tag: unknown, shift: number, isMeasured: boolean): number {
	if (tag !== 'v') return 0;
	return isMeasured ? Math.min(Math.max(Math.round(shift * 1e4) / 1e4, 0), 999) : -1;
}

function readHeader(headers: Headers, name: string, max: number): string {
	const value = headers[name];
	if (value === undefined) return '';
	return (typeof value === 'string' ? value : (value[0] ?? '')).trim().slice(0, max);
}
