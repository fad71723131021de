import { z } from 'zod';
import { deleted } from './envelopes.ts';

/** Where a file can come from. */
export const importSourceNames = [
	'plausible',
	'umami',
	'ga4',
	'matomo',
	'fathom',
	'simple-analytics',
] as const;

const count = z.int().nonnegative();

/** The parameters of `POST /websites/{id}/imports`, whose body is the file. */
export const createImportQuery = z.object({
	source: z
		.enum(importSourceNames, {
			error: `The source parameter must be one of ${importSourceNames.join(', ')}.`,
		})
		.meta({ description: 'The product that the file was exported from.' }),
	file_name: z
		.string()
		.max(200, 'The file_name parameter must not be longer than 200 characters.')
		.default('')
		.meta({ description: 'What the file is called, for people to know it again.' }),
	timezone: z
		.string()
		.max(64, 'The timezone parameter must not be longer than 64 characters.')
		.default('UTC')
		.meta({ description: 'The zone of times in the file that do not say theirs.' }),
});

export const importRecord = z
	.object({
		id: z.int().positive(),
		object: z.literal('import'),
		source: z.enum(importSourceNames),
		kind: z.enum(['totals', 'events']).meta({
			description: 'Totals of days, which cannot be filtered, or events, which are as your own.',
		}),
		state: z.enum(['previewed', 'waiting', 'running', 'done', 'failed']),
		fault: z.string().nullable().meta({ description: 'Why it failed.' }),
		file_name: z.string(),
		timezone: z.string(),
		from: z.iso.date().nullable().meta({ description: 'The first day that it brings.' }),
		to: z.iso.date().nullable().meta({ description: 'The last day that it brings.' }),
		days: count,
		events: count,
		totals: z.record(z.string(), count).meta({ description: 'What the days come to, by what is counted.' }),
		dimensions: z.record(z.string(), count).meta({ description: 'How many rows it has by each dimension.' }),
		skipped: z
			.array(z.object({ reason: z.string(), count, means: z.string() }))
			.meta({ description: 'Rows that are left out, and why.' }),
		rows_done: count,
		rows_total: count,
		created_at: z.iso.datetime({ precision: 3 }),
		ended_at: z.iso.datetime({ precision: 3 }).nullable(),
	})
	.meta({ id: 'Import' });

export const listImportsAnswer = z.object({ data: z.array(importRecord) });

export const deletedImport = deleted('import', 'DeletedImport');
