/**
 * A report in numbers. They are asked as everybody asks, so they are those that the API and the dashboard show for the same
 * dates: one question about the period, one about the one before beside the one a year ago.
 */
import { domainToUnicode } from 'node:url';
import type { Clock } from '../lib/clock.ts';
import type { StatsAnswer, Values } from '../stats/answer/shape.ts';
import type { DimensionName } from '../stats/question/dimensions.ts';
import type { MetricName } from '../stats/question/metrics.ts';
import { parseQuestion } from '../stats/question/parse-question.ts';
import type { Question } from '../stats/question/question.ts';
import { getStatsContext, type StatsContext } from '../stats/question/stats-context.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/get-website.ts';
import { dateOf } from '../websites/zones.ts';
import type { ReportPeriod } from './periods.ts';
import type { Compared, Report, ReportRow } from './report.ts';

export type AskServices = { postgres: Queries; now: Clock; ask(question: Question): Promise<StatsAnswer> };

type Days = { from: string; to: string };

const totals = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'] as const;

const shownRows = 10;
/** As far down as a row is looked for that rose, or that it is compared with. */
const readRows = 200;

const breakdowns: readonly { dimension: DimensionName; metrics: readonly MetricName[] }[] = [
	{ dimension: 'page', metrics: ['visitors'] },
	{ dimension: 'source', metrics: ['visitors'] },
	{ dimension: 'country', metrics: ['visitors'] },
	{ dimension: 'goal', metrics: ['conversions', 'conversion_rate'] },
];

/** Of a website and whose it is: that a report may be made of it is for the caller to know. */
export async function makeReport(
	services: AskServices,
	website: { id: number; accountId: number },
	period: ReportPeriod,
): Promise<Report> {
	const { postgres, now } = services;
	const madeAt = now();
	const owner = { kind: 'account', accountId: website.accountId } as const;
	const asked = await getStatsContext(postgres, await getWebsite(postgres, owner, 'stats.read', website.id));
	const isProvisional = await hasUnsealed(postgres, asked, period, madeAt);
	// What was not measured is not nothing, and is not asked for.
	const isMeasured = ({ to }: Days) => asked.firstDate !== null && asked.firstDate <= to;
	const beside = isMeasured(period.yearAgo) ? period.yearAgo : null;
	const current = await ask(services, asked, period, null);
	const before = isMeasured(period.before) ? await ask(services, asked, period.before, beside) : null;
	const compared = (name: MetricName): Compared => ({
		now: numberIn(current.totals, name),
		before: numberIn(before?.totals, name),
		yearAgo: numberIn(before?.compared?.totals, name),
	});
	const rowsOf = (dimension: DimensionName) => compareRows(current, before, dimension);
	const pages = rowsOf('page');
	const sources = rowsOf('source');
	return {
		website: {
			id: website.id,
			name: domainToUnicode(asked.domain),
			domain: asked.domain,
			timezone: dateOf(asked.website.zones, madeAt.getTime()).zone,
		},
		kind: period.kind,
		from: period.from,
		to: period.to,
		before: period.before,
		isProvisional,
		madeAt: madeAt.toISOString(),
		totals: {
			visitors: compared('visitors'),
			visits: compared('visits'),
			pageviews: compared('pageviews'),
			bounce_rate: compared('bounce_rate'),
			visit_duration: compared('visit_duration'),
		},
		series: (current.series ?? []).map(({ time, values }, index) => {
			const visitors = numberIn(values, 'visitors') ?? 0;
			return { day: time, visitors, before: numberIn(before?.series?.[index]?.values, 'visitors') };
		}),
		pages: pages.slice(0, shownRows),
		sources: sources.slice(0, shownRows),
		countries: rowsOf('country').slice(0, shownRows),
		goals: goalsOf(asked, current, before),
		risen: [...mostRisen('page', pages), ...mostRisen('source', sources)],
	};
}

