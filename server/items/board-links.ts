/**
 * Share links of boards. Whoever has one sees the cards of the board as they are now, and nothing else of their websites. A card
 * shows something only while the owner of the board may share its website, which needs the role admin: a viewer could
 * otherwise publish what somebody else keeps private.
 */

import { type BoardCard, boardBody } from '../../api/boards.ts';
import { notFound } from '../accounts/authorize.ts';
import { type Board, type BoardUser, getBoard, lockBoardsOf } from '../accounts/boards.ts';
import { digestOf } from '../accounts/keys.ts';
import { canSignIn } from '../accounts/people.ts';
import type { AccountPrincipal, PersonPrincipal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { findWebsite, type LoadedWebsite } from '../websites/get-website.ts';
import { newToken, type ShareLinkVault } from './share-links.ts';

export type BoardLink = {
	id: number;
	name: string;
	token: Buffer;
	passwordHash: string | null;
	expiresAt: Date | null;
	usedCount: number;
	lastUsedAt: Date | null;
	createdAt: Date;
};

const maxLinks = 50;

const columns = sql`id, name, token, password_hash AS "passwordHash", expires_at AS "expiresAt", used_count AS "usedCount",
	last_used_at AS "lastUsedAt", created_at AS "createdAt"`;

/** Newest first. Throws if the person or the account has no such board. */
export async function listBoardLinks(
	postgres: Queries,
	user: BoardUser,
	boardId: number,
): Promise<BoardLink[]> {
	await getBoard(postgres, user, boardId);
	return postgres.rows<BoardLink>(sql`
		SELECT ${columns} FROM share_links WHERE board_id = ${value(boardId)} ORDER BY id DESC`);
}

/** Runs in a transaction. */
export async function createBoardLink(
	tx: Queries,
	{ now, vault }: { now: Clock; vault: ShareLinkVault },
	user: BoardUser,
	link: { boardId: number; name: string; passwordHash: string | null; expiresAt: Date | null },
): Promise<BoardLink> {
	await lockBoardsOf(tx, user, (await getBoard(tx, user, link.boardId)).of);
	const links = await listBoardLinks(tx, user, link.boardId);
	if (links.some(({ name }) => name === link.name))
		throw invalid({ name: [`The board already has a share link "${link.name}".`] });
	if (links.length >= maxLinks)
		throw new AppError('limit_reached', `A board can have up to ${maxLinks} share links.`);
	const { digest, token } = newToken(vault);
	const created = now();
	const [stored] = await tx.rows<BoardLink>(sql`
		INSERT INTO share_links (board_id, name, digest, token, password_hash, expires_at, created_at, updated_at)
		VALUES (${value(link.boardId)}, ${value(link.name)}, ${digest}, ${token}, ${value(link.passwordHash)},
			${value(link.expiresAt)}, ${value(created)}, ${value(created)})
		RETURNING ${columns}`);
	if (!stored) throw new Error('The share link was not inserted.');
	return stored;
}

export async function deleteBoardLink(
	postgres: Queries,
	user: BoardUser,
	{ boardId, id }: { boardId: number; id: number },
): Promise<void> {
	await getBoard(postgres, user, boardId);
	const deleted = await postgres.run(sql`
		DELETE FROM share_links WHERE board_id = ${value(boardId)} AND id = ${value(id)}`);
	if (deleted === 0) throw notFound();
}

/** A link that works, with its board. */
export type OpenedBoard = {
	kind: 'board';
	id: number;
	passwordHash: string | null;
	/** Only for decisions about websites. Those about a person do not depend on the account that they work in. */
	owner: PersonPrincipal | AccountPrincipal;
	board: Pick<Board, 'name' | 'period'> & { cards: readonly BoardCard[] };
};

export async function findBoardLink(
	postgres: Queries,
	now: Clock,
	token: string,
): Promise<OpenedBoard | undefined> {
	if (!/^[\w-]{43}$/.test(token)) return undefined;
	const [row] = await postgres.rows<
		Pick<Board, 'name' | 'period' | 'cards'> & {
			id: number;
			passwordHash: string | null;
			personId: number | null;
			ownerId: number | null;
		}
	>(sql`
		SELECT l.id, l.password_hash AS "passwordHash", b.account_id AS "personId", b.owner_id AS "ownerId", b.name, b.period, b.cards
		FROM share_links l JOIN boards b ON b.id = l.board_id
		WHERE l.digest = ${value(digestOf(token))} AND (l.expires_at IS NULL OR l.expires_at > ${value(now())})
			AND CASE WHEN b.owner_id IS NULL THEN ${canSignIn(sql`b.account_id`)}
				ELSE EXISTS (SELECT 1 FROM accounts WHERE id = b.owner_id AND disabled_at IS NULL) END`);
	if (!row) return undefined;
	const { id, passwordHash, personId, ownerId, name, period } = row;
	// What is stored was validated with the same schema.
	const cards = boardBody.shape.cards.parse(row.cards);
	return {
		kind: 'board',
		id,
		passwordHash,
		owner:
			personId === null
				? { kind: 'account', accountId: ownerId ?? 0 }
				: { kind: 'person', personId, accountId: personId },
		board: { name, period, cards },
	};
}

/** The website of a card, if the owner of the board may share it now. */
export async function findSharedWebsite(
	postgres: Queries,
	{ owner }: OpenedBoard,
	websiteId: number,
): Promise<LoadedWebsite | undefined> {
	const website = await findWebsite(postgres, owner, 'links.read', websiteId);
	if (!website) return undefined;
	const [open] = await postgres.rows(sql`
		SELECT 1 FROM accounts WHERE id = ${value(website.accountId)} AND disabled_at IS NULL`);
	return open && website;
}

/** The websites of the cards, as far as the owner of the board may share them now. */
export async function listSharedWebsites(postgres: Queries, opened: OpenedBoard): Promise<LoadedWebsite[]> {
	const websites: LoadedWebsite[] = [];
	for (const id of new Set(opened.board.cards.map(({ website_id }) => website_id))) {
		const website = await findSharedWebsite(postgres, opened, id);
		if (website) websites.push(website);
	}
	return websites;
}

/** The fixed filters of the share links of a website. */
export async function listLinkFilters(postgres: Queries, websiteId: number): Promise<unknown[]> {
	const rows = await postgres.rows<{ filters: unknown }>(sql`
		SELECT DISTINCT filters FROM share_links
		WHERE website_id = ${value(websiteId)} AND filters IS NOT NULL`);
	return rows.map(({ filters }) => filters);
}

/** The origins that may embed all websites of a board. */
export async function findBoardEmbedOrigins(postgres: Queries, opened: OpenedBoard): Promise<string[]> {
	if (opened.passwordHash !== null) return [];
	const ids = (await listSharedWebsites(postgres, opened)).map(({ id }) => id);
	const rows = await postgres.rows<{ origins: string | null }>(sql`
		SELECT embed_origins AS origins FROM websites WHERE id = ANY(${value(ids)})`);
	const lists = rows.map(({ origins }) => origins?.split('\n') ?? []);
	return (lists[0] ?? []).filter((origin) => lists.every((list) => list.includes(origin)));
}
