const maxCharacters = 40;

/**
 * A person's name as mails show it: in quotes, short, on one line, and without anything that mail programs turn into a link. People
 * choose their names themselves, and a mail in our name must not carry their message.
 */
export function nameInMail(name: string): string {
	const plain = name
		.replace(/\p{Cf}/gu, '')
		.replace(/[^\p{L}\p{M}\p{N}'’.,&()-]+/gu, ' ')
		// A period inside a word makes it a domain.
		.replace(/\.(?=\S)/gu, ' ')
		.replace(/\s+/gu, ' ')
		.trim();
	const characters = [...plain];
	const short =
		characters.length > maxCharacters
			? `${characters
					.slice(0, maxCharacters - 1)
					.join('')
					.trim()}…`
			: plain;
	return `"${short === '' ? '…' : short}"`;
}
