/**
 * An event of somewhere else becomes one of ours by the steps that every hit takes: the same cleaning of addresses, the same masks,
 * the same names of sources and devices. Who it was is settled as strictly as at home: the visitor of the source is hashed with
 * the day and a random key that is in memory while the import runs and nowhere afterwards, so that nobody can find the visitor of
 * the source by ours, nor one day's in another's.
 */
import { hash } from 'node:crypto';
import { attributeSource } from '../collect/attribute-source.ts';
import { begin } from '../collect/begin.ts';
import { cleanUrl } from '../collect/clean-url.ts';
import { describeDevice } from '../collect/describe-device.ts';
import { blankEvent, type Event } from '../collect/event.ts';
import { type Hit, noClientHints, notOfBrowser, type TrackedWebsite } from '../collect/hit.ts';
import { isOwnHostname } from '../collect/hostnames.ts';
import { locate } from '../collect/locate.ts';
import { refuseBots, refuseExcludedAddresses } from '../collect/refuse.ts';
import { Dropped, type DropReason, type Lists, type Step } from '../collect/step.ts';
import { cleanText } from '../collect/text.ts';
import { dateOf } from '../websites/zones.ts';
import type { ForeignEvent, ImportSource, SkipReason } from './importer.ts';
import { browserName, countryCode, deviceName, systemName } from './say-values.ts';

const maxName = 120;
const maxPlace = 100;
const maxProperties = 30;
const maxProperty = 300;

const steps: readonly Step[] = [
	begin,
	refuseBots,
	refuseExcludedAddresses,
	cleanUrl,
	attributeSource,
	describeDevice,
	locate,
];

/** Why a step left it out. */
const reasons: Partial<Record<DropReason, SkipReason>> = { bot: 'bot', excluded_address: 'excluded_address' };

export type EventMaker = (event: ForeignEvent) => Event | SkipReason;

/** `lists` where the source has addresses. */
export function createEventMaker(
	website: TrackedWebsite,
	source: ImportSource,
	key: Buffer,
	lists: Lists = noLists,
): EventMaker {
	return (foreign) => {
		const hit = toHit(website, source, foreign);
		let event: Event = blankEvent;
		for (const step of steps) {
			const result = step(event, hit, lists);
			if (result instanceof Dropped) return reasons[result.reason] ?? 'bad_url';
			event = result;
		}
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

/** Nothing is known of addresses that nobody has. */
const noLists: Lists = { places: { find: () => ({ country: '', region: '', city: '' }) } };

function toHit(website: TrackedWebsite, source: ImportSource, foreign: ForeignEvent): Hit {
	const name = cleanText(foreign.name, maxName);
	return {
		website,
		time: new Date(foreign.atMs),
		kind: name === '' ? 'pageview' : 'custom',
		id: eventId(website.id, source, foreign.id),
		name: name === '' ? 'pageview' : name,
		url: foreign.url,
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
		...notOfBrowser,
		headers: {
			userAgent: foreign.userAgent.slice(0, 512),
			acceptLanguage: foreign.language,
			clientHints: noClientHints,
		},
		address: foreign.address ?? '',
	};
}

/** The same row of the same source is the same event, however often it is brought. */
const eventId = (websiteId: number, source: ImportSource, id: string): string =>
	hash('sha256', `${source}\0${websiteId}\0${id}`, 'buffer').readBigUInt64BE().toString();

/** As in collect/identify-visitor.ts, and for the same reason no HMAC: it would take half of an import's time. */
function visitorId(key: Buffer, date: string, visitor: string): string {
	const told = Buffer.concat([key, Buffer.from(`${date}\0${visitor}`)]);
	const id = hash('sha256', told, 'buffer').readBigUInt64BE();
	return (id === 0n ? 1n : id).toString();
}
