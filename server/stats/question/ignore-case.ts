/**
 * Comparing texts without regard to case, by Unicode's simple case folding: character by character, so `Ä` is `ä` and `Σ` is `σ`
 * and `ς`, while `ß` is not `ss`, and `İ` and `ı` are only themselves. The service folds the values of a filter and tells
 * ClickHouse which characters of a text become which, so the result does not depend on the Unicode version of the engine.
 */

/** No letter beyond has another case. */
const lastCased = 0x1ffff;

/** By character: the one that stands for all its cases. Only characters that are not their own. */
let folded: ReadonlyMap<string, string> | undefined;

function foldedCharacters(): ReadonlyMap<string, string> {
	if (folded) return folded;
	const table = new Map<string, string>();
	/** By upper case, which is several characters for some that have no other case of one. */
	const firsts = new Map<string, string>();
	for (let code = 0; code <= lastCased; code++) {
		const character = String.fromCodePoint(code);
		const upper = character.toUpperCase();
		const lower = upper.toLowerCase();
		if (lower === character && upper === character) continue;
		const first = firsts.get(upper) ?? character;
		firsts.set(upper, first);
		const standing = [lower, first, character.toLowerCase()].find((other) => isSame(character, other));
		if (standing !== undefined && standing !== character) table.set(character, standing);
	}
	folded = table;
	return table;
}

/** JavaScript ignores case in `iu` by simple case folding. */
const isSame = (character: string, other: string): boolean => new RegExp(`^${character}$`, 'iu').test(other);

/** The text with the same character for all cases of one. */
export function foldCase(text: string): string {
	const table = foldedCharacters();
	return Array.from(text, (character) => table.get(character) ?? character).join('');
}

/** Whether a text contains another one, in any case. */
export const isFoundIn = (text: string, search: string): boolean => foldCase(text).includes(foldCase(search));

/** The characters that become one of these folded texts' characters, and what each becomes. Others need not be folded. */
export function foldsInto(texts: readonly string[]): { from: string; to: string } {
	const wanted = new Set(texts.flatMap((text) => [...text]));
	const pairs = [...foldedCharacters()].filter(([, to]) => wanted.has(to));
	return { from: pairs.map(([from]) => from).join(''), to: pairs.map(([, to]) => to).join('') };
}
