/**
 * Whether this page stands in a frame of somebody else's page: it was opened as such, and stays so until it is left. Then it
 * shows no more than the public may see and asks as nobody, whoever is signed in beside it, because who presses a button in
 * a frame does not know whose it is.
 */
export const isEmbedded: boolean =
	/^\/websites\/\d+\/?$/.test(location.pathname) && new URLSearchParams(location.search).get('embed') === '1';
