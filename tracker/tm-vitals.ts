/**
 * Web vitals: largest contentful paint (LCP), interaction to next paint (INP) and cumulative layout shift (CLS), as defined at
 * https://web.dev/articles/vitals. An optional second file, because most websites do not need it. tm.js reads and sends the values when
 * a page view ends. A value that the browser does not measure is left out.
 */

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };
type EventTiming = PerformanceEntry & { interactionId?: number };

/** The longest durations by interaction; several events (pointerdown, pointerup, click) can belong to one. */
const slowest = new Map<number, number>();
let largestPaint: number | undefined;
let firstHiddenAt = document.hidden ? 0 : Number.POSITIVE_INFINITY;

/** Shifts less than a second apart form a session of at most five seconds; the worst session counts. */
const seesShifts = PerformanceObserver.supportedEntryTypes.includes('layout-shift');
let shift = 0;
let sessionShift = 0;
let sessionStartedAt = 0;
let lastShiftAt = 0;

/** The number of interactions in earlier page views. */
let earlierInteractions = 0;
let reported: string | undefined;

const countInteractions = () => (performance as { interactionCount?: number }).interactionCount ?? 0;

/** Times are relative to this. A prerendered page starts at its activation. */
const activationStart = () =>
	(performance.getEntriesByType('navigation')[0] as { activationStart?: number } | undefined)
		?.activationStart ?? 0;

const observations: [PerformanceObserver, (entry: never) => void][] = [];

/** Skips unsupported types, which would cause a warning in the console of the page. */
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
		// An observer only gets entries of its type.
		for (const entry of entries) read(entry as never);
	} catch {
		// The page has changed something that we need.
	}
};

observe('largest-contentful-paint', (paint) => {
	// Paints after the page was hidden do not count.
	if (paint.startTime < firstHiddenAt) largestPaint = Math.max(0, paint.startTime - activationStart());
});

observe<LayoutShift>('layout-shift', ({ startTime, value, hadRecentInput }) => {
	if (hadRecentInput) return;
	const isSameSession = startTime - lastShiftAt < 1e3 && startTime - sessionStartedAt < 5e3;
	if (!isSameSession) {
		sessionStartedAt = startTime;
		sessionShift = 0;
	}
	lastShiftAt = startTime;
	sessionShift += value;
	shift = Math.max(shift, sessionShift);
});

/** Interactions below the threshold are not reported, except the first one, so that fast pages have a value too. */
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

/** The slowest interaction, ignoring one outlier per fifty interactions. */
const findInp = () => {
	const index = Math.floor((countInteractions() - earlierInteractions) / 50);
	return [...slowest.values()].sort((a, b) => b - a)[Math.min(index, slowest.size - 1)];
};

/** Returns the vitals once per page view, when it is first left. */
const report = (view: string | undefined): Vitals | undefined => {
	if (view === undefined) return undefined;
	for (const [observer, read] of observations) readAll(observer.takeRecords(), read);
	const inp = findInp();
	const vitals: Vitals = {};
	if (largestPaint !== undefined) vitals.lcp = Math.round(largestPaint);
	if (inp !== undefined) vitals.inp = Math.round(inp);
	if (seesShifts) vitals.cls = Math.round(shift * 1e4) / 1e4;
	const hasValues = view !== reported && JSON.stringify(vitals) !== '{}';
	reported = view;
	largestPaint = undefined;
	shift = sessionShift = 0;
	slowest.clear();
	earlierInteractions = countInteractions();
	return hasValues ? vitals : undefined;
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
// tm.js may load after this file.
addEventListener('load', attach);
