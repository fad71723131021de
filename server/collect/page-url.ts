/** An address of a page, or nothing: only http and https are pages that somebody visits. */
export function parsePageUrl(text: string): URL | undefined {
	const url = URL.parse(text);
	return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}
