import {
	type BoardRecord,
	type BoardSummary,
	boardBody,
	boardRecord,
	boardSummary,
	deletedBoard,
	listBoardsQuery,
	newBoardBody,
} from '../../../../api/boards.ts';
import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	type BoardLinkRecord,
	boardLinkRecord,
	createBoardLinkBody,
	deletedShareLink,
	listShareLinksQuery,
} from '../../../../api/share-links.ts';
import { notFound } from '../../../accounts/authorize.ts';
import {
	type Board,
	type BoardUser,
	createBoard,
	deleteBoard,
	getBoard,
	type ListedBoard,
	listBoards,
	updateBoard,
} from '../../../accounts/boards.ts';
import type { Principal } from '../../../accounts/principal.ts';
import {
	type BoardLink,
	createBoardLink,
	deleteBoardLink,
	listBoardLinks,
} from '../../../items/board-links.ts';
import { type ShareLinkVault, urlOfLink } from '../../../items/share-links.ts';
import { withSharePasswordSlot } from '../../../lib/passwords.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, json, nullAsEmpty, readId } from '../route.ts';
import { bodyErrors } from './items.ts';

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

function userOf(principal: Principal): BoardUser {
	if (principal.kind === 'person' || principal.kind === 'key') return principal;
	throw notFound();
}

const boardFields = knownFields(boardBody);
const newBoardFields = knownFields(newBoardBody);
const linkFields = knownFields(createBoardLinkBody);

const create: AccountRoute['handle'] = (call, services) => {
	const user = userOf(call.principal);
	return createOnce(
		call,
		services,
		{ path: '/boards\n' },
		{
			prepare: async () => validate(newBoardBody, readFields(call.body, newBoardFields)),
			async run(tx, { of, ...content }) {
				const board = await createBoard(tx, services.now, user, {
					...content,
					of: user.kind === 'key' ? 'account' : (of ?? 'person'),
				});
				return json(201, { data: toRecord(board) }, { location: `${call.mountedAt}/boards/${board.id}` });
			},
		},
	);
};

const createLink: AccountRoute['handle'] = async (call, services) => {
	const { postgres, now, shareLinks: vault } = services;
	const user = userOf(call.principal);
	const boardId = readId(call, 'board_id');
	await getBoard(postgres, user, boardId);
	return createOnce(
		call,
		services,
		{ path: `/boards/${boardId}/share-links\n` },
		{
			async prepare() {
				const fields = nullAsEmpty(readFields(call.body, linkFields));
				const { name, password, expires_at: expiresAt = null } = validate(createBoardLinkBody, fields);
				const passwordHash = password
					? await withSharePasswordSlot(`account ${user.accountId}`, (slot) => slot.hash(password))
					: null;
				return { boardId, name, passwordHash, expiresAt };
			},
			async run(tx, created) {
				const link = await createBoardLink(tx, { now, vault }, user, created);
				const location = `${call.mountedAt}/boards/${boardId}/share-links/${link.id}`;
				return { ...json(201, { data: toLinkRecord(vault, link) }, { location }), hasSecret: true };
			},
		},
	);
};

