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
 * The tracker script. It sends page views, events and engagement. It stores nothing, reads nothing that identifies a person, and must
 * not break the page: the build wraps it in one `try`, and code that runs later is wrapped in `guard`.
 */

/** Capturing listeners on the window, which run before those of the page. */
const listeners = {
	click: noticeClick,
	auxclick: noticeClick,
	submit: noticeSubmit,
	scroll: measureEngagement,
	focus: measureEngagement,
	blur: measureEngagement,
	// A hidden page may never become visible again, so send what is known. A page that is left is hidden first.
	visibilitychange: () => (document.hidden ? leavePage() : measureEngagement()),
	// A page from the back-forward cache counts as a new page view.
	pageshow: (event: PageTransitionEvent) => event.persisted && viewPage(document.referrer),
	// Also fires when the fragment changes.
	popstate: noticeNavigation,
};

let hasBegun = false;
/** Calls before the start: in a prerendered page, or before the visitor consents. */
const waiting: Parameters<Tidemark>[] = [];

const begin = guard(() => {
	if (document.prerendering) addEventListener('prerenderingchange', begin, true);
	else if (!hasBegun) {
		hasBegun = true;
		viewPage(document.referrer);
		sendPageView();
		for (const call of waiting) api(...call);
		// Each listener takes the event of its name.
		for (const type in listeners)
			addEventListener(type, guard(listeners[type as keyof typeof listeners] as EventListener), true);
		// Last, because it fails if the page has frozen its history; going back still works then.
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
	// Limits the memory of a page that never starts.
	else if (waiting.length < 99) waiting.push([name, options]);
});

const early = window.tidemark;
// A second copy of the script does nothing.
if (website && !early?.w) {
	api.w = website;
	window.tidemark = api;
	// #tidemark-ignore also works on a page that waits for consent.
	isIgnored();
	if (data.auto !== 'off') begin();
	// The inline snippet of the page queues the arguments of calls.
	for (const call of early?.q || []) api(...(call as Parameters<Tidemark>));
}
