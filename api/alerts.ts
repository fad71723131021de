import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, readSwitch, sentSwitch, shortText } from './fields.ts';

const kinds = ['spike', 'silence', 'goal'] as const;
const channels = ['mail', 'webhook', 'ntfy', 'slack'] as const;

const hours = z
	.preprocess(
		readInteger,
		z
			.int('The hours field must be a whole number from 1 to 72.')
			.min(1, 'The hours field must be a whole number from 1 to 72.')
			.max(72, 'The hours field must be a whole number from 1 to 72.'),
	)
	.meta({ description: 'For `silence`: hours without a hit, 1 to 72. Default: 6.' });

const goalId = z
	.preprocess(readInteger, z.int('The goal_id field must be the id of a goal.').positive())
	.meta({ description: 'For `goal`: the id of the goal.' });

const url = shortText('url', 2_000).meta({
	description:
		'The URL to send to, for every channel except `mail`. Responses show only its beginning, because anyone who has the URL can post to it.',
	examples: ['https://example.com/hooks/tidemark'],
});

const enabled = z
	.preprocess(
		readSwitch,
		z
			.union([z.literal(0), z.literal(1)], { error: 'The enabled field must be true or false.' })
			.transform((value) => value === 1),
	)
	.meta({ ...sentSwitch, description: 'Whether the alert is active. Default: true.' });

/** What create takes. */
export const createAlertBody = z
	.object({
		kind: z.literal(kinds, { error: `The kind field must be one of: ${kinds.join(', ')}.` }).meta({
			description:
				'`spike`: far more visitors than usual at this hour of the week. `silence`: no hits for some hours that usually have hits. `goal`: a goal is reached for the first time.',
		}),
		channel: z
			.literal(channels, { error: `The channel field must be one of: ${channels.join(', ')}.` })
			.meta({ description: 'How it is delivered. `slack` is any service with Slack-compatible webhooks.' }),
		goal_id: goalId.optional(),
		hours: hours.optional(),
		url: url.optional(),
		enabled: enabled.optional(),
	})
	.meta({ id: 'NewAlert' });

/** What an alert does not have is read as null, and may be sent back so. */
const orNothing = <T extends z.ZodType>(field: T) =>
	z.preprocess((input) => (input === '' ? undefined : input), field.optional());

/** What update takes. What is left out stays as it is; kind and channel stay. */
export const updateAlertBody = z
	.object({
		goal_id: orNothing(goalId),
		hours: orNothing(hours),
		url: orNothing(url),
		enabled: enabled.optional(),
	})
	.meta({ id: 'AlertChange' });

export const listAlertsQuery = z.object(pageParameters);

export const alertRecord = z
	.object({
		id: z.int().positive(),
		kind: z.literal(kinds),
		channel: z.literal(channels),
		goal_id: z.int().positive().nullable(),
		hours: z.int().nullable(),
		url: z
			.string()
			.nullable()
			.meta({ description: 'The beginning of the URL.', examples: ['https://example.com/…'] }),
		enabled: z.boolean(),
		last_fired_at: z.iso.datetime({ precision: 3 }).nullable(),
		last_failure: z
			.string()
			.nullable()
			.meta({ description: 'Why the last delivery failed. Null if it succeeded or is pending.' }),
		secret: z
			.string()
			.optional()
			.meta({ description: 'For a new `webhook`: the secret that signs its messages. Shown only once.' }),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Alert' });

export const deletedAlert = deleted('alert', 'DeletedAlert');

export const testedAlert = z
	.object({ id: z.int().positive(), object: z.literal('alert'), tested: z.literal(true) })
	.meta({ id: 'TestedAlert' });
