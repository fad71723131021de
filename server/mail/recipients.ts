import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';

/** Somebody who gets the reports of a website. `key` is different for each of them and never changes. */
export type Recipient = { address: string; locale: string; unsubscribeUrl: string; key: string };

/** Who gets the reports of a website. */
export async function recipientsOf(
	tx: Queries,
	accountId: number,
	_websiteId: number,
): Promise<readonly Recipient[]> {
	return tx.rows<Recipient>(sql`
		SELECT email AS address, locale, '' AS "unsubscribeUrl", 'account' AS key
		FROM accounts WHERE id = ${value(accountId)} AND disabled_at IS NULL`);
}
