import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, which is kept from talking to anybody on its own account. Its back-forward cache is on. */
export function openBrowser(...more: string[]): Promise<Browser> {
	return chromium.launch({
		executablePath: '/usr/bin/chromium',
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
