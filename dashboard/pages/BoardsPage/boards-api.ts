import type { BoardCard, BoardRecord, BoardSummary, NewBoard } from '../../../api/boards.ts';
import { get, listAll, send } from '../../api-client.ts';

export type { BoardCard, BoardRecord };

export const boards = {
	list: () => listAll<BoardSummary>('/boards'),
	get: (id: number) => get<BoardRecord>(`/boards/${id}`),
	create: (body: NewBoard) => send<BoardRecord>('POST', '/boards', body),
	update: (id: number, body: NewBoard) => send<BoardRecord>('PUT', `/boards/${id}`, body),
	delete: (id: number) => send<unknown>('DELETE', `/boards/${id}`),
};

export const boardsKey = ['boards'] as const;
export const boardKey = (id: number) => [...boardsKey, id] as const;
