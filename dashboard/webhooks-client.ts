/** The calls of api-client.ts that are about webhooks of the account. */
import type { z } from 'zod';
import type { DeliveryRecord, shownWebhook, WebhookRecord } from '../api/webhooks.ts';
import { call, type Fields, type List, send } from './api-client.ts';

export type Webhook = WebhookRecord;
export type ShownWebhook = z.output<typeof shownWebhook>;
export type Delivery = DeliveryRecord;
export type WebhookEvent = NonNullable<Webhook['events']>[number];

export const webhooks = {
	list: () => call<List<Webhook>>('GET', '/webhooks', { query: { per_page: 25 } }),
	create: (body: Fields) => send<ShownWebhook>('POST', '/webhooks', body),
	update: (id: number, body: Fields) => send<Webhook>('PATCH', `/webhooks/${id}`, body),
	delete: (id: number) => send<unknown>('DELETE', `/webhooks/${id}`),
	rotate: (id: number) => send<ShownWebhook>('POST', `/webhooks/${id}/rotate`),
	test: (id: number) => send<unknown>('POST', `/webhooks/${id}/test`),
	deliveries: (id: number, count: number) =>
		call<List<Delivery>>('GET', `/webhooks/${id}/deliveries`, { query: { per_page: count } }),
	replay: (id: number, delivery: number) =>
		send<Delivery>('POST', `/webhooks/${id}/deliveries/${delivery}/replay`),
};
