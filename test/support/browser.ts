import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, which is kept from talking to anybody on its own account. */
export function openBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
