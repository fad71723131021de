import type { z } from 'zod';
import type { FieldErrors } from '../../../api/errors.ts';
import { AppError, type Faults, invalid } from '../../lib/app-error.ts';
import { type Fields, readQuery } from './read-body.ts';
import { validate } from './validate.ts';

/**
 * Rejects unknown parameters, because ignoring a misspelled filter would return wrong numbers. Empty values count as not
 * sent. With `faults`, errors are added there and the other parameters are still read, so that one response reports all errors.
 */
export function readParameters<T extends z.ZodObject>(
	query: string,
	schema: T,
	faults?: Faults,
): z.output<T> {
	const names = [...new URLSearchParams(query).keys()].map((key) => key.replace(/(?<=.)\[.*$/s, ''));
	return validateAll(schema, readQuery(query, schema), names, { faults });
}

/** The same for a JSON object, where `null` counts as not sent. `prefix` is added to the field names of errors. */
export function readMembers<T extends z.ZodObject>(
	sent: unknown,
	schema: T,
	{ prefix = '', faults }: { prefix?: string; faults?: Faults } = {},
): z.output<T> {
	if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
		throw invalid({ [prefix.replace(/\.$/, '') || 'body']: ['This must be an object.'] });
	// The keys of a JSON object are strings.
	return validateAll(schema, sent as Fields, Object.keys(sent), { prefix, faults });
}

function validateAll<T extends z.ZodObject>(
	schema: T,
	sent: Fields,
	names: readonly string[],
	{ prefix = '', faults }: { prefix?: string; faults?: Faults | undefined },
): z.output<T> {
	const known = Object.keys(schema.shape);
	const present: Fields = Object.fromEntries(
		known
			.filter((name) => Object.hasOwn(sent, name))
			.map((name) => [name, sent[name]])
			.filter(([, value]) => value !== '' && value !== null),
	);
	// Dates without a period mean a custom one.
	if (known.includes('period') && present.period === undefined && ('from' in present || 'to' in present))
		present.period = 'custom';
	const unknown = unknownNames(names, known);
	try {
		const read = validate(schema, present, () => unknown);
		if (Object.keys(unknown).length > 0) throw invalid(unknown);
		return read;
	} catch (error) {
		const fault = prefix === '' ? error : withPrefix(error, prefix);
		if (!faults || !(error instanceof AppError) || !error.errors) throw fault;
		const faulty = error.errors;
		const rest = schema.safeParse(
			Object.fromEntries(Object.entries(present).filter(([name]) => !(name in faulty))),
		);
		// A required parameter is missing or invalid.
		if (!rest.success) throw fault;
		faults.attempt(() => {
			throw fault;
		});
		return rest.data;
	}
}

const maxNamed = 10;
const maxNameLength = 60;

function unknownNames(names: readonly string[], known: readonly string[]): FieldErrors {
	const unknown = [...new Set(names)].filter((name) => !known.includes(name)).slice(0, maxNamed);
	// Not by assignment, which does not work for `__proto__`.
	return Object.fromEntries(
		unknown.map((name) => {
			const shown = name.slice(0, maxNameLength).toWellFormed();
			return [shown, [`Unknown parameter ${shown}. Allowed: ${known.join(', ')}.`]];
		}),
	);
}

function withPrefix(error: unknown, prefix: string): unknown {
	if (!(error instanceof AppError) || !error.errors) return error;
	const named = Object.entries(error.errors).map(([name, faults]) => [`${prefix}${name}`, faults] as const);
	return invalid(Object.fromEntries(named));
}
