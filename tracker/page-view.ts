import { guard } from './guard.ts';
import { isIgnored } from './opt-out.ts';
import { newId, send } from './send.ts';
import { excluded, findAddress, isMinimal, properties } from './settings.ts';

/**
 * The current page view, its events, and its engagement: how long and how far the page was read, sent when it is left.
 *
 * A single-page application changes its URL first and its title shortly after. So a page view is sent after a tenth of a second, or
 * before the next hit.
 */
let address: string;
let referrer: string;
/** The event id of the page view; '' on an excluded page, which sends nothing. */
let view: string;
let viewedAt: number;
/** Set until the page view is sent. */
let timer = 0;

/** Engaged means visible and focused. Sent time is subtracted, so that the hits of a page view add up. */
let isEngaged: boolean;
let engagedMs = 0;
let measuredAt: number;
/** The maximum scroll depth while engaged, in percent. */
let depth: number;

/** In a single-page application the referrer is the previous page, except for the first page view. */
export const viewPage = (from = address) => {
	leavePage();
	referrer = from;
	address = findAddress();
	view = excluded.test(address) ? '' : newId();
	viewedAt = measuredAt;
	depth = 0;
	timer = setTimeout(guard(sendPageView), 99);
};

export const noticeNavigation = guard(() => {
	// The visitor may have added #tidemark-ignore to the URL of the open page.
	isIgnored();
	if (findAddress() !== address) viewPage();
});

export const sendPageView = () => {
	if (!timer) return;
	// Otherwise this timer would send the next page view too early.
	clearTimeout(timer);
	timer = 0;
	track('pageview', {}, view);
	if (document.querySelector('[name=tidemark][content="404"]')) track('404');
};

export const track = (n: string, { properties: own, revenue }: Options = {}, id?: string) => {
	sendPageView();
	if (view && n)
		send(
			isMinimal
				? { n }
				: {
						n,
						u: address,
						r: referrer,
						t: document.title,
						x: screen.width,
						p: (properties || own) && { ...properties, ...own },
						m: revenue?.amount,
						c: revenue?.currency,
					},
			id,
		);
};

/** Called whenever engagement may start, deepen or end. The time since the last call counts if the page was engaged then. */
export const measureEngagement = () => {
	const now = Math.round(performance.now());
	if (isEngaged) {
		engagedMs += now - measuredAt;
		// A focused page has a scrolling element.
		const page = document.scrollingElement as Element;
		const seen = (100 * (page.scrollTop + page.clientHeight)) / page.scrollHeight;
		// Rounds, and turns the NaN of a frame without a height into 0.
		depth = Math.max(depth, Math.min(100, seen + 0.5) | 0);
	}
	measuredAt = now;
	isEngaged = !document.hidden && document.hasFocus();
};

export const leavePage = () => {
	sendPageView();
	measureEngagement();
	const about = { u: address, o: view, d: measuredAt - viewedAt };
	const e = engagedMs;
	const v = window.tidemark?.v?.(view);
	engagedMs = 0;
	if (!view || isMinimal) return;
	// Ignores very short engagement: a restored page is visible for a moment before it becomes a new page view.
	if (e > 99) send({ ...about, k: 'e', e, s: depth });
	if (v) send({ ...about, k: 'v', v });
};
