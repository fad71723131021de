/** The entries of a list with one a line. */
export const linesOf = (text: string | null): string[] =>
	(text ?? '')
		.split(/[\r\n,]+/)
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** The number of the line that the service found fault with. */
export const faultyLine = (fault: string | undefined): string | undefined =>
	/^Line (\d+) /.exec(fault ?? '')?.[1];

/**
 * The list of hostnames of a website with one more that counts. An empty list, or one that only leaves names out, stands for the domain
 * and everything below it: these must be named once something else is.
 */
export function withHostname(list: string | null, domain: string, hostname: string): string {
	const name = isOwnMachine(hostname) ? 'localhost' : hostname;
	const lines = linesOf(list).filter((line) => line !== `!${name}`);
	const isOpen = lines.every((line) => line.startsWith('!'));
	const own = isOpen ? [domain, `*.${domain}`] : [];
	return [...new Set([...lines, ...own, name])].join('\n');
}

const isOwnMachine = (hostname: string): boolean =>
	['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
