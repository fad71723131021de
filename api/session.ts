import { z } from 'zod';
import type { Branding } from './branding.ts';
import { shortText, text } from './fields.ts';
import type { PolicyCode } from './policy.ts';

/** What the dashboard says and hears of signing in; it stands below `/app/api/session` and is not for programs. */
const minPasswordLength = 10;
const maxPasswordBytes = 256;

/** One that was set before; only its size is judged. */
const password = text('password').refine(fits, 'The password is too long.');

export const newPassword = text('password')
	.refine(
		(value) => [...value].length >= minPasswordLength,
		`The password must have at least ${minPasswordLength} characters.`,
	)
	.refine(fits, `The password must not have more than ${maxPasswordBytes} bytes.`);

function fits(value: string): boolean {
	return new TextEncoder().encode(value).length <= maxPasswordBytes;
}

const code = shortText('code', 40);
const token = shortText('token', 100);
const email = shortText('email', 254);

export const signInBody = z.object({ email, password, code: code.optional() });

/**
 * What a session must add to a request that a stolen session must not make: `code` where a second factor is on. Instead of both,
 * it can send a passkey.
 */
export const proofBody = z.object({ password, code: code.optional() });

export const changePasswordBody = z.object({ new_password: newPassword });

export const confirmCodeBody = z.object({ code });

/** The new address is proven by a link that is mailed to it. */
export const changeAddressBody = z.object({
	email: email.refine((address) => z.email().safeParse(address).success, 'This is not an email address.'),
});

export const forgottenBody = z.object({ email });

/** `locale`: the language of the mail. */
export const signUpRequestBody = z.object({
	email: email.refine((address) => z.email().safeParse(address).success, 'This is not an email address.'),
	locale: shortText('locale', 40).optional(),
});

export const signUpBody = z.object({
	token,
	name: shortText('name', 200),
	password: newPassword,
	locale: shortText('locale', 40).optional(),
	timezone: shortText('timezone', 60).optional(),
});

export const linkBody = z.object({ token });

export const usePasswordLinkBody = z.object({
	token,
	password: newPassword,
	/** Off by default: a forgotten password is no reason to revoke the keys that programs use. */
	revoke_keys: z.boolean('The revoke_keys field must be true or false.').optional(),
});

export const setUpBody = z.object({
	token,
	name: shortText('name', 200),
	email,
	password: newPassword,
	locale: shortText('locale', 40).optional(),
	timezone: shortText('timezone', 60).optional(),
	public_address: text('public_address')
		.refine(
			(value) => /^https?:\/\/[^\s/?#@]+$/i.test(value) && URL.canParse(value),
			'The public_address field must be http:// or https:// with a host and nothing after it.',
		)
		.transform((value) => new URL(value).origin)
		.optional(),
});

/** The name and the preferences of a person. */
export const changePersonBody = z.object({
	name: shortText('name', 200),
	locale: shortText('locale', 40),
	week_start: z
		.literal(['monday', 'sunday'], { error: 'The week_start field must be monday or sunday.' })
		.optional(),
});

/** The name of an account, and the time zone of its new websites. */
export const changeAccountBody = z.object({
	name: shortText('name', 200),
	timezone: shortText('timezone', 60),
});

const id = z.int('The id must be a whole number.').positive('The id must be a whole number.');

export const workingAccountBody = z.object({ account_id: id });

/** The accounts that the person agreed to delete with their profile. */
export const deletePersonBody = z.object({ account_ids: z.array(id).max(1_000) });

export const sortFavoritesBody = z.object({ website_ids: z.array(id).max(10_000) });

/** The password of a website's statistics. */
export const unlockBody = z.object({
	password: text('password').refine((value) => [...value].length <= 128, 'The password is too long.'),
});

/** What a page must know of who is signed in. */
export type SessionRecord = {
	person: {
		id: number;
		name: string;
		email: string;
		locale: string;
		/** The first day of a week in the calendar, for weeks of a chart and for `last_week`. */
		week_start: 'monday' | 'sunday';
	};
	/** The account that the page works in. A page names it in the header `tidemark-account` of its requests. */
	account: { id: number; name: string; timezone: string; is_primary_owner: boolean };
	/** All accounts that the person can work in. */
	accounts: { id: number; name: string; websites: number }[];
	/** The address that the person has asked for and not confirmed yet. */
	new_email: string | null;
	/** Whether the address was confirmed, and whether the service can mail a link for it. */
	is_confirmed: boolean;
	can_mail: boolean;
	/** May see the state of the service. */
	is_operator: boolean;
	session_id: number;
	/** What policies refuse this session: in the account that it works in, or in others that the person works with. */
	policy: { refused: PolicyCode | null; accounts: { name: string; code: PolicyCode }[] };
	two_factor: boolean;
	/** Passkeys that work at the current public address. */
	passkeys: number;
	/** Whether codes of an authenticator app are accepted, and how many recovery codes are left. */
	second_factor: { app: boolean; recovery_codes: number };
	public_address: PublicAddress;
	/** Paths below the public address: where the tracker is, and where it sends hits to. */
	tracking: { script: string; collect: string };
	warnings: SessionWarning[];
	/** Of the account that the page works in, if it changed anything. */
	brand?: Branding;
};

/** What deleting one's own sign-in deletes. `blocked_by`: accounts that need another primary owner first. */
export type DeletionRecord = {
	accounts: { id: number; name: string; websites: string[] }[];
	blocked_by: { id: number; name: string }[];
};

/** The URL that links begin with, and whether it was configured. */
export type PublicAddress = { url: string; is_set: boolean };

/** `proxy`: its address, where it can only be a proxy's; null where it may be anybody's of the open net. */
export type SessionWarning = { code: 'untrusted_proxy'; proxy: string | null };

/** A signed-in browser, in words that its owner knows it by. */
export type BrowserRecord = {
	id: number;
	browser: string;
	os: string;
	created_at: string;
	last_used_at: string;
	current: boolean;
};

/** Where the asking browser comes from, as the collector sees it. Of IPv6 a network is what one connection has. */
export type AddressRecord = { address: string; network: string };

export type RoleName = 'viewer' | 'editor' | 'admin' | 'owner';

/**
 * A website as the caller sees it. Members have a `role`; without one, it is shared. Members also see whether the service allows
 * sharing. `brand`: of the account of the website, if it changed anything.
 */
export type ShareRecord =
	| {
			id: number;
			access: 'open';
			domain: string;
			timezone: string;
			role?: RoleName;
			public_pages?: boolean;
			brand?: Branding;
	  }
	| { id: number; access: 'password' };
