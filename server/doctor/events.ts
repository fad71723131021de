import type { Config } from '../config.ts';
import { checkDays } from '../derive/check.ts';
import type { SealServices } from '../derive/sealing.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { countWaiting, type EventLog, lagOf } from '../store/event-log.ts';
import type { Postgres } from '../store/postgres.ts';
import { param, sql } from '../store/sql.ts';
import { bytesInWords, type Look, notice, ok, problem, secondsInWords } from './finding.ts';

/** What was acknowledged and is not yet in ClickHouse. */
export async function examineEventLog({
	config,
	postgres,
	lag,
}: {
	config: Config;
	postgres: Postgres;
	lag?: EventLog['lag'] | undefined;
}): Promise<Look[]> {
	const maxBytes = config.maxLogMb * 1_000_000;
	if (config.natsUrl === undefined) {
		const { bytes, oldestMs } = await lagOf(postgres);
		return [judgeLag({ events: await countWaiting(postgres), bytes, oldestMs, maxBytes })];
	}
	if (!lag)
		return [notice('The event log is in NATS, and only a running service reads it.', 'Ask while it runs.')];
	const { rows, bytes, oldestMs } = await lag();
	return [judgeLag({ events: rows, bytes, oldestMs, maxBytes }), ...(await examineGaps(postgres))];
}

/** Messages that NATS acknowledged and no longer had. */
async function examineGaps(postgres: Postgres): Promise<Look[]> {
	const [gaps] = await postgres.rows<{ messages: number | null; last: string | null }>(sql`
		SELECT sum(last_seq - first_seq + 1)::bigint AS messages, max(found_at)::date::text AS last FROM log_gaps`);
	if (!gaps?.messages) return [];
	return [
		problem(
			`${gaps.messages} ${gaps.messages === 1 ? 'message' : 'messages'} of the event log were missing in NATS, the last time on ${gaps.last}: events that were acknowledged are not counted.`,
			'Look for damage to the disks of NATS, and for whoever deletes from its streams; then empty the table log_gaps.',
		),
	];
}

export function judgeLag(lag: { events: number; bytes: number; oldestMs: number; maxBytes: number }): Look {
	const seconds = lag.oldestMs / 1000;
	if (lag.events === 0) return ok('Every event that was acknowledged is written.');
	const what =
		`${lag.events} acknowledged ${lag.events === 1 ? 'event is' : 'events are'} not yet written ` +
		`(${bytesInWords(lag.bytes)}), the oldest for ${secondsInWords(seconds)}.`;
	const advice =
		'They are on disk and will be counted; look why ClickHouse takes none, before TIDEMARK_MAX_LOG_MB is reached and hits are refused.';
	if (seconds > 600 || lag.bytes > lag.maxBytes / 2) return problem(what, advice);
	return seconds > 60 ? notice(what, advice) : ok(what);
}

const recentDays = 3;
/** About how many events are compared by their ids. */
const comparedEvents = 2_000_000;

type RecentServices = { clickhouse: ClickHouse; today: Date };

/** An event is counted once; two of one website with the same id would be one that was counted twice. */
export async function examineDuplicates({ clickhouse, today }: RecentServices): Promise<Look[]> {
	const from = param('Date', dateBefore(today, recentDays - 1));
	const [all] = await clickhouse.rows<{ events: string }>(
		sql`SELECT toString(count()) AS events FROM events WHERE date >= ${from}`,
		{ name: 'doctor' },
	);
	const events = Number(all?.events ?? 0);
	// Ids are random, so those that one number divides are a fair part of them.
	const everyNth = Math.max(1, Math.ceil(events / comparedEvents));
	const [found] = await clickhouse.rows<{ compared: string; twice: string; website: number }>(
		sql`SELECT toString(sum(times)) AS compared, toString(countIf(times > 1)) AS twice, anyIf(website_id, times > 1) AS website
			FROM (
				-- A row is an id of a website.
				SELECT website_id, event_id, count() AS times FROM events
				WHERE date >= ${from} AND event_id % ${param('UInt32', everyNth)} = 0
				GROUP BY website_id, event_id
			)`,
		{ name: 'doctor' },
	);
	const compared = `${Number(found?.compared ?? 0)} events of the last ${recentDays} days were compared`;
	const twice = Number(found?.twice ?? 0);
	return [
		twice === 0
			? ok(`${compared}, and none is there twice.`)
			: problem(
					`${compared}, and ${twice} ${twice === 1 ? 'is' : 'are'} there more than once, such as on website ${found?.website}.`,
					'Report this as a fault of Tidemark, with the log of those days.',
				),
	];
}

const derivedDays = 7;

/** A sample of the last days, as `tidemark check` compares all of them. */
export async function examineDerived(services: SealServices, today: Date): Promise<Look[]> {
	const range = { from: dateBefore(today, derivedDays), to: dateBefore(today, 0) };
	const { days, differences } = await checkDays(services, range, () => undefined, comparedEvents);
	const compared = `${days} sealed ${days === 1 ? 'day' : 'days'} of websites in the last ${derivedDays} days ${days === 1 ? 'was' : 'were'} compared with the events`;
	const [first] = differences;
	if (!first) return [ok(`${compared}, and all agree.`)];
	const count = new Set(differences.map(({ websiteId, date }) => `${websiteId} ${date}`)).size;
	return [
		problem(
			`${compared}, and ${count} ${count === 1 ? 'differs' : 'differ'}, such as ${first.date} of website ${first.websiteId}.`,
			`Run: tidemark rebuild --website ${first.websiteId} --from ${first.date} --to ${first.date}; then tidemark check shows the others.`,
		),
	];
}

const dateBefore = (today: Date, days: number): string =>
	new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
