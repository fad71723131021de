/**
 * Boards belong to the person who made them; `account_id` is the id of that person (migration 0042). A card only names a website: its statistics are read by the browser with the
 * viewer's own permissions, so a stored card never grants access to anything.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { notFound } from './authorize.ts';

/** The cards are validated by the route and stored as they are. */
export type BoardContent = { name: string; period: string; cards: readonly object[] };
export type Board = BoardContent & { id: number; updatedAt: Date };
export type ListedBoard = Pick<Board, 'id' | 'name' | 'updatedAt'> & { cards: number };

const maxBoards = 100;

const columns = sql`id, name, period, cards, updated_at AS "updatedAt"`;

/** Oldest first. */
export function listBoards(postgres: Queries, personId: number): Promise<ListedBoard[]> {
	return postgres.rows<ListedBoard>(sql`
		SELECT id, name, jsonb_array_length(cards) AS cards, updated_at AS "updatedAt"
		FROM boards WHERE account_id = ${value(personId)} ORDER BY id`);
}

export async function getBoard(postgres: Queries, personId: number, id: number): Promise<Board> {
	const [board] = await postgres.rows<Board>(sql`
		SELECT ${columns} FROM boards WHERE id = ${value(id)} AND account_id = ${value(personId)}`);
	if (!board) throw notFound();
	return board;
}

export function createBoard(
	postgres: Postgres,
	now: Clock,
	personId: number,
	{ name, period, cards }: BoardContent,
): Promise<Board> {
	const createdAt = now();
	return postgres.transaction(async (tx) => {
		// Serializes the creations of a person, so that the limit holds.
		await tx.run(sql`SELECT 1 FROM people WHERE id = ${value(personId)} FOR UPDATE`);
		const boards = await listBoards(tx, personId);
		if (boards.length >= maxBoards)
			throw new AppError('limit_reached', `You can have up to ${maxBoards} boards.`);
		const [board] = await tx.rows<Board>(sql`
			INSERT INTO boards (account_id, name, period, cards, created_at, updated_at)
			VALUES (${value(personId)}, ${value(name)}, ${value(period)}, ${value(JSON.stringify(cards))}::jsonb,
				${value(createdAt)}, ${value(createdAt)})
			RETURNING ${columns}`);
		if (!board) throw new Error('The board was not inserted.');
		return board;
	});
}

export async function updateBoard(
	postgres: Queries,
	now: Clock,
	personId: number,
	{ id, name, period, cards }: BoardContent & { id: number },
): Promise<Board> {
	const [board] = await postgres.rows<Board>(sql`
		UPDATE boards
		SET name = ${value(name)}, period = ${value(period)}, cards = ${value(JSON.stringify(cards))}::jsonb, updated_at = ${value(now())}
		WHERE id = ${value(id)} AND account_id = ${value(personId)}
		RETURNING ${columns}`);
	if (!board) throw notFound();
	return board;
}

export async function deleteBoard(postgres: Queries, personId: number, id: number): Promise<void> {
	const [board] = await postgres.rows(sql`
		DELETE FROM boards WHERE id = ${value(id)} AND account_id = ${value(personId)} RETURNING id`);
	if (!board) throw notFound();
}
