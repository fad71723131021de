/**
 * Evaluates all alerts once a minute, with a fixed number of statements.
 *
 * - spike: more than ten visitors in the last hour, and more than three times the median of the same hour in the last four weeks. The
 *   median ignores a single unusual week. An alert fires again after twelve hours at the earliest.
 * - silence: no events for the configured hours, although the same hours had events in all of the last four weeks but one. It does not
 *   fire if Tidemark was not running or events are still unwritten. The end of a silence is reported too.
 * - goal: reached for the first time since the alert was enabled.
 *
 * An alert fires with an UPDATE of its row that only one process can win, in the transaction that queues the notification. So it fires
 * once, even with several processes or after a crash.
 */

import type { GoalTest } from '../derive/goal-property.ts';
import type { PendingEvents } from '../event-log/event-log.ts';
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { type StatsContextRow, statsContextColumns } from '../stats/question/stats-context.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { queueEvents } from '../webhooks/queue-events.ts';
import { offsetOf } from '../websites/offsets.ts';
import { dateOf, toZones, type Zones } from '../websites/zones.ts';
import type { AlertEvent } from './alert-texts.ts';
import type { AlertKind } from './alerts.ts';
import { countGoals } from './count-goals.ts';
import { countWindows, type Window } from './count-windows.ts';
import { type ExplainServices, explainSpike } from './explain-spike.ts';
import { type NotifiedAlert, type NotifyServices, notifiedColumns, queueNotification } from './notify.ts';

export type AlertWatchServices = NotifyServices & {
	postgres: Postgres;
	clickhouse: ClickHouse;
	eventLog: PendingEvents;
	log: Log;
	/** Answers what a spike comes from. */
	ask?: ExplainServices['ask'];
};

const weekMs = 7 * dayMs;
const minVisitors = 10;
const spikeFactor = 3;
const coolDownMs = 12 * hourMs;
const weeks = [1, 2, 3, 4];
const minWeeks = 2;
/** The longest silence that can be configured. */
const maxSilenceMs = 72 * hourMs;
/** After a longer pause, Tidemark counts as not running. */
const maxPauseMs = 10 * minuteMs;
/** Events can arrive late. */
const maxDelayMs = 15 * minuteMs;
/** The medians are cached for this long. */
const usualForMs = 15 * minuteMs;

type Row = NotifiedAlert &
	StatsContextRow & {
		kind: AlertKind;
		hours: number | null;
		firedAt: Date | null;
		silentSince: Date | null;
		armedAt: Date;
		goalId: number | null;
		goalName: string | null;
		goalKind: 'page' | 'event' | null;
		pattern: string | null;
		propertyName: string | null;
		propertyValue: string | null;
		propertyTest: GoalTest | null;
	};

type Watched = Omit<Row, 'zones'> & { zones: Zones };

export type AlertWatch = (services: AlertWatchServices) => Promise<void>;

/** `explainForMs`: how long the alerts of a run wait for explanations, all together. */
export function createAlertWatch({ explainForMs = 3_000 } = {}): AlertWatch {
	const medians = new Map<string, number | undefined>();

	return async (services) => {
		const { postgres, now } = services;
		const nowMs = now().getTime();
		const before = await readWatching(postgres, nowMs);
		const alerts = await listWatched(postgres);
		await watchGoals(services, alerts, Math.min(before.lastMs, nowMs) - maxDelayMs);
		const others = alerts.filter(({ kind }) => kind !== 'goal');
		const lastHour = { fromMs: nowMs - hourMs, toMs: nowMs + 1 };
		const counted = await countWindows(
			services.clickhouse,
			withWindows(others, () => [lastHour]),
		);
		await watchSpikes(
			services,
			others
				.filter(({ kind }) => kind === 'spike')
				.map((alert) => ({ ...alert, visitors: counted(alert.websiteId, 0).visitors })),
			{ medians, explainForMs },
		);
		if (await isWritten(services.eventLog))
			await watchSilences(
				services,
				others
					.filter(({ kind }) => kind === 'silence')
					.map((alert) => ({ ...alert, lastMs: counted(alert.websiteId, 0).lastMs })),
				before.sinceMs,
			);
		await saveWatching(postgres, before.sinceMs, nowMs);
	};
}

async function listWatched(postgres: Queries): Promise<Watched[]> {
	const rows = await postgres.rows<Row>(sql`
		SELECT ${notifiedColumns}, ${statsContextColumns}, l.kind, l.hours, l.fired_at AS "firedAt", l.silent_since AS "silentSince",
			l.armed_at AS "armedAt", g.id AS "goalId", g.name AS "goalName", g.kind AS "goalKind", g.pattern,
			g.property_name AS "propertyName", g.property_value AS "propertyValue",
			g.property_test AS "propertyTest"
		FROM alerts l
		JOIN websites ON websites.id = l.website_id
		JOIN accounts a ON a.id = websites.account_id AND a.disabled_at IS NULL
		LEFT JOIN goals g ON g.id = l.goal_id
		WHERE l.enabled AND NOT (l.kind = 'goal' AND l.fired_at IS NOT NULL)
		ORDER BY l.id`);
	return rows.map((row) => ({ ...row, zones: toZones(row.zones) }));
}

