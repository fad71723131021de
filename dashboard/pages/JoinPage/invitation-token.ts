/**
 * The token of an invitation stands behind `#`, which browsers send to nobody. Whoever signs in first comes back without it:
 * until then it is kept in this tab, and in no address.
 */
const keptAs = 'tidemark-invitation';

export function readInvitation(): string {
	const token = new URLSearchParams(location.hash.slice(1)).get('token');
	if (token !== null) return token;
	try {
		return sessionStorage.getItem(keptAs) ?? '';
	} catch {
		return '';
	}
}

export function keepInvitation(token: string): void {
	try {
		sessionStorage.setItem(keptAs, token);
	} catch {
		// Without storage the link must be opened again after signing in.
	}
}

export function forgetInvitation(): void {
	try {
		sessionStorage.removeItem(keptAs);
	} catch {
		// Then nothing was kept.
	}
}
