import { type Browser, chromium } from 'playwright-core';

const programs = {
	/** Without windows: a third of the work. It knows no focus that goes elsewhere and no back-forward cache. */
	light: '/usr/bin/chromium-headless-shell',
	whole: '/usr/bin/chromium',
};

/** Debian's Chromium, which is kept from talking to anybody on its own account. */
export function openBrowser(program: keyof typeof programs = 'light', ...more: string[]): Promise<Browser> {
	return chromium.launch({
		executablePath: programs[program],
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			...more,
		],
	});
}
