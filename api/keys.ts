import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readJson, shortText } from './fields.ts';

const access = z
	.enum(['full', 'read'], { error: 'The access field must be full or read.' })
	.meta({ description: 'Whether it may change anything, or only read. Default: full.' });

const website_ids = z
	.preprocess(
		(input) => (input === '' || input === null ? undefined : readJson(input)),
		z
			.array(z.int('A website is named by its id.').positive('A website is named by its id.'), {
				error: 'The website_ids field must be a list of ids.',
			})
			.min(1, 'The website_ids field must name a website, or be left out.')
			.max(1000, 'The website_ids field must not name more than 1,000 websites.')
			.optional(),
	)
	.meta({ description: 'The only websites that it is for. Left out: all of the account.' });

export const createKeyBody = z
	.object({ name: shortText('name', 200), access: access.optional(), website_ids: website_ids.optional() })
	.meta({ id: 'NewKey' });

export const listKeysQuery = z.object(pageParameters);

const members = {
	id: z.int().positive(),
	name: z.string(),
	ending: z.string().meta({ description: 'Its last four characters, to tell keys apart by.' }),
	access: z.enum(['full', 'read']),
	website_ids: z.array(z.int().positive()).nullable().meta({ description: 'null: all of the account.' }),
	created_at: z.iso.datetime({ precision: 3 }),
	last_used_at: z.iso.datetime({ precision: 3 }).nullable().meta({ description: 'To the minute.' }),
};

/** A key as lists show it: never the key itself. */
export const keyRecord = z.object(members).meta({ id: 'Key' });

export const shownKey = z
	.object({ ...members, key: z.string().meta({ description: 'Shown this once.' }) })
	.meta({ id: 'ShownKey' });

export type KeyRecord = z.output<typeof keyRecord>;

export const deletedKey = deleted('key', 'DeletedKey');
