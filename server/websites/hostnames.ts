import { domainToASCII } from 'node:url';

/**
 * Decides which hostnames belong to a website: its domain with and without `www.`, and all subdomains unless its list names other hosts.
 * `shop.example.com` allows that host, `*.example.com` all subdomains, `localhost` the developer's machine in addition;
 * `!staging.example.com` and `!*.test.example.com` exclude hosts in any case.
 */
type Rules = { included: readonly string[]; excluded: readonly string[] };

export function isOwnHostname(
	website: { domain: string; hostnames: readonly string[] },
	hostname: string,
): boolean {
	const { included, excluded } = rulesOf(website.hostnames);
	if (excluded.some((rule) => matches(rule, hostname))) return false;
	if (hostname === website.domain || hostname === `www.${website.domain}`) return true;
	if (included.some((rule) => matches(rule, hostname))) return true;
	return included.every((rule) => rule === 'localhost') && hostname.endsWith(`.${website.domain}`);
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function matches(rule: string, hostname: string): boolean {
	if (rule === 'localhost') return loopback.has(hostname) || hostname.endsWith('.localhost');
	return rule.startsWith('*.') ? hostname.endsWith(rule.slice(1)) : hostname === rule;
}

/** Parsed once per website, because every hit needs the rules. */
const cache = new WeakMap<readonly string[], Rules>();

const noRules: Rules = { included: [], excluded: [] };

function rulesOf(list: readonly string[]): Rules {
	if (list.length === 0) return noRules;
	const cached = cache.get(list);
	if (cached) return cached;
	const rules = {
		included: list.filter((entry) => !entry.startsWith('!')).map(readRule),
		excluded: list.filter((entry) => entry.startsWith('!')).map((entry) => readRule(entry.slice(1))),
	};
	cache.set(list, rules);
	return rules;
}

function readRule(entry: string): string {
	const isWildcard = entry.startsWith('*.');
	const name = entry.slice(isWildcard ? 2 : 0).replace(/\.$/, '');
	return `${isWildcard ? '*.' : ''}${domainToASCII(name) || name.toLowerCase()}`;
}
