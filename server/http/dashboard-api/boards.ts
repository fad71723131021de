import { type BoardRecord, type BoardSummary, boardBody } from '../../../api/boards.ts';
import { type BoardLinkRecord, createBoardLinkBody } from '../../../api/share-links.ts';
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
import { type BoardLink, createBoardLink, deleteBoardLink, listBoardLinks } from '../../items/board-links.ts';
import { type ShareLinkVault, urlOfLink } from '../../items/share-links.ts';
import { withSharePasswordSlot } from '../../lib/passwords.ts';
import { json, readId } from '../api/route.ts';
import { ok, parseBody, type SessionRoute } from './session-route.ts';

/** What is stored was validated with the same schema. */
const toRecord = ({ updatedAt, ...board }: Board): BoardRecord =>
	({ ...board, updated_at: updatedAt.toISOString() }) as BoardRecord;

const toSummary = ({ updatedAt, ...board }: ListedBoard): BoardSummary => ({
	...board,
	updated_at: updatedAt.toISOString(),
});

const toLinkRecord = (vault: ShareLinkVault, link: BoardLink): BoardLinkRecord => ({
	id: link.id,
	name: link.name,
	url: urlOfLink(vault, link.token) ?? null,
	has_password: link.passwordHash !== null,
	expires_at: link.expiresAt?.toISOString() ?? null,
	used_count: link.usedCount,
	last_used_at: link.lastUsedAt?.toISOString() ?? null,
	created_at: link.createdAt.toISOString(),
});

/** Boards of the signed-in person. */
export const boardRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/boards',
		handle: async ({ principal }, { postgres }) => {
			requirePermission(principal, 'boards.read');
			const boards = await listBoards(postgres, principal.personId);
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
			const board = await createBoard(postgres, now, call.principal.personId, content);
			return json(201, { data: toRecord(board) });
		},
	},
	{
		methods: ['GET'],
		path: '/boards/:id',
		handle: async (call, { postgres }) => {
			requirePermission(call.principal, 'boards.read');
			return json(200, { data: toRecord(await getBoard(postgres, call.principal.personId, readId(call))) });
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
			const board = await updateBoard(postgres, now, call.principal.personId, { id, ...content });
			return json(200, { data: toRecord(board) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/boards/:id',
		operation: 'deleteBoard',
		handle: async (call, { postgres }) => {
			requirePermission(call.principal, 'boards.change');
			await deleteBoard(postgres, call.principal.personId, readId(call));
			return ok({ deleted: true });
		},
	},
	{
		methods: ['GET'],
		path: '/boards/:id/share-links',
		handle: async (call, { postgres, shareLinks }) => {
			requirePermission(call.principal, 'boards.read');
			const links = await listBoardLinks(postgres, call.principal.personId, readId(call));
			return json(200, { data: links.map((link) => toLinkRecord(shareLinks, link)) });
		},
	},
	{
		methods: ['POST'],
		path: '/boards/:id/share-links',
		operation: 'createBoardLink',
		handle: async (call, { postgres, now, shareLinks }) => {
			requirePermission(call.principal, 'boards.change');
			const { personId } = call.principal;
			const boardId = readId(call);
			const { name, password, expires_at: expiresAt = null } = parseBody(createBoardLinkBody, call);
			await getBoard(postgres, personId, boardId);
			const passwordHash = password
				? await withSharePasswordSlot(`account ${personId}`, (slot) => slot.hash(password))
				: null;
			const services = { now, vault: shareLinks };
			const created = { boardId, name, passwordHash, expiresAt };
			const link = await createBoardLink(postgres, services, personId, created);
			return json(201, { data: toLinkRecord(shareLinks, link) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/boards/:id/share-links/:link_id',
		operation: 'deleteBoardLink',
		handle: async (call, { postgres }) => {
			requirePermission(call.principal, 'boards.change');
			const link = { boardId: readId(call), id: readId(call, 'link_id') };
			await deleteBoardLink(postgres, call.principal.personId, link);
			return ok({ deleted: true });
		},
	},
];
