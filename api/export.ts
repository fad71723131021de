import { z } from 'zod';
import { inOrder } from './fields.ts';

export const exportedWhat = ['events', 'visits', 'totals'] as const;
export const exportedFormats = ['parquet', 'csv', 'ndjson'] as const;

const oneOf = <T extends string>(name: string, words: readonly [T, ...T[]]) =>
	z.enum(words, { error: `The ${name} parameter must be one of ${words.join(', ')}.` });

const date = (name: string, description: string) =>
	z.iso
		.date({ error: `The ${name} parameter must be a date such as 2026-11-01.` })
		.optional()
		.meta({ description });

/** What `GET /websites/{id}/export` takes. */
export const exportQuery = z
	.object({
		what: oneOf('what', exportedWhat).default('events').meta({
			description:
				'`events`: one row per event. `visits`: one row per visit. `totals`: one row per day, dimension and value.',
		}),
		format: oneOf('format', exportedFormats).default('csv'),
		from: date('from', 'First date, in the website’s time zone. Default: the first available.'),
		to: date('to', 'Last date, inclusive. Default: the last available.'),
		raw: z
			.enum(['true', 'false'], { error: 'The raw parameter must be true or false.' })
			.default('false')
			.meta({
				description:
					'For CSV: `true` leaves texts unchanged. Otherwise texts that a spreadsheet would treat as formulas get a leading apostrophe.',
			}),
	})
	.refine(({ from = '', to = '' }) => from <= to, inOrder('The period ends before it starts.'));
