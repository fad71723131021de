import { noticeClick, noticeSubmit } from './clicks.ts';
import { guard } from './guard.ts';
import { isIgnored } from './opt-out.ts';
import {
	leavePage,
	measureEngagement,
	noticeNavigation,
	sendPageView,
	track,
	viewPage,
} from './page-view.ts';
import { data, website } from './settings.ts';

/**
 * The script in other people's pages. It counts page views and events, and says how long and how far a page
 * was read. It stores nothing, asks for nothing that identifies anybody, and breaks nothing: the build puts
 * all of it into one `try`, and what runs later runs in a `guard`.
 */

/** What is noticed by itself. All of these pass the window on their way down, before the page hears of them. */
const listeners = {
	click: noticeClick,
	auxclick: noticeClick,
	submit: noticeSubmit,
	scroll: measureEngagement,
	focus: measureEngagement,
	blur: measureEngagement,
	// A hidden page may never be heard of again, so what is known is sent. A page that is left is hidden first.
	visibilitychange: () => (document.hidden ? leavePage() : measureEngagement()),
	// A page that comes back from the back-forward cache is seen again, as if it had been loaded.
	pageshow: (event: PageTransitionEvent) => event.persisted && viewPage(document.referrer),
	// Also says that what follows # has changed.
	popstate: noticeNavigation,
};

let hasBegun = false;
/** Calls that came before the start: in a prerendered page, or while a consent tool waits. */
const waiting: Parameters<Tidemark>[] = [];

const begin = guard(() => {
	if (document.prerendering) addEventListener('prerenderingchange', begin, true);
	else if (!hasBegun) {
		hasBegun = true;
		viewPage(document.referrer);
		sendPageView();
		for (const call of waiting) api(...call);
		// Each of them takes the event it is listed for.
		for (const type in listeners)
			addEventListener(type, guard(listeners[type as keyof typeof listeners] as EventListener), true);
		// Last, because a page can have frozen its history; going back is noticed all the same.
		for (const name of ['pushState', 'replaceState'] as const) {
			const original = history[name];
			history[name] = (...state) => {
				original.apply(history, state);
				noticeNavigation();
			};
		}
	}
});

const api: Tidemark = guard((name, options) => {
	if (name === 'start') begin();
	else if (hasBegun) name === 'pageview' ? viewPage() : track(name, options);
	// A page that nobody ever agrees to must not fill up.
	else if (waiting.length < 99) waiting.push([name, options]);
});

const early = window.tidemark;
// A second copy of the script stays silent.
if (website && !early?.w) {
	api.w = website;
	window.tidemark = api;
	// A page that waits for consent can be opened with #tidemark-ignore, too.
	isIgnored();
	if (data.auto !== 'off') begin();
	// What the page's own one-liner kept are the arguments of calls.
	for (const call of early?.q || []) api(...(call as Parameters<Tidemark>));
}
