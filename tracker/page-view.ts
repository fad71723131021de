import { guard } from './guard.ts';
import { isIgnored } from './opt-out.ts';
import { newId, send } from './send.ts';
import { excluded, findAddress, isMinimal, properties } from './settings.ts';

/**
 * The page view that is on the screen, and what is sent of it: itself, events, and when it is left how long
 * and how far it was read.
 *
 * A single-page application changes its address first and its title a little later. So a page view waits for
 * a tenth of a second, or for the next thing that is sent, whichever comes first.
 */
let address: string;
let referrer: string;
/** The event id of the page view. On an excluded page there is none, and nothing is sent. */
let view: string;
let viewedAt: number;
/** Set while the page view waits. */
let timer = 0;

/** Engaged means visible and focused. What was sent is taken off, so that the hits of one page view add up. */
let isEngaged: boolean;
let engagedMs = 0;
let measuredAt: number;
/** The greatest part of the page that was seen while engaged, in percent. */
let depth: number;

/** For all views of a single-page application but the first, the referrer is the page before. */
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
	// Somebody may have put #tidemark-ignore behind the address of the open page.
	isIgnored();
	if (findAddress() !== address) viewPage();
});

export const sendPageView = () => {
	if (!timer) return;
	// Or it would cut short what the next page view waits.
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

/** Called whenever engagement may begin, deepen or end: what lies between two calls counts if it began engaged. */
export const measureEngagement = () => {
	const now = Math.round(performance.now());
	if (isEngaged) {
		engagedMs += now - measuredAt;
		// A page that can have the focus has one.
		const page = document.scrollingElement as Element;
		const seen = (100 * (page.scrollTop + page.clientHeight)) / page.scrollHeight;
		// Rounded; and a frame without a height is 0 of 0, which becomes 0.
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
	// Less than a glance is not worth a request: a page that comes back is visible a moment before it is a new view.
	if (e > 99) send({ ...about, k: 'e', e, s: depth });
	if (v) send({ ...about, k: 'v', v });
};
