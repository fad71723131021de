import { listPiece, param, sql, value } from '../store/sql.ts';
import type { JobServices } from './schedule.ts';

/** Longer than a question reads a generation, and longer than a running seal goes without a heartbeat. */
export const deadForMs = 15 * 60_000;

/** On a cluster the statement is stored in Keeper, so it must stay small. */
const maxRows = listPiece;

type Dead = { websiteId: number; date: string; generation: number };

/**
 * Deletes generations that are no longer used. They are marked first, so that a seal that was considered dead cannot publish one
 * of them. They stay in the table until their rows are deleted, so that a crash in between loses none.
 */
export async function deleteDeadGenerations({
	postgres,
	clickhouse,
	now,
	log,
	signal,
}: JobServices): Promise<number> {
	const dead = await postgres.rows<Dead>(sql`
		UPDATE dead_generations AS d SET is_going = true
		FROM (
			SELECT website_id, date, generation FROM dead_generations
			WHERE died_at < ${value(new Date(now().getTime() - deadForMs))} ORDER BY died_at LIMIT ${value(maxRows)}
		) AS old
		WHERE d.website_id = old.website_id AND d.date = old.date AND d.generation = old.generation
			AND d.died_at < ${value(new Date(now().getTime() - deadForMs))}
		RETURNING d.website_id AS "websiteId", d.date::text AS date, d.generation`);
	if (dead.length === 0) return 0;
	const websiteIds = dead.map(({ websiteId }) => websiteId);
	const dates = dead.map(({ date }) => date);
	const generations = dead.map(({ generation }) => generation);
	for (const table of [sql`visits`, sql`totals`]) {
		await clickhouse.command(
			sql`
			ALTER TABLE ${table} DELETE
			WHERE website_id IN ${param('Array(UInt32)', [...new Set(websiteIds)])}
				AND generation IN ${param('Array(UInt64)', [...new Set(generations)])}
				AND (website_id, date, generation) IN arrayZip(
					${param('Array(UInt32)', websiteIds)}, ${param('Array(Date)', dates)}, ${param('Array(UInt64)', generations)}
				)`,
			{ name: 'delete dead generations', settings: { mutations_sync: '2' }, signal },
		);
	}
	await postgres.run(sql`
		DELETE FROM dead_generations AS d
		USING unnest(${value(websiteIds)}::bigint[], ${value(dates)}::date[], ${value(generations)}::bigint[])
			AS gone (website_id, date, generation)
		WHERE d.website_id = gone.website_id AND d.date = gone.date AND d.generation = gone.generation`);
	log.info({ generations: dead.length }, 'deleted dead generations');
	return dead.length;
}
