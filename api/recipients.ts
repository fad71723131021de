import { z } from 'zod';
import { deleted } from './envelopes.ts';
import { readInteger } from './fields.ts';
import { email } from './people.ts';

const websiteId = z.int('The website_id field must be the id of a website.').positive();

/** Whom reports and alerts are mailed to besides the account itself. */
export const askRecipientBody = z.object({
	email,
	website_id: z
		.preprocess(
			(input) => (input === '' || input === undefined ? null : readInteger(input)),
			websiteId.nullable(),
		)
		.meta({ description: 'Only mail about this website. Null: about all websites.', default: null }),
});

export const recipientRecord = z
	.object({
		id: z.int().positive(),
		email: z.string(),
		website: z
			.object({ id: z.int().positive(), domain: z.string() })
			.nullable()
			.meta({ description: 'Null: all websites of the account.' }),
		state: z.enum(['asked', 'expired', 'confirmed', 'unsubscribed']),
		created_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Recipient' });

export const recipientsRecord = z
	.object({
		can_mail: z.boolean().meta({ description: 'Whether the service can send mail.' }),
		recipients: z.array(recipientRecord),
		mails_today: z
			.object({ queued: z.int(), most: z.int(), refused: z.int() })
			.meta({ description: 'Mails of today (UTC) for the account, the limit, and mails beyond it.' }),
	})
	.meta({ id: 'Recipients' });

export const deletedRecipient = deleted('recipient', 'DeletedRecipient');

export type RecipientRecord = z.output<typeof recipientRecord>;
export type RecipientsRecord = z.output<typeof recipientsRecord>;
