import { z } from 'zod';
import { listField, readSwitch } from './fields.ts';

const honour_signals = z
	.preprocess(readSwitch, z.literal([0, 1], { error: 'The honour_signals field must be 0 or 1.' }))
	.meta({
		description: 'Leave out visitors who ask for it by Global Privacy Control or Do Not Track: 0 no, 1 yes.',
	});

const hostnames = listField('hostnames').meta({
	description:
		'Hostnames whose hits count, one a line: `example.com`, `*.example.com`, `localhost`, or `!old.example.com` for one that does not. Empty: the domain and its subdomains.',
});

/** What belongs to a website beyond its record. */
export const websiteSettings = z
	.object({
		hostnames: z
			.string()
			.nullable()
			.meta({ description: 'One a line, or null for the domain and its subdomains.' }),
		honour_signals: z.literal([0, 1]),
	})
	.meta({ id: 'WebsiteSettings' });

export type WebsiteSettingsRecord = z.output<typeof websiteSettings>;

export const changeSettingsBody = z
	.object({ hostnames: hostnames.optional(), honour_signals: honour_signals.optional() })
	.meta({ id: 'WebsiteSettingsChange' });
