import { isbot } from 'isbot';
import { listHas } from '../lib/networks.ts';
import { remember } from '../lib/remember.ts';
import type { Hit } from './hit.ts';
import { hostnameOf, isOwnHostname } from './hostnames.ts';
import { parsePageUrl } from './page-url.ts';
import { Dropped, type Step } from './step.ts';

/** Fetched ahead, perhaps never seen. When it is shown after all, the tracker sends it then. */
export const refusePrefetches: Step = (event, hit) => (hit.isPrefetch ? new Dropped('prefetch') : event);

export const refuseBots: Step = (event, hit) =>
	hit.website.excludeBots && isFromBot(hit) ? new Dropped('bot') : event;

/** Every browser says what it is. A server that reports an event may not know what its visitor used. */
function isFromBot({ headers, isServerSide }: Hit): boolean {
	return headers.userAgent === '' ? !isServerSide : isBotAgent(headers.userAgent);
}

/** The pattern takes some 10 µs, and a few thousand user agents are nearly all of the traffic. */
const isBotAgent = remember(isbot, 5_000);

export const refuseExcludedAddresses: Step = (event, hit) =>
	listHas(hit.website.excludeIps, hit.address) ? new Dropped('excluded_address') : event;

/**
 * A collector is open to everybody, so pages that copied the tag, and whoever is out to spoil the numbers, can
 * send hits for any website. What the page says of itself and what the browser says of the page (`Origin`, which
 * a page cannot change) must both be the website's. Something that is no browser can still lie about both.
 */
export const refuseForeignHostnames: Step = (event, hit) => {
	if (saysOnlySignal(hit)) return event;
	const url = parsePageUrl(hit.url);
	if (!url || hostnameOf(url) === '') return new Dropped('bad_url');
	const origin = parsePageUrl(hit.origin);
	const hostnames = [url, ...(origin ? [origin] : [])].map(hostnameOf);
	const foreign = hostnames.find((hostname) => !isOwnHostname(hit.website, hostname));
	return foreign === undefined ? event : new Dropped('foreign_hostname', foreign);
};

/** Global Privacy Control and Do Not Track mean: do not count me. A website's owner can decide otherwise. */
export const honourPrivacySignals: Step = (event, hit) =>
	hasSignal(hit) && (hit.website.honourSignals || saysOnlySignal(hit))
		? new Dropped('privacy_signal')
		: event;

const hasSignal = ({ signals }: Hit): boolean => signals.globalPrivacyControl || signals.doNotTrack;

/** The tracker tells nothing of such a visitor but that there was one: not even the page. */
const saysOnlySignal = (hit: Hit): boolean => hit.url === '' && hasSignal(hit);
