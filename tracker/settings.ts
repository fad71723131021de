/** Settings from the script tag. `currentScript` is set while a classic script runs, deferred or not. */
const script = document.currentScript as HTMLScriptElement;

export const data = script.dataset;
export const website = +(data.website as string);
export const endpoint = data.endpoint || new URL('/tm', script.src);

/** Properties of all events. Invalid JSON must not prevent page views. */
export let properties: Options['properties'];
try {
	// Also throws without the attribute.
	properties = JSON.parse(data.properties as string);
} catch {}

/** The URL of the page. The fragment is included only with hash routing, because elsewhere it can contain anything. */
export const findAddress = () => location.href.split('hash' in data ? '\n' : '#')[0] as string;

/**
 * `/admin/*, /preview` becomes (\/admin\/.*|\/preview), matched against the path. Without the attribute the pattern is an empty path,
 * which never occurs.
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
 * For a visitor with such a signal only a hit without the page is sent, so that the owner sees how many were excluded; unless the tag
 * says that this website counts them.
 */
export const isMinimal = hasSignal && data.signals !== 'count';
