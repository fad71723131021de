/**
 * A report as HTML for mail programs, which support little CSS: a layout of tables with inline styles, and one style sheet for dark mode
 * and narrow screens. It loads nothing: no images but a logo that is part of the email, no fonts, no tracking pixel. Row values are links to the filtered statistics, so that
 * mail programs do not turn untrusted values into links.
 */

import type { Brand, Logo } from '../../branding/branding.ts';
import type { Report } from '../report.ts';
import { poweredBy } from './brand-line.ts';
import { type Color, colors, type Palette, paletteOf } from './colors.ts';
import { type Html, html, nothing } from './html.ts';
import type { DigestView } from './report-mail.ts';
import type { Bar, ReportView, ReportViewList, ReportViewRow, Shift } from './report-view.ts';

type Addresses = { baseUrl: string; unsubscribeUrl: string; brand: Brand | undefined };

const font = "Inter,ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * Stands for a light color until `frame` knows the palette. Control characters, which no value of a report needs: if one has them, a color
 * is the worst that it can become.
 */
const light = (name: Color): string => `\u0001${name}\u0002`;
const paint = (markup: string, palette: Palette): string =>
	markup.replace(/\u0001([\w-]+)\u0002/g, (_, name: string) =>
		Object.hasOwn(palette, name) ? palette[name as Color][0] : '',
	);

/** Inline light colors, and classes for the dark ones. */
function look(
	css: string,
	{ ink, ground, edge, name }: { ink?: Color; ground?: Color; edge?: Color; name?: string } = {},
): Html {
	const names = [ink && `c-${ink}`, ground && `b-${ground}`, edge && `l-${edge}`, name].filter(Boolean);
	const styles = [
		ink && `color:${light(ink)}`,
		ground && `background-color:${light(ground)}`,
		css,
		edge && `border-color:${light(edge)}`,
	].filter(Boolean);
	return html`class="${names.join(' ')}" style="${styles.join(';')}"`;
}

/** Outlook sets the attributes data-ogsc and data-ogsb instead of supporting prefers-color-scheme. */
function sheetOf(palette: Palette): Html {
	const rules = (Object.keys(colors) as Color[]).flatMap((name) => [
		{ attribute: 'ogsc', rule: `.c-${name}{color:${palette[name][1]}!important}` },
		{ attribute: 'ogsb', rule: `.b-${name}{background-color:${palette[name][1]}!important}` },
		{ attribute: 'ogsb', rule: `.l-${name}{border-color:${palette[name][1]}!important}` },
	]);
	const wash = `linear-gradient(${palette['sea-wash'][1]},${palette['sea-wash'][1]})`;
	return {
		markup: [
			':root{color-scheme:light dark;supported-color-schemes:light dark}',
			'body{-webkit-text-size-adjust:100%}',
			'a:hover{text-decoration:underline!important}',
			`@media (prefers-color-scheme:dark){${rules.map(({ rule }) => rule).join('')}.wash{background-image:${wash}!important}}`,
			...rules.map(({ attribute, rule }) => `[data-${attribute}] ${rule}`),
			`[data-ogsb] .wash{background-image:${wash}!important}`,
			'@media (max-width:480px){.outer{padding:0!important}.card{border-radius:0!important;border-left:0!important;border-right:0!important}.pad{padding-left:20px!important;padding-right:20px!important}.narrow{padding-left:6px!important}.meaning{font-size:11px!important}.label,.shift{font-size:13px!important}.now{font-size:14px!important}.shift{white-space:normal!important}.bar{padding-left:4px!important;padding-right:4px!important}.spark{width:72px!important}}',
		].join('\n'),
	};
}

const layout: Html = { markup: 'role="presentation" cellpadding="0" cellspacing="0" border="0"' };

