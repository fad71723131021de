import { z } from 'zod';
import { isStorable, readJson } from './fields.ts';
import { propertiesAnswer } from './vitals.ts';

const maxPathRules = 100;
const maxLength = 300;

/** Each segment of a path may have one `*`, and the last one may be `**`. */
const isPattern = (text: string): boolean =>
	text.startsWith('/') &&
	text
		.split('/')
		.every(
			(segment, index, all) =>
				segment.split('*').length <= 2 || (segment === '**' && index === all.length - 1),
		);

const countWildcards = (pattern: string): number => pattern.match(/\*\*?/g)?.length ?? 0;

const isShort = (text: string): boolean =>
	[...text].length <= maxLength && isStorable(text) && !/\p{Cc}/u.test(text);

type IssueAt = { path?: readonly PropertyKey[] | undefined };
const ruleAt = ({ path }: IssueAt): string => `Rule ${Number(path?.[1]) + 1}`;

const patternFault = (issue: IssueAt) =>
	`${ruleAt(issue)}: the pattern must be a path of up to ${maxLength} characters that begins with /. A segment can have one *, and the last segment can be **.`;
const targetFault = (issue: IssueAt) =>
	`${ruleAt(issue)}: the target must have 1 to ${maxLength} characters, and no backslash.`;

// Each part gives up at its first fault.
const sentRule = z
	.object(
		{
			pattern: z
				.string({ error: patternFault })
				.trim()
				.normalize('NFC')
				.refine((text) => isShort(text) && isPattern(text), { error: patternFault, abort: true }),
			target: z
				.string({ error: targetFault })
				.trim()
				.normalize('NFC')
				.refine((text) => text !== '' && isShort(text) && !text.includes('\\'), {
					error: targetFault,
					abort: true,
				}),
		},
		{ error: (issue) => `${ruleAt(issue)} must be an object with pattern and target.` },
	)
	.refine(
		({ pattern, target }) =>
			(target.match(/\$[1-9]/g) ?? []).every((name) => Number(name.slice(1)) <= countWildcards(pattern)),
		{ error: (issue) => `${ruleAt(issue)}: the target names a wildcard that the pattern does not have.` },
	)
	.meta({ id: 'PathRule' });

/** What `PUT /websites/{id}/path-groups` and its preview take. */
export const pathRulesBody = z
	.object({
		rules: z
			.preprocess(
				readJson,
				z
					.array(sentRule, { error: 'The rules field must be a list of rules.' })
					.max(maxPathRules, { error: `The rules field must not have more than ${maxPathRules} rules.` }),
			)
			.meta({
				description:
					'All rules in their order; the first whose pattern fits a path decides. In a pattern, `*` stands for one or more characters of a segment and a final `**` for the rest of the path. The target is the name of the group, in which `$1` to `$9` stand for what the wildcards matched. In a form: as JSON text.',
			}),
	})
	.meta({ id: 'PathRules' });

const rule = { pattern: z.string(), target: z.string() };

export const pathGroupsRecord = z
	.object({
		rules: z.array(z.object(rule)),
		can_undo: z.boolean().meta({ description: 'Whether there is a change to undo.' }),
		updated_at: z.iso.datetime({ precision: 3 }).nullable(),
	})
	.meta({ id: 'PathGroups' });

const count = z.int().nonnegative();
const example = z.object({ path: z.string(), group: z.string(), pageviews: count });
const { meta } = propertiesAnswer.shape;

export const previewAnswer = z.object({
	data: z.object({
		rules: z.array(
			z.object({
				...rule,
				paths: count.meta({ description: 'Number of paths that the rule groups.' }),
				pageviews: count,
				examples: z.array(example).meta({ description: 'The five paths with the most page views.' }),
			}),
		),
		unmatched: z
			.object({ paths: count, pageviews: count, examples: z.array(example) })
			.meta({ description: 'Paths that no rule groups, with the twenty most viewed.' }),
		paths: count.meta({ description: 'Number of paths in the period, without those that have a route.' }),
		compared: count.meta({ description: 'Number of these that were compared: the most viewed 10,000.' }),
	}),
	meta,
});

export const proposalsAnswer = z.object({
	data: z.array(
		z
			.object({ ...rule, paths: count, pageviews: count, examples: z.array(example) })
			.meta({ id: 'PathRuleProposal' }),
	),
	meta,
});
