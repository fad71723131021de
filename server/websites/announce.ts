import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

/** Notifies every collector of the id of a changed website. */
export const websitesChannel = 'tidemark_websites';

export async function announce(tx: Queries, websiteId: number): Promise<void> {
	await tx.run(sql`SELECT pg_notify(${value(websitesChannel)}, ${value(String(websiteId))})`);
}

/** All websites of an account. */
export async function announceAll(tx: Queries, accountId: number): Promise<void> {
	await tx.run(sql`
		SELECT pg_notify(${value(websitesChannel)}, id::text) FROM websites WHERE account_id = ${value(accountId)}`);
}
