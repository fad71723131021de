import { z } from 'zod';
import { activityDates } from './activity.ts';
import { deleted, oneOf, pageParameters } from './envelopes.ts';
import { readInteger, readLines, sentLines, shortText } from './fields.ts';
import { email } from './people.ts';

/** The operator's routes: all accounts, the sign-up policy, and the log of what operators did. */

const limitField = (name: string, description: string, min = 0) =>
	z
		.preprocess(
			(input) => (input === '' || input === 'none' ? null : readInteger(input)),
			z
				.int(`The ${name} field must be a whole number, or null for no limit.`)
				.min(min, `The ${name} field must be at least ${min}.`)
				.max(2_147_483_647, `The ${name} field must be at most 2147483647.`)
				.nullable(),
		)
		.meta({ description });

const limits = {
	website_limit: limitField('website_limit', 'Number of websites. Null: none.').optional(),
	pageview_limit: limitField('pageview_limit', 'Page views per month. Null: none.').optional(),
	hit_limit: limitField(
		'hit_limit',
		'Hits per second for each website. Null: the default of the service.',
		1,
	).optional(),
};

export const listAccountsQuery = z.object({
	search: z.string({ error: 'The search parameter must be a text.' }).optional().meta({
		description: 'A part of the name of the account, or of the email address of its primary owner.',
	}),
	state: oneOf('state', ['all', 'active', 'disabled'], 'all'),
	...pageParameters,
});

export const createAccountBody = z
	.object({
		name: shortText('name', 200),
		email,
		locale: shortText('locale', 40).optional(),
		timezone: shortText('timezone', 60).optional(),
		...limits,
	})
	.meta({ id: 'NewAccount' });

export const changeLimitsBody = z.object(limits).meta({ id: 'AccountLimits' });

const limit = z.int().nonnegative().nullable();
const time = z.iso.datetime({ precision: 3 });

const members = {
	id: z.int().positive(),
	name: z.string(),
	owner: z
		.object({ person_id: z.int().positive(), name: z.string(), email: z.string(), is_confirmed: z.boolean() })
		.meta({ description: 'The primary owner.' }),
	owners: z.int().positive().meta({ description: 'How many people own the account.' }),
	created_at: time,
	disabled_at: time.nullable(),
	last_used_at: time.nullable().meta({
		description: 'The last use of a session of an owner or of an API key, as far as they still exist.',
	}),
	usage: z.object({
		websites: z.int().nonnegative(),
		pageviews_this_month: z.int().nonnegative(),
	}),
	limits: z
		.object({ websites: limit, pageviews_per_month: limit, hits_per_second: limit })
		.meta({ description: 'Null: no limit, and for hits the default of the service.' }),
};

export const operatedAccount = z.object(members).meta({ id: 'OperatedAccount' });

export const createdAccount = z
	.object({
		...members,
		invitation_link: z
			.string()
			.meta({ description: 'Sets the password of the owner, once, within seven days. Shown only once.' }),
	})
	.meta({ id: 'CreatedAccount' });

export const deletedAccount = deleted('account', 'DeletedAccount');

const signUpModeNames = ['closed', 'domains', 'open'] as const;

export const changeSignUpBody = z
	.object({
		mode: z
			.enum(signUpModeNames, { error: 'The mode field must be closed, domains or open.' })
			.optional()
			.meta({
				description:
					'Who can create an account without an invitation: nobody, people with an email address of one of the `domains`, or everyone.',
			}),
		domains: z
			.preprocess(
				(input) => (input === null ? [] : readLines(input)),
				z
					.array(z.string(), { error: 'The domains field must be a list of domains.' })
					.max(100, 'The domains field must not name more than 100 domains.'),
			)
			.optional()
			.meta({ ...sentLines, description: 'Domains of email addresses. Subdomains are not included.' }),
		website_limit: limits.website_limit,
		pageview_limit: limits.pageview_limit,
	})
	.meta({ id: 'SignUpChange' });

export const signUpPolicy = z
	.object({
		mode: z.enum(signUpModeNames),
		domains: z.array(z.string()),
		website_limit: limit.meta({ description: 'Of accounts that are created by sign-up.' }),
		pageview_limit: limit,
		can_mail: z
			.boolean()
			.meta({ description: 'Without a mail server, nobody can sign up, whatever the policy says.' }),
	})
	.meta({ id: 'SignUpPolicy' });

export const listOperatorLogQuery = z.object({
	account_id: z
		.preprocess(readInteger, z.int('The account_id parameter must be an id.').positive())
		.optional()
		.meta({ description: 'Only entries about this account.' }),
	...activityDates,
	...pageParameters,
});

export const exportLogQuery = listOperatorLogQuery.omit({ page: true, per_page: true });

const named = z.object({ id: z.int().positive(), name: z.string().nullable() });

export const operatorEntry = z
	.object({
		id: z.int().positive(),
		at: time,
		what: z.string(),
		by: z
			.discriminatedUnion('kind', [
				z.object({ kind: z.literal('person'), id: z.int().positive(), name: z.string().nullable() }),
				z.object({ kind: z.literal('operator_key'), id: z.int().positive(), name: z.string().nullable() }),
				z.object({ kind: z.literal('command_line') }),
			])
			.meta({ description: 'Names are null when the record was deleted.' }),
		account: named.nullable(),
		person: named.nullable().meta({ description: 'The person it was done to.' }),
		website: z.object({ id: z.int().positive(), domain: z.string().nullable() }).nullable(),
	})
	.meta({ id: 'OperatorEntry' });

export type OperatedAccount = z.output<typeof operatedAccount>;
export type CreatedAccount = z.output<typeof createdAccount>;
export type SignUpPolicyRecord = z.output<typeof signUpPolicy>;
export type OperatorEntryRecord = z.output<typeof operatorEntry>;
