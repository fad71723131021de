/**
 * Proposes rules from the paths of a website: where most segments below a path are ids or dates, or there are very many of them, they
 * become one wildcard.
 */
import { mapYielding } from '../../lib/map-yielding.ts';
import { type Matched, maxExamples, type ViewedPath } from './preview.ts';
import { createMatcher, type PathRule } from './rules.ts';

/** Fewer are no reason for a rule. */
const minIds = 3;
/** This share of the segments below a path must look like ids: `/product/new` is no id. */
const minShare = 0.8;
/** So many are one kind of page, whatever they look like. */
const maxSiblings = 50;
const maxProposals = 20;
const maxRuleLength = 300;
/** Longer paths are left alone: each segment is looked at once more. */
const maxSegments = 16;

const date = /^(?:19|20)\d\d-[01]\d-[0-3]\d$/;
const ids = [
	// 17, 17-blue-shoes, blue-shoes-17.html
	/^\d+$/,
	/^\d{2,}[-_.]/,
	/[-_]\d{2,}(?:\.\w+)?$/,
	// UUIDs and other random letters and digits.
	/^(?=.*\d)[0-9a-f]{8,}$/i,
	/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	/^(?=(?:[^\d]*\d){3})(?=.*[a-z])\w{10,}$/i,
];

const isId = (segment: string): boolean => date.test(segment) || ids.some((form) => form.test(segment));

/** What one wildcard would stand for below a path: the name of it, if there is a reason. */
function wildcardOf(segments: readonly string[], isRoot: boolean): string | undefined {
	const found = segments.filter(isId);
	if (found.length >= minIds && found.length >= minShare * segments.length)
		return found.every((segment) => date.test(segment)) ? ':date' : ':id';
	// Below the root are pages of all kinds.
	return !isRoot && segments.length > maxSiblings ? ':slug' : undefined;
}

/** A path as its segments. */
type Divided = ViewedPath & { segments: readonly string[] };
type Proposal = PathRule & Matched;

/** The rules for paths that have the same `depth` first segments, or different ones where the pattern has a wildcard. */
function* rulesOf(
	paths: readonly Divided[],
	depth: number,
	{ pattern, target }: PathRule,
): Generator<Proposal> {
	const [ended, longer] = [
		paths.filter(({ segments }) => segments.length === depth),
		paths.filter(({ segments }) => segments.length > depth),
	];
	if (ended.length >= minIds && pattern !== target) yield toProposal({ pattern, target }, ended);
	const bySegment = Map.groupBy(longer, ({ segments }) => segments[depth] ?? '');
	const named = [...bySegment.keys()].filter((segment) => segment !== '');
	const name = wildcardOf(named, depth === 0);
	const isMerged = (segment: string) => name !== undefined && segment !== '';
	// Too few paths are no reason for a rule, and one with an asterisk cannot be written as a pattern.
	for (const [segment, below] of bySegment)
		if (below.length >= minIds && !isMerged(segment) && !segment.includes('*'))
			yield* rulesOf(below, depth + 1, {
				pattern: `${pattern}/${segment}`,
				target: `${target}/${segment}`,
			});
	if (name !== undefined)
		yield* rulesOf(
			longer.filter(({ segments }) => segments[depth] !== ''),
			depth + 1,
			{ pattern: `${pattern}/*`, target: `${target}/${name}` },
		);
}

/** Counts the paths. A dollar sign before a digit would name a wildcard. */
function toProposal({ pattern, target: named }: PathRule, paths: readonly ViewedPath[]): Proposal {
	const target = named.replace(/\$+(?=[1-9])/g, '');
	return {
		pattern,
		target,
		paths: paths.length,
		pageviews: paths.reduce((sum, { views }) => sum + views, 0),
		examples: paths
			.slice(0, maxExamples)
			.map(({ path, views }) => ({ path, group: target, pageviews: views })),
	};
}

/** Rules for paths that no rule groups yet, those with the most page views first. */
export async function proposeRules(
	paths: readonly ViewedPath[],
	existing: readonly PathRule[],
	signal: AbortSignal,
): Promise<Proposal[]> {
	const find = createMatcher(existing);
	const toDivided = (viewed: ViewedPath): Divided[] => {
		if (!viewed.path.startsWith('/') || find(viewed.path)) return [];
		const segments = viewed.path.slice(1).split('/', maxSegments + 1);
		return segments.length > maxSegments ? [] : [{ ...viewed, segments }];
	};
	const free = (await mapYielding(paths, toDivided, signal)).flat();
	return [...rulesOf(free, 0, { pattern: '', target: '' })]
		.filter((rule) => Math.max(rule.pattern.length, rule.target.length) <= maxRuleLength)
		.toSorted((a, b) => b.pageviews - a.pageviews)
		.slice(0, maxProposals);
}
