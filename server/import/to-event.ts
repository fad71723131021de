/**
 * An event of somewhere else becomes one of ours by the steps that every hit takes: the same cleaning of addresses, the same masks,
 * the same names of sources and devices. Who it was is settled as strictly as at home: the visitor of the source is hashed with
 * the day and a random key that is in memory while the import runs and nowhere afterwards, so that nobody can find the visitor of
 * the source by ours, nor one day's in another's. An event's id is a number of this reading and no function of what was read: an
 * unkeyed hash of a line would tell whether a guessed address is in it.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Event } from '../ingest/event.ts';
import { type Hit, noClientHints, serverSideDefaults, type TrackedWebsite } from '../ingest/hit.ts';
import { parsePageUrl } from '../ingest/page-url.ts';
import { attributeSource } from '../ingest/steps/attribute-source.ts';
import { cleanUrl } from '../ingest/steps/clean-url.ts';
import { copyHitFields } from '../ingest/steps/copy-hit-fields.ts';
import { describeDevice } from '../ingest/steps/describe-device.ts';
import { locate } from '../ingest/steps/locate.ts';
import { refuseBots, refuseExcludedAddresses } from '../ingest/steps/refuse.ts';
import { applySteps, Dropped, type DropReason, type Lookups, type Step } from '../ingest/steps/step.ts';
import { cleanText } from '../ingest/text.ts';
import { isOwnHostname } from '../websites/hostnames.ts';
import { dateOf } from '../websites/zones.ts';
import type { ForeignEvent, SkipReason } from './importer.ts';
import { browserName, countryCode, deviceName, systemName } from './normalize-names.ts';

const maxName = 120;
const maxPlace = 100;
const maxProperties = 30;
const maxProperty = 300;

const steps: readonly Step[] = [
	copyHitFields,
	refuseBots,
	refuseExcludedAddresses,
	cleanUrl,
	attributeSource,
	describeDevice,
	locate,
];

/** Why a step skipped the event. */
const reasons: Partial<Record<DropReason, SkipReason>> = { bot: 'bot', excluded_address: 'excluded_address' };

export type EventMaker = (event: ForeignEvent) => Event | SkipReason;

/** `lookups` where the source has addresses. */
export function createEventMaker(
	website: TrackedWebsite,
	key: Buffer,
	lookups: Lookups = noLookups,
): EventMaker {
	const nextId = createEventIds();
	return (foreign) => {
		const hit = toHit(website, nextId(), foreign);
		const event = applySteps(steps, hit, lookups);
		if (event instanceof Dropped) return reasons[event.reason] ?? 'bad_url';
		if (!isOwnHostname(website, event.hostname)) return 'other_website';
		const { date } = dateOf(website.zones, foreign.atMs);
		const { device } = foreign;
		return {
			...event,
			date,
			visitor_id: foreign.visitor === '' ? '0' : visitorId(key, date, foreign.visitor),
			...(device.browser !== undefined && { browser: browserName(cleanText(device.browser, maxPlace)) }),
			...(device.os !== undefined && { os: systemName(cleanText(device.os, maxPlace)) }),
			...(device.device !== undefined && { device: deviceName(cleanText(device.device, maxPlace)) }),
			...(foreign.address === undefined && {
				country: countryCode(foreign.country),
				region: cleanText(foreign.region, maxPlace),
				city: cleanText(foreign.city, maxPlace),
			}),
		};
	};
}

/** Imported events have no IP address to look up. */
const noLookups: Lookups = { geo: { find: () => ({ country: '', region: '', city: '' }) } };

function toHit(website: TrackedWebsite, id: string, foreign: ForeignEvent): Hit {
	const name = cleanText(foreign.name, maxName);
	return {
		website,
		time: new Date(foreign.atMs),
		kind: name === '' ? 'pageview' : 'custom',
		id,
		name: name === '' ? 'pageview' : name,
		url: parsePageUrl(foreign.url),
		route: '',
		referrer: foreign.referrer,
		title: cleanText(foreign.title, maxProperty),
		screenWidth: foreign.screenWidth,
		properties: Object.fromEntries(
			Object.entries(foreign.properties)
				.slice(0, maxProperties)
				.map(([key, text]) => [cleanText(key, maxName), cleanText(text, maxProperty)] as const)
				.filter(([key]) => key !== ''),
		),
		revenue: '0',
		currency: '',
		...serverSideDefaults,
		headers: {
			userAgent: foreign.userAgent.slice(0, 512),
			acceptLanguage: foreign.language,
			clientHints: noClientHints,
		},
		address: foreign.address ?? '',
	};
}

/**
 * Counts up from a random number, so that ids are unique and events of the same moment keep the order of the file. Nothing
 * depends on an event having the same id when it is read again: an import that was cut short starts over, and a day is imported once.
 */
function createEventIds(): () => string {
	let id = randomBytes(8).readBigUInt64BE();
	return () => {
		id = BigInt.asUintN(64, id + 1n) || 1n;
		return id.toString();
	};
}

/** As in ingest/steps/identify-visitor.ts, and for the same reason no HMAC: it would take half of an import's time. */
function visitorId(key: Buffer, date: string, visitor: string): string {
	const input = Buffer.concat([key, Buffer.from(`${date}\0${visitor}`)]);
	const id = hash('sha256', input, 'buffer').readBigUInt64BE();
	return (id === 0n ? 1n : id).toString();
}
