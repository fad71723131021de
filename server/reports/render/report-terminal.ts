/** A report for a terminal, with a chart of block characters. */

import type { Report } from '../report.ts';
import { revenueLines } from './report-text.ts';
import {
	type Bar,
	type ReportView,
	type ReportViewRow,
	renderReportView,
	type Shift,
} from './report-view.ts';
import { cutTo, padEndTo, padStartTo, widthOf, wrapAt } from './text-width.ts';

type Style = 'strong' | 'faint' | 'sea' | 'good' | 'bad' | 'note';
const codes: Record<Style, string> = {
	strong: '1',
	faint: '2',
	sea: '36',
	good: '32',
	bad: '31',
	note: '33',
};
type Paint = (style: Style, text: string) => string;

const chartRows = 8;
const eighths = [...' ▁▂▃▄▅▆▇█'];

export function reportTerminal(
	report: Report,
	{ locale, width, isColored }: { locale: string; width: number; isColored: boolean },
): string {
	const columns = Math.min(Math.max(width, 40), 100);
	const paint: Paint = (style, text) =>
		isColored && text !== '' ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
	const view = renderReportView(report, locale);
	const { texts } = view;
	const isEmpty = (report.totals.visitors.now ?? 0) === 0;
	const under = [view.domain, view.title, view.dates].filter((part) => part !== undefined).join(' · ');
	const blocks: string[][] = [
		[
			paint('strong', cutTo(view.name, columns)),
			...wrapAt(under, columns).map((line) => paint('faint', line)),
		],
		report.isProvisional ? wrapAt(texts.provisional, columns).map((line) => paint('note', line)) : [],
		[paint('strong', view.visitors), ...wrapAt(view.sentence, columns)],
		view.changed.length === 0
			? []
			: [
					paint('strong', texts.lists.changed),
					...view.changed.flatMap((line) => wrapAt(line, columns - 2).map((part) => `  ${part}`)),
				],
		isEmpty ? [] : chartLines(view, report.kind, columns, paint),
		numberLines(view, report.kind, columns, paint),
		...view.lists.map(({ title, column, rows }) =>
			listLines({ title, units: [column], rows, numbersOf: (row) => [row.count], columns, paint }),
		),
		view.goals.length === 0
			? []
			: [
					...listLines({
						title: texts.lists.goals,
						units: [texts.columns.conversions, texts.columns.rate],
						rows: view.goals,
						numbersOf: (row) => [row.count, row.rate],
						columns,
						paint,
					}),
					...revenueLines(view, columns),
				],
		wrapAt(`${texts.foot.zone(report.website.timezone)} ${texts.foot.visitor}`, columns).map((line) =>
			paint('faint', line),
		),
	];
	return `${blocks
		.filter((lines) => lines.length > 0)
		.map((lines) => lines.join('\n'))
		.join('\n\n')}\n`;
}

function chartLines(
	{ bars, summary, texts }: ReportView,
	kind: Report['kind'],
	columns: number,
	paint: Paint,
): string[] {
	const most = Math.max(1, ...bars.map(({ visitors, before }) => Math.max(visitors, before ?? 0)));
	const room = Math.floor(columns / Math.max(1, bars.length));
	const [thick, gap] =
		room >= 6 ? [Math.min(room - 2, 6), 2] : room >= 3 ? [2, 1] : room === 2 ? [1, 1] : [1, 0];
	const rows = Array.from({ length: chartRows }, (_, index) =>
		bars
			.map((bar) => barAt(bar, most, chartRows - 1 - index, thick, paint))
			.join(' '.repeat(gap))
			.trimEnd(),
	);
	const labels = bars.map((bar) => (kind === 'week' ? bar.label : bar.label === '' ? undefined : bar.label));
	const under = kind === 'week' ? [labels, bars.map((bar) => bar.count)] : [labels];
	const legend = texts.chart.legend[kind];
	const hasBefore = bars.some(({ before }) => before !== null);
	return [
		paint('strong', texts.chart.title),
		...rows,
		...under.map((line) => labelLine(line, thick + gap)),
		`${paint('sea', '█')} ${legend.now}${hasBefore ? `   ━ ${legend.before}` : ''}`,
		...wrapAt(summary ?? '', columns),
	];
}

/** One row of a bar, counted from the bottom. The mark of the previous period covers the bar. */
function barAt({ visitors, before }: Bar, most: number, row: number, thick: number, paint: Paint): string {
	const markRow =
		before === null ? -1 : Math.min(chartRows - 1, Math.max(0, Math.ceil((before / most) * chartRows) - 1));
	if (row === markRow) return '━'.repeat(thick);
	const least = visitors > 0 ? 1 : 0;
	const filled = Math.max(least, Math.round((visitors / most) * chartRows * 8)) - row * 8;
	const sign = eighths[Math.min(8, Math.max(0, filled))] ?? ' ';
	return sign === ' ' ? ' '.repeat(thick) : paint('sea', sign.repeat(thick));
}

