import { domainToASCII } from 'node:url';
import type { TrackedWebsite } from './hit.ts';

/**
 * Which hostnames belong to a website: its domain and everything below, or those that its list names.
 * `shop.example.com` is that one, `*.example.com` all below it, `!staging.example.com` and `!*.test.example.com`
 * are left out whatever else is named, `localhost` is the developer's own machine. A list that only leaves out
 * starts from the domain and everything below.
 */
type Rules = { included: readonly string[]; excluded: readonly string[] };

export function isOwnHostname(website: TrackedWebsite, hostname: string): boolean {
	const { included, excluded } = rulesOf(website.hostnames);
	if (excluded.some((rule) => matches(rule, hostname))) return false;
	if (included.length > 0) return included.some((rule) => matches(rule, hostname));
	return hostname === website.domain || hostname.endsWith(`.${website.domain}`);
}

/** A host as the URL parser gave it: lower case and punycode already. `example.com.` is the same host. */
export const hostnameOf = (url: URL): string => url.hostname.replace(/\.$/, '');

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function matches(rule: string, hostname: string): boolean {
	if (rule === 'localhost') return loopback.has(hostname) || hostname.endsWith('.localhost');
	return rule.startsWith('*.') ? hostname.endsWith(rule.slice(1)) : hostname === rule;
}

/** A website is loaded once and asked about a million times. */
const known = new WeakMap<readonly string[], Rules>();

function rulesOf(list: readonly string[]): Rules {
	const found = known.get(list);
	if (found) return found;
	const rules = {
		included: list.filter((entry) => !entry.startsWith('!')).map(readRule),
		excluded: list.filter((entry) => entry.startsWith('!')).map((entry) => readRule(entry.slice(1))),
	};
	known.set(list, rules);
	return rules;
}

function readRule(entry: string): string {
	const isWildcard = entry.startsWith('*.');
	const name = entry.slice(isWildcard ? 2 : 0).replace(/\.$/, '');
	return `${isWildcard ? '*.' : ''}${domainToASCII(name) || name.toLowerCase()}`;
}
