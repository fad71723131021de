import type { z } from 'zod';
import type { FieldErrors } from '../../api/errors.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import { type Fields, readForm, wanted } from './read-body.ts';
import { validate } from './validate.ts';

/**
 * Parameters at addresses where an unknown one is a fault: a filter that is misspelt and ignored would give wrong numbers.
 * An empty value counts as not sent.
 */
export function readParameters<T extends z.ZodObject>(query: string, schema: T): z.output<T> {
	const sent = readForm(query, wanted(schema));
	const names = [...new URLSearchParams(query).keys()].map((key) => key.replace(/(?<=.)\[.*$/s, ''));
	return validateAll(schema, sent, names);
}

/** The same of an object of JSON; `null` counts as not sent. `prefix` stands before the names of faulty members. */
export function readMembers<T extends z.ZodObject>(sent: unknown, schema: T, prefix = ''): z.output<T> {
	if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
		throw invalid({ [prefix.replace(/\.$/, '') || 'body']: ['This must be an object.'] });
	// An object of JSON has texts for names.
	return validateAll(schema, sent as Fields, Object.keys(sent), prefix);
}

function validateAll<T extends z.ZodObject>(
	schema: T,
	sent: Fields,
	names: readonly string[],
	prefix = '',
): z.output<T> {
	const known = Object.keys(schema.shape);
	const given = Object.fromEntries(
		known
			.filter((name) => Object.hasOwn(sent, name))
			.map((name) => [name, sent[name]])
			.filter(([, value]) => value !== '' && value !== null),
	);
	const unknown = unknownNames(names, known);
	try {
		const read = validate(schema, given, () => unknown);
		if (Object.keys(unknown).length > 0) throw invalid(unknown);
		return read;
	} catch (error) {
		throw prefix === '' ? error : withPrefix(error, prefix);
	}
}

const maxNamed = 10;
const maxNameLength = 60;

function unknownNames(names: readonly string[], known: readonly string[]): FieldErrors {
	const unknown = [...new Set(names)].filter((name) => !known.includes(name)).slice(0, maxNamed);
	// Of entries, because a member named __proto__ cannot be assigned.
	return Object.fromEntries(
		unknown.map((name) => {
			const shown = name.slice(0, maxNameLength).toWellFormed();
			return [shown, [`There is no parameter ${shown}; these are allowed: ${known.join(', ')}.`]];
		}),
	);
}

function withPrefix(error: unknown, prefix: string): unknown {
	if (!(error instanceof AppError) || !error.errors) return error;
	const named = Object.entries(error.errors).map(([name, faults]) => [`${prefix}${name}`, faults] as const);
	return invalid(Object.fromEntries(named));
}
