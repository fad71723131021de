import { z } from 'zod';
import { text } from './fields.ts';
import { proofBody } from './session.ts';

/** What the dashboard says and hears of sign-in with OpenID Connect. It is not for programs. */

/** Longer than any address of a page. */
const maxReturnUrl = 2_000;

export const startOidcBody = z.object({
	/** The page to return to. */
	to: text('to')
		.refine((value) => value.length <= maxReturnUrl, 'The to field is too long.')
		.optional(),
});

/** `password` is required to link the provider; `code` where a second factor is on. A `passkey` replaces both. */
export const oidcProofBody = proofBody.partial({ password: true });

/** `required`: nobody signs in with a password. */
export type OidcRecord = { providers: { name: string; label: string }[]; required: boolean };

/** Where to send the browser. */
export type OidcStart = { url: string };

/** What someone whom a provider has confirmed must still prove. */
export type OidcProofRecord = {
	provider: string;
	email: string;
	needs_password: boolean;
	needs_code: boolean;
	/** A passkey can stand for the code, or for the password and the code. */
	can_use_passkey: boolean;
};

export type LinkedProviderRecord = {
	name: string;
	label: string;
	linked_at: string | null;
	last_used_at: string | null;
};

/** Whether a password is set, and the providers that are linked or can be. */
export type LinkedProvidersRecord = { has_password: boolean; providers: LinkedProviderRecord[] };

/** Why a sign-in with a provider failed; the query `oidc` of the sign-in page. */
export type OidcRefusal =
	| 'expired'
	| 'denied'
	| 'unavailable'
	| 'invalid'
	| 'unverified'
	| 'domain'
	| 'unknown'
	| 'disabled'
	| 'taken';
