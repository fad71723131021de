const maxCharacters = 40;

/**
 * Formats a user's name for emails: in quotes, short, on one line, without anything that mail programs turn into a link. Otherwise a name
 * could be used for phishing.
 */
export const nameInMail = (name: string): string => `"${plainName(name) || '…'}"`;

/** The name of an account as the sender of a mail. Undefined if nothing is left of it. */
export const senderName = (name: string | null | undefined): string | undefined =>
	plainName(name ?? '') || undefined;

function plainName(name: string): string {
	const plain = name
		.replace(/\p{Cf}/gu, '')
		.replace(/[^\p{L}\p{M}\p{N}'’.,&()-]+/gu, ' ')
		// Mail programs turn words with a period into links.
		.replace(/\.(?=\S)/gu, ' ')
		.replace(/\s+/gu, ' ')
		.trim();
	const characters = [...plain];
	return characters.length > maxCharacters
		? `${characters
				.slice(0, maxCharacters - 1)
				.join('')
				.trim()}…`
		: plain;
}
