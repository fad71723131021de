/** A report as texts and formatted numbers, for all renderers. Every text is plain and one line. */
import {
	formatCount,
	formatCountry,
	formatDate,
	formatDates,
	formatRate,
} from '../../../presentation/format.ts';
import { type Change, changeOf, formatMetric } from '../../../presentation/metrics.ts';
import { addFilter, defaults, formatViewQuery } from '../../../presentation/view-query.ts';
import type { Compared, Report, ReportRow } from '../report.ts';
import { toPlain } from './text-width.ts';
import { type Against, findTexts, type ReportTexts } from './texts/texts.ts';

export type Shift = {
	/** With its sign: `+12%`. */
	text: string;
	/** `better than 1,075` */
	meaning: string;
	isGood: boolean | undefined;
};
type Metric = keyof Report['totals'];
export type ReportViewRow = {
	name: string;
	count: string;
	/** Undefined without a previous value. */
	change: string | undefined;
	/** Relative to the largest row, from 0 to 1. */
	share: number;
	path: string;
};
export type ReportViewList = { title: string; column: string; rows: readonly ReportViewRow[] };
export type Bar = { label: string; count: string; visitors: number; before: number | null };

export type ReportView = {
	language: string;
	texts: ReportTexts;
	name: string;
	/** Undefined if the name is the domain. */
	domain: string | undefined;
	title: string;
	dates: string;
	/** `1,204 visitors` */
	visitors: string;
	count: string;
	/** `+12%`, compared with the previous period. */
	change: Shift | undefined;
	/** `12% more than the previous week · 3% fewer than a year ago` */
	sentence: string;
	metrics: readonly { label: string; now: string; before: Shift | undefined; yearAgo: Shift | undefined }[];
	bars: readonly Bar[];
	/** Describes the chart. */
	summary: string | undefined;
	lists: readonly ReportViewList[];
	goals: readonly (ReportViewRow & { rate: string })[];
	risen: readonly string[];
	/** Path of the statistics page with this period. */
	path: string;
};

export function renderReportView(report: Report, locale: string): ReportView {
	const { language, texts } = findTexts(locale);
	const { totals, kind, website } = report;
	const domain = toPlain(website.domain);
	const name = toPlain(website.name) || domain;
	const now = totals.visitors.now ?? 0;
	const count = formatCount(now, language);
	const visitors = texts.visitors(now, count);
	const context = { language, texts, report };
	return {
		language,
		texts,
		name,
		domain: name === domain ? undefined : domain,
		title: texts.title[kind],
		dates: formatDates(report.from, report.to, language),
		visitors,
		count,
		change: shiftOf('visitors', totals.visitors.now, totals.visitors.before, context),
		sentence: now === 0 ? texts.nobody[kind] : sentenceOf(totals.visitors, context),
		metrics: (Object.keys(texts.metrics) as Metric[]).map((metric) => ({
			label: texts.metrics[metric],
			now: formatMetric(metric, totals[metric].now, language),
			before: shiftOf(metric, totals[metric].now, totals[metric].before, context),
			yearAgo: shiftOf(metric, totals[metric].now, totals[metric].yearAgo, context),
		})),
		bars: barsOf(context),
		summary: summaryOf(context),
		lists: [
			listOf('pages', 'page', (value) => value, context),
			listOf('sources', 'source', (value) => value || texts.values.direct, context),
			listOf(
				'countries',
				'country',
				(value) => (value === '' ? texts.values.unknown : formatCountry(value, language)),
				context,
			),
		].filter(({ rows }) => rows.length > 0),
		goals: report.goals.map((goal) => ({
			name: toPlain(goal.name),
			count: formatCount(goal.conversions, language),
			rate: formatRate(goal.rate, language),
			change: changeTextOf(goal.conversions, goal.before, context),
			share: shareOf(goal.conversions, report.goals[0]?.conversions),
			path: pathOf(report),
		})),
		risen: report.risen.map((row) => risenOf(row, context)),
		path: pathOf(report),
	};
}

type RenderContext = { language: string; texts: ReportTexts; report: Report };

/** Path of the statistics page with the period of the report and an optional filter. */
function pathOf({ website, from, to }: Report, filter?: { dimension: string; value: string }): string {
	const filters = filter
		? addFilter([], { test: 'is', dimension: filter.dimension, values: [filter.value] })
		: [];
	return `/websites/${website.id}?${formatViewQuery({ ...defaults, period: 'custom', from, to, filters })}`;
}

