/** Entries of a list with one per line. */
export const linesOf = (text: string | null): string[] =>
	(text ?? '')
		.split(/[\r\n,]+/)
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** Values of a condition with one per line. They may contain commas. */
export const valuesOf = (text: string): string[] =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** Line number from an error of the server. */
export const faultyLine = (fault: string | undefined): string | undefined =>
	/^Line (\d+) /.exec(fault ?? '')?.[1];

/**
 * The list of allowed hostnames with one more. As long as a list names no other host, everything below the domain counts as well: it is
 * named once another host is. `localhost` comes on top and changes nothing else.
 */
export function withHostname(list: string | null, domain: string, hostname: string): string {
	const name = isOwnMachine(hostname) ? 'localhost' : hostname;
	const lines = linesOf(list).filter((line) => line !== `!${name}`);
	const isOpen = lines.every((line) => line.startsWith('!') || line === 'localhost');
	const own = isOpen && name !== 'localhost' ? [domain, `*.${domain}`] : [];
	return [...new Set([...lines, ...own, name])].join('\n');
}

const isOwnMachine = (hostname: string): boolean =>
	['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
