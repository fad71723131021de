/**
 * Pictures from demo data.
 *
 * node scripts/screenshots.ts        those of the documentation, to docs/images
 * node scripts/screenshots.ts all    every page, light, dark and on a phone, to build/screenshots
 *
 * Names with commas between them choose some: node scripts/screenshots.ts all statistics,board. Inter is the first choice of
 * the pages; with Debian's fonts-inter the pictures have it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { NewBoard } from '../api/boards.ts';
import { type Look, openDashboard } from '../test/support/dashboard.ts';
import { signedIn } from '../test/support/visitor.ts';

type Shot = { name: string; path: string; look?: Look; isPublic?: true; isWhole?: boolean; isWide?: true };

const dark: Look = { theme: 'dark' };
const phone: Look = { phone: true };
const arguments_ = process.argv.slice(2);
const isAll = arguments_[0] === 'all';
const wanted = arguments_[isAll ? 1 : 0]?.split(',');
const folder = join(import.meta.dirname, isAll ? '../build/screenshots' : '../docs/images');

const closing: (() => Promise<void>)[] = [];
const d = await openDashboard({ after: (work) => void closing.push(work) });
try {
	const account = await d.account({ name: 'Ada', email: 'ada@example.com' });
	const { websiteId: id } = await d.w.operate('demo', {
		email: account.email,
		domain: 'example.com',
		days: 90,
	});
	const others: number[] = [];
	for (const [domain, days] of [
		['docs.example.com', 40],
		['kaffeehaus.example', 30],
		['müller.example', 20],
		['velo-club.example', 14],
	] as const)
		others.push((await d.w.operate('demo', { email: account.email, domain, days })).websiteId);
	await account.api('PATCH', `/websites/${id}`, { json: { favorite: 1, privacy: 0 } });
	await account.api('PATCH', `/websites/${id}/settings`, { json: { labels: ['Shop', 'Berlin'] } });
	const items = z.object({ data: z.array(z.object({ id: z.int() })) });
	const [goal] = items.parse((await account.api('GET', `/websites/${id}/goals`)).json).data;
	const [funnel] = items.parse((await account.api('GET', `/websites/${id}/funnels`)).json).data;
	const browser = await signedIn(d.w, account);
	const made = await browser('POST', '/boards', { json: boardOf(id, funnel?.id, others) });
	const board = z.object({ data: z.object({ id: z.int() }) }).parse(made.json).data;
	const website = `/websites/${id}`;

	const inDocumentation: Shot[] = [
		{ name: 'statistics', path: website, isWhole: true },
		{ name: 'statistics-dark', path: website, look: dark, isWhole: true },
		{ name: 'statistics-phone', path: website, look: phone },
		{ name: 'statistics-filtered', path: `${website}?f=is,country,DE` },
		{ name: 'live', path: `${website}/live` },
		{ name: 'websites', path: '/websites' },
		{ name: 'websites-phone-dark', path: '/websites', look: { ...phone, ...dark } },
		{ name: 'add-website', path: '/websites/new' },
		{ name: 'install', path: `${website}/install` },
		{ name: 'settings', path: `${website}/settings/sharing` },
		{ name: 'not-counted', path: `${website}/settings/drops` },
		{ name: 'people', path: '/account/people' },
		{ name: 'keys', path: '/account/keys' },
		{ name: 'sign-in', path: '/sign-in', isPublic: true },
		{ name: 'board', path: `/boards/${board.id}` },
	];
	const settings = [
		'general',
		'sharing',
		'goals',
		'exclusions',
		'drops',
		'alerts',
		'reports',
		'people',
		'changes',
		'data',
	];
	const accountTabs = ['profile', 'security', 'keys', 'people', 'mail', 'usage', 'changes'];
	const pages: Pick<Shot, 'name' | 'path' | 'isPublic' | 'isWide'>[] = [
		{ name: 'statistics', path: website },
		{ name: 'statistics-wide', path: website, isWide: true },
		{ name: 'statistics-goal', path: `${website}?f=is,goal,${goal?.id}` },
		{ name: 'statistics-tabs', path: `${website}?tabs=utm_campaign,entry_page,city,device,funnels` },
		{ name: 'large-table', path: `${website}?large=page` },
		{ name: 'shared', path: website, isPublic: true },
		{ name: 'journeys', path: `${website}/journeys` },
		{ name: 'journeys-table', path: `${website}/journeys?direction=before&start=page:/pricing&view=table` },
		{ name: 'live', path: `${website}/live` },
		{ name: 'websites', path: '/websites' },
		{ name: 'websites-wide', path: '/websites', isWide: true },
		{ name: 'boards', path: '/boards' },
		{ name: 'board', path: `/boards/${board.id}` },
		{ name: 'add-website', path: '/websites/new' },
		{ name: 'install', path: `${website}/install` },
		{ name: 'reports', path: `${website}/reports` },
		...settings.map((tab) => ({ name: `settings-${tab}`, path: `${website}/settings/${tab}` })),
		...accountTabs.map((tab) => ({ name: `account-${tab}`, path: `/account/${tab}` })),
		{ name: 'health', path: '/doctor' },
		{ name: 'sign-in', path: '/sign-in', isPublic: true },
		{ name: 'forgot-password', path: '/forgotten', isPublic: true },
		{ name: 'not-found', path: '/nowhere', isPublic: true },
	];
	const inAllLooks: Shot[] = pages.flatMap((page) => [
		{ ...page, name: `${page.name}-light`, isWhole: true },
		{ ...page, name: `${page.name}-dark`, look: dark, isWhole: true },
		...(page.isWide ? [] : [{ ...page, name: `${page.name}-phone`, look: phone, isWhole: true }]),
	]);

	mkdirSync(folder, { recursive: true });
	for (const shot of isAll ? inAllLooks : inDocumentation) {
		const name = shot.name.replace(isAll ? /-(light|dark|phone)$/ : '', '');
		if (wanted && !wanted.includes(name)) continue;
		const page = await d.open(shot.path, shot.isPublic ? undefined : account, shot.look ?? {});
		if (shot.isWide) await page.setViewportSize({ width: 1920, height: 1080 });
		await page.waitForLoadState('networkidle');
		await page.evaluate('document.fonts.ready');
		// A picture of the full page loses the touch screen; a window as high as the page does not.
		if (shot.isWhole) {
			const { width } = page.viewportSize() ?? { width: 1280 };
			await page.setViewportSize({
				width,
				height: await page.evaluate<number>('document.documentElement.scrollHeight'),
			});
		}
		await page.screenshot({ path: join(folder, `${shot.name}.png`) });
		await page.context().close();
		console.log(shot.name);
	}
} finally {
	for (const close of closing.reverse()) await close();
}

/** One card of each view. */
function boardOf(website: number, funnel: number | undefined, others: readonly number[]): NewBoard {
	return {
		name: 'This month',
		cards: [
			{ website_id: website, view: 'number', metric: 'visitors', width: 3 },
			{ website_id: website, view: 'number', metric: 'revenue', width: 3 },
			{ website_id: website, view: 'live', width: 3 },
			...others.slice(0, 1).map((id) => ({ website_id: id, view: 'number', width: 3 }) as const),
			{ website_id: website, view: 'chart', metric: 'visits', period: '90d', width: 8 },
			{ website_id: website, view: 'breakdown', dimension: 'source', width: 4 },
			...(funnel === undefined
				? []
				: ([{ website_id: website, view: 'funnel', funnel_id: funnel, width: 6 }] as const)),
			...others
				.slice(1, 2)
				.map((id) => ({ website_id: id, view: 'breakdown', dimension: 'page', width: 6 }) as const),
		],
	};
}
