import { useState } from 'react';

/** The token of a one-time link. It stands behind `#`, which browsers send to nobody. */
export function useLinkToken(): string {
	const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
	return token;
}
