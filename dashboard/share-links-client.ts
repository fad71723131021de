/** The calls of api-client.ts that are about share links. */
import type { z } from 'zod';
import type { BoardLinkRecord, SharedLinkRecord, shareLinkRecord, sharePanels } from '../api/share-links.ts';
import { call, type Fields, type FunnelAnswer, get, listAll, type PageAnswer, send } from './api-client.ts';

export type ShareLink = z.output<typeof shareLinkRecord>;
export type SharePanel = (typeof sharePanels)[number];
export type SharedLink = SharedLinkRecord;
export type OpenLink = Extract<SharedLink, { website: object }>;
export type OpenBoard = Extract<SharedLink, { board: object }>;
export type BoardLink = BoardLinkRecord;
/** By the view of the card. */
type CardAnswer = PageAnswer | FunnelAnswer | { data: { visitors: number } };

export const shareLinks = {
	list: (website: number) => listAll<ShareLink>(`/websites/${website}/share-links`),
	create: (website: number, body: Fields) =>
		send<ShareLink>('POST', `/websites/${website}/share-links`, body),
	update: (website: number, id: number, body: Fields) =>
		send<ShareLink>('PATCH', `/websites/${website}/share-links/${id}`, body),
	delete: (website: number, id: number) => send<unknown>('DELETE', `/websites/${website}/share-links/${id}`),
};

/** For the owner of a board. */
export const boardLinks = {
	list: (board: number) => listAll<BoardLink>(`/boards/${board}/share-links`),
	create: (board: number, body: Fields) => send<BoardLink>('POST', `/boards/${board}/share-links`, body),
	delete: (board: number, id: number) => send<unknown>('DELETE', `/boards/${board}/share-links/${id}`),
};

/** Of the link that the page was opened with. */
export const sharedLink = {
	open: () => send<SharedLink>('POST', '/share-link'),
	get: () => get<SharedLink>('/share-link'),
	/** A card of a board, by its place. */
	card: (index: number) => call<CardAnswer>('GET', `/share-link/cards/${index}`),
	unlock: (password: string) => send<SharedLink>('POST', '/share-link/unlock', { password }),
};
