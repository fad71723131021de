/** Reports of a website as an Atom feed (RFC 4287), for those who read feeds and not mails. */

import type { Report } from '../report.ts';
import { html, nothing } from './html.ts';
import { subjectOf } from './report-mail.ts';
import { type ReportView, renderReportView } from './report-view.ts';
import { findTexts } from './texts/texts.ts';

export function reportFeed(
	/** The latest first. */
	reports: readonly Report[],
	of: {
		website: Pick<Report['website'], 'id' | 'name'>;
		/** Stays the same when the address is renewed, so that readers know what they have. */
		feedId: string;
		feedUrl: string;
		baseUrl: string;
		locale: string;
		/** When there is no report yet. */
		since: string;
	},
): string {
	const { language, texts } = findTexts(of.locale);
	const entries = reports.map((report) => {
		const said = renderReportView(report, of.locale);
		const href = of.baseUrl + said.path;
		return html`<entry>
			<id>${`${of.feedId}/${report.kind}/${report.from}`}</id>
			<title>${entryTitle(report, said)}</title>
			<updated>${report.madeAt}</updated>
			<link rel="alternate" type="text/html" href="${href}"/>
			<summary>${`${said.visitors}. ${said.sentence}`}</summary>
			<content type="html">${contentOf(report, said, of.baseUrl)}</content>
			</entry>`;
	});
	const name = reports[0] ? renderReportView(reports[0], of.locale).name : of.website.name;
	return `<?xml version="1.0" encoding="utf-8"?>\n${
		html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
			<id>${of.feedId}</id>
			<title>${texts.feed.title(name)}</title>
			<updated>${reports[0]?.madeAt ?? of.since}</updated>
			<author><name>Tidemark</name></author>
			<link rel="self" type="application/atom+xml" href="${of.feedUrl}"/>
			<link rel="alternate" type="text/html" href="${`${of.baseUrl}/websites/${of.website.id}`}"/>
			${entries}</feed>`.markup
	}\n`;
}

/** With its dates: a feed is read long after. */
const entryTitle = (report: Report, said: ReportView): string =>
	report.kind === 'month'
		? subjectOf(report, said)
		: `${said.dates}: ${said.visitors}${said.change?.isGood === undefined ? '' : ` (${said.change.text})`}`;

/** Markup as text: readers clean and show it in their own manner, so it brings no style. */
function contentOf(report: Report, said: ReportView, baseUrl: string): string {
	const { texts } = said;
	const hasYear = said.metrics.some(({ yearAgo }) => yearAgo);
	return html`<p><strong>${said.visitors}</strong>. ${said.sentence}</p>
		${report.isProvisional ? html`<p><em>${texts.provisional}</em></p>` : nothing}
		<table><tr><th></th><th></th><th>${texts.before[report.kind]}</th>${hasYear ? html`<th>${texts.before.year}</th>` : nothing}</tr>
		${said.metrics.map(
			({ label, now, before, yearAgo }) => html`<tr><th>${label}</th><td>${now}</td>
			${(hasYear ? [before, yearAgo] : [before]).map((shift) => html`<td>${shift ? `${shift.text}, ${shift.meaning}` : '–'}</td>`)}</tr>`,
		)}</table>
		${said.risen.length === 0 ? nothing : html`<h2>${texts.lists.risen}</h2>${said.risen.map((line) => html`<p>${line}</p>`)}`}
		${said.lists.map(
			({ title, rows }) => html`<h2>${title}</h2>
			<table>${rows.map((row) => html`<tr><td><a href="${baseUrl}${row.path}">${row.name}</a></td><td>${row.count}</td><td>${row.change ?? ''}</td></tr>`)}</table>`,
		)}
		${
			said.goals.length === 0
				? nothing
				: html`<h2>${texts.lists.goals}</h2>
			<table>${said.goals.map((goal) => html`<tr><td>${goal.name}</td><td>${goal.count}</td><td>${goal.rate}</td><td>${goal.change ?? ''}</td></tr>`)}</table>`
		}
		<p><a href="${baseUrl}${said.path}">${texts.open[report.kind]}</a></p>`.markup;
}
