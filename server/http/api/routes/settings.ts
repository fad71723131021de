import { z } from 'zod';
import { singleRecord } from '../../../../api/envelopes.ts';
import { changeSettingsBody, type WebsiteSettingsRecord, websiteSettings } from '../../../../api/settings.ts';
import { authorize, requirePermission } from '../../../accounts/authorize.ts';
import { AppError } from '../../../lib/app-error.ts';
import {
	compareRecipients,
	listRecipientsOf,
	requestBuckets,
	setRecipients,
	stateOf,
} from '../../../notify/mail/recipients.ts';
import {
	changedSettingsFields,
	readSettings,
	resetWebsite,
	updateSettings,
	type WebsiteSettings,
} from '../../../websites/settings.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import {
	type ApiResponse,
	json,
	nullAsEmpty,
	type Services,
	type WebsiteRequest,
	type WebsiteRoute,
} from '../route.ts';

const settingsFields = knownFields(changeSettingsBody, [
	'hostnames',
	'labels',
	'embed_origins',
	'recipients',
]);

async function toAnswer(
	{ principal, website }: WebsiteRequest,
	{ postgres, now }: Services,
	settings: WebsiteSettings,
): Promise<ApiResponse> {
	const { hostnames, honourSignals, labels, retentionMonths, isIndexable, embedOrigins } = settings;
	const mayRead = authorize(principal, 'recipients.read', website) === 'allowed';
	const recipients = mayRead ? await listRecipientsOf(postgres, website) : null;
	const record: WebsiteSettingsRecord = {
		hostnames,
		honour_signals: honourSignals ? 1 : 0,
		labels,
		retention_months: retentionMonths,
		indexable: isIndexable ? 1 : 0,
		embed_origins: embedOrigins,
		recipients:
			recipients?.map((recipient) => ({ email: recipient.address, state: stateOf(recipient, now()) })) ??
			null,
	};
	return json(200, { data: record });
}

const update: WebsiteRoute['handle'] = async (call, services) => {
	const { postgres, alerts, attempts } = services;
	const { principal, website } = call;
	const { recipients: sent, ...others } = readFields(call.body, settingsFields);
	// Callers who may not see the recipients read null; sending it back changes nothing.
	const changes = { ...others, ...(sent !== null && sent !== undefined && { recipients: sent }) };
	const fields = validate(changedSettingsFields, nullAsEmpty(changes));
	const { recipients } = fields;
	if (recipients) {
		const { added, removed } = compareRecipients(await listRecipientsOf(postgres, website), recipients);
		if (added.length + removed.length > 0) requirePermission(principal, 'recipients.change', website);
		if (added.length > 0 && !alerts.hasMail)
			throw new AppError('unavailable', 'This service has no mail server, so recipients cannot be added.');
		for (const address of added) await attempts.take(requestBuckets(website.accountId, address));
	}
	const settings = await updateSettings(postgres, principal, website.id, fields, async (tx, stored) => {
		if (!recipients) return;
		const { added, removed } = compareRecipients(await listRecipientsOf(tx, stored), recipients);
		if (added.length + removed.length === 0) return;
		requirePermission(principal, 'recipients.change', stored);
		await setRecipients(tx, alerts, stored, recipients);
	});
	return toAnswer(call, services, settings);
};

export const settingsRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/settings',
		action: 'website.settings',
		operationId: 'getSettings',
		summary: 'Get the settings of a website',
		description: 'Returns the settings of a website that are not part of its record.',
		response: { status: 200, schema: singleRecord(websiteSettings), description: 'The settings.' },
		errors: ['not_found'],
		handle: async (call, services) =>
			toAnswer(call, services, await readSettings(services.postgres, call.website.id)),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/websites/:id/settings',
		action: 'website.update',
		operationId: 'updateSettings',
		summary: 'Update the settings of a website',
		description: 'Changes the settings that you send. They take effect on collection within a second.',
		body: changeSettingsBody,
		response: { status: 200, schema: singleRecord(websiteSettings), description: 'The updated settings.' },
		errors: [
			'bad_request',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: update,
	},
	{
		methods: ['POST'],
		path: '/websites/:id/reset',
		action: 'website.reset',
		operationId: 'resetWebsite',
		summary: 'Reset the statistics of a website',
		description: 'Deletes all statistics. The website, its id and its settings stay.',
		response: {
			status: 200,
			schema: singleRecord(
				z.object({ id: z.int().positive(), object: z.literal('website'), reset: z.literal(true) }),
			),
			description: 'The statistics were deleted.',
		},
		errors: ['not_found'],
		handle: async (call, { postgres, now }) => {
			const { id } = call.website;
			await resetWebsite(postgres, now, call.principal, id);
			return json(200, { data: { id, object: 'website', reset: true } });
		},
	},
];
