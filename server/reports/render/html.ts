/** Markup in which a plain string is always text: only what this tag made stays markup. */
export type Html = { readonly markup: string };
type Part = string | number | Html | readonly Html[];

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** For text and for attributes in double quotes, in HTML and in XML. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => names[sign] ?? '');

const toMarkup = (part: Part): string => {
	if (typeof part === 'string' || typeof part === 'number') return escapeMarkup(String(part));
	return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
};

/** Indentation of the source is not sent. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
	markup: String.raw({ raw: strings.map((text) => text.replace(/\n\s*/g, '')) }, ...parts.map(toMarkup)),
});

export const nothing: Html = { markup: '' };
