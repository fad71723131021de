import type { z } from 'zod';
import { createNoteBody, updateNoteBody } from '../../api/notes.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { Collection } from './items.ts';

type NoteAbout = z.output<typeof createNoteBody>;

export const notes: Collection<NoteAbout> = {
	one: 'note',
	many: 'notes',
	most: 2_000,
	// A date is a date: as a Date of JavaScript it would move with the zone of whoever reads it.
	columns: sql`to_char(date, 'YYYY-MM-DD') AS date, text`,
	order: sql`notes.date DESC, id DESC`,
	newRules: async () => createNoteBody,
	changeRules: async () => updateNoteBody,
	write: ({ date, text }) => ({ date: sql`${value(date)}`, text: sql`${value(text)}` }),
};

/** Notes of some days, both ends included. */
export function notesWithin({ from, to }: { from?: string | undefined; to?: string | undefined }): Sql[] {
	return [
		...(from === undefined ? [] : [sql`notes.date >= ${value(from)}`]),
		...(to === undefined ? [] : [sql`notes.date <= ${value(to)}`]),
	];
}
