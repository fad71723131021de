/**
 * Regular expressions of filters, in RE2 syntax. RE2 takes time that is linear in the text, whatever the expression, and limits here
 * keep the expression small. An expression is checked before ClickHouse sees it, with RE2 in JavaScript.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';

const maxCharacters = 200;
/**
 * Instructions of a compiled expression. Time is linear in them too, and the engine checks its time limit only between blocks of
 * rows. A class such as `\pL` is hundreds of bytes' ranges, so an expression with one counts several times.
 */
const maxSize = 100;
const classFactor = 4;
/** Of all expressions of a filter. */
export const maxTotalSize = 300;

/** Classes that every version of RE2 has: general categories, and scripts. Those that Unicode added later are unknown to some. */
const classes = new Set(
	(
		'Any L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf ' +
		'Latin Greek Cyrillic Armenian Hebrew Arabic Devanagari Bengali Tamil Thai Georgian Hangul Hiragana Katakana Han'
	).split(' '),
);

/** A quoted part, a class of characters, an escaped character, or a plain one. */
const tokens = /\\Q(?<quoted>.*?)(?:\\E|$)|\\[pP](?:\{\^?(?<name>[^}]*)\}|(?<letter>.))|\\.|[^\\]/gsu;

/** The size of an expression, or what is wrong with it as the end of a sentence. */
export function checkExpression(expression: string): { size: number } | { fault: string } {
	if ([...expression].length > maxCharacters)
		return { fault: `must not have more than ${maxCharacters} characters` };
	const compiled = compile(expression);
	if (typeof compiled === 'string') return { fault: `is not valid in RE2 syntax: ${compiled}` };
	let size = compiled.programSize();
	for (const { 0: token, groups: { name, letter } = {} } of expression.matchAll(tokens)) {
		const named = name ?? letter;
		if (named !== undefined && !classes.has(named))
			return { fault: `uses the unknown character class ${token}` };
		if (named !== undefined) size = classFactor * compiled.programSize();
		// RE2 finds one within a character of several bytes.
		if (token === '\\B') return { fault: 'must not use \\B' };
	}
	return size > maxSize
		? { fault: 'is too large: use fewer alternatives, classes such as \\pL, or smaller numbers in {}' }
		: { size };
}

function compile(expression: string): RE2JS | string {
	try {
		return RE2JS.compile(expression);
	} catch (error) {
		if (!(error instanceof RE2JSSyntaxException)) throw error;
		return error.message.replace('error parsing regexp: ', '');
	}
}

/**
 * The same expression in ASCII. ClickHouse looks for literal parts of an expression first, and takes the bytes of a character
 * such as `é` for several characters, of which a following `?` makes only the last one optional.
 */
export function toAscii(expression: string): string {
	return expression.replace(tokens, (token, quoted: string | undefined) =>
		Array.from(quoted ?? token, (character) => {
			if (character.charCodeAt(0) > 0x7f) return `\\x{${character.codePointAt(0)?.toString(16)}}`;
			return quoted !== undefined && /[^a-zA-Z0-9]/.test(character)
				? `\\x{${character.charCodeAt(0).toString(16)}}`
				: character;
		}).join(''),
	);
}
