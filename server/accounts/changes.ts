import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Principal } from './principal.ts';

/** Writes down who changed what. No address, no name, no content: ids, and the name of the operation. */
export async function noteChange(
	postgres: Queries,
	now: Clock,
	change: { by: Principal; what: string; websiteId?: number | undefined },
): Promise<void> {
	const { by, what, websiteId } = change;
	if (by.kind !== 'account' && by.kind !== 'key') return;
	await postgres.run(sql`
		INSERT INTO changes (at, account_id, key_id, what, website_id)
		VALUES (${value(now())}, ${value(by.accountId)}, ${value(by.kind === 'key' ? by.keyId : null)}, ${value(what)},
			${value(websiteId ?? null)})`);
}
