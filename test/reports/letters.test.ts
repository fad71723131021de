import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import PostalMime from 'postal-mime';
import { formatCount } from '../../presentation/format.ts';
import { parseViewQuery } from '../../presentation/view-query.ts';
import { createSmtp } from '../../server/notify/mail/smtp.ts';
import { colors } from '../../server/reports/render/colors.ts';
import { reportFeed } from '../../server/reports/render/report-feed.ts';
import { reportMail } from '../../server/reports/render/report-mail.ts';
import { reportTerminal } from '../../server/reports/render/report-terminal.ts';
import { cutTo, toPlain, widthOf, wrapAt } from '../../server/reports/render/text-width.ts';
import { findTexts, reportLanguages } from '../../server/reports/render/texts/texts.ts';
import type { Report } from '../../server/reports/report.ts';
import { openBrowser } from '../support/browser.ts';
import { startMailServer } from '../support/mail-server.ts';
import { sampleReport } from '../support/reports.ts';

const baseUrl = 'https://stats.example.test';
const unsubscribeUrl = `${baseUrl}/unsubscribe/abc-_123`;
const mailOf = (reports: readonly Report[], locale = 'en') =>
	reportMail(reports, { locale, baseUrl, unsubscribeUrl });
const browser = await openBrowser();
after(() => browser.close());

/** Written anew with `GOLDEN=write`, and read before they are committed. */
function assertGolden(name: string, text: string) {
	const file = join(import.meta.dirname, '../golden/reports', name);
	if (process.env.GOLDEN === 'write') {
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, text);
	}
	assert.equal(text, readFileSync(file, 'utf8'));
}

async function look<T>(
	html: string,
	ask: string,
	{ width = 720, theme = 'light' as 'light' | 'dark' } = {},
): Promise<T> {
	const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: theme });
	const page = await context.newPage();
	const asked: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	await page.setContent(html);
	const found = await page.evaluate<T>(ask);
	await context.close();
	assert.deepEqual(asked, [], 'a mail asks for nothing');
	return found;
}

const evil =
	'<img src=x onerror="document.title=1"></style></title><script>document.title=2</script>&lt;b&gt;"\'';
const hostile = (): Report => {
	const row = { value: `${evil}\r\nBcc: a@b\u202e\u0007\u001b[31m`, visitors: 3, before: 1 };
	return sampleReport({
		website: { name: `x\r\nBcc: a@b\u2028${evil}`, domain: 'example.com', timezone: 'Europe/Berlin<b>' },
		pages: [row, { ...row, value: '\ud800/half' }],
		sources: [row],
		countries: [{ ...row, value: '<b>' }],
		goals: [{ name: row.value, conversions: 2, rate: 0.1, before: null }],
		risen: [
			{ kind: 'page', value: row.value, visitors: 3, before: 0 },
			{ kind: 'source', value: row.value, visitors: 3, before: 1 },
		],
	});
};
const noControls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

