import { list, singleRecord } from '../../../../api/envelopes.ts';
import {
	createWebhookBody,
	type DeliveryRecord,
	deletedWebhook,
	deliveryRecord,
	listWebhooksQuery,
	shownWebhook,
	testedWebhook,
	updateWebhookBody,
	type WebhookRecord,
	webhookLists,
	webhookRecord,
} from '../../../../api/webhooks.ts';
import { accountOf, notFound } from '../../../accounts/authorize.ts';
import { holdOwnership } from '../../../accounts/owners.ts';
import type { Queries } from '../../../store/postgres.ts';
import { sql } from '../../../store/sql.ts';
import {
	createWebhook,
	type Delivery,
	deleteWebhook,
	findWebhook,
	listDeliveries,
	listWebhooks,
	maxWebhooks,
	queueTestCall,
	replayDelivery,
	rotateWebhookSecret,
	updateWebhook,
	type Webhook,
} from '../../../webhooks/webhooks.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { validate } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import { paginate } from '../pagination.ts';
import { type AccountRoute, type ApiRequest, json, readId, type Services } from '../route.ts';

const newFields = knownFields(createWebhookBody, webhookLists);
const changedFields = knownFields(updateWebhookBody, webhookLists);

const toRecord = (webhook: Webhook): WebhookRecord => ({
	id: webhook.id,
	name: webhook.name,
	url: webhook.urlShown,
	events: webhook.events,
	website_ids: webhook.websiteIds,
	enabled: webhook.enabled,
	disabled_reason: webhook.disabledReason,
	failing_since: webhook.failingSince?.toISOString() ?? null,
	created_at: webhook.createdAt.toISOString(),
	updated_at: webhook.updatedAt.toISOString(),
});

const toDeliveryRecord = (delivery: Delivery): DeliveryRecord => ({
	id: delivery.id,
	event_id: delivery.eventId,
	type: delivery.type,
	domain: delivery.domain,
	date: delivery.date,
	state: delivery.state,
	attempts: delivery.attempts,
	status: delivery.status,
	reason: delivery.reason,
	next_attempt_at: delivery.state === 'waiting' ? delivery.nextAt.toISOString() : null,
	created_at: delivery.createdAt.toISOString(),
	ended_at: delivery.endedAt?.toISOString() ?? null,
});

const showOnce = (
	status: number,
	{ webhook, secret }: { webhook: Webhook; secret: string },
	location?: string,
) =>
	json(
		status,
		{ data: { ...toRecord(webhook), secret } },
		{ 'cache-control': 'no-store', ...(location !== undefined && { location }) },
	);

async function webhookOf(call: ApiRequest, queries: Queries, lock = sql``): Promise<Webhook> {
	const accountId = accountOf(call.principal);
	const webhook = await findWebhook(queries, { accountId, id: readId(call, 'webhook_id') }, lock);
	if (!webhook) throw notFound();
	return webhook;
}

/** Runs a change with the webhook locked, by somebody who still owns the account. */
const changing = <T>(
	call: ApiRequest,
	{ postgres }: Services,
	change: (tx: Queries, webhook: Webhook) => Promise<T>,
): Promise<T> =>
	postgres.transaction(async (tx) => {
		await holdOwnership(tx, call.principal);
		return change(tx, await webhookOf(call, tx, sql`FOR NO KEY UPDATE`));
	});

const create: AccountRoute['handle'] = async (call, services) => {
	const accountId = accountOf(call.principal);
	return createOnce(
		call,
		services,
		{ path: '/webhooks\n' },
		{
			prepare: async () => validate(createWebhookBody, readFields(call.body, newFields)),
			async run(tx, { name, url, events = null, website_ids: websiteIds = null, enabled = true }) {
				await holdOwnership(tx, call.principal);
				const fields = { accountId, name, url, events, websiteIds, enabled };
				const created = await createWebhook(tx, services.now, services.webhooks, fields);
				const location = `${call.mountedAt}/webhooks/${created.webhook.id}`;
				return { ...showOnce(201, created, location), hasSecret: true };
			},
		},
	);
};

const update: AccountRoute['handle'] = async (call, services) => {
	await webhookOf(call, services.postgres);
	const sent = validate(updateWebhookBody, readFields(call.body, changedFields));
	const updated = await changing(call, services, (tx, webhook) =>
		updateWebhook(tx, services.now, services.webhooks, webhook, {
			name: sent.name ?? webhook.name,
			url: sent.url,
			events: sent.events === undefined ? webhook.events : sent.events,
			websiteIds: sent.website_ids === undefined ? webhook.websiteIds : sent.website_ids,
			enabled: sent.enabled ?? webhook.enabled,
		}),
	);
	return json(200, { data: toRecord(updated) });
};

