import type { Delivery, WebhookEvent } from '../../../webhooks-client.ts';

/** The names of the texts; those of the API contain dots. */
export const eventNames = {
	'day.sealed': 'daySealed',
	'goal.reached': 'goalReached',
	'alert.fired': 'alertFired',
	'website.created': 'websiteCreated',
	'website.transferred': 'websiteTransferred',
	'website.deleted': 'websiteDeleted',
	'activity.recorded': 'activityRecorded',
	test: 'test',
} as const satisfies Record<Delivery['type'], string>;

// Object.keys forgets that the names are those of the table.
export const webhookEvents = (Object.keys(eventNames) as Delivery['type'][]).filter(
	(name): name is WebhookEvent => name !== 'test',
);
