/**
 * The traffic rules of a website, compiled once when its settings are loaded. A hit is looked up in maps, so most tests take the same
 * time for one value as for thousands. Only `contains`, `wildcard` and networks are compared one by one, and their number is limited.
 * No test uses a regular expression, so none backtracks.
 */
import type { BlockList } from 'node:net';
import { blockListOf, listHas } from '../../lib/networks.ts';
import type { Operator } from '../steps/step.ts';

export type RuleKind =
	| 'path'
	| 'hostname'
	| 'country'
	| 'referrer'
	| 'campaign'
	| 'user_agent'
	| 'network'
	| 'operator';
type RuleTest = 'is' | 'domain' | 'contains' | 'starts_with' | 'ends_with' | 'wildcard';

/** A rule as PostgreSQL returns it. */
export type RuleRow = { id: number; kind: RuleKind; test: RuleTest; values: readonly string[] };

export type TextKind = Exclude<RuleKind, 'network' | 'operator'>;

/** By kind, in the order in which kinds are compared. A kind without rules is missing. */
export type TrafficRules = {
	/** Of the rules that it was compiled from. */
	version: string;
	texts: readonly { kind: TextKind; matcher: TextMatcher }[];
	networks: { all: BlockList; byRule: readonly { id: number; list: BlockList }[] } | undefined;
	/** `AS` with a number, and parts of names. */
	operators: { number: TextMatcher; name: TextMatcher } | undefined;
};

const textKinds = [
	'user_agent',
	'hostname',
	'path',
	'referrer',
	'campaign',
	'country',
] as const satisfies readonly TextKind[];

/** The rules must be sorted by id. */
export function compileRules(rows: readonly RuleRow[], version: string): TrafficRules | undefined {
	if (rows.length === 0) return undefined;
	const networks = rows.filter(({ kind }) => kind === 'network');
	const operators = rows.filter(({ kind }) => kind === 'operator');
	return {
		version,
		texts: textKinds.flatMap((kind) => {
			const ofKind = rows.filter((row) => row.kind === kind);
			return ofKind.length > 0 ? [{ kind, matcher: compileTexts(ofKind) }] : [];
		}),
		networks:
			networks.length > 0
				? {
						all: blockListOf(networks.flatMap(({ values }) => values)),
						byRule: networks.map(({ id, values }) => ({ id, list: blockListOf(values) })),
					}
				: undefined,
		operators:
			operators.length > 0
				? {
						number: compileTexts(operators.filter(({ test }) => test === 'is')),
						name: compileTexts(operators.filter(({ test }) => test === 'contains')),
					}
				: undefined,
	};
}

/** The oldest rule whose networks have the address. */
export function findNetworkRule({ networks }: TrafficRules, address: string): number | undefined {
	if (!networks || !listHas(networks.all, address)) return undefined;
	return networks.byRule.find(({ list }) => listHas(list, address))?.id;
}

/** The oldest rule that names the operator of a network. */
export function findOperatorRule(
	{ number, name }: NonNullable<TrafficRules['operators']>,
	operator: Operator,
): number | undefined {
	const ids = [number(`AS${operator.number}`), name(operator.name.toLowerCase())];
	return ids.filter((id) => id !== undefined).sort((a, b) => a - b)[0];
}

/** The oldest rule of its kind that matches a text, if any. */
type TextMatcher = (text: string) => number | undefined;

/** Values with the id of the oldest rule that has them. */
type Entries = Map<string, number>;

function compileTexts(rules: readonly RuleRow[]): TextMatcher {
	const ofTest = (test: RuleTest): Entries => {
		const entries: Entries = new Map();
		for (const { id, kind, values } of rules.filter((rule) => rule.test === test))
			for (const value of values) {
				const ignoresCase = kind === 'user_agent' || (kind === 'operator' && test === 'contains');
				const key = ignoresCase ? value.toLowerCase() : value;
				if (!entries.has(key)) entries.set(key, id);
			}
		return entries;
	};
	const is = ofTest('is');
	const domains = ofTest('domain');
	const starts = byLength(ofTest('starts_with'));
	const ends = byLength(ofTest('ends_with'));
	const parts = [...ofTest('contains')];
	const patterns = [...ofTest('wildcard')].map(([value, id]) => ({ pieces: value.split('*'), id }));
	return (text) => {
		let oldest = is.get(text);
		const found = (id: number | undefined) => {
			if (id !== undefined && (oldest === undefined || id < oldest)) oldest = id;
		};
		if (domains.size > 0) for (const domain of domainsOf(text)) found(domains.get(domain));
		for (const [length, entries] of starts) found(entries.get(text.slice(0, length)));
		for (const [length, entries] of ends)
			if (length <= text.length) found(entries.get(text.slice(text.length - length)));
		for (const [part, id] of parts) if (text.includes(part)) found(id);
		for (const { pieces, id } of patterns) if (passesWildcard(text, pieces)) found(id);
		return oldest;
	};
}

function byLength(entries: Entries): Map<number, Entries> {
	const lengths = new Map<number, Entries>();
	for (const [value, id] of entries) {
		const sameLength = lengths.get(value.length) ?? new Map();
		lengths.set(value.length, sameLength.set(value, id));
	}
	return lengths;
}

/** The host of a text and the domains above it: `a.b.example` has `a.b.example`, `b.example` and `example`. */
function* domainsOf(text: string): Generator<string> {
	let [host = ''] = text.split('/', 1);
	for (;;) {
		yield host;
		const dot = host.indexOf('.');
		if (dot < 0) return;
		host = host.slice(dot + 1);
	}
}

/** `pieces` are the texts between the wildcards. Each is looked for once, from left to right. */
function passesWildcard(text: string, pieces: readonly string[]): boolean {
	const [first = '', ...others] = pieces;
	const last = others.pop();
	if (last === undefined) return text === first;
	const end = text.length - last.length;
	if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
	let from = first.length;
	for (const piece of others) {
		const position = text.indexOf(piece, from);
		if (position < 0 || position + piece.length > end) return false;
		from = position + piece.length;
	}
	return true;
}
