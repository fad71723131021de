/** Parses the URL of a page; undefined when it is not an http or https URL. */
export function parsePageUrl(text: string): URL | undefined {
	const url = URL.parse(text);
	return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}
