/**
 * Whether a request has exactly one Host header (RFC 9112, section 3.2). A proxy in front may have used another one than this service
 * would. `rawHeaders` has names and values in turn; other views of the headers join or drop repeated ones, or are slow.
 */
export function hasValidHost(rawHeaders: readonly string[], httpVersion: string): boolean {
	let hosts = 0;
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index];
		if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
	}
	return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
