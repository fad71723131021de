import { z } from 'zod';
import { listField } from '../../api/fields.ts';
import { createWebsiteBody, renameWebsiteBody, updateWebsiteBody } from '../../api/websites.ts';
import { isNetwork } from '../lib/networks.ts';
import { findTimezone } from '../lib/timezones.ts';
import { readDomain } from './domain.ts';

/** The schemas of the API, with rules that need code of the server. */

const domain = createWebsiteBody.shape.domain.transform((text, context) => {
	if (text.trim() === '') {
		context.addIssue({ code: 'custom', message: 'The domain field is required.' });
		return z.NEVER;
	}
	const reading = readDomain(text);
	if ('fault' in reading) {
		context.addIssue({ code: 'custom', message: reading.fault });
		return z.NEVER;
	}
	return reading;
});

const timezone = updateWebsiteBody.shape.timezone.transform((text, context) => {
	if (text === undefined) return undefined;
	const zone = findTimezone(text.trim());
	if (zone === undefined) {
		context.addIssue({
			code: 'custom',
			message: 'The timezone field must be an IANA time zone such as Europe/Berlin.',
		});
		return z.NEVER;
	}
	return zone;
});

const exclude_ips = listField('exclude_ips', {
	isValid: isNetwork,
	what: 'an IP address or a network such as 10.0.0.0/8',
}).optional();

export const newWebsiteFields = createWebsiteBody.extend({ domain, timezone, exclude_ips });
export const changedWebsiteFields = updateWebsiteBody.extend({ timezone, exclude_ips });
export const renamedWebsiteFields = renameWebsiteBody.extend({ domain });

/** When creating a website, empty values count as missing. The domain is kept, so that its error names the field. */
export const withoutEmpty = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => name === 'domain' || (value !== '' && value !== null)),
	);

export type NewWebsite = z.output<typeof newWebsiteFields>;
export type WebsiteChange = z.output<typeof changedWebsiteFields>;
export type WebsiteRename = z.output<typeof renamedWebsiteFields>;
