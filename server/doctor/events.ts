import type { Config } from '../config.ts';
import { checkDays, isLoss } from '../derive/check.ts';
import type { SealServices } from '../derive/seal-types.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { countPendingEvents, lagOf } from '../event-log/postgres-log.ts';
import { dayMs } from '../lib/durations.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { param, sql } from '../store/sql.ts';
import { bytesInWords, type CheckResult, notice, ok, problem, secondsInWords } from './finding.ts';

/** Acknowledged events that are not yet in ClickHouse. */
export async function examineEventLog({
	config,
	postgres,
	lag,
}: {
	config: Config;
	postgres: Postgres;
	lag?: EventLog['lag'] | undefined;
}): Promise<CheckResult[]> {
	const maxBytes = config.maxLogMb * 1_000_000;
	if (config.natsUrl === undefined) {
		const { bytes, oldestMs } = await lagOf(postgres);
		return [judgeLag({ events: await countPendingEvents(postgres), bytes, oldestMs, maxBytes })];
	}
	if (!lag)
		return [
			notice(
				'The event log is in NATS, which can be checked only while the service is running.',
				'Start Tidemark and run the doctor again.',
			),
		];
	const { rows, bytes, oldestMs } = await lag();
	return [judgeLag({ events: rows, bytes, oldestMs, maxBytes }), ...(await examineGaps(postgres))];
}

/** Messages that NATS acknowledged and lost. */
async function examineGaps(postgres: Postgres): Promise<CheckResult[]> {
	const [gaps] = await postgres.rows<{ messages: number | null; last: string | null }>(sql`
		SELECT sum(last_seq - first_seq + 1)::bigint AS messages, max(found_at)::date::text AS last FROM log_gaps`);
	if (!gaps?.messages) return [];
	return [
		problem(
			`${gaps.messages} ${gaps.messages === 1 ? 'message' : 'messages'} of the event log are missing in NATS, last seen on ${gaps.last}. Their events are not counted.`,
			'Check the disks of NATS and whether anything deletes from its streams. Then empty the table log_gaps.',
		),
	];
}

export function judgeLag(lag: {
	events: number;
	bytes: number;
	oldestMs: number;
	maxBytes: number;
}): CheckResult {
	const seconds = lag.oldestMs / 1000;
	if (lag.events === 0) return ok('All acknowledged events are written.');
	const what =
		`${lag.events} acknowledged ${lag.events === 1 ? 'event is' : 'events are'} not yet written ` +
		`(${bytesInWords(lag.bytes)}), the oldest is ${secondsInWords(seconds)} old.`;
	const advice =
		'They are on disk and will be counted. Check why ClickHouse does not accept them before TIDEMARK_MAX_LOG_MB is reached and hits are rejected.';
	if (seconds > 600 || lag.bytes > lag.maxBytes / 2) return problem(what, advice);
	return seconds > 60 ? notice(what, advice) : ok(what);
}

const recentDays = 3;
/** Approximate sample size. */
const comparedEvents = 2_000_000;

type RecentServices = { clickhouse: ClickHouse; today: Date };

/** Two events of one website with the same id would be one event counted twice. */
export async function examineDuplicates({ clickhouse, today }: RecentServices): Promise<CheckResult[]> {
	const from = param('Date', dateBefore(today, recentDays - 1));
	const [all] = await clickhouse.rows<{ events: string }>(
		sql`SELECT toString(count()) AS events FROM events WHERE date >= ${from}`,
		{ name: 'doctor' },
	);
	const events = Number(all?.events ?? 0);
	// Ids are random, so those divisible by one number are a uniform sample.
	const everyNth = Math.max(1, Math.ceil(events / comparedEvents));
	const [found] = await clickhouse.rows<{ compared: string; twice: string; website: number }>(
		sql`SELECT toString(sum(times)) AS compared, toString(countIf(times > 1)) AS twice, anyIf(website_id, times > 1) AS website
			FROM (
				-- One row per website and event id.
				SELECT website_id, event_id, count() AS times FROM events
				WHERE date >= ${from} AND event_id % ${param('UInt32', everyNth)} = 0
				GROUP BY website_id, event_id
			)`,
		{ name: 'doctor' },
	);
	const compared = `Compared ${Number(found?.compared ?? 0)} events of the last ${recentDays} days`;
	const twice = Number(found?.twice ?? 0);
	return [
		twice === 0
			? ok(`${compared}: no duplicates.`)
			: problem(
					`${compared}: ${twice} ${twice === 1 ? 'is' : 'are'} stored more than once, for example on website ${found?.website}.`,
					'Report this as a bug, with the log of those days.',
				),
	];
}

const derivedDays = 7;

/** Like `tidemark check`, on a sample of recent days. */
export async function examineDerived(services: SealServices, today: Date): Promise<CheckResult[]> {
	const range = { from: dateBefore(today, derivedDays), to: dateBefore(today, 0) };
	const { days, differences } = await checkDays(services, range, () => undefined, comparedEvents);
	const compared = `Compared ${days} sealed ${days === 1 ? 'day' : 'days'} of the last ${derivedDays} days with their events`;
	if (days === 0) return [ok(`No website has a sealed day in the last ${derivedDays} days.`)];
	const [first] = differences;
	if (!first) return [ok(`${compared}: no differences.`)];
	const loss = differences.find(isLoss);
	if (loss)
		return [
			problem(
				`${compared}: events are missing that the totals counted, for example on ${loss.date} of website ${loss.websiteId}.`,
				'Do not rebuild: the totals are correct. Stop Tidemark and restore the events from a backup: tidemark repair FILE.',
			),
		];
	const count = new Set(differences.map(({ websiteId, date }) => `${websiteId} ${date}`)).size;
	return [
		problem(
			`${compared}: ${count} ${count === 1 ? 'differs' : 'differ'}, for example ${first.date} of website ${first.websiteId}.`,
			`Run: tidemark rebuild --website ${first.websiteId} --from ${first.date} --to ${first.date}. \`tidemark check\` lists the others.`,
		),
	];
}

const dateBefore = (today: Date, days: number): string =>
	new Date(today.getTime() - days * dayMs).toISOString().slice(0, 10);