test('[T43] a name with line ends and markup becomes neither a header nor an element', async () => {
	const server = await startMailServer({ after });
	const smtp = createSmtp({
		host: '127.0.0.1',
		port: server.port,
		tls: 'none',
		user: undefined,
		password: undefined,
		from: 'Tidemark <stats@example.test>',
	});
	const mails = [mailOf([hostile()]), mailOf([hostile(), sampleReport({ website: { id: 2, name: evil } })])];
	for (const mail of mails) {
		assert.doesNotMatch(mail.subject, noControls);
		const sent = await smtp.send({ to: 'owner@example.test', ...mail }, async () => true);
		assert.deepEqual(sent, { kind: 'sent' });
		const elements = await look<{
			scripts: number;
			images: number;
			title: string;
			links: string[];
			bold: number;
		}>(
			mail.html,
			`({
				scripts: document.scripts.length,
				images: document.images.length,
				bold: document.querySelectorAll('b').length,
				title: document.title,
				links: [...document.links].map(({ href }) => href),
			})`,
		);
		const { title, links, ...counts } = elements;
		assert.deepEqual(counts, { scripts: 0, images: 0, bold: 0 });
		assert.equal(title, mail.subject.replace(/\s+/g, ' '));
		assert.deepEqual(
			links.filter((href) => !href.startsWith(`${baseUrl}/`)),
			[],
		);
		for (const line of mail.text.split('\n')) assert.doesNotMatch(line, noControls);
	}
	smtp.close();
	const known = [
		'from',
		'to',
		'subject',
		'list-unsubscribe',
		'list-unsubscribe-post',
		'auto-submitted',
		'message-id',
		'date',
		'mime-version',
		'content-type',
	];
	for (const [index, source] of server.sources().entries()) {
		const parsed = await PostalMime.parse(source);
		assert.deepEqual(
			parsed.headers.map(({ key }) => key).filter((key) => !known.includes(key)),
			[],
		);
		assert.equal(parsed.bcc, undefined);
		assert.deepEqual(parsed.to, [{ name: '', address: 'owner@example.test' }]);
		assert.equal(parsed.subject, mails[index]?.subject);
		const value = (key: string) => parsed.headers.find((header) => header.key === key)?.value;
		assert.equal(value('list-unsubscribe'), `<${unsubscribeUrl}>`);
		assert.equal(value('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
		assert.equal(value('auto-submitted'), 'auto-generated');
	}
	assert.equal(server.sources().length, 2);
});

test('[T43] a terminal is told nothing by a hostile name', () => {
	const text = reportTerminal(hostile(), { locale: 'en', width: 80, isColored: false });
	for (const line of text.split('\n')) {
		assert.doesNotMatch(line, noControls);
		assert.ok(widthOf(line) <= 80, line);
	}
});

const feedOf = (reports: readonly Report[]) =>
	reportFeed(reports, {
		website: { id: 42, name: 'example.com' },
		feedId: `${baseUrl}/websites/42#reports`,
		feedUrl: `${baseUrl}/feeds/secret.atom`,
		baseUrl,
		locale: 'en',
		since: '2026-11-01T00:00:00.000Z',
	});

test('[T43] a feed is sound XML whatever its reports hold, and its content is text', async () => {
	const feed = feedOf([hostile(), sampleReport({ from: '2026-11-02', to: '2026-11-08' })]);
	type Parsed = { error: string | null; ids: string[]; updated: string; content: string; foreign: number };
	const parsed = await look<Parsed>(
		'<p>',
		`(() => {
			const xml = new DOMParser().parseFromString(${JSON.stringify(feed)}, 'application/xml');
			const all = (name) => [...xml.getElementsByTagNameNS('http://www.w3.org/2005/Atom', name)];
			const inner = new DOMParser().parseFromString(all('content')[0]?.textContent ?? '', 'text/html');
			return {
				error: xml.querySelector('parsererror')?.textContent ?? null,
				ids: all('id').map(({ textContent }) => textContent),
				updated: all('updated')[0]?.textContent,
				content: inner.body.textContent,
				foreign: inner.querySelectorAll('script, img, style').length,
			};
		})()`,
	);
	assert.equal(parsed.error, null);
	assert.deepEqual(parsed.ids, [
		`${baseUrl}/websites/42#reports`,
		`${baseUrl}/websites/42#reports/week/2026-11-09`,
		`${baseUrl}/websites/42#reports/week/2026-11-02`,
	]);
	assert.equal(parsed.updated, sampleReport().madeAt);
	assert.equal(parsed.foreign, 0);
	assert.match(parsed.content, /<script>/, 'as text');
	assertGolden('feed.atom', feedOf([sampleReport()]));
	assert.match(feedOf([]), /<updated>2026-11-01T00:00:00.000Z<\/updated>/);
});

for (const language of reportLanguages) {
	test(`${language}: the plain text of a week and a month`, () => {
		const week = mailOf([sampleReport({ isProvisional: true })], language);
		const month = mailOf([sampleReport({ kind: 'month' })], `${language}-XX`);
		for (const { text } of [week, month])
			for (const line of text.split('\n'))
				assert.ok(widthOf(line) <= 72 || line.startsWith('https://'), `${widthOf(line)}: ${line}`);
		assertGolden(
			`${language}.txt`,
			[week, month].map(({ subject, text }) => `${subject}\n\n${text}`).join('\n\f\n'),
		);
	});

	test(`${language}: a terminal of any width is not overrun`, () => {
		for (const width of [60, 80, 100])
			for (const kind of ['week', 'month'] as const)
				for (const line of reportTerminal(sampleReport({ kind }), {
					locale: language,
					width,
					isColored: false,
				}).split('\n'))
					assert.ok(widthOf(line) <= width, `${width}: ${line}`);
	});

	test(`${language}: mail fits a phone, says its language, and misses no text`, async () => {
		const reports = [sampleReport({ kind: 'month' }), sampleReport()];
		const mails = [
			...reports.map((report) => mailOf([report], language)),
			mailOf([sampleReport(), hostile()], language),
		];
		for (const { html, subject } of mails) {
			assert.doesNotMatch(`${subject}${html}`, /undefined|\[object|NaN|\{\{|function/);
			const [lang, wide, view] = await look<[string, number, number]>(
				html,
				'[document.documentElement.lang, document.documentElement.scrollWidth, innerWidth]',
				{ width: 360 },
			);
			assert.equal(lang, language);
			assert.ok(wide <= view, `${subject} is ${wide} wide`);
		}
	});
}

test('every text of a language is there and says something', () => {
	const textsIn = (tree: unknown, path: string): string[] => {
		if (typeof tree === 'string') return tree.trim() === '' ? [`${path} is empty`] : [];
		if (typeof tree === 'function') return [];
		return Object.entries(tree ?? {}).flatMap(([name, part]) => textsIn(part, `${path}.${name}`));
	};
	assert.ok(reportLanguages.length === 9);
	for (const language of reportLanguages) assert.deepEqual(textsIn(findTexts(language).texts, language), []);
	assert.equal(findTexts('xx').language, 'en');
	assert.equal(findTexts('de-AT').language, 'de');
	assert.equal(findTexts('constructor').language, 'en');
});

test('the numbers of a report are in its mail, as the pages write them', () => {
	const report = sampleReport();
	for (const language of reportLanguages) {
		const { html, text } = mailOf([report], language);
		const counts = [
			report.totals.visitors.now,
			report.totals.pageviews.now,
			...report.series.map(({ visitors }) => visitors),
			...[...report.pages, ...report.sources, ...report.countries].map(({ visitors }) => visitors),
		].map((count) => formatCount(count, language));
		for (const count of counts) {
			assert.ok(html.includes(count), `${language}: ${count} in the HTML`);
			assert.ok(text.includes(count), `${language}: ${count} in the text`);
		}
	}
});

test('a change has its sign and the number before, without a judgment', () => {
	const { html } = mailOf([sampleReport()]);
	assert.match(html, /\+12%<.*previously 1,075/);
	assert.match(html, /−2\.5 points<.*previously 44%/, 'a bounce rate that falls is good');
	assert.match(html, /−3%<.*previously 1,241/);
});

test('the button opens the very period, and a row its value', () => {
	const { html } = mailOf([sampleReport()]);
	const links = [...html.matchAll(/href="([^"]+)"/g)].map(
		([, href = '']) => new URL(href.replaceAll('&amp;', '&')),
	);
	assert.ok(links.every(({ origin }) => origin === baseUrl));
	const asked = links
		.filter(({ pathname }) => pathname === '/websites/42')
		.map(({ search }) => parseViewQuery(search));
	assert.ok(asked.length > 10);
	for (const one of asked)
		assert.deepEqual([one.period, one.from, one.to], ['custom', '2026-11-09', '2026-11-15']);
	assert.ok(
		asked.some(({ filters }) => filters[0]?.dimension === 'page' && filters[0].values[0] === '/pricing'),
	);
	assert.ok(asked.some(({ filters }) => filters[0]?.dimension === 'source' && filters[0].values[0] === ''));
});

test('a digest has a line a website, the most visited first, and the sum of all', () => {
	const visitorsOf = (now: number, before: number | null) => ({
		totals: { ...sampleReport().totals, visitors: { now, before, yearAgo: null } },
	});
	const reports = [
		sampleReport({
			website: { id: 1, name: 'small.example', domain: 'small.example' },
			...visitorsOf(10, 20),
		}),
		sampleReport({ website: { id: 2, name: 'Large', domain: 'large.example' }, ...visitorsOf(1000, 900) }),
	];
	const { subject, html, text } = mailOf(reports);
	assert.equal(subject, '2 websites: 1,010 visitors last week (+9.8%)');
	assert.ok(html.indexOf('Large') < html.indexOf('small.example'));
	assert.match(text, /Large\n {2}1,000 visitors · 11% more than the previous week\n/);
	assert.match(text, /small\.example\n {2}10 visitors · 50% fewer than the previous week\n/);
	const young = [
		...reports,
		sampleReport({ website: { id: 3, name: 'young.example' }, ...visitorsOf(5, null) }),
	];
	assert.equal(mailOf(young).subject, '3 websites: 1,015 visitors last week', 'nothing to compare all with');
	const many = Array.from({ length: 120 }, (_, id) =>
		sampleReport({ kind: 'month', website: { id, name: `w${id}.example` } }),
	);
	const long = mailOf(many);
	assert.ok(long.html.length < 100_000, `${long.html.length} bytes: some programs cut it off`);
	assert.match(long.html, /and 95 other websites/);
});

test('a week without anybody, and one without a week before it', () => {
	const none = { now: 0, before: null, yearAgo: null };
	const nothing = { now: null, before: null, yearAgo: null };
	const empty = sampleReport({
		totals: { visitors: none, visits: none, pageviews: none, bounce_rate: nothing, visit_duration: nothing },
		series: sampleReport().series.map(({ day }) => ({ day, visitors: 0, before: null })),
		pages: [],
		sources: [],
		countries: [],
		goals: [],
		risen: [],
	});
	const { subject, text, html } = mailOf([empty]);
	assert.equal(subject, 'example.com: 0 visitors last week');
	assert.match(text, /No visitors this week\./);
	assert.doesNotMatch(html, /Infinity|NaN/);
	assert.match(reportTerminal(empty, { locale: 'en', width: 80, isColored: true }), /No visitors this week/);
});

test('a dark screen gets the colours of the pages, and they are those of the pages', async () => {
	const tokens = readFileSync('dashboard/styles/tokens.css', 'utf8');
	const [light = '', dark = ''] = tokens.split('[data-theme="dark"]');
	for (const [name, [bright, dim]] of Object.entries(colors)) {
		assert.match(light, new RegExp(`--${name}: ${bright};`), name);
		assert.match(dark, new RegExp(`--${name}: ${dim};`), name);
	}
	const { html } = mailOf([sampleReport()]);
	const grounds = await look<string[]>(
		html,
		`['.card', 'h1 a'].map((place) => getComputedStyle(document.querySelector(place))[place === 'h1 a' ? 'color' : 'backgroundColor'])`,
		{ theme: 'dark' },
	);
	assert.deepEqual(grounds, ['rgb(16, 26, 26)', 'rgb(232, 240, 238)']);
});

test('text is plain, cut and broken by what it takes on the screen', () => {
	assert.equal(toPlain(' a\r\nb\u001b[0m\u202e\ud800 '), 'a b [0m\ufffd');
	assert.deepEqual(['abc', '訪問者', 'é', '👩‍👩‍👧'].map(widthOf), [3, 6, 1, 2]);
	assert.equal(cutTo('訪問者の数', 7), '訪問者…');
	assert.equal(cutTo('abcdef', 4), 'abc…');
	assert.deepEqual(wrapAt('one two, three', 8), ['one two,', 'three']);
});