function frame(page: {
	language: string;
	subject: string;
	/** Shown next to the subject in the inbox. */
	preview: string;
	content: Html;
	foot: Html;
	brand: Brand | undefined;
}): string {
	const palette = paletteOf(page.brand?.accent);
	const { markup } = html`<!doctype html>
		<html lang="${page.language}">
		<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width,initial-scale=1">
		<meta name="color-scheme" content="light dark">
		<meta name="supported-color-schemes" content="light dark">
		<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
		<meta name="x-apple-disable-message-reformatting">
		<title>${page.subject}</title>
		<style>${sheetOf(palette)}</style>
		<!--[if mso]><style>table,td,th,p,a,span,h1,h2{font-family:'Segoe UI',Arial,sans-serif!important}</style><![endif]-->
		</head>
		<body ${look(`margin:0;padding:0;font-family:${font}`, { ground: 'paper' })}>
		<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${page.preview}</div>
		<table ${layout} width="100%" ${look('', { ground: 'paper' })}><tr>
		<td align="center" ${look('padding:32px 16px', { name: 'outer' })}>
		<!--[if mso]><table ${layout} width="600"><tr><td><![endif]-->
		<table ${layout} width="100%" style="max-width:600px">${brandRow(page.brand)}<tr>
		<td ${look('border:1px solid;border-radius:10px;padding:8px 0 32px', { ground: 'surface', edge: 'line', name: 'card' })}>
		<table ${layout} width="100%">${page.content}</table>
		</td></tr><tr>
		<td ${look('padding:20px 32px;font-size:12.5px;line-height:19px', { ink: 'ink-3', name: 'pad' })}>${page.foot}</td>
		</tr></table>
		<!--[if mso]></td></tr></table><![endif]-->
		</td></tr></table></body></html>`;
	return paint(markup, palette);
}

/** Above the card. The logo is for light backgrounds, so it stands on one in dark mode too. */
function brandRow(brand: Brand | undefined): Html {
	if (!brand?.logo && !brand?.name) return nothing;
	return html`<tr><td ${look('padding:12px 32px 16px', { name: 'pad' })}>${
		brand.logo
			? logoImage(brand.logo, brand.name ?? '')
			: html`<span ${look('font-size:16px;line-height:24px;font-weight:600', { ink: 'ink' })}>${brand.name ?? ''}</span>`
	}</td></tr>`;
}

const logoHeight = 36;
const logoWidth = 240;

function logoImage({ width, height }: Logo, name: string): Html {
	const scale = Math.min(1, logoHeight / height, logoWidth / width);
	const [shownWidth, shownHeight] = [width, height].map((size) => Math.max(1, Math.round(size * scale)));
	return html`<table ${layout}><tr><td style="background-color:#ffffff;border-radius:8px;padding:6px 10px">
		<img src="cid:logo" alt="${name}" width="${shownWidth ?? 1}" height="${shownHeight ?? 1}" style="display:block;border:0;font-size:16px;line-height:24px;font-weight:600;color:#0f1f1e"></td></tr></table>`;
}

/** A row of the card. */
const band = (content: Html, top = 28): Html =>
	html`<tr><td ${look(`padding:${top}px 32px 0`, { name: 'pad' })}>${content}</td></tr>`;

export function reportHtml({
	report,
	view,
	subject,
	baseUrl,
	unsubscribeUrl,
	brand,
}: Addresses & { report: Report; view: ReportView; subject: string }): string {
	const { texts } = view;
	return frame({
		brand,
		language: view.language,
		subject,
		preview: view.sentence,
		content: html`
			${band(head({ title: view.name, href: baseUrl + view.path, under: [view.domain, view.title, view.dates] }), 22)}
			${report.isProvisional ? band(notice(texts.provisional), 16) : nothing}
			${band(hero(view))}
			${view.changed.length > 0 ? band(changes(view), 24) : nothing}
			${(report.totals.visitors.now ?? 0) > 0 ? band(chart(view, report.kind), 24) : nothing}
			${band(numbers(view, report.kind))}
			${view.lists.map((list) => band(listTable(list, baseUrl)))}
			${view.goals.length > 0 ? band(goals(view, baseUrl)) : nothing}
			${band(button(texts.open[report.kind], baseUrl + view.path), 32)}`,
		foot: foot({
			why: texts.why[report.kind]({ name: view.name }),
			unsubscribe: texts.unsubscribe,
			unsubscribeUrl,
			more: [texts.foot.zone(report.website.timezone), texts.foot.visitor],
			poweredBy: poweredBy(brand, texts),
		}),
	});
}

