import { z } from 'zod';
import { shortText } from './fields.ts';
import { proofBody } from './session.ts';

/** Passkeys of the dashboard, below `/app/api/session`. The fields of WebAuthn are those of its Level 3. */
const base64url = (name: string, max: number) =>
	shortText(name, max).refine((text) => /^[\w-]+$/.test(text), `The ${name} field must be base64url.`);

const credential = {
	id: base64url('id', 1400),
	rawId: base64url('rawId', 1400),
	type: z.literal('public-key', { error: 'The type field must be public-key.' }),
};

/** What `navigator.credentials.get` returns, as `toJSON` writes it. Other members are ignored. */
const assertion = z.object(
	{
		...credential,
		response: z.object({
			clientDataJSON: base64url('clientDataJSON', 4000),
			authenticatorData: base64url('authenticatorData', 4000),
			signature: base64url('signature', 4000),
			userHandle: base64url('userHandle', 100)
				.nullish()
				.transform((handle) => handle ?? undefined),
		}),
	},
	{ error: 'The passkey field must be a PublicKeyCredential.' },
);

const attestation = z.object(
	{
		...credential,
		response: z.object({
			clientDataJSON: base64url('clientDataJSON', 4000),
			attestationObject: base64url('attestationObject', 12_000),
			transports: z.array(z.string().max(20)).max(10).optional(),
		}),
	},
	{ error: 'The passkey field must be a PublicKeyCredential.' },
);

const name = shortText('name', 100);

export const passkeyBody = z.object({ passkey: assertion });

/** Proof with or without a passkey. */
export const anyProofBody = z.object({ ...proofBody.partial().shape, passkey: assertion.optional() });

export const addPasskeyBody = z.object({ name, passkey: attestation });

export const renamePasskeyBody = z.object({ name });

export type PasskeyRecord = {
	id: number;
	name: string;
	created_at: string;
	last_used_at: string | null;
	/** Stored by a password manager, which can copy it to other devices. */
	is_synced: boolean;
	/** The host name that it was created for, if that is no longer the one of the public address. */
	old_host: string | null;
};

/** `ip_address`: the public address has no host name. `insecure`: it is not HTTPS. */
export type PasskeysRecord = {
	unavailable: 'ip_address' | 'insecure' | null;
	/** Browsers offer passkeys only on pages of this origin. */
	origin: string | null;
	passkeys: PasskeyRecord[];
};
