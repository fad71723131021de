import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readSwitch, sentSwitch, shortText } from './fields.ts';
import { readIds, readList } from './keys.ts';

export const webhookEvents = [
	'day.sealed',
	'goal.reached',
	'alert.fired',
	'website.created',
	'website.transferred',
	'website.deleted',
	'activity.recorded',
] as const;

export type WebhookEventType = (typeof webhookEvents)[number];

const emptyAsNull = (input: unknown): unknown => (input === '' ? null : input);

const events = z
	.preprocess(
		(input) => readList(emptyAsNull(input)),
		z
			.array(
				z.enum(webhookEvents, { error: `The events field must name some of: ${webhookEvents.join(', ')}.` }),
				{ error: 'The events field must be a list.' },
			)
			.min(1, 'The events field must name an event, or be left out.')
			.transform((names) => [...new Set(names)])
			.nullable(),
	)
	.meta({
		sent: {
			anyOf: [
				{ type: 'array', minItems: 1, items: { type: 'string', enum: [...webhookEvents] } },
				{ type: 'string' },
				{ type: 'null' },
			],
		},
		description:
			'The events to send. Default: all events, including those that later versions add. In a form: separated by commas, or repeated.',
	});

const website_ids = z
	.preprocess(
		(input) => readIds(emptyAsNull(input)),
		z
			.array(z.int('A website is named by its id.').positive('A website is named by its id.'), {
				error: 'The website_ids field must be a list of ids.',
			})
			.min(1, 'The website_ids field must name a website, or be left out.')
			.max(1000, 'The website_ids field must not name more than 1,000 websites.')
			.nullable(),
	)
	.meta({
		description:
			'Send only events of these websites. Default: all websites of the account, and events that are about no website. In a form: separated by commas, or repeated.',
	});

const url = shortText('url', 2_000).meta({
	description:
		'The URL to send to. Responses show only its beginning, because anyone who has the URL can post to it.',
	examples: ['https://example.com/hooks/tidemark'],
});

const enabled = z
	.preprocess(
		readSwitch,
		z
			.union([z.literal(0), z.literal(1)], { error: 'The enabled field must be true or false.' })
			.transform((value) => value === 1),
	)
	.meta({
		...sentSwitch,
		description: 'A disabled webhook gets no events, and those that wait are not sent. Default: true.',
	});

const options = {
	events: events.optional(),
	website_ids: website_ids.optional(),
	enabled: enabled.optional(),
};

export const createWebhookBody = z
	.object({ name: shortText('name', 200), url, ...options })
	.meta({ id: 'NewWebhook' });

/** What is left out stays as it is. Sending the shown part of the URL back keeps the URL. */
export const updateWebhookBody = z
	.object({ name: shortText('name', 200).optional(), url: url.optional(), ...options })
	.meta({ id: 'WebhookChange' });

/** The fields that are lists in a form. */
export const webhookLists = ['events', 'website_ids'];

export const listWebhooksQuery = z.object(pageParameters);

const members = {
	id: z.int().positive(),
	name: z.string(),
	url: z.string().meta({ description: 'The beginning of the URL.', examples: ['https://example.com/…'] }),
	events: z.array(z.enum(webhookEvents)).nullable().meta({ description: 'Null: all events.' }),
	website_ids: z
		.array(z.int().positive())
		.nullable()
		.meta({ description: 'Null: all websites of the account.' }),
	enabled: z.boolean(),
	disabled_reason: z.string().nullable().meta({
		description: 'Why Tidemark disabled the webhook. Null if it is enabled, or if somebody disabled it.',
	}),
	failing_since: z.iso
		.datetime({ precision: 3 })
		.nullable()
		.meta({ description: 'The first failed call since the last one that was accepted.' }),
	created_at: z.iso.datetime({ precision: 3 }),
	updated_at: z.iso.datetime({ precision: 3 }),
};

/** A webhook as lists show it: never its secret. */
export const webhookRecord = z.object(members).meta({ id: 'Webhook' });

export const shownWebhook = z
	.object({
		...members,
		secret: z.string().meta({ description: 'The secret that signs the calls. Shown only once.' }),
	})
	.meta({ id: 'ShownWebhook' });

export type WebhookRecord = z.output<typeof webhookRecord>;

export const deletedWebhook = deleted('webhook', 'DeletedWebhook');

export const testedWebhook = z
	.object({ id: z.int().positive(), object: z.literal('webhook'), tested: z.literal(true) })
	.meta({ id: 'TestedWebhook' });

export const deliveryRecord = z
	.object({
		id: z.int().positive(),
		event_id: z
			.string()
			.meta({ description: 'The `id` in the body. A replay has the id of the first call.' }),
		type: z.enum([...webhookEvents, 'test']),
		domain: z.string().nullable().meta({ description: 'The website that the event is about.' }),
		date: z.iso.date().nullable().meta({ description: 'The day that was sealed.' }),
		state: z.enum(['waiting', 'delivered', 'failed']),
		attempts: z.int().nonnegative(),
		status: z
			.int()
			.nullable()
			.meta({ description: 'The HTTP status of the last response, if there was one.' }),
		reason: z.string().nullable().meta({ description: 'Why the last attempt failed.' }),
		next_attempt_at: z.iso.datetime({ precision: 3 }).nullable().meta({
			description: 'The earliest time of the next attempt, while it is waiting.',
		}),
		created_at: z.iso.datetime({ precision: 3 }),
		ended_at: z.iso
			.datetime({ precision: 3 })
			.nullable()
			.meta({ description: 'When it was delivered, or given up.' }),
	})
	.meta({ id: 'WebhookDelivery' });

export type DeliveryRecord = z.output<typeof deliveryRecord>;
