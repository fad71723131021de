import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalid } from '../lib/app-error.ts';

/**
 * Passwords that take fewer guesses are common, or are what people make of common ones to satisfy a rule: a year, a capital letter, `@`
 * for `a`. Ten random characters take 10^10.
 */
const leastGuessesLog10 = 9;
/** What must be left of a password without the words that others know of the person. */
const leastUnknownCharacters = 8;
/** The time grows faster than the length. A long password is as good as its beginning. */
const judgedCharacters = 32;
/** Spellings such as `p4$$w0rd` that are tried at once, which is where the time goes. */
const maxSubstitutions = 20;

const tooCommon =
	'This password is too easy to guess. Use several words that have nothing to do with you, or let a password manager make one.';

/** 10 MB of words that few processes ever need. */
let loading: Promise<ZxcvbnFactory> | undefined;

async function load(): Promise<ZxcvbnFactory> {
	const [{ ZxcvbnFactory }, common, english] = await Promise.all([
		import('@zxcvbn-ts/core'),
		import('@zxcvbn-ts/language-common'),
		import('@zxcvbn-ts/language-en'),
	]);
	return new ZxcvbnFactory({
		dictionary: { ...common.dictionary, ...english.dictionary },
		graphs: common.adjacencyGraphs,
		l33tMaxSubstitutions: maxSubstitutions,
	});
}

/**
 * Refuses a new password that is common or easy to guess for someone who knows the person. Passwords that were set earlier stay.
 * It takes 10 to 200 ms, so check first that the caller may set the password.
 */
export async function requireStrongPassword(
	password: string,
	person: { name: string; email: string },
	field = 'password',
): Promise<void> {
	loading ??= load().catch((error: unknown) => {
		loading = undefined;
		throw error;
	});
	const strength = await loading;
	const words = ['tidemark', ...`${person.name} ${person.email}`.toLowerCase().split(/[\s@._-]+/)].filter(
		(word) => word.length >= 3,
	);
	const judged = [...password].slice(0, judgedCharacters).join('');
	const { guessesLog10 } = strength.check(judged, [...words, person.name, person.email]);
	if (guessesLog10 < leastGuessesLog10 || lengthWithout(words, password) < leastUnknownCharacters)
		throw invalid({ [field]: [tooCommon] });
}

function lengthWithout(words: readonly string[], password: string): number {
	let left = password.toLowerCase();
	for (const word of words) left = left.replaceAll(word, '');
	return [...left].length;
}
