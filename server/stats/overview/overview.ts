/**
 * All websites of an account in one list. Each gets the question that its own page asks, resolved in its own calendar and planned
 * by the same plan, so the numbers are the same; only the statements are shared.
 */
import { once } from 'node:events';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';
import { type Sql, sql, value } from '../../store/sql.ts';
import { type ListScope, matchesFilter, type WebsiteFilter } from '../../websites/list-websites.ts';
import { dateOf } from '../../websites/zones.ts';
import type { StatsServices } from '../answer/answer.ts';
import { createDayStateCache, type DayStateCache, noDays } from '../answer/day-state-cache.ts';
import { countCurrentVisitors, currentVisitorsMs } from '../live/live.ts';
import { goalColumns } from '../question/goals.ts';
import type { Goal, Interval } from '../question/question.ts';
import { type StatsContextRow, statsContextColumns, toStatsWebsite } from '../question/stats-context.ts';
import { countLines, createCountChoice } from './count-lines.ts';
import type { DayCountQuery } from './counted-days.ts';
import { readImportedCounts } from './imported-counts.ts';
import {
	createResolve,
	type OverviewSelection,
	type OverviewTime,
	planLine,
	resolveInUtc,
} from './overview-lines.ts';
import { type OverviewRow, type OverviewWebsite, toRow } from './overview-rows.ts';

export type Overview = {
	rows: OverviewRow[];
	isCompared: boolean;
	/** The labels of all visible websites, whether they match the filter or not. */
	labels: string[];
	interval: Interval;
	asOf: Date;
};

/** What is asked about all websites. `goal`: the name of the goal, of which each website has its own. */
export type OverviewQuestion = OverviewSelection & {
	websites: WebsiteFilter;
	time: OverviewTime;
	goal: string | null;
};

export type Overviews = {
	/** All websites that match the filter, by id; queried within the limits of the principal. */
	read(
		question: OverviewQuestion,
		services: Pick<StatsServices, 'clickhouse' | 'openDays'>,
		signal: AbortSignal,
	): Promise<Overview>;
};

/** Its caches are shared by all questions. */
export function createOverviews({ postgres, now }: { postgres: Postgres; now: Clock }): Overviews {
	const [days, chooseCounts] = [createDayStateCache(), createCountChoice()];
	return {
		read(question, { clickhouse, openDays }, signal) {
			const ask: DayCountQuery = async <Row>(query: Sql) =>
				(await clickhouse.ask<Row>(query, { name: 'overview', signal })).rows;
			return readOverview(question, {
				...{ postgres, days, chooseCounts, ask, now },
				openDays: endingWith(openDays, signal),
			});
		},
	};
}

/** Visits that are being derived are kept for the next question, but this one does not wait for them when its time is over. */
const endingWith = (openDays: OpenDayFinder, signal: AbortSignal): OpenDayFinder => ({
	async find(query) {
		signal.throwIfAborted();
		const ended = once(signal, 'abort').then(() => signal.throwIfAborted());
		return (await Promise.race([openDays.find(query), ended])) ?? new Map();
	},
});

type OpenDayFinder = Pick<StatsServices['openDays'], 'find'>;

type OverviewServices = {
	openDays: OpenDayFinder;
	postgres: Postgres;
	days: DayStateCache;
	chooseCounts: ReturnType<typeof createCountChoice>;
	ask: DayCountQuery;
	now: Clock;
};

async function readOverview(
	question: OverviewQuestion,
	{ postgres, openDays, days, chooseCounts, ask, now }: OverviewServices,
): Promise<Overview> {
	const began = now();
	const websites = await postgres.rowsUnprepared<OverviewWebsite & StatsContextRow>(sql`
		SELECT id, domain, ${favoritePosition(question.websites)} AS "favoritePosition", labels, timezone, privacy, ${lastDate} AS "lastDate", ${statsContextColumns}
		FROM websites WHERE ${matchesFilter(question.websites)} ORDER BY id`);
	const [earliest = null] = websites.flatMap(({ firstDate }) => firstDate ?? []).sort();
	const { interval, compared } = resolveInUtc(question.time, began, earliest);
	const resolve = createResolve(question.time, interval, began);
	const websiteIds = websites.map(({ id }) => id);
	const goals = await findGoals(postgres, websiteIds, question.goal);
	const resolved = websites.map((row) => {
		const website = toStatsWebsite(row.id, row, []);
		return { website, time: resolve(website.zones, row.firstDate), goal: goals.get(row.id) ?? null };
	});
	const dates = resolved
		.flatMap(({ time: { span, compared } }) => (compared ? [span, compared] : [span]))
		.flatMap(({ from, to }) => [from, to])
		.sort();
	const hull = { from: dates[0] ?? '', to: dates.at(-1) ?? '' };
	const daysOf = await days.read(postgres, websiteIds, hull);
	const lines = resolved.map((line) => planLine(line, daysOf.get(line.website.id) ?? noDays, question));
	const choice = chooseCounts(question);
	const [counted, currentVisitors, labels] = await Promise.all([
		countLines(lines, question, {
			ask,
			choice,
			openDays,
			readImported: () => readImportedCounts(postgres, ask, choice.stored, websiteIds, hull),
		}),
		countCurrentVisitors(
			ask,
			// Websites without recent events have no current visitors.
			resolved.flatMap(({ website }, index) => {
				const last = websites[index]?.lastDate;
				return last && last >= dateOf(website.zones, began.getTime() - currentVisitorsMs).date
					? [website]
					: [];
			}),
			began,
		),
		listLabels(postgres, question.websites),
	]);
	return {
		rows: websites.flatMap((website, index) => {
			const line = counted[index];
			return line
				? [
						toRow(
							{ ...line, website, now: currentVisitors.get(website.id) ?? 0, hasGoal: goals.has(website.id) },
							question,
						),
					]
				: [];
		}),
		isCompared: compared !== null,
		labels,
		interval,
		asOf: lines.reduce((oldest, { asOf }) => (asOf && asOf < oldest ? asOf : oldest), began),
	};
}

/** The goals with this name, by website. Within a website, names are unique. */
async function findGoals(
	postgres: Postgres,
	websiteIds: readonly number[],
	name: string | null,
): Promise<ReadonlyMap<number, Goal>> {
	if (name === null) return new Map();
	const rows = await postgres.rowsUnprepared<Goal & { websiteId: number }>(sql`
		SELECT website_id AS "websiteId", id, revision, ${goalColumns} FROM goals
		WHERE website_id = ANY(${value(websiteIds)}) AND name = ${value(name)}`);
	return new Map(rows.map(({ websiteId, ...goal }) => [websiteId, goal]));
}

/** People choose the order of their favorites. */
const favoritePosition = ({ personId }: ListScope) =>
	personId === undefined
		? sql`CASE WHEN favorite THEN 0 END`
		: sql`(SELECT position FROM favorites f WHERE f.website_id = websites.id AND f.person_id = ${value(personId)})`;

const lastDate = sql`(SELECT max(date)::text FROM days WHERE website_id = websites.id)`;

async function listLabels(postgres: Postgres, scope: ListScope): Promise<string[]> {
	const { accountId, websiteIds, shared } = scope;
	const all = { accountId, websiteIds, shared, search: undefined, favorite: undefined };
	const rows = await postgres.rowsUnprepared<{ label: string }>(sql`
		SELECT DISTINCT unnest(labels) AS label FROM websites WHERE ${matchesFilter(all)} ORDER BY label`);
	return rows.map(({ label }) => label);
}
