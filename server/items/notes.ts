import type { z } from 'zod';
import { createNoteBody, updateNoteBody } from '../../api/notes.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { Collection } from './items.ts';

type NoteFields = z.output<typeof createNoteBody>;

export const notes: Collection<NoteFields> = {
	singular: 'note',
	plural: 'notes',
	changeAction: 'website.update',
	maxPerWebsite: 2_000,
	// As text: a JavaScript Date would shift with the reader's time zone.
	columns: sql`to_char(date, 'YYYY-MM-DD') AS date, text`,
	order: sql`notes.date DESC, id DESC`,
	createSchema: async () => createNoteBody,
	updateSchema: async () => updateNoteBody,
	toColumns: ({ date, text }) => ({ date: sql`${value(date)}`, text: sql`${value(text)}` }),
};

/** Notes between two dates, both inclusive. */
export function notesWithin({ from, to }: { from?: string | undefined; to?: string | undefined }): Sql[] {
	return [
		...(from === undefined ? [] : [sql`notes.date >= ${value(from)}`]),
		...(to === undefined ? [] : [sql`notes.date <= ${value(to)}`]),
	];
}
