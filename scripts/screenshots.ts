/**
 * Pictures of every page from demo data, for the documentation: node scripts/screenshots.ts [names with commas between them]
 *
 * They are written to docs/images. Inter is the first choice of the pages; with Debian's fonts-inter the pictures have it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Look, openDashboard } from '../test/support/dashboard.ts';

type Shot = {
	name: string;
	path: string;
	look?: Look;
	isPublic?: true;
	whole?: true;
	act?(page: Page): Promise<void>;
};

const dark: Look = { theme: 'dark' };
const phone: Look = { phone: true };
const folder = join(import.meta.dirname, '../docs/images');
const wanted = process.argv[2]?.split(',');

const closing: (() => Promise<void>)[] = [];
const d = await openDashboard({ after: (work) => void closing.push(work) });
try {
	const account = await d.account({ name: 'Ada', email: 'ada@example.com' });
	const { websiteId: id } = await d.w.operate('demo', {
		email: account.email,
		domain: 'example.com',
		days: 90,
	});
	for (const [domain, days] of [
		['docs.example.com', 40],
		['kaffeehaus.example', 30],
		['müller.example', 20],
		['velo-club.example', 14],
	] as const)
		await d.w.operate('demo', { email: account.email, domain, days });
	await account.api('PATCH', `/websites/${id}`, { json: { favorite: 1, privacy: 0 } });
	await account.api('PATCH', `/websites/${id}/settings`, { json: { labels: ['Shop', 'Berlin'] } });
	const shots: Shot[] = [
		{ name: 'statistics', path: `/websites/${id}`, whole: true },
		{ name: 'statistics-dark', path: `/websites/${id}`, look: dark, whole: true },
		{ name: 'statistics-phone', path: `/websites/${id}`, look: phone },
		{ name: 'statistics-filtered', path: `/websites/${id}?f=is,country,DE` },
		{ name: 'live', path: `/websites/${id}/live` },
		{ name: 'websites', path: '/websites' },
		{ name: 'websites-phone-dark', path: '/websites', look: { ...phone, ...dark } },
		{ name: 'add-website', path: '/websites/new' },
		{ name: 'install', path: `/websites/${id}/install` },
		{ name: 'settings', path: `/websites/${id}/settings/sharing` },
		{ name: 'not-counted', path: `/websites/${id}/settings/drops` },
		{ name: 'people', path: '/account/people' },
		{ name: 'keys', path: '/account/keys' },
		{ name: 'sign-in', path: '/sign-in', isPublic: true },
	];
	mkdirSync(folder, { recursive: true });
	for (const { name, path, look = {}, isPublic, whole } of shots) {
		if (wanted && !wanted.includes(name)) continue;
		const page = await d.open(path, isPublic ? undefined : account, look);
		await page.waitForLoadState('networkidle');
		await page.evaluate('document.fonts.ready');
		await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole ?? false });
		await page.context().close();
		console.log(name);
	}
} finally {
	for (const close of closing.reverse()) await close();
}