const head = ({
	title,
	href,
	under,
}: {
	title: string;
	href: string;
	under: (string | undefined)[];
}): Html => html`
	<h1 style="margin:0;font-size:20px;line-height:28px;font-weight:600">
	<a href="${href}" ${look('text-decoration:none;word-break:break-word', { ink: 'ink' })}>${title}</a></h1>
	<p ${look('margin:2px 0 0;font-size:14px;line-height:20px;word-break:break-word', { ink: 'ink-2' })}>${under.filter((part) => part !== undefined).join(' · ')}</p>`;

const notice = (text: string): Html =>
	html`<p ${look('margin:0;padding:10px 14px;border-radius:8px;font-size:13px;line-height:19px', {
		ink: 'note',
		ground: 'note-wash',
	})}>${text}</p>`;

const hero = ({ visitors, count, sentence }: { visitors: string; count: string; sentence: string }): Html => {
	// The number is larger than the words around it, whose order depends on the language.
	const start = visitors.indexOf(count);
	const [ahead, behind] = [visitors.slice(0, start), visitors.slice(start + count.length)];
	return html`<p ${look('margin:0;font-size:18px;line-height:44px', { ink: 'ink-2' })}>${ahead}<span ${look(
		'font-size:40px;font-weight:600;letter-spacing:-0.02em;font-variant-numeric:tabular-nums',
		{ ink: 'ink' },
	)}>${count}</span>${behind}</p>
	<p ${look('margin:4px 0 0;font-size:14px;line-height:20px', { ink: 'ink-2' })}>${sentence}</p>`;
};

const chartHeight = 112;

function chart({ bars, summary, texts }: ReportView, kind: Report['kind']): Html {
	const { title, legend } = texts.chart;
	const hasBefore = bars.some(({ before }) => before !== null);
	const gap = kind === 'week' ? 10 : 1;
	const label = look('padding-top:6px;font-size:12px;line-height:16px', { ink: 'ink-3' });
	return html`${heading(title)}
		<table ${layout} width="100%" style="table-layout:fixed" aria-hidden="true">
		<tr>${bars.map(
			(bar) =>
				html`<td valign="bottom" ${look(`padding:0 ${gap}px`, { name: kind === 'week' ? 'bar' : '' })}>${column(bar, mostOf(bars), chartHeight)}</td>`,
		)}</tr>
		<tr>${bars.map((bar) =>
			kind === 'week'
				? html`<td align="center" ${label}>${bar.label}<br><span ${look('font-weight:600;font-variant-numeric:tabular-nums', { ink: 'ink' })}>${bar.count}</span></td>`
				: bar.label === ''
					? nothing
					: html`<td colspan="${Math.min(7, bars.length - (Number(bar.label) - 1))}" align="left" ${label}>${bar.label}</td>`,
		)}</tr>
		</table>
		<p ${look('margin:10px 0 0;font-size:12.5px;line-height:19px', { ink: 'ink-3' })}>
		<span ${look('', { ink: 'sea' })}>■</span> ${legend[kind].now}${
			hasBefore
				? html`&nbsp;&nbsp; <span ${look('', { ink: 'ink-3' })}>━</span> ${legend[kind].before}`
				: nothing
		}${summary === undefined ? nothing : html`<br>${summary}`}</p>`;
}

const mostOf = (bars: readonly Bar[]): number =>
	Math.max(1, ...bars.map(({ visitors, before }) => Math.max(visitors, before ?? 0)));

