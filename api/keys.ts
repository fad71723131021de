import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, readJson, readLines, shortText } from './fields.ts';

const access = z
	.enum(['full', 'read'], { error: 'The access field must be full or read.' })
	.meta({ description: 'Full access or read-only.', default: 'full' });

/** JSON, or what a form brings: repeated, with commas between ids, or as JSON text. An empty list is refused: it would be a key for everything. */
function readIds(input: unknown): unknown {
	if (input === null) return undefined;
	const texts: unknown = typeof input === 'string' ? [input] : input;
	if (!Array.isArray(texts) || !texts.every((item) => typeof item === 'string')) return input;
	const [first = ''] = texts;
	if (texts.length === 1 && first.trim().startsWith('[')) return readJson(first);
	const ids = readLines(texts);
	return Array.isArray(ids) ? ids.map(readInteger) : ids;
}

const website_ids = z
	.preprocess(
		readIds,
		z
			.array(z.int('A website is named by its id.').positive('A website is named by its id.'), {
				error: 'The website_ids field must be a list of ids.',
			})
			.min(1, 'The website_ids field must name a website, or be left out.')
			.max(1000, 'The website_ids field must not name more than 1,000 websites.')
			.optional(),
	)
	.meta({
		description:
			'The ids of the websites that the key can access. Default: all websites of the account. In a form: separated by commas, or repeated (`website_ids[]=1&website_ids[]=2`).',
	});

export const createKeyBody = z
	.object({ name: shortText('name', 200), access: access.optional(), website_ids: website_ids.optional() })
	.meta({ id: 'NewKey' });

export const listKeysQuery = z.object(pageParameters);

const members = {
	id: z.int().positive(),
	name: z.string(),
	ending: z.string().meta({ description: 'Its last four characters.' }),
	access: z.enum(['full', 'read']),
	website_ids: z
		.array(z.int().positive())
		.nullable()
		.meta({ description: 'Null: all websites of the account.' }),
	created_at: z.iso.datetime({ precision: 3 }),
	last_used_at: z.iso.datetime({ precision: 3 }).nullable().meta({ description: 'Accurate to the minute.' }),
};

/** A key as lists show it: never the key itself. */
export const keyRecord = z.object(members).meta({ id: 'Key' });

export const shownKey = z
	.object({ ...members, key: z.string().meta({ description: 'Shown only once.' }) })
	.meta({ id: 'ShownKey' });

export type KeyRecord = z.output<typeof keyRecord>;

export const deletedKey = deleted('key', 'DeletedKey');
