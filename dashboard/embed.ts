/**
 * Whether the page was opened as an embed. An embed shows public data only and sends no credentials, even with a session,
 * to prevent clickjacking.
 */
export const isEmbedded: boolean =
	/^\/(websites\/\d+|s\/[\w-]+)\/?$/.test(location.pathname) &&
	new URLSearchParams(location.search).get('embed') === '1';
