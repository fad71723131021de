/**
 * Boards belong to the person who made them, or to an account: then all its owners and API keys have them. `account_id` is the id of
 * the person (migration 0042), `owner_id` that of the account. A card only names a website: its statistics are read by the browser with
 * the viewer's own permissions, so a stored card never grants access to anything.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { notFound } from './authorize.ts';
import { holdOwnership } from './owners.ts';
import type { KeyPrincipal, PersonPrincipal } from './principal.ts';

/** The cards are validated by the route and stored as they are. */
export type BoardContent = { name: string; period: string; cards: readonly object[] };
/** `of`: who has it. */
export type Board = BoardContent & { id: number; of: 'person' | 'account'; updatedAt: Date };
export type ListedBoard = Pick<Board, 'id' | 'name' | 'of' | 'updatedAt'> & { cards: number };

/** Who can have boards. */
export type BoardUser = PersonPrincipal | KeyPrincipal;

const maxBoards = 100;

const of = sql`CASE WHEN owner_id IS NULL THEN 'person' ELSE 'account' END AS "of"`;
const columns = sql`id, name, period, cards, ${of}, updated_at AS "updatedAt"`;

/** The boards of the account, and those of the person. */
const isOf = (user: BoardUser): Sql =>
	user.kind === 'person'
		? sql`(account_id = ${value(user.personId)} OR owner_id = ${value(user.accountId)})`
		: sql`owner_id = ${value(user.accountId)}`;

/** Oldest first. */
export function listBoards(postgres: Queries, user: BoardUser): Promise<ListedBoard[]> {
	return postgres.rows<ListedBoard>(sql`
		SELECT id, name, jsonb_array_length(cards) AS cards, ${of}, updated_at AS "updatedAt"
		FROM boards WHERE ${isOf(user)} ORDER BY id`);
}

export async function getBoard(postgres: Queries, user: BoardUser, id: number): Promise<Board> {
	const [board] = await postgres.rows<Board>(sql`
		SELECT ${columns} FROM boards WHERE id = ${value(id)} AND ${isOf(user)}`);
	if (!board) throw notFound();
	return board;
}

/** In a transaction: serializes what is created for a person or an account, so that limits hold. */
export async function lockBoardsOf(tx: Queries, user: BoardUser, of: Board['of']): Promise<void> {
	if (of === 'person' && user.kind === 'person')
		await tx.run(sql`SELECT 1 FROM people WHERE id = ${value(user.personId)} FOR UPDATE`);
	else if (user.kind === 'person') await holdOwnership(tx, user);
	else await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(user.accountId)} FOR NO KEY UPDATE`);
}

/** Runs in a transaction. The boards of a key are always those of the account. */
export async function createBoard(
	tx: Queries,
	now: Clock,
	user: BoardUser,
	{ name, period, cards, of }: BoardContent & Pick<Board, 'of'>,
): Promise<Board> {
	const createdAt = now();
	const personId = of === 'person' && user.kind === 'person' ? user.personId : null;
	await lockBoardsOf(tx, user, of);
	const others = (await listBoards(tx, user)).filter((board) => board.of === of);
	if (others.length >= maxBoards)
		throw new AppError('limit_reached', `There can be up to ${maxBoards} boards.`);
	const [board] = await tx.rows<Board>(sql`
		INSERT INTO boards (account_id, owner_id, name, period, cards, created_at, updated_at)
		VALUES (${value(personId)}, ${value(personId === null ? user.accountId : null)}, ${value(name)}, ${value(period)},
			${value(JSON.stringify(cards))}::jsonb, ${value(createdAt)}, ${value(createdAt)})
		RETURNING ${columns}`);
	if (!board) throw new Error('The board was not inserted.');
	return board;
}

export async function updateBoard(
	postgres: Queries,
	now: Clock,
	user: BoardUser,
	{ id, name, period, cards }: BoardContent & { id: number },
): Promise<Board> {
	const [board] = await postgres.rows<Board>(sql`
		UPDATE boards
		SET name = ${value(name)}, period = ${value(period)}, cards = ${value(JSON.stringify(cards))}::jsonb, updated_at = ${value(now())}
		WHERE id = ${value(id)} AND ${isOf(user)}
		RETURNING ${columns}`);
	if (!board) throw notFound();
	return board;
}

export async function deleteBoard(postgres: Queries, user: BoardUser, id: number): Promise<void> {
	const [board] = await postgres.rows(sql`
		DELETE FROM boards WHERE id = ${value(id)} AND ${isOf(user)} RETURNING id`);
	if (!board) throw notFound();
}
