/**
 * Pictures of reports as mail programs show them, for the documentation: node scripts/report-pictures.ts
 *
 * They are written to docs/images. Inter is the first choice of the mails; with Debian's fonts-inter the pictures have it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reportMail } from '../server/reports/render/report-mail.ts';
import { openBrowser } from '../test/support/browser.ts';
import { sampleReport } from '../test/support/reports.ts';

const folder = join(import.meta.dirname, '../docs/images');
const addresses = {
	locale: 'en',
	baseUrl: 'https://stats.example.com',
	unsubscribeUrl: 'https://stats.example.com/unsubscribe/token',
};

/** Websites of an agency: their visitors of this week and of the one before, and how the days went. */
const websites = [
	['docs.example.com', 640, 611, [98, 112, 104, 101, 92, 61, 72]],
	['kaffeehaus.example', 512, 534, [54, 58, 61, 66, 84, 102, 87]],
	['müller.example', 318, 201, [22, 25, 31, 38, 52, 71, 79]],
	['velo-club.example', 77, 83, [9, 10, 8, 12, 11, 15, 12]],
] as const;

const week = sampleReport();
const digest = [
	week,
	...websites.map(([name, now, before, days], index) =>
		sampleReport({
			website: { id: index + 2, name, domain: name },
			totals: { ...week.totals, visitors: { now, before, yearAgo: null } },
			series: week.series.map((day, at) => ({ ...day, visitors: days[at] ?? 0 })),
		}),
	),
];

const pictures = [
	{ name: 'report-light', reports: [week], theme: 'light', width: 700 },
	{ name: 'report-dark', reports: [week], theme: 'dark', width: 700 },
	{ name: 'report-phone', reports: [week], theme: 'light', width: 390 },
	{ name: 'digest', reports: digest, theme: 'light', width: 700 },
] as const;

const browser = await openBrowser();
try {
	mkdirSync(folder, { recursive: true });
	for (const { name, reports, theme, width } of pictures) {
		const context = await browser.newContext({
			colorScheme: theme,
			viewport: { width, height: 600 },
			deviceScaleFactor: width < 480 ? 2 : 1,
		});
		const page = await context.newPage();
		await page.setContent(reportMail(reports, addresses).html);
		await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
		await context.close();
		console.log(name);
	}
} finally {
	await browser.close();
}
