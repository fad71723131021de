/**
 * Makes an untrusted name safe as plain text: one line, without control characters, bidirectional formatting or lone surrogates.
 */
export const toPlain = (text: string): string =>
	text
		.toWellFormed()
		.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
		.replace(/[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
		.trim();

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** East Asian characters and emoji take two columns. */
const wide =
	/^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\ufe0f)/u;

const segmentWidth = (segment: string): number =>
	/^\p{M}+$/u.test(segment) ? 0 : wide.test(segment) ? 2 : 1;

/** Width in columns. */
export function widthOf(text: string): number {
	if (/^[\x20-\x7e]*$/.test(text)) return text.length;
	let width = 0;
	for (const { segment } of segmenter.segment(text)) width += segmentWidth(segment);
	return width;
}

/** Shortens a text to a number of columns, with `…` at the end. */
export function cutTo(text: string, columns: number): string {
	if (widthOf(text) <= columns) return text;
	let [kept, width] = ['', 1];
	for (const { segment } of segmenter.segment(text)) {
		width += segmentWidth(segment);
		if (width > columns) break;
		kept += segment;
	}
	return `${kept.trimEnd()}…`;
}

export const padEndTo = (text: string, columns: number): string =>
	text + ' '.repeat(Math.max(0, columns - widthOf(text)));
export const padStartTo = (text: string, columns: number): string =>
	' '.repeat(Math.max(0, columns - widthOf(text))) + text;

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Wraps at words, also in languages without spaces. */
export function wrapAt(text: string, columns: number): string[] {
	const pieces: string[] = [];
	for (const { segment } of words.segment(text)) {
		// Punctuation stays with the previous word, a no-break space with both words, a bracket and a sign with what follows.
		const isGlued =
			/^[\p{Po}\p{Pe}\p{Pf}\u00a0\u202f]+$/u.test(segment) ||
			/[\u00a0\u202f]$|[(（][+−]?$/.test(pieces.at(-1) ?? '');
		if (isGlued && pieces.length > 0) pieces.push(`${pieces.pop()}${segment}`);
		else pieces.push(segment);
	}
	const lines: string[] = [];
	let line = '';
	for (const piece of pieces) {
		if (line === '' || widthOf(line + piece.trimEnd()) <= columns) line += piece;
		else {
			lines.push(line.trimEnd());
			line = piece.trimStart();
		}
	}
	return line.trim() === '' ? lines : [...lines, line.trimEnd()];
}
