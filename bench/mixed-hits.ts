/** Hits as the trackers of many websites send them through a proxy: HTTP requests, except for the id of the event. */
import { seededRandom } from '../test/support/random.ts';

/** A request before and after the event id, which must differ in each request that is sent. */
export type HitTemplate = { head: string; tail: string };

const pagesPerWebsite = 500;
const campaigns = ['', '', '', '?utm_source=news&utm_medium=email', '?ref=producthunt', '?gclid=Cj0KCQiA'];
const referrers = [
	'',
	'',
	'https://www.google.com/',
	'https://news.ycombinator.com/',
	'https://chatgpt.com/',
];
const languages = ['de-DE,de;q=0.9,en;q=0.8', 'en-US,en;q=0.9', 'fr-FR,fr;q=0.9', 'ja,en;q=0.8'];

const chromium = (platform: string, system: string, mobile: 0 | 1) => (version: number) => ({
	'sec-ch-ua': `"Chromium";v="${version}", "Not)A;Brand";v="8", "Google Chrome";v="${version}"`,
	'sec-ch-ua-mobile': `?${mobile}`,
	'sec-ch-ua-platform': `"${platform}"`,
	'user-agent': `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${mobile ? 'Mobile ' : ''}Safari/537.36`,
});
const browsers: ((version: number) => Record<string, string>)[] = [
	chromium('Windows', 'Windows NT 10.0; Win64; x64', 0),
	chromium('macOS', 'Macintosh; Intel Mac OS X 10_15_7', 0),
	chromium('Linux', 'X11; Linux x86_64', 0),
	chromium('Android', 'Linux; Android 10; K', 1),
	(version) => ({
		'user-agent': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${version % 8} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${version % 8} Mobile/15E148 Safari/604.1`,
	}),
	(version) => ({
		'user-agent': `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${version % 8} Safari/605.1.15`,
	}),
	(version) => ({
		'user-agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
	}),
];

/** Settings of a service that takes the addresses of these hits from their X-Forwarded-For header. */
export const behindProxy = { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1', TIDEMARK_HIT_LIMIT: '100000000' };

/**
 * 56 % page views, 30 % engagement, 10 % custom events, 4 % vitals. Every template has an address of its own. Some pages are much more
 * popular than others, as on real websites.
 */
export function makeHits(
	websites: readonly { id: number; domain: string }[],
	count = 20_000,
): readonly HitTemplate[] {
	const random = seededRandom(1);
	return Array.from({ length: count }, (_, n) => {
		const { id, domain } = random.pick(websites);
		const origin = `https://${domain}`;
		const page = Math.floor(pagesPerWebsite ** random.next());
		const url = `${origin}/section-${page % 9}/an-article-about-${page}`;
		const headers = {
			host: 'stats.example.com',
			...random.pick(browsers)(120 + random.whole(20)),
			'content-type': 'text/plain;charset=UTF-8',
			accept: '*/*',
			origin,
			'sec-fetch-site': 'cross-site',
			'sec-fetch-mode': 'cors',
			'sec-fetch-dest': 'empty',
			'accept-encoding': 'gzip, deflate, br, zstd',
			'accept-language': random.pick(languages),
			'x-forwarded-for': `${80 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.${1 + random.whole(250)}`,
		};
		const [start, end] = JSON.stringify({ w: id, i: '#', ...fieldsOf(random, url, origin) }).split('#');
		const length = 16 + Buffer.byteLength(`${start}${end}`);
		const lines = Object.entries({ ...headers, 'content-length': length }).map(
			([name, text]) => `${name}: ${text}`,
		);
		return { head: `POST /tm HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${start}`, tail: end ?? '' };
	});
}

function fieldsOf(random: ReturnType<typeof seededRandom>, url: string, origin: string): object {
	const chance = random.next();
	const about = { o: '0f3a9c5be2d17468', u: url, d: random.whole(100_000) };
	if (chance < 0.3) return { k: 'e', ...about, e: 100 + random.whole(60_000), s: random.whole(101) };
	if (chance < 0.34) return { k: 'v', ...about, v: { lcp: random.whole(4_000), inp: 64, cls: 0.0213 } };
	const view = { u: url, r: `${origin}/`, t: `An article about ${url.length} things`, x: 1440 };
	if (chance < 0.44) return { n: 'signup', ...view, p: { plan: 'pro', seats: random.whole(20) } };
	return { n: 'pageview', ...view, u: url + random.pick(campaigns), r: random.pick([...referrers, view.r]) };
}
