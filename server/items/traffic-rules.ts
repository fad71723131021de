/** Rules that drop new hits. They add to the settings `exclude_ips`, `exclude_bots` and `hostnames`. */
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import {
	createTrafficRuleBody,
	type RuleKind,
	type RuleTest,
	testsOfKind,
	updateTrafficRuleBody,
} from '../../api/traffic-rules.ts';
import { invalid } from '../lib/app-error.ts';
import { isNetwork } from '../lib/networks.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { announce } from '../websites/announce.ts';
import type { Collection } from './items.ts';

export type RuleCondition = { kind: RuleKind; test: RuleTest; values: string[] };
export type RuleFields = RuleCondition & { name: string; enabled: boolean };

/** Of all rules of a website. Every hit is compared with each pattern and each network; the others are looked up. */
const limits = { values: 10_000, characters: 300_000, patterns: 200, networks: 1_000 };
const maxWildcards = 5;

/** Fills in the default test, and brings values into the form in which hits are stored. */
export function readCondition(
	sent: { kind: RuleKind; test?: RuleTest | undefined; values: readonly string[] },
	context: z.RefinementCtx,
): RuleCondition {
	const { kind } = sent;
	const tests = testsOfKind[kind];
	const test = sent.test ?? tests[0];
	const fault = (field: string, message: string) => {
		context.addIssue({ code: 'custom', path: [field], message });
		return z.NEVER;
	};
	if (!tests.includes(test))
		return fault('test', `The test field of a ${kind} rule must be one of: ${tests.join(', ')}.`);
	const read = readValues({ kind, test }, sent.values);
	return 'fault' in read ? fault('values', read.fault) : { kind, test, values: read.values };
}

/** The values in the form in which hits are stored, or what is wrong with one. */
export function readValues(
	compared: Pick<RuleCondition, 'kind' | 'test'>,
	sent: readonly string[],
): { values: string[] } | { fault: string } {
	const values = new Set<string>();
	for (const [index, entry] of sent.entries()) {
		const normalized = normalize(compared, entry);
		const message = faultOf(compared, normalized);
		if (message) return { fault: `Value ${index + 1} ("${entry}") ${message}.` };
		values.add(normalized);
	}
	return { values: [...values] };
}

function normalize({ kind, test }: Pick<RuleCondition, 'kind' | 'test'>, entry: string): string {
	if (kind === 'country') return entry.toUpperCase();
	if (kind === 'operator' && test === 'is') return entry.toUpperCase().replace(/^(?:AS)?0*(?=\d)/, 'AS');
	if (kind !== 'hostname' && kind !== 'referrer') return entry;
	const lower = entry.toLowerCase();
	if (test === 'domain') return toAscii(lower.replace(/^\.+|\.+$/g, ''));
	// Other tests compare any part of the text.
	return test === 'is' || test === 'starts_with' ? lower.replace(/^[^/]+/, toAscii) : lower;
}

/** Hits store the hosts of international domains in punycode. */
const toAscii = (host: string): string => (/[^\x00-\x7f]/.test(host) ? domainToASCII(host) || host : host);

function faultOf({ kind, test }: Pick<RuleCondition, 'kind' | 'test'>, entry: string): string | undefined {
	if (test === 'wildcard' && entry.split('*').length > maxWildcards + 1)
		return `must not have more than ${maxWildcards} wildcards (*)`;
	if (test === 'domain' && !/^[^\s/:*]+$/.test(entry)) return 'is not a domain such as example.com';
	if (/^https?:/i.test(entry) && (kind === 'hostname' || kind === 'referrer'))
		return 'must not begin with https://';
	switch (kind) {
		case 'path':
			return (test === 'is' || test === 'starts_with') && !entry.startsWith('/')
				? 'must begin with /'
				: undefined;
		case 'country':
			return /^[A-Z]{2}$/.test(entry) ? undefined : 'is not a country code of two letters such as DE';
		case 'network':
			return isNetwork(entry) ? undefined : 'is not an IP address or a network such as 203.0.113.0/24';
		case 'operator':
			return test === 'contains' || isAsNumber(entry) ? undefined : 'is not an AS number such as AS64500';
		default:
			return undefined;
	}
}

const isAsNumber = (entry: string): boolean => /^AS\d{1,10}$/.test(entry) && Number(entry.slice(2)) < 2 ** 32;

type Counted = { kind: string; test: string; values: number; characters: number };

/** The caller holds the row of the website, so the sums stay within the limits. */
async function refuseTooMany(
	tx: Queries,
	websiteId: number,
	{ kind, test, values }: RuleCondition,
	ownId: number,
): Promise<void> {
	const others = await tx.rows<Counted>(sql`
		SELECT kind, test, cardinality(entries) AS values, length(array_to_string(entries, '')) AS characters FROM traffic_rules
		WHERE website_id = ${value(websiteId)} AND id <> ${value(ownId)}`);
	const own = { kind, test, values: values.length, characters: values.join('').length };
	const all = [...others, own];
	const sum = (isCounted: (rule: Counted) => boolean) =>
		all.filter(isCounted).reduce((total, rule) => total + rule.values, 0);
	const isPattern = (rule: Counted) => rule.test === 'contains' || rule.test === 'wildcard';
	const refuse = (most: number, what: string) =>
		invalid({
			values: [`The rules of a website can have at most ${most.toLocaleString('en')} ${what} together.`],
		});
	if (sum(() => true) > limits.values) throw refuse(limits.values, 'values');
	if (all.reduce((total, rule) => total + rule.characters, 0) > limits.characters)
		throw refuse(limits.characters, 'characters');
	if (isPattern(own) && sum(isPattern) > limits.patterns)
		throw refuse(limits.patterns, 'values of the tests contains and wildcard');
	if (kind === 'network' && sum((rule) => rule.kind === 'network') > limits.networks)
		throw refuse(limits.networks, 'networks');
}

export const newRuleFields = createTrafficRuleBody.transform((rule, context) => ({
	name: rule.name,
	...readCondition(rule, context),
	enabled: rule.enabled ?? true,
}));

export const trafficRules: Collection<RuleFields> = {
	singular: 'traffic rule',
	plural: 'traffic rules',
	changeAction: 'website.update',
	maxPerWebsite: 500,
	columns: sql`name, kind, test, entries AS values, enabled`,
	order: sql`id DESC`,
	createSchema: async () => newRuleFields,
	updateSchema: async (_tx, _websiteId, { kind, test, values }) =>
		updateTrafficRuleBody.transform((rule, context) => {
			// A new kind has its own default test.
			const kept = rule.kind === undefined || rule.kind === kind ? test : undefined;
			return {
				...rule,
				...readCondition(
					{ kind: rule.kind ?? kind, test: rule.test ?? kept, values: rule.values ?? values },
					context,
				),
			};
		}),
	toColumns: ({ name, kind, test, values, enabled }) => ({
		name: sql`${value(name)}`,
		kind: sql`${value(kind)}`,
		test: sql`${value(test)}`,
		entries: sql`${value(values)}`,
		enabled: sql`${value(enabled)}`,
	}),
	refuse: refuseTooMany,
	changed: announce,
};
