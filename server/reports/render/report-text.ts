/** A report as plain text with lines of at most 72 columns, aligned for a fixed-width font. */

import type { Brand } from '../../branding/branding.ts';
import type { Report } from '../report.ts';
import { brandLines } from './brand-line.ts';
import type { DigestView } from './report-mail.ts';
import type { Bar, ReportView, ReportViewRow } from './report-view.ts';
import { cutTo, padEndTo, padStartTo, widthOf, wrapAt } from './text-width.ts';

type Addresses = { baseUrl: string; unsubscribeUrl: string; brand: Brand | undefined };
const columns = 72;

export function reportText({
	report,
	view,
	baseUrl,
	unsubscribeUrl,
	brand,
}: Addresses & { report: Report; view: ReportView }): string {
	const { texts } = view;
	const isEmpty = (report.totals.visitors.now ?? 0) === 0;
	const parts = [
		titleLines(view.name, [view.domain, view.title, view.dates]),
		report.isProvisional ? wrapAt(texts.provisional, columns) : [],
		[view.visitors, ...wrapAt(view.sentence, columns)],
		view.changed.length === 0
			? []
			: [
					texts.lists.changed,
					...view.changed.flatMap((line) => wrapAt(line, columns - 2).map((part) => `  ${part}`)),
				],
		isEmpty
			? []
			: [texts.chart.title, ...chartLines(view.bars, report.kind), ...wrapAt(view.summary ?? '', columns)],
		numberLines(view, report.kind),
		...view.lists.map(({ title, column, rows }) => listLines(title, [column], rows, (row) => [row.count])),
		view.goals.length === 0
			? []
			: [
					...listLines(
						texts.lists.goals,
						[texts.columns.conversions, texts.columns.rate],
						view.goals,
						(row) => [row.count, row.rate],
					),
					...revenueLines(view, columns),
				],
		[`${texts.open[report.kind]}:`, baseUrl + view.path],
		['--', ...wrapAt(`${texts.foot.zone(report.website.timezone)} ${texts.foot.visitor}`, columns)],
		[
			...wrapAt(texts.why[report.kind]({ name: view.name }), columns),
			`${texts.unsubscribe}:`,
			unsubscribeUrl,
		],
		brandLines(brand, texts),
	];
	return `${parts
		.filter((lines) => lines.length > 0)
		.map((lines) => lines.join('\n'))
		.join('\n\n')}\n`;
}

/** Below the goals, because sums in several currencies are long. */
export const revenueLines = ({ goals, texts }: ReportView, width: number): string[] =>
	goals.flatMap(({ name, revenue }) =>
		revenue === undefined ? [] : [cutTo(`  ${name}: ${texts.metrics.revenue} ${revenue}`, width)],
	);

function titleLines(name: string, under: readonly (string | undefined)[]): string[] {
	const title = cutTo(name, columns);
	const below = under.filter((part) => part !== undefined).join(' · ');
	return [title, '='.repeat(widthOf(title)), ...wrapAt(below, columns)];
}

/** One line per day for a week, one character per day for a month. */
function chartLines(bars: readonly Bar[], kind: Report['kind']): string[] {
	const most = Math.max(1, ...bars.map(({ visitors }) => visitors));
	if (kind === 'month') return [sparkOf(bars)];
	const label = Math.max(...bars.map((bar) => widthOf(bar.label)));
	const count = Math.max(...bars.map((bar) => widthOf(bar.count)));
	const room = columns - label - count - 4;
	return bars.map((bar) =>
		`${padEndTo(bar.label, label)}  ${padStartTo(bar.count, count)}  ${'█'.repeat(Math.round((bar.visitors / most) * room))}`.trimEnd(),
	);
}

const steps = [...'▁▂▃▄▅▆▇█'];
function sparkOf(bars: readonly Bar[]): string {
	const most = Math.max(1, ...bars.map(({ visitors }) => visitors));
	return bars.map(({ visitors }) => steps[Math.round((visitors / most) * (steps.length - 1))]).join('');
}

function numberLines({ metrics, texts }: ReportView, kind: Report['kind']): string[] {
	const hasYear = metrics.some(({ yearAgo }) => yearAgo);
	const lines = metrics.flatMap(({ label, now, before, yearAgo }) => [
		[label, now],
		[`  ${texts.before[kind]}`, before ? `${before.text}, ${before.meaning}` : '–'],
		...(hasYear ? [[`  ${texts.before.year}`, yearAgo ? `${yearAgo.text}, ${yearAgo.meaning}` : '–']] : []),
	]);
	const width = Math.max(...lines.map(([label = '']) => widthOf(label)));
	return lines.map(([label = '', text = '']) => cutTo(`${padEndTo(label, width)}  ${text}`, columns));
}

/** The name gets the columns that the numbers leave. */
function listLines<R extends ReportViewRow>(
	title: string,
	units: readonly string[],
	rows: readonly R[],
	numbersOf: (row: R) => readonly string[],
): string[] {
	const cells = rows.map((row) => [row.change ?? '', ...numbersOf(row)]);
	const heads = ['', ...units];
	const widths = heads.map((head, index) =>
		Math.max(widthOf(head), ...cells.map((row) => widthOf(row[index] ?? ''))),
	);
	const numbers = (row: readonly string[]) =>
		row.map((text, index) => `  ${padStartTo(text, widths[index] ?? 0)}`).join('');
	const room = columns - widths.reduce((sum, width) => sum + width + 2, 0);
	const name = Math.min(room, Math.max(widthOf(title), ...rows.map((row) => widthOf(row.name) + 2)));
	return [
		padEndTo(title, name) + numbers(heads),
		...rows.map(
			(row, index) => padEndTo(`  ${cutTo(row.name, name - 2)}`, name) + numbers(cells[index] ?? []),
		),
	];
}

export function digestText(digest: DigestView & Addresses): string {
	const { texts, kind, reports, baseUrl } = digest;
	const websites = reports.flatMap((view) => [
		cutTo(view.name, columns),
		...wrapAt([view.visitors, view.sentence].filter((part) => part !== '').join(' · '), columns - 2).map(
			(line) => `  ${line}`,
		),
		`  ${baseUrl}${view.path}`,
	]);
	const parts = [
		titleLines(digest.websites, [digest.title, digest.dates]),
		digest.isProvisional ? wrapAt(texts.provisional, columns) : [],
		[digest.visitors, ...wrapAt(digest.sentence, columns)],
		websites,
		[`${texts.openAll}:`, `${baseUrl}/websites`],
		['--', ...wrapAt(texts.foot.visitor, columns)],
		[...wrapAt(texts.whyDigest[kind], columns), `${texts.unsubscribe}:`, digest.unsubscribeUrl],
		brandLines(digest.brand, texts),
	];
	return `${parts
		.filter((lines) => lines.length > 0)
		.map((lines) => lines.join('\n'))
		.join('\n\n')}\n`;
}
