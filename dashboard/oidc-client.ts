/** The calls of api-client.ts that are about sign-in with OpenID Connect. */
import type {
	LinkedProvidersRecord,
	OidcProofRecord,
	OidcRecord,
	OidcRefusal,
	OidcStart,
} from '../api/oidc.ts';
import { get, type Passkey, type Proof, send } from './api-client.ts';

export type { OidcRefusal };

/** A passkey replaces the password and the code. */
export type OidcProof = { password?: string; code?: string } | { passkey: Passkey };

export const oidcKey = ['oidc'] as const;

export const oidc = {
	get: () => get<OidcRecord>('/session/oidc'),
	start: (provider: string, to: string | undefined) =>
		send<OidcStart>('POST', `/session/oidc/${provider}/start`, { to }),
	proof: () => get<OidcProofRecord>('/session/oidc/proof'),
	prove: (proof: OidcProof) => send<{ to: string }>('POST', '/session/oidc/proof', proof),
	linked: () => get<LinkedProvidersRecord>('/session/oidc/linked'),
	link: (provider: string, proof: Proof) => send<OidcStart>('POST', `/session/oidc/${provider}/link`, proof),
	unlink: (provider: string, proof: Proof) =>
		send<unknown>('DELETE', `/session/oidc/${provider}/link`, proof),
};
