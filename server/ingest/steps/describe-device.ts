import { UAParser } from 'ua-parser-js';
import { memoize } from '../../lib/memoize.ts';
import type { Event } from '../event.ts';
import { type Hit, maxUserAgent } from '../hit.ts';
import type { Step } from './step.ts';

/**
 * Determines browser, operating system and device type from the user agent and client hints. Known limits:
 *
 * - Safari on an iPad reports a Mac by default, and is counted as one.
 * - Windows 11 reports Windows 10 except in a client hint; without it the version is '10 or 11'.
 * - macOS has reported 10.15 since 2020, and Chrome on Android reports 10; the version is '' then.
 *
 * Names come from closed lists, so that clients cannot add invented browsers to the statistics.
 */
export const describeDevice: Step = (event, { headers, screenWidth }) => {
	const agent = describeAgent(headers.userAgent);
	const { browser, browser_version, os, os_version, device } = applyHints(agent, headers.clientHints);
	event.browser = browser;
	event.browser_version = browser_version;
	event.os = os;
	event.os_version = os_version;
	event.device = device;
	event.screen = screenClass(screenWidth);
	event.language = languageOf(headers.acceptLanguage);
	return undefined;
};

type Device = Pick<Event, 'browser' | 'browser_version' | 'os' | 'os_version' | 'device'>;

/** `isFrozen`: the version of the operating system is a constant that browsers always send. */
type Agent = Device & { isFrozen: boolean };

export const describeAgent = memoize(parseAgent, { max: 5_000, maxLength: maxUserAgent });

function parseAgent(userAgent: string): Agent {
	if (userAgent === '')
		return { browser: '', browser_version: '', os: '', os_version: '', device: '', isFrozen: false };
	const parser = new UAParser(userAgent);
	const browser = parser.getBrowser();
	const system = parser.getOS();
	const os = systems.get(system.name ?? '') ?? 'Other';
	const version = system.version ?? '';
	return {
		browser: browsers.get(browser.name ?? '') ?? 'Other',
		browser_version: /^\d{1,4}(?=\.|$)/.exec(browser.version ?? '')?.[0] ?? '',
		os,
		os_version: systemVersion(os, version),
		device: kindOfDevice(parser.getDevice().type, os),
		isFrozen:
			(os === 'Windows' && version === '10') ||
			(os === 'macOS' && /^10\.15(\.|$)/.test(version)) ||
			(os === 'Android' && /Android 10; K\)/.test(userAgent)),
	};
}

function systemVersion(os: string, version: string): string {
	if (os === 'Windows') return /^(?:XP|Vista|7|8|8\.1|10|11)$/.test(version) ? version : '';
	// Mac OS X versions differ in their second number.
	if (os === 'macOS' && version.startsWith('10.')) return /^10\.\d{1,2}/.exec(version)?.[0] ?? '';
	return /^\d{1,3}(?=\.|$)/.exec(version)?.[0] ?? '';
}

function kindOfDevice(type: string | undefined, os: string): string {
	switch (type) {
		case 'mobile':
		case 'tablet':
			return type;
		case 'smarttv':
			return 'tv';
		case undefined:
			return desktopSystems.has(os) ? 'desktop' : 'other';
		// Consoles, watches, cars and glasses.
		default:
			return 'other';
	}
}

/** Applies client hints. Browsers send the first three without being asked. */
function applyHints(agent: Agent, hints: Hit['headers']['clientHints']): Device {
	const platform = unquote(hints.platform);
	const os = platform === '' ? agent.os : (systems.get(platform) ?? agent.os);
	const hinted = platformVersion(os, unquote(hints.platformVersion));
	const unknown = agent.isFrozen
		? os === 'Windows'
			? '10 or 11'
			: ''
		: os === agent.os
			? agent.os_version
			: '';
	// Some browsers report Chrome as their user agent and their own name only here, such as Brave.
	const named = agent.browser === 'Chrome' ? brandOf(hints.brands) : undefined;
	return {
		browser: named?.name ?? agent.browser,
		browser_version: named?.version ?? agent.browser_version,
		os,
		os_version: hinted ?? unknown,
		device: deviceByHint(agent, os, hints.mobile),
	};
}

