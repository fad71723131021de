import { z } from 'zod';

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
				'Every event; or what was derived from them: a row a visit, or a row a day and value of a dimension.',
		}),
		format: oneOf('format', exportedFormats).default('csv'),
		from: date('from', 'First date, on the clock of the website. Default: the first there is.'),
		to: date('to', 'Last date, included. Default: the last there is.'),
		raw: z
			.enum(['true', 'false'], { error: 'The raw parameter must be true or false.' })
			.default('false')
			.meta({
				description:
					'Of CSV: `true` leaves texts as they are. Else one that a spreadsheet would take for a formula begins with an apostrophe.',
			}),
	})
	.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
		path: ['to'],
		error: 'The period ends before it starts.',
	});
