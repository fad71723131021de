import { formatCount, formatDate, formatDates } from '../../../presentation/format.ts';
import { changeOf } from '../../../presentation/metrics.ts';
import type { Brand } from '../../branding/branding.ts';
import { senderName } from '../../notify/mail/names.ts';
import { unsubscribeHeaders } from '../../notify/mail/unsubscribe.ts';
import type { Report } from '../report.ts';
import { digestHtml, reportHtml } from './report-html.ts';
import { digestText, reportText } from './report-text.ts';
import { type ReportView, renderReportView } from './report-view.ts';
import { findTexts } from './texts/texts.ts';

type Addresses = {
	baseUrl: string;
	unsubscribeUrl: string;
};
export type Message = {
	subject: string;
	text: string;
	html: string;
	headers: Record<string, string>;
	senderName?: string | undefined;
	/** The digest of the image that `cid:logo` shows. */
	logo?: string | undefined;
};

/** The email of a report, or a digest of several. */
export function reportMail(
	reports: readonly Report[],
	{ locale, brand, ...addresses }: Addresses & { locale: string; brand?: Brand | undefined },
): Message {
	const [first] = reports;
	if (!first) throw new Error('An email needs at least one report.');
	const headers = {
		...unsubscribeHeaders(addresses.unsubscribeUrl),
		'Auto-Submitted': 'auto-generated',
	};
	const sender = { senderName: senderName(brand?.name), logo: brand?.logo?.digest };
	if (reports.length === 1) {
		const view = renderReportView(first, locale);
		const subject = subjectOf(first, view);
		const content = { report: first, view, subject, brand, ...addresses };
		return { subject, headers, ...sender, html: reportHtml(content), text: reportText(content) };
	}
	const digest = { ...renderDigestView(reports, first, locale), brand, ...addresses };
	return {
		subject: digest.subject,
		headers,
		...sender,
		html: digestHtml(digest),
		text: digestText(digest),
	};
}

/** `example.com: 1,204 visitors last week (+12%)`. Long names are shortened. */
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
	{ texts, ...values }: { name: string; visitors: string; change: string; texts: ReportView['texts'] },
): string {
	if (kind === 'week') return texts.subject.week(values);
	const month = formatDate(from, language, { month: 'long', year: 'numeric' });
	return texts.subject.month({ ...values, month });
}

/** Several websites in one email, sorted by visitors. */
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

function renderDigestView(reports: readonly Report[], first: Report, locale: string): DigestView {
	const { language, texts } = findTexts(locale);
	const sum = (pick: (report: Report) => number | null): number | null =>
		reports.reduce<number | null>((all, report) => {
			const number = pick(report);
			return all === null || number === null ? null : all + number;
		}, 0);
	const now = sum(({ totals }) => totals.visitors.now ?? 0) ?? 0;
	const before = sum(({ totals }) => totals.visitors.before);
	const change = changeOf('visitors', now, before, language);
	const by = change?.by.text ?? '';
	const count = formatCount(now, language);
	const websites = texts.websites(reports.length, formatCount(reports.length, language));
	const visitors = texts.visitors(now, count);
	const sign = change?.direction === 'up' ? '+' : '−';
	return {
		websites,
		visitors,
		count,
		language,
		texts,
		kind: first.kind,
		title: texts.title[first.kind],
		dates: formatDates(first.from, first.to, language),
		isProvisional: reports.some(({ isProvisional }) => isProvisional),
		subject: subject(first.kind, first.from, language, {
			name: websites,
			visitors,
			change: !change || change.direction === 'same' ? '' : ` (${sign}${by})`,
			texts,
		}),
		sentence: !change
			? ''
			: change.direction === 'same'
				? texts.change.same(first.kind)
				: texts.change[change.direction === 'up' ? 'more' : 'fewer'](by, first.kind),
		reports: reports
			.toSorted((a, b) => (b.totals.visitors.now ?? 0) - (a.totals.visitors.now ?? 0))
			.map((report) => renderReportView(report, locale)),
	};
}
