import { AppError } from '../lib/app-error.ts';
import { sql, value } from '../store/sql.ts';
import { refuseDamaged } from './damage.ts';
import { sealDays } from './seal.ts';
import type { SealServices } from './seal-types.ts';

/** Local dates, both inclusive; open-ended where one is missing. */
export type DateRange = { from?: string | undefined; to?: string | undefined };

export type Rebuilt = { days: number; from: string | null; to: string | null };

/** Reports progress after so many days; a waiting seal can run in between. */
const daysAtOnce = 30;

/** Derives the days of a website again, dirty or not. Days whose events were deleted by retention stay as they are. */
export async function rebuildDays(
	services: SealServices,
	{
		websiteId,
		from,
		to,
		acceptLoss = false,
	}: { websiteId: number; acceptLoss?: boolean | undefined } & DateRange,
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
			`Website ${websiteId} has events from ${rawFrom} on; earlier days cannot be rebuilt.`,
		);
	const days = await postgres.rows<{ websiteId: number; date: string }>(sql`
		SELECT website_id AS "websiteId", date::text AS date FROM days
		WHERE website_id = ${value(websiteId)} AND date >= coalesce(${value(from ?? rawFrom)}::date, '-infinity')
			AND date <= coalesce(${value(to ?? null)}::date, 'infinity')
		ORDER BY days.date`);
	if (!acceptLoss)
		await refuseDamaged(
			services,
			days,
			'To rebuild the days from the remaining events and lose the others permanently, pass --accept-loss.',
		);
	let done = 0;
	for (let start = 0; start < days.length; start += daysAtOnce) {
		report({ done: start, total: days.length });
		const { days: sealed, failures } = await sealDays(
			services,
			days.slice(start, start + daysAtOnce),
			'whole',
			{
				acceptLoss,
			},
		);
		for (const { error } of failures) throw error;
		if (signal.aborted) throw new AppError('unavailable', 'The rebuild was canceled.');
		done += sealed.length;
	}
	report({ done: days.length, total: days.length });
	return { days: done, from: days[0]?.date ?? null, to: days.at(-1)?.date ?? null };
}
