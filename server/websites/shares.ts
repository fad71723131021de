/**
 * A share is access to a website's statistics without an account: of a public website for everybody, of one with a password
 * for whoever knew it. What was unlocked is remembered by the browser alone, in a value that is signed for this website and this very
 * password: with another password, or on another website, it is worth nothing. The website is read at each request, so a
 * changed mode holds at once.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/secrets.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type LoadedWebsite, websiteColumns } from './get-website.ts';

/** Of a disabled account nothing is shared. */
const isOpen = sql`EXISTS (SELECT 1 FROM accounts WHERE accounts.id = websites.account_id AND disabled_at IS NULL)`;

/** A website that is not private. */
export type Shared = LoadedWebsite;

/** `passwordHash` is null unless the password is required: a website keeps its password when it becomes public. */
export async function findShared(postgres: Queries, id: number): Promise<Shared | undefined> {
	const [shared] = await postgres.rows<Shared>(sql`
		SELECT ${websiteColumns}, NULL AS "memberRole"
		FROM websites WHERE id = ${value(id)} AND privacy <> 1 AND ${isOpen}`);
	return shared && { ...shared, passwordHash: shared.privacy === 2 ? shared.passwordHash : null };
}

/** Whether search engines may list the statistics: they are public, and the owner allows it. */
export async function isIndexable(postgres: Queries, id: number): Promise<boolean> {
	const rows = await postgres.rows(
		sql`SELECT 1 FROM websites WHERE id = ${value(id)} AND privacy = 0 AND indexable AND ${isOpen}`,
	);
	return rows.length > 0;
}

/** Who may show the page of a website in a frame: of public ones only, because a frame has no cookie to be known by. */
export async function findEmbedOrigins(postgres: Queries, id: number): Promise<string[]> {
	const [embed] = await postgres.rows<{ origins: string }>(sql`
		SELECT embed_origins AS origins FROM websites
		WHERE id = ${value(id)} AND privacy = 0 AND embed_origins IS NOT NULL AND ${isOpen}`);
	return embed ? embed.origins.split('\n') : [];
}

export const unlockedSeconds = 86_400;

export type Unlocking = {
	/** What a browser that knew the password keeps. */
	make(shared: Shared): string;
	isUnlocked(shared: Shared, kept: string | undefined): boolean;
};

export function createUnlocking(key: Buffer, now: Clock): Unlocking {
	const sign = ({ id, passwordHash }: Shared, until: string) =>
		keyedHash(key, JSON.stringify(['share', id, until, passwordHash]));
	return {
		make(shared) {
			const until = String(now().getTime() + unlockedSeconds * 1000);
			return `${until}.${sign(shared, until).toString('base64url')}`;
		},
		isUnlocked(shared, kept) {
			const [, until = '', mac = ''] = /^(\d{13})\.([\w-]{43})$/.exec(kept ?? '') ?? [];
			if (until === '' || Number(until) <= now().getTime()) return false;
			return timingSafeEqual(Buffer.from(mac, 'base64url'), sign(shared, until));
		},
	};
}