/** A bar as a stack of table rows. The previous period is a thin mark across or above the bar. */
function column({ visitors, before }: Bar, most: number, height: number): Html {
	const heightOf = (count: number) => (count === 0 ? 0 : Math.max(3, Math.round((count / most) * height)));
	const bar = heightOf(visitors);
	const mark = before === null ? 0 : Math.max(2, heightOf(before));
	const body = (size: number): [number, Color][] => [
		[Math.min(3, size), 'sea'],
		[size - 3, 'sea-wash-2'],
	];
	const pieces: [number, Color | undefined][] =
		mark > bar
			? [
					[height - mark, undefined],
					[2, 'ink-3'],
					[mark - 2 - bar, undefined],
					...body(Math.min(bar, mark - 2)),
				]
			: mark === 0
				? [[height - bar, undefined], ...body(bar)]
				: [
						[height - bar, undefined],
						...body(bar - mark),
						[2, 'ink-3'],
						[mark - 2, bar === mark ? 'sea' : 'sea-wash-2'],
					];
	return html`<table ${layout} width="100%">${pieces
		.filter(([size]) => size > 0)
		.map(
			([size, ground]) =>
				html`<tr><td height="${size}" ${look(`height:${size}px;line-height:0;font-size:0`, ground ? { ground } : {})}></td></tr>`,
		)}</table>`;
}

const heading = (text: string): Html =>
	html`<h2 ${look('margin:0 0 10px;font-size:14px;line-height:20px;font-weight:600', { ink: 'ink' })}>${text}</h2>`;

const cell = 'padding:9px 0 9px 12px;border-top:1px solid';

function numbers({ metrics, texts }: ReportView, kind: Report['kind']): Html {
	const hasYear = metrics.some(({ yearAgo }) => yearAgo);
	const columnHead = (text: string): Html =>
		html`<th scope="col" align="right" ${look('padding:0 0 8px 12px;font-size:12px;line-height:16px;font-weight:400', { ink: 'ink-3', name: 'narrow' })}>${text}</th>`;
	return html`<table cellpadding="0" cellspacing="0" border="0" width="100%">
		<tr><td></td><td></td>${columnHead(texts.before[kind])}${hasYear ? columnHead(texts.before.year) : nothing}</tr>
		${metrics.map(
			({ label, now, before, yearAgo }) => html`<tr>
			<th scope="row" align="left" valign="top" ${look(`${cell};padding-left:0;font-size:14px;line-height:20px;font-weight:400`, { ink: 'ink', edge: 'line-2', name: 'label' })}>${label}</th>
			<td align="right" valign="top" ${look(`${cell};font-size:16px;line-height:20px;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap`, { ink: 'ink', edge: 'line-2', name: 'narrow now' })}>${now}</td>
			${shiftCell(before)}${hasYear ? shiftCell(yearAgo) : nothing}</tr>`,
		)}</table>`;
}

function shiftCell(shift: Shift | undefined): Html {
	const ink: Color = shift?.isGood === undefined ? 'ink-2' : shift.isGood ? 'up' : 'down';
	return html`<td align="right" valign="top" ${look(`${cell};font-size:14px;line-height:20px`, { ink, edge: 'line-2', name: 'narrow' })}>${
		shift
			? html`<span ${look('font-weight:600;white-space:nowrap', { name: 'shift' })}>${shift.text}</span><br><span ${look('font-size:12px;line-height:16px', { ink: 'ink-3', name: 'meaning' })}>${shift.meaning}</span>`
			: '–'
	}</td>`;
}

