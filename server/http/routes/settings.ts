import { z } from 'zod';
import { one } from '../../../api/envelopes.ts';
import { changeSettingsBody, type WebsiteSettingsRecord, websiteSettings } from '../../../api/settings.ts';
import {
	changedSettingsFields,
	getSettings,
	resetWebsite,
	updateSettings,
	type WebsiteSettings,
} from '../../websites/settings.ts';
import { getWebsite } from '../../websites/websites.ts';
import { json, nullAsEmpty, type Route, readId } from '../call.ts';
import { readFields, wanted } from '../read-body.ts';
import { validate } from '../validate.ts';

const settingsFields = wanted(changeSettingsBody, ['hostnames', 'labels', 'embed_origins']);

function toRecord(settings: WebsiteSettings): WebsiteSettingsRecord {
	const { hostnames, honourSignals, labels, retentionMonths, isIndexable, embedOrigins } = settings;
	return {
		hostnames,
		honour_signals: honourSignals ? 1 : 0,
		labels,
		retention_months: retentionMonths,
		indexable: isIndexable ? 1 : 0,
		embed_origins: embedOrigins,
	};
}

export const settingsRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/settings',
		action: 'website.read',
		operationId: 'getSettings',
		summary: 'Get the settings of a website',
		about: 'What belongs to a website beyond its record.',
		answer: { status: 200, schema: one(websiteSettings), about: 'The settings.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) =>
			json(200, { data: toRecord(await getSettings(postgres, call.principal, readId(call))) }),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/websites/:id/settings',
		action: 'website.update',
		operationId: 'updateSettings',
		summary: 'Update the settings of a website',
		about: 'Changes the settings that are sent; collectors follow within a second.',
		body: changeSettingsBody,
		answer: { status: 200, schema: one(websiteSettings), about: 'The settings as they are now.' },
		errors: [
			'bad_request',
			'forbidden',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: async (call, { postgres }) => {
			const id = readId(call);
			await getWebsite(postgres, call.principal, 'website.update', id);
			const fields = validate(changedSettingsFields, nullAsEmpty(readFields(call.body, settingsFields)));
			return json(200, { data: toRecord(await updateSettings(postgres, call.principal, id, fields)) });
		},
	},
	{
		methods: ['POST'],
		path: '/websites/:id/reset',
		action: 'website.reset',
		operationId: 'resetWebsite',
		summary: 'Empty the statistics of a website',
		about: 'Deletes everything that was counted. The website, its id and its settings stay.',
		answer: {
			status: 200,
			schema: one(z.object({ id: z.int().positive(), object: z.literal('website'), reset: z.literal(true) })),
			about: 'Its statistics are gone.',
		},
		errors: ['forbidden', 'not_found'],
		handle: async (call, { postgres, now }) => {
			const id = readId(call);
			await resetWebsite(postgres, now, call.principal, id);
			return json(200, { data: { id, object: 'website', reset: true } });
		},
	},
];
