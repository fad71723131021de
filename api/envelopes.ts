import { z } from 'zod';
import { type ErrorCode, errorCodes } from './errors.ts';
import { readInteger } from './fields.ts';

/** One record: `{"data": {…}}`. */
export const singleRecord = <T extends z.ZodType>(record: T) => z.object({ data: record });

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

/** A parameter that takes one of some values; left out or empty it is the standard one. */
export const oneOf = <const V extends readonly (string | number)[]>(
	name: string,
	values: V,
	defaultValue: V[number],
) =>
	z
		.literal(values as unknown as [V[number], ...V[number][]], {
			error: `The ${name} parameter must be one of: ${values.join(', ')}.`,
		})
		.default(defaultValue as never);

/** The parameters that every list takes. */
export const pageParameters = {
	per_page: z
		.preprocess(readInteger, oneOf('per_page', [10, 25, 50, 100], 10))
		.meta({ description: 'Records per page.' }),
	page: z
		.preprocess(
			(input) => (input === undefined || readInteger(input) === 0 ? 1 : readInteger(input)),
			z.number({ error: 'The page parameter must be a positive whole number.' }).int().min(1),
		)
		.meta({ description: 'Page number, starting at 1.', default: 1 }),
};

/** What remains of a record: `{"id": 42, "object": "goal", "deleted": true}`. */
export const deleted = <const O extends string>(object: O, id: string) =>
	z.object({ id: z.int().positive(), object: z.literal(object), deleted: z.literal(true) }).meta({ id });

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
			.meta({ description: 'On `domain_taken`: the id of the website with this domain.' }),
	})
	.meta({ id: 'Problem' });
