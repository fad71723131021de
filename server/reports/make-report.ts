/**
 * The numbers of a report. They come from the same queries as the API and the dashboard: one for the period, and one for the previous
 * period compared with a year ago.
 */
import { domainToUnicode } from 'node:url';
import type { ChangeFacts } from '../../presentation/change-sentence.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { findChanges, toFacts } from '../stats/answer/changes.ts';
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
import type { ChangedRow, Compared, Money, Report, ReportRow } from './report.ts';

export type AskServices = { postgres: Queries; now: Clock; ask(question: Question): Promise<StatsAnswer> };

type Days = { from: string; to: string };

const totals = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration', 'revenue'] as const;

const shownRows = 10;
/** Rows that are compared and searched for the largest increase. */
const readRows = 200;

const breakdowns: readonly { dimension: DimensionName; metrics: readonly MetricName[] }[] = [
	{ dimension: 'page', metrics: ['visitors'] },
	{ dimension: 'source', metrics: ['visitors'] },
	{ dimension: 'country', metrics: ['visitors'] },
	{ dimension: 'goal', metrics: ['conversions', 'conversion_rate', 'revenue'] },
];

/** The caller checks permissions. */
export async function makeReport(
	services: AskServices,
	website: { id: number; accountId: number },
	period: ReportPeriod,
): Promise<Report> {
	const { postgres, now } = services;
	const madeAt = now();
	const owner = { kind: 'account', accountId: website.accountId } as const;
	const context = await getStatsContext(
		postgres,
		owner,
		await getWebsite(postgres, owner, 'stats.read', website.id),
	);
	const isProvisional = await hasUnsealed(postgres, context, period, madeAt);
	// Without data, a number is null, not 0.
	const isMeasured = ({ to }: Days) => context.firstDate !== null && context.firstDate <= to;
	const yearAgo = isMeasured(period.yearAgo) ? period.yearAgo : null;
	const current = await ask(services, context, period, null);
	const before = isMeasured(period.before) ? await ask(services, context, period.before, yearAgo) : null;
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
			name: domainToUnicode(context.domain),
			domain: context.domain,
			timezone: dateOf(context.website.zones, madeAt.getTime()).zone,
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
		revenue: {
			now: moneyIn(current.totals),
			before: moneyIn(before?.totals),
			yearAgo: moneyIn(before?.compared?.totals),
		},
		series: (current.series ?? []).map(({ time, values }, index) => {
			const visitors = numberIn(values, 'visitors') ?? 0;
			return { day: time, visitors, before: numberIn(before?.series?.[index]?.values, 'visitors') };
		}),
		pages: pages.slice(0, shownRows),
		sources: sources.slice(0, shownRows),
		countries: rowsOf('country').slice(0, shownRows),
		goals: goalsOf(context, current, before),
		explained: before ? await explain(services, context, period) : null,
		risen: [...mostChanged('page', pages, 1), ...mostChanged('source', sources, 1)],
		fallen: before
			? [
					...mostChanged('page', pastRows(current, before, 'page'), -1),
					...mostChanged('source', pastRows(current, before, 'source'), -1),
				]
			: [],
	};
}

async function ask(
	{ ask, now }: AskServices,
	context: StatsContext,
	period: Days,
	comparison: Days | null,
): Promise<StatsAnswer> {
	const { question } = parseQuestion(
		context,
		{
			...rangeOf(period, comparison),
			series: { interval: 'day' },
			metrics: totals,
			breakdowns: breakdowns
				.filter(({ dimension }) => dimension !== 'goal' || context.website.goals.length > 0)
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

/**
 * The difference of the visitors to the previous period, and the value that stands for most of it. Null if that takes more than the limits
 * of a query: it reads visits, unlike the rest of a report.
 */
async function explain(
	{ ask, now }: AskServices,
	context: StatsContext,
	period: ReportPeriod,
): Promise<ChangeFacts | null> {
	const { question } = parseQuestion(
		context,
		{ ...rangeOf(period, period.before), series: null, metrics: ['visitors'], breakdowns: [] },
		now(),
	);
	try {
		return toFacts(await findChanges(question, { metric: 'visitors', limit: 1 }, ask));
	} catch (error) {
		// Without a time to retry, it would be refused again.
		if (error instanceof AppError && error.code === 'unavailable' && error.retryAfterSeconds === undefined)
			return null;
		throw error;
	}
}

const rangeOf = (period: Days, comparison: Days | null) => ({
	period: 'custom' as const,
	from: period.from,
	to: period.to,
	comparison: {
		compare: comparison ? ('custom' as const) : ('none' as const),
		compareFrom: comparison?.from,
		compareTo: comparison?.to,
		matchWeekdays: false,
	},
	filters: [],
	goal: undefined,
});

/** Whether a day of the period is unsealed or got events since. */
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

function numberIn(values: Values | undefined, name: MetricName): number | null {
	const found = values?.[name];
	return typeof found === 'number' ? found : null;
}

/** Null without a measured period, and empty without revenue. */
function moneyIn(values: Values | undefined): Money | null {
	const found = values?.revenue;
	return typeof found === 'object' ? found : null;
}

const breakdownOf = (answer: StatsAnswer, dimension: DimensionName) =>
	answer.breakdowns.find((breakdown) => breakdown.dimension === dimension);

type NamedRow = { value: string; values: Values; before: Values | 'none' | null };

/** Rows with their previous values. 'none': the value did not occur. null: unknown. */
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
			revenue: moneyIn(values) ?? {},
		}));
}

/** The rows of the previous period with their current values, among them those that no longer occur. */
const pastRows = (current: StatsAnswer, before: StatsAnswer, dimension: DimensionName) =>
	pairRows(before, current, dimension).flatMap(({ value, values, before: present }) => {
		const visitors = beforeIn(present, 'visitors');
		return visitors === null ? [] : [{ value, visitors, before: numberIn(values, 'visitors') }];
	});

/** The row with the largest increase (1) or decrease (-1). */
function mostChanged(kind: ChangedRow['kind'], rows: readonly ReportRow[], sign: 1 | -1): ChangedRow[] {
	let most: ChangedRow | undefined;
	const changeOf = ({ visitors, before }: ChangedRow) => sign * (visitors - before);
	for (const { value, visitors, before } of rows) {
		// The empty value is direct traffic.
		if (before === null || value === '') continue;
		const row = { kind, value, visitors, before };
		if (changeOf(row) > (most ? changeOf(most) : 0)) most = row;
	}
	return most ? [most] : [];
}