const changes = ({ changed: lines, texts }: ReportView): Html => html`
	<table ${layout} width="100%"><tr><td ${look('padding:14px 16px;border-radius:8px', { ground: 'sea-wash' })}>
	<h2 ${look('margin:0 0 4px;font-size:14px;line-height:20px;font-weight:600', { ink: 'sea-ink' })}>${texts.lists.changed}</h2>
	${lines.map(
		(line) =>
			html`<p ${look('margin:0;font-size:14px;line-height:21px;word-break:break-word', { ink: 'ink' })}>${line}</p>`,
	)}</td></tr></table>`;

const listTable = ({ title, column: unit, rows }: ReportViewList, baseUrl: string): Html => html`
	<table cellpadding="0" cellspacing="0" border="0" width="100%" style="table-layout:fixed">
	${listHead(title, [unit])}
	${rows.map((row) => listRow(row, baseUrl, [row.count]))}</table>`;

const goals = ({ goals: rows, texts }: ReportView, baseUrl: string): Html => html`
	<table cellpadding="0" cellspacing="0" border="0" width="100%" style="table-layout:fixed">
	${listHead(texts.lists.goals, [texts.columns.conversions, texts.columns.rate])}
	${rows.flatMap((row) => [listRow(row, baseUrl, [row.count, row.rate]), revenueRow(row.revenue)])}</table>`;

/** Below its goal, because sums in several currencies are long. */
const revenueRow = (revenue: string | undefined): Html =>
	revenue === undefined
		? nothing
		: html`<tr><td colspan="4" ${look('padding:0 8px 6px;font-size:12.5px;line-height:18px;font-variant-numeric:tabular-nums', { ink: 'ink-2' })}>${revenue}</td></tr>`;

const listHead = (title: string, units: readonly string[]): Html => html`<tr>
	<th scope="col" align="left" ${look('padding:0 0 6px;font-size:14px;line-height:20px;font-weight:600', { ink: 'ink' })}>${title}</th>
	<td width="64"></td>
	${units.map(
		(unit) =>
			html`<th scope="col" align="right" width="84" ${look('padding:0 0 6px;font-size:12px;line-height:16px;font-weight:400', { ink: 'ink-3' })}>${unit}</th>`,
	)}</tr>`;

/** The gradient behind the name shows the share of the row. */
function listRow(
	{ name, change, share, path }: ReportViewRow,
	baseUrl: string,
	numbers: readonly string[],
): Html {
	const wash = light('sea-wash');
	const width = Math.max(1, Math.round(share * 100));
	return html`<tr>
		<td ${look(
			`padding:6px 8px;font-size:14px;line-height:20px;border-radius:4px;border-bottom:3px solid;background-clip:padding-box;background-image:linear-gradient(${wash},${wash});background-size:${width}% 100%;background-repeat:no-repeat;overflow:hidden;text-overflow:ellipsis;white-space:nowrap`,
			{ edge: 'surface', name: 'wash' },
		)}><a href="${baseUrl}${path}" ${look('text-decoration:none', { ink: 'ink' })}>${name}</a></td>
		<td align="right" ${look('padding:6px 0;font-size:12px;line-height:20px;white-space:nowrap', { ink: 'ink-3' })}>${change ?? ''}</td>
		${numbers.map(
			(number) =>
				html`<td align="right" ${look('padding:6px 0;font-size:14px;line-height:20px;font-weight:600;font-variant-numeric:tabular-nums', { ink: 'ink' })}>${number}</td>`,
		)}</tr>`;
}

const button = (text: string, href: string): Html => html`
	<table ${layout}><tr><td ${look('border-radius:8px', { ground: 'sea' })}>
	<a href="${href}" ${look('display:inline-block;padding:10px 18px;font-size:14px;line-height:20px;font-weight:600;text-decoration:none;border-radius:8px', { ink: 'on-sea' })}>${text}</a>
	</td></tr></table>`;

const foot = (texts: {
	why: string;
	unsubscribe: string;
	unsubscribeUrl: string;
	more: readonly string[];
	poweredBy: string | undefined;
}): Html => html`
	${texts.more.join(' ')}<br><br>${texts.why} <a href="${texts.unsubscribeUrl}" ${look('text-decoration:underline', { ink: 'ink-2' })}>${texts.unsubscribe}</a>${texts.poweredBy === undefined ? nothing : html`<br><br>${texts.poweredBy}`}`;

