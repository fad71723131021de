/**
 * What nobody can see but what changes how everything around it looks: control characters, the marks that turn
 * the direction of writing, and blanks without width. Joiners stay: emoji and Persian are written with them.
 */
const invisible =
	/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const blanks = /[\s\u0085]+/g;

/** Text as it can be stored, compared and shown: well-formed, composed, without what is invisible, bounded. */
export function cleanText(text: string, maxCharacters: number): string {
	// Nearly everything is plain, and looking is far cheaper than cleaning.
	if (text.length <= maxCharacters && /^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
	// Composing needs memory for all of it, so what is far too long is cut before as well.
	const bounded = text.slice(0, maxCharacters * 4);
	const visible = bounded.replace(blanks, ' ').replace(invisible, '').toWellFormed().normalize('NFC').trim();
	return cutText(visible, maxCharacters);
}

/** The first so many characters, none of them cut in half, and no blank at the end. */
export function cutText(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text;
	let end = 0;
	for (let count = 0; count < maxCharacters && end < text.length; count++)
		end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
	return text.slice(0, end).trimEnd();
}

/**
 * Percent-encoding made readable: `/caf%C3%A9` becomes `/café`. What would change the meaning of an address stays
 * as it was (`kept`), and so do bytes that are no text.
 */
export function decodePercent(text: string, kept: RegExp): string {
	if (!text.includes('%')) return text;
	return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
		const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
		const decoded = bytes.toString();
		if (decoded.includes('\ufffd')) return run.toUpperCase();
		return decoded.replace(kept, (sign) => encodeURIComponent(sign));
	});
}
