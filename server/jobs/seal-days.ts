/**
 * Decides when days are sealed.
 *
 * A day is sealed two hours after it ends in the time zone of its website. By then the visitors' salts are deleted, and events
 * from background tabs have mostly arrived. Later events mark the day as dirty. It is sealed again when no event has arrived
 * for half a minute, or after ten minutes at the latest.
 * A large current day gets provisional totals. The pause until the next ones is ten times as long as computing the last ones
 * took, between five seconds and a minute.
 *
 * The work per round is limited, and the next round continues. Failed days are retried later and do not block others. The state
 * in memory only controls the timing, so a restart loses nothing.
 */
import { type Sealed, sealDays } from '../derive/seal.ts';
import { keyOf, type SealDay, type SealServices } from '../derive/seal-types.ts';
import { endOfDate, localDate, previousDate } from '../lib/local-dates.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

const overForMs = 2 * 3_600_000;
const quietForMs = 30_000;
const sealAgainWithinMs = 10 * 60_000;
const scanEveryMs = 30_000;
const zonesEveryMs = 10 * 60_000;

const maxDays = 2_000;
const maxEvents = 1_000_000;

const pace = { timesAsLong: 10, leastMs: 5_000, mostMs: 60_000 };
const firstRetryMs = 60_000;
const lastRetryMs = 3_600_000;

type Due = SealDay & { size: number };

/** `ms` is a monotonic clock for durations. */
export function createSealJob(ms: () => number = () => performance.now()) {
	const quiet = createQuietMark(ms);
	const failing = new Map<string, { againMs: number; waitMs: number }>();
	const renewAt = new Map<string, number>();
	let zones: { known: readonly string[]; readMs: number } | undefined;
	let scanAt = 0;

	async function renewProvisional(services: SealServices): Promise<void> {
		const due = await findLarge(services);
		const there = new Set(due.map(keyOf));
		for (const key of renewAt.keys()) if (!there.has(key)) renewAt.delete(key);
		for (const day of due) {
			const key = keyOf(day);
			if (services.signal.aborted || ms() < (renewAt.get(key) ?? 0)) continue;
			const began = ms();
			note(services, await sealDays(services, [day], 'provisional'));
			const tookMs = ms() - began;
			const waitMs = Math.min(pace.mostMs, Math.max(pace.leastMs, pace.timesAsLong * tookMs));
			renewAt.set(key, ms() + waitMs);
		}
	}

	async function sealFinished(services: SealServices): Promise<void> {
		if (ms() < scanAt || services.signal.aborted) return;
		if (!zones || ms() - zones.readMs > zonesEveryMs)
			zones = { known: await readZones(services.postgres), readMs: ms() };
		const finished = await findFinished(services, {
			zones: zones.known,
			quietUpTo: quiet.upTo(),
			except: [...failing].filter(([, { againMs }]) => ms() < againMs).map(([key]) => key),
		});
		const due = takeSome(finished);
		if (due.length > 0) note(services, await sealDays(services, due, 'whole'));
		// If there are more days, continue in the next round.
		scanAt = due.length < finished.length || finished.length === maxDays ? 0 : ms() + scanEveryMs;
	}

	function note({ log }: SealServices, { days, failures }: Sealed): void {
		for (const day of days) failing.delete(keyOf(day));
		for (const { days, error } of failures) {
			const [first] = days;
			log.error({ error, days: days.length, ...first }, 'could not seal days; retrying');
			for (const day of days) {
				const before = failing.get(keyOf(day))?.waitMs ?? firstRetryMs / 2;
				const waitMs = Math.min(lastRetryMs, 2 * before);
				failing.set(keyOf(day), { waitMs, againMs: ms() + waitMs });
				renewAt.set(keyOf(day), ms() + waitMs);
			}
		}
	}

	return async (services: SealServices): Promise<void> => {
		quiet.mark(await lastBatch(services.postgres));
		await renewProvisional(services);
		await sealFinished(services);
	};
}

