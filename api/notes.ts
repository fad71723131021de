import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { inOrder, shortText } from './fields.ts';

/** There were no websites before. */
const earliest = '1970-01-01';

const calendarDate = (what: string) => {
	const error = `The ${what} must be a date such as 2026-11-15, from ${earliest} on.`;
	return z.iso.date({ error }).refine((date) => date >= earliest, error);
};

/** What create takes. */
export const createNoteBody = z
	.object({
		date: calendarDate('date field').meta({
			description: 'The day of the note, in the website’s time zone.',
		}),
		text: shortText('text', 500).meta({ description: 'What happened.', examples: ['New landing page'] }),
	})
	.meta({ id: 'NewNote' });

/** What update takes. What is left out stays as it is. */
export const updateNoteBody = createNoteBody.partial().meta({ id: 'NoteChange' });

export const listNotesQuery = z
	.object({
		from: calendarDate('from parameter').optional().meta({ description: 'First day.' }),
		to: calendarDate('to parameter').optional().meta({ description: 'Last day.' }),
		...pageParameters,
	})
	.refine(
		({ from = '', to = '' }) => from <= to,
		inOrder('The to parameter must not be before the from parameter.'),
	);

export const noteRecord = z
	.object({
		id: z.int().positive(),
		date: z.iso.date(),
		text: z.string(),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Note' });

export const deletedNote = deleted('note', 'DeletedNote');
