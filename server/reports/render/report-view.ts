/** A report as texts and formatted numbers, for all renderers. Every text is plain and one line. */

import { changeSentence } from '../../../presentation/change-sentence.ts';
import { addFilter } from '../../../presentation/filter-chips.ts';
import {
	formatCount,
	formatCountry,
	formatDate,
	formatDates,
	formatMoney,
	formatRate,
} from '../../../presentation/format.ts';
import { type Change, changeOf, formatMetric } from '../../../presentation/metrics.ts';
import { defaults, formatViewQuery } from '../../../presentation/view-query.ts';
import type { ChangedRow, Compared, Money, Report, ReportRow } from '../report.ts';
import { toPlain } from './text-width.ts';
import { type Against, findTexts, type ReportTexts } from './texts/texts.ts';

export type Shift = {
	/** With its sign: `+12%`. */
	text: string;
	/** `previously 1,075` */
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
	/** `revenue`: undefined without any. */
	goals: readonly (ReportViewRow & { rate: string; revenue: string | undefined })[];
	/** What changed most, in sentences. */
	changed: readonly string[];
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
		metrics: [
			...(Object.keys(totals) as Metric[]).map((metric) => ({
				label: texts.metrics[metric],
				now: formatMetric(metric, totals[metric].now, language),
				before: shiftOf(metric, totals[metric].now, totals[metric].before, context),
				yearAgo: shiftOf(metric, totals[metric].now, totals[metric].yearAgo, context),
			})),
			...revenueOf(context),
		],
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
			revenue: hasMoney(goal.revenue) ? formatMoney(goal.revenue, language) : undefined,
			path: pathOf(report),
		})),
		changed: changesOf(context),
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
	return change && toShift(change, formatMetric(metric, before, language), texts);
}

function toShift(change: Change, shown: string, texts: ReportTexts): Shift {
	if (change.direction === 'same') return { text: texts.change.unchanged, meaning: shown, isGood: undefined };
	return {
		text: `${change.direction === 'up' ? '+' : '−'}${byOf(change, texts)}`,
		meaning: texts.change.before(shown),
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

/** Why the visitors changed, the largest increases and decreases of pages and sources, and the goal that changed most. */
function changesOf(context: RenderContext): string[] {
	const { report, texts, language } = context;
	const rows = [...report.risen, ...(report.fallen ?? [])];
	const goals = report.goals.flatMap(({ name, conversions, before }) =>
		before === null || before === conversions ? [] : [{ name, conversions, before }],
	);
	const sizeOf = ({ conversions, before }: (typeof goals)[number]) => Math.abs(conversions - before);
	const [goal] = goals.toSorted((a, b) => sizeOf(b) - sizeOf(a));
	return [
		...(report.explained?.difference ? [changeSentence(report.explained, language)] : []),
		...rows.map((row) => changedOf(row, context)),
		...(goal
			? [
					texts.changed.goal({
						value: toPlain(goal.name),
						count: formatCount(goal.conversions, language),
						before: formatCount(goal.before, language),
					}),
				]
			: []),
	];
}

function changedOf(
	{ kind, value, visitors, before }: ChangedRow,
	{ texts, language }: RenderContext,
): string {
	const plain = toPlain(value) || (kind === 'source' ? texts.values.direct : '–');
	const values = { value: plain, visitors: texts.visitors(visitors, formatCount(visitors, language)) };
	if (before === 0) return kind === 'page' ? texts.changed.newPage(values) : texts.changed.newSource(values);
	return texts.changed[kind]({ ...values, before: formatCount(before, language) });
}

const hasMoney = (money: Money | null | undefined): money is Money =>
	money !== null && money !== undefined && Object.keys(money).length > 0;

/** The row of the revenue, if there is any. Sums in several currencies are not compared. */
function revenueOf(context: RenderContext): ReportView['metrics'] {
	const { report, texts, language } = context;
	const { revenue } = report;
	if (!revenue || !(hasMoney(revenue.now) || hasMoney(revenue.before))) return [];
	const shift = (before: Money | null): Shift | undefined => {
		const amounts = singleCurrency(revenue.now, before);
		const change = amounts && changeOf('revenue', amounts.now, amounts.before, language);
		if (!change || !before) return undefined;
		return toShift(change, formatMoney(before, language), texts);
	};
	return [
		{
			label: texts.metrics.revenue,
			now: formatMoney(revenue.now ?? {}, language),
			before: shift(revenue.before),
			yearAgo: shift(revenue.yearAgo),
		},
	];
}

/** Both sums, if they are in one and the same currency. */
function singleCurrency(
	now: Money | null,
	before: Money | null,
): { now: number; before: number } | undefined {
	const names = new Set([...Object.keys(now ?? {}), ...Object.keys(before ?? {})]);
	const [name] = names;
	if (names.size !== 1 || name === undefined || !before) return undefined;
	return { now: now?.[name] ?? 0, before: before[name] ?? 0 };
}