/** Each website once, with its windows, which begin at the last reset of its statistics at the earliest. */
function withWindows<A extends Watched>(alerts: readonly A[], windowsOf: (alert: A) => readonly Window[]) {
	const byWebsite = new Map(alerts.map((alert) => [alert.websiteId, alert]));
	return [...byWebsite.values()].map((alert) => ({
		id: alert.websiteId,
		zones: alert.zones,
		hidden: alert.hidden,
		windows: windowsOf(alert).map(({ fromMs, toMs }) => ({
			fromMs: Math.max(fromMs, alert.resetAt?.getTime() ?? 0),
			toMs,
		})),
	}));
}

/** The same local hours in the previous weeks. */
function weeksBefore(zones: Zones, { fromMs, toMs }: Window): Window[] {
	return weeks.map((count) => {
		const plain = toMs - count * weekMs;
		const end = plain + (offsetOf(zones, toMs) - offsetOf(zones, plain)) * minuteMs;
		return { fromMs: end - (toMs - fromMs), toMs: end };
	});
}

/** The indexes of previous weeks in which the website already had data. */
const knownWeeks = ({ firstDate, resetAt, zones }: Watched, windows: readonly Window[]): number[] =>
	windows.flatMap(({ fromMs }, index) =>
		firstDate !== null && firstDate <= dateOf(zones, fromMs).date && (resetAt?.getTime() ?? 0) <= fromMs
			? [index]
			: [],
	);

async function watchSpikes(
	services: AlertWatchServices,
	alerts: readonly (Watched & { visitors: number })[],
	{ medians, explainForMs }: { medians: Map<string, number | undefined>; explainForMs: number },
): Promise<void> {
	const nowMs = services.now().getTime();
	const quarter = Math.floor(nowMs / usualForMs) * usualForMs;
	const candidates = alerts.filter(
		({ visitors, firedAt }) => visitors > minVisitors && nowMs - (firedAt?.getTime() ?? 0) >= coolDownMs,
	);
	const keyOf = ({ websiteId, resetAt }: Watched) => `${websiteId} ${quarter} ${resetAt?.getTime() ?? 0}`;
	for (const key of medians.keys()) if (!key.includes(` ${quarter} `)) medians.delete(key);
	const unknown = candidates.filter((alert) => !medians.has(keyOf(alert)));
	const windowsOf = ({ zones }: Watched) => weeksBefore(zones, { fromMs: quarter - hourMs, toMs: quarter });
	const counted = await countWindows(services.clickhouse, withWindows(unknown, windowsOf));
	for (const alert of unknown) {
		const known = knownWeeks(alert, windowsOf(alert));
		const counts = known.map((index) => counted(alert.websiteId, index).visitors);
		medians.set(keyOf(alert), counts.length >= minWeeks ? medianOf(counts) : undefined);
	}
	const { ask } = services;
	let left: AbortSignal | undefined;
	const explain = async (alert: Watched) => {
		if (!ask) return {};
		left ??= AbortSignal.timeout(explainForMs);
		const current = { fromMs: nowMs - hourMs, toMs: nowMs + 1 };
		const [compared = current] = weeksBefore(alert.zones, current);
		const change = await explainSpike({ ...services, ask }, alert, { current, compared }, left);
		return change ? { change } : {};
	};
	for (const alert of candidates) {
		const median = medians.get(keyOf(alert));
		if (median === undefined || alert.visitors <= spikeFactor * median) continue;
		const isNew = sql`fired_at IS NULL OR fired_at <= ${value(new Date(nowMs - coolDownMs))}`;
		await fire(services, alert, {
			set: sql`fired_at = ${value(new Date(nowMs))}`,
			where: isNew,
			event: {
				...{ type: 'spike', visitors: alert.visitors, usual: Math.round(median) },
				...(await explain(alert)),
			},
		});
	}
}

