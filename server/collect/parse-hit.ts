import { randomBytes } from 'node:crypto';
import type { EventKind } from './event.ts';
import type { Hit, TrackedWebsite } from './hit.ts';
import {
	bound,
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
} from './hit-members.ts';
import { cleanText } from './text.ts';

/** A hit of a browser as it came to the door. */
export type HitRequest = {
	website: TrackedWebsite;
	/** The visitor's address, as the door knows it. */
	address: string;
	headers: Headers;
	now: Date;
};

/** As Node gives them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Which website a hit is for, before anything else of it is looked at. */
export function readWebsiteId(body: unknown): number | Fault {
	const id = isRecord(body) ? body.w : undefined;
	return isWebsiteId(id) ? id : { fault: 'The member w must be the id of a website.' };
}

/**
 * What the tracker sends, in its short words (docs/hits.md has the table). Members are picked one by one, so
 * nothing that a browser claims about address, user agent, country or time is ever seen. The time is ours: only `d`
 * and `a` say how long ago something was, by a bounded length.
 *
 * Numbers out of range are moved to the nearer end, texts are cut, and properties of the wrong type are left out,
 * because a page view with a strange property is still a page view. Only what makes a hit meaningless is a fault.
 */
export function parseHit(body: unknown, request: HitRequest): Hit | Fault {
	if (!isRecord(body)) return { fault: 'A hit must be a JSON object.' };
	const members = readMembers(body);
	if (isFault(members)) return members;
	const { kind, ageMs, hasSignal, ...rest } = members;
	const header = (name: string, max = 256) => readHeader(request.headers, name).slice(0, max);
	return {
		...rest,
		website: request.website,
		kind,
		time: new Date(request.now.getTime() - ageMs),
		origin: header('origin'),
		signals: {
			globalPrivacyControl: header('sec-gpc') === '1' || hasSignal,
			doNotTrack: header('dnt') === '1',
		},
		isPrefetch: ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
			/prefetch|prerender|preview/i.test(header(name)),
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
		address: request.address,
		isServerSide: false,
	};
}

/** No browser has a longer one; what is longer is meant to keep a parser busy. */
export const maxUserAgent = 512;

const maxRetryMs = 60_000;

function readMembers(body: Readonly<Record<string, unknown>>) {
	const faults: string[] = [];
	const text = (name: string, max: number): string => {
		const value = body[name] ?? '';
		if (typeof value !== 'string') faults.push(`The member ${name} must be a text.`);
		return typeof value === 'string' ? value.slice(0, max) : '';
	};
	const number = (value: unknown, name: string): number => {
		if (value !== undefined && value !== null && typeof value !== 'number')
			faults.push(`The member ${name} must be a number.`);
		return typeof value === 'number' ? value : 0;
	};
	const id = (name: string, standard: () => string): string => {
		const value = body[name];
		if (value === undefined || value === null) return standard();
		const read = typeof value === 'string' ? readId(value) : { fault: 'must be a text' };
		if (!isFault(read)) return read;
		faults.push(`The member ${name} ${read.fault}.`);
		return '0';
	};

	const tag = body.k ?? '';
	if (tag !== '' && tag !== 'e' && tag !== 'v') faults.push('The member k must be e or v.');
	const belongsToPage = tag === 'e' || tag === 'v';
	const sent = body.n === undefined || body.n === null ? 'pageview' : body.n;
	const name = typeof sent === 'string' ? readName(sent) : { fault: 'must be a text' };
	if (isFault(name)) faults.push(`The member n ${name.fault}.`);

	const sinceMs = belongsToPage ? number(body.d, 'd') : 0;
	if (sinceMs > dayMs) faults.push('The member d must not be more than 24 hours.');
	const vitals = tag === 'v' && isRecord(body.v) ? body.v : {};
	const money = body.m === undefined || body.m === null ? { revenue: '0', currency: '' } : readMoney(body);
	if (isFault(money)) faults.push(money.fault);

	const kind = kindOf(tag, name);
	const members = {
		kind,
		id: id('i', randomId),
		name: belongsToPage ? kind : isFault(name) ? '' : name,
		url: text('u', maxUrl),
		referrer: text('r', maxUrl),
		title: cleanText(text('t', maxTitleSent * 4), maxTitleSent),
		screenWidth: bound(number(body.x, 'x'), 65_535),
		properties: isRecord(body.p) && !belongsToPage ? readProperties(body.p).properties : {},
		...(isFault(money) || belongsToPage ? { revenue: '0', currency: '' } : money),
		pageEventId: belongsToPage ? id('o', () => missing('o', faults)) : '0',
		engagedMs: tag === 'e' ? bound(number(body.e, 'e'), dayMs) : 0,
		scroll: tag === 'e' ? bound(number(body.s, 's'), 100) : 0,
		vitals: {
			lcpMs: bound(number(vitals.lcp, 'v.lcp'), dayMs),
			inpMs: bound(number(vitals.inp, 'v.inp'), dayMs),
			cls: readShift(tag, number(vitals.cls, 'v.cls'), 'cls' in vitals),
		},
		hasSignal: body.g === 1 || body.g === true,
		ageMs: bound(sinceMs, dayMs) + bound(number(body.a, 'a'), maxRetryMs),
	};
	return faults[0] === undefined ? members : { fault: faults[0] };
}

function kindOf(tag: unknown, name: unknown): EventKind {
	if (tag === 'e') return 'engagement';
	if (tag === 'v') return 'vital';
	return name === 'pageview' ? 'pageview' : 'custom';
}

function missing(name: string, faults: string[]): string {
	faults.push(`The member ${name} must be the id of a page view.`);
	return '0';
}

const randomId = (): string => (randomBytes(8).readBigUInt64BE() || 1n).toString();

function readMoney(body: Readonly<Record<string, unknown>>): { revenue: string; currency: string } | Fault {
	const revenue = readAmount(body.m);
	if (isFault(revenue)) return { fault: `The member m ${revenue.fault}.` };
	const currency = readCurrency(body.c);
	if (isFault(currency)) return { fault: `The member c ${currency.fault}.` };
	return { revenue, currency };
}

/** Four places of up to three digits: a Float32 gives them back as they were. */
function readShift(tag: unknown, shift: number, isMeasured: boolean): number {
	if (tag !== 'v') return 0;
	return isMeasured ? Math.min(Math.max(Math.round(shift * 1e4) / 1e4, 0), 999) : -1;
}

function readHeader(headers: Headers, name: string): string {
	const value = headers[name] ?? '';
	return (typeof value === 'string' ? value : (value[0] ?? '')).trim();
}
