/**
 * Web vitals: how fast the largest part of a page was painted (LCP), how slow its slowest answer to a person
 * was (INP), how much it moved about (CLS). An optional second file, because most websites do not need it.
 * tm.js asks for the figures when it leaves a page view, and sends them with it.
 *
 * The definitions are those of https://web.dev/articles/vitals. A browser that does not measure one of them
 * leaves it out.
 */

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };
type EventTiming = PerformanceEntry & { interactionId?: number };

/** The longest answers by interaction: several events (pointerdown, pointerup, click) can belong to one. */
const slowest = new Map<number, number>();
let largestPaint: number | undefined;
let firstHiddenAt = document.hidden ? 0 : Number.POSITIVE_INFINITY;

/** Shifts less than a second apart, and no more than five seconds in all, are one; the worst such run counts. */
const seesShifts = PerformanceObserver.supportedEntryTypes.includes('layout-shift');
let shift = 0;
let runOfShifts = 0;
let runBeganAt = 0;
let lastShiftAt = 0;

/** Interactions up to the page view before this one. */
let earlierInteractions = 0;
let reported: string | undefined;

const countInteractions = () => (performance as { interactionCount?: number }).interactionCount ?? 0;

/** Zero at the moment that the visitor began to wait, which for a prerendered page is its activation. */
const activationStart = () =>
	(performance.getEntriesByType('navigation')[0] as { activationStart?: number } | undefined)
		?.activationStart ?? 0;

const observations: [PerformanceObserver, (entry: never) => void][] = [];

/** Only what the browser knows; an unknown type would be a warning in the page's console. */
const observe = <Entry extends PerformanceEntry>(
	type: string,
	read: (entry: Entry) => void,
	options?: { durationThreshold: number },
) => {
	if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
	const observer = new PerformanceObserver((list) => readAll(list.getEntries(), read));
	observer.observe({ type, buffered: true, ...options });
	observations.push([observer, read]);
};

const readAll = (entries: PerformanceEntry[], read: (entry: never) => void) => {
	try {
		// An observer is only given entries of the type that it asked for.
		for (const entry of entries) read(entry as never);
	} catch {
		// A page that breaks what we need is not measured.
	}
};

observe('largest-contentful-paint', (paint) => {
	// What is painted after the page was once hidden says nothing about waiting.
	if (paint.startTime < firstHiddenAt) largestPaint = Math.max(0, paint.startTime - activationStart());
});

observe<LayoutShift>('layout-shift', ({ startTime, value, hadRecentInput }) => {
	if (hadRecentInput) return;
	const isSameRun = startTime - lastShiftAt < 1e3 && startTime - runBeganAt < 5e3;
	if (!isSameRun) {
		runBeganAt = startTime;
		runOfShifts = 0;
	}
	lastShiftAt = startTime;
	runOfShifts += value;
	shift = Math.max(shift, runOfShifts);
});

/** Answers faster than the threshold are not told, but for the first, so that a quick page has a figure too. */
for (const type of ['first-input', 'event'])
	observe<EventTiming>(
		type,
		({ interactionId, duration }) => {
			if (!interactionId) return;
			slowest.set(interactionId, Math.max(duration, slowest.get(interactionId) ?? 0));
			if (slowest.size <= 10) return;
			const [shortest] = [...slowest].sort((a, b) => a[1] - b[1]);
			if (shortest) slowest.delete(shortest[0]);
		},
		{ durationThreshold: 40 },
	);

/** The slowest answer, but of many the one that one in fifty was slower than. */
const findInp = () => {
	const index = Math.floor((countInteractions() - earlierInteractions) / 50);
	return [...slowest.values()].sort((a, b) => b - a)[Math.min(index, slowest.size - 1)];
};

/** Once a page view, when it is first left. Nothing is known before there is one. */
const report = (view: string | undefined): Vitals | undefined => {
	if (view === undefined) return undefined;
	for (const [observer, read] of observations) readAll(observer.takeRecords(), read);
	const inp = findInp();
	const vitals: Vitals = {};
	if (largestPaint !== undefined) vitals.lcp = Math.round(largestPaint);
	if (inp !== undefined) vitals.inp = Math.round(inp);
	if (seesShifts) vitals.cls = Math.round(shift * 1e4) / 1e4;
	const isNews = view !== reported && JSON.stringify(vitals) !== '{}';
	reported = view;
	largestPaint = undefined;
	shift = runOfShifts = 0;
	slowest.clear();
	earlierInteractions = countInteractions();
	return isNews ? vitals : undefined;
};

addEventListener(
	'visibilitychange',
	(event) => {
		if (document.hidden) firstHiddenAt = Math.min(firstHiddenAt, event.timeStamp);
	},
	true,
);

const attach = () => {
	if (window.tidemark) window.tidemark.v = report;
};
attach();
// tm.js may come after this file.
addEventListener('load', attach);
