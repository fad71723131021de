import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { hasAccounts } from './accounts.ts';
import { digestOf, makeToken } from './keys.ts';

/**
 * The first account is created with a link that the service prints when it starts. While there is no account, every start
 * creates a new link and revokes the previous one. The first account revokes the link permanently.
 */
export async function makeSetupToken(postgres: Postgres, now: Clock): Promise<string | undefined> {
	if (await hasAccounts(postgres)) return undefined;
	const token = makeToken();
	await postgres.run(sql`
		INSERT INTO setup_links (digest, created_at) VALUES (${value(digestOf(token))}, ${value(now())})
		ON CONFLICT (only_one) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at`);
	return token;
}

export async function isSetupToken(postgres: Postgres, token: string): Promise<boolean> {
	const rows = await postgres.rows(sql`SELECT 1 FROM setup_links WHERE digest = ${value(digestOf(token))}`);
	return rows.length > 0 && !(await hasAccounts(postgres));
}

/** Runs in the transaction that creates the first account. Of two concurrent uses, one succeeds. */
export async function takeSetupToken(tx: Queries, token: string): Promise<void> {
	const taken = await tx.run(sql`DELETE FROM setup_links WHERE digest = ${value(digestOf(token))}`);
	if (taken === 0 || (await hasAccounts(tx)))
		throw new AppError('not_found', 'This link was used, or was replaced by a newer one.');
}

/** The public URL that was entered with the first account. */
export async function findPublicAddress(postgres: Queries): Promise<string | undefined> {
	const [row] = await postgres.rows<{ url: string }>(sql`SELECT url FROM public_address`);
	return row?.url;
}

export async function setPublicAddress(tx: Queries, url: string): Promise<void> {
	await tx.run(sql`
		INSERT INTO public_address (url) VALUES (${value(url)}) ON CONFLICT (only_one) DO UPDATE SET url = excluded.url`);
}
