import { type BoardRecord, type BoardSummary, boardBody } from '../../../api/boards.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import {
	type Board,
	createBoard,
	deleteBoard,
	getBoard,
	type ListedBoard,
	listBoards,
	updateBoard,
} from '../../accounts/boards.ts';
import { json, readId } from '../api/route.ts';
import { ok, parseBody, type SessionRoute } from './session-route.ts';

/** What is stored was validated with the same schema. */
const toRecord = ({ updatedAt, ...board }: Board): BoardRecord =>
	({ ...board, updated_at: updatedAt.toISOString() }) as BoardRecord;

const toSummary = ({ updatedAt, ...board }: ListedBoard): BoardSummary => ({
	...board,
	updated_at: updatedAt.toISOString(),
});

/** Boards of the signed-in account. */
export const boardRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/boards',
		handle: async ({ principal }, { postgres }) => {
			requirePermission(principal, 'boards.read');
			const boards = await listBoards(postgres, principal.accountId);
			return json(200, { data: boards.map(toSummary) });
		},
	},
	{
		methods: ['POST'],
		path: '/boards',
		operation: 'createBoard',
		handle: async (call, { postgres, now }) => {
			requirePermission(call.principal, 'boards.change');
			const content = parseBody(boardBody, call);
			const board = await createBoard(postgres, now, call.principal.accountId, content);
			return json(201, { data: toRecord(board) });
		},
	},
	{
		methods: ['GET'],
		path: '/boards/:id',
		handle: async (call, { postgres }) => {
			requirePermission(call.principal, 'boards.read');
			return json(200, { data: toRecord(await getBoard(postgres, call.principal.accountId, readId(call))) });
		},
	},
	{
		methods: ['PUT'],
		path: '/boards/:id',
		operation: 'updateBoard',
		handle: async (call, { postgres, now }) => {
			requirePermission(call.principal, 'boards.change');
			const id = readId(call);
			const content = parseBody(boardBody, call);
			const board = await updateBoard(postgres, now, call.principal.accountId, { id, ...content });
			return json(200, { data: toRecord(board) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/boards/:id',
		operation: 'deleteBoard',
		handle: async (call, { postgres }) => {
			requirePermission(call.principal, 'boards.change');
			await deleteBoard(postgres, call.principal.accountId, readId(call));
			return ok({ deleted: true });
		},
	},
];
