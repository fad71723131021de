import { z } from 'zod';
import { problem } from './envelopes.ts';
import { readWords } from './fields.ts';
import { changeSettingsBody } from './settings.ts';
import { goalList } from './website-templates.ts';
import { createWebsiteBody, template_id, updateWebsiteBody, websiteRecord } from './websites.ts';

/** Websites of one request. */
export const maxBulk = 1_000;

const idsFault = `The website_ids field must be a list of 1 to ${maxBulk.toLocaleString('en')} ids of websites.`;
const website_ids = z
	.array(z.int({ error: idsFault }).positive({ error: idsFault }), { error: idsFault })
	.min(1, { error: idsFault })
	.max(maxBulk, { error: idsFault })
	.meta({ description: 'The websites to change, in this order. Repeated ids count once.' });

const labelsFault = 'The labels field must be a list of labels.';
const labels = z
	.preprocess(readWords, z.array(z.string(), { error: labelsFault }).min(1, { error: labelsFault }))
	.meta({
		description: 'Instead of `website_ids`: all websites that have one of these labels, oldest first.',
	});

const labelChange = changeSettingsBody.shape.labels.unwrap();

export const bulkChangeBody = z
	.object({
		website_ids: website_ids.optional(),
		labels: labels.optional(),
		template_id: template_id.optional().meta({ description: 'Applies a template before everything else.' }),
		website: z
			.object(updateWebsiteBody.omit({ password: true }).shape, {
				error: 'The website field must be an object.',
			})
			.optional()
			.meta({ description: 'Fields of the website record, without a password.' }),
		settings: z
			.object(changeSettingsBody.omit({ recipients: true }).shape, {
				error: 'The settings field must be an object.',
			})
			.optional()
			.meta({ description: 'Settings, without `recipients`.' }),
		add_labels: labelChange.optional().meta({ description: 'Labels to add.' }),
		remove_labels: labelChange.optional().meta({ description: 'Labels to remove.' }),
		goals: goalList.optional().meta({
			description: 'Goals. A goal with this name is changed, otherwise one is created.',
		}),
	})
	.meta({ id: 'BulkChange' });

const websitesFault = `The websites field must be a list of 1 to ${maxBulk.toLocaleString('en')} new websites.`;

const websitesOf = <T extends z.ZodType>(entry: T) =>
	z
		.array(entry, { error: websitesFault })
		.min(1, { error: websitesFault })
		.max(maxBulk, { error: websitesFault })
		.meta({ description: 'The websites, each as for `POST /websites`, without a password.' });

export const bulkCreateBody = z
	.object({
		template_id: template_id
			.optional()
			.meta({ description: 'A template for all of them. Fields that a website has replace it.' }),
		websites: websitesOf(z.object(createWebsiteBody.omit({ password: true, template_id: true }).shape)),
	})
	.meta({ id: 'BulkCreate' });

/** Each website is checked by itself, so that a faulty one does not stop the others. */
export const bulkCreateFields = bulkCreateBody.extend({
	websites: websitesOf(z.record(z.string(), z.unknown(), { error: websitesFault })),
});

/** Each website has `data` or `error`. */
export const bulkAnswer = z.object({
	data: z.array(
		z
			.object({
				id: z.int().positive().nullable().meta({ description: 'Null if the website was not created.' }),
				status: z.int().meta({ description: 'What the request for this website alone would have returned.' }),
				data: websiteRecord.optional(),
				error: problem.optional(),
			})
			.meta({ id: 'BulkResult' }),
	),
	meta: z.object({
		total: z.int().nonnegative(),
		succeeded: z.int().nonnegative(),
		failed: z.int().nonnegative(),
	}),
});

export type BulkResult = z.output<typeof bulkAnswer>['data'][number];