/** Remembers the last batch number of half a minute ago. Days without later batches are quiet. */
function createQuietMark(ms: () => number) {
	let marks: { at: number; batch: number }[] = [];
	const old = () => marks.findLast(({ at }) => at <= ms() - quietForMs);
	return {
		mark(batch: number) {
			marks.push({ at: ms(), batch });
			const kept = old();
			if (kept) marks = marks.slice(marks.indexOf(kept));
		},
		upTo: () => old()?.batch ?? 0,
	};
}

async function lastBatch(postgres: Queries): Promise<number> {
	const [row] = await postgres.rows<{ batch: number }>(
		sql`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS batch FROM batches_number_seq`,
	);
	return row?.batch ?? 0;
}

async function readZones(postgres: Queries): Promise<string[]> {
	const rows = await postgres.rows<{ zone: string }>(sql`SELECT DISTINCT zone FROM website_zones`);
	return rows.map(({ zone }) => zone);
}

/** The time zone of a row of `days`. */
const zoneOfDay = sql`(
	SELECT zone FROM website_zones z WHERE z.website_id = days.website_id AND z.from_date <= days.date
	ORDER BY z.from_date DESC LIMIT 1
)`;

const isKept = sql`(websites.raw_from IS NULL OR days.date >= websites.raw_from)`;

const isOver = (zone: string, date: string, now: number): boolean => endOfDate(zone, date) + overForMs <= now;

/** Dates before `everywhere` have ended in all time zones; dates after `somewhere` have ended in none. */
function bounds(now: number): { everywhere: string; somewhere: string } {
	const [last, first] = ['Etc/GMT+12', 'Etc/GMT-14'].map((zone) => localDate(zone, now - overForMs));
	return { everywhere: last ?? '', somewhere: previousDate(first ?? '') };
}

/** Days that have ended and are dirty, oldest first. */
async function findFinished(
	{ postgres, now }: SealServices,
	{ zones, quietUpTo, except }: { zones: readonly string[]; quietUpTo: number; except: readonly string[] },
): Promise<Due[]> {
	const nowMs = now().getTime();
	const { everywhere, somewhere } = bounds(nowMs);
	const over: { date: string; zone: string }[] = [];
	for (let date = somewhere; date >= everywhere; date = previousDate(date))
		for (const zone of zones) if (isOver(zone, date, nowMs)) over.push({ date, zone });
	return postgres.rowsUnprepared<Due>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date, size
		FROM days JOIN websites ON websites.id = days.website_id
		WHERE last_batch > sealed_batch AND days.date <= ${value(somewhere)}::date AND ${isKept}
			AND (sealed_at IS NULL OR last_batch <= ${value(quietUpTo)} OR sealed_at < ${value(new Date(nowMs - sealAgainWithinMs))})
			AND (days.date < ${value(everywhere)}::date OR (days.date, ${zoneOfDay}) IN (
				SELECT * FROM unnest(${value(over.map(({ date }) => date))}::date[], ${value(over.map(({ zone }) => zone))}::text[])
			))
			AND (days.website_id || ' ' || days.date) <> ALL (${value(except)}::text[])
		ORDER BY days.date, days.website_id LIMIT ${value(maxDays)}`);
}

/** Up to the limit of events per round, but at least one day. */
function takeSome(due: readonly Due[]): Due[] {
	const some: Due[] = [];
	let events = 0;
	for (const day of due) {
		if (some.length > 0 && events + day.size > maxEvents) break;
		some.push(day);
		events += day.size;
	}
	return some;
}

/** Current days that are too large to be counted for each question and have changed since their last totals. */
async function findLarge({ postgres, now }: SealServices): Promise<SealDay[]> {
	const nowMs = now().getTime();
	// The size is a literal, so that PostgreSQL uses the partial index.
	const rows = await postgres.rows<SealDay & { zone: string }>(sql`
		SELECT days.website_id AS "websiteId", days.date::text AS date, ${zoneOfDay} AS zone
		FROM days JOIN websites ON websites.id = days.website_id
		WHERE size > 200000 AND days.date >= ${value(bounds(nowMs).everywhere)}::date AND ${isKept}
			AND last_batch > greatest(sealed_batch, provisional_batch)
		ORDER BY provisional_at NULLS FIRST LIMIT 100`);
	return rows
		.filter(({ zone, date }) => !isOver(zone, date, nowMs))
		.map(({ websiteId, date }) => ({ websiteId, date }));
}
