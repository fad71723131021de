import type { z } from 'zod';
import type { FieldErrors } from '../../../api/errors.ts';
import { invalid } from '../../lib/app-error.ts';

/**
 * Returns the parsed values, or throws a 422 that names every invalid field. `alsoMissing` adds errors that involve several
 * fields; it is only called when validation fails.
 */
export function validate<T extends z.ZodType>(
	schema: T,
	fields: unknown,
	alsoMissing: () => FieldErrors = () => ({}),
): z.output<T> {
	const result = schema.safeParse(fields);
	if (result.success) return result.data;
	// Without a prototype: a field may be called `constructor`.
	const errors: FieldErrors = Object.create(null);
	for (const issue of result.error.issues) {
		const field = String(issue.path[0] ?? 'body');
		errors[field] = [...(errors[field] ?? []), issue.message];
	}
	for (const [field, messages] of Object.entries(alsoMissing())) errors[field] ??= messages;
	throw invalid(errors);
}

/** Like `validate`, for bodies with lists of records: a message says which entry it is about. */
export function validateParts<T extends z.ZodType>(schema: T, fields: unknown): z.output<T> {
	const result = schema.safeParse(fields);
	if (result.success) return result.data;
	const errors: FieldErrors = Object.create(null);
	for (const { path, message } of result.error.issues) {
		const [part = 'body', index] = path;
		const field = String(part);
		const isOfEntry = typeof index === 'number' && path.length > 2 && field !== 'path_groups';
		const said = isOfEntry ? `Entry ${index + 1}: ${message}` : message;
		errors[field] = [...(errors[field] ?? []), said];
	}
	throw invalid(errors);
}
