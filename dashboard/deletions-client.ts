/** The calls of api-client.ts that are about deletions of past events. */
import type { z } from 'zod';
import type {
	createDeletionBody,
	deletionPreview,
	deletionRecord,
	previewDeletionBody,
} from '../api/deletions.ts';
import { call, dataOf, listAll, type One, send } from './api-client.ts';

export type { DeletionField } from '../api/deletions.ts';
export type Deletion = z.output<typeof deletionRecord>;
export type DeletionPreview = z.output<typeof deletionPreview>;
/** What a deletion selects. */
export type Selection = z.output<typeof previewDeletionBody>;

export const deletions = {
	/** Newest first. */
	list: (website: number) => listAll<Deletion>(`/websites/${website}/deletions`),
	preview: (website: number, body: Selection, signal?: AbortSignal) =>
		dataOf(
			call<One<DeletionPreview>>('POST', `/websites/${website}/deletions/preview`, {
				body,
				...(signal && { signal }),
			}),
		),
	create: (website: number, body: z.output<typeof createDeletionBody>) =>
		send<Deletion>('POST', `/websites/${website}/deletions`, body),
	undo: (website: number, id: number) => send<Deletion>('POST', `/websites/${website}/deletions/${id}/undo`),
};