function deviceByHint(agent: Device, os: string, mobile: string): string {
	if (mobile === '?1' && agent.device !== 'tablet') return 'mobile';
	// It requests the desktop site. Phones can do so too, but tablets do it by default.
	if (mobile === '?0' && agent.device === 'desktop' && os === 'Android') return 'tablet';
	return agent.device;
}

function platformVersion(os: string, version: string): string | undefined {
	const major = Number(/^(\d{1,3})(\.|$)/.exec(version)?.[1] ?? Number.NaN);
	if (Number.isNaN(major)) return undefined;
	// learn.microsoft.com/microsoft-edge/web-platform/how-to-detect-win11
	if (os === 'Windows') return major >= 13 ? '11' : major >= 1 ? '10' : undefined;
	return major === 0 ? undefined : systemVersion(os, version);
}

const unquote = (text: string): string => text.replaceAll('"', '').trim();

/** `"Chromium";v="120", "Brave";v="120", "Not A Brand";v="8"` */
const brandOf = memoize(
	(brands): { name: string; version: string } | undefined => {
		for (const [, brand = '', version = ''] of brands.matchAll(/"([^"]{1,40})";v="(\d{1,4})/g)) {
			const name = brandNames.get(brand);
			if (name) return { name, version };
		}
		return undefined;
	},
	{ max: 1_000, maxLength: 512 },
);

const brandNames = new Map([
	['Brave', 'Brave'],
	['Microsoft Edge', 'Edge'],
	['Opera', 'Opera'],
	['Opera GX', 'Opera'],
	['Vivaldi', 'Vivaldi'],
	['Yandex', 'Yandex Browser'],
	['YaBrowser', 'Yandex Browser'],
	['DuckDuckGo', 'DuckDuckGo'],
	['Samsung Internet', 'Samsung Internet'],
	['Whale', 'Whale'],
]);

/** Names of the parser, and ours. */
const browsers = new Map([
	['Chrome', 'Chrome'],
	['Mobile Chrome', 'Chrome'],
	['Chromium', 'Chrome'],
	['Chrome Headless', 'Chrome'],
	['Safari', 'Safari'],
	['Mobile Safari', 'Safari'],
	['Firefox', 'Firefox'],
	['Mobile Firefox', 'Firefox'],
	['Firefox Focus', 'Firefox'],
	['Edge', 'Edge'],
	['Samsung Browser', 'Samsung Internet'],
	['Samsung Internet', 'Samsung Internet'],
	['Opera', 'Opera'],
	['Opera GX', 'Opera'],
	['Opera Touch', 'Opera'],
	['Opera Mobi', 'Opera'],
	['Opera Coast', 'Opera'],
	['Opera Mini', 'Opera Mini'],
	['Brave', 'Brave'],
	['Vivaldi', 'Vivaldi'],
	['DuckDuckGo', 'DuckDuckGo'],
	['Yandex', 'Yandex Browser'],
	['UCBrowser', 'UC Browser'],
	['MIUI Browser', 'MIUI Browser'],
	['Huawei Browser', 'Huawei Browser'],
	['HeyTap', 'HeyTap Browser'],
	['Vivo Browser', 'Vivo Browser'],
	['QQBrowser', 'QQ Browser'],
	['QQBrowserLite', 'QQ Browser'],
	['Whale', 'Whale'],
	['Coc Coc', 'Cốc Cốc'],
	['Sogou Explorer', 'Sogou'],
	['Sogou Mobile', 'Sogou'],
	['360', '360 Browser'],
	['Silk', 'Silk'],
	['Puffin', 'Puffin'],
	['Maxthon', 'Maxthon'],
	['Ecosia', 'Ecosia'],
	['Avast Secure Browser', 'Avast Secure Browser'],
	['AVG Secure Browser', 'AVG Secure Browser'],
	['Android Browser', 'Android Browser'],
	['Chrome WebView', 'Android WebView'],
	['WebKit', 'iOS WebView'],
	['Oculus Browser', 'Meta Quest Browser'],
	['IE', 'Internet Explorer'],
	['IEMobile', 'Internet Explorer'],
	['Konqueror', 'Konqueror'],
	['Epiphany', 'Epiphany'],
	['PaleMoon', 'Pale Moon'],
	['Waterfox', 'Waterfox'],
	['SeaMonkey', 'SeaMonkey'],
	['Falkon', 'Falkon'],
	['Facebook', 'Facebook app'],
	['Instagram', 'Instagram app'],
	['TikTok', 'TikTok app'],
	['Snapchat', 'Snapchat app'],
	['LinkedIn', 'LinkedIn app'],
	['Twitter', 'X app'],
	['Pinterest', 'Pinterest app'],
	['GSA', 'Google app'],
	['WeChat', 'WeChat app'],
	['Weibo', 'Weibo app'],
	['Line', 'LINE app'],
	['KAKAOTALK', 'KakaoTalk app'],
	['NAVER', 'Naver app'],
	['Baidu', 'Baidu app'],
	['Alipay', 'Alipay app'],
	['Klarna', 'Klarna app'],
	['Electron', 'Electron'],
]);