/** Mail programs cut off emails of more than about 100 KB. */
const maxWebsites = 25;

export function digestHtml(digest: DigestView & Addresses): string {
	const { texts, kind, baseUrl, reports } = digest;
	const left = reports.length - maxWebsites;
	const columnHead = (text: string, align: string): Html =>
		html`<th scope="col" align="${align}" ${look('padding:0 0 8px;font-size:12px;line-height:16px;font-weight:400', { ink: 'ink-3' })}>${text}</th>`;
	return frame({
		brand: digest.brand,
		language: digest.language,
		subject: digest.subject,
		preview: digest.sentence,
		content: html`
			${band(head({ title: digest.websites, href: `${baseUrl}/websites`, under: [digest.title, digest.dates] }), 22)}
			${digest.isProvisional ? band(notice(texts.provisional), 16) : nothing}
			${band(hero(digest))}
			${band(html`<table cellpadding="0" cellspacing="0" border="0" width="100%">
				<tr>${columnHead(texts.columns.website, 'left')}<td></td>${columnHead(texts.metrics.visitors, 'right')}${columnHead(texts.before[kind], 'right')}</tr>
				${reports.slice(0, maxWebsites).map((view) => digestRow(view, baseUrl))}</table>
				${left > 0 ? html`<p ${look('margin:12px 0 0;font-size:14px;line-height:20px', { ink: 'ink-2' })}>${texts.others(left, String(left))}</p>` : nothing}`)}
			${band(button(texts.openAll, `${baseUrl}/websites`), 32)}`,
		foot: foot({
			why: texts.whyDigest[kind],
			unsubscribe: texts.unsubscribe,
			unsubscribeUrl: digest.unsubscribeUrl,
			more: [texts.foot.visitor],
			poweredBy: poweredBy(digest.brand, texts),
		}),
	});
}

function digestRow({ name, domain, count, change, bars, path }: ReportView, baseUrl: string): Html {
	const row = 'padding:12px 0 12px 12px;border-top:1px solid';
	return html`<tr>
		<td ${look(`${row};padding-left:0;font-size:14px;line-height:20px;word-break:break-word`, { edge: 'line-2' })}>
		<a href="${baseUrl}${path}" ${look('text-decoration:none;font-weight:600', { ink: 'ink' })}>${name}</a>${
			domain === undefined
				? nothing
				: html`<br><span ${look('font-size:12px;line-height:16px', { ink: 'ink-3' })}>${domain}</span>`
		}</td>
		<td width="120" valign="middle" ${look(row, { edge: 'line-2', name: 'spark' })}>
		<table ${layout} width="100%" style="table-layout:fixed" aria-hidden="true"><tr>${spark(bars)}</tr></table></td>
		<td align="right" ${look(`${row};font-size:16px;line-height:20px;font-weight:600;font-variant-numeric:tabular-nums`, { ink: 'ink', edge: 'line-2' })}>${count}</td>
		${shiftCell(change)}</tr>`;
}

/** Small bars, of three days each for a month. */
function spark(bars: readonly Bar[]): Html[] {
	const days = bars.length > 10 ? 3 : 1;
	const sums = Array.from({ length: Math.ceil(bars.length / days) }, (_, index) =>
		bars.slice(index * days, (index + 1) * days).reduce((sum, { visitors }) => sum + visitors, 0),
	);
	const most = Math.max(1, ...sums);
	return sums.map((sum) => {
		const height = Math.max(1, Math.round((sum / most) * 28));
		return html`<td valign="bottom" style="padding:0 1px"><div ${look(`height:${height}px;line-height:${height}px;font-size:0`, { ground: 'sea' })}>&nbsp;</div></td>`;
	});
}