/** Boards of the account, and for a session also those of the person, with their share links. */
export const boardRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/boards',
		action: 'boards.read',
		operationId: 'listBoards',
		summary: 'List boards',
		description: 'Returns the boards of the account, oldest first. Boards of a person are private to them.',
		query: listBoardsQuery,
		response: { status: 200, schema: list(boardSummary), description: 'A page of boards.' },
		errors: ['validation_failed'],
		handle: (call, { postgres }) =>
			paginate(call, '/boards', listBoardsQuery, async ({ page, per_page: perPage }) => {
				const boards = await listBoards(postgres, userOf(call.principal));
				const first = (page - 1) * perPage;
				return { records: boards.slice(first, first + perPage).map(toSummary), total: boards.length };
			}),
	},
	{
		methods: ['POST'],
		path: '/boards',
		action: 'boards.change',
		operationId: 'createBoard',
		summary: 'Create a board',
		description:
			'Creates a page of pinned views of several websites. A card only names a website: whoever opens the board sees what they may see of it. There can be up to 100.',
		body: newBoardBody,
		isBodyJson: true,
		response: { status: 201, schema: singleRecord(boardRecord), description: 'The new board.' },
		errors: [
			...(['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed'] as const),
			...(['idempotency_conflict', 'limit_reached'] as const),
		],
		handle: create,
	},
	{
		methods: ['GET'],
		path: '/boards/:board_id',
		action: 'boards.read',
		operationId: 'getBoard',
		summary: 'Get a board',
		description: 'Returns a board with its cards.',
		response: { status: 200, schema: singleRecord(boardRecord), description: 'The board.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const board = await getBoard(postgres, userOf(call.principal), readId(call, 'board_id'));
			return json(200, { data: toRecord(board) });
		},
	},
	{
		methods: ['PUT'],
		path: '/boards/:board_id',
		action: 'boards.change',
		operationId: 'updateBoard',
		summary: 'Replace a board',
		description: 'Replaces the name, the period and the cards of a board.',
		body: boardBody,
		isBodyJson: true,
		response: { status: 200, schema: singleRecord(boardRecord), description: 'The updated board.' },
		errors: bodyErrors,
		handle: async (call, { postgres, now }) => {
			const id = readId(call, 'board_id');
			const content = validate(boardBody, readFields(call.body, boardFields));
			const board = await updateBoard(postgres, now, userOf(call.principal), { id, ...content });
			return json(200, { data: toRecord(board) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/boards/:board_id',
		action: 'boards.change',
		operationId: 'deleteBoard',
		summary: 'Delete a board',
		description: 'Deletes a board and its share links.',
		response: { status: 200, schema: singleRecord(deletedBoard), description: 'The board was deleted.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const id = readId(call, 'board_id');
			await deleteBoard(postgres, userOf(call.principal), id);
			return json(200, { data: { id, object: 'board', deleted: true } });
		},
	},
	{
		methods: ['GET'],
		path: '/boards/:board_id/share-links',
		action: 'boards.links',
		operationId: 'listBoardLinks',
		summary: 'List the share links of a board',
		description: 'Returns the share links of a board, newest first. Whoever has one sees the board.',
		query: listShareLinksQuery,
		response: { status: 200, schema: list(boardLinkRecord), description: 'A page of share links.' },
		errors: ['not_found', 'validation_failed'],
		handle: async (call, { postgres, shareLinks }) => {
			const id = readId(call, 'board_id');
			const links = await listBoardLinks(postgres, userOf(call.principal), id);
			return paginate(
				call,
				`/boards/${id}/share-links`,
				listShareLinksQuery,
				async ({ page, per_page: perPage }) => {
					const first = (page - 1) * perPage;
					const records = links.slice(first, first + perPage).map((link) => toLinkRecord(shareLinks, link));
					return { records, total: links.length };
				},
			);
		},
	},
	{
		methods: ['POST'],
		path: '/boards/:board_id/share-links',
		action: 'boards.change',
		operationId: 'createBoardLink',
		summary: 'Create a share link of a board',
		description:
			'Creates a link that shows the cards of the board as they are then: of an account’s board, those of its own websites. A board can have up to 50.',
		body: createBoardLinkBody,
		response: { status: 201, schema: singleRecord(boardLinkRecord), description: 'The new share link.' },
		errors: [...bodyErrors, 'idempotency_conflict', 'limit_reached'],
		handle: createLink,
	},
	{
		methods: ['DELETE'],
		path: '/boards/:board_id/share-links/:link_id',
		action: 'boards.change',
		operationId: 'deleteBoardLink',
		summary: 'Delete a share link of a board',
		description: 'The link stops working immediately.',
		response: { status: 200, schema: singleRecord(deletedShareLink), description: 'It was deleted.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const link = { boardId: readId(call, 'board_id'), id: readId(call, 'link_id') };
			await deleteBoardLink(postgres, userOf(call.principal), link);
			return json(200, { data: { id: link.id, object: 'share_link', deleted: true } });
		},
	},
];
