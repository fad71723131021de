import { isbot } from 'isbot';
import { memoize } from '../../lib/memoize.ts';
import { listHas } from '../../lib/networks.ts';
import { isOwnHostname } from '../../websites/hostnames.ts';
import { type Hit, maxUserAgent } from '../hit.ts';
import { parsePageUrl } from '../page-url.ts';
import { Dropped, type Step } from './step.ts';

/** A prefetched page may never be seen. If it is shown later, the tracker sends the page view then. */
export const refusePrefetches: Step = (_event, hit) => (hit.isPrefetch ? new Dropped('prefetch') : undefined);

export const refuseBots: Step = (_event, hit) =>
	hit.website.excludeBots && isFromBot(hit) ? new Dropped('bot') : undefined;

/** Every browser sends a user agent. A server that sends an event may not know that of its visitor. */
function isFromBot({ headers, isServerSide }: Hit): boolean {
	return headers.userAgent === '' ? !isServerSide : isBotAgent(headers.userAgent);
}

/** The pattern takes about 10 µs, and a few thousand user agents make up nearly all traffic. */
const isBotAgent = memoize(isbot, { max: 5_000, maxLength: maxUserAgent });

export const refuseExcludedAddresses: Step = (_event, hit) =>
	hit.website.excludeIps && listHas(hit.website.excludeIps, hit.address)
		? new Dropped('excluded_address')
		: undefined;

/**
 * Anyone can send hits for any website, for example a copy of a page with its script tag. Both the URL of the page and the `Origin`
 * header, which a page cannot change, must belong to the website. A client that is not a browser can still forge both.
 */
export const refuseForeignHostnames: Step = (_event, hit) => {
	if (hit.isSignalOnly) return undefined;
	const { url, website } = hit;
	if (!url || url.hostname === '') return new Dropped('bad_url');
	if (!isOwnHostname(website, url.hostname))
		return new Dropped('foreign_hostname', { hostname: url.hostname });
	const origin = parsePageUrl(hit.origin);
	return origin && !isOwnHostname(website, origin.hostname)
		? new Dropped('foreign_hostname', { hostname: origin.hostname })
		: undefined;
};

/** Global Privacy Control and Do Not Track opt out of counting, unless the owner of the website turns that off. */
export const honourPrivacySignals: Step = (_event, hit) =>
	hit.isSignalOnly || (hit.website.honourSignals && hasSignal(hit))
		? new Dropped('privacy_signal')
		: undefined;

const hasSignal = ({ signals }: Hit): boolean => signals.globalPrivacyControl || signals.doNotTrack;
