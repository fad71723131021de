import { z } from 'zod';
import { pageParameters } from './envelopes.ts';

const date = (name: string, description: string) =>
	z.iso
		.date({ error: `The ${name} parameter must be a date such as 2026-11-01.` })
		.optional()
		.meta({ description });

/** The dates of the entries that are asked for. */
export const activityDates = {
	from: date('from', 'First date, in UTC. Default: the first entry.'),
	to: date('to', 'Last date, inclusive, in UTC. Default: the last entry.'),
};

export const listActivityQuery = z.object({ ...activityDates, ...pageParameters });
export const exportActivityQuery = z.object(activityDates);

const id = z.int().positive();
const name = z.string().nullable();

export const activityEntry = z
	.object({
		id,
		at: z.iso.datetime({ precision: 3 }),
		what: z.string().meta({ description: 'The name of the operation.', examples: ['updateWebsite'] }),
		by: z.object({ person_id: id, name, email: name }).nullable().meta({
			description: 'A person, or the account of a key. Null: the operator. Names of what is gone are null.',
		}),
		key: z.object({ id, name }).nullable(),
		website: z.object({ id, domain: name }).nullable(),
		subject: z
			.object({ person_id: id, name })
			.nullable()
			.meta({ description: 'The person who was affected.' }),
	})
	.meta({ id: 'ActivityEntry' });

export type ActivityEntryRecord = z.output<typeof activityEntry>;
