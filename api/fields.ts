import { z } from 'zod';

/**
 * How values arrive: a form brings texts, JSON brings whatever the client chose. These readers turn both into one
 * thing, and leave what they do not understand as it is, so that the schema behind them refuses it.
 */

/** `2` and `"2"`, not `2.0`, `+2` or `02`. */
export function readInteger(input: unknown): unknown {
	if (typeof input !== 'string') return input;
	const digits = input.trim();
	return /^(0|[1-9]\d*)$/.test(digits) ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : input;
}

/** 0, 1, true and false, as values or as words. */
export function readSwitch(input: unknown): unknown {
	if (typeof input === 'boolean') return input ? 1 : 0;
	if (typeof input !== 'string') return input;
	const word = input.trim().toLowerCase();
	if (word === 'true' || word === '1') return 1;
	if (word === 'false' || word === '0') return 0;
	return input;
}

/** A text that can be stored and given back as it came: no NUL, no half of a surrogate pair. */
export function text(name: string) {
	return z
		.string({
			error: (issue) =>
				issue.input === undefined || issue.input === null || issue.input === ''
					? `The ${name} field is required.`
					: `The ${name} field must be a text.`,
		})
		.refine(isStorable, `The ${name} field contains characters that cannot be stored.`);
}

/** A text that people write: blanks around it are dropped, and 1 to so many characters must be left. */
export function shortText(name: string, most: number) {
	return text(name)
		.trim()
		.refine((value) => value !== '', `The ${name} field is required.`)
		.refine(
			(value) => [...value].length <= most,
			`The ${name} field must not have more than ${most} characters.`,
		)
		.meta({ minLength: 1, maxLength: most });
}

/** Words with commas between them, in one text or in several: `a,b`, `['a', 'b,c']`. */
export function readWords(input: unknown): unknown {
	const items: unknown[] = Array.isArray(input) ? input : [input];
	return items.every((item) => typeof item === 'string')
		? items.flatMap((item) => item.split(',').map((word) => word.trim()))
		: input;
}

/** Lists and objects: a form brings them as JSON text. */
export function readJson(input: unknown): unknown {
	if (typeof input !== 'string') return input;
	try {
		return JSON.parse(input);
	} catch {
		return input;
	}
}

const twoDates = z.object({ from: z.iso.date(), to: z.iso.date() });

/** For the check that `from` is not after `to`: made beside the faults of other fields, wherever both are dates. */
export const inOrder = (error: string) => ({
	path: ['to'],
	error,
	when: ({ value }: { value: unknown }) => twoDates.safeParse(value).success,
});

export const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\0');

/** For the description of a body: what a switch takes. */
export const sentSwitch = { sent: { anyOf: [{ type: 'integer', enum: [0, 1] }, { type: 'boolean' }] } };

/** What a list of lines takes. */
export const sentLines = {
	sent: {
		anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }],
	},
};

/** A filter as JSON. */
export const sentFilter = { sent: { $ref: '#/components/schemas/Filter' } };

const maxLines = 1_000;
const maxLineLength = 255;

/**
 * A list of lines: one text with an entry a line or between commas, or a list of such texts. Blanks around entries,
 * empty entries and repeats are dropped. The result is one entry a line, or null when nothing is left.
 */
export function listField(name: string, entry?: { isValid: (line: string) => boolean; what: string }) {
	return z
		.preprocess(
			(input) => (typeof input === 'string' || input === null ? [input ?? ''] : input),
			z.array(z.unknown(), {
				error: `The ${name} field must be a text with one entry a line, or a list of texts.`,
			}),
		)
		.transform((items, context): string | null => {
			const fault = (message: string) => {
				context.addIssue({ code: 'custom', message });
				return z.NEVER;
			};
			const lines: string[] = [];
			for (const item of items) {
				if (typeof item !== 'string' && typeof item !== 'number') {
					return fault(`The ${name} field must be a text with one entry a line, or a list of texts.`);
				}
				// Not `push(...)`: a body of line ends has more of them than a call may have arguments.
				for (const line of String(item).split(/\r\n|[\r\n,]/)) lines.push(line);
			}
			for (const [index, line] of lines.entries()) {
				if (!isStorable(line))
					return fault(`Line ${index + 1} of ${name} contains characters that cannot be stored.`);
				if ([...line.trim()].length > maxLineLength) {
					return fault(`Line ${index + 1} of ${name} has more than ${maxLineLength} characters.`);
				}
				if (entry && line.trim() !== '' && !entry.isValid(line.trim())) {
					return fault(`Line ${index + 1} of ${name} ("${line.trim()}") is not ${entry.what}.`);
				}
			}
			const entries = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))];
			if (entries.length > maxLines)
				return fault(`The ${name} field must not have more than ${maxLines} lines.`);
			return entries.length === 0 ? null : entries.join('\n');
		})
		.meta(sentLines);
}

/** The entries of a text with one a line or between commas, or of a list of such texts: without blanks around them and repeats. */
export function readLines(input: unknown): unknown {
	const items: unknown[] = Array.isArray(input) ? input : [input];
	if (!items.every((item) => typeof item === 'string' || typeof item === 'number')) return input;
	const lines = items.flatMap((item) => String(item).split(/\r\n|[\r\n,]/));
	return [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))];
}
