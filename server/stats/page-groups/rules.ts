/**
 * Rules that group pages: `/product/*` becomes `/product/:id`. The first rule whose pattern fits decides. docs/definitions.md describes
 * patterns and targets; api/path-groups.ts checks them.
 *
 * Each path is compared with all rules when a question is answered, so a changed rule applies to the past. Paths of visits are codes of a
 * dictionary, and ClickHouse evaluates functions of one such column once per code (docs/decisions/0024-page-groups.md).
 */
import { param, type Sql, sql } from '../../store/sql.ts';

export type PathRule = { pattern: string; target: string };

/** The wildcards that the target names, by their number. */
const namedIn = (target: string): Set<string> => new Set(target.match(/(?<=\$)[1-9]/g));

/**
 * The rule as a regular expression in RE2 syntax, with a group for each wildcard that the target names: RE2 takes far longer to find groups than to say whether an expression fits.
 */
export function toExpression({ pattern, target }: PathRule): { expression: string; groups: string[] } {
	const named = namedIn(target);
	const groups: string[] = [];
	let nth = 0;
	const parts = pattern.split(/(\*\*?)/).map((part) => {
		if (!part.startsWith('*')) return part.replace(/[\\.+?()|[\]{}^$]/g, '\\$&');
		const wildcard = part === '**' ? '[\\s\\S]*' : '[^/]+';
		if (!named.has(`${++nth}`)) return wildcard;
		groups.push(`${nth}`);
		return `(${wildcard})`;
	});
	return { expression: `^${parts.join('')}$`, groups };
}

/** Begins a path that a rule has replaced: patterns begin with a slash, so no later rule fits. No path contains it. */
const mark = '\u0001';

/** The path, or what the rule makes of it. In `replaceRegexpOne`, `\1` is a group; targets have no backslashes of their own. */
function replaceBy(path: Sql, rule: PathRule): Sql {
	const { expression, groups } = toExpression(rule);
	const group = (_: string, nth: string) => `\\${groups.indexOf(nth) + 1}`;
	const replacement = rule.target.replace(/\$([1-9])/g, group);
	return sql`replaceRegexpOne(${path}, ${param('String', expression)}, ${param('String', mark + replacement)})`;
}

/** The groups of the events of a visit, from its `paths` and `routes`. */
export function pageGroupsOf(rules: readonly PathRule[]): Sql {
	// Lambdas get texts instead of codes.
	const replaced = rules.reduce(replaceBy, sql`toLowCardinality(path)`);
	const groups =
		rules.length === 0
			? sql`paths`
			: sql`arrayMap(path -> replaceOne(${replaced}, ${param('String', mark)}, ''), paths)`;
	// Visits that were derived before routes existed have none.
	return sql`arrayMap((path, route) -> if(route = '', path, route), ${groups}, arrayResize(routes, length(paths)))`;
}

type Segment = { prefix: string; suffix: string };

/** A pattern as its segments. Those without a wildcard have no suffix. */
type Pattern = { segments: (string | Segment)[]; hasRest: boolean };

function toPattern(pattern: string): Pattern {
	const segments = pattern.split('/');
	const hasRest = segments.at(-1) === '**';
	return {
		segments: (hasRest ? segments.slice(0, -1) : segments).map((segment) => {
			const [prefix = '', suffix] = segment.split('*');
			return suffix === undefined ? segment : { prefix, suffix };
		}),
		hasRest,
	};
}

/** What the wildcards match, or undefined. Unlike a regular expression it takes time in proportion to the path, whatever the pattern. */
function matchPattern({ segments, hasRest }: Pattern, parts: readonly string[]): string[] | undefined {
	if (hasRest ? parts.length <= segments.length : parts.length !== segments.length) return undefined;
	const matched: string[] = [];
	for (const [index, segment] of segments.entries()) {
		const part = parts[index] ?? '';
		if (typeof segment === 'string') {
			if (part !== segment) return undefined;
			continue;
		}
		const { prefix, suffix } = segment;
		if (part.length <= prefix.length + suffix.length) return undefined;
		if (!part.startsWith(prefix) || !part.endsWith(suffix)) return undefined;
		matched.push(part.slice(prefix.length, part.length - suffix.length));
	}
	if (hasRest) matched.push(parts.slice(segments.length).join('/'));
	return matched;
}

/** Finds the rule that a path belongs to, and the group that it makes of it. */
export function createMatcher(
	rules: readonly PathRule[],
): (path: string) => { index: number; group: string } | undefined {
	const patterns = rules.map(({ pattern, target }) => ({ pattern: toPattern(pattern), target }));
	return (path) => {
		const parts = path.split('/');
		for (const [index, { pattern, target }] of patterns.entries()) {
			const matched = matchPattern(pattern, parts);
			if (matched)
				return { index, group: target.replace(/\$([1-9])/g, (_, nth) => matched[Number(nth) - 1] ?? '') };
		}
		return undefined;
	};
}
