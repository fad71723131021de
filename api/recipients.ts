import { z } from 'zod';
import { readInteger } from './fields.ts';
import { email } from './people.ts';

const websiteId = z.int('The website_id field must be the id of a website.').positive();

/** Whom reports and alerts are mailed to besides the account itself: for people who are signed in. */
export const askRecipientBody = z.object({
	email,
	website_id: z.preprocess(
		(input) => (input === '' || input === undefined ? null : readInteger(input)),
		websiteId.nullable(),
	),
});

export type RecipientRecord = {
	id: number;
	email: string;
	/** null: all websites of the account. */
	website: { id: number; domain: string } | null;
	state: 'asked' | 'expired' | 'confirmed' | 'unsubscribed';
	created_at: string;
};

export type RecipientsRecord = {
	/** Whether mail can be sent at all. */
	can_mail: boolean;
	recipients: RecipientRecord[];
	/** Mails of today (UTC) in the account's name, how many there may be, and how many were one too many. */
	mails_today: { queued: number; most: number; refused: number };
};