async function ask(
	{ ask, now }: AskServices,
	asked: StatsContext,
	of: Days,
	beside: Days | null,
): Promise<StatsAnswer> {
	const { question } = parseQuestion(
		asked,
		{
			period: 'custom',
			from: of.from,
			to: of.to,
			series: {
				interval: 'day',
				compare: beside ? 'custom' : 'none',
				compareFrom: beside?.from,
				compareTo: beside?.to,
				matchWeekdays: false,
			},
			metrics: totals,
			filters: [],
			goal: undefined,
			breakdowns: breakdowns
				.filter(({ dimension }) => dimension !== 'goal' || asked.website.goals.length > 0)
				.map(({ dimension, metrics }) => ({
					dimension: { name: dimension },
					metrics,
					sortBy: undefined,
					descending: true,
					search: undefined,
					offset: 0,
					limit: readRows,
					prefix: '',
				})),
		},
		now(),
	);
	return ask(question);
}

/** Whether more may come to a day of it, or came since it was sealed. */
async function hasUnsealed(
	postgres: Queries,
	{ website }: StatsContext,
	{ from, to }: ReportPeriod,
	now: Date,
): Promise<boolean> {
	if (to >= dateOf(website.zones, now.getTime()).date) return true;
	const rows = await postgres.rows(sql`
		SELECT 1 FROM days WHERE website_id = ${value(website.id)}
			AND date BETWEEN ${value(from)}::date AND ${value(to)}::date AND last_batch > sealed_batch LIMIT 1`);
	return rows.length > 0;
}

/** Money is not among the metrics of a report. */
function numberIn(values: Values | undefined, name: MetricName): number | null {
	const found = values?.[name];
	return typeof found === 'number' ? found : null;
}

const breakdownOf = (answer: StatsAnswer, dimension: DimensionName) =>
	answer.breakdowns.find((one) => one.dimension === dimension);

type NamedRow = { value: string; values: Values; before: Values | 'none' | null };

/** The values of a dimension, each with what it was before: 'none' where it had nothing, null where that is not known. */
function pairRows(current: StatsAnswer, before: StatsAnswer | null, dimension: DimensionName): NamedRow[] {
	const earlier = before ? breakdownOf(before, dimension) : undefined;
	const known = new Map(
		earlier?.rows.filter(({ isOther }) => !isOther).map(({ value, values }) => [value, values]),
	);
	const isComplete =
		earlier &&
		!earlier.isUnavailable &&
		earlier.total <= readRows &&
		!earlier.rows.some((row) => row.isOther);
	const rows = breakdownOf(current, dimension)?.rows ?? [];
	return rows
		.filter(({ isOther }) => !isOther)
		.map(({ value, values }) => ({
			value,
			values,
			before: known.get(value) ?? (isComplete ? 'none' : null),
		}));
}

const beforeIn = (before: NamedRow['before'], name: MetricName): number | null =>
	before === 'none' ? 0 : before && numberIn(before, name);

const compareRows = (
	current: StatsAnswer,
	earlier: StatsAnswer | null,
	dimension: DimensionName,
): ReportRow[] =>
	pairRows(current, earlier, dimension).map(({ value, values, before }) => ({
		value,
		visitors: numberIn(values, 'visitors') ?? 0,
		before: beforeIn(before, 'visitors'),
	}));

function goalsOf(
	{ website }: StatsContext,
	current: StatsAnswer,
	earlier: StatsAnswer | null,
): Report['goals'] {
	return pairRows(current, earlier, 'goal')
		.slice(0, shownRows)
		.map(({ value, values, before }) => ({
			// The value of a goal is its id.
			name: website.goals.find(({ id }) => String(id) === value)?.name ?? value,
			conversions: numberIn(values, 'conversions') ?? 0,
			rate: numberIn(values, 'conversion_rate'),
			before: beforeIn(before, 'conversions'),
		}));
}

/** The one that gained most, of those of which it is known. */
function mostRisen(kind: 'page' | 'source', rows: readonly ReportRow[]): Report['risen'] {
	let most: Report['risen'][number] | undefined;
	for (const { value, visitors, before } of rows) {
		// Coming directly is no source that rose.
		if (before === null || visitors <= before || value === '') continue;
		if (!most || visitors - before > most.visitors - most.before) most = { kind, value, visitors, before };
	}
	return most ? [most] : [];
}
