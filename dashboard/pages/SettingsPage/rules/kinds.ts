import type { DeletionField } from '../../../../api/deletions.ts';
import type { RuleKind, RuleTest } from '../../../../api/traffic-rules.ts';

export type Kind = RuleKind;
export type Test = RuleTest;

const textTests = ['is', 'contains', 'starts_with', 'ends_with', 'wildcard'] as const;

/** What conditions of rules and deletions compare: an example, and the tests, as the API has them. The first test is the default. */
export const comparisons: Readonly<
	Record<Kind | DeletionField, { example: string; tests: readonly [Test, ...Test[]] }>
> = {
	path: { example: '/admin', tests: textTests },
	query: { example: 'email=', tests: textTests },
	title: { example: 'Order of Jane Doe', tests: textTests },
	hostname: {
		example: 'staging.example.com',
		tests: ['is', 'domain', 'contains', 'starts_with', 'ends_with', 'wildcard'],
	},
	country: { example: 'DE', tests: ['is'] },
	referrer: { example: 'spam.example', tests: ['domain', ...textTests] },
	campaign: { example: 'test', tests: textTests },
	event: { example: 'signup', tests: textTests },
	property: { example: 'jane@example.com', tests: textTests },
	user_agent: { example: 'UptimeRobot', tests: ['contains', 'is', 'starts_with', 'ends_with', 'wildcard'] },
	network: { example: '203.0.113.0/24', tests: ['is'] },
	operator: { example: 'AS64500', tests: ['is', 'contains'] },
};

export const ruleKinds = [
	'path',
	'hostname',
	'country',
	'referrer',
	'campaign',
	'user_agent',
	'network',
	'operator',
] as const satisfies readonly Kind[];

export const deletionFields = [
	'path',
	'query',
	'title',
	'hostname',
	'referrer',
	'campaign',
	'country',
	'event',
	'property',
] as const satisfies readonly DeletionField[];

/** Events store what the kind compares, so that a rule can also be applied to earlier ones. */
export const isStored = (kind: Kind): boolean => deletionFields.some((field) => field === kind);
