/**
 * The URL of a feed contains a secret of 256 random bits, stored as a digest and shown once. Everyone who has it can read the reports of
 * one website. Creating a new URL invalidates the previous one.
 */

import { digestOf, makeToken } from '../accounts/keys.ts';
import { primaryOwner } from '../accounts/people.ts';
import type { Principal } from '../accounts/principal.ts';
import { type Brand, findBrand } from '../branding/branding.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { getWebsite } from '../websites/get-website.ts';
import type { Report } from './report.ts';

export type Feed = { createdAt: Date };

export async function findFeed(
	postgres: Queries,
	principal: Principal,
	websiteId: number,
): Promise<Feed | undefined> {
	const { accountId } = await getWebsite(postgres, principal, 'feed.read', websiteId);
	const [feed] = await postgres.rows<Feed>(sql`
		SELECT created_at AS "createdAt" FROM feeds
		WHERE website_id = ${value(websiteId)} AND account_id = ${value(accountId)}`);
	return feed;
}

/** Creates the URL of a feed, or replaces it. Runs in a transaction. */
export async function makeFeed(
	tx: Queries,
	now: Clock,
	principal: Principal,
	websiteId: number,
): Promise<Feed & { token: string }> {
	const token = makeToken();
	const createdAt = now();
	// Locks the website, so that it cannot be transferred meanwhile.
	const { accountId } = await getWebsite(tx, principal, 'website.feed', websiteId, sql`FOR KEY SHARE`);
	await tx.run(sql`
		INSERT INTO feeds (website_id, account_id, digest, created_at)
		VALUES (${value(websiteId)}, ${value(accountId)}, ${value(digestOf(token))}, ${value(createdAt)})
		ON CONFLICT (website_id) DO UPDATE
		SET account_id = excluded.account_id, digest = excluded.digest, created_at = excluded.created_at`);
	return { token, createdAt };
}

export async function removeFeed(postgres: Queries, principal: Principal, websiteId: number): Promise<void> {
	await getWebsite(postgres, principal, 'website.feed', websiteId);
	await postgres.run(sql`DELETE FROM feeds WHERE website_id = ${value(websiteId)}`);
}

type OpenedFeed = {
	website: { id: number; name: string };
	locale: string;
	createdAt: Date;
	/** Newest first. */
	reports: readonly Report[];
	brand: Brand | undefined;
};

const maxEntries = 20;

/** Undefined if the token is not valid. */
export async function openFeed(postgres: Queries, token: string): Promise<OpenedFeed | undefined> {
	if (!/^[\w-]{43}$/.test(token)) return undefined;
	const [feed] = await postgres.rows<{
		id: number;
		name: string;
		locale: string;
		createdAt: Date;
		accountId: number;
	}>(sql`
		SELECT w.id, coalesce(w.domain_unicode, w.domain) AS name, ${primaryOwner(sql`a.id`, 'locale')} AS locale, f.created_at AS "createdAt", a.id AS "accountId"
		FROM feeds f
		JOIN websites w ON w.id = f.website_id AND w.account_id = f.account_id
		JOIN accounts a ON a.id = f.account_id AND a.disabled_at IS NULL
		WHERE f.digest = ${value(digestOf(token))}`);
	if (!feed) return undefined;
	const rows = await postgres.rows<{ content: Report }>(sql`
		SELECT content FROM reports
		WHERE website_id = ${value(feed.id)} AND account_id = ${value(feed.accountId)}
		ORDER BY made_at DESC, id DESC LIMIT ${value(maxEntries)}`);
	const { id, name, locale, createdAt } = feed;
	return {
		website: { id, name },
		locale,
		createdAt,
		reports: rows.map(({ content }) => content),
		brand: await findBrand(postgres, feed.accountId),
	};
}
