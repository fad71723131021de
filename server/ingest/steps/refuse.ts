import { isbot } from 'isbot';
import { memoize } from '../../lib/memoize.ts';
import { listHas } from '../../lib/networks.ts';
import type { Hit } from '../hit.ts';
import { hostnameOf, isOwnHostname } from '../lookups/hostnames.ts';
import { parsePageUrl } from '../page-url.ts';
import { Dropped, type Step } from './step.ts';

/** A prefetched page may never be seen. If it is shown later, the tracker sends the page view then. */
export const refusePrefetches: Step = (event, hit) => (hit.isPrefetch ? new Dropped('prefetch') : event);

export const refuseBots: Step = (event, hit) =>
	hit.website.excludeBots && isFromBot(hit) ? new Dropped('bot') : event;

/** Every browser sends a user agent. A server that sends an event may not know that of its visitor. */
function isFromBot({ headers, isServerSide }: Hit): boolean {
	return headers.userAgent === '' ? !isServerSide : isBotAgent(headers.userAgent);
}

/** The pattern takes about 10 µs, and a few thousand user agents make up nearly all traffic. */
const isBotAgent = memoize(isbot, 5_000);

export const refuseExcludedAddresses: Step = (event, hit) =>
	listHas(hit.website.excludeIps, hit.address) ? new Dropped('excluded_address') : event;

/**
 * Anyone can send hits for any website, for example a copy of a page with its script tag. Both the URL of the page and the `Origin`
 * header, which a page cannot change, must belong to the website. A client that is not a browser can still forge both.
 */
export const refuseForeignHostnames: Step = (event, hit) => {
	if (hit.isSignalOnly) return event;
	const { url } = hit;
	if (!url || hostnameOf(url) === '') return new Dropped('bad_url');
	const origin = parsePageUrl(hit.origin);
	const hostnames = [url, ...(origin ? [origin] : [])].map(hostnameOf);
	const foreign = hostnames.find((hostname) => !isOwnHostname(hit.website, hostname));
	return foreign === undefined ? event : new Dropped('foreign_hostname', foreign);
};

/** Global Privacy Control and Do Not Track opt out of counting, unless the owner of the website turns that off. */
export const honourPrivacySignals: Step = (event, hit) =>
	hit.isSignalOnly || (hit.website.honourSignals && hasSignal(hit)) ? new Dropped('privacy_signal') : event;

const hasSignal = ({ signals }: Hit): boolean => signals.globalPrivacyControl || signals.doNotTrack;
