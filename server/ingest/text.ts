/**
 * Control characters, marks that change the direction of writing, and spaces without width. Joiners are not among them, because
 * emoji and Persian need them.
 */
const invisible =
	/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const blanks = /[\s\u0085]+/g;

/** Makes text safe to store, compare and show: well-formed, NFC, without invisible characters, cut to a maximum length. */
export function cleanText(text: string, maxCharacters: number): string {
	// Nearly all text is plain ASCII, and this test is far cheaper than cleaning.
	if (text.length <= maxCharacters && /^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
	// Normalizing needs memory for the whole text, so cut what is far too long before it.
	const bounded = text.slice(0, maxCharacters * 4);
	const visible = bounded.replace(blanks, ' ').replace(invisible, '').toWellFormed().normalize('NFC').trim();
	return cutText(visible, maxCharacters);
}

/** Cuts text to a number of characters, without splitting a surrogate pair and without a space at the end. */
export function cutText(text: string, maxCharacters: number): string {
	if (text.length <= maxCharacters) return text;
	let end = 0;
	for (let count = 0; count < maxCharacters && end < text.length; count++)
		end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
	return text.slice(0, end).trimEnd();
}

/**
 * Decodes percent-encoding: `/caf%C3%A9` becomes `/café`. Characters that match `kept` would change the meaning of a URL and stay
 * encoded, and so do bytes that are not UTF-8.
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

/** UTC as ClickHouse writes it: `2026-11-15 09:00:00.000`. */
export function toClickHouseTime(time: Date): string {
	const iso = time.toISOString();
	return `${iso.slice(0, 10)} ${iso.slice(11, -1)}`;
}
