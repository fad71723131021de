/**
 * Processes that share a PostgreSQL database must have one secret: what one of them signs or seals (links in mails, unlocked
 * statistics, second factors) the others open. The database keeps a keyed hash of it, from which it cannot be found again.
 */
import { timingSafeEqual } from 'node:crypto';
import { deriveKey, keyedHash } from '../lib/secrets.ts';
import type { Postgres } from './postgres.ts';
import { sql, value } from './sql.ts';

/** Refuses a secret that is not the database's; the first that comes becomes it. */
export async function checkSecret(postgres: Postgres, secret: string): Promise<void> {
	const fingerprint = keyedHash(deriveKey(secret, 'fingerprint of the secret'), 'tidemark');
	await postgres.run(
		sql`INSERT INTO secret_fingerprint (fingerprint) VALUES (${value(fingerprint)}) ON CONFLICT DO NOTHING`,
	);
	const [row] = await postgres.rows<{ fingerprint: Buffer }>(sql`SELECT fingerprint FROM secret_fingerprint`);
	if (row && timingSafeEqual(row.fingerprint, fingerprint)) return;
	throw new Error(
		'This process has another secret than the ones that ran on this PostgreSQL database before it. ' +
			'Set TIDEMARK_SECRET to the same value everywhere; ' +
			'where none was set, it is in the file secrets/secret of the data folder of the first one. ' +
			'If that secret is lost for good, stop all processes, run DELETE FROM secret_fingerprint; in the database, and start again: ' +
			'second factors and the addresses of alerts must then be set anew.',
	);
}
