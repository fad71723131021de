const home = '/websites';

/** The page to return to after signing in. Only URLs of this service are allowed. */
export function returnUrl(search: string): string {
	const wanted = new URLSearchParams(search).get('to');
	if (!wanted?.startsWith('/') || !URL.canParse(wanted, location.origin)) return home;
	// `//host` and `/\host` begin with a slash and are another host: the browser's own reading decides.
	const { origin, pathname, search: query, hash } = new URL(wanted, location.origin);
	const isPage = origin === location.origin && pathname !== '/sign-in' && !pathname.startsWith('//');
	return isPage ? pathname + query + hash : home;
}
