import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, shortText } from './fields.ts';
import { isFunnelPage, maxSteps, minSteps } from './funnels.ts';
import { createGoalBody, goalRecord } from './goals.ts';
import { pathGroupsRecord, pathRulesBody } from './path-groups.ts';
import { createSegmentBody, segmentRecord } from './segments.ts';
import { changeSettingsBody, websiteSettings } from './settings.ts';
import { createTrafficRuleBody, trafficRuleRecord } from './traffic-rules.ts';
import { updateWebsiteBody, websiteRecord } from './websites.ts';

export const maxTemplates = 50;

/** Each entry costs every website of a bulk request some statements. */
const maxTemplateItems = 50;

/** What all websites of a template have in common: no password, no favorite. */
const templateWebsite = updateWebsiteBody.omit({ password: true, favorite: true });

/** No hostnames and no recipients: these belong to one website. */
const templateSettings = changeSettingsBody.omit({ hostnames: true, recipients: true });

type IssueAt = { path?: readonly PropertyKey[] | undefined };
const stepFault = ({ path }: IssueAt) =>
	`Step ${Number(path?.at(-1)) + 1} must be {"goal": "NAME"} with the name of a goal of the template, or {"page": "/path"}.`;

const step = z.union(
	[
		z.strictObject({ goal: z.string() }),
		z.strictObject({ page: z.string().refine(isFunnelPage, { abort: true }) }),
	],
	{ error: stepFault },
);

const stepsFault = `The steps field must be a list of ${minSteps} to ${maxSteps} steps.`;
const templateFunnel = z.object({
	name: shortText('name', 100),
	steps: z
		.array(step, { error: stepsFault })
		.min(minSteps, { error: stepsFault })
		.max(maxSteps, { error: stepsFault }),
});

/** A list of records of one kind. */
export const listOf = <T extends z.ZodType>(name: string, entry: T) =>
	z.array(entry, { error: `The ${name} field must be a list.` }).max(maxTemplateItems, {
		error: `The ${name} field must not have more than ${maxTemplateItems} entries.`,
	});

const part = (name: string) => ({ error: `The ${name} field must be an object.` });

export const goalList = listOf('goals', createGoalBody);

/** The parts of a template. What is left out stays as it is, on websites too. */
export const templateParts = z.object({
	website: z
		.object(templateWebsite.shape, part('website'))
		.optional()
		.meta({ description: 'Fields of the website record, without a password and `favorite`.' }),
	settings: z
		.object(templateSettings.shape, part('settings'))
		.optional()
		.meta({ description: 'Settings, without `hostnames` and `recipients`.' }),
	goals: goalList.optional().meta({ description: 'Goals with different names.' }),
	funnels: listOf('funnels', templateFunnel)
		.optional()
		.meta({ description: 'Funnels whose steps name goals of the template: `{"goal": "NAME"}`.' }),
	segments: listOf('segments', createSegmentBody).optional().meta({
		description: 'Segments. Filters by `goal` have names of goals of the template instead of ids.',
	}),
	path_groups: pathRulesBody.shape.rules.optional(),
	traffic_rules: listOf('traffic_rules', createTrafficRuleBody).optional(),
});

const name = shortText('name', 100).meta({
	description: 'Unique within the account, case-sensitive.',
	examples: ['Customer website'],
});

const from_website_id = z
	.preprocess(
		readInteger,
		z.int({ error: 'The from_website_id field must be the id of a website.' }).positive({
			error: 'The from_website_id field must be the id of a website.',
		}),
	)
	.meta({
		description:
			'Copies everything that a template can have from this website. Parts that you send replace it.',
	});

export const createTemplateBody = templateParts
	.extend({ name, from_website_id: from_website_id.optional() })
	.meta({ id: 'NewWebsiteTemplate' });

export const updateTemplateBody = templateParts
	.extend({ name: name.optional() })
	.meta({ id: 'WebsiteTemplateChange' });

export const listTemplatesQuery = z.object(pageParameters);

const { privacy, email, exclude_bots, exclude_params, exclude_ips, timezone } = websiteRecord.shape;
const { honour_signals, labels, retention_months, indexable, embed_origins } = websiteSettings.shape;
const namedOnly = { id: true, created_at: true, updated_at: true } as const;

export const templateRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		website: z.object({ privacy, email, exclude_bots, exclude_params, exclude_ips, timezone }).partial(),
		settings: z.object({ honour_signals, labels, retention_months, indexable, embed_origins }).partial(),
		goals: z.array(goalRecord.omit(namedOnly)),
		funnels: z.array(
			z.object({
				name: z.string(),
				steps: z.array(z.union([z.object({ goal: z.string() }), z.object({ page: z.string() })])),
			}),
		),
		segments: z.array(segmentRecord.omit(namedOnly)),
		path_groups: pathGroupsRecord.shape.rules,
		traffic_rules: z.array(trafficRuleRecord.omit(namedOnly)),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'WebsiteTemplate' });

export type TemplateRecord = z.output<typeof templateRecord>;

export const deletedTemplate = deleted('website_template', 'DeletedWebsiteTemplate');
