import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { isStorable, readJson, readSwitch, sentSwitch, shortText } from './fields.ts';

export const ruleKinds = [
	'path',
	'hostname',
	'country',
	'referrer',
	'campaign',
	'user_agent',
	'network',
	'operator',
] as const;
export type RuleKind = (typeof ruleKinds)[number];

export const ruleTests = ['is', 'domain', 'contains', 'starts_with', 'ends_with', 'wildcard'] as const;
export type RuleTest = (typeof ruleTests)[number];

const textTests = ['is', 'contains', 'starts_with', 'ends_with', 'wildcard'] as const;

/** The tests of each kind; the first is the default. */
export const testsOfKind: Readonly<Record<RuleKind, readonly [RuleTest, ...RuleTest[]]>> = {
	path: textTests,
	hostname: ['is', 'domain', 'contains', 'starts_with', 'ends_with', 'wildcard'],
	country: ['is'],
	referrer: ['domain', 'is', 'contains', 'starts_with', 'ends_with', 'wildcard'],
	campaign: textTests,
	user_agent: ['contains', 'is', 'starts_with', 'ends_with', 'wildcard'],
	network: ['is'],
	operator: ['is', 'contains'],
};

export const maxRuleValues = 5_000;
const maxValueLength = 255;

const typeFault =
	'The values field must be a list of texts, or a text with one value per line, with at least one value.';

/** One value per line, or a list. Blanks around values and empty lines are dropped. */
export const ruleValues = z
	.preprocess(
		(input) => (typeof input === 'string' && Array.isArray(readJson(input)) ? readJson(input) : input),
		z.union([z.string(), z.array(z.string(), { error: typeFault })], { error: typeFault }),
	)
	.transform((sent, context) => {
		const fault = (message: string) => {
			context.addIssue({ code: 'custom', message });
			return z.NEVER;
		};
		const lines = [sent]
			.flat()
			.flatMap((text) => text.split(/\r\n|[\r\n]/))
			.map((line) => line.trim())
			.filter((line) => line !== '');
		if (lines.length === 0) return fault(typeFault);
		if (new Set(lines).size > maxRuleValues)
			return fault(`The values field must not have more than ${maxRuleValues.toLocaleString('en')} values.`);
		for (const [index, line] of lines.entries()) {
			if (!isStorable(line)) return fault(`Value ${index + 1} contains characters that cannot be stored.`);
			if ([...line].length > maxValueLength)
				return fault(
					`Value ${index + 1} must not have more than ${maxValueLength} characters: ${line.slice(0, 40)}…`,
				);
		}
		return lines.map((line) => line.normalize('NFC'));
	})
	.meta({
		sent: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
		description: `1 to ${maxRuleValues.toLocaleString('en')} values of up to ${maxValueLength} characters. A hit that matches any of them is dropped. As a list, or as a text with one value per line.`,
	});

const enabled = z
	.preprocess(
		readSwitch,
		z
			.union([z.literal(0), z.literal(1)], { error: 'The enabled field must be true or false.' })
			.transform((value) => value === 1),
	)
	.meta({ ...sentSwitch, description: 'Whether the rule drops hits. Default: true.' });

const condition = {
	kind: z.literal(ruleKinds, { error: `The kind field must be one of: ${ruleKinds.join(', ')}.` }).meta({
		description:
			'What the rule compares. `path`, `hostname`, `country`, `referrer` and `campaign` (`utm_campaign`) are compared as statistics store them, `user_agent` and `network` (the IP address) as the browser sends them. `operator` is the network operator that the IP address belongs to: the number of its autonomous system (`is`, such as `AS64500`) or a part of its name (`contains`). It needs the database that `tidemark geo update --operators` installs; without it, rules of this kind match nothing.',
	}),
	test: z
		.literal(ruleTests, { error: `The test field must be one of: ${ruleTests.join(', ')}.` })
		.optional()
		.meta({
			description:
				'How it is compared. `domain`, for `hostname` and `referrer`: this domain and everything below it. `country` and `network` only have `is`, `operator` has `is` and `contains`. Default: `domain` for `referrer`, `contains` for `user_agent`, otherwise `is`.',
		}),
	values: ruleValues,
};

/** What create takes. */
export const createTrafficRuleBody = z
	.object({
		name: shortText('name', 100).meta({
			description: 'Unique within the website, case-sensitive.',
			examples: ['Referrer spam'],
		}),
		...condition,
		enabled: enabled.optional(),
	})
	.meta({ id: 'NewTrafficRule' });

/** What update takes. What is left out stays as it is. */
export const updateTrafficRuleBody = createTrafficRuleBody.partial().meta({ id: 'TrafficRuleChange' });

export const listTrafficRulesQuery = z.object(pageParameters);

export const trafficRuleRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		kind: z.literal(ruleKinds),
		test: z.literal(ruleTests),
		values: z.array(z.string()),
		enabled: z.boolean(),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'TrafficRule' });

export const deletedTrafficRule = deleted('traffic_rule', 'DeletedTrafficRule');

/** What the preview takes: a rule without a name. */
export const previewTrafficRuleBody = z.object(condition).meta({ id: 'TrafficRulePreview' });

const count = z.int().nonnegative();

export const trafficRulePreview = z.object({
	matches: z.object({ visits: count, visitors: count, pageviews: count }).nullable().meta({
		description: 'Statistics of the visits that the condition selects, as a filter. Null: see `reason`.',
	}),
	reason: z.literal(['not_stored', 'too_many_values', 'not_available']).nullable().meta({
		description:
			'`not_stored`: user agents, IP addresses and their network operators are not stored, so earlier visits cannot be compared. `too_many_values`: more than 1,000 values. `not_available`: some of these days have no visit-level data.',
	}),
	missing: z.literal('operator_database').nullable().meta({
		description:
			'`operator_database`: the database of network operators is not installed, so a rule of the kind `operator` matches nothing. The operator of the service installs it with `tidemark geo update --operators`. Null: nothing is missing.',
	}),
	from: z.iso.date(),
	to: z.iso.date(),
});