function medianOf(counts: readonly number[]): number {
	const sorted = counts.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

async function watchSilences(
	services: AlertWatchServices,
	alerts: readonly (Watched & { lastMs: number })[],
	watchedSinceMs: number,
): Promise<void> {
	const { clickhouse } = services;
	const nowMs = services.now().getTime();
	const quiet = alerts.filter(({ lastMs }) => lastMs === 0);
	const longAgo = await countWindows(
		clickhouse,
		withWindows(quiet, () => [{ fromMs: nowMs - maxSilenceMs, toMs: nowMs + 1 }]),
	);
	const lastOf = ({ lastMs, websiteId }: Watched & { lastMs: number }) =>
		lastMs || longAgo(websiteId, 0).lastMs || nowMs - maxSilenceMs;
	for (const alert of alerts) {
		const { silentSince } = alert;
		if (silentSince === null || lastOf(alert) <= silentSince.getTime()) continue;
		await fire(services, alert, {
			set: sql`silent_since = NULL`,
			where: sql`silent_since = ${value(silentSince)}`,
			event: { type: 'back', since: silentSince.toISOString() },
		});
	}
	const lengthOf = ({ hours }: Watched) => (hours ?? 1) * hourMs;
	const silent = quiet.filter(
		(alert) =>
			alert.silentSince === null &&
			nowMs - lastOf(alert) >= lengthOf(alert) &&
			nowMs - watchedSinceMs >= lengthOf(alert),
	);
	// Alerts of one website can have different lengths, and a statement has one set of windows per website.
	for (const hours of new Set(silent.map(lengthOf))) {
		const same = silent.filter((alert) => lengthOf(alert) === hours);
		const windowsOf = ({ zones }: Watched) => weeksBefore(zones, { fromMs: nowMs - hours, toMs: nowMs });
		const counted = await countWindows(clickhouse, withWindows(same, windowsOf));
		for (const alert of same) {
			const known = knownWeeks(alert, windowsOf(alert));
			const activeWeeks = known.filter((index) => counted(alert.websiteId, index).events > 0).length;
			if (activeWeeks < Math.max(minWeeks, known.length - 1)) continue;
			const since = new Date(lastOf(alert));
			await fire(services, alert, {
				set: sql`silent_since = ${value(since)}, fired_at = ${value(new Date(nowMs))}`,
				where: sql`silent_since IS NULL`,
				event: { type: 'silence', hours: alert.hours ?? 1, since: since.toISOString() },
			});
		}
	}
}

async function watchGoals(
	services: AlertWatchServices,
	alerts: readonly Watched[],
	fromMs: number,
): Promise<void> {
	const nowMs = services.now().getTime();
	const watched = alerts.flatMap((alert) =>
		alert.kind === 'goal' && alert.pattern !== null
			? [{ ...alert, pattern: alert.pattern, sinceMs: alert.armedAt.getTime() }]
			: [],
	);
	const counts = await countGoals(services.clickhouse, watched, { fromMs, toMs: nowMs + 1 });
	for (const alert of watched.filter(({ id }) => counts.has(id)))
		await fire(services, alert, {
			set: sql`fired_at = ${value(new Date(nowMs))}`,
			where: sql`fired_at IS NULL`,
			event: { type: 'goal', goal: { id: alert.goalId ?? 0, name: alert.goalName ?? '' } },
		});
}

/** Fires an alert if `where` still holds. */
async function fire(
	services: AlertWatchServices,
	alert: Watched,
	{ set, where, event }: { set: Sql; where: Sql; event: AlertEvent },
): Promise<void> {
	await services.postgres.transaction(async (tx) => {
		const changed = await tx.run(
			sql`UPDATE alerts SET ${set} WHERE id = ${value(alert.id)} AND enabled AND (${where})`,
		);
		if (changed === 0) return;
		const { websiteId, domain, accountId } = alert;
		await queueEvents(tx, services.now, [
			{
				type: 'alert.fired',
				accountId,
				websiteId,
				data: { website: { id: websiteId, domain }, alert: { id: alert.id, ...event } },
			},
		]);
		const key = `${alert.id} ${event.type} ${services.now().toISOString()}`;
		if (!(await queueNotification(tx, services, alert, event, key)))
			services.log.warn({ alert: alert.id }, 'alert not sent; the email quota or the outbox is full');
	});
}

/** Whether recent events are written. If not, neither a silence nor a count is certain. */
export async function isWritten(eventLog: PendingEvents): Promise<boolean> {
	const oldest = await eventLog.oldest();
	// The event log has the time of the machine, not the injected clock.
	return !oldest || Date.now() - oldest.appendedAt.getTime() < 2 * minuteMs;
}

/** When alerts were last evaluated, and since when without a pause. */
async function readWatching(postgres: Queries, nowMs: number): Promise<{ sinceMs: number; lastMs: number }> {
	const [row] = await postgres.rows<{ since: Date; last: Date }>(
		sql`SELECT since, last_at AS last FROM watching`,
	);
	if (!row) return { sinceMs: nowMs, lastMs: nowMs };
	const lastMs = row.last.getTime();
	return { lastMs, sinceMs: nowMs - lastMs > maxPauseMs ? nowMs : row.since.getTime() };
}

/** Called at the end of a run, so that the next run covers what a failed one missed. */
async function saveWatching(postgres: Queries, sinceMs: number, nowMs: number): Promise<void> {
	await postgres.run(sql`
		INSERT INTO watching (since, last_at) VALUES (${value(new Date(sinceMs))}, ${value(new Date(nowMs))})
		ON CONFLICT (only_one) DO UPDATE SET since = excluded.since, last_at = excluded.last_at`);
}
