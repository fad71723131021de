import { AppError } from '../lib/app-error.ts';
import { sql, value } from '../store/sql.ts';
import { sealDays } from './seal.ts';
import type { SealServices } from './sealing.ts';

/** Local dates, both included; without one, from the first or to the last. */
export type DateRange = { from?: string | undefined; to?: string | undefined };

export type Rebuilt = { days: number; from: string | null; to: string | null };

/** Seals so many days, then tells how far it is; a seal that waits for its turn gets it in between. */
const daysAtOnce = 30;

/** Derives the days of a website anew, whether they are dirty or not. Those whose events are kept no longer stay as they are. */
export async function rebuildDays(
	services: SealServices,
	{ websiteId, from, to }: { websiteId: number } & DateRange,
	report: (progress: { done: number; total: number }) => void,
): Promise<Rebuilt> {
	const { postgres, signal } = services;
	const [website] = await postgres.rows<{ rawFrom: string | null }>(
		sql`SELECT raw_from::text AS "rawFrom" FROM websites WHERE id = ${value(websiteId)}`,
	);
	if (!website) throw new AppError('not_found', `There is no website ${websiteId}.`);
	const { rawFrom } = website;
	if (rawFrom !== null && from !== undefined && from < rawFrom)
		throw new AppError(
			'bad_request',
			`The events of website ${websiteId} are kept from ${rawFrom} on; what is earlier cannot be derived again.`,
		);
	const days = await postgres.rows<{ websiteId: number; date: string }>(sql`
		SELECT website_id AS "websiteId", date::text AS date FROM days
		WHERE website_id = ${value(websiteId)} AND date >= coalesce(${value(from ?? rawFrom)}::date, '-infinity')
			AND date <= coalesce(${value(to ?? null)}::date, 'infinity')
		ORDER BY days.date`);
	let done = 0;
	for (let at = 0; at < days.length; at += daysAtOnce) {
		report({ done: at, total: days.length });
		const { days: sealed, failures } = await sealDays(services, days.slice(at, at + daysAtOnce), 'whole');
		for (const { error } of failures) throw error;
		if (signal.aborted) throw new AppError('unavailable', 'Nobody waits for the days any more.');
		done += sealed.length;
	}
	report({ done: days.length, total: days.length });
	return { days: done, from: days[0]?.date ?? null, to: days.at(-1)?.date ?? null };
}
