import { isIP } from 'node:net';

/** What passkeys are bound to, or why browsers offer none at this public address. */
export type RelyingParty =
	| { id: string; origin: string; unavailable?: never }
	| { id?: never; origin?: never; unavailable: 'ip_address' | 'insecure' };

/** WebAuthn needs a host name and a secure context. Browsers treat `localhost` as secure without TLS. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
	const { protocol, hostname, origin } = new URL(publicUrl);
	if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0) return { unavailable: 'ip_address' };
	if (protocol !== 'https:' && !/^(.+\.)?localhost$/.test(hostname)) return { unavailable: 'insecure' };
	return { id: hostname, origin };
}
