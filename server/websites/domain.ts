import { isIPv4 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

/** A domain as it is stored, or why it is invalid. */
export type DomainReading = { domain: string; unicode: string | null } | { fault: string };

const example = 'Write it like example.com';

export function readDomain(text: string): DomainReading {
	const bare = text
		.trim()
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/\/$/, '');
	const odd = nameOddity(bare);
	if (odd) return { fault: `The domain must not contain ${odd}. ${example}, or as an IPv4 address.` };
	const ascii = toAscii(bare);
	if (ascii === undefined) return { fault: `"${shorten(bare)}" is not a domain. ${example}.` };
	const domain = stripWww(ascii.replace(/\.$/, ''));
	if (isIPv4(domain)) return { domain, unicode: null };
	const labels = domain.split('.');
	if (labels.length < 2) return { fault: `The domain needs at least two parts. ${example}.` };
	if (domain.length > 253) return { fault: 'The domain must not have more than 253 characters.' };
	if (!labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))) {
		return { fault: `"${shorten(domain)}" is not a domain. ${example}.` };
	}
	if (/^\d+$/.test(labels.at(-1) ?? '')) {
		return { fault: `"${shorten(domain)}" is neither a domain nor an IPv4 address. ${example}.` };
	}
	const unicode = domainToUnicode(domain);
	// The URL parser accepts some punycode that it cannot decode.
	if (unicode === '' || /(^|\.)xn--/.test(unicode))
		return { fault: `"${shorten(domain)}" is not a domain. ${example}.` };
	return { domain, unicode: unicode === domain ? null : unicode };
}

const stripWww = (domain: string) => (/^www\.[^.]+\./.test(domain) ? domain.slice(4) : domain);

function nameOddity(text: string): string | undefined {
	if (/\s/.test(text)) return 'spaces or line breaks';
	if (text.includes('@')) return 'a user name';
	if (text.includes('*')) return 'a wildcard (subdomains are always included)';
	if (text.includes('[') || text.split(':').length > 2) return 'an IPv6 address';
	if (/:(\d+(\/|$)|$)/.test(text)) return 'a port';
	if (text.includes('?')) return 'a query';
	if (text.includes('/') || text.includes('\\')) return 'a path';
	return undefined;
}

/** To punycode (UTS 46). */
function toAscii(name: string): string | undefined {
	if (!/[^\x00-\x7f]|xn--/.test(name)) return name;
	// The URL parser reads a name with a numeric last label as an IPv4 address in one of its old notations. The suffix
	// prevents that.
	const suffix = '.example';
	const ascii = domainToASCII(name + suffix);
	return ascii.endsWith(suffix) ? ascii.slice(0, -suffix.length) : undefined;
}

/** Normalizes a search text like a domain: without scheme and leading www., in both spellings. */
export function readSearch(text: string): { ascii: string; unicode: string } {
	const bare = text
		.trim()
		.toLowerCase()
		.replace(/^https?:\/\//, '');
	const rest = bare.startsWith('www.') && bare.length > 4 ? bare.slice(4) : bare;
	const ascii = /[^\x00-\x7f]/.test(rest) ? (toAscii(rest) ?? rest) : rest;
	return { ascii, unicode: rest.normalize('NFC') };
}

const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
