import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';

/** Where a file can come from. */
export const importSourceNames = [
	'plausible',
	'umami',
	'ga4',
	'matomo',
	'fathom',
	'simple-analytics',
	'log',
] as const;

const count = z.int().nonnegative();

/** The parameters of `POST /websites/{id}/imports`, whose body is the file. */
export const createImportQuery = z.object({
	source: z
		.enum(importSourceNames, {
			error: `The source parameter must be one of ${importSourceNames.join(', ')}.`,
		})
		.meta({ description: 'The product that exported the file.' }),
	file_name: z
		.string()
		.max(200, 'The file_name parameter must not be longer than 200 characters.')
		.default('')
		.meta({ description: 'The name of the file, for display.' }),
	timezone: z
		.string()
		.max(64, 'The timezone parameter must not be longer than 64 characters.')
		.default('UTC')
		.meta({ description: 'The time zone of times in the file that have none.' }),
});

export const importRecord = z
	.object({
		id: z.int().positive(),
		object: z.literal('import'),
		source: z.enum(importSourceNames),
		kind: z.enum(['totals', 'events']).meta({
			description: 'Daily totals, which cannot be filtered, or events, which work like your own.',
		}),
		state: z.enum(['previewed', 'waiting', 'running', 'done', 'failed']),
		fault: z.string().nullable().meta({ description: 'Why it failed.' }),
		file_name: z.string(),
		timezone: z.string(),
		from: z.iso.date().nullable().meta({ description: 'The first imported day.' }),
		to: z.iso.date().nullable().meta({ description: 'The last imported day.' }),
		days: count,
		events: count,
		totals: z.record(z.string(), count).meta({ description: 'Totals by metric.' }),
		dimensions: z.record(z.string(), count).meta({ description: 'Number of rows by dimension.' }),
		skipped: z
			.array(z.object({ reason: z.string(), count, means: z.string() }))
			.meta({ description: 'Rows that are left out, with reasons.' }),
		rows_done: count,
		rows_total: count,
		created_at: z.iso.datetime({ precision: 3 }),
		ended_at: z.iso.datetime({ precision: 3 }).nullable(),
	})
	.meta({ id: 'Import' });

/** The parameters of `GET /websites/{id}/imports`. */
export const listImportsQuery = z.object(pageParameters);

export const deletedImport = deleted('import', 'DeletedImport');
