/** Of sockets, and of names that are not known for the moment, as those of a container that is being replaced. */
export const unreachableCodes: ReadonlySet<string> = new Set([
	...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
	...['ENOTFOUND', 'EAI_AGAIN'],
]);

/** What Node says of a certificate that it does not trust. */
const untrusted = new Set([
	...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_UNTRUSTED'],
	...['CERT_SIGNATURE_FAILURE', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]);

/** The same failure, in words that say what to do where it is one of trust. */
export function explainTlsError(error: unknown, server: 'PostgreSQL' | 'ClickHouse'): unknown {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	if (!untrusted.has(code)) return error;
	const variable = server === 'PostgreSQL' ? 'DATABASE_CA_FILE' : 'CLICKHOUSE_CA_FILE';
	return new Error(
		`The certificate of the ${server} server is not trusted. If its authority is your own, ` +
			`set ${variable} to a file with the certificate of that authority; ` +
			'if it is for another name or has expired, give the server another one.',
		{ cause: error },
	);
}
