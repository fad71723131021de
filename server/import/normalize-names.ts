/** Maps the names of devices, browsers, systems and sources of other products to ours. Unknown names are kept. */

const browsers: Readonly<Record<string, string>> = {
	'microsoft edge': 'Edge',
	'edge (chromium)': 'Edge',
	'edge-chromium': 'Edge',
	'edge-ios': 'Edge',
	'edge-android': 'Edge',
	edge: 'Edge',
	chrome: 'Chrome',
	'google chrome': 'Chrome',
	'mobile chrome': 'Chrome',
	'chrome mobile': 'Chrome',
	'chrome mobile ios': 'Chrome',
	crios: 'Chrome',
	'chromium-webview': 'Android WebView',
	'android webview': 'Android WebView',
	'chrome webview': 'Android WebView',
	safari: 'Safari',
	'mobile safari': 'Safari',
	ios: 'Safari',
	'ios-webview': 'iOS WebView',
	'safari (in-app)': 'iOS WebView',
	firefox: 'Firefox',
	'mobile firefox': 'Firefox',
	'firefox mobile': 'Firefox',
	fxios: 'Firefox',
	opera: 'Opera',
	'opera-mini': 'Opera Mini',
	'opera mini': 'Opera Mini',
	'opera mobile': 'Opera',
	samsung: 'Samsung Internet',
	'samsung browser': 'Samsung Internet',
	'samsung internet': 'Samsung Internet',
	brave: 'Brave',
	vivaldi: 'Vivaldi',
	yandexbrowser: 'Yandex Browser',
	'yandex browser': 'Yandex Browser',
	duckduckgo: 'DuckDuckGo',
	'duckduckgo privacy browser': 'DuckDuckGo',
	facebook: 'Facebook app',
	'mobile app': 'Other',
	ie: 'Internet Explorer',
	'internet explorer': 'Internet Explorer',
};

const systems: Readonly<Record<string, string>> = {
	mac: 'macOS',
	macos: 'macOS',
	macintosh: 'macOS',
	'mac os': 'macOS',
	'mac os x': 'macOS',
	'os x': 'macOS',
	ios: 'iOS',
	ipados: 'iOS',
	android: 'Android',
	'android os': 'Android',
	'gnu/linux': 'Linux',
	linux: 'Linux',
	ubuntu: 'Linux',
	fedora: 'Linux',
	'chrome os': 'ChromeOS',
	chromeos: 'ChromeOS',
};

const devices: Readonly<Record<string, string>> = {
	desktop: 'desktop',
	laptop: 'desktop',
	mobile: 'mobile',
	smartphone: 'mobile',
	phone: 'mobile',
	phablet: 'mobile',
	tablet: 'tablet',
	tv: 'tv',
	'smart tv': 'tv',
};

const known = (list: Readonly<Record<string, string>>, text: string): string | undefined =>
	Object.hasOwn(list, text.toLowerCase()) ? list[text.toLowerCase()] : undefined;

const isNothing = (text: string): boolean =>
	/^(?:\(not set\)|\(not provided\)|unknown|undefined|null|-|none)?$/i.test(text);

export const browserName = (text: string): string => (isNothing(text) ? '' : (known(browsers, text) ?? text));

/** `Windows 10` is Windows. */
export const systemName = (text: string): string =>
	isNothing(text) ? '' : /^windows(?! phone)/i.test(text) ? 'Windows' : (known(systems, text) ?? text);

export const deviceName = (text: string): string =>
	isNothing(text) ? '' : (known(devices, text) ?? 'other');

/** '' is direct traffic. */
export const sourceName = (text: string): string =>
	isNothing(text) || /^\(?direct\)?(?: ?\/ ?\(?none\)?| entry)?$/i.test(text) ? '' : text;

/** ISO 3166 country code. */
export const countryCode = (text: string): string => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '');