export const webhookRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/webhooks',
		action: 'webhooks.read',
		operationId: 'listWebhooks',
		summary: 'List webhooks',
		description: 'Returns the webhooks of the account in the order of creation, without their secrets.',
		query: listWebhooksQuery,
		response: { status: 200, schema: list(webhookRecord), description: 'A page of webhooks.' },
		errors: ['validation_failed'],
		handle: async (call, { postgres }) => {
			const accountId = accountOf(call.principal);
			return paginate(call, '/webhooks', listWebhooksQuery, async ({ page, per_page: perPage }) => {
				const webhooks = await listWebhooks(postgres, accountId);
				const first = (page - 1) * perPage;
				return { records: webhooks.slice(first, first + perPage).map(toRecord), total: webhooks.length };
			});
		},
	},
	{
		methods: ['POST'],
		path: '/webhooks',
		action: 'webhooks.change',
		operationId: 'createWebhook',
		summary: 'Create a webhook',
		description: `Creates a webhook. The secret that signs its calls is shown only once. An account can have up to ${maxWebhooks}.`,
		body: createWebhookBody,
		response: { status: 201, schema: singleRecord(shownWebhook), description: 'The new webhook.' },
		errors: [
			'bad_request',
			'idempotency_conflict',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
		],
		handle: create,
	},
	{
		methods: ['GET'],
		path: '/webhooks/:webhook_id',
		action: 'webhooks.read',
		operationId: 'getWebhook',
		summary: 'Get a webhook',
		description: 'Returns a webhook without its secret.',
		response: { status: 200, schema: singleRecord(webhookRecord), description: 'The webhook.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => json(200, { data: toRecord(await webhookOf(call, postgres)) }),
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/webhooks/:webhook_id',
		action: 'webhooks.change',
		operationId: 'updateWebhook',
		summary: 'Update a webhook',
		description: 'Changes the fields that you send. Enabling a webhook forgets its earlier failures.',
		body: updateWebhookBody,
		response: { status: 200, schema: singleRecord(webhookRecord), description: 'The updated webhook.' },
		errors: ['bad_request', 'not_found', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
		handle: update,
	},
	{
		methods: ['DELETE'],
		path: '/webhooks/:webhook_id',
		action: 'webhooks.change',
		operationId: 'deleteWebhook',
		summary: 'Delete a webhook',
		description: 'Deletes a webhook and its deliveries. Events that wait are not sent.',
		response: { status: 200, schema: singleRecord(deletedWebhook), description: 'The webhook was deleted.' },
		errors: ['not_found'],
		handle: async (call, services) => {
			const id = await changing(call, services, async (tx, webhook) => {
				await deleteWebhook(tx, webhook);
				return webhook.id;
			});
			return json(200, { data: { id, object: 'webhook', deleted: true } });
		},
	},
	{
		methods: ['POST'],
		path: '/webhooks/:webhook_id/rotate',
		action: 'webhooks.change',
		operationId: 'rotateWebhookSecret',
		summary: 'Rotate the secret of a webhook',
		description:
			'Replaces the secret. The new one is shown only once and signs all further calls, including those that wait.',
		response: {
			status: 200,
			schema: singleRecord(shownWebhook),
			description: 'The webhook with its new secret.',
		},
		errors: ['not_found'],
		handle: async (call, services) =>
			showOnce(
				200,
				await changing(call, services, (tx, webhook) =>
					rotateWebhookSecret(tx, services.now, services.webhooks, webhook),
				),
			),
	},
	{
		methods: ['POST'],
		path: '/webhooks/:webhook_id/test',
		action: 'webhooks.change',
		operationId: 'testWebhook',
		summary: 'Test a webhook',
		description: 'Sends an event of the type `test`, at most once a minute.',
		response: { status: 200, schema: singleRecord(testedWebhook), description: 'The test was queued.' },
		errors: ['not_found', 'too_many_requests', 'validation_failed'],
		handle: async (call, services) => {
			const id = await changing(call, services, async (tx, webhook) => {
				await queueTestCall(tx, services.now, webhook);
				return webhook.id;
			});
			return json(200, { data: { id, object: 'webhook', tested: true } });
		},
	},
	{
		methods: ['GET'],
		path: '/webhooks/:webhook_id/deliveries',
		action: 'webhooks.read',
		operationId: 'listWebhookDeliveries',
		summary: 'List deliveries of a webhook',
		description:
			'Returns the events that wait, and those that were delivered or given up in the last 30 days, newest first.',
		query: listWebhooksQuery,
		response: { status: 200, schema: list(deliveryRecord), description: 'A page of deliveries.' },
		errors: ['not_found', 'validation_failed'],
		handle: async (call, { postgres }) => {
			const { id } = await webhookOf(call, postgres);
			const path = `/webhooks/${id}/deliveries`;
			return paginate(call, path, listWebhooksQuery, async ({ page, per_page: count }) => {
				const { deliveries, total } = await listDeliveries(postgres, id, { skip: (page - 1) * count, count });
				return { records: deliveries.map(toDeliveryRecord), total };
			});
		},
	},
	{
		methods: ['POST'],
		path: '/webhooks/:webhook_id/deliveries/:delivery_id/replay',
		action: 'webhooks.change',
		operationId: 'replayWebhookDelivery',
		summary: 'Replay a delivery',
		description:
			'Sends the event of a delivery again, with the same body and the same `id`. The replay is a delivery of its own.',
		response: { status: 200, schema: singleRecord(deliveryRecord), description: 'The new delivery.' },
		errors: ['not_found', 'too_many_requests', 'validation_failed'],
		handle: async (call, services) => {
			const delivery = await changing(call, services, (tx, webhook) =>
				replayDelivery(tx, services.now, webhook, readId(call, 'delivery_id')),
			);
			if (!delivery) throw notFound();
			return json(200, { data: toDeliveryRecord(delivery) });
		},
	},
];
