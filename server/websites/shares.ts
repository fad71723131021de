/**
 * A share is access to a website's statistics without an account: a website is public, or its password was entered. A signed
 * cookie remembers that; it is valid only for this website and this password. Every request reads the website, so a
 * changed visibility takes effect at once.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { keyedHash } from '../lib/secrets.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { columnsFor, type LoadedWebsite } from './get-website.ts';

/** Websites of disabled accounts are not shared. */
const isOpen = sql`EXISTS (SELECT 1 FROM accounts WHERE accounts.id = websites.account_id AND disabled_at IS NULL)`;

/** A website that is not private. */
export type Shared = LoadedWebsite;

/** `passwordHash` is null unless the password is required: a website keeps its password when it becomes public. */
export async function findShared(postgres: Queries, id: number): Promise<Shared | undefined> {
	const [shared] = await postgres.rows<Shared>(sql`
		SELECT ${columnsFor({ kind: 'nobody' })}
		FROM websites WHERE id = ${value(id)} AND privacy <> 1 AND ${isOpen}`);
	return shared && { ...shared, passwordHash: shared.privacy === 2 ? shared.passwordHash : null };
}

/** Whether search engines may index the statistics: they are public, and the owner allows it. */
export async function isIndexable(postgres: Queries, id: number): Promise<boolean> {
	const rows = await postgres.rows(
		sql`SELECT 1 FROM websites WHERE id = ${value(id)} AND privacy = 0 AND indexable AND ${isOpen}`,
	);
	return rows.length > 0;
}

/** The origins that may embed the page of a website. Only public websites, because cookies are not sent in a frame. */
export async function findEmbedOrigins(postgres: Queries, id: number): Promise<string[]> {
	const [embed] = await postgres.rows<{ origins: string }>(sql`
		SELECT embed_origins AS origins FROM websites
		WHERE id = ${value(id)} AND privacy = 0 AND embed_origins IS NOT NULL AND ${isOpen}`);
	return embed ? embed.origins.split('\n') : [];
}

export const unlockedSeconds = 86_400;

/** The statistics of a website, or a share link, with its password. */
export type Lock = { kind: 'share' | 'link'; id: number; passwordHash: string | null };

export const lockOf = ({ id, passwordHash }: Shared): Lock => ({ kind: 'share', id, passwordHash });

export type Unlocking = {
	/** The cookie value for a browser that sent the correct password. */
	make(lock: Lock): string;
	isUnlocked(lock: Lock, cookie: string | undefined): boolean;
};

export function createUnlocking(key: Buffer, now: Clock): Unlocking {
	const sign = ({ kind, id, passwordHash }: Lock, until: string) =>
		keyedHash(key, JSON.stringify([kind, id, until, passwordHash]));
	return {
		make(lock) {
			const until = String(now().getTime() + unlockedSeconds * 1000);
			return `${until}.${sign(lock, until).toString('base64url')}`;
		},
		isUnlocked(lock, cookie) {
			const [, until = '', mac = ''] = /^(\d{13})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
			if (until === '' || Number(until) <= now().getTime()) return false;
			return timingSafeEqual(Buffer.from(mac, 'base64url'), sign(lock, until));
		},
	};
}
