/**
 * Which brand mark a value has. The names are those of browsers, operating systems and sources that the collector knows; a brand is the
 * name of its file in the package `simple-icons`.
 */

/** Brands whose file has another name than the value. */
const brandsByName: Record<string, string> = {
	androidbrowser: 'android',
	androidwebview: 'android',
	bravesearch: 'brave',
	chrome: 'googlechrome',
	ddg: 'duckduckgo',
	dev: 'devdotto',
	fb: 'facebook',
	gemini: 'googlegemini',
	gmxsearch: 'gmx',
	hackernews: 'ycombinator',
	hn: 'ycombinator',
	huaweibrowser: 'huawei',
	icloudmail: 'icloud',
	ig: 'instagram',
	insta: 'instagram',
	ios: 'apple',
	ioswebview: 'apple',
	lechat: 'mistralai',
	macos: 'apple',
	mailru: 'maildotru',
	navermail: 'naver',
	operamini: 'opera',
	twitter: 'x',
	watchos: 'apple',
	webde: 'webdotde',
	webdesearch: 'webdotde',
	weibo: 'sinaweibo',
	yt: 'youtube',
	zai: 'zdotai',
};

/** Hosts of referrers that are not the name of the brand and `.com`. */
const brandsByHost: Record<string, string> = {
	'bsky.app': 'bluesky',
	'claude.ai': 'claude',
	'dev.to': 'devdotto',
	'ecosia.org': 'ecosia',
	'fosstodon.org': 'mastodon',
	'gemini.google.com': 'googlegemini',
	'lobste.rs': 'lobsters',
	'mail.google.com': 'gmail',
	'mastodon.social': 'mastodon',
	'news.google.com': 'googlenews',
	'news.ycombinator.com': 'ycombinator',
	'perplexity.ai': 'perplexity',
	'search.brave.com': 'brave',
	't.co': 'x',
	't.me': 'telegram',
	'threads.net': 'threads',
	'twitch.tv': 'twitch',
	'wikipedia.org': 'wikipedia',
	'youtu.be': 'youtube',
};

const shape = (name: string): string =>
	name
		.toLowerCase()
		.replace(/ app$/, '')
		.replace(/[^\p{L}\p{N}]+/gu, '');

const hostOf = (referrer: string): string =>
	/^(?:https?:\/\/)?(?:(?:www|m|l|lm|out|old)\.)?([^/:?#]+)/i.exec(referrer)?.[1]?.toLowerCase() ?? '';

/** Name of the brand, for which there need not be a file. */
export function brandOf(dimension: string, value: string): string {
	if (dimension !== 'referrer') return brandsByName[shape(value)] ?? shape(value);
	const host = hostOf(value);
	if (/^google\.[a-z]{2,3}(\.[a-z]{2})?$/.test(host)) return 'google';
	const country = /^[a-z]{2}\.(wikipedia\.org)$/.exec(host)?.[1];
	return brandsByHost[country ?? host] ?? /^([a-z]+)\.com$/.exec(host)?.[1] ?? '';
}

export const letterOf = (dimension: string, value: string): string =>
	dimension === 'referrer' || dimension === 'source' ? hostOf(value) : value;
