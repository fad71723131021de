import type { TrafficRule } from '../../../rules-client.ts';

type Kind = TrafficRule['kind'];
type Test = TrafficRule['test'];

const textTests = ['is', 'contains', 'starts_with', 'ends_with', 'wildcard'] as const;

/** What a rule can compare: an example, and its tests, as the service has them. The first is chosen at first. */
export const ruleKinds: Readonly<Record<Kind, { example: string; tests: readonly [Test, ...Test[]] }>> = {
	path: { example: '/admin', tests: textTests },
	hostname: {
		example: 'staging.example.com',
		tests: ['is', 'domain', 'contains', 'starts_with', 'ends_with', 'wildcard'],
	},
	country: { example: 'DE', tests: ['is'] },
	referrer: { example: 'spam.example', tests: ['domain', ...textTests] },
	campaign: { example: 'test', tests: textTests },
	user_agent: { example: 'UptimeRobot', tests: ['contains', 'is', 'starts_with', 'ends_with', 'wildcard'] },
	network: { example: '203.0.113.0/24', tests: ['is'] },
};

/** In the order of the table, which Object.keys forgets. */
export const kindNames = Object.keys(ruleKinds) as Kind[];
