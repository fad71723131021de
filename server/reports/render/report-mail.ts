import { formatCount, formatDate, formatDates } from '../../../presentation/format.ts';
import { changeOf } from '../../../presentation/metrics.ts';
import type { Report } from '../report.ts';
import { digestHtml, reportHtml } from './report-html.ts';
import { digestText, reportText } from './report-text.ts';
import { type ReportView, renderReportView } from './report-view.ts';
import { findTexts } from './texts/texts.ts';

type Addresses = {
	/** What every address in the mail begins with. */
	baseUrl: string;
	unsubscribeUrl: string;
};
export type Message = { subject: string; text: string; html: string; headers: Record<string, string> };

/** One report: a report. Several, of one kind: a digest of them. */
export function reportMail(
	reports: readonly Report[],
	{ locale, ...addresses }: Addresses & { locale: string },
): Message {
	const [only] = reports;
	if (!only) throw new Error('A mail was asked for without a report.');
	const headers = {
		'List-Unsubscribe': `<${addresses.unsubscribeUrl}>`,
		'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
		'Auto-Submitted': 'auto-generated',
	};
	if (reports.length === 1) {
		const said = renderReportView(only, locale);
		const subject = subjectOf(only, said);
		const given = { report: only, said, subject, ...addresses };
		return { subject, headers, html: reportHtml(given), text: reportText(given) };
	}
	const digest = sayDigest(reports, locale);
	const given = { ...digest, ...addresses };
	return { subject: digest.subject, headers, html: digestHtml(given), text: digestText(given) };
}

/** `example.com: 1,204 visitors last week (+12%)`. A name cannot push the number out of sight. */
export function subjectOf(
	{ kind, from }: Report,
	{ name, visitors, change, texts, language }: ReportView,
): string {
	return subject(kind, from, language, {
		name: name.length > 80 ? `${name.slice(0, 79).toWellFormed()}…` : name,
		visitors,
		change: change?.isGood === undefined ? '' : ` (${change.text})`,
		texts,
	});
}

function subject(
	kind: Report['kind'],
	from: string,
	language: string,
	{ texts, ...of }: { name: string; visitors: string; change: string; texts: ReportView['texts'] },
): string {
	if (kind === 'week') return texts.subject.week(of);
	const month = formatDate(from, language, { month: 'long', year: 'numeric' });
	return texts.subject.month({ ...of, month });
}

/** Many websites in one mail: the one with the most visitors first. */
export type DigestView = Pick<
	ReportView,
	'language' | 'texts' | 'title' | 'dates' | 'visitors' | 'sentence'
> & {
	kind: Report['kind'];
	isProvisional: boolean;
	subject: string;
	count: string;
	websites: string;
	reports: readonly ReportView[];
};

function sayDigest(reports: readonly Report[], locale: string): DigestView {
	const { language, texts } = findTexts(locale);
	const [first] = reports;
	if (!first) throw new Error('A digest was asked for without a report.');
	const sum = (pick: (report: Report) => number | null): number | null =>
		reports.reduce<number | null>((all, report) => {
			const one = pick(report);
			return all === null || one === null ? null : all + one;
		}, 0);
	const now = sum(({ totals }) => totals.visitors.now ?? 0) ?? 0;
	const before = sum(({ totals }) => totals.visitors.before);
	const change = changeOf('visitors', now, before, language);
	const by = change?.by.text ?? '';
	const count = formatCount(now, language);
	const said = {
		websites: texts.websites(reports.length, formatCount(reports.length, language)),
		visitors: texts.visitors(now, count),
	};
	const sign = change?.direction === 'up' ? '+' : '−';
	return {
		...said,
		count,
		language,
		texts,
		kind: first.kind,
		title: texts.title[first.kind],
		dates: formatDates(first.from, first.to, language),
		isProvisional: reports.some(({ isProvisional }) => isProvisional),
		subject: subject(first.kind, first.from, language, {
			name: said.websites,
			visitors: said.visitors,
			change: !change || change.direction === 'same' ? '' : ` (${sign}${by})`,
			texts,
		}),
		sentence: !change
			? ''
			: change.direction === 'same'
				? texts.change.same(first.kind)
				: texts.change[change.direction === 'up' ? 'more' : 'fewer'](by, first.kind),
		reports: reports
			.toSorted((one, other) => (other.totals.visitors.now ?? 0) - (one.totals.visitors.now ?? 0))
			.map((report) => renderReportView(report, locale)),
	};
}
