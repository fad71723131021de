/** What the script's own tag says. `currentScript` is there while a classic script runs, deferred or not. */
const script = document.currentScript as HTMLScriptElement;

export const data = script.dataset;
export const website = +(data.website as string);
export const endpoint = data.endpoint || new URL('/tm', script.src);

/** Properties of all events. A mistake in them must not cost the page views. */
export let properties: Options['properties'];
try {
	// Without the attribute there is nothing to parse, which throws as well.
	properties = JSON.parse(data.properties as string);
} catch {}

/** The address of the page. What follows # counts only where it is a route: elsewhere it can hold anything. */
export const findAddress = () => location.href.split('hash' in data ? '\n' : '#')[0] as string;

/**
 * `/admin/*, /preview` looks for (\/admin\/.*|\/preview) after the host and before the query; without the
 * attribute it looks for nothing, and after a host there is always something.
 */
export const excluded = new RegExp(
	`^[^/]+//[^/]*(${(data.exclude || '').replace(
		/\W/g,
		(sign) => ({ '*': '.*', ',': '|', ' ': '' })[sign] ?? `\\${sign}`,
	)})([?#]|$)`,
);

/** Global Privacy Control or Do Not Track is on. */
export const hasSignal = navigator.globalPrivacyControl || navigator.doNotTrack === '1' ? 1 : undefined;

/**
 * A visitor with such a signal is told to the collector as one hit that says nothing but the website, so that
 * its owner sees how many were left out; unless the tag says that this website counts them.
 */
export const isMinimal = hasSignal && data.signals !== 'count';
