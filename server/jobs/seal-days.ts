/**
 * Which days are sealed, and when.
 *
 * A day is sealed when it has been over for two hours on the clock of its website: visitors' salts are destroyed then, and
 * what was hidden in a background tab has mostly arrived. What comes later makes it dirty, and it is sealed again once it has
 * been quiet for half a minute, or after ten minutes at the latest.
 * A large day that is not over gets provisional totals, renewed at a pace that it can pay for: the next ones begin after ten
 * times as long as the last took, between five seconds and a minute.
 *
 * A round is bounded, so that neither waits long for the other; the next one goes on where it ended. What fails is tried
 * again after a while, and does not keep the others from their turn. What is remembered here is only pace: a restart
 * forgets it and nothing else.
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

/** `now` is the clock of days; `ms` only ever rises and measures how long something took. */
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
		// As long as there are more, with every round.
		scanAt = due.length < finished.length || finished.length === maxDays ? 0 : ms() + scanEveryMs;
	}

	function note({ log }: SealServices, { days, failures }: Sealed): void {
		for (const day of days) failing.delete(keyOf(day));
		for (const { days, error } of failures) {
			const [first] = days;
			log.error({ error, days: days.length, ...first }, 'days could not be sealed and will be tried again');
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

/** Knows the last batch that was numbered half a minute ago: a day without a later one is quiet. */
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

/** The zone that a day of `days` was cut in. */
const zoneOfDay = sql`(
	SELECT zone FROM website_zones z WHERE z.website_id = days.website_id AND z.from_date <= days.date
	ORDER BY z.from_date DESC LIMIT 1
)`;

const isKept = sql`(websites.raw_from IS NULL OR days.date >= websites.raw_from)`;

const isOver = (zone: string, date: string, now: number): boolean => endOfDate(zone, date) + overForMs <= now;

/** All dates before `everywhere` are over in all zones, none after `somewhere` in any. */
function bounds(now: number): { everywhere: string; somewhere: string } {
	const [last, first] = ['Etc/GMT+12', 'Etc/GMT-14'].map((zone) => localDate(zone, now - overForMs));
	return { everywhere: last ?? '', somewhere: previousDate(first ?? '') };
}

/** Days that are over and dirty, oldest first. */
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

/** As many as a round may take, but at least one. */
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

/** Days that are not over, too large to be counted at each question, and have more than their last totals. */
async function findLarge({ postgres, now }: SealServices): Promise<SealDay[]> {
	const nowMs = now().getTime();
	// The number is a literal, as in the index.
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