const systems = new Map([
	['Windows', 'Windows'],
	['Mac OS', 'macOS'],
	['macOS', 'macOS'],
	['iOS', 'iOS'],
	['Android', 'Android'],
	['Android-x86', 'Android'],
	['HarmonyOS', 'HarmonyOS'],
	['Linux', 'Linux'],
	['Ubuntu', 'Linux'],
	['Debian', 'Linux'],
	['Fedora', 'Linux'],
	['Arch', 'Linux'],
	['Gentoo', 'Linux'],
	['Mint', 'Linux'],
	['SUSE', 'Linux'],
	['openSUSE', 'Linux'],
	['CentOS', 'Linux'],
	['RedHat', 'Linux'],
	['Raspbian', 'Linux'],
	['GNU', 'Linux'],
	['Chromium OS', 'ChromeOS'],
	['Chrome OS', 'ChromeOS'],
	['FreeBSD', 'BSD'],
	['OpenBSD', 'BSD'],
	['NetBSD', 'BSD'],
	['DragonFly', 'BSD'],
	['KAIOS', 'KaiOS'],
	['KaiOS', 'KaiOS'],
	['Windows Phone', 'Windows Phone'],
	['Windows Mobile', 'Windows Phone'],
	['BlackBerry', 'BlackBerry'],
	['Tizen', 'Tizen'],
	['webOS', 'webOS'],
	['WebOS', 'webOS'],
	['Roku', 'Roku'],
	['Netcast', 'webOS'],
	['Chromecast', 'Chromecast'],
	['PlayStation', 'PlayStation'],
	['Xbox', 'Xbox'],
	['Nintendo', 'Nintendo'],
	['watchOS', 'watchOS'],
	['Solaris', 'Solaris'],
]);

const desktopSystems = new Set(['Windows', 'macOS', 'Linux', 'ChromeOS', 'BSD', 'Solaris']);

/** By the width of the screen in CSS pixels. */
const screenClasses = [
	{ name: 'xs', below: 480 },
	{ name: 'sm', below: 768 },
	{ name: 'md', below: 1_024 },
	{ name: 'lg', below: 1_440 },
	{ name: 'xl', below: Number.POSITIVE_INFINITY },
] as const;

const screenClass = (width: number): string =>
	width === 0 ? '' : (screenClasses.find(({ below }) => width < below)?.name ?? '');

/** The preferred language without its region: `de-CH` becomes `de`. A rare tag would help to identify a person. */
function languageOf(acceptLanguage: string): string {
	const [, language = ''] = /^\s*([a-z]{2,3})(?=[-_,;\s]|$)/i.exec(acceptLanguage) ?? [];
	return language.toLowerCase();
}
