import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, readSwitch, shortText } from './fields.ts';

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
	.meta({ description: 'Of `silence`: after so many hours without a hit, 1 to 72. 6 unless you say.' });

const goalId = z
	.preprocess(readInteger, z.int('The goal_id field must be the id of a goal.').positive())
	.meta({ description: 'Of `goal`: which one.' });

const url = shortText('url', 2_000).meta({
	description:
		'Where it is posted to, for every channel but `mail`. Only its beginning is shown again: whoever has such an address can write there.',
	examples: ['https://example.com/hooks/tidemark'],
});

const enabled = z
	.preprocess(
		readSwitch,
		z
			.union([z.literal(0), z.literal(1)], { error: 'The enabled field must be true or false.' })
			.transform((one) => one === 1),
	)
	.meta({ description: 'Whether it is watched for. It is unless you say so.' });

/** What create takes. */
export const createAlertBody = z
	.object({
		kind: z.literal(kinds, { error: `The kind field must be one of: ${kinds.join(', ')}.` }).meta({
			description:
				'`spike`: far more visitors than is usual at this hour of the week. `silence`: no hit for some hours in which there usually is one. `goal`: a goal is reached for the first time.',
		}),
		channel: z
			.literal(channels, { error: `The channel field must be one of: ${channels.join(', ')}.` })
			.meta({ description: 'How it is told. `slack` is any service that takes webhooks as Slack does.' }),
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
			.meta({ description: 'Its beginning.', examples: ['https://example.com/…'] }),
		enabled: z.boolean(),
		last_fired_at: z.iso.datetime({ precision: 3 }).nullable(),
		last_failure: z
			.string()
			.nullable()
			.meta({ description: 'Why the last one could not be delivered; null where it was, or is on its way.' }),
		secret: z
			.string()
			.optional()
			.meta({ description: 'Of a new `webhook`: what its messages are signed with. It is shown this once.' }),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Alert' });

export const deletedAlert = deleted('alert', 'DeletedAlert');

export const testedAlert = z
	.object({ id: z.int().positive(), object: z.literal('alert'), tested: z.literal(true) })
	.meta({ id: 'TestedAlert' });