/** Each label starts below its bar. */
function labelLine(labels: readonly (string | undefined)[], step: number): string {
	let line = '';
	for (const [index, label] of labels.entries())
		if (label !== undefined) line = `${padEndTo(line, index * step)}${label}`;
	return line;
}

const styleOf = ({ isGood }: Shift): Style => (isGood === undefined ? 'faint' : isGood ? 'good' : 'bad');

type Cell = { text: string; style?: Style };

/** The widest table that fits: with the meaning of changes, without it, or without the year ago. */
function numberLines(
	{ metrics, texts }: ReportView,
	kind: Report['kind'],
	columns: number,
	paint: Paint,
): string[] {
	const hasYear = metrics.some(({ yearAgo }) => yearAgo);
	const tableOf = (isLong: boolean, isWithYear: boolean): Cell[][] => {
		const cellOf = (shift: Shift | undefined): Cell =>
			shift
				? { text: isLong ? `${shift.text} ${shift.meaning}` : shift.text, style: styleOf(shift) }
				: { text: '–' };
		const heads = ['', '', texts.before[kind], ...(isWithYear ? [texts.before.year] : [])];
		return [
			heads.map((text): Cell => ({ text, style: 'faint' })),
			...metrics.map(({ label, now, before, yearAgo }): Cell[] => [
				{ text: label },
				{ text: now, style: 'strong' },
				...[before, ...(isWithYear ? [yearAgo] : [])].map(cellOf),
			]),
		];
	};
	const widthsOf = (table: readonly Cell[][]): number[] =>
		(table[0] ?? []).map((_, index) => Math.max(...table.map((row) => widthOf(row[index]?.text ?? ''))));
	const tables = [tableOf(true, hasYear), tableOf(false, hasYear), tableOf(false, false)];
	const fitting = tables.find(
		(candidate) => widthsOf(candidate).reduce((sum, width) => sum + width + 2, -2) <= columns,
	);
	const table = fitting ?? tableOf(false, false);
	const widths = widthsOf(table);
	return table.map((row) =>
		row
			.map(({ text, style }, index) => {
				const painted = style ? paint(style, text) : text;
				const room = ' '.repeat((widths[index] ?? 0) - widthOf(text));
				return index === 1 ? room + painted : painted + (index === row.length - 1 ? '' : room);
			})
			.join('  ')
			.trimEnd(),
	);
}

function listLines<R extends ReportViewRow>({
	title,
	units,
	rows,
	numbersOf,
	columns,
	paint,
}: {
	title: string;
	units: readonly string[];
	rows: readonly R[];
	numbersOf(row: R): readonly string[];
	columns: number;
	paint: Paint;
}): string[] {
	const cells = rows.map((row) => [...numbersOf(row), row.change ?? '']);
	const heads = [...units, ''];
	const widths = heads.map((head, index) =>
		Math.max(widthOf(head), ...cells.map((row) => widthOf(row[index] ?? ''))),
	);
	const numbers = widths.reduce((sum, width) => sum + width + 2, 0);
	const bar = columns >= 60 ? 16 : 0;
	const room = columns - numbers - (bar === 0 ? 0 : bar + 2);
	const name = Math.max(
		8,
		Math.min(room, Math.max(widthOf(title), ...rows.map((row) => widthOf(row.name) + 2))),
	);
	const numbersLine = (row: readonly string[]) =>
		row.map((text, index) => `  ${padStartTo(text, widths[index] ?? 0)}`).join('');
	return [
		(
			paint('strong', padEndTo(cutTo(title, name), name)) +
			(bar === 0 ? '' : ' '.repeat(bar + 2)) +
			paint('faint', numbersLine(heads))
		).trimEnd(),
		...rows.map((row, index) =>
			(
				padEndTo(`  ${cutTo(row.name, name - 2)}`, name) +
				(bar === 0 ? '' : `  ${paint('sea', padEndTo(barOf(row.share, bar), bar))}`) +
				numbersLine(cells[index] ?? [])
			).trimEnd(),
		),
	];
}

const partialBlocks = [...' ▏▎▍▌▋▊▉'];
/** In eighths of a column. */
function barOf(share: number, columns: number): string {
	const parts = Math.max(1, Math.round(share * columns * 8));
	return '█'.repeat(Math.floor(parts / 8)) + (parts % 8 === 0 ? '' : partialBlocks[parts % 8]);
}
