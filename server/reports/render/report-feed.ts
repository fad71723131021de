/** Reports of a website as an Atom feed (RFC 4287). */

import type { Report } from '../report.ts';
import { html, nothing } from './html.ts';
import { subjectOf } from './report-mail.ts';
import { type ReportView, renderReportView } from './report-view.ts';
import { findTexts } from './texts/texts.ts';

export function reportFeed(
	/** Newest first. */
	reports: readonly Report[],
	feed: {
		website: Pick<Report['website'], 'id' | 'name'>;
		/** Does not change with the URL, so that feed readers recognize known entries. */
		feedId: string;
		feedUrl: string;
		baseUrl: string;
		locale: string;
		/** The time of the feed if it has no reports. */
		since: string;
		/** Of its account. */
		brandName?: string | null | undefined;
	},
): string {
	const { language, texts } = findTexts(feed.locale);
	const entries = reports.map((report) => {
		const view = renderReportView(report, feed.locale);
		const href = feed.baseUrl + view.path;
		return html`<entry>
			<id>${`${feed.feedId}/${report.kind}/${report.from}`}</id>
			<title>${entryTitle(report, view)}</title>
			<updated>${report.madeAt}</updated>
			<link rel="alternate" type="text/html" href="${href}"/>
			<summary>${`${view.visitors}. ${view.sentence}`}</summary>
			<content type="html">${contentOf(report, view, feed.baseUrl)}</content>
			</entry>`;
	});
	const name = reports[0] ? renderReportView(reports[0], feed.locale).name : feed.website.name;
	return `<?xml version="1.0" encoding="utf-8"?>\n${
		html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
			<id>${feed.feedId}</id>
			<title>${texts.feed.title(name)}</title>
			<updated>${reports[0]?.madeAt ?? feed.since}</updated>
			<author><name>${feed.brandName ?? 'Tidemark'}</name></author>
			<link rel="self" type="application/atom+xml" href="${feed.feedUrl}"/>
			<link rel="alternate" type="text/html" href="${`${feed.baseUrl}/websites/${feed.website.id}`}"/>
			${entries}</feed>`.markup
	}\n`;
}

/** Contains the dates, because feeds are read later. */
const entryTitle = (report: Report, view: ReportView): string =>
	report.kind === 'month'
		? subjectOf(report, view)
		: `${view.dates}: ${view.visitors}${view.change?.isGood === undefined ? '' : ` (${view.change.text})`}`;

/** HTML without styles, because feed readers remove them. */
function contentOf(report: Report, view: ReportView, baseUrl: string): string {
	const { texts } = view;
	const hasYear = view.metrics.some(({ yearAgo }) => yearAgo);
	return html`<p><strong>${view.visitors}</strong>. ${view.sentence}</p>
		${report.isProvisional ? html`<p><em>${texts.provisional}</em></p>` : nothing}
		${view.changed.length === 0 ? nothing : html`<h2>${texts.lists.changed}</h2>${view.changed.map((line) => html`<p>${line}</p>`)}`}
		<table><tr><th></th><th></th><th>${texts.before[report.kind]}</th>${hasYear ? html`<th>${texts.before.year}</th>` : nothing}</tr>
		${view.metrics.map(
			({ label, now, before, yearAgo }) => html`<tr><th>${label}</th><td>${now}</td>
			${(hasYear ? [before, yearAgo] : [before]).map((shift) => html`<td>${shift ? `${shift.text}, ${shift.meaning}` : '–'}</td>`)}</tr>`,
		)}</table>
		${view.lists.map(
			({ title, rows }) => html`<h2>${title}</h2>
			<table>${rows.map((row) => html`<tr><td><a href="${baseUrl}${row.path}">${row.name}</a></td><td>${row.count}</td><td>${row.change ?? ''}</td></tr>`)}</table>`,
		)}
		${
			view.goals.length === 0
				? nothing
				: html`<h2>${texts.lists.goals}</h2>
			<table>${view.goals.map((goal) => html`<tr><td>${goal.name}</td><td>${goal.count}</td><td>${goal.rate}</td><td>${goal.change ?? ''}</td><td>${goal.revenue ?? ''}</td></tr>`)}</table>`
		}
		<p><a href="${baseUrl}${view.path}">${texts.open[report.kind]}</a></p>`.markup;
}
