import { memoize } from '../lib/memoize.ts';
import { cleanPath } from './steps/clean-path.ts';
import { hasMasked } from './steps/mask.ts';

/** The URL of a page, a referrer or an origin. */
export type PageUrl = {
	/** In lower case and Punycode. `example.com.` is the same host as `example.com`. */
	hostname: string;
	/** As sent. */
	pathname: string;
	/** Decoded and masked, as it is stored. */
	path: string;
	search: string;
	hash: string;
};

/** Parses the URL of a page; undefined when it is not an http or https URL. */
export function parsePageUrl(text: string): PageUrl | undefined {
	return text.includes('?') || text.includes('#') || text.includes('@') ? parse(text) : parsePlain(text);
}

function parse(text: string): PageUrl | undefined {
	const url = URL.parse(text);
	if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
	const { pathname, search, hash } = url;
	return { hostname: url.hostname.replace(/\.$/, ''), pathname, path: cleanPath(pathname), search, hash };
}

/**
 * Most hits are about few pages, and parsing and cleaning URLs was the most expensive step of a hit. The cache holds only
 * URLs without a query, a fragment and credentials, in which nothing is masked, and not whose they were. They may be of hits that are
 * dropped afterwards. At most 10,000 URLs of 250 characters are kept, about 6 MB.
 */
const parsePlain = memoize(parse, {
	max: 10_000,
	maxLength: 250,
	isKept: (url) => url !== undefined && !hasMasked(url.path),
});
