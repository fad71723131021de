import pg from 'pg';
import type { World } from './world.ts';

/** How many entries the activity log has, and the person who made the last. */
export async function openActivity(t: { after(work: () => Promise<void>): void }, w: World) {
	const connection = new pg.Client(w.postgresTarget);
	// The service takes its PostgreSQL with it at the end.
	connection.on('error', () => undefined);
	await connection.connect();
	t.after(() => connection.end());
	return async (): Promise<{ count: number; author: number | undefined }> => {
		const { rows } = await connection.query<{ count: string; author: string | null }>(`
			SELECT count(*)::text AS count, (SELECT account_id::text FROM changes ORDER BY id DESC LIMIT 1) AS author
			FROM changes`);
		const [row] = rows;
		return { count: Number(row?.count ?? 0), author: row?.author ? Number(row.author) : undefined };
	};
}
