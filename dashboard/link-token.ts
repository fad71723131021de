import { useState } from 'react';

/** Token of a one-time link. It is in the URL fragment, which browsers do not send. */
export function useLinkToken(): string {
	const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
	return token;
}
