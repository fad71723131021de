/** The tag escapes plain strings. Only its own results are inserted as markup. */
export type Html = { readonly markup: string };
type Part = string | number | Html | readonly Html[];

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** For text and quoted attributes in HTML and XML. */
export const escapeMarkup = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => names[character] ?? '');

const toMarkup = (part: Part): string => {
	if (typeof part === 'string' || typeof part === 'number') return escapeMarkup(String(part));
	return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
};

/** Removes the indentation of the source. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
	markup: String.raw({ raw: strings.map((text) => text.replace(/\n\s*/g, '')) }, ...parts.map(toMarkup)),
});

export const nothing: Html = { markup: '' };
