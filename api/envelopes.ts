import { z } from 'zod';
import { type ErrorCode, errorCodes } from './errors.ts';

/** One record: `{"data": {…}}`. */
export const one = <T extends z.ZodType>(record: T) => z.object({ data: record });

/** A page of a list, with links to its neighbours. */
export const list = <T extends z.ZodType>(record: T) =>
	z.object({
		data: z.array(record),
		links: z.object({
			first: z.string(),
			last: z.string(),
			prev: z.string().nullable(),
			next: z.string().nullable(),
		}),
		meta: z.object({
			current_page: z.int().positive(),
			from: z.int().positive().nullable(),
			last_page: z.int().positive(),
			path: z.string(),
			per_page: z.int().positive(),
			to: z.int().positive().nullable(),
			total: z.int().nonnegative(),
		}),
	});

// Object.keys forgets that the names are those of the table.
const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** Every error: the members of RFC 9457 and the ones that most clients look for. */
export const problem = z
	.object({
		type: z.literal('about:blank'),
		title: z.string(),
		status: z.int(),
		code: z.enum(codes),
		detail: z.string(),
		message: z.string(),
		errors: z
			.record(z.string(), z.array(z.string()))
			.optional()
			.meta({ description: 'Messages by field, on 422.' }),
		website_id: z
			.int()
			.positive()
			.optional()
			.meta({ description: 'On `domain_taken`: the website that has the domain.' }),
	})
	.meta({ id: 'Problem' });