function shiftOf(
	metric: Metric,
	now: number | null,
	before: number | null,
	{ language, texts }: RenderContext,
): Shift | undefined {
	const change = changeOf(metric, now, before, language);
	if (!change) return undefined;
	const shown = formatMetric(metric, before, language);
	if (change.direction === 'same') return { text: texts.change.unchanged, meaning: shown, isGood: undefined };
	return {
		text: `${change.direction === 'up' ? '+' : '−'}${byOf(change, texts)}`,
		meaning: change.isGood ? texts.change.better(shown) : texts.change.worse(shown),
		isGood: change.isGood,
	};
}

const byOf = ({ by }: Change, texts: ReportTexts): string =>
	by.kind === 'points' ? texts.change.points(by.text === '1' ? 1 : 2, by.text) : by.text;

function sentenceOf({ now, before, yearAgo }: Compared, { language, texts, report }: RenderContext): string {
	const compare = (then: number | null, against: Against): string[] => {
		const change = changeOf('visitors', now, then, language);
		if (!change) return [];
		switch (change.direction) {
			case 'up':
				return [texts.change.more(change.by.text, against)];
			case 'down':
				return [texts.change.fewer(change.by.text, against)];
			case 'same':
				return [texts.change.same(against)];
		}
	};
	return [...compare(before, report.kind), ...compare(yearAgo, 'year')].join(' · ');
}

/** `+12%`, or `new`. */
function changeTextOf(
	now: number,
	before: number | null,
	{ language, texts }: RenderContext,
): string | undefined {
	if (before === 0 && now > 0) return texts.change.new;
	const change = changeOf('visitors', now, before, language);
	if (!change) return undefined;
	const sign = { up: '+', down: '−', same: '±' }[change.direction];
	return `${sign}${change.by.text}`;
}

const shareOf = (part: number, most: number | undefined): number =>
	most === undefined || most <= 0 ? 0 : Math.min(1, part / most);

function listOf(
	key: 'pages' | 'sources' | 'countries',
	dimension: string,
	nameOf: (value: string) => string,
	context: RenderContext,
): ReportViewList {
	const { texts, report, language } = context;
	const rows: readonly ReportRow[] = report[key];
	const most = Math.max(0, ...rows.map(({ visitors }) => visitors));
	return {
		title: texts.lists[key],
		column: texts.metrics.visitors,
		rows: rows.map(({ value, visitors, before }) => ({
			name: toPlain(nameOf(value)) || '–',
			count: formatCount(visitors, language),
			change: changeTextOf(visitors, before, context),
			share: shareOf(visitors, most),
			path: pathOf(report, { dimension, value: value.toWellFormed() }),
		})),
	};
}

/** Labels: weekdays for a week, every seventh day for a month. */
function barsOf({ report, language }: RenderContext): Bar[] {
	return report.series.map(({ day, visitors, before }, index) => ({
		label:
			report.kind === 'week'
				? formatDate(day, language, { weekday: 'short' })
				: index % 7 === 0
					? String(index + 1)
					: '',
		count: formatCount(visitors, language),
		visitors,
		before,
	}));
}

function summaryOf({ report: { series }, language, texts }: RenderContext): string | undefined {
	const sorted = series.toSorted((a, b) => b.visitors - a.visitors);
	const [most, least] = [sorted[0], sorted.at(-1)];
	if (!most || !least || most.visitors === least.visitors) return undefined;
	const dayOf = (day: string) =>
		formatDate(day, language, { weekday: 'long', day: 'numeric', month: 'long' });
	const visitorsOf = (visitors: number) => texts.visitors(visitors, formatCount(visitors, language));
	return texts.chart.summary({
		most: dayOf(most.day),
		mostVisitors: visitorsOf(most.visitors),
		least: dayOf(least.day),
		leastVisitors: visitorsOf(least.visitors),
	});
}

function risenOf(
	{ kind, value, visitors, before }: Report['risen'][number],
	{ texts, language }: RenderContext,
): string {
	const plain = toPlain(value) || (kind === 'source' ? texts.values.direct : '–');
	const values = { value: plain, visitors: texts.visitors(visitors, formatCount(visitors, language)) };
	if (before === 0) return kind === 'page' ? texts.risen.newPage(values) : texts.risen.newSource(values);
	return texts.risen[kind]({ ...values, before: formatCount(before, language) });
}
