import { type Browser, chromium } from 'playwright-core';

const programs = {
	/** Without windows: a third of the work. It knows no focus that goes elsewhere and no back-forward cache. */
	light: '/usr/bin/chromium-headless-shell',
	whole: '/usr/bin/chromium',
};

/** Debian's Chromium, which is kept from talking to anybody on its own account. */
export function openBrowser(program: keyof typeof programs = 'light', ...more: string[]): Promise<Browser> {
	return launch(programs[program], [], more);
}

/** With scroll bars that take up space, as on most desktops. */
export function openBrowserWithScrollBars(): Promise<Browser> {
	return launch(programs.light, ['--hide-scrollbars'], []);
}

function launch(executablePath: string, without: string[], more: string[]): Promise<Browser> {
	return chromium.launch({
		executablePath,
		ignoreDefaultArgs: ['--disable-back-forward-cache', ...without],
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
